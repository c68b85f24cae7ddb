/* Chooses the methods for a problem, and their budgets. Every mapping that the methods find is
 * checked again by separate code, except for diagnosis (`slack` in topology/solve.h). The program
 * stops if this check fails. */
#include "base/ensure.h"
#include "solve_private.h"

enum { RESTART_STEPS = 20000, RESTART_STEPS_PER_NODE = 50 };

/* Returns element i of the series 1 1 2 1 1 2 4 1 1 2 ... (Luby, Sinclair, Zuckerman). The solver
 * restarts its search again and again, and element i limits the length of search i. So most
 * searches are short, and a few are longer. */
static uint64_t luby(uint64_t i)
{
	uint64_t size = 1;

	while (size < i + 1)
		size = 2 * size + 1;
	while (size - 1 != i) {
		size = (size - 1) / 2;
		i %= size;
	}
	return (size + 1) / 2;
}

/* Searches for a mapping in several tries. The first try takes chips in ascending order, which
 * decides most problems quickly. For further tries, chips that a device cannot use are removed from
 * its candidates, and each list of candidates is tried from a random position on. If a wrong choice
 * early in the search makes a try useless, this try is short, and the next one begins elsewhere.
 * The last try is long, so that it can prove that there is no mapping. */
static struct solve_result search_all(
	const struct solve_problem *problem, uint64_t budget, struct arena *arena)
{
	struct order order = order_make(problem, arena);
	uint64_t unit = RESTART_STEPS + (uint64_t)RESTART_STEPS_PER_NODE * problem->target->count;
	struct search_limits limits = {.budget = budget / 16 + 1};
	struct solve_result best = search(problem, &order, &limits, arena), next;
	struct solve_problem narrow = *problem;
	uint64_t steps = best.steps, filtered = 0;
	bool none = false;

	if (best.verdict != SOLVE_BUDGET || steps >= budget)
		return best;
	narrow.domains = filter_domains(problem, &none, &filtered, arena);
	if (none) {
		best.verdict = SOLVE_NONE;
		best.how = "the links of some device fit no chip";
		best.steps += filtered;
		return best;
	}
	order = order_make(&narrow, arena);
	for (uint64_t i = 0; best.verdict == SOLVE_BUDGET && steps < budget; i++) {
		bool last = steps > budget / 2;

		limits.seed = i + 1;
		limits.budget = last ? budget - steps : unit * luby(i);
		next = search(&narrow, &order, &limits, arena);
		steps += next.steps;
		if (next.verdict != SOLVE_BUDGET || next.placed > best.placed)
			best = next;
	}
	best.steps = steps + filtered;
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
		/* First makes a short backtracking search. It finds easy mappings, and can prove
		 * that a small problem has no mapping. */
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
