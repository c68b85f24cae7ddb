/* Proves by counting that there is no mapping. Compares the numbers of nodes, links and links per
 * node, and looks for empty domains and for rings of odd length. If the problem has slack, only
 * nodes and domains are considered. */
#include <stdlib.h>

#include "solve_private.h"

static int refute_compare(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a < b) - (a > b);
}

static uint32_t least_need(const struct wired *target)
{
	uint32_t least = SOLVE_ANY;

	for (uint32_t i = 0; i < 2 * target->edge_count; i++)
		least = target->channels[i] < least ? target->channels[i] : least;
	return least;
}

/* Lists the degrees of all nodes in descending order. Counts only links with at least `least`
 * channels. */
static uint32_t *list_degrees(const struct wired *wired, uint32_t least, struct arena *arena)
{
	uint32_t *degrees = arena_array(arena, (size_t)wired->count + 1, sizeof(*degrees));

	for (uint32_t i = 0; i < wired->count; i++)
		for (uint32_t k = wired->first[i]; k < wired->first[i + 1]; k++)
			degrees[i] += wired->channels[k] >= least;
	qsort(degrees, wired->count, sizeof(*degrees), refute_compare);
	return degrees;
}

const char *refute(const struct solve_problem *problem, struct arena *arena)
{
	const struct wired *target = problem->target, *host = problem->host;
	uint32_t least = least_need(target), usable = 0, *need, *have;

	if (target->count > host->count)
		return "it is larger: there are fewer chips than devices";
	for (uint32_t i = 0; problem->domains && i < target->count; i++)
		if (problem->domains[i].chips && problem->domains[i].count == 0)
			return "a device may go to no chip";
	if (problem->slack || target->edge_count == 0)
		return NULL;
	for (uint32_t i = 0; i < 2 * host->edge_count; i++)
		usable += host->channels[i] >= least;
	if (usable / 2 < target->edge_count)
		return "there are fewer links with enough channels than it needs";
	need = list_degrees(target, 0, arena);
	have = list_degrees(host, least, arena);
	for (uint32_t i = 0; i < target->count; i++)
		if (need[i] > have[i])
			return "too few chips have as many links as its devices need";
	if (wired_sides(host, least, arena) && !wired_sides(target, 0, arena))
		return "it has a ring of odd length, and the chips have none";
	return NULL;
}
