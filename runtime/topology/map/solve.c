/* Which methods are tried on a problem, and how long each. Refuses to call a mapping found that the
 * independent check does not pass. */
#include "base/ensure.h"
#include "map_private.h"

enum { RESTARTS = 15 };

/* Steps of the first, orderly search: most that can be decided is decided by then. */
static uint64_t first_share(uint64_t budget)
{
	return budget / 4 + 1;
}

static struct solve_result search_all(
	const struct solve_problem *problem, uint64_t budget, struct arena *arena)
{
	struct order order = order_make(problem, arena);
	struct search_limits limits = {.budget = first_share(budget)};
	struct solve_result best = search(problem, &order, &limits, arena), next;
	uint64_t rest = budget - (budget < best.steps ? budget : best.steps), steps = best.steps;

	/* Other orders of chips: a search that went wrong early does so in few of them. A long one
	 * comes last, for proofs. */
	for (uint64_t i = 1; i <= RESTARTS + 1 && best.verdict == SOLVE_BUDGET; i++) {
		limits = (struct search_limits){
			.seed = i, .budget = i > RESTARTS ? rest / 2 : rest / (2 * RESTARTS)};
		next = search(problem, &order, &limits, arena);
		steps += next.steps;
		if (next.verdict != SOLVE_BUDGET || next.placed > best.placed)
			best = next;
	}
	best.steps = steps;
	return best;
}

struct solve_result solve(const struct solve_problem *problem, struct arena *arena)
{
	uint64_t budget = problem->budget ? problem->budget : SOLVE_BUDGET_DEFAULT;
	const char *reason = refute(problem, arena);
	struct solve_result result;
	struct ring ring;

	if (reason) {
		result = (struct solve_result){.verdict = SOLVE_NONE, .how = reason};
		result.image = arena_array(arena, problem->target->count, sizeof(uint32_t));
		for (uint32_t i = 0; i < problem->target->count; i++)
			result.image[i] = SOLVE_ANY;
		return result;
	}
	if (ring_recognize(problem, &ring, arena)) {
		/* A short search first: it finds what lies on the way, and proves the small. */
		struct order order = order_make(problem, arena);
		struct search_limits limits = {.budget = budget / 64 + 1};

		result = search(problem, &order, &limits, arena);
		if (result.verdict == SOLVE_BUDGET)
			result = ring_solve(problem, &ring, budget / 4 + 1, arena);
		if (result.verdict == SOLVE_BUDGET)
			result = search_all(problem, budget / 2 + 1, arena);
	} else {
		result = search_all(problem, budget, arena);
	}
	if (result.verdict == SOLVE_FOUND && !problem->slack) {
		struct text why = {0};

		ensure(solve_check(problem, result.image, &why), "a mapping is none: %s",
			text_string(&why));
		text_fini(&why);
	}
	return result;
}
