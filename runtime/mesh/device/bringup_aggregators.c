/* Creates the aggregators of a plan, and the gates that announce events to them
 * (firmware/completion/aggregator.h). */
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/device/bringup.h"

/* Returns the gate between a lane and the aggregator of its row. */
static struct gate_config row_gate(
	const struct bringup *bringup, const struct lane *lane, uint32_t open_word)
{
	const struct plan *plan = bringup->plan;
	uint32_t index = lane->queue->index * plan->devices + lane->device;
	const struct row_aggregator_plan *row =
		&plan->row_aggregator[plan->row_aggregator_of[index]];

	return (struct gate_config){.used = true,
		.generations = 1,
		.tile = row->spot.tile,
		.slot = row->layout.slots + AGGREGATOR_SLOT_BYTES * (lane->device - row->device),
		.arrival_word = row->layout.arrival_word,
		.forward = row->forward[aggregator_gate_chip(plan, lane->device)],
		.open_word = open_word};
}

struct gate_config bringup_gate(
	const struct bringup *bringup, const struct lane *lane, uint32_t open_word)
{
	const struct plan *plan = bringup->plan;
	const struct completion_ops *completion = bringup->mesh->config.completion;
	const struct aggregator_plan *at;
	uint32_t slot;

	if (plan->aggregators == 0)
		return (struct gate_config){.used = false};
	if (plan->row_aggregators > 0)
		return row_gate(bringup, lane, open_word);
	at = &plan->aggregator[aggregator_of_device(plan, lane->device)];
	slot = completion->generations * aggregator_slot(plan, lane->device, lane->queue->index);
	return (struct gate_config){.used = true,
		.naive = completion->counts,
		.generations = completion->generations,
		.tile = at->spot.tile,
		.slot = at->layout.slots + AGGREGATOR_SLOT_BYTES * slot,
		.arrival_word = at->layout.arrival_word,
		.forward = at->forward[aggregator_gate_chip(plan, lane->device)],
		.open_word = open_word};
}

static struct aggregator_path path_of(const struct bringup *bringup, uint32_t device,
	uint32_t queue, struct fabric_tree **backward)
{
	const struct plan *plan = bringup->plan;
	const struct device_plan *at = &plan->device[queue * plan->devices + device];
	uint32_t columns = plan->mesh.shape.columns;
	bool direct = at->dispatch_h.chip == CHIP_NONE;

	return (struct aggregator_path){.row = (uint8_t)(device / columns),
		.column = (uint8_t)(device % columns),
		.queue = (uint8_t)queue,
		.tile = direct ? at->dispatcher.tile : at->dispatch_h.tile,
		.open_word =
			direct ? at->dispatch_layout.open_word : at->dispatch_h_layout.open_word,
		.backward = backward[aggregator_gate_chip(plan, device)]};
}

/* Returns the path from a device to the grid's aggregator. On this path, the aggregator of the
 * device's row reports the events of the device. */
static struct aggregator_path row_path(const struct plan *plan, uint32_t device, uint32_t queue)
{
	uint32_t columns = plan->mesh.shape.columns, lane = queue * plan->devices + device;
	const struct row_aggregator_plan *row =
		&plan->row_aggregator[plan->row_aggregator_of[lane]];

	return (struct aggregator_path){.row = (uint8_t)(device / columns),
		.column = (uint8_t)(device % columns),
		.by_row = true,
		.first = (uint8_t)(row->device % columns),
		.queue = (uint8_t)queue,
		.tile = row->spot.tile,
		.open_word = row->layout.open_words + 4 * (device - row->device),
		.backward = row->down};
}

/* Fills in the paths of a grid's aggregator. */
static void paths_of(const struct bringup *bringup, uint32_t index, struct aggregator_path *paths)
{
	const struct plan *plan = bringup->plan;
	const struct aggregator_plan *at = &plan->aggregator[index];

	for (uint32_t device = 0; device < plan->devices; device++)
		for (uint32_t q = 0; q < plan->queues; q++)
			if (aggregator_of_device(plan, device) == index)
				paths[aggregator_slot(plan, device, q)] =
					plan->row_aggregators > 0
						? row_path(plan, device, q)
						: path_of(bringup, device, q, at->backward);
}

static void start_aggregator(const struct bringup *bringup, uint32_t index)
{
	struct mesh_device *mesh = bringup->mesh;
	const struct plan *plan = bringup->plan;
	const struct aggregator_plan *at = &plan->aggregator[index];
	struct completion_queue *queue = mesh->notifications[index];
	uint32_t count = device_range_count(at->range) * plan->queues;
	struct aggregator_path *paths = allocate(count, sizeof(*paths));
	struct aggregator_config config = {.place = place_of(bringup, &at->spot),
		.layout = at->layout,
		.naive = mesh->config.completion->counts,
		.generations = mesh->config.completion->generations,
		.path_count = count,
		.paths = paths,
		.host = {completion_queue_ring(queue), sizes_completion_queue(&mesh->config),
			completion_queue_write_word(queue), at->layout.read_word},
		.count_word = mesh->counts + 4 * (uint64_t)index};

	paths_of(bringup, index, paths);
	start_stage(bringup, aggregator_new(bringup->firmware, &config), at->spot.chip);
	free(paths);
}

static void start_row(const struct bringup *bringup, const struct row_aggregator_plan *row)
{
	const struct plan *plan = bringup->plan;
	const struct aggregator_plan *at = &plan->aggregator[row->aggregator];
	struct aggregator_path *paths = allocate(row->columns, sizeof(*paths));
	uint32_t *slots = allocate(row->columns, sizeof(*slots));
	struct aggregator_config config = {.place = place_of(bringup, &row->spot),
		.layout = row->layout,
		.generations = 1,
		.path_count = row->columns,
		.paths = paths,
		.up = {.used = true,
			.tile = at->spot.tile,
			.arrival_word = at->layout.arrival_word,
			.slots = slots,
			.forward = row->up}};

	for (uint32_t i = 0; i < row->columns; i++) {
		paths[i] = path_of(bringup, row->device + i, row->queue, row->backward);
		slots[i] =
			at->layout.slots +
			AGGREGATOR_SLOT_BYTES * aggregator_slot(plan, row->device + i, row->queue);
	}
	start_stage(bringup, aggregator_new(bringup->firmware, &config), row->spot.chip);
	free(paths);
	free(slots);
}

void bringup_aggregators(const struct bringup *bringup)
{
	for (uint32_t i = 0; i < bringup->plan->aggregators; i++)
		start_aggregator(bringup, i);
	for (uint32_t i = 0; i < bringup->plan->row_aggregators; i++)
		start_row(bringup, &bringup->plan->row_aggregator[i]);
}
