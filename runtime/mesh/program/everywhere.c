/* Workloads whose go signals reach every worker of a sub-device (spec 3.8.5). Finds these workers,
 * and the devices that run no program of the workload on the sub-device. Treats Tensix cores and
 * Ethernet cores separately: if no program uses one of the two kinds, the cores of this kind get no
 * go signals, and their launch rings do not advance. */
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/program/workload.h"

/* Returns true if a program of the sub-device has a kernel on Ethernet cores (if `ethernet` is set)
 * or on Tensix cores (if not). SUB_DEVICE_NONE stands for any sub-device. */
static bool uses(const struct workload *workload, uint32_t sub_device, bool ethernet)
{
	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct program *program = workload->parts[i].program;

		if (sub_device != SUB_DEVICE_NONE && program->sub_device != sub_device)
			continue;
		for (uint32_t k = 0; k < program->target_count; k++)
			if (program->target[k].ethernet == ethernet)
				return true;
	}
	return false;
}

bool workload_uses(const struct workload *workload, bool ethernet)
{
	return uses(workload, SUB_DEVICE_NONE, ethernet);
}

/* Sets the targets of `reach` to all cores of a sub-device. Leaves out the Tensix cores if no
 * program of the sub-device uses a Tensix core, and the Ethernet cores if none uses an Ethernet
 * core. */
static void find_goes(const struct workload *workload, uint32_t sub_device, struct reach *reach)
{
	const struct mesh_device *mesh = workload->mesh;
	const struct sub_device *of = &mesh->sub_devices[sub_device];
	uint32_t count = 0;

	reach->targets = allocate(of->rect_count + of->ethernet, sizeof(*reach->targets));
	for (uint32_t i = 0; uses(workload, sub_device, false) && i < of->rect_count; i++)
		reach->targets[count++].rect = of->rects[i];
	for (uint32_t i = 0; uses(workload, sub_device, true) && i < of->ethernet; i++)
		reach->targets[count++] = (struct launch_target){
			.ethernet = true, .tile = mesh->plan.ethernet_tiles[i]};
	reach->goes = (struct launch_goes){sub_device, count, reach->targets};
}

/* Returns true if the device runs a program of the sub-device reach->goes.sub_device, or if the
 * device is already in reach->rest. */
static bool has(
	const struct workload *workload, const struct reach *reach, uint32_t row, uint32_t column)
{
	struct device_range one = {
		(uint16_t)row, (uint16_t)column, (uint16_t)row, (uint16_t)column};

	for (uint32_t i = 0; i < workload->part_count; i++)
		if (workload->parts[i].program->sub_device == reach->goes.sub_device &&
			device_range_overlap(workload->parts[i].range, one))
			return true;
	for (uint32_t i = 0; i < reach->rest_count; i++)
		if (device_range_overlap(reach->rest[i], one))
			return true;
	return false;
}

/* Returns a rectangle of devices that run no program of the sub-device (has() returns false). Its
 * first device is at `row` and `column`. It is as wide as possible, and for this width as high as
 * possible. */
static struct device_range rest_at(
	const struct workload *workload, const struct reach *reach, uint32_t row, uint32_t column)
{
	struct mesh_shape shape = workload->mesh->plan.mesh.shape;
	uint32_t end = column, last = row;
	bool free = true;

	while (end < shape.columns && !has(workload, reach, row, end))
		end++;
	while (free && last + 1 < shape.rows) {
		for (uint32_t i = column; i < end; i++)
			free &= !has(workload, reach, last + 1, i);
		last += free;
	}
	return (struct device_range){
		(uint16_t)row, (uint16_t)column, (uint16_t)last, (uint16_t)(end - 1)};
}

static void find_rest(const struct workload *workload, struct reach *reach)
{
	struct mesh_shape shape = workload->mesh->plan.mesh.shape;

	for (uint32_t row = 0; row < shape.rows; row++)
		for (uint32_t column = 0; column < shape.columns; column++) {
			struct device_range range;

			if (has(workload, reach, row, column))
				continue;
			range = rest_at(workload, reach, row, column);
			reach->rest = allocate_more(
				reach->rest, reach->rest_count + 1, sizeof(*reach->rest));
			reach->rest[reach->rest_count++] = range;
		}
}

uint32_t workload_sub_devices(const struct workload *workload)
{
	uint32_t sub_devices = 0;

	for (uint32_t i = 0; i < workload->part_count; i++)
		sub_devices |= 1u << workload->parts[i].program->sub_device;
	return sub_devices;
}

void workload_find_everywhere(struct workload *workload)
{
	uint32_t count = workload->mesh->sub_device_count;

	workload->sub_devices = workload_sub_devices(workload);
	if (!workload->mesh->config.forward.go->everywhere)
		return;
	workload->reach = allocate(count, sizeof(*workload->reach));
	workload->reach_count = count;
	for (uint32_t i = 0; i < count; i++) {
		if (!workload_is_of(workload, i))
			continue;
		find_goes(workload, i, &workload->reach[i]);
		find_rest(workload, &workload->reach[i]);
	}
}

void workload_forget_everywhere(struct workload *workload)
{
	for (uint32_t i = 0; i < workload->reach_count; i++) {
		free(workload->reach[i].targets);
		free(workload->reach[i].rest);
	}
	free(workload->reach);
}

struct launch_goes workload_goes(const struct workload *workload, const struct part *part)
{
	const struct program *program = part->program;

	if (workload->reach != NULL)
		return workload->reach[program->sub_device].goes;
	return (struct launch_goes){program->sub_device, program->target_count, program->target};
}

/* Returns the number of transactions in which a launch sends one kind of command. If the parts of
 * the workload are broadcast, each part needs one transaction for each feed (issue queue of
 * broadcasts) that reaches devices of the part. Otherwise each part needs one transaction for each
 * of its devices. */
static uint32_t everywhere_destinations(const struct workload *workload)
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
	return workload->mesh->config.lowering->breadth_first &&
	       everywhere_destinations(workload) > 1;
}

bool workload_goes_together(const struct workload *workload)
{
	return workload->part_count > 1 && __builtin_popcount(workload->sub_devices) == 1 &&
	       !workload->mesh->config.forward.path->broadcasts &&
	       !workload_goes_by_kinds(workload);
}

static bool leaves_any(const struct workload *workload)
{
	for (uint32_t i = 0; i < workload->mesh->sub_device_count; i++)
		if (workload->reach[i].rest_count > 0)
			return true;
	return false;
}

bool workload_sends_goes_apart(const struct workload *workload)
{
	const struct forward_config *forward = &workload->mesh->config.forward;

	return workload_goes_by_kinds(workload) ||
	       (forward->go->everywhere && forward->path->broadcasts &&
		       (workload->part_count > 1 || leaves_any(workload)));
}

void workload_send_goes(struct command_queue *queue, const struct workload *workload,
	uint32_t sub_device, uint8_t slot, uint32_t operation)
{
	struct device_range all = device_range_all(workload->mesh->plan.mesh.shape);
	const struct reach *reach = workload->reach != NULL ? &workload->reach[sub_device] : NULL;
	bool apart = workload_sends_goes_apart(workload);

	if (apart && reach != NULL) {
		launch_goes_send(queue, all, &reach->goes, slot, true, operation);
		return;
	}
	for (uint32_t i = 0; apart && i < workload->part_count; i++) {
		const struct part *part = &workload->parts[i];
		struct launch_goes goes = workload_goes(workload, part);

		if (part->program->sub_device == sub_device)
			launch_goes_send(queue, part->range, &goes, slot, true, operation);
	}
	for (uint32_t i = 0; reach != NULL && i < reach->rest_count; i++)
		launch_goes_send(queue, reach->rest[i], &reach->goes, slot, false, operation);
}
