/* Finds and measures the parts of a workload that are no loop (sweep_runs.h). */
#include "analysis/compare/sweep_runs.h"

#include <string.h>

static struct sweep_run_step *run_step_of(struct sweep_run_steps *steps,
	const struct operation *operation, const char *kind, struct arena *arena)
{
	uint32_t i = 0;

	while (i < steps->count && (steps->at[i].step != operation->step ||
					   steps->at[i].mesh_number != operation->mesh_number))
		i++;
	if (i < steps->count)
		return &steps->at[i];
	if (steps->count == SWEEP_PARTS_MAX) {
		steps->many = true;
		return NULL;
	}
	steps->at[steps->count++] = (struct sweep_run_step){.step = operation->step,
		.mesh_number = operation->mesh_number,
		.name = arena_string(arena, operation->step_name),
		.of_kind = strcmp(operation->kind, kind) == 0,
		.before = i};
	return &steps->at[i];
}

/* The first step of a stretch. */
static uint32_t sweep_run_stretch_of(const struct sweep_run_steps *steps, uint32_t step)
{
	while (steps->at[step].before != step)
		step = steps->at[step].before;
	return step;
}

/* Joins the stretches of two steps. */
static void join_stretches(struct sweep_run_steps *steps, uint32_t a, uint32_t b)
{
	a = sweep_run_stretch_of(steps, a);
	b = sweep_run_stretch_of(steps, b);
	if (a < b)
		steps->at[b].before = a;
	else
		steps->at[a].before = b;
}

void sweep_run_steps_add(struct sweep_run_steps *steps, const struct operations *operations,
	const char *kind, struct arena *arena)
{
	struct sweep_run_step *before = NULL;
	int64_t known = -1; /* when the host knew the end of all earlier operations */
	bool calls = false, loops = false;

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		struct sweep_run_step *step;
		int64_t end = run_known_at(operations, i);

		if (operation->warmup)
			continue;
		step = run_step_of(steps, operation, kind, arena);
		steps->rates |= operation->arrival >= 0;
		if (step)
			step->warmed |= operation->iteration > 0;
		if (strcmp(operation->kind, kind) == 0) {
			calls = true;
			steps->warmed |= operation->iteration > 0;
			loops |= operations->next[i] < operations->count;
			steps->overlap |=
				step == before && known > operation->marks[MARK_CALLED].last;
		}
		if (step)
			step->repeats |= operations->next[i] < operations->count;
		if (step && before && known > operation->marks[MARK_CALLED].last)
			join_stretches(steps, (uint32_t)(step - steps->at),
				(uint32_t)(before - steps->at));
		before = step ? step : before;
		known = end > known ? end : known;
	}
	steps->any |= calls;
	steps->loops |= loops;
	steps->single |= calls && !loops;
}

void sweep_run_steps_together(struct sweep_run_steps *steps, const char *name)
{
	for (uint32_t i = 0; i < steps->count; i++)
		steps->at[i].together |=
			steps->at[i].of_kind && strcmp(steps->at[i].name, name) == 0;
}

void sweep_run_steps_close(struct sweep_run_steps *steps, const struct sweep_loops *loops)
{
	for (uint32_t i = 0; i < steps->count; i++) {
		struct sweep_run_step *step = &steps->at[i];
		const struct operation like = {
			.step = step->step, .mesh_number = step->mesh_number};

		for (uint32_t l = 0; l < loops->count; l++)
			step->of_loop |= sweep_whole_has(&loops->at[l].parts, &like);
	}
	steps->mixed = steps->loops && steps->single && loops->count == 0;
}

bool sweep_run_is_asked(const struct sweep_run_steps *steps)
{
	uint32_t of_kind = 0;
	bool together = false;

	for (uint32_t i = 0; i < steps->count; i++) {
		of_kind += steps->at[i].of_kind;
		together |= steps->at[i].of_kind && steps->at[i].together;
	}
	together |= steps->mixed && steps->overlap;
	return (!steps->loops || steps->mixed) && !steps->rates && (of_kind > 1 || together);
}

/* Fills a stretch. Returns the name of its first step of the kind if it is judged, or NULL. */
static const char *fill_stretch(
	const struct sweep_run_steps *steps, uint32_t first, struct sweep_run *run)
{
	const char *name = NULL;
	bool asked = false;

	*run = (struct sweep_run){.count = 0};
	for (uint32_t i = first; i < steps->count; i++) {
		const struct sweep_run_step *step = &steps->at[i];

		if (sweep_run_stretch_of(steps, i) != first)
			continue;
		run->at[run->count++] =
			(struct sweep_part){.step = step->step, .mesh_number = step->mesh_number};
		run->of_loops |= step->of_loop || step->repeats;
		run->one_left |= step->of_kind && step->warmed;
		asked |= step->of_kind && !step->of_loop && !step->repeats && step->together;
		if (step->of_kind && !name)
			name = step->name;
	}
	return asked ? name : NULL;
}

/* True if a stretch has all steps of the kind. */
static bool is_whole_run(const struct sweep_run_steps *steps, uint32_t first)
{
	bool whole = true;

	for (uint32_t i = 0; i < steps->count; i++)
		whole &= !steps->at[i].of_kind || sweep_run_stretch_of(steps, i) == first;
	return whole;
}

uint32_t sweep_run_stretches(
	const struct sweep_run_steps *steps, struct sweep_run *runs, const char **names)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < steps->count && !steps->many && !steps->rates; i++) {
		if (sweep_run_stretch_of(steps, i) != i ||
			(is_whole_run(steps, i) && sweep_run_is_asked(steps)))
			continue;
		names[count] = fill_stretch(steps, i, &runs[count]);
		count += names[count] != NULL;
	}
	return count;
}

static bool run_has(const void *steps, const struct operation *operation)
{
	const struct sweep_run *run = steps;
	bool has = false;

	for (uint32_t i = 0; i < run->count && !has; i++)
		has = run->at[i].step == operation->step &&
		      run->at[i].mesh_number == operation->mesh_number;
	return has;
}

struct run_makespan sweep_run_measure(const struct operations *operations,
	const struct sweep_run *run, const char *kind, struct arena *arena)
{
	const struct run_choice choice = {kind, run->count > 0 ? run_has : NULL, run};

	return run_measure(operations, &choice, arena);
}
