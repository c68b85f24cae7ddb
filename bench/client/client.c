/* The client's main thread opens the meshes, prepares and runs the steps, verifies the workers, and
 * closes the meshes. scenario_check() has already rejected invalid scenarios, and buffers and
 * tensors that do not fit. Programs, traces, and objects that share memory with them can still fail
 * to fit; the client then reports an error of the scenario. */
#include "client_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/stream.h"

static bool run_finish(struct client *client, const struct step *step)
{
	for (uint32_t i = 0; i < client->device->ops->queue_count(client->device); i++)
		if (step->finish.queue == UINT32_MAX || step->finish.queue == i)
			if (!client_finish_sub_devices(client, i,
				    client_start_operation(client, step, i, 0),
				    client_needs(client, step)))
				return false;
	return true;
}

static bool run_steps(struct client *client, const struct step *steps, uint32_t count);
static bool run_open_mesh(struct client *client, const struct step *step);

/* Draws the time in nanoseconds from one arrival to the next. */
static double gap_ns(const struct repeat_step *repeat, struct stream *stream)
{
	double mean = 1e9 / repeat->rate_per_s;

	return repeat->arrivals == ARRIVALS_POISSON ? -mean * log(1 - stream_unit(stream)) : mean;
}

/* A thread that computes keeps its core, so it does not sleep: waking up would take time. */
static bool run_think(struct client *client, const struct step *step)
{
	int64_t from = step->think.for_ns > 0 ? world->now_ns() : client->began_ns;
	int64_t deadline_ns = from + (int64_t)(step->think.for_ns + step->think.until_ns);
	struct monitor *monitor = world->monitor_new("think");

	world->monitor_enter(monitor);
	while (world->monitor_wait_until(monitor, deadline_ns, WAIT_SPIN) != STATUS_TIMEOUT)
		continue;
	world->monitor_exit(monitor);
	world->monitor_free(monitor);
	return true;
}

/* Runs an open loop: the time at which an iteration is due does not depend on the iterations before
 * it. If an iteration ends after the next one is due, the next one begins at once. The times of an
 * iteration are always measured from the time at which it was due. */
static bool run_open(struct client *client, const struct step *step)
{
	double arrival_ns = (double)world->now_ns();
	int64_t outside = client->arrival_ps;
	struct stream stream;
	bool good = true;
	char role[64];

	snprintf(role, sizeof role, "client/arrivals/%u", step->number);
	stream_init(&stream, client->plan->scenario->seed, role);
	for (uint32_t i = 0; good && i < step->repeat.times; i++) {
		world->sleep_until((int64_t)arrival_ns);
		client->arrival_ps = 1000 * (int64_t)arrival_ns;
		client->began_ns = (int64_t)arrival_ns;
		good = run_steps(client, step->repeat.steps, step->repeat.step_count);
		arrival_ns += gap_ns(&step->repeat, &stream);
	}
	client->arrival_ps = outside;
	return good;
}

static bool run_closed(struct client *client, const struct step *step)
{
	bool good = true;

	for (uint32_t i = 0; i < step->repeat.times && good; i++) {
		client->began_ns = world->now_ns();
		good = run_steps(client, step->repeat.steps, step->repeat.step_count);
	}
	return good;
}

static bool run_repeat(struct client *client, const struct step *step)
{
	int64_t outside = client->began_ns;
	bool good = step->repeat.rate_per_s > 0 ? run_open(client, step) : run_closed(client, step);

	client->began_ns = outside;
	return good;
}

static bool run_workload(struct client *client, const struct step *step)
{
	return client_enqueue(
		client, step, client_start_operation(client, step, step->workload.queue, 0));
}

/* The functions for each kind of step. The first one prepares the step before the first step runs;
 * it is NULL if there is nothing to prepare. The second one runs the step. */
static const struct step_work {
	bool (*prepare)(struct client *client, const struct step *step);
	bool (*run)(struct client *client, const struct step *step);
} works[STEP_KIND_COUNT] = {
	[STEP_REPEAT] = {NULL, run_repeat},
	[STEP_THINK] = {NULL, run_think},
	[STEP_WRITE_BUFFER] = {client_buffer_make, client_write},
	[STEP_READ_BUFFER] = {client_buffer_find, client_read},
	[STEP_ENQUEUE_WORKLOAD] = {client_workload_make, run_workload},
	[STEP_RECORD_EVENT] = {client_event_make, client_record},
	[STEP_WAIT_EVENT] = {client_event_make, client_wait},
	[STEP_FINISH] = {NULL, run_finish},
	[STEP_TRACE] = {NULL, client_trace},
	[STEP_REPLAY_TRACE] = {NULL, client_replay_trace},
	[STEP_RELEASE_TRACE] = {NULL, client_release_trace},
	[STEP_FABRIC_PING] = {NULL, client_ping},
	[STEP_FABRIC_TRAFFIC] = {NULL, client_traffic},
	[STEP_WRITE_TENSOR] = {client_tensor_make, client_write_tensor},
	[STEP_CLOSE_MESH] = {NULL, client_run_close},
	[STEP_OPEN_MESH] = {NULL, run_open_mesh},
	[STEP_RUN_MODEL] = {client_model_make, client_run_model},
	[STEP_BRING_UP] = {NULL, client_bring_up},
	[STEP_READ_TENSOR] = {client_tensor_find, client_read_tensor},
	[STEP_COLLECTIVE] = {client_collective_make, client_collective},
	[STEP_FREE_BUFFER] = {client_buffer_will_be_freed, client_free},
	[STEP_LOAD_SUB_DEVICES] = {client_will_load, client_load},
	[STEP_CLEAR_SUB_DEVICES] = {client_will_load, client_load},
};

/* Marks the steps of a trace that is replayed more than once. */
static void mark_repeated(struct client *client, const struct repeat_step *body)
{
	for (uint32_t i = 0; i < body->step_count; i++) {
		client->steps[body->steps[i].number].repeated = true;
		if (step_body(&body->steps[i]))
			mark_repeated(client, step_body(&body->steps[i]));
	}
}

static bool client_prepare(
	struct client *client, const struct step *steps, uint32_t count, bool repeated)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		bool again = repeated ||
			     (steps[i].kind == STEP_TRACE && steps[i].trace.replays > 1) ||
			     (steps[i].kind == STEP_REPLAY_TRACE && steps[i].replay.times > 1) ||
			     (steps[i].kind == STEP_RUN_MODEL && steps[i].model.times > 1);

		client->steps[steps[i].number].repeated = again;
		if (!step_has_mesh(&steps[i], client->number))
			continue;
		if (steps[i].kind == STEP_REPLAY_TRACE && again)
			mark_repeated(client, &steps[i].replay.captured->trace.body);
		if (body) {
			if (!client_prepare(client, body->steps, body->step_count,
				    again || body->times > 1))
				return false;
		} else if (works[steps[i].kind].prepare &&
			   !works[steps[i].kind].prepare(client, &steps[i])) {
			return false;
		}
	}
	return true;
}

/* Runs a step on the mesh of this client, on the thread of `lead`. */
static bool run_here(struct client *client, const struct client *lead, const struct step *step)
{
	client->arrival_ps = lead->arrival_ps;
	client->began_ns = lead->began_ns;
	if (step->kind == STEP_FINISH && !client->device)
		return true; /* a `finish` of all meshes skips closed meshes */
	if (!works[step->kind].run(client, step))
		return false;
	client->steps[step->number].executed++;
	return true;
}

/* Runs a step on all its meshes. If each mesh has its own thread, runs the step only on the mesh of
 * the client `lead`. Repeats and pauses also run only once, in `lead`. */
static bool client_run_step(struct client *lead, const struct step *step)
{
	bool good = true;

	if (!lead->leads || step->kind == STEP_REPEAT || step->kind == STEP_THINK)
		return run_here(lead, lead, step);
	for (uint32_t i = 0; i < client_count(lead) && good; i++)
		if (step_has_mesh(step, i))
			good = client_is_good(client_of_mesh(lead, i),
				run_here(client_of_mesh(lead, i), lead, step));
	return good;
}

static bool run_steps(struct client *lead, const struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!lead->leads && !step_has_mesh(&steps[i], lead->number))
			continue;
		lead->at = &steps[i];
		if (!client_run_step(lead, &steps[i]))
			return false;
	}
	return true;
}

static bool prepare_all(struct client *client)
{
	const struct scenario *scenario = client->plan->scenario;

	client->step_count = steps_count(scenario->steps, scenario->step_count);
	client->steps = allocate(client->step_count, sizeof *client->steps);
	if (client->device && !client_prepare(client, scenario->steps, scenario->step_count, false))
		return false;
	client->running = true;
	return true;
}

/* Opens the mesh, and makes all objects of its steps. If the mesh was open before, these objects
 * were released when it was closed. All this is recorded as one operation. */
static bool run_open_mesh(struct client *client, const struct step *step)
{
	const struct scenario *scenario = client->plan->scenario;
	uint32_t operation;

	client->frees = client->running = false;
	if (!client_run_open(client, step, &operation) ||
		!client_prepare(client, scenario->steps, scenario->step_count, false))
		return false;
	client->running = true;
	world->mark(operation, MARK_RETURNED, 0);
	return true;
}

static bool client_finish_all(struct client *client)
{
	return client_models_finish(client) && client_finish_queues(client);
}

/* Runs the steps, then waits until nothing is in flight any more. */
static bool client_work(struct client *lead)
{
	const struct scenario *scenario = lead->plan->scenario;

	if (lead->instead) {
		lead->instead(lead->instead_context, lead->device);
		return true;
	}
	lead->began_ns = world->now_ns();
	return run_steps(lead, scenario->steps, scenario->step_count) &&
	       (lead->leads ? client_for_meshes(lead, client_finish_all) : client_finish_all(lead));
}

static bool client_run_all(struct client *first)
{
	if (!client_for_meshes(first, prepare_all) || !client_run_threads(first, client_work))
		return false;
	first->finished(first->finished_context);
	return !first->plan->scenario->measure.verify || client_for_meshes(first, client_verify);
}

void client_main(void *argument)
{
	struct client *client = argument;

	bool joined = !scenario_mesh_begins_open(client->plan->scenario, 0) || /* a step opens it */
		      client_hosts_start(client);

	if (!joined || !client_open_meshes(client) || !client_run_all(client)) {
		client_hosts_explain(client);
		client_hosts_abandon(client);
		return; /* the process ends, so nothing in flight needs to complete */
	}
	if (client_for_meshes(client, client_give_back))
		client->outcome = CLIENT_DONE;
	client_close_meshes(client);
	client_hosts_explain(client);
	client_hosts_end(client);
}
