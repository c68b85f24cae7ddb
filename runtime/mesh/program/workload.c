/* Workloads: programs on ranges of devices, their binaries in DRAM, and their enqueue
 * (spec 3.4.2, 3.10). The order of launches among queues is launches.c's. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "mesh/plan/sizes.h"
#include "mesh/program/workload.h"
#include "mesh/queue.h"
#include "mesh/queue/call.h"
#include "mesh/queue/host_threads.h"
#include "mesh/queue/write.h"

/* One part of an enqueued workload on its way. */
struct launch_job {
	struct job job; /* first */
	struct part *part;
	struct program_args *args;
	struct binary_place binaries;
	struct launch_place place;
	struct launch_body *bodies; /* of this job alone, without a command cache */
};

/* ---- workloads ---- */

struct workload *workload_new(struct mesh_device *mesh)
{
	struct workload *workload = allocate(1, sizeof(*workload));

	workload->mesh = mesh;
	world->work(WORK_API_CALL, 1);
	return workload;
}

/* One body for all devices, which the thread that enqueues builds and patches. */
static bool shares_bodies(const struct mesh_device *mesh)
{
	return !mesh->created_per_device && !mesh->streams_differ;
}

static uint32_t body_count(const struct mesh_device *mesh)
{
	return shares_bodies(mesh) ? 1 : mesh->devices;
}

static struct launch_body *bodies_new(const struct mesh_device *mesh)
{
	struct launch_body *bodies = allocate(body_count(mesh), sizeof(*bodies));

	return bodies;
}

static void bodies_free(const struct mesh_device *mesh, struct launch_body *bodies)
{
	for (uint32_t i = 0; bodies != NULL && i < body_count(mesh); i++)
		launch_body_fini(&bodies[i]);
	free(bodies);
}

void workload_free(struct workload *workload)
{
	if (workload == NULL)
		return;
	ensure(workload->traces == 0, "%u traces hold a workload", workload->traces);
	host_threads_wait(workload->mesh);
	for (uint32_t i = 0; i < workload->part_count; i++) {
		bodies_free(workload->mesh, workload->parts[i].bodies);
		workload->parts[i].program->holders--;
	}
	mesh_buffer_free(workload->binaries);
	free(workload->parts);
	free(workload);
}

enum status workload_add(struct workload *workload, struct program *program,
	struct device_range range, struct text *why)
{
	struct part *parts;

	world->work(WORK_API_CALL, 1);
	if (!device_range_valid(range, workload->mesh->plan.mesh.shape))
		return refuse(why, STATUS_OUT_OF_RANGE,
			"devices %u,%u to %u,%u of a mesh of %u x %u", range.row0, range.column0,
			range.row1, range.column1, workload->mesh->plan.mesh.shape.rows,
			workload->mesh->plan.mesh.shape.columns);
	if (program->kernel_count == 0)
		return refuse(why, STATUS_INVALID, "program %s has no kernels", program->name);
	if (workload->binaries != NULL)
		return refuse(why, STATUS_INVALID, "the workload has been enqueued already");
	for (uint32_t i = 0; i < workload->part_count; i++)
		if (device_range_overlap(workload->parts[i].range, range))
			return refuse(why, STATUS_EXISTS,
				"programs %s and %s of a workload share a device",
				workload->parts[i].program->name, program->name);
	parts = allocate_more(workload->parts, workload->part_count + 1, sizeof(*parts));
	workload->parts = parts;
	parts[workload->part_count++] =
		(struct part){program, range, bodies_new(workload->mesh), {0}, 0};
	for (uint32_t i = 0; i < MESH_COMMAND_QUEUES_MAX; i++)
		parts[workload->part_count - 1].cached_at[i] = KERNEL_CACHE_NEVER;
	program->holders++;
	return STATUS_OK;
}

/* ---- binaries ---- */

/* A buffer that is large enough for every part, at the same address on all devices. */
static enum status allocate_binaries(struct workload *workload)
{
	struct mesh_device *mesh = workload->mesh;
	uint32_t page_bytes = sizes_binary_page(&mesh->config), pages = 1;
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = page_bytes};
	struct mesh_layout layout = {.sharded = false};

	for (uint32_t i = 0; i < workload->part_count; i++)
		if (workload->parts[i].program->binary_pages > pages)
			pages = workload->parts[i].program->binary_pages;
	layout.size_bytes = (uint64_t)pages * page_bytes;
	return mesh_buffer_new(mesh, &layout, &config, NULL, &workload->binaries);
}

/* Writes the binaries of every part to its devices, through the queue. */
static enum status place_binaries(struct workload *workload, struct command_queue *queue)
{
	uint64_t bytes;
	enum status status;
	uint8_t *images;

	if (workload->binaries != NULL)
		return STATUS_OK;
	status = allocate_binaries(workload);
	if (status != STATUS_OK)
		return status;
	bytes = mesh_buffer_bytes(workload->binaries);
	for (uint32_t i = 0; i < workload->part_count; i++) {
		struct part *part = &workload->parts[i];

		images = allocate(bytes, 1);
		program_seal(part->program, images, bytes);
		write_binaries(queue, workload->binaries, part->range, images);
	}
	workload->epoch = ++queue->mesh->epoch;
	return STATUS_OK;
}

/* ---- enqueue ---- */

static struct command_stream *stream(struct job *job, uint32_t device)
{
	struct launch_job *launch = (struct launch_job *)job;
	struct mesh_device *mesh = job->queue->mesh;
	struct program *program = launch->part->program;
	bool cached = mesh->config.command_cache;
	struct launch_body *body = cached ? launch->part->bodies : launch->bodies;

	if (body_count(mesh) > 1)
		body += device;
	if (cached)
		world->work(WORK_CACHE_LOOKUP, 1);
	if (!body->built) {
		world->work(WORK_CREATE_OPERATION, 1);
		if (!mesh->created_per_device && device_range_count(job->range) > 1)
			world->work(WORK_SPREAD_OPERATION, 1);
		launch_body_build(body, device, program, launch->args, &launch->binaries,
			&launch->place, job->operation);
		__atomic_fetch_add(&mesh->counters.streams_built, 1, __ATOMIC_RELAXED);
	} else if (cached) {
		if (shares_bodies(mesh)) /* threads may still send it as it was */
			host_threads_wait(mesh);
		launch_body_patch(body, program, launch->args, &launch->binaries, &launch->place,
			job->operation);
		__atomic_fetch_add(&mesh->counters.streams_reused, 1, __ATOMIC_RELAXED);
	}
	return &body->stream;
}

static bool expect(struct job *job, struct lane *lane)
{
	(void)job;
	(void)lane;
	return true;
}

static void fini(struct job *job)
{
	struct launch_job *launch = (struct launch_job *)job;

	bodies_free(job->queue->mesh, launch->bodies);
	args_release(launch->args);
}

static const struct job_ops launch_ops = {.stream = stream, .expect = expect, .fini = fini};

struct binary_place workload_binaries(const struct workload *workload, const struct part *part,
	struct kernel_cache *cache, uint64_t *cached_at)
{
	const struct placement *placement = mesh_buffer_placement(workload->binaries);
	uint64_t bytes = (uint64_t)part->program->binary_pages * placement->page_stride;
	struct binary_place place = {.address = mesh_buffer_address(workload->binaries),
		.page_bytes = placement->page_stride,
		.banks = placement->slot_count};

	if (device_range_count(part->range) < workload->mesh->devices || bytes > cache->bytes)
		return place;
	place.cached = true;
	place.filled = kernel_cache_take(cache, (uint32_t)bytes, cached_at);
	place.cache_offset = kernel_cache_offset(cache, *cached_at);
	return place;
}

static void send_part(struct command_queue *queue, struct workload *workload, struct part *part,
	const struct launch_ticket *ticket, uint32_t operation)
{
	struct launch_job *launch =
		job_new(sizeof(*launch), &launch_ops, queue, part->range, operation);

	launch->job.same = launch->job.uniform = launch->job.names_tiles = true;
	launch->job.creates = true;
	launch->job.epoch = workload->epoch;
	launch->part = part;
	launch->args = part->program->args;
	args_hold(launch->args);
	launch->binaries =
		workload_binaries(workload, part, &queue->kernels, &part->cached_at[queue->index]);
	launch->place = ticket->place;
	if (!queue->mesh->config.command_cache)
		launch->bodies = bodies_new(queue->mesh);
	launches_preamble(ticket, &launch->job);
	job_send(&launch->job);
}

/* Circular buffers grow from below, buffers in L1 from above. */
static enum status check_l1(const struct workload *workload, struct text *why)
{
	uint64_t lowest = allocator_lowest(workload->mesh->l1);

	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct program *program = workload->parts[i].program;

		if (program->buffers_end > lowest)
			return refuse(why, STATUS_NO_SPACE,
				"the circular buffers of program %s end at %u of L1, where a "
				"buffer begins at %llu",
				program->name, program->buffers_end, (unsigned long long)lowest);
	}
	return STATUS_OK;
}

static enum status check_dram(const struct workload *workload, struct text *why)
{
	const struct mesh_device *mesh = workload->mesh;
	uint64_t page_bytes = sizes_binary_page(&mesh->config),
		 banks = mesh->geometry->dram_bank_count;
	uint64_t largest = allocator_usage(mesh->dram).largest_free_bytes;

	for (uint32_t i = 0; workload->binaries == NULL && i < workload->part_count; i++) {
		const struct program *program = workload->parts[i].program;
		uint64_t bytes = (program->binary_pages + banks - 1) / banks * page_bytes;

		if (bytes > largest)
			return refuse(why, STATUS_NO_SPACE,
				"the binaries of program %s take %llu B of every DRAM bank, the "
				"largest free block has %llu B",
				program->name, (unsigned long long)bytes,
				(unsigned long long)largest);
	}
	return STATUS_OK;
}

enum status workload_check(const struct workload *workload, struct text *why)
{
	enum status status;

	if (workload->part_count == 0)
		return refuse(why, STATUS_INVALID, "a workload without programs");
	status = check_l1(workload, why);
	return status == STATUS_OK ? check_dram(workload, why) : status;
}

struct launch_request workload_request(const struct workload *workload)
{
	const struct mesh_device *mesh = workload->mesh;
	uint32_t grid = (uint32_t)mesh->geometry->worker_columns * mesh->geometry->worker_rows +
			mesh->plan.ethernet_count;
	struct launch_request request = {.oldest = mesh->launches.run, .all_workers = true};
	uint32_t devices = 0;

	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct part *part = &workload->parts[i];
		uint32_t last = launches_last(mesh, part->range);

		if (part->program->config_bytes > request.config_bytes)
			request.config_bytes = part->program->config_bytes;
		if (part->program->image_bytes > request.image_bytes)
			request.image_bytes = part->program->image_bytes;
		if ((int32_t)(last - request.oldest) < 0)
			request.oldest = last;
		request.all_workers &= program_worker_count(part->program) == grid;
		devices += device_range_count(part->range);
	}
	request.all_devices = devices == mesh->devices;
	request.all_workers &= request.all_devices;
	return request;
}

enum status enqueue_workload(
	struct command_queue *queue, struct workload *workload, bool blocking, uint32_t operation)
{
	struct device_range all = device_range_all(queue->mesh->plan.mesh.shape);
	struct launch_ticket ticket;
	struct launch_request request;
	enum status status;

	queue_called(operation, queue);
	ensure(workload->mesh == queue->mesh, "a workload of another mesh device");
	status = workload_check(workload, NULL);
	if (status == STATUS_OK)
		status = place_binaries(workload, queue);
	if (status != STATUS_OK)
		return status;
	if (queue->capture != NULL) {
		if (blocking)
			return STATUS_INVALID;
		queue->capture->add(queue->capture, workload);
		return queue_returned(queue, all, false, operation);
	}
	request = workload_request(workload);
	launches_take(queue, &request, &ticket);
	for (uint32_t i = 0; i < workload->part_count; i++)
		send_part(queue, workload, &workload->parts[i], &ticket, operation);
	return queue_returned(queue, all, blocking, operation);
}
