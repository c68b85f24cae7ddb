/* Places targets that are rings or lines. Backtracking takes too long for long rings, because it
 * finds only at the end that the ring cannot be closed. This method builds a ring or line, proves
 * that there is none, or gives up. A proof uses parity (a ring in a bipartite graph has an even
 * length), the size of connected components, or chips whose removal would divide the graph. The
 * only further condition that a target may have is that all its nodes must be placed on one
 * machine. */
#include <stdlib.h>
#include <string.h>

#include "solve_private.h"

bool ring_recognize(const struct solve_problem *problem, struct ring *ring, struct arena *arena)
{
	const struct wired *target = problem->target;
	uint32_t ends = 0, at = 0, last = SOLVE_ANY, need = 0;

	if (target->count < 4 || problem->part_count > 1 || problem->slack ||
		(problem->target_colour && problem->host_colour) || problem->unit_count > 1)
		return false;
	for (uint32_t i = 0; problem->domains && i < target->count; i++)
		if (problem->domains[i].chips)
			return false;
	for (uint32_t i = 0; i < target->count; i++) {
		uint32_t degree = wired_degree(target, i);

		if (degree < 1 || degree > 2)
			return false;
		if (degree == 1 && ends++ == 0)
			at = i;
		for (uint32_t k = target->first[i]; k < target->first[i + 1]; k++) {
			if (need && target->channels[k] != need)
				return false;
			need = target->channels[k];
		}
	}
	if (ends != 0 && ends != 2)
		return false;
	*ring = (struct ring){.need = need, .closed = ends == 0};
	ring->nodes = arena_array(arena, target->count, sizeof(uint32_t));
	while (ring->length < target->count) {
		uint32_t first = target->first[at], next = SOLVE_ANY;

		ring->nodes[ring->length++] = at;
		for (uint32_t k = first; k < target->first[at + 1] && next == SOLVE_ANY; k++)
			if (target->to[k] != last)
				next = target->to[k];
		if (next == SOLVE_ANY || (ring->closed && next == ring->nodes[0]))
			break;
		last = at;
		at = next;
	}
	return ring->length == target->count;
}

/* --- blocks: sets of chips that stay connected if any one chip is removed --- */

struct blocks {
	const struct wired *host;
	uint32_t *depth, *low, *parent, *at; /* [chip] state of the depth-first walk */
	/* `stack`: the visited chips that are in no complete block yet; `path`: the chips from the
	 * root of the walk to the current chip */
	uint32_t *stack, *path;
	uint32_t stacked, walked, clock;
	const uint8_t *side; /* [chip] side of the chip if the graph is bipartite; NULL: the graph
			      * is not bipartite */
	bool closed;
	uint32_t longest; /* upper bound for the length of a ring or line */
};

/* Returns an upper bound for the length of a ring or line in a block of `count` chips. In a
 * bipartite graph, the chips of a ring or line alternate between the two sides of the graph, so the
 * smaller side limits the length. `one` is the number of the block's chips on side 1; it is not
 * used for other graphs. */
static uint32_t bound(const struct blocks *blocks, uint32_t count, uint32_t one)
{
	uint32_t fewer = one < count - one ? one : count - one;

	if (!blocks->side)
		return count;
	if (blocks->closed)
		return 2 * fewer;
	return 2 * fewer + 1 < count ? 2 * fewer + 1 : count;
}

/* Removes the chips down to `child` from the stack. These chips and `top` form a block: they stay
 * connected if any one of them is removed. If the block has more than two chips, blocks->longest
 * becomes at least the bound for this block. */
static void close_block(struct blocks *blocks, uint32_t top, uint32_t child)
{
	uint32_t count = 1, one = blocks->side && blocks->side[top] == 1, chip, longest;

	do {
		chip = blocks->stack[--blocks->stacked];
		one += blocks->side && blocks->side[chip] == 1;
		count++;
	} while (chip != child);
	longest = bound(blocks, count, one);
	if (count > 2 && longest > blocks->longest)
		blocks->longest = longest;
}

/* Walks one component and closes its blocks. Returns the number of chips in the component. */
static uint32_t ring_walk(struct blocks *blocks, uint32_t root, uint32_t *one)
{
	const struct wired *host = blocks->host;
	uint32_t count = 0;

	blocks->path[0] = root;
	blocks->walked = 1;
	blocks->stacked = 0;
	while (blocks->walked) {
		uint32_t chip = blocks->path[blocks->walked - 1], to;

		if (!blocks->depth[chip]) {
			blocks->depth[chip] = blocks->low[chip] = ++blocks->clock;
			blocks->at[chip] = host->first[chip];
			blocks->stack[blocks->stacked++] = chip;
			*one += blocks->side && blocks->side[chip] == 1;
			count++;
		}
		if (blocks->at[chip] < host->first[chip + 1]) {
			to = host->to[blocks->at[chip]++];
			if (!blocks->depth[to]) {
				blocks->parent[to] = chip;
				blocks->path[blocks->walked++] = to;
			} else if (blocks->depth[to] < blocks->low[chip]) {
				blocks->low[chip] = blocks->depth[to];
			}
			continue;
		}
		blocks->walked--;
		if (!blocks->walked)
			break;
		to = blocks->path[blocks->walked - 1];
		if (blocks->low[chip] < blocks->low[to])
			blocks->low[to] = blocks->low[chip];
		if (blocks->low[chip] >= blocks->depth[to])
			close_block(blocks, to, chip);
	}
	return count;
}

/* Returns an upper bound for the length of any ring, or line. */
static uint32_t longest_possible(const struct wired *host, bool closed, struct arena *arena)
{
	struct blocks blocks = {
		.host = host, .closed = closed, .side = wired_sides(host, 0, arena)};
	uint32_t longest = 0, count, one;

	blocks.depth = arena_array(arena, host->count, sizeof(uint32_t));
	blocks.low = arena_array(arena, host->count, sizeof(uint32_t));
	blocks.parent = arena_array(arena, host->count, sizeof(uint32_t));
	blocks.at = arena_array(arena, host->count, sizeof(uint32_t));
	blocks.stack = arena_array(arena, host->count, sizeof(uint32_t));
	blocks.path = arena_array(arena, host->count, sizeof(uint32_t));
	for (uint32_t root = 0; root < host->count; root++) {
		if (blocks.depth[root])
			continue;
		one = 0;
		count = ring_walk(&blocks, root, &one);
		count = bound(&blocks, count, one);
		longest = count > longest ? count : longest;
	}
	return closed ? blocks.longest : longest;
}

/* Searches the chips of one machine, or of all machines (SOLVE_ANY). */
static enum solve_verdict solve_on(const struct solve_problem *problem, const struct ring *ring,
	uint32_t machine, uint64_t budget, struct solve_result *result, struct arena *arena)
{
	uint32_t count = problem->host->count, used = 0;
	uint32_t *keep = arena_array(arena, count, sizeof(uint32_t));
	uint32_t *chips = arena_array(arena, count, sizeof(uint32_t));
	uint32_t *out = arena_array(arena, count, sizeof(uint32_t));
	const struct wired *part;

	for (uint32_t i = 0; i < count; i++) {
		keep[i] = SOLVE_ANY;
		if (machine != SOLVE_ANY && problem->machine[i] != machine)
			continue;
		chips[used] = i;
		keep[i] = used++;
	}
	part = wired_part(arena, problem->host, keep, used, ring->need);
	if (used < ring->length || longest_possible(part, ring->closed, arena) < ring->length)
		return SOLVE_NONE;
	if (!ring_grow(part, ring->length, ring->closed, budget, &result->steps, out, arena))
		return SOLVE_BUDGET;
	for (uint32_t i = 0; i < ring->length; i++)
		result->image[ring->nodes[i]] = chips[out[i]];
	return SOLVE_FOUND;
}

struct solve_result ring_solve(const struct solve_problem *problem, const struct ring *ring,
	uint64_t budget, struct arena *arena)
{
	struct solve_result result = {.verdict = SOLVE_NONE,
		.how = ring->closed ? "no ring of the chips can be so long"
				    : "no line of the chips can be so long"};
	bool by_host = problem->unit && problem->machine && problem->machine_count > 1;
	uint32_t machines = by_host ? problem->machine_count : 1;
	enum solve_verdict verdict;

	result.image = arena_array(arena, ring->length, sizeof(uint32_t));
	memset(result.image, 0xff, ring->length * sizeof(uint32_t));
	for (uint32_t i = 0; i < machines; i++) {
		verdict = solve_on(
			problem, ring, by_host ? i : SOLVE_ANY, budget / machines, &result, arena);
		if (verdict == SOLVE_FOUND) {
			result.verdict = verdict;
			result.placed = ring->length;
			result.how = "built as a ring";
			return result;
		}
		if (verdict == SOLVE_BUDGET)
			result.verdict = verdict;
	}
	if (result.verdict == SOLVE_BUDGET)
		result.how = "no ring of that length was built";
	return result;
}
