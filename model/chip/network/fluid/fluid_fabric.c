/* Network `fluid`: the fabric. A packet consists of several communications: one from the worker to
 * the middle of its chip, one over each Ethernet link of its tree, and one to the tile of each
 * receiver. Routers receive whole packets and have no credits. A packet occupies a link for the
 * time that the link needs for its bytes, or for the time that the routers of the link need, if
 * this is longer. The number of packets on a link is limited to the number of the receiver's slots.
 * Without this limit, simulation would be slow: the more communications are in flight, the more
 * time SimGrid needs to start and end one. */
#include "chip/machine/network.h"
#include "chip/noc/noc.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"
#include "fluid.h"
#include "platform/platform.h"
#include "base/chain.h"

static struct endpoint *fluid_fabric_port_of(const struct link *link)
{
	struct cluster *cluster = link->cluster;
	struct endpoint **kept = &sim_fluid_of(cluster)->ports[link - cluster->fabric->links];
	char name[PLATFORM_NAME_BYTES];

	if (*kept == NULL)
		*kept = engine_endpoint(
			platform_port_name(link->from, link->to, link->index, name));
	return *kept;
}

static struct route_hop *hop_of(const struct visit *visit)
{
	return &visit->packet->route->hops[visit->node];
}

static const struct fabric_node *node_of(const struct visit *visit)
{
	return &visit->packet->route->tree->nodes[visit->node];
}

static int64_t longest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- packets of a tree pass each place in the order in which they were sent ---- */

static void append(struct visit_list *list, struct visit *visit)
{
	visit->arrived = false;
	CHAIN_APPEND(list->first, list->last, visit, next);
}

/* Removes and returns the first visit of the list if it has arrived. Returns NULL otherwise. */
static struct visit *take_arrived(struct visit_list *list)
{
	struct visit *visit = list->first;

	if (visit == NULL || !visit->arrived)
		return NULL;
	list->first = visit->next;
	return visit;
}

static struct visit *fluid_fabric_visit_new(struct packet *packet, uint16_t node)
{
	struct visit *visit = sim_pool_take(&packet->route->cluster->fabric->visits);

	visit->packet = packet;
	visit->node = node;
	visit->link = packet->route->hops[node].link;
	visit->message = NULL;
	packet->visits++;
	append(&packet->route->hops[node].flying, visit);
	return visit;
}

static void visit_free(struct visit *visit)
{
	struct packet *packet = visit->packet;

	sim_pool_give(&packet->route->cluster->fabric->visits, visit);
	sim_packet_leave(packet);
}

/* ---- delivery ---- */

static void landed_event(void *subject, uint64_t argument)
{
	struct visit *visit = subject;
	struct route_hop *hop = hop_of(visit);
	struct cluster *cluster = visit->link->cluster;

	(void)argument;
	visit->arrived = true;
	while ((visit = take_arrived(&hop->landing)) != NULL) {
		struct packet *packet = visit->packet;
		struct tile *tile = &cluster->chips[node_of(visit)->chip].tiles[packet->tile];
		int64_t at_ps = engine_now() + cluster->timing.delivery_latency_ps +
				(packet->delta != 0 ? cluster->timing.increment_ps : 0);

		hop->delivered_ps = longest(at_ps, hop->delivered_ps);
		tile->in.bytes += packet->span.length;
		tile->in.messages++;
		cause_rest(CHARGE_ROUTER_DELIVERY_LATENCY);
		sim_packet_deliver(packet, visit->node, hop->delivered_ps);
		visit_free(visit);
	}
}

static void fluid_fabric_land_event(void *subject, uint64_t argument)
{
	struct visit *visit = subject;
	struct cluster *cluster = visit->link->cluster;
	uint16_t chip = node_of(visit)->chip;
	struct tile *tile = sim_tile(&cluster->chips[chip], visit->packet->tile);
	struct transfer transfer = {
		sim_fluid_chip(cluster, chip), sim_fluid_endpoint(tile), visit->packet->noc_bytes};

	(void)argument;
	cause_rest(CHARGE_ROUTER_DELIVERY_LATENCY);
	engine_transfer(&transfer, landed_event, visit, 0);
}

/* ---- one hop ---- */

static void enter(struct visit *visit, int64_t at_ps);

/* Delivers and forwards the packet of a visit that is at the router of its node. */
static void fluid_fabric_pass(struct visit *visit)
{
	struct packet *packet = visit->packet;
	const struct fabric_node *node = node_of(visit);
	const struct sim_timing *timing = &packet->route->cluster->timing;
	int64_t ready_ps = engine_now() + timing->receive_latency_ps;
	int64_t copied_ps =
		ready_ps + server_transfer_ps(packet->noc_bytes, timing->noc_injection_bytes_per_s);

	for (uint16_t i = 0; i < node->child_count; i++)
		enter(fluid_fabric_visit_new(packet, node->first_child + i),
			copied_ps + timing->forward_latency_ps + timing->send_latency_ps);
	if (!node->deliver) {
		visit_free(visit);
		return;
	}
	append(&hop_of(visit)->landing, visit);
	cause_rest(CHARGE_ROUTER_RECEIVE_LATENCY);
	engine_push(ready_ps, fluid_fabric_land_event, visit, 0);
}

/* Returns the number of bytes with which the visit loads the link. */
static uint64_t link_bytes(const struct visit *visit)
{
	const struct sim_timing *timing = &visit->link->cluster->timing;
	uint64_t bytes = visit->packet->wire_bytes + timing->update_bytes;
	int64_t processor_ps =
		longest(timing->send_ps, sim_packet_receive_ps(visit->packet, visit->node) +
						 sim_packet_flush_ps(visit->packet, visit->node));
	uint64_t processed =
		(uint64_t)((double)processor_ps * 1e-12 * (double)timing->ethernet_bytes_per_s);

	return bytes > processed ? bytes : processed;
}

static void fluid_fabric_count(const struct visit *visit)
{
	struct link *link = visit->link;
	const struct sim_timing *timing = &link->cluster->timing;
	uint64_t bytes = visit->packet->wire_bytes + timing->update_bytes;
	int64_t transfer_ps = server_transfer_ps(bytes, timing->ethernet_bytes_per_s);
	int64_t alone_ps = timing->ethernet_latency_ps - sim_fluid_of(link->cluster)->hop_extra_ps +
			   server_transfer_ps(link_bytes(visit), timing->ethernet_bytes_per_s);

	link->packets++;
	link->payload_bytes += visit->packet->span.length;
	link->wire.bytes += bytes;
	link->wire.messages++;
	link->wire.busy_ps += transfer_ps;
	watch_slice(link->wire.track, visit->since_ps, engine_now(), "message");
	link->waited_ps += longest(engine_now() - visit->since_ps - alone_ps, 0);
}

static void passed_event(void *subject, uint64_t argument)
{
	struct visit *visit = subject;
	struct route_hop *hop = hop_of(visit);

	(void)argument;
	visit->arrived = true;
	while ((visit = take_arrived(&hop->flying)) != NULL)
		fluid_fabric_pass(visit);
}

static void crossed_event(void *subject, uint64_t argument)
{
	struct visit *visit = subject;
	struct link *link = visit->link;
	uint32_t channel = visit->packet->route->tree->channel;

	(void)argument;
	fluid_fabric_count(visit);
	port_give(&link->buffer, channel);
	if (node_of(visit)->parent == 0 && ++link->sender_free[channel] > 0)
		sim_tasks_fabric(&link->cluster->chips[link->from]);
	cause_rest(CHARGE_ETHERNET_LATENCY);
	engine_push(
		engine_now() + sim_fluid_of(link->cluster)->hop_extra_ps, passed_event, visit, 0);
}

/* Starts the transfer of the packet over the link. If the packet has waited for a slot, this time
 * is charged like time of the transfer. */
static void fluid_fabric_cross(struct visit *visit)
{
	struct link *link = visit->link;
	struct transfer transfer = {sim_fluid_chip(link->cluster, link->from),
		fluid_fabric_port_of(link), link_bytes(visit)};
	cause_id before = cause_enter(visit->cause);

	visit->cause = CAUSE_NONE;
	cause_rest(CHARGE_ETHERNET_BANDWIDTH);
	engine_transfer(&transfer, crossed_event, visit, 0);
	cause_release(cause_enter(before));
}

static void cross_event(void *subject, uint64_t argument)
{
	(void)argument;
	fluid_fabric_cross(subject);
}

/* Called when the visit has reached the link. */
static void fluid_fabric_request_event(void *subject, uint64_t argument)
{
	struct visit *visit = subject;

	(void)argument;
	visit->since_ps = engine_now();
	visit->cause = cause_now();
	visit->waiter = (struct port_waiter){.granted = cross_event, .subject = visit};
	if (port_take(&visit->link->buffer, visit->packet->route->tree->channel, &visit->waiter))
		fluid_fabric_cross(visit);
}

/* Schedules the time at which a packet asks for the link. If the previous packet of the same tree
 * would still be on the link at `at_ps`, the packet asks at the time at which the previous packet
 * would have left. So packets of one tree do not share the link's bandwidth, but packets of
 * different trees do. */
static void enter(struct visit *visit, int64_t at_ps)
{
	struct route_hop *hop = hop_of(visit);
	int64_t start_ps = longest(at_ps, hop->free_ps);

	hop->free_ps = start_ps + server_transfer_ps(link_bytes(visit),
					  visit->link->cluster->timing.ethernet_bytes_per_s);
	cause_rest(CHARGE_ROUTER_SEND_LATENCY);
	engine_push(start_ps, fluid_fabric_request_event, visit, 0);
}

/* ---- the worker's side ---- */

static void handed_event(void *subject, uint64_t argument)
{
	struct visit *visit = subject;
	const struct sim_timing *timing = &visit->link->cluster->timing;

	(void)argument;
	if (--visit->message->left == 0)
		sim_fluid_acknowledge(visit->message);
	enter(visit, engine_now() + timing->handover_latency_ps + timing->send_latency_ps);
}

static void hand_event(void *subject, uint64_t argument)
{
	struct visit *visit = subject;
	struct cluster *cluster = visit->link->cluster;
	struct transfer transfer = {sim_fluid_endpoint(visit->packet->from),
		sim_fluid_chip(cluster, visit->link->from), visit->packet->noc_bytes};

	(void)argument;
	cause_rest(CHARGE_NOC_INJECTION_RATE);
	engine_transfer(&transfer, handed_event, visit, 0);
}

static void fluid_send(struct stage *stage, struct packet *packet)
{
	const struct fabric_node *source = &packet->route->tree->nodes[0];
	struct fluid_message *message = sim_fluid_message(packet->from, NULL);

	uint64_t rate = packet->route->cluster->timing.noc_injection_bytes_per_s;

	sim_fluid_counts_as(message, stage, 1);
	message->left = source->child_count;
	for (uint16_t i = 0; i < source->child_count; i++) {
		struct visit *visit = fluid_fabric_visit_new(packet, source->first_child + i);

		visit->message = message;
		visit->link->sender_free[packet->route->tree->channel]--;
		cause_rest(CHARGE_WAIT_NOC);
		engine_push(
			engine_now() + sim_fluid_issue_ps(packet->from, packet->noc_bytes, rate, 0),
			hand_event, visit, 0);
	}
	if (message->left == 0)
		sim_fluid_acknowledge(message);
}

/* ---- data of a read of the device ---- */

static void completed(struct fluid_part *part)
{
	sim_pcie_brought(part->message->read, part->message->length);
}

/* Transfers the data of a read. The path of the data in SimGrid has only the latency of a posted
 * write and half of the NoC's latency. The latency of a read is longer, so this function sends the
 * data later by the difference. */
static void fluid_bring(struct flight *read, uint64_t bytes)
{
	struct device *device = read->device;
	const struct sim_timing *timing = &device->cluster->timing;
	struct tile *port = &device->tiles[device->info->geometry->pcie_tile];
	struct fluid_message *message = sim_fluid_message(port, completed);
	int64_t rest_ps =
		timing->read_latency_ps - timing->post_latency_ps - timing->noc_latency_ps / 2;

	int64_t transfer_ps = server_transfer_ps(bytes, timing->down_bytes_per_s);
	int64_t start_ps = pipe_pass(&device->pcie->down, engine_now() + longest(rest_ps, 0), bytes,
				   transfer_ps) -
			   transfer_ps;

	message->read = read;
	message->length = (uint32_t)bytes;
	sim_fluid_send(
		sim_fluid_part(message, read->task->tile, 0, bytes), start_ps - engine_now());
}

const struct sim_network sim_network_fluid = {
	.entry = {.name = "fluid", .description = "flows that share links, of whole transfers"},
	.contention = true,
	.slowness = 40,
	.device = &sim_device_fluid,
	.open = sim_fluid_open,
	.close = sim_fluid_close,
	.ready = sim_fabric_sender_free,
	.send = fluid_send,
	.bring = fluid_bring,
};
