/* Keeps the state of the search (search.c): counts, and conditions on whole parts. */
#include "solve_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"

enum { SEEN_MAX = 4096, SEEN_SLOTS = 2 * SEEN_MAX };

uint32_t search_part(const struct solve_problem *problem, uint32_t node)
{
	return problem->part ? problem->part[node] : 0;
}

/* Computes the sizes of units and parts, and the number of free chips of each machine. */
static void count_all(struct state *state)
{
	const struct solve_problem *problem = state->problem;

	for (uint32_t i = 0; i < problem->target->count; i++) {
		uint32_t part = search_part(problem, i);

		if (state->part_size[part]++ == 0)
			state->part_first[part] = i;
		if (problem->unit)
			state->unit_size[problem->unit[i]]++;
	}
	for (uint32_t i = 0; problem->machine && i < problem->host->count; i++)
		state->machine_free[problem->machine[i]]++;
}

/* Returns the part of a join that is placed last. */
static uint32_t find_join_end(const struct state *state, const struct solve_join *join)
{
	uint32_t end = join->first_a, last = 0;

	for (uint32_t i = 0; i < join->count_a + join->count_b; i++) {
		uint32_t part =
			i < join->count_a ? join->first_a + i : join->first_b + i - join->count_a;
		uint32_t position = state->order->position[state->part_first[part]];

		if (position >= last) {
			last = position;
			end = part;
		}
	}
	return end;
}

/* Returns true if every part is connected by edges of its own. */
static bool hangs_together(const struct state *state)
{
	const struct solve_problem *problem = state->problem;

	for (uint32_t i = 0; i < problem->target->count; i++) {
		uint32_t node = state->order->node[i];
		bool joined = state->order->starts_part[i];

		for (uint32_t k = state->order->first[i]; k < state->order->first[i + 1]; k++)
			joined |= search_part(problem, state->order->before[k]) ==
				  search_part(problem, node);
		if (!joined)
			return false;
	}
	return true;
}

static uint32_t *array(struct state *state, size_t count)
{
	return arena_array(&state->arena, count ? count : 1, sizeof(uint32_t));
}

struct state *search_start(const struct solve_problem *problem, const struct order *order,
	const struct search_limits *limits)
{
	uint32_t count = problem->target->count, chips = problem->host->count;
	uint32_t parts = problem->part ? problem->part_count : 1;
	struct state *state = allocate(1, sizeof(*state));

	state->problem = problem;
	state->order = order;
	state->limits = limits;
	stream_init(&state->stream, limits->seed, "topology/search");
	state->levels = arena_array(&state->arena, (size_t)count + 1, sizeof(*state->levels));
	state->image = array(state, count);
	state->owner = array(state, chips);
	memset(state->image, 0xff, count * sizeof(uint32_t));
	memset(state->owner, 0xff, chips * sizeof(uint32_t));
	state->unit_machine = array(state, problem->unit_count);
	state->unit_placed = array(state, problem->unit_count);
	state->unit_size = array(state, problem->unit_count);
	state->machine_free = array(state, problem->machine_count);
	state->board_unit = array(state, problem->board_count);
	state->board_used = array(state, problem->board_count);
	state->part_first = array(state, parts);
	state->part_size = array(state, parts);
	state->join_end = array(state, problem->join_count);
	state->seen = arena_array(&state->arena, parts, sizeof(*state->seen));
	state->walked = array(state, chips);
	state->queue = array(state, chips);
	state->connected = problem->part_count > 1 && hangs_together(state);
	count_all(state);
	for (uint32_t i = 0; i < problem->join_count; i++)
		state->join_end[i] = find_join_end(state, &problem->joins[i]);
	return state;
}

void search_stop(struct state *state)
{
	uint32_t parts = state->problem->part ? state->problem->part_count : 1;

	for (uint32_t i = 0; i < parts; i++)
		free(state->seen[i].keys);
	arena_fini(&state->arena);
	free(state);
}

void search_forget(struct state *state, uint32_t part)
{
	struct seen *seen = &state->seen[part];

	if (seen->count)
		memset(seen->keys, 0, SEEN_SLOTS * sizeof(*seen->keys));
	seen->count = 0;
}

/* Returns true if the search has placed this part on the same chips before, with a node of the same
 * unit (topology/solve.h) on each chip. Otherwise stores this placement, unless SEEN_MAX placements
 * are stored already. */
static bool was_here(struct state *state, uint32_t part)
{
	const struct solve_problem *problem = state->problem;
	struct seen *seen = &state->seen[part];
	uint64_t key = 0;
	size_t slot;

	if (!seen->keys) {
		seen->keys = allocate(SEEN_SLOTS, sizeof(*seen->keys));
	}
	for (uint32_t i = 0; i < state->part_size[part]; i++) {
		uint32_t node = state->part_first[part] + i;
		uint64_t unit = problem->unit ? problem->unit[node] : 0;

		key += hash_mix(((uint64_t)state->image[node] << 32 | unit) ^ HASH_EMPTY);
	}
	key = key ? key : 1;
	for (slot = key % SEEN_SLOTS; seen->keys[slot]; slot = (slot + 1) % SEEN_SLOTS)
		if (seen->keys[slot] == key)
			return true;
	if (seen->count < SEEN_MAX) {
		seen->keys[slot] = key;
		seen->count++;
	}
	return false;
}

static bool in(uint32_t part, uint32_t first, uint32_t count)
{
	return part >= first && part - first < count;
}

/* Returns true if the images of both ends have the required channels between them. */
static bool joined(const struct state *state, const struct solve_join *join)
{
	const struct wired *host = state->problem->host;
	uint32_t found = 0;

	for (uint32_t p = 0; p < join->count_a; p++)
		for (uint32_t i = 0; i < state->part_size[join->first_a + p]; i++) {
			uint32_t chip = state->image[state->part_first[join->first_a + p] + i];

			for (uint32_t k = host->first[chip]; k < host->first[chip + 1]; k++) {
				uint32_t owner = state->owner[host->to[k]];

				if (owner == SOLVE_ANY || !in(search_part(state->problem, owner),
								  join->first_b, join->count_b))
					continue;
				found += host->channels[k];
				if (found >= join->channels)
					return true;
			}
		}
	return false;
}

/* Counts the chips of the connected component of free chips around `root`. */
static uint32_t walk_free(struct state *state, uint32_t root)
{
	const struct wired *host = state->problem->host;
	uint32_t head = 0, tail = 1;

	state->queue[0] = root;
	state->walked[root] = state->walks;
	for (; head < tail; head++)
		for (uint32_t i = host->first[state->queue[head]];
			i < host->first[state->queue[head] + 1]; i++) {
			uint32_t to = host->to[i];

			if (state->owner[to] != SOLVE_ANY || state->walked[to] == state->walks)
				continue;
			state->walked[to] = state->walks;
			state->queue[tail++] = to;
		}
	return tail;
}

/* Returns false if the free chips certainly cannot hold the remaining parts. Counts the usable
 * chips in each connected component of free chips. In a component that is smaller than the smallest
 * remaining part, no chip is usable. If all remaining parts have the same size, only the chips of
 * as many parts as fit into the component are usable. */
static bool has_place(struct state *state)
{
	const struct solve_problem *problem = state->problem;
	uint32_t least = SOLVE_ANY, most = 0, left = 0, usable = 0;

	for (uint32_t p = 0; p < problem->part_count; p++) {
		uint32_t size = state->part_size[p];

		if (!size || state->image[state->part_first[p]] != SOLVE_ANY)
			continue;
		least = size < least ? size : least;
		most = size > most ? size : most;
		left += size;
	}
	if (!left)
		return true;
	state->walks++;
	for (uint32_t chip = 0; chip < problem->host->count && usable < left; chip++) {
		uint32_t size;

		if (state->owner[chip] != SOLVE_ANY || state->walked[chip] == state->walks)
			continue;
		size = walk_free(state, chip);
		usable += least == most ? size - size % least : size < least ? 0 : size;
	}
	return usable >= left;
}

bool search_end_part(struct state *state)
{
	const struct solve_problem *problem = state->problem;
	struct level *level = &state->levels[state->depth];
	uint32_t part = search_part(problem, state->order->node[state->depth]);

	if (problem->part_count < 2)
		return true;
	for (uint32_t i = 0; i < problem->join_count; i++)
		if (state->join_end[i] == part && !joined(state, &problem->joins[i])) {
			level->lacking++;
			if (++state->lacking > problem->slack)
				return false;
		}
	if (state->depth + 1 == problem->target->count)
		return true;
	return (!state->order->loose[part] || !was_here(state, part)) &&
	       (!state->connected || has_place(state));
}
