/* Network `fluid`: the ends of messages, the order of messages, and their acknowledgements. SimGrid
 * divides the bandwidth of a link among the messages on it, so one message can overtake another.
 * The firmware relies on the order of messages between two tiles, so the receiver restores this
 * order. */
#include "fluid.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/chain.h"
#include "chip/machine/network.h"
#include "chip/noc/noc.h"
#include "chip/tile/scheduler.h"
#include "platform/platform.h"

/* ---- endpoints ---- */

static struct endpoint *fluid_find(struct endpoint **kept, const char *name)
{
	if (*kept == NULL)
		*kept = engine_endpoint(name);
	return *kept;
}

struct endpoint *sim_fluid_chip(struct cluster *cluster, uint16_t chip)
{
	char name[PLATFORM_NAME_BYTES];

	return fluid_find(&sim_fluid_of(cluster)->chips[chip], platform_chip_name(chip, name));
}

struct endpoint *sim_fluid_endpoint(const struct tile *tile)
{
	struct cluster *cluster = tile->device->cluster;
	struct fluid *fluid = sim_fluid_of(cluster);
	char name[PLATFORM_NAME_BYTES];

	if (tile->number == tile->device->info->geometry->pcie_tile)
		return fluid_find(
			&fluid->server, platform_server_name(tile->device->info->host, name));
	return fluid_find(&fluid->tiles[tile - cluster->tiles],
		platform_core_name(tile->device->number, tile->number, name));
}

void sim_fluid_open(struct cluster *cluster)
{
	struct fluid *fluid = allocate(1, sizeof *fluid);
	const struct fabric *fabric = cluster->fabric;
	char name[PLATFORM_NAME_BYTES];

	cluster->network_state = fluid;
	fluid->chips = allocate(cluster->info->chip_count, sizeof(struct endpoint *));
	fluid->tiles = allocate(cluster->tile_count, sizeof(struct endpoint *));
	fluid->ports = allocate(fabric->link_count, sizeof(struct endpoint *));
	fluid->flows = allocate(cluster->tile_count, sizeof *fluid->flows);
	sim_pool_init(&fluid->messages, sizeof(struct fluid_message));
	sim_pool_init(&fluid->parts, sizeof(struct fluid_part));
	if (fabric->link_count > 0)
		fluid->hop_extra_ps = cluster->timing.ethernet_latency_ps -
				      platform_link_rate(platform_lane_link(fabric->links[0].from,
								 fabric->links[0].to, 0, name))
					      .latency_ps;
}

/* Frees the memory of a message. A run may end while messages are in flight. */
static void message_fini(void *object)
{
	span_release(((struct fluid_message *)object)->span);
}

void sim_fluid_close(struct cluster *cluster)
{
	struct fluid *fluid = sim_fluid_of(cluster);

	for (size_t i = 0; i < cluster->tile_count; i++)
		free(fluid->flows[i]);
	free(fluid->flows);
	free(fluid->ports);
	free(fluid->tiles);
	free(fluid->chips);
	sim_pool_each(&fluid->messages, message_fini);
	sim_pool_fini(&fluid->messages);
	sim_pool_fini(&fluid->parts);
	free(fluid);
	cluster->network_state = NULL;
}

/* ---- times and sizes ---- */

static int64_t issue_over(const struct cluster *cluster, struct pipe *niu, uint64_t bytes,
	uint64_t bytes_per_s, int64_t extra_ps)
{
	const struct sim_timing *timing = &cluster->timing;
	uint64_t flits = (bytes + timing->noc_flit_bytes - 1) / timing->noc_flit_bytes;
	int64_t takes_ps =
		timing->noc_issue_ps + (int64_t)flits * timing->noc_issue_flit_ps + extra_ps;
	int64_t transfer_ps = server_transfer_ps(sim_fluid_noc_bytes(cluster, bytes), bytes_per_s);

	if (takes_ps < transfer_ps)
		takes_ps = transfer_ps;
	return pipe_pass(niu, engine_now(), bytes, takes_ps) - takes_ps - engine_now();
}

int64_t sim_fluid_issue_ps(
	struct tile *tile, uint64_t bytes, uint64_t bytes_per_s, int64_t extra_ps)
{
	return issue_over(tile->device->cluster, &tile->out, bytes, bytes_per_s, extra_ps);
}

int64_t sim_fluid_request_ps(const struct stage *stage)
{
	struct tile *tile = sim_own_tile(stage);
	const struct cluster *cluster = tile->device->cluster;

	return issue_over(cluster, sim_niu_of_requests(tile, stage), sizeof(uint32_t),
		cluster->timing.noc_injection_bytes_per_s, 0);
}

uint64_t sim_fluid_noc_bytes(const struct cluster *cluster, uint64_t bytes)
{
	const struct sim_timing *timing = &cluster->timing;
	uint64_t packets = (bytes + timing->noc_packet_bytes - 1) / timing->noc_packet_bytes;

	return bytes + (packets > 0 ? packets : 1) * timing->noc_header_bytes;
}

int64_t sim_fluid_hops_ps(const struct tile *from, const struct tile *to)
{
	const struct sim_grid *grid = from->device->grid;

	return sim_grid_hops(grid, from->number, to->number) *
	       from->device->cluster->timing.noc_hop_ps;
}

/* ---- messages ---- */

struct fluid_message *sim_fluid_message(struct tile *source, fluid_arrive *arrive)
{
	struct cluster *cluster = source->device->cluster;
	struct fluid_message *message = sim_pool_take(&sim_fluid_of(cluster)->messages);

	*message = (struct fluid_message){.arrive = arrive, .source = source};
	sim_operation_begin(cluster);
	return message;
}

static void message_free(struct fluid_message *message)
{
	struct cluster *cluster = message->source->device->cluster;

	span_release(message->span);
	message->span.extent = NULL;
	sim_pool_give(&sim_fluid_of(cluster)->messages, message);
	sim_operation_end(cluster);
}

void sim_fluid_counts_as(struct fluid_message *message, struct stage *stage, uint32_t writes)
{
	struct task *task = sim_task_of(stage);

	stage->writes_posted += writes;
	message->task = task;
	message->writes = writes;
	CHAIN_APPEND(task->fluid_first, task->fluid_last, message, next);
}

void sim_fluid_acknowledge(struct fluid_message *message)
{
	struct task *task = message->task;

	message->acknowledged = true;
	if (message->writes == 0) {
		message_free(message);
		return;
	}
	while (task->fluid_first != NULL && task->fluid_first->acknowledged) {
		struct fluid_message *first = task->fluid_first;
		int64_t at_ps = first->done_ps > engine_now() ? first->done_ps : engine_now();

		task->fluid_first = first->next;
		sim_task_writes_done_at(
			task, first->writes, at_ps, cause_now(), CHARGE_NOC_LATENCY);
		message_free(first);
	}
}

/* ---- order ---- */

static struct fluid_flow *flow_of(const struct fluid_part *part)
{
	const struct tile *source = part->message->source;
	struct cluster *cluster = source->device->cluster;
	struct fluid_flow **flows = &sim_fluid_of(cluster)->flows[source - cluster->tiles];

	if (*flows == NULL)
		*flows = allocate(source->device->grid->tile_count, sizeof **flows);
	return &(*flows)[part->to->number];
}

struct fluid_part *sim_fluid_part(
	struct fluid_message *message, struct tile *to, uint32_t index, uint64_t bytes)
{
	struct fluid_part *part = sim_pool_take(&sim_fluid_of(to->device->cluster)->parts);
	struct fluid_flow *flow;

	*part = (struct fluid_part){.message = message, .to = to, .index = index, .bytes = bytes};
	flow = flow_of(part);
	CHAIN_APPEND(flow->first, flow->last, part, next);
	message->left++;
	return part;
}

static void part_free(struct fluid_part *part)
{
	struct fluid_message *message = part->message;
	const struct sim_timing *timing = &part->to->device->cluster->timing;
	int64_t done_ps = engine_now();

	if (part->to->memory.size > 0)
		done_ps += timing->noc_latency_ps + sim_fluid_hops_ps(part->to, message->source);
	if (done_ps > message->done_ps)
		message->done_ps = done_ps;
	sim_pool_give(&sim_fluid_of(part->to->device->cluster)->parts, part);
	if (--message->left == 0)
		sim_fluid_acknowledge(message);
}

static void flow_run(struct fluid_flow *flow);

/* Called when a multicast could take effect at one of its tiles: its part for this tile has
 * arrived, and all earlier messages of the source to this tile have taken effect. The last of these
 * calls makes the multicast take effect at all its tiles in the same event. */
static void fluid_count(struct fluid_part *part)
{
	struct fluid_message *message = part->message;
	struct device *device = message->source->device;
	const struct sim_multicast *multicast = message->multicast;
	struct fluid_flow *flows =
		sim_fluid_of(device->cluster)->flows[message->source - device->cluster->tiles];

	part->counted = true;
	if (++message->ready < multicast->count)
		return;
	message->arrive(part);
	for (uint32_t i = 0; i < multicast->count; i++) {
		struct fluid_flow *flow = &flows[multicast->tiles[i]];
		struct fluid_part *first = flow->first;

		flow->first = first->next;
		part_free(first);
	}
	for (uint32_t i = 0; i < multicast->count; i++)
		flow_run(&flows[multicast->tiles[i]]);
}

static void flow_run(struct fluid_flow *flow)
{
	while (flow->first != NULL && flow->first->arrived && !flow->first->counted) {
		struct fluid_part *part = flow->first;

		if (part->message->together) {
			fluid_count(part);
			return;
		}
		flow->first = part->next;
		part->message->arrive(part);
		part_free(part);
	}
}

/* If part->bank_ps is 0, does nothing and returns false. Otherwise, lets the part occupy the DRAM
 * bank of its tile for part->bank_ps, after earlier requests to this bank. Schedules `again` for
 * the end of this time, and returns true. Sets part->bank_ps to 0, so that the next call for this
 * part returns false. */
static bool bank_holds(struct fluid_part *part, engine_run *again)
{
	struct pipe *bank = &part->to->in;
	int64_t busy_ps = part->bank_ps;

	part->bank_ps = 0;
	if (busy_ps == 0)
		return false;
	if (bank->busy_until_ps < engine_now())
		bank->busy_until_ps = engine_now();
	bank->busy_until_ps += busy_ps;
	bank->busy_ps += busy_ps;
	cause_rest(CHARGE_DRAM_REQUEST);
	engine_push(bank->busy_until_ps, again, part, 0);
	return true;
}

static void fluid_arrived_event(void *subject, uint64_t argument)
{
	struct fluid_part *part = subject;

	(void)argument;
	if (bank_holds(part, fluid_arrived_event))
		return;
	part->arrived = true;
	flow_run(flow_of(part));
}

/* ---- in flight ---- */

static void start(struct fluid_part *part, struct endpoint *from)
{
	struct transfer transfer = {from, sim_fluid_endpoint(part->to), part->bytes};

	cause_rest(CHARGE_NOC_LATENCY);
	if (transfer.from == transfer.to)
		engine_push(engine_now() + part->to->device->cluster->timing.noc_latency_ps,
			fluid_arrived_event, part, 0);
	else
		engine_transfer(&transfer, fluid_arrived_event, part, 0);
}

static void start_event(void *subject, uint64_t argument)
{
	struct fluid_part *part = subject;

	(void)argument;
	start(part, sim_fluid_endpoint(part->message->source));
}

static void start_on_event(void *subject, uint64_t argument)
{
	struct fluid_part *part = subject;
	struct device *device = part->to->device;

	(void)argument;
	start(part, sim_fluid_chip(device->cluster, device->number));
}

void sim_fluid_send(struct fluid_part *part, int64_t delay_ps)
{
	cause_rest(CHARGE_NOC_LATENCY);
	engine_push(engine_now() + delay_ps, start_event, part, 0);
}

void sim_fluid_send_on(struct fluid_part *part, int64_t delay_ps)
{
	cause_rest(CHARGE_NOC_HOP);
	engine_push(engine_now() + delay_ps, start_on_event, part, 0);
}
