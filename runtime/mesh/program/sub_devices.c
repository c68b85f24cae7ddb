/* The sub-devices of a mesh: their cores, their local allocators, and the order of their launches
 * (spec 3.3.4, 3.4.5). A division can be loaded only while the mesh is idle. While there are
 * programs, or buffers in the L1 of all workers, only sub_devices_switch() can load a division. */
#include "mesh/program/sub_devices.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/plan/plan.h"
#include "mesh/program/launches.h"
#include "mesh/program/program.h"

static uint32_t workers_of(const struct mesh_device *mesh)
{
	return (uint32_t)mesh->geometry->worker_columns * mesh->geometry->worker_rows;
}

/* ---- the division ---- */

static void launches_init(struct launches *launches, const struct mesh_device *mesh)
{
	*launches = (struct launches){.full_in_a_row = DISPATCH_BEHIND_MAX,
		.last = allocate(mesh->devices, sizeof(*launches->last))};
	config_ring_init(&launches->ring, mesh->plan.config_ring, mesh->plan.config_ring_bytes);
}

/* Sets *last to a run number that no worker has passed, and *seen to a run number that every worker
 * has reached. */
static void runs_of_all(const struct mesh_device *mesh, uint32_t *last, uint32_t *seen)
{
	*last = mesh->sub_devices[0].launches.run;
	*seen = mesh->has_rest ? mesh->rest_seen : *last;
	for (uint32_t i = 0; i < mesh->sub_device_count; i++) {
		const struct launches *of = &mesh->sub_devices[i].launches;
		uint32_t of_all = of->runs_missed ? of->run_seen_by_all : of->run;

		*last = (int32_t)(of->run - *last) > 0 ? of->run : *last;
		*seen = (int32_t)(of_all - *seen) < 0 ? of_all : *seen;
	}
}

/* Sets up the launches of a new sub-device. Its run numbers continue after the highest run number
 * that any worker may have seen. */
static void launches_follow(struct launches *launches, const struct mesh_device *mesh)
{
	uint32_t last, seen;

	runs_of_all(mesh, &last, &seen);
	launches->run = launches->started = last;
	launches->run_seen_by_all = seen;
	launches->runs_missed = seen != last;
	for (uint32_t device = 0; device < mesh->devices; device++)
		launches->last[device] = last;
}

static void sub_device_init(
	struct sub_device *sub_device, const struct mesh_device *mesh, const struct core_set *cores)
{
	struct worker_rect rects[CORES_MAX];
	uint32_t count = core_set_rects(
		cores, mesh->geometry->worker_columns, mesh->geometry->worker_rows, rects);

	*sub_device = (struct sub_device){.rect_count = count,
		.rects = allocate(count + 1, sizeof(*rects)),
		.tensix = core_set_rank(cores, workers_of(mesh))};
	sub_device->ethernet = core_set_count(cores) - sub_device->tensix;
	memcpy(sub_device->rects, rects, count * sizeof(*rects));
	launches_init(&sub_device->launches, mesh);
}

static void sub_device_fini(struct sub_device *sub_device)
{
	allocator_free(sub_device->l1);
	free(sub_device->launches.last);
	free(sub_device->rects);
	*sub_device = (struct sub_device){.rect_count = 0};
}

static uint32_t cores_of(const struct sub_device *sub_devices, uint32_t count)
{
	uint32_t cores = 0;

	for (uint32_t i = 0; i < count; i++)
		cores += sub_devices[i].tensix + sub_devices[i].ethernet;
	return cores;
}

/* Replaces the previous division by a division into these sub-devices. */
static void sub_devices_divide(
	struct mesh_device *mesh, const struct core_set *cores, uint32_t count)
{
	struct sub_device made[SUB_DEVICES_MAX];

	for (uint32_t i = 0; i < count; i++) {
		sub_device_init(&made[i], mesh, &cores[i]);
		if (mesh->sub_device_count > 0)
			launches_follow(&made[i].launches, mesh);
	}
	mesh->rest_seen = made[0].launches.run_seen_by_all;
	mesh->has_rest = cores_of(made, count) < workers_of(mesh) + mesh->plan.ethernet_count;
	sub_devices_fini(mesh);
	for (uint32_t i = 0; i < count; i++)
		mesh->sub_devices[i] = made[i];
	mesh->sub_device_count = count;
}

static void all_cores(const struct mesh_device *mesh, struct core_set *cores)
{
	*cores = (struct core_set){0};
	for (uint32_t core = 0; core < workers_of(mesh) + mesh->plan.ethernet_count; core++)
		core_set_add(cores, core);
}

/* Returns the first address of L1 that buffers may use. */
static uint64_t l1_base(const struct mesh_device *mesh)
{
	uint32_t alignment = sizes_page_alignment(&mesh->config, BUFFER_L1);

	return (mesh->plan.worker_free + alignment - 1) / alignment * alignment;
}

/* Makes the allocators of the local L1 of each sub-device, if there is any. */
static void take_local_l1(struct mesh_device *mesh, uint32_t local_bytes)
{
	uint32_t alignment = sizes_page_alignment(&mesh->config, BUFFER_L1);

	for (uint32_t i = 0; local_bytes > 0 && i < mesh->sub_device_count; i++)
		mesh->sub_devices[i].l1 =
			allocator_new("L1 of a sub-device", l1_base(mesh), local_bytes, alignment);
}

/* Makes the allocators of L1: one for the local L1 of each sub-device, if sub-devices have local
 * L1, and one for the rest of L1. */
static void take_l1(struct mesh_device *mesh, uint32_t local_bytes)
{
	uint32_t alignment = sizes_page_alignment(&mesh->config, BUFFER_L1);
	uint64_t end = mesh->geometry->l1_bytes - mesh->config.sizes.l1_small_bytes;
	uint64_t local = l1_base(mesh) + local_bytes;

	allocator_free(mesh->memory[BUFFER_L1]);
	mesh->memory[BUFFER_L1] = allocator_new("worker L1", local, end - local, alignment);
	take_local_l1(mesh, local_bytes);
}

void sub_devices_init(struct mesh_device *mesh)
{
	struct core_set all;

	all_cores(mesh, &all);
	sub_devices_divide(mesh, &all, 1);
}

void sub_devices_fini(struct mesh_device *mesh)
{
	for (uint32_t i = 0; i < mesh->sub_device_count; i++)
		sub_device_fini(&mesh->sub_devices[i]);
	mesh->sub_device_count = 0;
}

/* ---- checks ---- */

/* Checks that no operations are in progress, and that no buffers are in the L1 of a sub-device. */
static enum status sub_devices_check_rest(const struct mesh_device *mesh, struct text *why)
{
	for (uint32_t i = 0; i < mesh->queue_count; i++)
		if (mesh->busy[i])
			return refuse(why, STATUS_INVALID, "queue %u has not been finished", i);
	for (uint32_t i = 0; i < mesh->sub_device_count; i++)
		if (sub_device_usage(mesh, i).allocations > 0)
			return refuse(why, STATUS_INVALID, "buffers in the L1 of sub-device %u", i);
	return STATUS_OK;
}

/* Also checks that no programs or L1 buffers depend on the current division. */
static enum status sub_devices_check_idle(const struct mesh_device *mesh, struct text *why)
{
	enum status status = sub_devices_check_rest(mesh, why);

	if (status != STATUS_OK)
		return status;
	if (mesh->site.programs > 0)
		return refuse(why, STATUS_INVALID, "%u programs are there", mesh->site.programs);
	if (allocator_usage(mesh->memory[BUFFER_L1]).allocations > 0)
		return refuse(why, STATUS_INVALID, "buffers in L1 are there");
	return STATUS_OK;
}

/* ---- the manager ---- */

enum status sub_devices_create(struct mesh_device *mesh, const struct sub_devices_config *config,
	uint32_t *division, struct text *why)
{
	uint64_t l1_end = mesh->geometry->l1_bytes - mesh->config.sizes.l1_small_bytes;
	struct core_set sets[SUB_DEVICES_MAX];
	enum status status = sub_devices_sets(&mesh->site, config, sets, why);

	if (status == STATUS_OK)
		status =
			sub_devices_check_local(config, &mesh->config, l1_end - l1_base(mesh), why);
	if (status == STATUS_OK)
		status = site_add_division(
			&mesh->site, sets, config->count, config->local_l1_bytes, division, why);
	return status;
}

/* Makes the sub-devices of a division, or one sub-device of all cores for DIVISION_WHOLE. */
static void place_division(struct mesh_device *mesh, uint32_t number)
{
	struct core_set sets[SUB_DEVICES_MAX] = {0};
	const struct division *division = mesh->site.divisions[number];

	site_load_division(&mesh->site, number);
	if (number == DIVISION_WHOLE) {
		sub_devices_init(mesh);
		return;
	}
	for (uint32_t core = 0; core < CORES_MAX; core++)
		if (division->sub_device_of[core] != SUB_DEVICE_NONE)
			core_set_add(&sets[division->sub_device_of[core]], core);
	sub_devices_divide(mesh, sets, division->sub_devices);
}

enum status sub_devices_load(
	struct mesh_device *mesh, const struct sub_devices_config *config, struct text *why)
{
	struct core_set sets[SUB_DEVICES_MAX];
	uint32_t number;
	enum status status;

	if (mesh->site.divided)
		return refuse(why, STATUS_EXISTS, "the mesh has a sub-device manager already");
	status = sub_devices_sets(&mesh->site, config, sets, why);
	if (status == STATUS_OK)
		status = sub_devices_check_idle(mesh, why);
	if (status == STATUS_OK)
		status = sub_devices_create(mesh, config, &number, why);
	if (status != STATUS_OK)
		return status;
	place_division(mesh, number);
	take_l1(mesh, config->local_l1_bytes);
	return STATUS_OK;
}

enum status sub_devices_clear(struct mesh_device *mesh, struct text *why)
{
	uint32_t number = mesh->site.loaded;
	enum status status;

	if (!mesh->site.divided)
		return refuse(why, STATUS_NOT_FOUND, "the mesh has no sub-device manager");
	status = sub_devices_check_idle(mesh, why);
	if (status != STATUS_OK)
		return status;
	place_division(mesh, DIVISION_WHOLE);
	site_forget_division(&mesh->site, number);
	take_l1(mesh, 0);
	return STATUS_OK;
}

/* Checks that another division can be loaded now. */
static enum status check_switch(const struct mesh_device *mesh, uint32_t division, struct text *why)
{
	uint32_t last, seen;

	if (division > DIVISIONS_MAX ||
		(division != DIVISION_WHOLE && mesh->site.divisions[division] == NULL))
		return refuse(why, STATUS_NOT_FOUND, "the mesh has no division %u", division);
	for (uint32_t i = 0; i < mesh->queue_count; i++)
		if (mesh->queues[i].capture != NULL)
			return refuse(why, STATUS_INVALID, "queue %u captures a trace", i);
	runs_of_all(mesh, &last, &seen);
	if (last - seen >= RUN_LAG_MAX)
		return refuse(why, STATUS_INVALID,
			"some cores have missed %u launches of others, the most is %d", last - seen,
			RUN_LAG_MAX - 1);
	return sub_devices_check_rest(mesh, why);
}

enum status sub_devices_switch(
	struct mesh_device *mesh, uint32_t division, uint32_t queue, struct text *why)
{
	uint32_t local_bytes = 0;
	enum status status;

	world->work(WORK_API_CALL, 1);
	if (division == mesh->site.loaded)
		return STATUS_OK;
	status = check_switch(mesh, division, why);
	if (status != STATUS_OK)
		return status;
	if (division != DIVISION_WHOLE)
		local_bytes = mesh->site.divisions[division]->local_l1_bytes;
	status = allocator_begin_at(mesh->memory[BUFFER_L1], l1_base(mesh) + local_bytes, why);
	if (status != STATUS_OK)
		return status;
	place_division(mesh, division);
	take_local_l1(mesh, local_bytes);
	for (uint32_t i = 0; mesh->cluster != NULL && i < mesh->sub_device_count; i++)
		launches_reset(&mesh->queues[queue], i);
	return STATUS_OK;
}

/* ---- queries ---- */

uint64_t sub_device_lowest(const struct mesh_device *mesh, uint32_t sub_device)
{
	uint64_t lowest = allocator_lowest(mesh->memory[BUFFER_L1]);
	const struct allocator *own = mesh->sub_devices[sub_device].l1;

	if (own != NULL && allocator_usage(own).allocations > 0)
		lowest = allocator_lowest(own);
	return lowest;
}

uint32_t sub_devices_count(const struct mesh_device *mesh)
{
	return mesh->site.divided ? mesh->sub_device_count : 0;
}

uint32_t sub_device_workers(const struct mesh_device *mesh, uint32_t sub_device)
{
	const struct sub_device *of = &mesh->sub_devices[sub_device];

	return of->tensix + of->ethernet;
}

struct allocator_usage sub_device_usage(const struct mesh_device *mesh, uint32_t sub_device)
{
	const struct allocator *own = mesh->sub_devices[sub_device].l1;

	return own != NULL ? allocator_usage(own) : (struct allocator_usage){.total_bytes = 0};
}
