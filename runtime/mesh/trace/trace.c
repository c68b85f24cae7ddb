/* Traces: capture, the buffer in DRAM that holds the commands, and replay. What the commands are is
 * trace_build.c's. */
#include "mesh/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "mesh/queue/call.h"
#include "mesh/queue/host_threads.h"
#include "mesh/queue/write.h"
#include "trace_private.h"

/* Small enough to spread over the banks, large enough to be one read each. */
enum { TRACE_PAGE_BYTES = 4096 };

/* ---- capture ---- */

/* Room for `more` elements behind `count`. */
static void *grow(void *array, uint32_t count, uint32_t more, uint32_t *capacity, size_t size)
{
	if (count + more <= *capacity)
		return array;
	*capacity = 2 * (count + more);
	array = allocate_more(array, *capacity * size, 1);
	return array;
}

static bool holds(const struct mesh_trace *trace, const struct workload *workload)
{
	for (uint32_t i = trace->held_count; i-- > 0;)
		if (trace->held[i] == workload)
			return true;
	return false;
}

static void hold(struct mesh_trace *trace, struct workload *workload)
{
	if (workload->traces > 0 && holds(trace, workload))
		return;
	trace->held = grow(
		trace->held, trace->held_count, 1, &trace->held_capacity, sizeof(*trace->held));
	trace->held[trace->held_count++] = workload;
	workload->traces++;
}

static void hold_range(struct mesh_trace *trace, struct part *part, struct device_range range,
	struct program_args *args)
{
	trace->args = grow(
		trace->args, trace->args_count, 1, &trace->args_capacity, sizeof(*trace->args));
	trace->args[trace->args_count++] = (struct trace_args){part, range, args};
	args_hold(args);
}

static void hold_args(struct mesh_trace *trace, const struct workload *workload)
{
	for (uint32_t i = 0; i < workload->part_count; i++) {
		struct part *part = &workload->parts[i];

		if (part->range_count == 0)
			hold_range(trace, part, part->range, part->program->args);
		for (uint32_t k = 0; k < part->range_count; k++)
			hold_range(trace, part, part->ranges[k].range,
				range_args_of(part, &part->ranges[k]));
		if (part->program->buffers_end > trace->buffers_end)
			trace->buffers_end = part->program->buffers_end;
	}
}

static void capture(struct capture *capture, struct workload *workload)
{
	struct mesh_trace *trace = (struct mesh_trace *)capture;
	struct trace_launch *launch;

	trace->launches = grow(trace->launches, trace->launch_count, 1, &trace->launch_capacity,
		sizeof(*trace->launches));
	launch = &trace->launches[trace->launch_count++];
	*launch = (struct trace_launch){workload, trace->args_count, 0};
	hold(trace, workload);
	hold_args(trace, workload);
	launch->args_count = trace->args_count - launch->first_args;
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
	trace->capture = (struct capture){capture, drop};
	trace->mesh = queue->mesh;
	trace->last = allocate(queue->mesh->devices, sizeof(*trace->last));
	trace->counts = allocate(queue->mesh->devices, sizeof(*trace->counts));
	queue->capture = &trace->capture;
	return STATUS_OK;
}

/* ---- the buffer ---- */

static enum status take_region(struct mesh_trace *trace, struct text *why)
{
	uint64_t pages = (trace->size.bytes + TRACE_PAGE_BYTES - 1) / TRACE_PAGE_BYTES;
	struct mesh_layout layout = {.size_bytes = pages * TRACE_PAGE_BYTES};
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = TRACE_PAGE_BYTES};
	struct allocator *region = trace->mesh->trace_region;
	enum status status =
		mesh_buffer_take(trace->mesh, region ? region : trace->mesh->memory[BUFFER_DRAM],
			&layout, &config, why, &trace->buffer);

	return status == STATUS_UNSUPPORTED ? STATUS_NO_SPACE : status;
}

/* Copies a stream to the devices of a range. */
static void write_stream(struct command_queue *queue, const struct mesh_trace *trace,
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
		write_stream(queue, trace, device_range_all(shape), &streams->streams[0]);
	for (uint32_t i = 0; streams->count > 1 && i < streams->count; i++) {
		uint16_t row = (uint16_t)(i / shape.columns),
			 column = (uint16_t)(i % shape.columns);

		write_stream(queue, trace, (struct device_range){row, column, row, column},
			&streams->streams[i]);
	}
	return queue_finish(queue, 0, DEADLINE_NEVER);
}

static enum status finish(struct command_queue *queue, struct mesh_trace *trace, struct text *why)
{
	struct trace_streams streams;
	enum status status;

	if (trace->launch_count == 0)
		return refuse(why, STATUS_INVALID, "a trace without workloads");
	if (trace->launch_count > TRACE_LAUNCHES_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "%u workloads in a trace, at most %d",
			trace->launch_count, TRACE_LAUNCHES_MAX);
	trace->size.workloads = trace->launch_count;
	trace_build(trace, &streams);
	status = take_region(trace, why);
	if (status == STATUS_OK)
		status = write_streams(queue, trace, &streams);
	trace_streams_fini(&streams);
	return status;
}

static struct mesh_trace *enlist(struct mesh_trace *trace)
{
	struct mesh_device *mesh = trace->mesh;

	trace->id = trace->size.id = ++mesh->next_trace;
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

	while (trace != NULL && trace->id != id)
		trace = trace->next;
	return trace;
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

enum status trace_end(struct command_queue *queue, struct text *why, struct mesh_trace **trace)
{
	struct mesh_trace *captured = (struct mesh_trace *)queue->capture;
	enum status status;

	world->work(WORK_API_CALL, 1);
	if (captured == NULL)
		return refuse(why, STATUS_INVALID, "queue %u captures no trace", queue->index);
	queue->capture = NULL;
	status = finish(queue, captured, why);
	if (status == STATUS_OK || status == STATUS_ELIDED)
		*trace = enlist(captured);
	else
		trace_free(captured);
	return status;
}

void trace_free(struct mesh_trace *trace)
{
	if (trace == NULL)
		return;
	host_threads_wait(trace->mesh);
	delist(trace);
	for (uint32_t i = 0; i < trace->args_count; i++)
		args_release(trace->args[i].args);
	for (uint32_t i = 0; i < trace->held_count; i++)
		trace->held[i]->traces--;
	mesh_buffer_free(trace->buffer);
	free(trace->args);
	free(trace->held);
	free(trace->launches);
	free(trace->last);
	free(trace->counts);
	free(trace->bytes);
	free(trace);
}

struct trace_size trace_size(const struct mesh_trace *trace)
{
	return trace->size;
}

struct trace_counts trace_counts(const struct mesh_trace *trace, uint16_t row, uint16_t column)
{
	struct mesh_shape shape = trace->mesh->plan.mesh.shape;

	ensure(row < shape.rows && column < shape.columns, "device %u,%u", row, column);
	return trace->counts[(uint32_t)row * shape.columns + column];
}

/* ---- replay ---- */

struct replay_job {
	struct job job; /* first */
	uint32_t address;
	uint32_t *bytes; /* [1], or [device] */
};

static struct prefetch_pages pages_of(uint32_t address, uint32_t bytes)
{
	uint32_t pages = (bytes + TRACE_PAGE_BYTES - 1) / TRACE_PAGE_BYTES;

	return (struct prefetch_pages){.base = address,
		.page_bytes = TRACE_PAGE_BYTES,
		.pages = pages,
		.trim_bytes = pages * TRACE_PAGE_BYTES - bytes};
}

static struct command_stream *stream(struct job *job, uint32_t device)
{
	const struct replay_job *replay = (struct replay_job *)job;
	struct command_stream *stream = job_stream_slot(job, device);
	struct prefetch_command execute = {.kind = PREFETCH_EXECUTE};
	struct dispatch_command end = {.kind = DISPATCH_TRACE_END};

	execute.execute = pages_of(replay->address, replay->bytes[job->same ? 0 : device]);
	command_stream_prefetch(stream, &execute);
	command_stream_dispatch(stream, &end);
	command_stream_finish(stream);
	return stream;
}

static void fini(struct job *job)
{
	free(((struct replay_job *)job)->bytes);
}

static const struct job_ops replay_ops = {.stream = stream, .fini = fini};

static uint32_t *bytes_copy(const struct mesh_trace *trace)
{
	uint32_t count = trace->size.replicated ? 1 : trace->mesh->devices;
	uint32_t *bytes = malloc(count * sizeof(*bytes));

	ensure(bytes != NULL, "no memory for %u sizes", count);
	memcpy(bytes, trace->bytes, count * sizeof(*bytes));
	return bytes;
}

static void send(struct command_queue *queue, const struct mesh_trace *trace,
	uint32_t first_operation, uint32_t operation)
{
	struct device_range all = device_range_all(queue->mesh->plan.mesh.shape);
	struct replay_job *replay = job_new(sizeof(*replay), &replay_ops, queue, all, operation);
	struct launch_series series = {trace->launch_count, trace->last, trace->all_workers};
	struct dispatch_command *begin;

	replay->job.same = replay->job.uniform = trace->size.replicated;
	replay->address = mesh_buffer_address(trace->buffer);
	replay->bytes = bytes_copy(trace);
	launches_replay(&series, &replay->job);
	begin = &replay->job.preamble[replay->job.preamble_count++];
	begin->kind = DISPATCH_TRACE_BEGIN;
	begin->trace_begin.first = first_operation;
	job_streams_prepare(&replay->job);
	job_send(&replay->job);
	launches_started(queue->mesh);
}

enum status enqueue_trace(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, bool blocking, uint32_t operation)
{
	queue_called(operation, queue);
	ensure(trace->mesh == queue->mesh, "a trace of another mesh device");
	if (queue->capture != NULL)
		return STATUS_INVALID;
	if (trace->buffers_end > allocator_lowest(queue->mesh->memory[BUFFER_L1]))
		return STATUS_NO_SPACE;
	send(queue, trace, first_operation, operation);
	kernel_cache_forget(&queue->kernels);
	return queue_returned(
		queue, device_range_all(queue->mesh->plan.mesh.shape), blocking, operation);
}

enum status enqueue_trace_id(struct command_queue *queue, uint32_t id, uint32_t first_operation,
	bool blocking, uint32_t operation)
{
	struct mesh_trace *trace = trace_find(queue->mesh, id);

	if (trace == NULL)
		return STATUS_NOT_FOUND;
	return enqueue_trace(queue, trace, first_operation, blocking, operation);
}
