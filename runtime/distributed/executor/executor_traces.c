/* Traces (spec 4.6): captured, replayed and released on the part's mesh. Where the part has taken
 * no part in what was captured, a trace is nothing. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "executor_private.h"

struct remote_trace {
	struct mesh_trace *trace; /* NULL: nothing of it is here */
};

static struct remote_trace *find(struct executor *executor, uint32_t trace, struct text *why)
{
	struct remote_trace *found = things_find(&executor->traces, trace);

	if (found == NULL && why != NULL)
		text_printf(why, "no trace %u", trace);
	return found;
}

static enum status begin(struct executor *executor, uint32_t queue, struct text *why)
{
	enum status status = trace_begin(executor_queue(executor, queue), why);

	if (status == STATUS_OK)
		executor->capturing[queue] = true;
	return status;
}

static enum status end(
	struct executor *executor, const struct wire_end_trace *message, struct text *why)
{
	struct remote_trace *made;
	struct text quiet = {0};
	enum status status;

	if (!executor->capturing[message->queue] ||
		things_find(&executor->traces, message->trace) != NULL)
		return refuse(why, STATUS_INVALID, "nothing is captured, or trace %u is there",
			message->trace);
	made = allocate(1, sizeof *made);
	status = trace_end(executor_queue(executor, message->queue), &quiet, &made->trace);
	executor->capturing[message->queue] = false;
	if (status == STATUS_INVALID) /* nothing of it is here */
		status = STATUS_OK;
	if (status == STATUS_OK || status == STATUS_ELIDED)
		(void)things_put(&executor->traces, message->trace, made);
	else
		free(made);
	if (status != STATUS_OK && why != NULL)
		text_append(why, text_string(&quiet));
	text_fini(&quiet);
	return status;
}

static enum status replay(
	struct executor *executor, const struct wire_enqueue_trace *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	const struct remote_trace *trace = find(executor, message->trace, why);
	enum status status = STATUS_OK;

	if (trace == NULL)
		return STATUS_NOT_FOUND;
	if (trace->trace != NULL)
		status = enqueue_trace(executor_queue(executor, message->queue), trace->trace,
			message->first_operation, false, message->operation);
	if (status == STATUS_OK && message->blocking)
		pending_add(executor, &head, PENDING_ANSWER,
			device_range_all(mesh_device_shape(executor->mesh)), message->operation,
			NULL, 0);
	return status;
}

static enum status release(struct executor *executor, uint32_t trace, struct text *why)
{
	struct remote_trace *freed = find(executor, trace, why);

	if (freed == NULL)
		return STATUS_NOT_FOUND;
	trace_free(freed->trace);
	free(freed);
	return things_put(&executor->traces, trace, NULL);
}

static enum status name_event(
	struct executor *executor, const struct wire_name_event *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	const struct remote_trace *trace = find(executor, message->trace, why);
	const struct remote_event *captured = executor_event(executor, message->captured);
	struct remote_event *event;
	enum status status;

	if (trace == NULL || captured == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no trace %u, or no event %llu",
			message->trace, (unsigned long long)message->captured);
	event = executor_new_event(executor, message->event);
	if (!captured->here || trace->trace == NULL)
		return STATUS_OK;
	status = trace_event(trace->trace, &captured->event, &event->event);
	event->here = status == STATUS_OK;
	if (event->here && event->event.to_host)
		pending_add_event(executor, &head, event);
	return status;
}

enum status executor_trace(
	struct executor *executor, const struct wire_command *command, struct text *why)
{
	if (executor_queue(executor, command->head.queue) == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no queue %u", command->head.queue);
	switch (command->kind) {
	case WIRE_begin_trace:
		return begin(executor, command->head.queue, why);
	case WIRE_end_trace:
		return end(executor, &command->end_trace, why);
	case WIRE_enqueue_trace:
		return replay(executor, &command->enqueue_trace, why);
	case WIRE_release_trace:
		return release(executor, command->release_trace.trace, why);
	default:
		return name_event(executor, &command->name_event, why);
	}
}

void executor_free_traces(struct executor *executor)
{
	for (uint32_t i = 0; i < executor->traces.count; i++)
		if (executor->traces.at[i] != NULL)
			(void)release(executor, i, NULL);
}
