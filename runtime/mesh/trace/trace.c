/* Allocates the buffer in DRAM that holds a trace's commands, writes the commands into it, and
 * replays traces. capture.c records the calls, and trace_build.c makes the commands. */
#include "mesh/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "mesh/device/buffer.h"
#include "mesh/program/sub_devices.h"
#include "mesh/queue/job.h"
#include "mesh/queue/transfer.h"
#include "trace_private.h"

/* This size is small enough to spread a trace over the banks, and large enough for one read. */
enum { TRACE_PAGE_BYTES = 4096 };

/* ---- the buffer ---- */

static enum status take_region(struct mesh_trace *trace, struct text *why)
{
	uint64_t pages = (trace->size.bytes + TRACE_PAGE_BYTES - 1) / TRACE_PAGE_BYTES;
	struct mesh_layout layout = {.size_bytes = pages * TRACE_PAGE_BYTES};
	bool region = trace->mesh->config.sizes.trace_region_bytes > 0;
	struct buffer_config config = {.type = region ? BUFFER_TRACE : BUFFER_DRAM,
		.layout = LAYOUT_INTERLEAVED,
		.page_bytes = TRACE_PAGE_BYTES};
	enum status status = mesh_buffer_take(trace->mesh, trace->mesh->memory[config.type],
		&layout, &config, why, &trace->buffer);

	return status == STATUS_UNSUPPORTED ? STATUS_NO_SPACE : status;
}

/* Writes the commands of a stream to the devices of a range. */
static void trace_write_stream(struct command_queue *queue, const struct mesh_trace *trace,
	struct device_range range, const struct command_stream *stream)
{
	uint8_t *image = allocate(mesh_buffer_bytes(trace->buffer), 1);
	enum status status;

	status = command_stream_read(stream, 0, stream->bytes, image);
	ensure(status == STATUS_OK, "commands of a trace: %s", status_message(status));
	write_binaries(queue, trace->buffer, range, image);
}

static enum status write_streams(struct command_queue *queue, const struct mesh_trace *trace,
	const struct trace_streams *streams)
{
	struct mesh_shape shape = queue->mesh->plan.mesh.shape;

	if (streams->count == 1)
		trace_write_stream(queue, trace, device_range_all(shape), &streams->streams[0]);
	for (uint32_t i = 0; streams->count > 1 && i < streams->count; i++) {
		uint16_t row = (uint16_t)(i / shape.columns),
			 column = (uint16_t)(i % shape.columns);

		trace_write_stream(queue, trace, (struct device_range){row, column, row, column},
			&streams->streams[i]);
	}
	return queue_finish_of(queue, mesh_buffer_sub_devices(trace->buffer), 0, DEADLINE_NEVER);
}

/* Returns the sub-device of a trace's buffer. It is the sub-device of the trace's launches. Without
 * launches, it is the sub-device for which the trace's operations wait. If they wait for none or
 * for several, returns SUB_DEVICE_NONE, which stands for all sub-devices. The write of the commands
 * waits only for programs of this sub-device. */
static uint8_t sub_device_of(const struct mesh_trace *trace)
{
	bool one = __builtin_popcount(trace->sub_devices) == 1;

	if (trace->launch_count > 0)
		return (uint8_t)trace->sub_device;
	return one ? (uint8_t)__builtin_ctz(trace->sub_devices) : SUB_DEVICE_NONE;
}

static enum status trace_finish(
	struct command_queue *queue, struct mesh_trace *trace, struct text *why)
{
	struct trace_streams streams;
	enum status status;

	if (trace->item_count == 0)
		return refuse(why, STATUS_INVALID, "a trace of nothing");
	if (trace->launch_count > TRACE_LAUNCHES_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "%u workloads in a trace, at most %d",
			trace->launch_count, TRACE_LAUNCHES_MAX);
	trace->size.workloads = trace->launch_count;
	trace->size.operations = trace->item_count;
	/* TRACE_END needs a sub-device; use one that the operations of the trace wait for */
	if (trace->launch_count == 0)
		trace->sub_device = (uint32_t)__builtin_ctz(trace_sub_devices(trace));
	trace_build(trace, &streams);
	trace_drop_streams(trace);
	status = take_region(trace, why);
	if (status == STATUS_OK) {
		trace->buffer->sub_device = sub_device_of(trace);
		status = write_streams(queue, trace, &streams);
	}
	trace_streams_fini(&streams);
	return status;
}

static struct mesh_trace *enlist(struct mesh_trace *trace)
{
	struct mesh_device *mesh = trace->mesh;

	trace->next = mesh->traces;
	mesh->traces = trace;
	return trace;
}

static void delist(struct mesh_trace *trace)
{
	struct mesh_trace **at = &trace->mesh->traces;

	while (*at != NULL && *at != trace)
		at = &(*at)->next;
	if (*at != NULL)
		*at = trace->next;
}

struct mesh_trace *trace_find(struct mesh_device *mesh, uint32_t id)
{
	struct mesh_trace *trace = mesh->traces;

	while (trace != NULL && trace->size.id != id)
		trace = trace->next;
	return trace;
}

enum status mesh_buffer_release(struct mesh_buffer *buffer)
{
	for (const struct mesh_trace *trace = buffer->mesh->traces; trace; trace = trace->next)
		for (uint32_t i = 0; i < trace->used_count; i++)
			if (trace->used[i] == buffer)
				return STATUS_EXISTS;
	mesh_buffer_free(buffer);
	return STATUS_OK;
}

enum status trace_release(struct mesh_device *mesh, uint32_t id)
{
	struct mesh_trace *trace = trace_find(mesh, id);

	world->work(WORK_API_CALL, 1);
	if (trace == NULL)
		return STATUS_NOT_FOUND;
	trace_free(trace);
	return STATUS_OK;
}

static void drop(struct capture *capture)
{
	trace_free((struct mesh_trace *)capture);
}

enum status trace_begin(struct command_queue *queue, struct text *why)
{
	struct mesh_trace *trace;

	world->work(WORK_API_CALL, 1);
	if (queue->capture != NULL)
		return refuse(
			why, STATUS_EXISTS, "queue %u captures a trace already", queue->index);
	trace = allocate(1, sizeof(*trace));
	trace->capture = (struct capture){.drop = drop, .number = ++queue->mesh->next_trace};
	trace_capture_init(trace);
	trace->size.id = trace->capture.number;
	trace->mesh = queue->mesh;
	trace->queue = queue;
	trace->division = queue->mesh->site.loaded;
	trace->last = allocate(queue->mesh->devices, sizeof(*trace->last));
	trace->counts = allocate(queue->mesh->devices, sizeof(*trace->counts));
	queue->capture = &trace->capture;
	LOG_TO(TRACE, INFO, "queue %u captures trace %u", queue->index, trace->size.id);
	return STATUS_OK;
}

enum status trace_end(struct command_queue *queue, struct text *why, struct mesh_trace **trace)
{
	struct mesh_trace *captured = (struct mesh_trace *)queue->capture;
	enum status status;

	world->work(WORK_API_CALL, 1);
	if (captured == NULL)
		return refuse(why, STATUS_INVALID, "queue %u captures no trace", queue->index);
	queue->capture = NULL;
	status = trace_finish(queue, captured, why);
	if (status != STATUS_OK && status != STATUS_ELIDED) {
		LOG_TO(TRACE, WARNING, "trace %u cannot be made: %s", captured->size.id,
			status_message(status));
		trace_free(captured);
		return status;
	}
	LOG_TO(TRACE, INFO, "trace %u is captured; operations: %u, workloads: %u, commands: %llu B",
		captured->size.id, captured->size.operations, captured->size.workloads,
		(unsigned long long)captured->size.bytes);
	*trace = enlist(captured);
	return status;
}

void trace_free(struct mesh_trace *trace)
{
	if (trace == NULL)
		return;
	LOG_TO(TRACE, INFO, "trace %u is released", trace->size.id);
	host_threads_wait(trace->mesh);
	delist(trace);
	trace_drop_captured(trace);
	mesh_buffer_free(trace->buffer);
	free(trace->used);
	free(trace->last);
	free(trace->counts);
	free(trace->bytes);
	free(trace);
}

struct trace_size trace_size(const struct mesh_trace *trace)
{
	return trace->size;
}

uint32_t trace_sub_devices(const struct mesh_trace *trace)
{
	return trace->sub_devices != 0 ? trace->sub_devices : SUB_DEVICES_ALL;
}

struct trace_counts trace_counts(const struct mesh_trace *trace, uint16_t row, uint16_t column)
{
	struct mesh_shape shape = trace->mesh->plan.mesh.shape;

	ensure(row < shape.rows && column < shape.columns, "device %u,%u", row, column);
	return trace->counts[(uint32_t)row * shape.columns + column];
}

/* ---- replay ---- */

struct replay_job {
	struct job job; /* must be the first member */
	uint32_t sub_device;
	uint32_t address;
	uint64_t *bytes; /* one length if all devices share the commands, otherwise [device] */
	/* jobs whose expect() registers the records that the replay returns to the host, in the
	 * order of the records */
	struct job **heard;
	uint32_t heard_count;
};

static struct prefetch_pages pages_of(uint32_t address, uint64_t bytes)
{
	uint32_t pages = (uint32_t)((bytes + TRACE_PAGE_BYTES - 1) / TRACE_PAGE_BYTES);

	return (struct prefetch_pages){.base = address,
		.page_bytes = TRACE_PAGE_BYTES,
		.pages = pages,
		.trim_bytes = (uint32_t)((uint64_t)pages * TRACE_PAGE_BYTES - bytes)};
}

static struct command_stream *trace_stream(struct job *job, uint32_t device)
{
	const struct replay_job *replay = (struct replay_job *)job;
	struct command_stream *stream = job_stream_slot(job, device);
	struct prefetch_command execute = {.kind = PREFETCH_EXECUTE};
	struct dispatch_command end = {.kind = DISPATCH_TRACE_END};

	end.trace_end.group = (uint8_t)replay->sub_device;
	execute.execute = pages_of(replay->address, replay->bytes[job->same ? 0 : device]);
	command_stream_prefetch(stream, &execute);
	command_stream_dispatch(stream, &end);
	command_stream_finish(stream);
	return stream;
}

static bool trace_is_in(const struct job *job, uint32_t device)
{
	uint32_t columns = job->queue->mesh->plan.mesh.shape.columns;

	return device_range_has(
		job->range, (uint16_t)(device / columns), (uint16_t)(device % columns));
}

static void trace_expect(struct job *job, struct lane *lane)
{
	const struct replay_job *replay = (struct replay_job *)job;

	for (uint32_t i = 0; i < replay->heard_count; i++)
		if (trace_is_in(replay->heard[i], lane->device))
			(void)job_expect(replay->heard[i], lane);
}

static void trace_fini(struct job *job)
{
	struct replay_job *replay = (struct replay_job *)job;

	for (uint32_t i = 0; i < replay->heard_count; i++)
		job_release(replay->heard[i]);
	free(replay->heard);
	free(replay->bytes);
}

static const struct job_ops replay_ops = {
	.stream = trace_stream, .expect = trace_expect, .fini = trace_fini};

static uint64_t *bytes_copy(const struct mesh_trace *trace)
{
	uint32_t count = trace->size.replicated ? 1 : trace->mesh->devices;
	uint64_t *bytes = malloc(count * sizeof(*bytes));

	ensure_memory(bytes != NULL, "%u sizes", count);
	memcpy(bytes, trace->bytes, count * sizeof(*bytes));
	return bytes;
}

/* Fills in replay->heard with the jobs whose expect() registers the records that the replay will
 * return to the host. If `data` is not NULL, the data of captured read i go to data[i]. Also
 * reserves event ids for the events of the replay. */
static void trace_hear(struct replay_job *replay, const struct mesh_trace *trace,
	uint32_t first_operation, void *const *data)
{
	struct command_queue *queue = replay->job.queue;
	uint32_t *next_event = &queue->mesh->next_event, reads = 0;

	if (trace->to_host)
		replay->heard = allocate(trace->item_count, sizeof(*replay->heard));
	for (uint32_t i = 0; trace->to_host && i < trace->item_count; i++) {
		const struct trace_item *item = &trace->items[i];
		uint32_t operation = first_operation == 0 ? 0 : first_operation + item->number - 1;
		struct job *heard;

		if (item->heard == NULL)
			continue;
		heard = item->heard->ops->again(item->heard, queue, *next_event, operation);
		if (item->reads && data != NULL)
			read_job_to(heard, data[reads++]);
		replay->heard[replay->heard_count++] = heard;
	}
	*next_event += trace->capture.events;
}

static void trace_trace_begin(struct replay_job *replay, uint32_t first_operation, uint32_t events)
{
	struct dispatch_command *command = &replay->job.preamble[replay->job.preamble_count++];

	command->kind = DISPATCH_TRACE_BEGIN;
	command->trace_begin.first = first_operation;
	command->trace_begin.event = events;
}

/* Returns true if the caller must wait for the replay at once. Without reader threads, the host
 * takes data out of completion queues only when it synchronizes. The queues may be too small to
 * hold the data of the replay until then. */
static bool trace_must_wait(const struct mesh_trace *trace, struct command_queue *queue)
{
	const struct read_ops *reads = queue->mesh->config.completion->reads;

	return trace->capture.read_bytes > 0 && reads->must_wait != NULL &&
	       reads->must_wait(queue, device_range_all(queue->mesh->plan.mesh.shape),
		       trace->capture.read_bytes);
}

static void trace_await(const struct replay_job *replay)
{
	for (uint32_t i = 0; i < replay->heard_count; i++)
		if (replay->heard[i]->ops->await != NULL)
			replay->heard[i]->ops->await(replay->heard[i]);
}

static void trace_send(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, void *const *data, uint32_t operation)
{
	struct mesh_device *mesh = queue->mesh;
	struct device_range all = device_range_all(mesh->plan.mesh.shape);
	struct replay_job *replay = job_new(sizeof(*replay), &replay_ops, queue, all, operation);
	struct launch_series series = {
		trace->sub_device, trace->launch_count, trace->last, trace->all_workers};
	bool wait = trace_must_wait(trace, queue);

	replay->job.same = trace->size.replicated;
	replay->job.executes = true;
	replay->job.waits = trace_sub_devices(trace);
	replay->job.launches = trace->launch_count > 0 ? 1u << trace->sub_device : 0;
	/* a dispatcher that executes only broadcasts has no path to the host */
	replay->job.uniform =
		replay->job.same && !(trace->to_host && plan_splits_dispatchers(&mesh->plan));
	replay->sub_device = trace->sub_device;
	replay->address = mesh_buffer_address(trace->buffer);
	replay->bytes = bytes_copy(trace);
	if (trace->launch_count > 0)
		launches_replay(&series, &replay->job);
	trace->replayed = true;
	trace->replay_events = mesh->next_event;
	trace_trace_begin(replay, first_operation, mesh->next_event);
	trace_hear(replay, trace, first_operation, data);
	job_streams_prepare(&replay->job);
	job_hold(&replay->job);
	job_send(&replay->job);
	launches_started(mesh, trace->sub_device);
	if (wait)
		trace_await(replay);
	job_release(&replay->job);
}

enum status trace_event(
	const struct mesh_trace *trace, const struct mesh_event *captured, struct mesh_event *event)
{
	if (captured->queue->mesh != trace->mesh || captured->capture != trace->size.id ||
		!trace->replayed)
		return STATUS_NOT_FOUND;
	*event = *captured;
	event->capture = 0;
	event->id += trace->replay_events;
	return STATUS_OK;
}

static enum status trace_enqueue(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, void *const *data, bool blocking, uint32_t operation)
{
	queue_called(operation, queue);
	ensure(trace->mesh == queue->mesh, "a trace of another mesh device");
	if (queue->capture != NULL || (trace->queue_alone && queue != trace->queue) ||
		trace->division != queue->mesh->site.loaded)
		return STATUS_INVALID;
	if (trace->buffers_end > sub_device_lowest(queue->mesh, trace->sub_device))
		return STATUS_NO_SPACE;
	LOG_TO(TRACE, DEBUG, "queue %u replays trace %u", queue->index, trace->size.id);
	trace_send(queue, trace, first_operation, data, operation);
	if (trace->launch_count > 0)
		kernel_cache_forget(&queue->kernels);
	return queue_returned(queue, device_range_all(queue->mesh->plan.mesh.shape),
		trace_sub_devices(trace), blocking, operation);
}

enum status enqueue_trace(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, bool blocking, uint32_t operation)
{
	return trace_enqueue(queue, trace, first_operation, NULL, blocking, operation);
}

enum status enqueue_trace_into(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, void *const *data, uint32_t operation)
{
	return trace_enqueue(queue, trace, first_operation, data, false, operation);
}

enum status enqueue_trace_id(struct command_queue *queue, uint32_t id, uint32_t first_operation,
	bool blocking, uint32_t operation)
{
	struct mesh_trace *trace = trace_find(queue->mesh, id);

	if (trace == NULL)
		return STATUS_NOT_FOUND;
	return enqueue_trace(queue, trace, first_operation, blocking, operation);
}
