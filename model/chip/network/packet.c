/* Network `packet`: every router and wire serves packets first come, first served, and a packet may
 * have to wait for a slot.
 *
 * A packet that has arrived at a node holds a slot in the buffer of the incoming link. For each
 * outgoing link, the packet takes four steps:
 *   1. It is passed to the router of the outgoing link, on the same chip.
 *   2. It takes a slot at the far end of the link. While it waits, it keeps its slot at the node.
 *   3. It is sent when the processor and the wire of the link are free.
 *   4. It arrives as a whole.
 * When the packet has left on every outgoing link and has been delivered, its slot at the node is
 * given back to the sender. */
#include "chip/fabric/fabric.h"
#include "chip/machine/network.h"
#include "chip/noc/links.h"
#include "chip/noc/noc.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"

/* ---- slots ---- */

static bool may_enter(const struct link *link, uint64_t channel)
{
	const struct port *buffer = &link->buffer;

	return buffer->free[channel] >= link->cluster->timing.entry_slots &&
	       buffer->first[channel] == NULL;
}

static void transmit_event(void *subject, uint64_t argument);

/* Lets packets that wait to enter a ring enter it, as long as enough slots are free and no packet
 * inside the ring waits for a slot. */
static void let_in(struct link *link, uint64_t channel)
{
	while (link->entering[channel] != NULL && may_enter(link, channel)) {
		struct visit *visit = link->entering[channel];

		link->entering[channel] = visit->next;
		link->entering_count--;
		ensure(port_try_take(&link->buffer, (uint32_t)channel), "no slot is free");
		engine_push(engine_now(), transmit_event, visit, 0);
	}
}

static void wait_to_enter(struct link *link, uint64_t channel, struct visit *visit)
{
	uint32_t waiting;

	visit->next = NULL;
	if (link->entering[channel] != NULL)
		link->entering_last[channel]->next = visit;
	else
		link->entering[channel] = visit;
	link->entering_last[channel] = visit;
	waiting = ++link->entering_count + link->buffer.waiting;
	if (waiting > link->buffer.waiting_high_water)
		link->buffer.waiting_high_water = waiting;
}

static void slot_event(void *subject, uint64_t channel)
{
	struct link *link = subject;

	port_give(&link->buffer, (uint32_t)channel);
	let_in(link, channel);
	sim_fabric_end(link->cluster);
}

static void sender_slot_event(void *subject, uint64_t channel)
{
	struct link *link = subject;

	if (++link->sender_free[channel] > 0)
		sim_tasks_fabric(link->cluster->fabric->devices[link->from]);
	sim_fabric_end(link->cluster);
}

/* Returns the other direction of the link. */
static struct link *reverse(const struct link *link)
{
	struct link *links = link->cluster->fabric->links;

	return &links[(link - links) ^ 1];
}

/* Called when all copies of the packet have left the node: gives the slot of this visit back to the
 * sender. The message that tells the sender about the free slot (a credit) occupies the wire in the
 * reverse direction. */
static void release(struct visit *visit)
{
	struct packet *packet = visit->packet;
	struct cluster *cluster = packet->route->cluster;
	const struct sim_timing *timing = &cluster->timing;

	pipe_pass(&reverse(visit->link)->wire, engine_now(), timing->update_bytes,
		server_transfer_ps(timing->update_bytes, timing->ethernet_bytes_per_s));

	sim_fabric_begin(cluster);
	cause_rest(CHARGE_ROUTER_CREDIT_LATENCY);
	engine_push(visit->free_ps + cluster->timing.credit_latency_ps, slot_event, visit->link,
		packet->route->tree->channel);
	sim_pool_give(&cluster->fabric->visits, visit);
	sim_packet_leave(packet);
}

/* Frees the slot that the visit leaves. The last byte leaves the slot at `at_ps`. */
static void packet_leave(struct visit *visit, int64_t at_ps)
{
	struct visit *parent = visit->parent;

	if (parent == NULL) {
		const struct sim_timing *timing = &visit->link->cluster->timing;

		if (timing->sender_latency_ps > 0)
			cause_rest(CHARGE_ROUTER_SENDER_LATENCY);
		sim_fabric_begin(visit->link->cluster);
		engine_push(at_ps + timing->sender_latency_ps, sender_slot_event, visit->link,
			visit->packet->route->tree->channel);
		return;
	}
	if (at_ps > parent->free_ps)
		parent->free_ps = at_ps;
	if (--parent->branches == 0)
		release(parent);
}

/* ---- one hop ---- */

static void packet_request_event(void *subject, uint64_t argument);

static struct visit *packet_visit_new(struct packet *packet, struct visit *parent, uint16_t node)
{
	struct visit *visit = sim_pool_take(&packet->route->cluster->fabric->visits);

	visit->cause = CAUSE_NONE;
	visit->packet = packet;
	visit->parent = parent;
	visit->node = node;
	visit->link = packet->route->hops[node].link;
	packet->visits++;
	return visit;
}

/* Returns the time at which a packet from the router of the visit arrives at tile `to` of the same
 * chip. The packet competes with other transfers for links of its path: with `model.noc: links` for
 * all of them, otherwise only for those along a row. */
static int64_t packet_cross(
	const struct visit *visit, uint16_t to, int64_t first_ps, int64_t last_ps)
{
	const struct packet *packet = visit->packet;
	struct cluster *cluster = packet->route->cluster;
	struct link_end *router = visit->link->receiver;
	uint16_t chip = visit->link->to;
	struct device *device = cluster->fabric->devices[chip];
	int64_t takes_ps, there_ps;

	if (cluster->links == NULL || router->tile == TILE_AT_NONE || to == TILE_AT_NONE)
		return sim_packet_cross(packet, router, chip, to, first_ps, last_ps);
	takes_ps = server_transfer_ps(packet->noc_bytes, cluster->timing.noc_link_bytes_per_s);
	there_ps = takes_ps + sim_links_pass(device, sim_links_nearer(device, router->tile, to),
				      router->tile, to,
				      &(struct noc_load){first_ps, takes_ps, packet->noc_bytes,
					      NOC_SENDS, false});
	return there_ps > last_ps ? there_ps : last_ps;
}

/* Delivers the packet over the NoC to its tile. The router needs `copy_ps` to copy the packet to
 * the NoC, and has finished at `copied_ps`. */
static void packet_deliver(struct visit *visit, int64_t copied_ps, int64_t copy_ps)
{
	struct packet *packet = visit->packet;
	struct cluster *cluster = packet->route->cluster;
	struct device *device = cluster->fabric->devices[visit->link->to];
	int64_t last_ps = packet_cross(visit, packet->tile, copied_ps - copy_ps, copied_ps) +
			  cluster->timing.delivery_latency_ps;

	cause_charge(CHARGE_ROUTER_DELIVERY_LATENCY, cluster->timing.delivery_latency_ps);
	if (packet->span.length > 0)
		last_ps = sim_noc_land(sim_tile(device, packet->tile), TILE_NONE, last_ps - copy_ps,
			last_ps, packet->span.length);
	if (packet->delta != 0) {
		last_ps += cluster->timing.increment_ps; /* the command after the write */
		cause_charge(CHARGE_ROUTER_INCREMENT, cluster->timing.increment_ps);
	}
	if (last_ps < visit->link->delivered_ps)
		last_ps = visit->link->delivered_ps; /* no packet overtakes another */
	visit->link->delivered_ps = last_ps;
	cause_rest(CHARGE_WAIT_LINK);
	sim_packet_deliver(packet, visit->node, last_ps);
	if (copied_ps > visit->free_ps)
		visit->free_ps = copied_ps;
}

/* Sends the packet over the NoC to the next router of the chip. */
static void forward(struct visit *visit, uint16_t node, int64_t copied_ps, int64_t copy_ps)
{
	struct packet *packet = visit->packet;
	const struct sim_timing *timing = &packet->route->cluster->timing;
	struct visit *next = packet_visit_new(packet, visit, node);

	int64_t there_ps =
		packet_cross(visit, next->link->sender->tile, copied_ps - copy_ps, copied_ps);

	cause_charge(CHARGE_ROUTER_FORWARD_LATENCY, timing->forward_latency_ps);
	cause_rest(CHARGE_WAIT_LINK);
	engine_push(there_ps + timing->forward_latency_ps, packet_request_event, next, 0);
}

/* ---- the processor of a router ---- */

static int64_t send(struct visit *visit);
static int64_t receive(struct visit *visit);

/* Returns the cause with which the visit (struct visit of chip/fabric/fabric.h) continues now. If
 * the visit has not waited, this is the current cause. Otherwise it is a new cause that charges the
 * wait. The parent of the new cause is the cause that the visit had when the wait began. */
static cause_id packet_go_on(struct visit *visit)
{
	cause_id stood = visit->cause, waited;

	if (stood == CAUSE_NONE)
		return cause_now();
	cause_enter(stood);
	cause_rest(CHARGE_WAIT_LINK);
	waited = cause_take(engine_now());
	cause_release(stood);
	visit->cause = CAUSE_NONE;
	return waited;
}

/* A router may have one processor for each of the two kinds of work. Then returns `kind`, the
 * number of the processor for this kind. If one processor does both kinds, returns
 * ROUTER_WORK_COUNT. */
static uint64_t own_work(const struct visit *visit, enum router_work kind)
{
	return visit->packet->route->cluster->timing.processors > 1 ? kind : ROUTER_WORK_COUNT;
}

static struct router_processor *processor_of(struct link_end *end, uint64_t own)
{
	return &end->processors[own < ROUTER_WORK_COUNT ? own : 0];
}

/* Begins the work. The processor must be free. */
static void work(struct link_end *end, struct visit *visit, enum router_work kind)
{
	struct router_processor *processor = processor_of(end, own_work(visit, kind));
	cause_id before = causes.current, own = packet_go_on(visit);
	int64_t takes_ps;

	cause_enter(own);
	takes_ps = kind == ROUTER_SEND ? send(visit) : receive(visit);
	cause_release(cause_enter(before));

	processor->turn = kind == ROUTER_SEND ? ROUTER_RECEIVE : ROUTER_SEND;
	processor->busy_until_ps = engine_now() + takes_ps;
	end->busy_ps += takes_ps;
}

/* Called when the processor for this kind of work is free, and packets wait for it. */
static void free_event(void *subject, uint64_t own)
{
	struct link_end *end = subject;
	struct router_processor *processor = processor_of(end, own);
	bool shared = own == ROUTER_WORK_COUNT;
	enum router_work kind = shared ? processor->turn : (enum router_work)own;
	struct visit *visit;

	if (shared && end->first[kind] == NULL)
		kind = kind == ROUTER_SEND ? ROUTER_RECEIVE : ROUTER_SEND;
	visit = end->first[kind];
	end->first[kind] = visit->next;
	work(end, visit, kind);
	processor->woken =
		shared ? end->first[ROUTER_SEND] != NULL || end->first[ROUTER_RECEIVE] != NULL
		       : end->first[kind] != NULL;
	if (processor->woken)
		engine_push(processor->busy_until_ps, free_event, end, own);
}

/* Starts a visit's work on the processor of a link's end, or queues the visit. */
static void take_turn(struct link_end *end, struct visit *visit, enum router_work kind)
{
	uint64_t own = own_work(visit, kind);
	struct router_processor *processor = processor_of(end, own);

	if (!processor->woken && processor->busy_until_ps <= engine_now()) {
		work(end, visit, kind);
		return;
	}
	visit->next = NULL;
	if (visit->cause == CAUSE_NONE)
		visit->cause = cause_now();
	if (end->first[kind] != NULL)
		end->last[kind]->next = visit;
	else
		end->first[kind] = visit;
	end->last[kind] = visit;
	if (!processor->woken) {
		processor->woken = true;
		engine_push(processor->busy_until_ps, free_event, end, own);
	}
}

static void arrive_event(void *subject, uint64_t argument)
{
	struct visit *visit = subject;

	(void)argument;
	take_turn(visit->link->receiver, visit, ROUTER_RECEIVE);
}

static void charge_receive(const struct sim_timing *timing, int64_t copy_ps)
{
	cause_charge(CHARGE_ROUTER_RECEIVE_LATENCY, timing->receive_latency_ps);
	cause_charge(CHARGE_NOC_INJECTION_RATE, copy_ps);
}

/* Receives the packet at the router of node visit->node. If this node is a receiver of the packet,
 * delivers the packet to the chip. Also passes the packet to the router of each outgoing link.
 * Returns the time for which the processor is busy. */
static int64_t receive(struct visit *visit)
{
	struct packet *packet = visit->packet;
	const struct sim_timing *timing = &packet->route->cluster->timing;
	const struct fabric_node *node = &packet->route->tree->nodes[visit->node];
	struct link_end *end = visit->link->receiver;
	struct pipe *niu = &end->niu;
	int64_t wait_ps = end->flushed_ps > engine_now() ? end->flushed_ps - engine_now() : 0;
	int64_t copy_ps = server_transfer_ps(packet->noc_bytes, timing->noc_injection_bytes_per_s);
	int64_t ready_ps = engine_now() + wait_ps + timing->receive_latency_ps;
	int64_t takes_ps = wait_ps + sim_packet_receive_ps(packet, visit->node);
	int64_t flush_ps = sim_packet_flush_ps(packet, visit->node);

	/* While a write is being flushed, the processor can send, but cannot receive. So the flush
	 * counts as busy time of the processor only if another packet waits to be received. */
	end->flushed_ps = engine_now() + takes_ps + flush_ps;
	if (end->first[ROUTER_RECEIVE] != NULL)
		takes_ps += flush_ps;
	visit->free_ps = ready_ps;
	visit->branches = node->child_count + 1u; /* one extra until all copies have started */
	if (node->deliver) {
		charge_receive(timing, copy_ps);
		packet_deliver(
			visit, pipe_pass(niu, ready_ps, packet->noc_bytes, copy_ps), copy_ps);
	}
	for (uint16_t i = 0; i < node->child_count; i++) {
		charge_receive(timing, copy_ps);
		forward(visit, node->first_child + i,
			pipe_pass(niu, ready_ps, packet->noc_bytes, copy_ps), copy_ps);
	}
	if (--visit->branches == 0)
		release(visit);
	return takes_ps;
}

/* Adds the time for which a packet has waited for a slot of the link, since `since_ps`. Does not
 * add the time while the link's wire was busy, because the packet would have waited for the wire
 * even with a slot. */
static void count_blocked(struct link *link, int64_t since_ps)
{
	if (since_ps < link->wire.busy_until_ps)
		since_ps = link->wire.busy_until_ps;
	if (since_ps >= engine_now())
		return;
	link->blocked_ps += engine_now() - since_ps;
	link->blocked++;
}

/* Sends the packet of a visit, which has a slot at the other end of the link. */
static void transmit(struct visit *visit)
{
	count_blocked(visit->link, visit->since_ps);
	visit->since_ps = engine_now();
	take_turn(visit->link->sender, visit, ROUTER_SEND);
}

static int64_t send(struct visit *visit)
{
	struct packet *packet = visit->packet;
	struct link *link = visit->link;
	const struct sim_timing *timing = &link->cluster->timing;
	uint64_t bytes = packet->wire_bytes + timing->update_bytes;
	int64_t transfer_ps = server_transfer_ps(bytes, timing->ethernet_bytes_per_s);
	int64_t left_ps =
		pipe_pass(&link->wire, engine_now() + timing->send_latency_ps, bytes, transfer_ps);

	link->packets++;
	link->payload_bytes += packet->span.length;
	link->waited_ps += left_ps - transfer_ps - timing->send_latency_ps - visit->since_ps;
	cause_charge(CHARGE_ROUTER_SEND_LATENCY, timing->send_latency_ps);
	cause_charge(CHARGE_ETHERNET_BANDWIDTH, transfer_ps);
	cause_charge(CHARGE_ETHERNET_LATENCY, timing->ethernet_latency_ps);
	cause_rest(CHARGE_WAIT_LINK);
	engine_push(left_ps + timing->ethernet_latency_ps, arrive_event, visit, 0);
	packet_leave(visit, left_ps);
	return timing->send_ps;
}

static void transmit_event(void *subject, uint64_t argument)
{
	(void)argument;
	transmit(subject);
}

/* Called when the visit has reached the link. Takes a slot at the other end, or waits for one. */
static void packet_request_event(void *subject, uint64_t argument)
{
	struct visit *visit = subject;
	struct link *link = visit->link;
	const struct route *route = visit->packet->route;
	uint8_t channel = route->tree->channel;
	bool enters = route->hops[visit->node].enters;

	(void)argument;
	visit->since_ps = engine_now();
	visit->cause = cause_now();
	visit->waiter.granted = transmit_event;
	visit->waiter.subject = visit;
	visit->waiter.argument = 0;
	if (!enters) {
		if (port_take(&link->buffer, channel, &visit->waiter))
			transmit(visit);
	} else if (link->entering[channel] == NULL && may_enter(link, channel) &&
		   port_try_take(&link->buffer, channel)) {
		transmit(visit);
	} else {
		wait_to_enter(link, channel, visit);
	}
}

/* ---- the worker's side ---- */

/* Reserves the NoC links over which a worker copies the packet to a router. Returns the time at
 * which the first byte leaves. */
static int64_t packet_hand_over(const struct stage *stage, const struct packet *packet,
	uint16_t router, int64_t start_ps, int64_t copy_ps)
{
	if (stage->device->cluster->links == NULL)
		return start_ps;
	return sim_links_pass(stage->device, stage->noc, stage->tile, router,
		&(struct noc_load){start_ps, copy_ps, packet->noc_bytes, NOC_SENDS, false});
}

static void packet_send(struct stage *stage, struct packet *packet)
{
	const struct cluster *cluster = packet->route->cluster;
	const struct sim_timing *timing = &cluster->timing;
	const struct fabric_node *source = &packet->route->tree->nodes[0];
	int64_t copy_ps = server_transfer_ps(packet->noc_bytes, timing->noc_injection_bytes_per_s);
	int64_t handover_ps = sim_packet_handover_ps(packet);
	struct task *task = sim_task_of(stage);
	int64_t taken_ps = engine_now();

	for (uint16_t i = 0; i < source->child_count; i++) {
		struct visit *visit = packet_visit_new(packet, NULL, source->first_child + i);
		struct link *link = visit->link;
		struct injection copy = sim_noc_inject(
			packet->from, packet->noc_bytes, timing->noc_injection_bytes_per_s, 0);
		int64_t copied_ps =
			packet_hand_over(stage, packet, link->sender->tile, copy.start_ps, copy_ps);
		int64_t start_ps = copied_ps > task->handed_ps ? copied_ps : task->handed_ps;
		int64_t at_ps = start_ps + copy_ps + timing->handover_latency_ps;

		task->handed_ps = start_ps + handover_ps;
		cause_charge(CHARGE_NOC_INJECTION_RATE, copy_ps);
		cause_charge(CHARGE_ROUTER_HANDOVER_LATENCY, timing->handover_latency_ps);
		cause_rest(CHARGE_WAIT_LINK);
		link->sender_free[packet->route->tree->channel]--;
		engine_push(at_ps, packet_request_event, visit, 0);
		if (at_ps > taken_ps)
			taken_ps = at_ps;
	}
	sim_fabric_taken(stage, taken_ps);
}

const struct sim_network sim_network_packet = {
	.entry = {.name = "packet", .description = "packets, one after another at each link"},
	.contention = true,
	.device = &sim_device,
	.ready = sim_fabric_sender_free,
	.send = packet_send,
	.bring = sim_pcie_bring,
};
