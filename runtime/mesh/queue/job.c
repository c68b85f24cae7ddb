/* Sends jobs to the devices of a range. Jobs are reference-counted, because host threads may still
 * use a job after the enqueuing call has returned. */
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/queue/job.h"

void *job_new(size_t bytes, const struct job_ops *ops, struct command_queue *queue,
	struct device_range range, uint32_t operation)
{
	struct job *job = allocate(1, bytes);

	job->ops = ops;
	job->queue = queue;
	job->range = range;
	job->operation = operation;
	job->references = 1;
	return job;
}

void job_hold(struct job *job)
{
	__atomic_fetch_add(&job->references, 1, __ATOMIC_RELAXED);
}

void job_release(struct job *job)
{
	if (__atomic_sub_fetch(&job->references, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	if (job->ops->fini != NULL)
		job->ops->fini(job);
	for (uint32_t i = 0; i < job->stream_count; i++)
		command_stream_fini(&job->streams[i]);
	free(job->streams);
	free(job->built);
	free(job);
}

/* Appends a WAIT for each sub-device. The last WAIT gets all of `flags`. The others get only
 * DISPATCH_DATA, which marks every WAIT that belongs to a write of data. */
void stream_wait_workers(struct command_stream *stream, const struct mesh_device *mesh,
	uint32_t sub_devices, uint8_t flags)
{
	uint32_t left = sub_devices & mesh_sub_devices(mesh);

	for (uint32_t i = 0; left != 0; i++, left >>= 1) {
		struct dispatch_command wait = {.kind = DISPATCH_WAIT};

		if (!(left & 1))
			continue;
		wait.flags =
			(uint8_t)(DISPATCH_WORKERS | (flags & (left == 1 ? 0xff : DISPATCH_DATA)));
		wait.wait.group = (uint8_t)i;
		command_stream_dispatch(stream, &wait);
	}
}

void stream_place(const struct mesh_device *mesh, struct command_stream *stream, uint32_t device)
{
	if (mesh->config.coordinates == COORDINATES_PHYSICAL)
		command_stream_place(
			stream, mesh->info->chips[mesh->plan.mesh.chips[device]].geometry);
}

/* Clears `same` and `uniform` if the devices need different commands, because the commands contain
 * tile numbers and the coordinates of tiles differ between devices. */
static void split_by_coordinates(struct job *job)
{
	if (job->names_tiles && job->queue->mesh->streams_differ)
		job->same = job->uniform = false;
}

static bool is_built_per_device(const struct job *job)
{
	const struct mesh_device *mesh = job->queue->mesh;

	return job->creates ? mesh->created_per_device : mesh->config.host.threads->own_streams;
}

void job_streams_prepare(struct job *job)
{
	const struct mesh_device *mesh = job->queue->mesh;
	bool one;

	split_by_coordinates(job);
	one = job->same && !is_built_per_device(job);
	job->stream_count = one ? 1 : mesh->devices;
	job->streams = allocate(job->stream_count, sizeof(*job->streams));
	for (uint32_t i = 0; i < job->stream_count; i++)
		command_stream_init(&job->streams[i], job->operation);
}

struct command_stream *job_stream_slot(struct job *job, uint32_t device)
{
	struct command_stream *stream = &job->streams[job->stream_count > 1 ? device : 0];

	command_stream_fini(stream);
	command_stream_init(stream, job->operation);
	stream->part = job->captured;
	stream_place(job->queue->mesh, stream, device);
	return stream;
}

struct command_stream *job_stream(struct job *job, uint32_t device)
{
	struct command_stream *stream = job->ops->stream(job, device);

	if (job->operation != 0 && mesh_is_near(job->queue->mesh, device))
		world->mark(job->operation, MARK_BUILT, job->queue->lanes[device].marked_chip);
	return stream;
}

bool job_holds(const struct job *job, uint32_t device)
{
	return job->ops->holds == NULL || job->ops->holds(job, device);
}

bool job_expect(struct job *job, struct lane *lane)
{
	bool expected = job_holds(job, lane->device);

	if (lane->issue == NULL) /* another host's records */
		return expected;
	if (expected && job->ops->expect != NULL)
		job->ops->expect(job, lane);
	if (job->operation != 0)
		world->mark(job->operation, MARK_EXPECTED, lane->marked_chip);
	return expected;
}

/* Frees the commands that were built for a device, unless they are shared by several devices. So
 * the job never holds the commands of all devices at the same time. */
static void drop_stream(struct job *job, uint32_t device)
{
	if (job->stream_count > 1)
		command_stream_fini(&job->streams[device]);
}

/* Sends the job's part for one device by unicast. Any host thread may call this. */
static void job_run(void *arg, uint32_t device)
{
	struct job *job = arg;
	struct lane *lane = &job->queue->lanes[device];
	struct command_stream *stream = job->shared;

	if (!job_expect(job, lane))
		return;
	if (lane->issue == NULL) {
		submit_unicast_elsewhere(job, lane);
		return;
	}
	if (stream == NULL && job->built != NULL)
		stream = job->built[device];
	if (stream == NULL)
		stream = job_stream(job, device);
	submit_unicast(job, lane, stream);
	if (stream != job->shared)
		drop_stream(job, device);
}

static void done(void *arg)
{
	job_release(arg);
}

static void hold_built(struct job *job)
{
	if (job->built == NULL)
		job->built = allocate(job->queue->mesh->devices, sizeof(struct command_stream *));
}

/* Builds the commands of all devices of the range on the calling thread. Before that, waits until
 * the host threads have sent all earlier commands. */
static void build_all(struct job *job, struct device_range range)
{
	struct mesh_device *mesh = job->queue->mesh;
	uint32_t count = device_range_count(range);

	host_threads_wait(mesh);
	hold_built(job);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t device = range_device(mesh, range, i);

		if (mesh_is_near(mesh, device))
			job->built[device] = job_stream(job, device);
	}
}

/* Runs in the phase that builds commands: builds the commands that all devices share. */
static void create_shared(void *arg, uint32_t device)
{
	struct job *job = arg;

	job->shared = job_stream(job, device);
}

/* Runs in the phase that builds commands: builds the commands of one device. */
static void create_own(void *arg, uint32_t device)
{
	struct job *job = arg;

	if (mesh_is_near(job->queue->mesh, device))
		job->built[device] = job_stream(job, device);
}

static void create_in_phase(struct job *job, struct device_range range)
{
	struct mesh_device *mesh = job->queue->mesh;

	if (is_built_per_device(job)) {
		hold_built(job);
		host_threads_create(mesh, range, create_own, job);
	} else if (job->same && job->shared == NULL) {
		host_threads_create(mesh,
			(struct device_range){range.row0, range.column0, range.row0, range.column0},
			create_shared, job);
	}
}

void job_send_unicast(struct job *job, struct device_range range)
{
	struct mesh_device *mesh = job->queue->mesh;
	bool by_caller = job->creates && mesh->config.host.create->by_caller;

	if (job->creates && !by_caller && host_threads_phased(mesh))
		create_in_phase(job, range);
	else if (job->same && !is_built_per_device(job) && job->shared == NULL)
		job->shared = job_stream(job, range_near(mesh, range));
	if (by_caller && job->shared == NULL)
		build_all(job, range);
	job_hold(job);
	host_threads_post(mesh, range, job_run, done, job);
}

void job_send(struct job *job)
{
	job->queue->mesh->busy[job->queue->index] |= QUEUE_SENT | job->launches;
	split_by_coordinates(job);
	job->queue->mesh->config.forward.path->send(job);
	job_release(job);
}

void job_enqueue(struct job *job, enum captured kind)
{
	struct capture *capture = job->queue->capture;

	if (capture == NULL) {
		job_send(job);
		return;
	}
	job->captured = true;
	capture->take(capture, job, kind);
}
