/* Captures a trace: keeps all calls that are enqueued on a queue between trace_begin() and
 * trace_end(). If a call enqueues a workload, keeps the workload and the arguments that it has at
 * this time. For all other calls, keeps their commands. trace_build.c then makes the commands of
 * the trace. */
#include <stdlib.h>

#include "base/allocate.h"
#include "trace_private.h"

/* Returns the array. If `more` elements do not fit after the first `count`, first reallocates the
 * array and updates *capacity. */
static void *capture_grow(
	void *array, uint32_t count, uint32_t more, uint32_t *capacity, size_t size)
{
	if (count + more <= *capacity)
		return array;
	*capacity = 2 * (count + more);
	array = allocate_more(array, *capacity * size, 1);
	return array;
}

static struct trace_item *item_add(struct mesh_trace *trace)
{
	trace->items = capture_grow(
		trace->items, trace->item_count, 1, &trace->item_capacity, sizeof(*trace->items));
	trace->items[trace->item_count] = (struct trace_item){.number = ++trace->number};
	return &trace->items[trace->item_count++];
}

/* ---- workloads ---- */

static bool capture_holds(const struct mesh_trace *trace, const struct workload *workload)
{
	for (uint32_t i = trace->held_count; i-- > 0;)
		if (trace->held[i] == workload)
			return true;
	return false;
}

static void hold(struct mesh_trace *trace, struct workload *workload)
{
	if (workload->traces > 0 && capture_holds(trace, workload))
		return;
	trace->held = capture_grow(
		trace->held, trace->held_count, 1, &trace->held_capacity, sizeof(*trace->held));
	trace->held[trace->held_count++] = workload;
	workload->traces++;
}

static void hold_range(struct mesh_trace *trace, struct part *part, struct device_range range,
	struct program_args *args)
{
	trace->args = capture_grow(
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

/* Adds a launch to the trace. All launches of a trace must belong to one sub-device, because a
 * replay inserts all of them into the launch sequence of that sub-device. */
static enum status capture_add(struct capture *capture, struct workload *workload)
{
	struct mesh_trace *trace = (struct mesh_trace *)capture;
	struct trace_launch *launch;

	if (trace->launch_count == 0)
		trace->sub_device = (uint32_t)__builtin_ctz(workload->sub_devices);
	if (workload->sub_devices != 1u << trace->sub_device)
		return STATUS_INVALID;
	trace->sub_devices |= workload->sub_devices;
	trace->launches = capture_grow(trace->launches, trace->launch_count, 1,
		&trace->launch_capacity, sizeof(*trace->launches));
	launch = &trace->launches[trace->launch_count++];
	*launch = (struct trace_launch){workload, trace->args_count, 0, item_add(trace)->number};
	hold(trace, workload);
	hold_args(trace, workload);
	launch->args_count = trace->args_count - launch->first_args;
	return STATUS_OK;
}

/* ---- everything else ---- */

static void capture_hold_buffer(struct capture *capture, const struct mesh_buffer *buffer)
{
	struct mesh_trace *trace = (struct mesh_trace *)capture;

	trace->used = capture_grow(
		trace->used, trace->used_count, 1, &trace->used_capacity, sizeof(*trace->used));
	trace->used[trace->used_count++] = buffer;
}

/* Returns true if every device of the mesh gets the same commands from the job. */
static bool capture_same_everywhere(const struct mesh_trace *trace, const struct job *job)
{
	uint32_t devices = trace->mesh->devices;

	if (!job->same || device_range_count(job->range) != devices)
		return false;
	for (uint32_t device = 0; device < devices; device++)
		if (!job_holds(job, device))
			return false;
	return true;
}

static void capture_build(struct mesh_trace *trace, struct trace_item *item, struct job *job)
{
	uint32_t count = device_range_count(job->range);

	item->same = capture_same_everywhere(trace, job);
	item->streams = allocate(item->same ? 1 : trace->mesh->devices, sizeof(*item->streams));
	for (uint32_t i = 0; i < (item->same ? 1 : trace->mesh->devices); i++)
		command_stream_init(&item->streams[i], 0);
	for (uint32_t i = 0; i < (item->same ? 1 : count); i++) {
		uint32_t device = range_device(trace->mesh, job->range, i);

		if (job_holds(job, device))
			command_stream_append(&item->streams[item->same ? 0 : device],
				job->ops->stream(job, device));
	}
}

static void capture_count(struct trace_size *size, enum captured kind)
{
	size->writes += kind == CAPTURED_WRITE;
	size->reads += kind == CAPTURED_READ;
	size->records += kind == CAPTURED_RECORD;
	size->waits += kind == CAPTURED_WAIT;
}

/* Adds a call other than a launch. Builds its commands now, so that they hold the current data. */
static void capture_take(struct capture *capture, struct job *job, enum captured kind)
{
	struct mesh_trace *trace = (struct mesh_trace *)capture;
	struct trace_item *item = item_add(trace);

	job->operation = item->number;
	item->reads = kind == CAPTURED_READ;
	trace->sub_devices |= job->waits;
	capture_build(trace, item, job);
	capture_count(&trace->size, kind);
	trace->queue_alone |= kind == CAPTURED_RECORD || kind == CAPTURED_WAIT;
	trace->to_host |= job->to_host;
	if (job->to_host)
		item->heard = job;
	else
		job_release(job);
}

void trace_number(struct command_queue *queue, uint32_t number)
{
	struct mesh_trace *trace = (struct mesh_trace *)queue->capture;

	if (trace != NULL && number > trace->number)
		trace->number = number - 1;
}

void trace_capture_init(struct mesh_trace *trace)
{
	trace->capture.add = capture_add;
	trace->capture.take = capture_take;
	trace->capture.hold = capture_hold_buffer;
}

void trace_drop_streams(struct mesh_trace *trace)
{
	for (uint32_t i = 0; i < trace->item_count; i++) {
		struct trace_item *item = &trace->items[i];
		uint32_t streams = item->same ? 1 : trace->mesh->devices;

		for (uint32_t k = 0; item->streams != NULL && k < streams; k++)
			command_stream_fini(&item->streams[k]);
		free(item->streams);
		item->streams = NULL;
	}
}

void trace_drop_captured(struct mesh_trace *trace)
{
	trace_drop_streams(trace);
	for (uint32_t i = 0; i < trace->item_count; i++)
		if (trace->items[i].heard != NULL)
			job_release(trace->items[i].heard);
	for (uint32_t i = 0; i < trace->args_count; i++)
		args_release(trace->args[i].args);
	for (uint32_t i = 0; i < trace->held_count; i++)
		trace->held[i]->traces--;
	free(trace->items);
	free(trace->args);
	free(trace->held);
	free(trace->launches);
}
