/* The device's side of bring-up (spec 3.8.8.1). Creates the stages of a plan, connects them with
 * links, and starts them. This file only carries out the decisions of the plan. */
#include "mesh/device/bringup.h"

#include <stdlib.h>

#include "base/allocate.h"

/* ---- links ---- */

static struct link_layout dispatch_link(const struct bringup *bringup,
	const struct device_plan *plan, uint32_t input, const struct stage_spot *producer,
	const struct prefetch_layout *layout)
{
	bool own = input == 1 && plan->dispatcher_m.chip != CHIP_NONE;
	const struct dispatch_layout *at = own ? &plan->dispatch_m_layout : &plan->dispatch_layout;

	return (struct link_layout){
		.consumer_tile = own ? plan->dispatcher_m.tile : plan->dispatcher.tile,
		.ring = at->ring[own ? 0 : input],
		.ring_bytes = bringup->limits->dispatch_ring_bytes,
		.arrival_word = at->arrival_word[own ? 0 : input],
		.producer_tile = producer->tile,
		.credit_word = layout->credit_word,
		.batch_bytes = bringup->limits->credit_batch_bytes};
}

/* Returns the size of a block of a ring whose sender is on another chip. The ring's receiver
 * returns the credits of a block together. */
static uint32_t block_of(const struct bringup *bringup, uint32_t ring_bytes)
{
	return ring_bytes / bringup->limits->fabric_ring_blocks & ~(uint32_t)(COMMAND_ALIGN - 1);
}

static struct link_layout gateway_link(const struct bringup *bringup,
	const struct device_plan *plan, const struct device_routes *route)
{
	return (struct link_layout){.consumer_tile = plan->prefetch_d.tile,
		.ring = plan->prefetch_d_ring,
		.ring_bytes = bringup->limits->fetch_ring_bytes,
		.arrival_word = plan->prefetch_d_layout.arrival_word,
		.producer_tile = plan->prefetch_h.tile,
		.credit_word = plan->prefetch_h_layout.credit_word,
		.batch_bytes = block_of(bringup, bringup->limits->fetch_ring_bytes),
		.forward = route->outward,
		.backward = route->homeward};
}

static struct link_layout homeward_link(const struct bringup *bringup,
	const struct device_plan *plan, const struct device_routes *route)
{
	return (struct link_layout){.consumer_tile = plan->dispatch_h.tile,
		.ring = plan->dispatch_h_layout.ring,
		.ring_bytes = bringup->limits->dispatch_h_ring_bytes,
		.arrival_word = plan->dispatch_h_layout.arrival_word,
		.producer_tile = plan->dispatcher.tile,
		.credit_word = plan->dispatch_layout.credit_word,
		.batch_bytes = block_of(bringup, bringup->limits->dispatch_h_ring_bytes),
		.forward = route->homeward,
		.backward = route->outward};
}

static struct link_layout receive_link(
	const struct bringup *bringup, const struct device_plan *plan)
{
	return (struct link_layout){.consumer_tile = plan->prefetch_m.tile,
		.ring = plan->prefetch_m_ring,
		.ring_bytes = bringup->limits->receive_ring_bytes,
		.arrival_word = plan->prefetch_m_layout.arrival_word,
		.producer_tile = plan->depacketizer.tile,
		.credit_word = plan->depacketizer_layout.credit_word,
		.batch_bytes = bringup->limits->credit_batch_bytes};
}

static struct link_layout packetizer_link(
	const struct bringup *bringup, const struct initiator_plan *plan)
{
	return (struct link_layout){.consumer_tile = plan->packetizer.tile,
		.ring = plan->packetizer_layout.ring,
		.ring_bytes = bringup->limits->packetizer_ring_bytes,
		.arrival_word = plan->packetizer_layout.arrival_word,
		.producer_tile = plan->prefetch_h.tile,
		.credit_word = plan->prefetch_h_layout.credit_word,
		.batch_bytes = bringup->limits->credit_batch_bytes};
}

static struct host_queue host_queue_of(
	const struct bringup *bringup, const struct lane *lane, uint32_t read_word)
{
	return (struct host_queue){.ring = completion_queue_ring(lane->completion),
		.ring_bytes = sizes_completion_queue(&bringup->mesh->config),
		.write_word = completion_queue_write_word(lane->completion),
		.read_word = read_word};
}

/* ---- stages of a device ---- */

static void start_dispatch(const struct bringup *bringup, const struct dispatch_config *config,
	const struct stage_spot *dispatch_s, uint16_t chip)
{
	struct stage *dispatcher = dispatcher_new(bringup->firmware, config);

	if (dispatch_s->chip != CHIP_NONE)
		start_stage(bringup,
			dispatch_s_new(bringup->firmware, dispatcher, dispatch_s->processor), chip);
	start_stage(bringup, dispatcher, chip);
}

static void start_dispatcher(const struct bringup *bringup, const struct lane *lane,
	const struct device_plan *plan, const struct device_routes *route)
{
	bool broadcast = bringup->plan->grids > 0 && plan->dispatcher_m.chip == CHIP_NONE;
	struct dispatch_config config = {.place = place_of(bringup, &plan->dispatcher),
		.layout = plan->dispatch_layout,
		.input_count = broadcast ? 2 : 1,
		.ordering = broadcast && bringup->mesh->config.forward.ordering->numbers
				    ? DISPATCH_ORDER_COUNTER
				    : DISPATCH_ORDER_ARRIVAL,
		.worker_go_word = bringup->plan->words.go,
		.release_tile = {plan->prefetch_d.tile, plan->prefetch_m.tile},
		.release_word = {plan->prefetch_d_layout.release_word,
			plan->prefetch_m_layout.release_word},
		.lead = worker_group_lead(bringup->mesh->workers[2 * lane->device]),
		.event_base = lane->event_slot,
		.remote = route->outward != NULL};

	config.input[0] =
		dispatch_link(bringup, plan, 0, &plan->prefetch_d, &plan->prefetch_d_layout);
	if (broadcast)
		config.input[1] = dispatch_link(
			bringup, plan, 1, &plan->prefetch_m, &plan->prefetch_m_layout);
	if (config.remote)
		config.output = homeward_link(bringup, plan, route);
	else
		config.host = host_queue_of(bringup, lane, plan->dispatch_layout.read_word);
	if (!config.remote)
		config.gate = bringup_gate(bringup, lane, plan->dispatch_layout.open_word);
	start_dispatch(bringup, &config, &plan->dispatch_s, route->chip);
}

/* Starts the dispatcher that executes only broadcasts and has no path to the host. */
static void start_dispatcher_m(const struct bringup *bringup, uint32_t device,
	const struct device_plan *plan, const struct device_routes *route)
{
	struct dispatch_config config = {.place = place_of(bringup, &plan->dispatcher_m),
		.layout = plan->dispatch_m_layout,
		.input_count = 1,
		.input = {dispatch_link(
			bringup, plan, 1, &plan->prefetch_m, &plan->prefetch_m_layout)},
		.ordering = DISPATCH_ORDER_ARRIVAL,
		.lead = worker_group_lead(bringup->mesh->workers[2 * device]),
		.worker_go_word = bringup->plan->words.go,
		.release_tile = {plan->prefetch_m.tile},
		.release_word = {plan->prefetch_m_layout.release_word}};

	start_dispatch(bringup, &config, &plan->dispatch_s_m, route->chip);
}

/* Sets the address of the other prefetcher that sends to the same dispatcher, if there is one. */
static void set_counterpart(struct prefetch_config *config, const struct stage_spot *other,
	const struct prefetch_layout *layout)
{
	config->counterpart_tile = other->chip == CHIP_NONE ? CHIP_NONE : other->tile;
	config->counterpart_word = other->chip == CHIP_NONE ? 0 : layout->counterpart_word;
}

static void set_issue(const struct bringup *bringup, struct prefetch_config *config,
	struct issue_queue *issue, uint32_t reader)
{
	config->issue_ring = issue_queue_ring(issue);
	config->issue_ring_bytes = sizes_issue_queue(&bringup->mesh->config);
	config->read_word = issue_queue_read_word(issue, reader);
}

static void start_unicast(const struct bringup *bringup, const struct lane *lane,
	const struct device_plan *plan, const struct device_routes *route)
{
	struct prefetch_config near = {.place = place_of(bringup, &plan->prefetch_d),
		.layout = plan->prefetch_d_layout,
		.output = dispatch_link(
			bringup, plan, 0, &plan->prefetch_d, &plan->prefetch_d_layout)};
	struct prefetch_config far = {.layout = plan->prefetch_h_layout};
	struct dispatch_h_config host = {.input = homeward_link(bringup, plan, route)};

	set_counterpart(&near, &plan->prefetch_m, &plan->prefetch_m_layout);
	if (route->outward == NULL) {
		set_issue(bringup, &near, lane->issue, 0);
		start_stage(bringup, prefetch_hd_new(bringup->firmware, &near), route->chip);
		return;
	}
	near.input = gateway_link(bringup, plan, route);
	start_stage(bringup, prefetch_d_new(bringup->firmware, &near), route->chip);
	far.place = place_of(bringup, &plan->prefetch_h);
	far.output = near.input;
	far.counterpart_tile = CHIP_NONE;
	set_issue(bringup, &far, lane->issue, 0);
	start_stage(bringup, prefetch_h_new(bringup->firmware, &far), route->gateway);
	host.place = place_of(bringup, &plan->dispatch_h);
	host.host = host_queue_of(bringup, lane, plan->dispatch_h_layout.read_word);
	host.gate = bringup_gate(bringup, lane, plan->dispatch_h_layout.open_word);
	start_stage(bringup, dispatch_h_new(bringup->firmware, &host), route->gateway);
}

/* ---- stages of a broadcast ---- */

/* Returns the layout that the packetizer and all receivers of a grid's broadcasts share. */
static struct broadcast_layout broadcast_of(
	const struct bringup *bringup, uint32_t queue, uint32_t grid)
{
	const struct plan *plan = bringup->plan;
	const struct device_plan *first = &plan->device[queue * plan->devices];
	const struct initiator_plan *initiator = &plan->initiator[queue * plan->grids + grid];

	return (struct broadcast_layout){.landing_tile = first->depacketizer.tile,
		.landing_ring = first->depacketizer_layout.landing_ring,
		.arrival_words = first->depacketizer_layout.arrival_words,
		.packetizer_tile = initiator->packetizer.tile,
		.account_words = initiator->packetizer_layout.account_words,
		.credits = bringup->mesh->config.forward.credits->counted};
}

/* Returns the configured way in which the broadcast prefetcher and the depacketizer of a device
 * hold back the commands that follow a trace. */
static struct trace_hold_layout hold_of(const struct bringup *bringup, const struct device_plan *at)
{
	return (struct trace_hold_layout){.kind = bringup->mesh->config.forward.trace_hold->kind,
		.prefetch_tile = at->prefetch_m.tile,
		.depacketizer_tile = at->depacketizer.tile,
		.held_word = at->prefetch_m_layout.held_word,
		.over_word = at->depacketizer_layout.over_word};
}

static void bringup_start_receiver(const struct bringup *bringup, uint32_t queue, uint32_t device)
{
	const struct plan *plan = bringup->plan;
	const struct chip_geometry *geometry = bringup->mesh->geometry;
	const struct device_plan *at = &plan->device[queue * plan->devices + device];
	const struct device_routes *route = &plan->routes[device];
	struct device_range range = plan->feed[route->feed].range;
	uint32_t row = device / plan->mesh.shape.columns,
		 column = device % plan->mesh.shape.columns;
	struct depacketizer_config depacketizer = {.place = place_of(bringup, &at->depacketizer),
		.broadcast = broadcast_of(bringup, queue, route->grid),
		.layout = at->depacketizer_layout,
		.output = receive_link(bringup, at),
		.hold = hold_of(bringup, at),
		.backward = route->to_initiator,
		.receiver = (uint16_t)route->receiver,
		.row = (uint8_t)(row - range.row0),
		.column = (uint8_t)(column - range.column0),
		.spill_tile = geometry->dram_tiles[queue % geometry->dram_bank_count],
		.spill = queue / geometry->dram_bank_count * bringup->limits->spill_bytes};
	struct prefetch_config prefetch = {.place = place_of(bringup, &at->prefetch_m),
		.layout = at->prefetch_m_layout,
		.input = depacketizer.output,
		.hold = depacketizer.hold,
		.output = dispatch_link(bringup, at, 1, &at->prefetch_m, &at->prefetch_m_layout),
		.grid_index = (uint16_t)route->number};

	set_counterpart(&prefetch, &at->prefetch_d, &at->prefetch_d_layout);
	bringup->mesh->depacketizers[queue * plan->devices + device] = start_stage(
		bringup, depacketizer_new(bringup->firmware, &depacketizer), route->chip);
	start_stage(bringup, prefetch_d_new(bringup->firmware, &prefetch), route->chip);
	if (at->dispatcher_m.chip != CHIP_NONE)
		start_dispatcher_m(bringup, device, at, route);
}

/* Returns the packetizer's socket for a queue. Its commands go to all receivers of the grid. */
static struct packetizer_socket bringup_socket_of(
	const struct bringup *bringup, uint32_t queue, uint32_t grid)
{
	const struct plan *plan = bringup->plan;
	const struct initiator_plan *at = &plan->initiator[queue * plan->grids + grid];
	const struct broadcast_grid *broadcast = &plan->grid[grid];
	uint16_t count = (uint16_t)device_range_count(broadcast->range);
	uint32_t feed = feed_of_grid(plan, grid);
	struct issue_queue *issue = bringup->mesh->queues[queue].feeds[feed].issue;
	struct packetizer_socket socket = {.broadcast = broadcast_of(bringup, queue, grid),
		.stops_at_traces =
			bringup->mesh->config.forward.trace_hold->kind == TRACE_HOLD_SENDER,
		.receiver_count = count,
		.local_receiver = RECEIVER_NONE,
		.tree_count = 1,
		.trees = at->multicasts};

	for (uint16_t i = 0; i < count; i++)
		if (plan->mesh.chips[range_device(bringup->mesh, broadcast->range, i)] ==
			broadcast->initiator)
			socket.local_receiver = i;
	if (at->prefetch_h.chip != CHIP_NONE)
		socket.input = packetizer_link(bringup, at);
	else
		socket.fetch = (struct fetch_config){
			.fetch_queue = at->packetizer_layout.fetch_queue,
			.fetch_ring = at->packetizer_layout.ring,
			.issue_ring = issue_queue_ring(issue),
			.issue_ring_bytes = sizes_issue_queue(&bringup->mesh->config),
			.read_word = issue_queue_read_word(issue, grid - plan->feed[feed].first)};
	return socket;
}

/* Starts the packetizer of a queue, or the packetizer that all queues share. */
static void start_packetizer(const struct bringup *bringup, uint32_t queue, uint32_t grid)
{
	const struct packetizer_ops *row = bringup->mesh->config.forward.packetizer;
	const struct plan *plan = bringup->plan;
	struct packetizer_config config = {
		.place =
			place_of(bringup, &plan->initiator[queue * plan->grids + grid].packetizer)};
	uint32_t end = row->shared ? plan->queues : queue + 1;

	for (; queue < end; queue++)
		config.sockets[config.socket_count++] = bringup_socket_of(bringup, queue, grid);
	bringup->mesh->packetizers[(end - config.socket_count) * plan->grids + grid] =
		start_stage(bringup,
			row->fused ? mcast_prefetch_new(bringup->firmware, &config)
				   : packetizer_new(bringup->firmware, &config),
			plan->grid[grid].initiator);
}

static void start_initiator(const struct bringup *bringup, uint32_t queue, uint32_t grid)
{
	const struct plan *plan = bringup->plan;
	const struct initiator_plan *at = &plan->initiator[queue * plan->grids + grid];
	uint32_t feed = feed_of_grid(plan, grid);
	struct prefetch_config prefetch = {
		.layout = at->prefetch_h_layout, .counterpart_tile = CHIP_NONE};

	if (queue == 0 || !bringup->mesh->config.forward.packetizer->shared)
		start_packetizer(bringup, queue, grid);
	if (at->prefetch_h.chip == CHIP_NONE)
		return;
	prefetch.place = place_of(bringup, &at->prefetch_h);
	prefetch.output = packetizer_link(bringup, at);
	set_issue(bringup, &prefetch, bringup->mesh->queues[queue].feeds[feed].issue,
		grid - plan->feed[feed].first);
	start_stage(
		bringup, prefetch_h_new(bringup->firmware, &prefetch), plan->grid[grid].initiator);
}

/* ---- all ---- */

/* Starts workers on tiles of one kind. Returns NULL if there are no such tiles. */
static struct worker_group *start_workers(
	const struct bringup *bringup, uint16_t chip, const uint16_t *tiles, uint32_t count)
{
	struct mesh_device *mesh = bringup->mesh;
	struct worker_group_config config = {.device = mesh_chip(mesh, chip),
		.words = bringup->plan->words,
		.launch_ring = bringup->plan->launch_ring,
		.done_words = bringup->plan->device[0].dispatch_layout.done_words,
		.data_base = bringup->plan->worker_free,
		.lock_step = mesh->config.forward.go->everywhere};
	struct worker_group *workers;

	if (count == 0)
		return NULL;
	workers = worker_group_new(bringup->firmware, &config, tiles, count);
	estate_own(mesh->estate, (struct owned){.workers = workers});
	for (uint32_t i = 0; i < worker_group_count(workers); i++)
		device_row->stage_start(config.device, worker_group_stage(workers, i));
	return workers;
}

void bringup_start(struct mesh_device *mesh)
{
	const struct mesh_config *config = &mesh->config;
	struct firmware *firmware = firmware_new(config->costs, config->limits, config->faults);
	const struct chip_geometry *geometry = mesh->geometry;
	struct bringup bringup = {mesh, &mesh->plan, firmware, config->limits};

	firmware_set_physical(firmware, config->coordinates == COORDINATES_PHYSICAL);
	firmware_set_command_buffers(firmware, config->command_buffers);
	firmware_set_preload(firmware, config->launch_preload);
	firmware_set_profile(firmware, config->profile);
	firmware_number_from(firmware, config->marks.first_chip);
	estate_own(mesh->estate, (struct owned){.firmware = firmware});
	mesh->packetizers =
		allocate(mesh->queue_count * mesh->plan.grids + 1, sizeof(struct stage *));
	mesh->depacketizers = allocate(mesh->queue_count * mesh->devices, sizeof(struct stage *));
	mesh->workers = allocate(2 * mesh->devices, sizeof(*mesh->workers));
	bringup_clear(mesh);
	if (config->timed_bring_up)
		bringup_load(mesh, firmware);
	for (uint32_t i = 0; i < mesh->devices; i++) {
		uint16_t chip = mesh->plan.mesh.chips[i];

		if (!mesh_owns(mesh, chip))
			continue;
		mesh->workers[2 * i] = start_workers(&bringup, chip, geometry->worker_tiles,
			(uint32_t)geometry->worker_columns * geometry->worker_rows);
		mesh->workers[2 * i + 1] = start_workers(
			&bringup, chip, mesh->plan.ethernet_tiles, mesh->plan.ethernet_count);
	}
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++) {
		for (uint32_t i = 0; i < mesh->devices; i++) {
			const struct lane *lane = &mesh->queues[queue].lanes[i];
			const struct device_plan *plan =
				&mesh->plan.device[queue * mesh->devices + i];

			if (!mesh_is_near(mesh, i))
				continue;
			start_dispatcher(&bringup, lane, plan, &mesh->plan.routes[i]);
			start_unicast(&bringup, lane, plan, &mesh->plan.routes[i]);
			if (mesh->plan.grids > 0)
				bringup_start_receiver(&bringup, queue, i);
		}
		for (uint32_t grid = 0; grid < mesh->plan.grids; grid++)
			if (mesh_owns(mesh, mesh->plan.grid[grid].initiator))
				start_initiator(&bringup, queue, grid);
	}
	bringup_aggregators(&bringup);
}
