/* Computes the chips on which a node can be placed. A chip is possible only if each link of the
 * node can be assigned to a different link of the chip. This link of the chip must lead to a chip
 * that is possible for the node's neighbour. The computation is repeated until nothing changes, but
 * at most ROUNDS_MAX times. The method is known as LAD (for example in igraph). Three kinds of
 * problems are not filtered: problems with slack (topology/solve.h), problems that would need a
 * very large table, and problems in which a chip has more than DEGREE_MAX neighbours. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "solve_private.h"

/* Checking a node and a chip costs only a fraction of a search step. */
enum { TABLE_MAX = 1 << 22, DEGREE_MAX = 64, ROUNDS_MAX = 64, LOOKS_PER_STEP = 4 };

struct filter {
	const struct wired *target, *host;
	bool *may;		    /* [node][chip] true if the node may be placed on the chip */
	uint32_t taken[DEGREE_MAX]; /* [link of the chip] the node's link that is placed on it;
				     * SOLVE_ANY: none */
	bool tried[DEGREE_MAX];
};

static bool *at(const struct filter *filter, uint32_t node, uint32_t chip)
{
	return &filter->may[(size_t)node * filter->host->count + chip];
}

static uint32_t domain_holds(const struct solve_domain *domain, uint32_t chip)
{
	for (uint32_t i = 0; domain->chips && i < domain->count; i++)
		if (domain->chips[i] == chip)
			return true;
	return !domain->chips;
}

/* Places link `link` of the node on a link of `chip`. If necessary, moves other links of the node
 * to other links of the chip. Returns false if this is impossible. */
static bool assign(struct filter *filter, uint32_t chip, uint32_t link)
{
	const struct wired *host = filter->host;
	uint32_t first = host->first[chip];

	for (uint32_t i = first; i < host->first[chip + 1]; i++) {
		if (filter->tried[i - first] ||
			host->channels[i] < filter->target->channels[link] ||
			!*at(filter, filter->target->to[link], host->to[i]))
			continue;
		filter->tried[i - first] = true;
		if (filter->taken[i - first] == SOLVE_ANY ||
			assign(filter, chip, filter->taken[i - first])) {
			filter->taken[i - first] = link;
			return true;
		}
	}
	return false;
}

/* Returns true if each link of the node can have a separate link of the chip. */
static bool filter_fits(struct filter *filter, uint32_t node, uint32_t chip)
{
	const struct wired *target = filter->target;

	memset(filter->taken, 0xff, sizeof(filter->taken));
	for (uint32_t i = target->first[node]; i < target->first[node + 1]; i++) {
		memset(filter->tried, 0, sizeof(filter->tried));
		if (!assign(filter, chip, i))
			return false;
	}
	return true;
}

static void filter_start(struct filter *filter, const struct solve_problem *problem)
{
	for (uint32_t node = 0; node < filter->target->count; node++)
		for (uint32_t chip = 0; chip < filter->host->count; chip++)
			*at(filter, node, chip) =
				wired_degree(filter->host, chip) >=
					wired_degree(filter->target, node) &&
				(!problem->domains || domain_holds(&problem->domains[node], chip));
}

/* Removes chips to which a node does not fit. Returns true if it has removed a chip. */
static bool filter_narrow(struct filter *filter)
{
	bool changed = false;

	for (uint32_t node = 0; node < filter->target->count; node++)
		for (uint32_t chip = 0; chip < filter->host->count; chip++)
			if (*at(filter, node, chip) && !filter_fits(filter, node, chip)) {
				*at(filter, node, chip) = false;
				changed = true;
			}
	return changed;
}

const struct solve_domain *filter_domains(
	const struct solve_problem *problem, bool *none, uint64_t *steps, struct arena *arena)
{
	struct filter filter = {.target = problem->target, .host = problem->host};
	uint32_t targets = filter.target->count, hosts = filter.host->count, most = 0, rounds = 0;
	struct solve_domain *domains;

	*none = false;
	for (uint32_t i = 0; i < hosts; i++)
		most = wired_degree(filter.host, i) > most ? wired_degree(filter.host, i) : most;
	if ((uint64_t)targets * hosts > TABLE_MAX || most > DEGREE_MAX || problem->slack)
		return problem->domains;
	filter.may = arena_array(arena, (size_t)targets * hosts + 1, sizeof(bool));
	filter_start(&filter, problem);
	while (filter_narrow(&filter) && rounds++ < ROUNDS_MAX)
		;
	*steps += (uint64_t)(rounds + 1) * targets * hosts / LOOKS_PER_STEP;
	domains = arena_array(arena, (size_t)targets + 1, sizeof(*domains));
	for (uint32_t node = 0; node < targets; node++) {
		uint32_t *chips = arena_array(arena, (size_t)hosts + 1, sizeof(*chips));

		for (uint32_t chip = 0; chip < hosts; chip++)
			if (*at(&filter, node, chip))
				chips[domains[node].count++] = chip;
		domains[node].chips = chips;
		*none |= domains[node].count == 0;
	}
	return domains;
}
