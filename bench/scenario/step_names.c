/* Names the steps of a workload (scenario.h), and finds out whether an entry of `measure.trace`
 * refers to an operation. The steps must have been checked. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "bench/scenario/scenario.h"
#include "scenario_private.h"
#include "step_check.h"

uint32_t steps_count(const struct step *steps, uint32_t count)
{
	uint32_t total = count;

	for (uint32_t i = 0; i < count; i++)
		if (step_body(&steps[i]))
			total += steps_count(
				step_body(&steps[i])->steps, step_body(&steps[i])->step_count);
	return total;
}

void steps_number(struct step *steps, uint32_t count, uint32_t *number)
{
	for (uint32_t i = 0; i < count; i++) {
		steps[i].number = (*number)++;
		if (step_body(&steps[i]))
			steps_number(step_body(&steps[i])->steps, step_body(&steps[i])->step_count,
				number);
	}
}

struct naming {
	const char **places, **programs, **names;
	struct arena *arena;
};

/* Returns the names of a step's programs, like "unary", or "unary+binary" for two programs. */
static const char *programs_of(struct arena *arena, const struct step *step)
{
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);
	const char *all = programs[0].program;

	for (uint32_t i = 1; i < count; i++)
		all = arena_printf(arena, "%s+%s", all, programs[i].program);
	return all;
}

/* Returns the name that the file gives to a step: the key `as`, or else the identity of its
 * workload. All calls of one workload have the same identity, and so the same name. Returns NULL if
 * the file gives no name. */
static const char *given_name(const struct step *step)
{
	if (step->as == NULL && step->kind == STEP_ENQUEUE_WORKLOAD)
		return step->workload.identity;
	if (step->as == NULL && step->kind == STEP_COLLECTIVE)
		return step->collective.identity;
	return step->as;
}

/* Names the steps of a list. `place` is the place of the list in the file, and `at` is the index of
 * the first step in the list of the file. A repeat that steps_fold() made stands for several steps
 * of the file. It gets the place of the first of these steps. */
static void name_below(const struct naming *naming, const struct step *steps, uint32_t count,
	uint32_t at, const char *place, const char *path)
{
	struct arena *arena = naming->arena;

	for (uint32_t i = 0; i < count; at += step_written(&steps[i++])) {
		const struct step *step = &steps[i];
		const struct repeat_step *body = step_body(step);

		naming->places[step->number] =
			arena_printf(arena, "%s.%u %s", place, at, step_name(step->kind));
		naming->programs[step->number] = "";
		if (step->kind == STEP_ENQUEUE_WORKLOAD)
			naming->programs[step->number] = programs_of(arena, step);
		naming->names[step->number] = given_name(step)
						      ? given_name(step)
						      : arena_printf(arena, "%s/%u", path, at);
		if (step_is_folded(step))
			name_below(naming, body->steps, body->step_count, at, place, path);
		else if (body)
			name_below(naming, body->steps, body->step_count, 0,
				arena_printf(arena, "%s.%u.do", place, at),
				arena_printf(arena, "%s/%u/do", path, at));
	}
}

/* Number of steps, including those under `do`, that launch `program`. */
static uint32_t step_names_steps_of(
	const struct naming *naming, const struct step *steps, uint32_t count, const char *program)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (body)
			found +=
				step_names_steps_of(naming, body->steps, body->step_count, program);
		found += steps[i].kind == STEP_ENQUEUE_WORKLOAD &&
			 strcmp(naming->programs[steps[i].number], program) == 0;
	}
	return found;
}

static void name_by_program(const struct naming *naming, const struct step *all, uint32_t all_count,
	const struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		const char *program = naming->programs[steps[i].number];

		if (body)
			name_by_program(naming, all, all_count, body->steps, body->step_count);
		if (steps[i].kind == STEP_ENQUEUE_WORKLOAD && !given_name(&steps[i]) &&
			step_names_steps_of(naming, all, all_count, program) == 1)
			naming->names[steps[i].number] = program;
	}
}

void steps_name(const struct step *steps, uint32_t count, const char **places,
	const char **programs, const char **names, struct arena *arena)
{
	struct naming naming = {places, programs, names, arena};

	name_below(&naming, steps, count, 0, "workload", "workload");
	name_by_program(&naming, steps, count, steps, count);
}

/* ---- the operations that measure.trace names ---- */

bool trace_chooses(const char *name, const struct traced_operation *operation)
{
	char *end;
	unsigned long number = strtoul(name, &end, 10);

	if (*name && *end == '\0')
		return number == operation->number;
	return strcmp(name, operation->kind) == 0 || strcmp(name, operation->name) == 0;
}

struct steps {
	const char **places, **programs, **names;
	uint32_t count;
};

/* Returns the kind of a step, which is the last word of the step's place. */
static const char *kind_of(const struct steps *steps, uint32_t step)
{
	const char *space = strrchr(steps->places[step], ' ');

	return space ? space + 1 : steps->places[step];
}

static void step_names_refuse(
	const struct steps *steps, const struct tree_node *item, struct diag *diag)
{
	struct nearest nearest;

	nearest_start(&nearest, item->text);
	for (uint32_t i = 0; i < steps->count; i++) {
		nearest_offer(&nearest, steps->names[i]);
		nearest_offer(&nearest, kind_of(steps, i));
	}
	diag_error(diag, item->where, "no operation '%s'%s%s%s", item->text,
		nearest.best ? ", did you mean '" : "", nearest.best ? nearest.best : "",
		nearest.best ? "'?" : "");
}

static void check_item(
	const struct steps *steps, const struct tree_node *item, uint64_t made, struct diag *diag)
{
	char *end;
	unsigned long long number;

	if (item->kind != TREE_SCALAR || !item->text[0]) {
		diag_error(diag, item->where, "an operation is a number or a name");
		return;
	}
	number = strtoull(item->text, &end, 10);
	if (*end == '\0') {
		if (number == 0 || number > made)
			diag_error(diag, item->where, "no operation %s, there are at most %llu",
				item->text, (unsigned long long)made);
		return;
	}
	for (uint32_t i = 0; i < steps->count; i++)
		if (strcmp(item->text, steps->names[i]) == 0 ||
			strcmp(item->text, kind_of(steps, i)) == 0)
			return;
	step_names_refuse(steps, item, diag);
}

void trace_check(const struct run_plan *run, struct diag *diag)
{
	const struct scenario *scenario = run->scenario;
	const struct tree_node *list = scenario->measure.trace.operations;
	uint32_t count = steps_count(scenario->steps, scenario->step_count);
	struct arena arena;
	struct steps steps = {.count = count};

	if (!list)
		return;
	arena_init(&arena);
	steps.places = arena_array(&arena, count, sizeof *steps.places);
	steps.programs = arena_array(&arena, count, sizeof *steps.programs);
	steps.names = arena_array(&arena, count, sizeof *steps.names);
	steps_name(scenario->steps, scenario->step_count, steps.places, steps.programs, steps.names,
		&arena);
	for (uint32_t i = 0; i < list->count; i++)
		check_item(&steps, list->items[i], scenario_operations(scenario), diag);
	arena_fini(&arena);
}
