/* Captures, replays and releases traces on the part's mesh (spec 4.6). Every replay allocates
 * memory for the data that it reads, and sends the data when the replay is complete. If no captured
 * call uses a device of the part, the trace is empty on this part. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "executor_private.h"

struct remote_trace {
	struct mesh_trace *trace; /* NULL: the trace is empty on this part */
	struct captured_reads reads;
};

static struct remote_trace *executor_traces_find(
	struct served *served, uint32_t trace, struct text *why)
{
	struct remote_trace *found = things_find(&served->traces, trace);

	if (found == NULL && why != NULL)
		text_printf(why, "no trace %u", trace);
	return found;
}

static enum status executor_traces_begin(struct served *served, uint32_t queue, struct text *why)
{
	enum status status = trace_begin(executor_queue(served, queue), why);

	if (status == STATUS_OK)
		served->capturing[queue] = true;
	return status;
}

void executor_count(struct served *served, const struct wire_head *head, uint32_t call)
{
	if (executor_queue(served, head->queue) != NULL && served->capturing[head->queue])
		trace_number(executor_queue(served, head->queue), call);
}

void executor_captured(struct served *served, uint32_t queue, const struct captured_read *read)
{
	struct captured_reads *reads = &served->captured[queue];
	uint32_t count = reads->count++;

	if ((count & (count + 1)) == 0)
		reads->at = allocate_more(reads->at, 2 * count + 1, sizeof *reads->at);
	reads->at[count] = *read;
}

static void free_trace(struct remote_trace *trace)
{
	trace_free(trace->trace);
	free(trace->reads.at);
	free(trace);
}

static enum status executor_traces_end(
	struct served *served, const struct wire_end_trace *message, struct text *why)
{
	struct remote_trace *made;
	struct text quiet = {0};
	enum status status;

	if (!served->capturing[message->queue] ||
		things_find(&served->traces, message->trace) != NULL)
		return refuse(why, STATUS_INVALID, "nothing is captured, or trace %u is there",
			message->trace);
	made = allocate(1, sizeof *made);
	made->reads = served->captured[message->queue];
	served->captured[message->queue] = (struct captured_reads){0};
	status = trace_end(executor_queue(served, message->queue), &quiet, &made->trace);
	served->capturing[message->queue] = false;
	if (status == STATUS_INVALID) /* the trace is empty on this part */
		status = STATUS_OK;
	if (status == STATUS_OK || status == STATUS_ELIDED)
		(void)things_put(&served->traces, message->trace, made);
	else
		free_trace(made);
	if (status != STATUS_OK && why != NULL)
		text_append(why, text_string(&quiet));
	text_fini(&quiet);
	return status;
}

/* Schedules the messages that this executor must send when the replay of a trace is complete: the
 * data of all reads in the trace, and, if the controller's call blocks until then, the answer to
 * it. */
static void owe(struct served *served, const struct wire_enqueue_trace *message,
	const struct remote_trace *trace, void *const *data)
{
	uint32_t sub_devices = trace->trace != NULL ? trace_sub_devices(trace->trace) : 0;
	const struct point point =
		executor_point(served, sub_devices, message->blocking ? message->operation : 0);
	const struct wire_head head = {message->number, message->queue};
	const struct captured_reads *reads = &trace->reads;

	for (uint32_t i = 0; i < reads->count; i++) {
		const struct captured_read *read = &reads->at[i];
		const struct wire_head own = {message->number - read->call, message->queue};
		enum pending_kind kind = read->answers ? PENDING_READ : PENDING_POINT;

		if (i == 0)
			pending_add(served, &own, kind, point, data[i], read->bytes);
		else
			pending_add_there(served, &own, kind, data[i], read->bytes);
		if (read->cut)
			pending_cut(served, message->queue, &read->spread);
	}
	if (message->blocking && reads->count > 0)
		pending_add_there(served, &head, PENDING_ANSWER, NULL, 0);
	else if (message->blocking)
		pending_add(served, &head, PENDING_ANSWER, point, NULL, 0);
}

/* Sends an answer without data for each read of a replay that has failed. */
static void owe_nothing(struct served *served, const struct wire_enqueue_trace *message,
	const struct captured_reads *reads, void *const *data, enum status status)
{
	const struct text nothing = {0};

	for (uint32_t i = 0; i < reads->count; i++) {
		const struct wire_head own = {message->number - reads->at[i].call, message->queue};

		if (reads->at[i].answers)
			executor_complete(served->executor, &own, status, &nothing);
		free(data[i]);
	}
}

static enum status replay(
	struct served *served, const struct wire_enqueue_trace *message, struct text *why)
{
	const struct remote_trace *trace = executor_traces_find(served, message->trace, why);
	enum status status = STATUS_OK;
	void **data;

	if (trace == NULL)
		return STATUS_NOT_FOUND;
	data = allocate(trace->reads.count + 1, sizeof *data);
	for (uint32_t i = 0; i < trace->reads.count; i++)
		data[i] = allocate(1, trace->reads.at[i].bytes);
	if (trace->trace != NULL)
		status = enqueue_trace_into(executor_queue(served, message->queue), trace->trace,
			message->first_operation, data, message->operation);
	if (status == STATUS_OK)
		owe(served, message, trace, data);
	else
		owe_nothing(served, message, &trace->reads, data, status);
	free(data);
	return status;
}

static enum status executor_traces_release(struct served *served, uint32_t trace, struct text *why)
{
	struct remote_trace *freed = executor_traces_find(served, trace, why);

	if (freed == NULL)
		return STATUS_NOT_FOUND;
	free_trace(freed);
	return things_put(&served->traces, trace, NULL);
}

static enum status name_event(
	struct served *served, const struct wire_name_event *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	const struct remote_trace *trace = executor_traces_find(served, message->trace, why);
	const struct remote_event *known = executor_event(served, message->captured);
	struct remote_event captured, *event;
	enum status status;

	if (trace == NULL || known == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no trace %u, or no event %llu",
			message->trace, (unsigned long long)message->captured);
	captured = *known; /* copy the event, because adding another event may move the array */
	event = executor_new_event(served, message->event);
	if (event == NULL)
		return refuse(
			why, STATUS_OUT_OF_RANGE, "more than %d events in one run", EVENTS_MAX);
	if (!captured.here || trace->trace == NULL)
		return STATUS_OK;
	status = trace_event(trace->trace, &captured.event, &event->event);
	event->here = status == STATUS_OK;
	if (event->here && event->event.to_host)
		pending_add_event(served, &head, event);
	return status;
}

enum status executor_trace(
	struct served *served, const struct wire_command *command, struct text *why)
{
	if (executor_queue(served, command->head.queue) == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no queue %u", command->head.queue);
	switch (command->kind) {
	case WIRE_begin_trace:
		return executor_traces_begin(served, command->head.queue, why);
	case WIRE_end_trace:
		return executor_traces_end(served, &command->end_trace, why);
	case WIRE_enqueue_trace:
		return replay(served, &command->enqueue_trace, why);
	case WIRE_release_trace:
		return executor_traces_release(served, command->release_trace.trace, why);
	default:
		return name_event(served, &command->name_event, why);
	}
}

void executor_free_traces(struct served *served)
{
	for (uint32_t i = 0; i < served->traces.count; i++)
		if (served->traces.at[i] != NULL)
			(void)executor_traces_release(served, i, NULL);
}
