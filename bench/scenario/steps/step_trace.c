/* Finds the trace that each replay or release step names. Checks that each captured step can be
 * captured, and that a trace still exists when it is used. Walks the steps in the order of the
 * file. A repeat must not release a trace that was captured outside of the repeat, because the
 * trace would not exist in the second iteration. */
#include <string.h>

#include "base/nearest.h"
#include "bench/scenario/step_layout.h"
#include "check.h"
#include "mesh/trace.h"

bool check_is_around(const struct check_loop *outer, const struct check_loop *loop)
{
	while (loop && loop != outer)
		loop = loop->outer;
	return loop == outer;
}

struct trace_name {
	struct trace_name *next;
	const struct step *step; /* the step that captures the trace; its name may be NULL */
	const struct step *released;
	const struct check_loop *loop; /* the repeat that contains the step */
};

/* ---- resolving names ---- */

/* Returns the last step before step `number` that captures a trace with this name. */
static const struct step *last_before(
	const struct step *steps, uint32_t count, uint32_t mesh, const char *name, uint32_t number)
{
	const struct step *last = NULL, *below;

	for (uint32_t i = 0; i < count && steps[i].number < number; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (steps[i].kind == STEP_TRACE && steps[i].mesh == mesh && steps[i].trace.name &&
			strcmp(steps[i].trace.name, name) == 0)
			last = &steps[i];
		if (!body)
			continue;
		below = last_before(body->steps, body->step_count, mesh, name, number);
		last = below ? below : last;
	}
	return last;
}

static void find_replayed(const struct scenario *scenario, struct step *step)
{
	struct replay_step *replay = &step->replay;

	replay->captured = last_before(
		scenario->steps, scenario->step_count, step->mesh, replay->trace, step->number);
	if (replay->captured && replay->queue == UINT32_MAX)
		replay->queue = replay->captured->trace.queue;
}

static void step_trace_find(const struct scenario *scenario, struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct step *step = &steps[i];

		if (step->kind == STEP_REPLAY_TRACE)
			find_replayed(scenario, step);
		else if (step->kind == STEP_RELEASE_TRACE)
			step->release.captured = last_before(scenario->steps, scenario->step_count,
				step->mesh, step->release.trace, step->number);
		else if (step_body(step))
			step_trace_find(
				scenario, step_body(step)->steps, step_body(step)->step_count);
	}
}

void steps_find_traces(const struct scenario *scenario)
{
	step_trace_find(scenario, scenario->steps, scenario->step_count);
}

/* ---- captured steps ---- */

/* The keys of a captured step that determine how the client calls it. */
struct call {
	uint32_t *queue;
	bool blocking, pinned, host;
};

static bool call_of(struct step *step, struct call *call)
{
	switch (step->kind) {
	case STEP_ENQUEUE_WORKLOAD:
		*call = (struct call){&step->workload.queue, step->workload.blocking, false, false};
		return true;
	case STEP_WRITE_BUFFER:
		*call = (struct call){
			&step->write.queue, step->write.blocking, step->write.pinned, false};
		return true;
	case STEP_READ_BUFFER:
		*call = (struct call){
			&step->read.queue, step->read.blocking, step->read.pinned, false};
		return true;
	case STEP_COLLECTIVE:
		*call = (struct call){
			&step->collective.queue, step->collective.blocking, false, false};
		return true;
	case STEP_RECORD_EVENT:
		*call = (struct call){&step->record.queue, false, false, false};
		return true;
	case STEP_WAIT_EVENT:
		*call = (struct call){
			&step->wait.queue, false, false, step->wait.host || step->wait.executors};
		return true;
	default:
		return false;
	}
}

static void check_call(const struct check *check, const struct step *trace, struct step *step,
	const struct tree_node *keys)
{
	struct call call;

	if (!call_of(step, &call)) {
		diag_error(check->diag, step->where,
			"step '%s' in a trace: only enqueue_workload, write_buffer, read_buffer, "
			"collective, record_event, wait_event and repeat can be captured",
			step_name(step->kind));
		return;
	}
	if (call.blocking)
		diag_error(check->diag, tree_where(keys, "blocking"),
			"a step that is captured cannot block");
	if (call.pinned)
		diag_error(check->diag, tree_where(keys, "pinned"),
			"pinned memory in a trace: the commands of a trace hold their data");
	if (step->kind == STEP_WRITE_BUFFER && step->write.stored)
		diag_error(check->diag, tree_where(keys, "stored"),
			"what is in storage in a trace: the commands of a trace hold their data");
	if (call.host)
		diag_error(check->diag,
			tree_where(keys, step->wait.executors ? "executors" : "host"),
			"a wait that is captured is the queue's, not %s",
			step->wait.executors ? "that of executors" : "the host's");
	if (keys && tree_get(keys, "queue") && *call.queue != trace->trace.queue)
		diag_error(check->diag, tree_where(keys, "queue"),
			"queue %u in a trace of queue %u", *call.queue, trace->trace.queue);
	if (trace->trace.queue < check->config->command_queues)
		*call.queue = trace->trace.queue;
}

/* Checks captured steps, sets their queue to the queue of the trace, and counts workloads. */
static uint64_t check_captured(const struct check *check, const struct step *trace,
	const struct repeat_step *body, const struct tree_node *nodes)
{
	uint64_t workloads = 0;

	for (uint32_t i = 0; i < body->step_count; i++) {
		struct step *step = &body->steps[i];

		if (step->kind == STEP_REPEAT)
			workloads += check_captured(
				check, trace, &step->repeat, tree_get(nodes->items[i], "do"));
		else
			check_call(check, trace, step,
				tree_get(nodes->items[i], step_name(step->kind)));
		workloads += step->kind == STEP_ENQUEUE_WORKLOAD || step->kind == STEP_COLLECTIVE;
	}
	return workloads * body->times;
}

void check_captured_data(
	const struct check *check, const struct write_step *write, struct location where)
{
	uint64_t limit = check->run->scenario->model.elide_above_bytes;
	uint64_t bytes = write->bytes / step_buffer_parts(write, check->config->shape);

	if (limit > 0 && bytes > limit)
		diag_error(check->diag, where,
			"a trace holds the data that it writes, but of the %llu bytes per device "
			"of "
			"buffer '%s' none are simulated (model.elide_above_bytes)",
			(unsigned long long)bytes, write->buffer);
}

/* ---- names ---- */

static struct trace_name *find_name(const struct check *check, uint32_t mesh, const char *name)
{
	struct trace_name *found = check->traces;

	while (found && (found->step->mesh != mesh || !found->step->trace.name ||
				strcmp(found->step->trace.name, name) != 0))
		found = found->next;
	return found;
}

static void add_name(struct check *check, const struct step *step)
{
	struct trace_name *name =
		step->trace.name ? find_name(check, check->mesh, step->trace.name) : NULL;
	char cited[LOCATION_CITE_BYTES];

	if (name && !name->released)
		diag_error(check->diag, step->trace.name_where,
			"trace '%s' has been captured at %s: release it first, or give this one "
			"another name",
			step->trace.name, location_cite(name->step->where, cited, sizeof cited));
	name = arena_alloc(check->arena, sizeof *name);
	*name = (struct trace_name){check->traces, step, NULL, check->loop};
	check->traces = name;
}

void check_trace(struct check *check, struct step *step, const struct tree_node *node)
{
	uint64_t workloads = check_captured(check, step, &step->trace.body, tree_get(node, "do"));

	check_queue(check, node, step, step->trace.queue);
	if (workloads > TRACE_LAUNCHES_MAX)
		diag_error(check->diag, step->where, "%llu workloads in a trace, at most %d",
			(unsigned long long)workloads, TRACE_LAUNCHES_MAX);
	add_name(check, step);
	if (!step->trace.name && step->trace.replays == 0)
		diag_error(check->diag, tree_where(node, "replays"),
			"a trace without a name is never replayed by another step: replays: 0 does "
			"nothing");
}

static void refuse_unknown(const struct check *check, struct location where, const char *name)
{
	const struct scenario *scenario = check->run->scenario;
	struct nearest nearest;

	for (uint32_t mesh = 0; mesh < scenario_mesh_count(scenario); mesh++)
		if (find_name(check, mesh, name)) {
			diag_error(check->diag, where, "trace '%s' is of mesh '%s', not of '%s'",
				name, scenario_mesh(scenario, mesh)->name,
				scenario_mesh(scenario, check->mesh)->name);
			return;
		}
	nearest_start(&nearest, name);
	for (const struct trace_name *known = check->traces; known; known = known->next)
		if (known->step->mesh == check->mesh && known->step->trace.name)
			nearest_offer(&nearest, known->step->trace.name);
	diag_error(check->diag, where,
		nearest.best ? "no step before this one captures trace '%s', did you mean '%s'?"
			     : "no step before this one captures trace '%s'",
		name, nearest.best);
}

/* Returns the trace with this name that is captured and not yet released. Otherwise reports an
 * error and returns NULL. */
static struct trace_name *find_live(
	const struct check *check, struct location where, const char *trace)
{
	struct trace_name *name = find_name(check, check->mesh, trace);
	char cited[LOCATION_CITE_BYTES];

	if (!name) {
		refuse_unknown(check, where, trace);
		return NULL;
	}
	if (!name->released)
		return name;
	diag_error(check->diag, where,
		name->released->kind == STEP_CLOSE_MESH
			? "trace '%s' went with its mesh, closed at %s"
			: "trace '%s' has been released at %s",
		trace, location_cite(name->released->where, cited, sizeof cited));
	return NULL;
}

static bool has_events(const struct repeat_step *body)
{
	for (uint32_t i = 0; i < body->step_count; i++) {
		const struct step *step = &body->steps[i];

		if (step->kind == STEP_RECORD_EVENT || step->kind == STEP_WAIT_EVENT ||
			(step->kind == STEP_REPEAT && has_events(&step->repeat)))
			return true;
	}
	return false;
}

void check_replay(struct check *check, const struct tree_node *keys, struct step *step)
{
	const struct trace_name *name =
		find_live(check, step->replay.trace_where, step->replay.trace);
	const struct trace_step *trace;
	char cited[LOCATION_CITE_BYTES];

	if (!name)
		return;
	trace = &name->step->trace;
	check_queue(check, keys, step, step->replay.queue);
	if (step->replay.queue != trace->queue && has_events(&trace->body))
		diag_error(check->diag, tree_where(keys, "queue"),
			"queue %u, but trace '%s' has events of queue %u, which captured it (%s): "
			"it is replayed through that one alone",
			step->replay.queue, step->replay.trace, trace->queue,
			location_cite(name->step->where, cited, sizeof cited));
}

void check_traces_gone(struct check *check, const struct step *close)
{
	for (struct trace_name *name = check->traces; name; name = name->next)
		if (name->step->mesh == close->mesh && !name->released)
			name->released = close;
}

void check_release(struct check *check, const struct tree_node *keys, struct step *step)
{
	struct trace_name *name = find_live(check, step->release.trace_where, step->release.trace);
	char cited[LOCATION_CITE_BYTES];

	(void)keys;
	if (!name)
		return;
	if (!check_is_around(check->loop, name->loop))
		diag_error(check->diag, step->release.trace_where,
			"trace '%s' is released again and again, but captured only once, at %s",
			step->release.trace, location_cite(name->step->where, cited, sizeof cited));
	name->released = step;
}

/* ---- buffers that traces use ---- */

static bool program_has(const struct step *step, const char *buffer)
{
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < programs[i].buffer_count; k++)
			if (strcmp(programs[i].buffers[k].buffer, buffer) == 0)
				return true;
	return false;
}

static bool body_has(const struct repeat_step *body, const char *buffer)
{
	bool has = false;

	for (uint32_t i = 0; i < body->step_count && !has; i++) {
		const struct step *step = &body->steps[i];

		has = (step->kind == STEP_REPEAT && body_has(&step->repeat, buffer)) ||
		      (step->kind == STEP_WRITE_BUFFER &&
			      strcmp(step->write.buffer, buffer) == 0) ||
		      (step->kind == STEP_READ_BUFFER && strcmp(step->read.buffer, buffer) == 0) ||
		      (step->kind == STEP_ENQUEUE_WORKLOAD && program_has(step, buffer));
	}
	return has;
}

const struct step *check_trace_with(const struct check *check, const char *buffer)
{
	for (const struct trace_name *name = check->traces; name; name = name->next)
		if (!name->released && name->step->mesh == check->mesh &&
			body_has(&name->step->trace.body, buffer))
			return name->step;
	return NULL;
}
