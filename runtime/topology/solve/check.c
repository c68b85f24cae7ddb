/* Checks a mapping against every condition of its problem. The check is independent of the solver:
 * it does not use the solver's searches, tables and orders of nodes. */
#include <stdlib.h>

#include "base/allocate.h"
#include "topology/solve.h"

enum { SAID_MAX = 8 };

struct checker {
	const struct solve_problem *problem;
	const uint32_t *image;
	struct text *why;
	uint32_t found;
};

#define SAY(checker, ...)                                                                          \
	do {                                                                                       \
		if ((checker)->why && (checker)->found < SAID_MAX)                                 \
			text_printf((checker)->why, __VA_ARGS__);                                  \
		(checker)->found++;                                                                \
	} while (0)

static void check_bijection(struct checker *checker)
{
	const struct solve_problem *problem = checker->problem;
	uint32_t *owner = allocate((size_t)problem->host->count + 1, sizeof(*owner));

	for (uint32_t i = 0; i < problem->target->count; i++) {
		uint32_t chip = checker->image[i];

		if (chip >= problem->host->count)
			SAY(checker, "device %u has no chip; ", i);
		else if (owner[chip]++)
			SAY(checker, "chip %u is given out twice; ", chip);
	}
	free(owner);
}

/* Counts the channels between two chips in the list of neighbours of each chip. Returns the lower
 * number. */
static uint32_t count_channels(const struct wired *host, uint32_t a, uint32_t b)
{
	uint32_t there = 0, back = 0;

	for (uint32_t i = host->first[a]; i < host->first[a + 1]; i++)
		there += host->to[i] == b ? host->channels[i] : 0;
	for (uint32_t i = host->first[b]; i < host->first[b + 1]; i++)
		back += host->to[i] == a ? host->channels[i] : 0;
	return there < back ? there : back;
}

static void check_links(struct checker *checker)
{
	const struct wired *target = checker->problem->target;

	for (uint32_t a = 0; a < target->count; a++)
		for (uint32_t i = target->first[a]; i < target->first[a + 1]; i++) {
			uint32_t b = target->to[i], found;

			if (b < a)
				continue;
			found = count_channels(
				checker->problem->host, checker->image[a], checker->image[b]);
			if (found < target->channels[i])
				SAY(checker,
					"devices %u - %u need %u channels, chips %u - %u have "
					"%u; ",
					a, b, target->channels[i], checker->image[a],
					checker->image[b], found);
		}
}

static bool is_in(uint32_t part, uint32_t first, uint32_t count)
{
	return part != SOLVE_ANY && part >= first && part < first + count;
}

static void check_joins(struct checker *checker)
{
	const struct solve_problem *problem = checker->problem;
	const struct wired *host = problem->host;
	uint32_t *part = allocate((size_t)host->count + 1, sizeof(*part));

	for (uint32_t chip = 0; chip < host->count; chip++)
		part[chip] = SOLVE_ANY;
	for (uint32_t i = 0; i < problem->target->count; i++)
		part[checker->image[i]] = problem->part ? problem->part[i] : 0;
	for (uint32_t j = 0; j < problem->join_count; j++) {
		const struct solve_join *join = &problem->joins[j];
		uint32_t found = 0;

		for (uint32_t chip = 0; chip < host->count; chip++) {
			if (!is_in(part[chip], join->first_a, join->count_a))
				continue;
			for (uint32_t k = host->first[chip]; k < host->first[chip + 1]; k++)
				if (is_in(part[host->to[k]], join->first_b, join->count_b))
					found += host->channels[k];
		}
		if (found < join->channels)
			SAY(checker, "meshes %u and %u need %u channels between them and have %u; ",
				join->first_a, join->first_b, join->channels, found);
	}
	free(part);
}

static void check_domains(struct checker *checker)
{
	const struct solve_problem *problem = checker->problem;

	for (uint32_t i = 0; i < problem->target->count; i++) {
		const struct solve_domain *domain = problem->domains ? &problem->domains[i] : NULL;
		bool there = !domain || !domain->chips;
		uint32_t want, have;

		for (uint32_t k = 0; !there && k < domain->count; k++)
			there = domain->chips[k] == checker->image[i];
		if (!there)
			SAY(checker, "device %u is pinned elsewhere than chip %u; ", i,
				checker->image[i]);
		want = problem->target_colour ? problem->target_colour[i] : SOLVE_ANY;
		have = problem->host_colour ? problem->host_colour[checker->image[i]] : SOLVE_ANY;
		if (want != SOLVE_ANY && have != SOLVE_ANY && want != have)
			SAY(checker, "device %u is of rank %u, chip %u of rank %u; ", i, want,
				checker->image[i], have);
	}
}

static void check_units(struct checker *checker)
{
	const struct solve_problem *problem = checker->problem;
	uint32_t count = problem->target->count;
	uint32_t *machine = allocate((size_t)problem->unit_count + 1, sizeof(*machine));
	uint32_t *board = allocate((size_t)problem->board_count + 1, sizeof(*board));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t chip = checker->image[i], unit = problem->unit[i];

		if (problem->machine && machine[unit] &&
			machine[unit] != problem->machine[chip] + 1)
			SAY(checker, "rank %u is on hosts %u and %u; ", unit, machine[unit] - 1,
				problem->machine[chip]);
		if (problem->machine)
			machine[unit] = problem->machine[chip] + 1;
		if (!problem->board || problem->board[chip] == SOLVE_ANY)
			continue;
		if (board[problem->board[chip]] && board[problem->board[chip]] != unit + 1)
			SAY(checker, "a board is split between ranks %u and %u; ",
				board[problem->board[chip]] - 1, unit);
		board[problem->board[chip]] = unit + 1;
	}
	free(machine);
	free(board);
}

bool solve_check(const struct solve_problem *problem, const uint32_t *image, struct text *why)
{
	struct checker checker = {problem, image, why, 0};

	check_bijection(&checker);
	if (checker.found)
		return false; /* stop here, because the other checks would read beyond the chips */
	check_links(&checker);
	check_domains(&checker);
	if (problem->unit)
		check_units(&checker);
	if (problem->join_count)
		check_joins(&checker);
	return checker.found == 0;
}
