/* Workloads: programs on ranges of devices, and how they are enqueued (spec 3.4.2, 3.10).
 * binaries.c writes their binaries into DRAM, and launches.c orders the launches of all queues. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "mesh/description.h"
#include "mesh/plan/plan.h"
#include "mesh/program/sub_devices.h"
#include "mesh/program/workload.h"
#include "mesh/queue.h"
#include "mesh/queue/job.h"
#include "mesh/queue/transfer.h"

/* The job that sends one part of an enqueued workload. */
struct launch_job {
	struct job job; /* must be the first member */
	const struct program *program;
	enum launch_content content;
	struct program_args *args;
	struct binary_place binaries;
	struct launch_goes goes;
	struct launch_place place;
	enum launch_section section; /* the section to send, unless `all` is set */
	/* true: this is the first job of the launch for these devices. It builds the commands, or
	 * patches commands that were built before */
	bool first;
	bool all; /* true if the job sends all sections */
	struct launch_body *bodies;
	bool owns_bodies; /* there is no command cache, so the bodies belong to this job */
};

/* ---- workloads ---- */

struct workload *workload_new_at(struct program_site *site)
{
	struct workload *workload = allocate(1, sizeof(*workload));

	workload->site = site;
	workload->mesh = site->mesh;
	workload->id = ++site->next_workload;
	site->workloads++;
	world->work(WORK_API_CALL, 1);
	return workload;
}

struct workload *workload_new(struct mesh_device *mesh)
{
	return workload_new_at(&mesh->site);
}

void workload_free(struct workload *workload)
{
	if (workload == NULL)
		return;
	ensure(workload->traces == 0, "%u traces hold a workload", workload->traces);
	workload->site->workloads--;
	if (workload->mesh != NULL)
		host_threads_wait(workload->mesh);
	for (uint32_t i = 0; i < workload->part_count; i++) {
		bodies_free(workload->mesh, workload->parts[i].bodies);
		range_args_free(workload->mesh, &workload->parts[i]);
		part_forget_given(&workload->parts[i]);
		workload->parts[i].program->holders--;
	}
	mesh_buffer_free(workload->binaries);
	workload_forget_everywhere(workload);
	free(workload->parts);
	free(workload);
}

enum status workload_add(struct workload *workload, struct program *program,
	struct device_range range, struct text *why)
{
	struct mesh_shape shape = workload->site->shape;
	struct part *parts;

	world->work(WORK_API_CALL, 1);
	if (range.row1 == UINT16_MAX && range.column1 == UINT16_MAX) /* DEVICES_UNBOUND */
		range = device_range_all(shape);
	if (!device_range_valid(range, shape))
		return refuse(why, STATUS_OUT_OF_RANGE,
			"devices %u,%u to %u,%u reach outside the mesh of %u x %u", range.row0,
			range.column0, range.row1, range.column1, shape.rows, shape.columns);
	if (program->kernel_count == 0)
		return refuse(why, STATUS_INVALID, "program %s has no kernels", program->name);
	if (workload->sealed)
		return refuse(why, STATUS_INVALID, "the workload has been enqueued already");
	for (uint32_t i = 0; i < workload->part_count; i++)
		if (device_range_overlap(workload->parts[i].range, range))
			return refuse(why, STATUS_EXISTS,
				"programs %s and %s of a workload share a device",
				workload->parts[i].program->name, program->name);
	parts = allocate_more(workload->parts, workload->part_count + 1, sizeof(*parts));
	workload->parts = parts;
	parts[workload->part_count++] = (struct part){
		.program = program, .range = range, .bodies = bodies_new(workload->mesh)};
	for (uint32_t i = 0; i < MESH_COMMAND_QUEUES_MAX; i++)
		parts[workload->part_count - 1].cached_at[i] = KERNEL_CACHE_NEVER;
	program->holders++;
	workload->changes++;
	return STATUS_OK;
}

/* ---- enqueue ---- */

enum { ALL_SECTIONS = (1 << LAUNCH_SECTIONS) - 1 };

static void workload_build(struct launch_job *launch, uint32_t device, struct launch_body *body)
{
	struct mesh_device *mesh = launch->job.queue->mesh;
	bool creates = launch->first && launch->content != LAUNCH_ARGUMENTS;

	if (creates)
		world->work(WORK_CREATE_OPERATION, 1);
	if (creates && !mesh->created_per_device && device_range_count(launch->job.range) > 1)
		world->work(WORK_SPREAD_OPERATION, 1);
	body->content = launch->content;
	if (!launch->all)
		body->sections =
			(uint8_t)(mesh->config.command_cache ? ALL_SECTIONS : 1 << launch->section);
	launch_body_build(body, device, launch->program, launch->args, &launch->binaries,
		&launch->goes, &launch->place, launch->job.operation);
	__atomic_fetch_add(&mesh->counters.streams_built, 1, __ATOMIC_RELAXED);
}

static struct command_stream *workload_stream(struct job *job, uint32_t device)
{
	struct launch_job *launch = (struct launch_job *)job;
	struct mesh_device *mesh = job->queue->mesh;
	bool cached = mesh->config.command_cache;
	struct launch_body *body = launch->bodies;

	if (!bodies_are_shared(mesh))
		body += device;
	if (cached && !body->given)
		world->work(WORK_CACHE_LOOKUP, 1);
	if (!body->built) {
		workload_build(launch, device, body);
	} else if ((cached && launch->first) || body->given) {
		if (bodies_are_shared(mesh)) /* threads may still send the unpatched commands */
			host_threads_wait(mesh);
		launch_body_patch(body, launch->program, launch->args, &launch->binaries,
			&launch->place, job->operation);
		__atomic_fetch_add(&mesh->counters.streams_reused, 1, __ATOMIC_RELAXED);
	}
	return launch_body_stream(body, launch->section);
}

static void workload_fini(struct job *job)
{
	struct launch_job *launch = (struct launch_job *)job;

	if (launch->owns_bodies)
		bodies_free(job->queue->mesh, launch->bodies);
	args_release(launch->args);
}

static const struct job_ops launch_ops = {.stream = workload_stream, .fini = workload_fini};

struct binary_place workload_binaries(const struct workload *workload, const struct part *part,
	struct kernel_cache *cache, uint64_t *cached_at)
{
	const struct placement *placement = mesh_buffer_placement(workload->binaries);
	uint64_t bytes = (uint64_t)part->program->binary_pages * placement->page_stride;
	struct binary_place place = {.address = mesh_buffer_address(workload->binaries),
		.page_bytes = placement->page_stride,
		.banks = placement->slot_count};

	if (!part_is_cached(part, workload->mesh->devices, placement->page_stride, cache->bytes))
		return place;
	place.cached = true;
	place.filled = kernel_cache_take(cache, (uint32_t)bytes, cached_at);
	LOG_TO(PROGRAM, DEBUG, "kernel cache: %llu B of binaries are %s", (unsigned long long)bytes,
		place.filled ? "there" : "read into it");
	place.cache_offset = kernel_cache_offset(cache, *cached_at);
	return place;
}

/* Makes a job that sends a launch to devices. `bodies` is the command cache of these devices. */
static struct launch_job *range_job_new(struct command_queue *queue,
	const struct workload *workload, struct device_range range, struct launch_body *bodies,
	const struct launch_ticket *ticket, uint32_t operation)
{
	struct launch_job *launch = job_new(sizeof(*launch), &launch_ops, queue, range, operation);

	launch->job.same = launch->job.uniform = launch->job.names_tiles = true;
	launch->job.creates = true;
	launch->job.epoch = workload->epoch;
	launch->job.launches = 1u << ticket->sub_device;
	launch->place = ticket->place;
	launch->owns_bodies = !queue->mesh->config.command_cache;
	launch->bodies = launch->owns_bodies ? bodies_new(queue->mesh) : bodies;
	return launch;
}

/* Sends the arguments of each range of a part (spec 3.4.1). */
static void send_ranges(struct command_queue *queue, const struct workload *workload,
	const struct part *part, const struct launch_ticket *tickets, uint32_t operation)
{
	const struct launch_ticket *ticket = &tickets[part->program->sub_device];

	for (uint32_t i = 0; i < part->range_count; i++) {
		const struct range_args *range = &part->ranges[i];
		struct launch_job *launch = range_job_new(
			queue, workload, range->range, range->bodies, ticket, operation);

		launch->program = part->program;
		launch->content = LAUNCH_ARGUMENTS;
		launch->args = range_args_of(part, range);
		args_hold(launch->args);
		launch->all = launch->first = true;
		launches_preamble(ticket, &launch->job);
		job_send(&launch->job);
	}
}

static struct launch_job *launch_job_new(struct command_queue *queue, struct workload *workload,
	struct part *part, const struct launch_ticket *ticket, uint32_t operation)
{
	struct launch_job *launch =
		range_job_new(queue, workload, part->range, part->bodies, ticket, operation);

	if (workload->launch_as != 0) {
		if (launch->owns_bodies)
			bodies_free(queue->mesh, launch->bodies);
		launch->owns_bodies = false;
		launch->bodies = part->given;
	}
	launch->program = part->program;
	launch->content = part->range_count > 0 ? LAUNCH_REST : LAUNCH_WHOLE;
	launch->args = part->program->args;
	args_hold(launch->args);
	launch->binaries = part->launched;
	if (!workload_sends_goes_apart(workload))
		launch->goes = workload_goes(workload, part);
	return launch;
}

static void workload_send_part(struct command_queue *queue, struct workload *workload,
	struct part *part, const struct launch_ticket *tickets, uint32_t operation)
{
	const struct launch_ticket *ticket = &tickets[part->program->sub_device];
	struct launch_job *launch = launch_job_new(queue, workload, part, ticket, operation);

	launch->all = launch->first = true;
	launches_preamble(ticket, &launch->job);
	job_send(&launch->job);
}

/* Returns true if a part has configuration, not counting arguments that are sent separately. */
static bool has_configuration(const struct part *part)
{
	const struct program *program = part->program;
	bool apart = part->range_count > 0, any = part->launched.cached;

	for (uint32_t i = 0; i < program->group_count; i++)
		any |= !apart && program->groups[i].message.unique_bytes > 0;
	for (uint32_t i = 0; i < program->share_count; i++)
		any |= !apart || !program->shares[i].common;
	return any;
}

/* Sends the commands of one section of a launch to the devices of a part. The job of the first
 * section that is sent also contains the preamble. */
static void send_section(struct command_queue *queue, struct workload *workload, struct part *part,
	const struct launch_ticket *tickets, enum launch_section section, uint32_t operation)
{
	const struct launch_ticket *ticket = &tickets[part->program->sub_device];
	bool configured = has_configuration(part);
	struct launch_job *launch;

	if (section == LAUNCH_CONFIGURATION && !configured)
		return;
	launch = launch_job_new(queue, workload, part, ticket, operation);
	launch->section = section;
	launch->first = section == (configured ? LAUNCH_CONFIGURATION : LAUNCH_BINARIES);
	if (launch->first)
		launches_preamble(ticket, &launch->job);
	job_send(&launch->job);
}

/* Sends the commands of all parts. tickets[i] is the ticket of sub-device i, and is filled in only
 * if a program of the workload belongs to this sub-device. */
static void send_parts(struct command_queue *queue, struct workload *workload,
	const struct launch_ticket *tickets, uint32_t operation)
{
	bool by_kinds = workload_goes_by_kinds(workload);

	for (uint32_t i = 0; i < workload->part_count; i++)
		send_ranges(queue, workload, &workload->parts[i], tickets, operation);
	host_threads_gather(queue->mesh, workload_goes_together(workload));
	for (uint32_t i = 0; i < workload->part_count; i++) {
		struct part *part = &workload->parts[i];

		part->launched = workload_binaries(
			workload, part, &queue->kernels, &part->cached_at[queue->index]);
		if (!by_kinds)
			workload_send_part(queue, workload, part, tickets, operation);
	}
	host_threads_gathered(queue->mesh);
	for (uint32_t section = 0; by_kinds && section < LAUNCH_SECTIONS; section++)
		for (uint32_t i = 0; i < workload->part_count; i++)
			send_section(queue, workload, &workload->parts[i], tickets,
				(enum launch_section)section, operation);
	for (uint32_t i = 0; i < queue->mesh->sub_device_count; i++) {
		if (!workload_is_of(workload, i))
			continue;
		workload_send_goes(queue, workload, i, tickets[i].place.slot, operation);
		launches_started(queue->mesh, i);
	}
}

/* Sets the members of *request that say which workers and devices get go signals. */
static void request_reach(const struct workload *workload, struct launch_request *request)
{
	const struct mesh_device *mesh = workload->mesh;
	const struct sub_device *of = &mesh->sub_devices[request->sub_device];
	uint32_t devices = 0;
	bool whole = true;

	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct part *part = &workload->parts[i];

		if (part->program->sub_device != request->sub_device)
			continue;
		whole &= program_worker_count(part->program) == of->tensix + of->ethernet;
		devices += device_range_count(part->range);
	}
	request->runs_everywhere = devices == mesh->devices;
	request->all_devices = request->runs_everywhere || mesh->config.forward.go->everywhere;
	if (mesh->config.forward.go->everywhere)
		whole = launch_goes_workers(&workload->reach[request->sub_device].goes) ==
			of->tensix + of->ethernet;
	request->all_workers = whole && request->all_devices;
}

struct launch_request workload_request(const struct workload *workload, uint32_t sub_device)
{
	const struct mesh_device *mesh = workload->mesh;
	struct launch_request request = {
		.sub_device = sub_device, .oldest = mesh->sub_devices[sub_device].launches.run};

	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct part *part = &workload->parts[i];
		uint32_t last;

		if (part->program->sub_device != sub_device)
			continue;
		last = launches_last(mesh, sub_device, part->range);
		if (part->program->config_bytes > request.config_bytes)
			request.config_bytes = part->program->config_bytes;
		if (part->program->image_bytes > request.image_bytes)
			request.image_bytes = part->program->image_bytes;
		if ((int32_t)(last - request.oldest) < 0)
			request.oldest = last;
	}
	request_reach(workload, &request);
	return request;
}

enum status enqueue_workload(
	struct command_queue *queue, struct workload *workload, bool blocking, uint32_t operation)
{
	struct device_range all = device_range_all(queue->mesh->plan.mesh.shape);
	struct launch_ticket tickets[SUB_DEVICES_MAX];
	enum status status;

	queue_called(operation, queue);
	ensure(workload->mesh == queue->mesh, "a workload of another mesh device");
	status = workload_check(workload, NULL);
	if (status == STATUS_OK)
		status = workload_put_binaries(workload, queue);
	if (status == STATUS_OK && workload->launch_as != 0)
		status = workload_check_given(workload, &queue->kernels);
	if (status != STATUS_OK)
		return status;
	if (queue->capture != NULL) {
		if (blocking)
			return STATUS_INVALID;
		status = queue->capture->add(queue->capture, workload);
		return status == STATUS_OK
			       ? queue_returned(queue, all, workload->sub_devices, false, operation)
			       : status;
	}
	for (uint32_t i = 0; i < queue->mesh->sub_device_count; i++) {
		struct launch_request request;

		if (!workload_is_of(workload, i))
			continue;
		request = workload_request(workload, i);
		launches_take(queue, &request, &tickets[i]);
	}
	send_parts(queue, workload, tickets, operation);
	return queue_returned(queue, all, workload->sub_devices, blocking, operation);
}
