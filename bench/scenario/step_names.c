/* Names of a workload's steps, see bench/scenario/scenario.h. Refuses nothing: what is named here
 * has been checked. */
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

static void name_below(const struct step *steps, uint32_t count, const char *place,
	const char **names, const char **programs, struct arena *arena)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		const struct repeat_step *body = step_body(step);

		names[step->number] =
			arena_printf(arena, "%s.%u %s", place, i, step_name(step->kind));
		programs[step->number] =
			step->kind == STEP_ENQUEUE_WORKLOAD ? step->workload.program : "";
		if (body)
			name_below(body->steps, body->step_count,
				arena_printf(arena, "%s.%u.do", place, i), names, programs, arena);
	}
}

void steps_name(const struct step *steps, uint32_t count, const char **names, const char **programs,
	struct arena *arena)
{
	name_below(steps, count, "workload", names, programs, arena);
}
