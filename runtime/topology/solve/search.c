/* Backtracking over chips. Nodes are placed one by one, in the order that order.c computes. A chip
 * is used for a node only if three conditions hold. First, the links from the chip to the chips of
 * placed neighbours have the required channels. (In the whole mapping, up to `slack` links and
 * joins may have fewer.) Second, the pins, colours, machines and boards (topology/solve.h) allow
 * the chip. Third, the chip has enough free neighbours for those neighbours of the node that are
 * placed later.
 *
 * A target with several meshes has one part for each mesh. When all nodes of a part are placed, and
 * no edge leads from the part to later parts, the set of chips that the part uses is stored.
 * Another placement of this part on the same set cannot help, so it is skipped. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/hash.h"
#include "base/stream.h"
#include "solve_private.h"

/* Returns the next chip to try at this depth; SOLVE_ANY if there is none. */
static uint32_t next_chip(struct state *state)
{
	struct level *level = &state->levels[state->depth];
	uint32_t index;

	if (level->at == level->count)
		return SOLVE_ANY;
	index = level->at++;
	if (level->turn)
		index = (uint32_t)(((uint64_t)index + level->turn) % level->count);
	return level->chips ? level->chips[index] : index;
}

/* Chooses the chips on which the node of this depth is tried. There are two possible sets: the
 * chips of the node's domain, and the chips that are linked to the chip of a placed neighbour. If
 * there are several placed neighbours, takes the one whose chip has the fewest links. Chooses the
 * smaller set. If there is neither, all chips are tried. */
static void search_open_level(struct state *state)
{
	const struct solve_problem *problem = state->problem;
	const struct order *order = state->order;
	uint32_t node = order->node[state->depth], best = SOLVE_ANY;
	struct level *level = &state->levels[state->depth];

	if (order->starts_part[state->depth])
		search_forget(state, search_part(problem, node));
	*level = (struct level){.chip = SOLVE_ANY, .count = problem->host->count};
	for (uint32_t i = order->first[state->depth]; i < order->first[state->depth + 1]; i++) {
		uint32_t chip = state->image[order->before[i]];

		if (best == SOLVE_ANY ||
			wired_degree(problem->host, chip) < wired_degree(problem->host, best))
			best = chip;
	}
	if (best != SOLVE_ANY) {
		level->chips = problem->host->to + problem->host->first[best];
		level->count = wired_degree(problem->host, best);
	}
	if (problem->domains && problem->domains[node].chips &&
		(best == SOLVE_ANY || problem->domains[node].count < level->count)) {
		level->chips = problem->domains[node].chips;
		level->count = problem->domains[node].count;
	}
	if (state->limits->seed && level->count)
		level->turn = (uint32_t)stream_below(&state->stream, level->count);
}

static bool in_domain(const struct solve_domain *domain, uint32_t chip)
{
	uint32_t low = 0, high = domain->count;

	if (!domain->chips)
		return true;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (domain->chips[middle] == chip)
			return true;
		if (domain->chips[middle] < chip)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* Returns true if pins, colours, machines and boards allow this chip for the node. All nodes of a
 * unit (a rank) must be on one machine, so the machine must have enough free chips for the whole
 * unit. */
static bool is_allowed(const struct state *state, uint32_t node, uint32_t chip)
{
	const struct solve_problem *problem = state->problem;
	uint32_t unit, machine, board;

	if (problem->domains && !in_domain(&problem->domains[node], chip))
		return false;
	if (problem->target_colour && problem->host_colour &&
		problem->target_colour[node] != SOLVE_ANY &&
		problem->host_colour[chip] != SOLVE_ANY &&
		problem->target_colour[node] != problem->host_colour[chip])
		return false;
	if (!problem->unit)
		return true;
	unit = problem->unit[node];
	if (problem->machine) {
		machine = problem->machine[chip];
		if (state->unit_placed[unit]
				? state->unit_machine[unit] != machine
				: state->machine_free[machine] < state->unit_size[unit])
			return false;
	}
	board = problem->board ? problem->board[chip] : SOLVE_ANY;
	return board == SOLVE_ANY || !state->board_used[board] || state->board_unit[board] == unit;
}

/* Checks the links from `chip` to the chips of placed neighbours. Sets *lacking to the number of
 * links with too few channels. Returns false if the mapping would then have more of these links
 * than problem->slack allows. */
static bool has_links(const struct state *state, uint32_t chip, uint32_t *lacking)
{
	const struct order *order = state->order;
	const struct wired *host = state->problem->host;

	*lacking = 0;
	for (uint32_t i = order->first[state->depth]; i < order->first[state->depth + 1]; i++)
		if (wired_channels(host, chip, state->image[order->before[i]]) < order->need[i] &&
			state->lacking + ++*lacking > state->problem->slack)
			return false;
	return true;
}

/* Returns true if `chip` has enough free neighbours. Those neighbours of the current node that are
 * placed later need one each. */
static bool has_room(const struct state *state, uint32_t chip)
{
	const struct wired *host = state->problem->host;
	uint32_t later = state->order->later[state->depth], end = host->first[chip + 1];

	for (uint32_t i = host->first[chip]; later && i < end; i++)
		later -= state->owner[host->to[i]] == SOLVE_ANY;
	return later == 0;
}

static void search_put(struct state *state, uint32_t chip, uint32_t lacking)
{
	const struct solve_problem *problem = state->problem;
	uint32_t node = state->order->node[state->depth];
	struct level *level = &state->levels[state->depth];

	state->image[node] = chip;
	state->owner[chip] = node;
	level->chip = chip;
	level->lacking = lacking;
	state->lacking += lacking;
	if (problem->unit) {
		uint32_t unit = problem->unit[node];

		state->unit_placed[unit]++;
		if (problem->machine) {
			state->unit_machine[unit] = problem->machine[chip];
			state->machine_free[problem->machine[chip]]--;
		}
		if (problem->board && problem->board[chip] != SOLVE_ANY) {
			state->board_unit[problem->board[chip]] = unit;
			state->board_used[problem->board[chip]]++;
		}
	}
}

static void search_take_back(struct state *state)
{
	const struct solve_problem *problem = state->problem;
	uint32_t node = state->order->node[state->depth];
	struct level *level = &state->levels[state->depth];
	uint32_t chip = level->chip;

	if (chip == SOLVE_ANY)
		return;
	state->image[node] = SOLVE_ANY;
	state->owner[chip] = SOLVE_ANY;
	state->lacking -= level->lacking;
	level->chip = SOLVE_ANY;
	if (problem->unit) {
		state->unit_placed[problem->unit[node]]--;
		if (problem->machine)
			state->machine_free[problem->machine[chip]]++;
		if (problem->board && problem->board[chip] != SOLVE_ANY)
			state->board_used[problem->board[chip]]--;
	}
}

/* Removes the node of this depth from its chip, and places it on the next possible chip. Returns
 * false if no chip is left, or if the budget of steps is exhausted. */
static bool search_advance(struct state *state)
{
	uint32_t node = state->order->node[state->depth], chip, lacking;

	search_take_back(state);
	while (state->steps < state->limits->budget) {
		chip = next_chip(state);
		if (chip == SOLVE_ANY)
			return false;
		state->steps++;
		if (state->owner[chip] != SOLVE_ANY || !has_links(state, chip, &lacking) ||
			!is_allowed(state, node, chip) || !has_room(state, chip))
			continue;
		search_put(state, chip, lacking);
		if (!state->order->ends_part[state->depth] || search_end_part(state))
			return true;
		search_take_back(state);
	}
	return false;
}

/* Stores the current partial mapping, for diagnosis, if it is the largest one so far. */
static void note_best(struct state *state, struct solve_result *result)
{
	if (state->depth + 1 <= result->placed)
		return;
	result->placed = state->depth + 1;
	memcpy(result->image, state->image, state->problem->target->count * sizeof(uint32_t));
}

struct solve_result search(const struct solve_problem *problem, const struct order *order,
	const struct search_limits *limits, struct arena *arena)
{
	uint32_t count = problem->target->count;
	struct solve_result result = {.verdict = SOLVE_NONE, .how = "exhaustive search"};
	struct state *state = search_start(problem, order, limits);

	result.image = arena_array(arena, count, sizeof(uint32_t));
	memset(result.image, 0xff, count * sizeof(uint32_t));
	if (count)
		search_open_level(state);
	while (count && result.verdict == SOLVE_NONE) {
		if (search_advance(state)) {
			if (state->depth + 1 > result.placed &&
				(state->depth + 1 == count || order->ends_part[state->depth]))
				note_best(state, &result);
			if (state->depth + 1 == count) {
				result.verdict = SOLVE_FOUND;
				result.how = "found by search";
				break;
			}
			state->depth++;
			search_open_level(state);
		} else if (state->steps >= limits->budget) {
			result.verdict = SOLVE_BUDGET;
			result.how = "the search's budget ended";
		} else if (state->depth == 0) {
			break;
		} else {
			state->depth--;
		}
	}
	if (count == 0)
		result.verdict = SOLVE_FOUND;
	result.steps = state->steps;
	search_stop(state);
	return result;
}
