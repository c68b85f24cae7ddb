/* Names of a workload's steps, see bench/scenario/scenario.h. Expects steps that have
 * been checked. */
#include <string.h>

#include "base/arena.h"
#include "bench/scenario/scenario.h"

uint32_t steps_count(const struct step *steps, uint32_t count)
{
	uint32_t total = count;

	for (uint32_t i = 0; i < count; i++)
		if (step_body(&steps[i]))
			total += steps_count(
				step_body(&steps[i])->steps, step_body(&steps[i])->step_count);
	return total;
}

struct naming {
	const char **places, **programs, **names;
	struct arena *arena;
};

static void name_below(const struct naming *naming, const struct step *steps, uint32_t count,
	const char *place, const char *path)
{
	struct arena *arena = naming->arena;

	for (uint32_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		const struct repeat_step *body = step_body(step);

		naming->places[step->number] =
			arena_printf(arena, "%s.%u %s", place, i, step_name(step->kind));
		naming->programs[step->number] =
			step->kind == STEP_ENQUEUE_WORKLOAD ? step->workload.program : "";
		naming->names[step->number] =
			step->as ? step->as : arena_printf(arena, "%s/%u", path, i);
		if (body)
			name_below(naming, body->steps, body->step_count,
				arena_printf(arena, "%s.%u.do", place, i),
				arena_printf(arena, "%s/%u/do", path, i));
	}
}

/* Steps, those below `do` included, that launch `program`. */
static uint32_t steps_of(const struct step *steps, uint32_t count, const char *program)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (body)
			found += steps_of(body->steps, body->step_count, program);
		found += steps[i].kind == STEP_ENQUEUE_WORKLOAD &&
			 strcmp(steps[i].workload.program, program) == 0;
	}
	return found;
}

static void name_by_program(const struct naming *naming, const struct step *all, uint32_t all_count,
	const struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (body)
			name_by_program(naming, all, all_count, body->steps, body->step_count);
		if (steps[i].kind == STEP_ENQUEUE_WORKLOAD && !steps[i].as &&
			steps_of(all, all_count, steps[i].workload.program) == 1)
			naming->names[steps[i].number] = steps[i].workload.program;
	}
}

void steps_name(const struct step *steps, uint32_t count, const char **places,
	const char **programs, const char **names, struct arena *arena)
{
	struct naming naming = {places, programs, names, arena};

	name_below(&naming, steps, count, "workload", "workload");
	name_by_program(&naming, steps, count, steps, count);
}
