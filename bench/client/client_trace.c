/* The client's traces. When a trace step runs for the first time, the steps in it are captured. The
 * trace is then replayed. In every replay, each captured step is a separate operation, whose call
 * is marked when the replay is called. */
#include <string.h>

#include "base/ensure.h"
#include "client_private.h"
#include "world/world.h"

static bool capture_step(struct client *client, const struct step *step)
{
	switch (step->kind) {
	case STEP_ENQUEUE_WORKLOAD:
		return client_enqueue(client, step, 0);
	case STEP_WRITE_BUFFER:
		return client_write_captured(client, step);
	case STEP_READ_BUFFER:
		return client_read_captured(client, step);
	case STEP_COLLECTIVE:
		return client_collective_captured(client, step);
	case STEP_RECORD_EVENT:
		return client_record_captured(client, step);
	case STEP_WAIT_EVENT:
		return client_wait_captured(client, step);
	default:
		ensure(false, "step %u in a trace", step->number);
		return false;
	}
}

static bool capture_steps(struct client *client, const struct repeat_step *body)
{
	for (uint32_t times = 0; times < body->times; times++)
		for (uint32_t i = 0; i < body->step_count; i++) {
			const struct step *step = &body->steps[i];
			bool good = step->kind == STEP_REPEAT ? capture_steps(client, &step->repeat)
							      : capture_step(client, step);

			if (!good)
				return false;
		}
	return true;
}

static bool begin_to_end(struct client *client, const struct step *step)
{
	struct device_handle *device = client->device;
	enum status status = device->ops->trace_begin(device, step->trace.queue, NULL);
	struct text why;

	if (status != STATUS_OK)
		return client_fail(client, "begin of a trace: %s", status_message(status));
	client_forget_values(client, &step->trace.body);
	if (!capture_steps(client, &step->trace.body))
		return false;
	client_capture_ended(client);
	client->steps[step->number].where = step->where;
	text_init(&why);
	status = device->ops->trace_end(
		device, step->trace.queue, &why, &client->steps[step->number].trace);
	if (status == STATUS_NO_SPACE)
		client_refuse(client, step->where, "the trace does not fit: %s",
			why.length ? text_string(&why) : status_message(status));
	else if (!client_is_complete(client, status))
		client_fail(client, "end of a trace: %s", status_message(status));
	text_fini(&why);
	return client_is_complete(client, status);
}

/* Captures a trace. The capture is recorded as an operation, which lasts from the call that begins
 * the capture to the call that ends it. */
static bool capture(struct client *client, const struct step *step)
{
	uint32_t operation = client_start_capture(client, step);
	bool good;

	world->mark(operation, MARK_CALLED, step->trace.queue);
	good = begin_to_end(client, step);
	world->mark(operation, MARK_RETURNED, step->trace.queue);
	return good;
}

static uint64_t client_trace_bytes_of(const struct client *client, const struct step *step)
{
	if (step->kind == STEP_COLLECTIVE)
		return step->collective.size_bytes;
	return step->kind == STEP_WRITE_BUFFER || step->kind == STEP_READ_BUFFER
		       ? client_moved_bytes(client, step)
		       : 0;
}

/* Updates the client's state for a replayed step, which has the number `operation`. */
static void replay_step(
	struct client *client, const struct step *step, uint32_t queue, uint32_t operation)
{
	struct client_step *state = &client->steps[step->number];

	state->executed++;
	if (step->kind == STEP_RECORD_EVENT)
		state->event->operation = operation;
	if (step->kind == STEP_ENQUEUE_WORKLOAD)
		client_workload_ran(client, state->workload);
	else if (step->kind == STEP_WRITE_BUFFER)
		client_write_replayed(client, step);
	else if (step->kind == STEP_READ_BUFFER)
		client_read_replayed(client, step, queue);
	else if (step->kind == STEP_COLLECTIVE)
		client_collective_ran(client, step);
}

/* Numbers the operations of a step in a replay. Returns the first number. */
static uint32_t number_step(struct client *client, const struct step *step, uint32_t queue)
{
	uint32_t first =
		step->kind == STEP_READ_BUFFER ? client_start_rounds(client, step, queue) : 0;
	uint32_t operation =
		client_start_operation(client, step, queue, client_trace_bytes_of(client, step));

	world->mark(operation, MARK_CALLED, queue);
	replay_step(client, step, queue, operation);
	return first != 0 ? first : operation;
}

/* Numbers the operations of one replay. Returns the first number. */
static uint32_t client_trace_number_steps(
	struct client *client, const struct repeat_step *body, uint32_t queue)
{
	uint32_t first = 0;

	for (uint32_t times = 0; times < body->times; times++)
		for (uint32_t i = 0; i < body->step_count; i++) {
			const struct step *step = &body->steps[i];
			uint32_t operation =
				step->kind == STEP_REPEAT
					? client_trace_number_steps(client, &step->repeat, queue)
					: number_step(client, step, queue);

			first = first == 0 ? operation : first;
		}
	return first;
}

static bool note_events(
	struct client *client, const struct repeat_step *body, const struct handle_trace *trace)
{
	for (uint32_t i = 0; i < body->step_count; i++) {
		const struct step *step = &body->steps[i];

		if (step->kind == STEP_REPEAT && !note_events(client, &step->repeat, trace))
			return false;
		if (step->kind == STEP_RECORD_EVENT && !client_record_replayed(client, step, trace))
			return false;
	}
	return true;
}

/* Replays the trace that step `step` has captured. Step `by` is the step that requests the replay:
 * a replay step, or `step` itself. */
static bool replay(struct client *client, const struct step *by, const struct step *step,
	uint32_t queue, bool blocking)
{
	struct handle_trace *trace = client->steps[step->number].trace;
	struct handle_call call = {queue, blocking, client_start_operation(client, by, queue, 0)};
	uint32_t first = client_trace_number_steps(client, &step->trace.body, queue);
	enum status status = client->device->ops->replay(client->device, call, trace, first);

	if (status == STATUS_NO_SPACE)
		return client_refuse(client, by->where,
			"circular buffers of the trace's programs reach into a buffer in L1");
	if (!client_is_complete(client, status))
		return client_fail(client, "replay of a trace: %s", status_message(status));
	client->steps[step->number].replayed[queue] = true;
	return note_events(client, &step->trace.body, trace) &&
	       (!blocking || client_compare_reads(client, queue, client_all_devices(client)));
}

static bool client_trace_run_step(struct client *client, const struct step *step)
{
	switch (step->kind) {
	case STEP_ENQUEUE_WORKLOAD:
		return client_enqueue(client, step,
			client_start_operation(client, step, step->workload.queue, 0));
	case STEP_WRITE_BUFFER:
		return client_write(client, step);
	case STEP_READ_BUFFER:
		return client_read(client, step);
	case STEP_COLLECTIVE:
		return client_collective(client, step);
	case STEP_RECORD_EVENT:
		return client_record(client, step);
	case STEP_WAIT_EVENT:
		return client_wait(client, step);
	default:
		ensure(false, "step %u in a trace", step->number);
		return false;
	}
}

/* Returns a copy of the step that uses queue `queue`. */
static struct step moved_to(const struct step *step, uint32_t queue)
{
	struct step moved = *step;

	if (step->kind == STEP_ENQUEUE_WORKLOAD)
		moved.workload.queue = queue;
	else if (step->kind == STEP_WRITE_BUFFER)
		moved.write.queue = queue;
	else if (step->kind == STEP_READ_BUFFER)
		moved.read.queue = queue;
	else if (step->kind == STEP_COLLECTIVE)
		moved.collective.queue = queue;
	return moved; /* steps that record or await events keep their queue */
}

static bool run_body(struct client *client, const struct repeat_step *body, uint32_t queue)
{
	for (uint32_t times = 0; times < body->times; times++)
		for (uint32_t i = 0; i < body->step_count; i++) {
			const struct step *step = &body->steps[i];
			struct step moved = moved_to(step, queue);
			bool good =
				step->kind == STEP_REPEAT
					? run_body(client, &step->repeat, queue)
					: client_trace_run_step(client,
						  step->kind == STEP_WAIT_EVENT ? step : &moved);

			if (!good)
				return false;
			client->steps[step->number].executed++;
		}
	return true;
}

/* Runs the steps of a trace directly. Called if the scenario has turned traces off. */
static bool run_untraced(struct client *client, const struct step *step, uint32_t queue,
	uint32_t times, bool blocking)
{
	for (uint32_t i = 0; i < times; i++)
		if (!run_body(client, &step->trace.body, queue))
			return false;
	return !blocking || client_finish_sub_devices(client, queue, 0, client_needs(client, step));
}

static bool is_off(const struct client *client)
{
	return client->plan->scenario->runtime.traces == TRACES_OFF;
}

bool client_trace(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];

	if (is_off(client))
		return run_untraced(
			client, step, step->trace.queue, step->trace.replays, step->trace.blocking);
	if (!state->trace && !capture(client, step))
		return false;
	for (uint32_t i = 0; i < step->trace.replays; i++) {
		if (i > 0)
			state->executed++;
		if (!replay(client, step, step, step->trace.queue, step->trace.blocking))
			return false;
	}
	return true;
}

bool client_replay_trace(struct client *client, const struct step *step)
{
	const struct step *captured = step->replay.captured;

	if (is_off(client))
		return run_untraced(client, captured, step->replay.queue, step->replay.times,
			step->replay.blocking);
	if (!client->steps[captured->number].trace)
		return client_refuse(client, step->replay.trace_where,
			"trace '%s' went with its mesh, which was closed", step->replay.trace);
	for (uint32_t i = 0; i < step->replay.times; i++) {
		if (i > 0)
			client->steps[step->number].executed++;
		if (!replay(client, step, captured, step->replay.queue, step->replay.blocking))
			return false;
	}
	return true;
}

/* Waits until the replays of a trace are complete on all queues, then frees the trace. */
static bool release(struct client *client, const struct step *trace, struct client_step *captured)
{
	const struct handle_ops *ops = client->device->ops;
	uint32_t sub_devices = ops->trace_sub_devices(captured->trace);

	for (uint32_t i = 0; i < MESH_COMMAND_QUEUES_MAX; i++)
		if ((captured->replayed[i] || i == trace->trace.queue) &&
			!client_finish_sub_devices(client, i, 0, sub_devices))
			return false;
	ops->trace_free(captured->trace);
	captured->trace = NULL;
	memset(captured->replayed, 0, sizeof captured->replayed);
	return true;
}

bool client_release_trace(struct client *client, const struct step *step)
{
	const struct step *trace = step->release.captured;
	struct client_step *captured = &client->steps[trace->number];
	uint32_t operation;
	bool good;

	if (is_off(client) || !captured->trace)
		return true;
	operation = client_start_operation(client, step, trace->trace.queue, 0);
	world->mark(operation, MARK_CALLED, trace->trace.queue);
	good = release(client, trace, captured);
	world->mark(operation, MARK_RETURNED, trace->trace.queue);
	return good;
}

void client_traces_free(struct client *client)
{
	for (uint32_t i = 0; i < client->step_count; i++) {
		struct client_step *step = &client->steps[i];
		uint64_t taken;

		if (!step->trace)
			continue;
		taken = client_taken(client);
		client->device->ops->trace_free(step->trace);
		step->trace = NULL;
		client_note_left(client, "trace", NULL, step->where, taken);
	}
}
