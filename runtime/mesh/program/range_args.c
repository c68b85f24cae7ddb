/* Runtime arguments that differ between the devices of a program (spec 3.4.2). The user gives some
 * ranges of devices arguments of their own; these ranges must not overlap. The remaining devices
 * are divided into further ranges, which use the program's arguments. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/program/workload.h"
#include "mesh/queue/job.h"

static void drop_from(const struct mesh_device *mesh, struct part *part, uint32_t first)
{
	for (uint32_t i = first; i < part->range_count; i++) {
		bodies_free(mesh, part->ranges[i].bodies);
		args_release(part->ranges[i].own);
	}
	part->range_count = first;
}

void range_args_free(const struct mesh_device *mesh, struct part *part)
{
	drop_from(mesh, part, 0);
	free(part->ranges);
}

static void range_args_append(const struct mesh_device *mesh, struct part *part,
	struct device_range range, struct program_args *own)
{
	part->ranges = allocate_more(part->ranges, part->range_count + 1, sizeof(*part->ranges));
	part->ranges[part->range_count++] = (struct range_args){range, own, bodies_new(mesh)};
}

static bool is_covered(const struct part *part, struct device_range range)
{
	for (uint32_t i = 0; i < part->range_count; i++)
		if (device_range_overlap(part->ranges[i].range, range))
			return true;
	return false;
}

/* Appends ranges for those devices of the part that are in no range yet. Adjacent devices in a row
 * of the mesh form one range. The new ranges use the program's arguments. */
static void cover(const struct mesh_device *mesh, struct part *part)
{
	for (uint32_t row = part->range.row0; row <= part->range.row1; row++)
		for (uint32_t column = part->range.column0; column <= part->range.column1;
			column++) {
			struct device_range run = {
				(uint16_t)row, (uint16_t)column, (uint16_t)row, (uint16_t)column};

			if (is_covered(part, run))
				continue;
			while (run.column1 < part->range.column1) {
				struct device_range longer = run;

				longer.column1++;
				if (is_covered(part, longer))
					break;
				run = longer;
			}
			range_args_append(mesh, part, run, NULL);
		}
}

static enum status refuse_range(
	enum status status, struct device_range range, const char *problem, struct text *why)
{
	return refuse(why, status, "arguments of devices %u,%u to %u,%u: %s", range.row0,
		range.column0, range.row1, range.column1, problem);
}

/* Sets *args to the arguments of a range, and *found to the part of the workload that contains the
 * range. If the range has no arguments of its own yet, makes them. */
static enum status range_args_find(struct workload *workload, struct device_range range,
	struct text *why, struct part **found, struct range_args **args)
{
	struct part *part = workload->parts, *end = part + workload->part_count;
	uint32_t owned;

	while (part < end && !device_range_covers(part->range, range))
		part++;
	if (part == end)
		return refuse_range(STATUS_NOT_FOUND, range, "no program runs on all of them", why);
	*found = part;
	owned = part_own_ranges(part);
	for (uint32_t i = 0; i < owned; i++) {
		*args = &part->ranges[i];
		if (device_range_covers((*args)->range, range) &&
			device_range_covers(range, (*args)->range))
			return STATUS_OK;
		if (device_range_overlap((*args)->range, range))
			return refuse_range(
				STATUS_EXISTS, range, "some have others in common already", why);
	}
	if (workload->mesh != NULL)
		host_threads_wait(workload->mesh); /* threads may still send the dropped bodies */
	drop_from(workload->mesh, part, owned);
	/* The bodies (the commands of a launch) contain arguments, because there were no ranges
	 * when they were built. From now on, each range gets its arguments in separate commands, so
	 * the bodies must be built again */
	bodies_free(workload->mesh, part->bodies);
	part->bodies = bodies_new(workload->mesh);
	range_args_append(workload->mesh, part, range, args_copy(part->program->args));
	workload->changes++;
	cover(workload->mesh, part);
	*args = &part->ranges[owned];
	return STATUS_OK;
}

/* Returns true if a range is not empty. device_range_covers() requires this. */
static bool is_range(struct device_range range)
{
	return range.row0 <= range.row1 && range.column0 <= range.column1;
}

enum status workload_set_args(struct workload *workload, struct device_range range, uint32_t kernel,
	uint32_t core, const uint32_t *args, uint32_t count, struct text *why)
{
	struct range_args *own;
	struct part *part;
	enum status status = STATUS_OUT_OF_RANGE;

	world->work(WORK_API_CALL, 1);
	if (is_range(range))
		status = range_args_find(workload, range, why, &part, &own);
	if (status != STATUS_OK)
		return status;
	return args_set(part->program, &own->own, kernel, core, args, count);
}

enum status workload_set_arguments(struct workload *workload, struct device_range range,
	const uint32_t *words, uint32_t count, struct text *why)
{
	struct range_args *own;
	struct part *part;
	enum status status = STATUS_OUT_OF_RANGE;

	world->work(WORK_API_CALL, 1);
	if (is_range(range))
		status = range_args_find(workload, range, why, &part, &own);
	return status == STATUS_OK ? args_replace(&own->own, words, count) : status;
}

enum status workload_refresh_args(
	struct workload *workload, struct device_range range, uint32_t generation, struct text *why)
{
	struct range_args *own;
	struct part *part;
	enum status status = STATUS_OUT_OF_RANGE;

	if (is_range(range))
		status = range_args_find(workload, range, why, &part, &own);
	if (status == STATUS_OK)
		args_refresh(&own->own, generation);
	return status;
}
