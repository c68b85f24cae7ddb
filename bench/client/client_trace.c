/* The client's traces: captures the workloads of a trace step when it is first reached, and replays
 * them. Every workload of every replay is an operation of its own, called when its replay is. */
#include "base/ensure.h"
#include "client_private.h"
#include "world/world.h"

static bool capture_steps(struct client *client, const struct repeat_step *body)
{
	for (uint32_t times = 0; times < body->times; times++)
		for (uint32_t i = 0; i < body->step_count; i++) {
			const struct step *step = &body->steps[i];
			bool good = step->kind == STEP_REPEAT ? capture_steps(client, &step->repeat)
							      : client_enqueue(client, step, 0);

			if (!good)
				return false;
		}
	return true;
}

static bool capture(struct client *client, const struct step *step)
{
	struct device_handle *device = client->device;
	enum status status = device->ops->trace_begin(device, step->trace.queue, NULL);
	struct text why;

	if (status != STATUS_OK)
		return client_fail(client, "begin of a trace: %s", status_message(status));
	if (!capture_steps(client, &step->trace.body))
		return false;
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

/* Numbers the operations of one replay; returns the first. `again`: the workloads run once more
 * than they were enqueued. */
static uint32_t number_steps(struct client *client, const struct repeat_step *body, bool again)
{
	uint32_t first = 0;

	for (uint32_t times = 0; times < body->times; times++)
		for (uint32_t i = 0; i < body->step_count; i++) {
			const struct step *step = &body->steps[i];
			struct client_step *state = &client->steps[step->number];
			uint32_t operation;

			if (step->kind == STEP_REPEAT) {
				operation = number_steps(client, &step->repeat, again);
			} else {
				operation = client_start_operation(
					client, step, step->workload.queue, 0);
				world->mark(operation, MARK_CALLED, step->workload.queue);
				state->executed++;
				state->workload->launches += again;
			}
			first = first == 0 ? operation : first;
		}
	return first;
}

static bool replay(struct client *client, const struct step *step, bool again)
{
	struct handle_call call = {step->trace.queue, step->trace.blocking,
		client_start_operation(client, step, step->trace.queue, 0)};
	uint32_t first = number_steps(client, &step->trace.body, again);
	enum status status = client->device->ops->replay(
		client->device, call, client->steps[step->number].trace, first);

	if (status == STATUS_NO_SPACE)
		return client_refuse(client, step->where,
			"circular buffers of the trace's programs reach into a buffer in L1");
	if (!client_is_complete(client, status))
		return client_fail(client, "replay of a trace: %s", status_message(status));
	return !step->trace.blocking ||
	       client_compare_reads(client, step->trace.queue, client_all_devices(client));
}

static bool run_traced(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];
	bool captured = state->trace != NULL;

	if (!captured && !capture(client, step))
		return false;
	for (uint32_t i = 0; i < step->trace.replays; i++) {
		if (i > 0)
			state->executed++;
		if (!replay(client, step, captured || i > 0))
			return false;
	}
	return true;
}

static bool run_body(struct client *client, const struct repeat_step *body)
{
	for (uint32_t times = 0; times < body->times; times++)
		for (uint32_t i = 0; i < body->step_count; i++) {
			const struct step *step = &body->steps[i];
			bool good = step->kind == STEP_REPEAT
					    ? run_body(client, &step->repeat)
					    : client_enqueue(client, step,
						      client_start_operation(client, step,
							      step->workload.queue, 0));

			if (!good)
				return false;
			client->steps[step->number].executed++;
		}
	return true;
}

/* Without traces: the workloads as they stand there. */
static bool run_untraced(struct client *client, const struct step *step)
{
	for (uint32_t replays = 0; replays < step->trace.replays; replays++)
		if (!run_body(client, &step->trace.body))
			return false;
	return !step->trace.blocking || client_finish_queue(client, step->trace.queue, 0);
}

bool client_trace(struct client *client, const struct step *step)
{
	if (client->plan->scenario->runtime.traces == TRACES_OFF)
		return run_untraced(client, step);
	return run_traced(client, step);
}

void client_traces_free(struct client *client)
{
	for (uint32_t i = 0; i < client->step_count; i++) {
		client->device->ops->trace_free(client->steps[i].trace);
		client->steps[i].trace = NULL;
	}
}
