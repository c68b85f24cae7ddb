/* Workloads where go signals are for every worker of the mesh (spec 3.8.5): which workers these
 * are, and which devices run no program of the workload. Tensix and Ethernet cores apart: a kind of
 * which no core runs anything is left alone, so that its launch ring stays where it is. */
#include "base/allocate.h"
#include "mesh/program/workload.h"

bool workload_uses(const struct workload *workload, bool ethernet)
{
	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct program *program = workload->parts[i].program;

		for (uint32_t k = 0; k < program->target_count; k++)
			if (program->target[k].ethernet == ethernet)
				return true;
	}
	return false;
}

static void find_goes(struct workload *workload)
{
	const struct mesh_device *mesh = workload->mesh;
	uint32_t count = 0;

	workload->targets = allocate(1 + mesh->plan.ethernet_count, sizeof(*workload->targets));
	if (workload_uses(workload, false))
		workload->targets[count++].rect = (struct worker_rect){
			.column1 = (uint8_t)(mesh->geometry->worker_columns - 1),
			.row1 = (uint8_t)(mesh->geometry->worker_rows - 1)};
	if (workload_uses(workload, true))
		for (uint32_t i = 0; i < mesh->plan.ethernet_count; i++)
			workload->targets[count++] = (struct launch_target){
				.ethernet = true, .tile = mesh->plan.ethernet_tiles[i]};
	workload->goes = (struct launch_goes){count, workload->targets};
}

static bool has(const struct workload *workload, const struct device_range *more, uint32_t count,
	uint32_t row, uint32_t column)
{
	struct device_range one = {
		(uint16_t)row, (uint16_t)column, (uint16_t)row, (uint16_t)column};

	for (uint32_t i = 0; i < workload->part_count; i++)
		if (device_range_overlap(workload->parts[i].range, one))
			return true;
	for (uint32_t i = 0; i < count; i++)
		if (device_range_overlap(more[i], one))
			return true;
	return false;
}

/* The rectangle of devices without a program that begins here: as wide, then as high as it goes. */
static struct device_range rest_at(const struct workload *workload, uint32_t row, uint32_t column)
{
	struct mesh_shape shape = workload->mesh->plan.mesh.shape;
	uint32_t end = column, last = row;
	bool free = true;

	while (end < shape.columns &&
		!has(workload, workload->rest, workload->rest_count, row, end))
		end++;
	while (free && last + 1 < shape.rows) {
		for (uint32_t i = column; i < end; i++)
			free &= !has(workload, workload->rest, workload->rest_count, last + 1, i);
		last += free;
	}
	return (struct device_range){
		(uint16_t)row, (uint16_t)column, (uint16_t)last, (uint16_t)(end - 1)};
}

static void find_rest(struct workload *workload)
{
	struct mesh_shape shape = workload->mesh->plan.mesh.shape;

	for (uint32_t row = 0; row < shape.rows; row++)
		for (uint32_t column = 0; column < shape.columns; column++) {
			if (has(workload, workload->rest, workload->rest_count, row, column))
				continue;
			workload->rest = allocate_more(
				workload->rest, workload->rest_count + 1, sizeof(*workload->rest));
			workload->rest[workload->rest_count] = rest_at(workload, row, column);
			workload->rest_count++;
		}
}

void workload_find_everywhere(struct workload *workload)
{
	if (!workload->mesh->config.forward.go->everywhere)
		return;
	find_goes(workload);
	find_rest(workload);
}

struct launch_goes workload_goes(const struct workload *workload, const struct part *part)
{
	if (workload->mesh->config.forward.go->everywhere)
		return workload->goes;
	return (struct launch_goes){part->program->target_count, part->program->target};
}

/* Transactions of a launch, if each device, or part that is broadcast, gets one. */
static uint32_t destinations(const struct workload *workload)
{
	const struct mesh_device *mesh = workload->mesh;
	bool broadcast = mesh->config.forward.path->broadcasts && !mesh->streams_differ;
	uint32_t count = 0;

	for (uint32_t i = 0; i < workload->part_count; i++) {
		struct device_range range = workload->parts[i].range;

		for (uint32_t f = 0; broadcast && f < mesh->plan.feeds; f++)
			count += device_range_overlap(range, mesh->plan.feed[f].range);
		if (!broadcast)
			count += device_range_count(range);
	}
	return count;
}

bool workload_goes_by_kinds(const struct workload *workload)
{
	return workload->mesh->config.lowering->breadth_first && destinations(workload) > 1;
}

bool workload_sends_goes_apart(const struct workload *workload)
{
	const struct forward_config *forward = &workload->mesh->config.forward;

	return workload_goes_by_kinds(workload) ||
	       (forward->go->everywhere && forward->path->broadcasts &&
		       (workload->part_count > 1 || workload->rest_count > 0));
}

void workload_send_goes(struct command_queue *queue, const struct workload *workload, uint8_t slot,
	uint32_t operation)
{
	struct device_range all = device_range_all(workload->mesh->plan.mesh.shape);

	bool apart = workload_sends_goes_apart(workload);

	if (apart && workload->mesh->config.forward.go->everywhere) {
		launch_goes_send(queue, all, &workload->goes, slot, true, operation);
		return;
	}
	for (uint32_t i = 0; apart && i < workload->part_count; i++) {
		struct launch_goes goes = workload_goes(workload, &workload->parts[i]);

		launch_goes_send(queue, workload->parts[i].range, &goes, slot, true, operation);
	}
	for (uint32_t i = 0; i < workload->rest_count; i++)
		launch_goes_send(queue, workload->rest[i], &workload->goes, slot, false, operation);
}
