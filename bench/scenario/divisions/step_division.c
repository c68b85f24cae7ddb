/* Finds the division into sub-devices that is loaded when a step is reached. Walks the steps in the
 * order in which the client runs them, twice through the body of each repeat. Reports an error if a
 * program, buffer, wait or trace needs a division that is not loaded there. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/nearest.h"
#include "bench/results/results.h"
#include "bench/scenario/hosts.h"
#include "programs/gather.h"
#include "rehearsal/rehearsal.h"
#include "steps/check.h"

enum { NOT_REACHED = UINT32_MAX };

/* A buffer in the L1 of a sub-device that no step has freed yet. */
struct local_buffer {
	struct local_buffer *next;
	const struct write_step *write;
	uint32_t mesh;
};

struct walk {
	const struct runtime_keys *keys;
	struct diag *diag;
	uint32_t loaded[SCENARIO_MESHES_MAX];
	uint32_t *at; /* [step] the division that is loaded when the step is first reached */
	bool *bad;    /* [step] an error was reported */
	struct local_buffer *locals;
};

static const char *say(const struct runtime_keys *keys, uint32_t division)
{
	return division == DIVISION_WHOLE ? "whole devices" : division_at(keys, division).name;
}

/* Reports at most one error for each step. Returns true if this is the first one. */
static bool first_error(struct walk *walk, const struct step *step)
{
	bool first = !walk->bad[step->number];

	walk->bad[step->number] = true;
	return first;
}

/* Checks that the division that contains a sub-device is loaded. `number` is the number of the
 * sub-device; it is 0 if the name is unknown, which was already reported. */
static void division_need(struct walk *walk, const struct step *step, const char *what,
	uint32_t number, struct location where)
{
	uint32_t loaded = walk->loaded[step->mesh == STEP_ALL_MESHES ? 0 : step->mesh];
	uint32_t wanted = sub_device_division(walk->keys, number);

	if (number > 0 && wanted != loaded && first_error(walk, step))
		diag_error(walk->diag, where,
			"%s of sub-device '%s', which is of division '%s', but '%s' is loaded "
			"there: load_sub_devices: %s",
			what, sub_device_at(walk->keys, number)->name, say(walk->keys, wanted),
			say(walk->keys, loaded), say(walk->keys, wanted));
}

/* Checks that the same division is loaded each time a step is reached, because the step's programs
 * or trace are made only once. */
static void division_keep(struct walk *walk, const struct step *step, const char *what)
{
	uint32_t loaded = walk->loaded[step->mesh], *at = &walk->at[step->number];

	if (*at == NOT_REACHED)
		*at = loaded;
	if (*at != loaded && first_error(walk, step))
		diag_error(walk->diag, step->where,
			"%s is made for division '%s', but the repeat reaches it with '%s', too: "
			"load the same at its end, or before this step",
			what, say(walk->keys, *at), say(walk->keys, loaded));
}

/* Checks a step that runs the workload of an earlier step again. */
static void division_share(struct walk *walk, const struct step *step)
{
	uint32_t made = walk->at[step->workload.maker->number], loaded = walk->loaded[step->mesh];
	char cited[LOCATION_CITE_BYTES];

	if (made != loaded && first_error(walk, step))
		diag_error(walk->diag, step->workload.identity_where,
			"the programs of identity '%s' (%s) are made for division '%s', but '%s' "
			"is "
			"loaded here",
			step->workload.identity,
			location_cite(step->workload.maker->where, cited, sizeof cited),
			say(walk->keys, made), say(walk->keys, loaded));
}

static void walk_programs(struct walk *walk, struct step *step)
{
	uint32_t count = step->workload.program_count;
	struct program_keys *programs = count > 0 ? step->workload.programs : &step->workload.own;

	for (uint32_t i = 0; i < (count > 0 ? count : 1); i++)
		if (programs[i].sub_device)
			division_need(walk, step, "a program",
				sub_device_number(walk->keys, programs[i].sub_device),
				programs[i].sub_device_where);
	if (step->workload.maker)
		division_share(walk, step);
	division_keep(walk, step, "a program");
	for (uint32_t i = 0; i < (count > 0 ? count : 1); i++)
		programs[i].division = walk->at[step->number];
}

static void division_walk_write(struct walk *walk, const struct step *step)
{
	struct local_buffer *local = walk->locals;

	if (!step->write.sub_device)
		return;
	division_need(walk, step, "a buffer", sub_device_number(walk->keys, step->write.sub_device),
		step->write.sub_device_where);
	while (local && !(local->mesh == step->mesh &&
				strcmp(local->write->buffer, step->write.buffer) == 0))
		local = local->next;
	if (local)
		return;
	local = allocate(1, sizeof *local);
	*local = (struct local_buffer){walk->locals, &step->write, step->mesh};
	walk->locals = local;
}

static void forget_local(struct walk *walk, uint32_t mesh, const char *name)
{
	struct local_buffer **at = &walk->locals;

	while (*at) {
		struct local_buffer *local = *at;
		bool gone =
			local->mesh == mesh && (!name || strcmp(local->write->buffer, name) == 0);

		*at = gone ? local->next : local;
		if (gone)
			free(local);
		else
			at = &local->next;
	}
}

static void find_division(struct walk *walk, struct step *step)
{
	struct nearest nearest;

	step->load.division =
		step->load.name ? division_number(walk->keys, step->load.name) : DIVISION_WHOLE;
	if (!step->load.name || step->load.division != DIVISION_WHOLE || !first_error(walk, step))
		return;
	nearest_start(&nearest, step->load.name);
	for (uint32_t i = 1; i <= divisions_count(walk->keys); i++)
		nearest_offer(&nearest, division_at(walk->keys, i).name);
	diag_error(walk->diag, step->where,
		nearest.best ? "unknown division '%s', did you mean '%s'?"
			     : "unknown division '%s' (runtime.divisions)",
		step->load.name, nearest.best);
}

static void walk_load(struct walk *walk, struct step *step)
{
	char cited[LOCATION_CITE_BYTES];

	find_division(walk, step);
	for (const struct local_buffer *local = walk->locals; local; local = local->next)
		if (local->mesh == step->mesh && step->load.division != walk->loaded[step->mesh] &&
			first_error(walk, step))
			diag_error(walk->diag, step->where,
				"buffer '%s' is in the L1 of sub-device '%s' (%s): free it before "
				"another division is loaded",
				local->write->buffer, local->write->sub_device,
				location_cite(local->write->buffer_where, cited, sizeof cited));
	if (walk->bad[step->number])
		forget_local(walk, step->mesh, NULL);
	walk->loaded[step->mesh] = step->load.division;
}

static void walk_replay(struct walk *walk, const struct step *step)
{
	const struct step *captured = step->replay.captured;
	uint32_t loaded = walk->loaded[step->mesh];
	uint32_t wanted = captured ? walk->at[captured->number] : NOT_REACHED;
	char cited[LOCATION_CITE_BYTES];

	if (wanted != NOT_REACHED && wanted != loaded && first_error(walk, step))
		diag_error(walk->diag, step->where,
			"the trace (%s) was captured with division '%s', but '%s' is loaded here",
			location_cite(captured->where, cited, sizeof cited),
			say(walk->keys, wanted), say(walk->keys, loaded));
}

static void walk_steps(struct walk *walk, struct step *steps, uint32_t count);

static void walk_one(struct walk *walk, struct step *step)
{
	switch (step->kind) {
	case STEP_REPEAT:
		walk_steps(walk, step->repeat.steps, step->repeat.step_count);
		if (step->repeat.times > 1)
			walk_steps(walk, step->repeat.steps, step->repeat.step_count);
		break;
	case STEP_TRACE:
		division_keep(walk, step, "a trace");
		walk_steps(walk, step->trace.body.steps, step->trace.body.step_count);
		break;
	case STEP_REPLAY_TRACE:
		walk_replay(walk, step);
		break;
	case STEP_ENQUEUE_WORKLOAD:
		walk_programs(walk, step);
		break;
	case STEP_WRITE_BUFFER:
		division_walk_write(walk, step);
		break;
	case STEP_FREE_BUFFER:
		forget_local(walk, step->mesh, step->free.buffer);
		break;
	case STEP_FINISH:
		division_need(walk, step, "a wait for programs", step->finish.sub_device_number,
			step->finish.sub_device_where);
		break;
	case STEP_LOAD_SUB_DEVICES:
	case STEP_CLEAR_SUB_DEVICES:
		walk_load(walk, step);
		break;
	case STEP_OPEN_MESH:
		walk->loaded[step->mesh] = division_initial(walk->keys);
		break;
	case STEP_CLOSE_MESH:
		forget_local(walk, step->mesh, NULL);
		break;
	default:
		break;
	}
}

static void walk_steps(struct walk *walk, struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		walk_one(walk, &steps[i]);
}

/* ---- what cannot be combined with several divisions ---- */

/* Returns the first step of a kind, or NULL. */
static const struct step *first_of(const struct step *steps, uint32_t count, enum step_kind kind)
{
	const struct step *found = NULL;

	for (uint32_t i = 0; i < count && !found; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		found = body			? first_of(body->steps, body->step_count, kind)
			: steps[i].kind == kind ? &steps[i]
						: NULL;
	}
	return found;
}

static void division_check_names(const struct runtime_keys *keys, struct diag *diag)
{
	for (uint32_t i = 1; i <= sub_devices_all(keys); i++) {
		const struct sub_device_keys *of = sub_device_at(keys, i);

		if (sub_device_number(keys, of->name) != i)
			diag_error(
				diag, of->where, "two divisions have a sub-device '%s'", of->name);
	}
	for (uint32_t i = 0; i < keys->division_count; i++)
		if (strcmp(keys->divisions[i].name, "initial") == 0)
			diag_error(diag, keys->divisions[i].where,
				"'initial' is the division of runtime.sub_devices: name this one "
				"otherwise");
	if (sub_devices_all(keys) > SUB_DEVICES_MAX)
		diag_error(diag, keys->divisions[keys->division_count - 1].where,
			"%u sub-devices in all divisions, at most %d", sub_devices_all(keys),
			SUB_DEVICES_MAX);
}

static void check_combined(const struct run_plan *run, struct diag *diag)
{
	const struct scenario *scenario = run->scenario;
	const struct runtime_keys *keys = &scenario->runtime;
	const struct step *collective =
		first_of(scenario->steps, scenario->step_count, STEP_COLLECTIVE);

	if (gather_row(keys->gather)->on_devices)
		diag_error(diag, tree_where(tree_root(run->tree), "runtime.gather"),
			"gather: %s with runtime.divisions: the programs that gather are of one",
			gather_row(keys->gather)->entry.name);
	else if (collective)
		diag_error(diag, collective->where,
			"a collective with runtime.divisions: its programs are of one");
}

void check_divisions(const struct run_plan *run, struct diag *diag)
{
	const struct scenario *scenario = run->scenario;
	uint32_t count = steps_count(scenario->steps, scenario->step_count);
	struct walk walk = {.keys = &scenario->runtime, .diag = diag};
	size_t errors = diag_errors(diag);

	if (scenario->runtime.division_count > 0)
		check_combined(run, diag);
	division_check_names(&scenario->runtime, diag);
	if (diag_errors(diag) > errors)
		return;
	walk.at = allocate(count, sizeof *walk.at);
	walk.bad = allocate(count, sizeof *walk.bad);
	for (uint32_t i = 0; i < count; i++)
		walk.at[i] = NOT_REACHED;
	for (uint32_t i = 0; i < SCENARIO_MESHES_MAX; i++)
		walk.loaded[i] = division_initial(walk.keys);
	walk_steps(&walk, scenario->steps, scenario->step_count);
	for (uint32_t i = 0; i < SCENARIO_MESHES_MAX; i++)
		forget_local(&walk, i, NULL);
	free(walk.at);
	free(walk.bad);
}

void check_load(struct check *check, const struct tree_node *keys, struct step *step)
{
	struct text why = {0};
	enum status status;

	(void)keys;
	if (check->trace)
		return; /* this was reported */
	status = rehearsal_load(check->rehearsal, check->mesh, step->load.division, &why);
	if (status != STATUS_OK && status != STATUS_NOT_FOUND)
		diag_error(check->diag, step->where, "%s",
			why.length ? text_string(&why) : status_message(status));
	text_fini(&why);
	check->frees = true;
}
