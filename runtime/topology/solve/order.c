/* Computes the order in which nodes are placed, part by part. Within a part, the next node is the
 * node with the most placed neighbours. Among nodes with equally many, it is the node whose first
 * placed neighbour was placed earliest. So the placed nodes form a compact patch, which can be
 * continued in few ways. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "solve_private.h"

/* An entry of the heap of nodes that wait to be placed. The best node comes first. If a node has
 * several entries, only the latest one is valid. */
struct waiting {
	uint32_t node, placed, since;
};

struct maker {
	const struct solve_problem *problem;
	const struct wired *target;
	struct waiting *heap;
	size_t heap_count, heap_capacity;
	/* `placed[node]`: number of placed neighbours; `since[node]`: time at which the first of
	 * them was placed; `left[part]`: number of nodes of the part that are not placed yet */
	uint32_t *placed, *since, *left;
	bool *done, *part_done;
	uint32_t clock, count;
	struct order order;
};

static uint32_t part_of(const struct solve_problem *problem, uint32_t node)
{
	return problem->part ? problem->part[node] : 0;
}

static bool order_is_before(const struct waiting *a, const struct waiting *b)
{
	if (a->placed != b->placed)
		return a->placed > b->placed;
	return a->since != b->since ? a->since < b->since : a->node < b->node;
}

static void heap_push(struct maker *maker, struct waiting entry)
{
	size_t at = maker->heap_count++;

	if (maker->heap_count > maker->heap_capacity) {
		maker->heap_capacity = 2 * maker->heap_count + 64;
		maker->heap =
			allocate_more(maker->heap, maker->heap_capacity, sizeof(*maker->heap));
	}
	for (; at && order_is_before(&entry, &maker->heap[(at - 1) / 2]); at = (at - 1) / 2)
		maker->heap[at] = maker->heap[(at - 1) / 2];
	maker->heap[at] = entry;
}

static struct waiting heap_pop(struct maker *maker)
{
	struct waiting top = maker->heap[0], last = maker->heap[--maker->heap_count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < maker->heap_count) {
		if (child + 1 < maker->heap_count &&
			order_is_before(&maker->heap[child + 1], &maker->heap[child]))
			child++;
		if (!order_is_before(&maker->heap[child], &last))
			break;
		maker->heap[at] = maker->heap[child];
		at = child;
	}
	maker->heap[at] = last;
	return top;
}

/* Appends a node to the order, and increments the number of placed neighbours of each of its
 * neighbours. Neighbours in the node's part that have no place yet enter the heap. */
static void order_take(struct maker *maker, uint32_t node)
{
	const struct wired *target = maker->target;
	uint32_t part = part_of(maker->problem, node);

	maker->order.position[node] = maker->count;
	maker->order.node[maker->count++] = node;
	maker->done[node] = true;
	maker->left[part]--;
	for (uint32_t i = target->first[node]; i < target->first[node + 1]; i++) {
		uint32_t to = target->to[i];

		if (maker->placed[to]++ == 0)
			maker->since[to] = ++maker->clock;
		if (!maker->done[to] && part_of(maker->problem, to) == part)
			heap_push(maker, (struct waiting){to, maker->placed[to], maker->since[to]});
	}
}

/* Returns the node of a part that is placed first. Also called later, when no remaining node has a
 * placed neighbour in the part. Chooses the remaining node with the most placed neighbours; among
 * several such nodes, the one with the fewest allowed chips. */
static uint32_t find_start(const struct maker *maker, const uint32_t *nodes, uint32_t count)
{
	const struct solve_domain *domains = maker->problem->domains;
	uint32_t best = SOLVE_ANY, best_choice = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = nodes[i];
		uint32_t choice = domains && domains[node].chips ? domains[node].count : SOLVE_ANY;

		if (maker->done[node])
			continue;
		if (best == SOLVE_ANY || maker->placed[node] > maker->placed[best] ||
			(maker->placed[node] == maker->placed[best] && choice < best_choice)) {
			best = node;
			best_choice = choice;
		}
	}
	return best;
}

static void order_take_part(
	struct maker *maker, const uint32_t *nodes, uint32_t count, uint32_t part)
{
	while (maker->left[part]) {
		maker->heap_count = 0;
		order_take(maker, find_start(maker, nodes, count));
		while (maker->heap_count) {
			struct waiting top = heap_pop(maker);

			if (!maker->done[top.node] && top.placed == maker->placed[top.node])
				order_take(maker, top.node);
		}
	}
	maker->part_done[part] = true;
}

/* Returns the part that is placed next: the one with the most connections to parts that are already
 * placed. Edges and joins (struct solve_join) count as connections. Among parts with equally many
 * connections, pinned parts come first, and then larger parts. */
static uint32_t next_part(
	const struct maker *maker, const uint32_t *tied, const uint32_t *sizes, const bool *pinned)
{
	uint32_t best = SOLVE_ANY;

	for (uint32_t i = 0; i < maker->problem->part_count; i++) {
		if (maker->part_done[i])
			continue;
		if (best == SOLVE_ANY || tied[i] > tied[best] ||
			(tied[i] == tied[best] && pinned[i] > pinned[best]) ||
			(tied[i] == tied[best] && pinned[i] == pinned[best] &&
				sizes[i] > sizes[best]))
			best = i;
	}
	return best;
}

static bool in(uint32_t part, uint32_t first, uint32_t count)
{
	return part >= first && part - first < count;
}

static void tie(const struct maker *maker, uint32_t part, const uint32_t *nodes, uint32_t count,
	uint32_t *tied)
{
	const struct solve_problem *problem = maker->problem;
	const struct wired *target = maker->target;

	for (uint32_t i = 0; i < problem->join_count; i++) {
		const struct solve_join *join = &problem->joins[i];

		if (in(part, join->first_a, join->count_a))
			for (uint32_t k = 0; k < join->count_b; k++)
				tied[join->first_b + k]++;
		if (in(part, join->first_b, join->count_b))
			for (uint32_t k = 0; k < join->count_a; k++)
				tied[join->first_a + k]++;
	}
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = target->first[nodes[i]]; k < target->first[nodes[i] + 1]; k++)
			if (part_of(problem, target->to[k]) != part)
				tied[part_of(problem, target->to[k])]++;
}

/* For each node in the order, lists the neighbours that are placed before it, and counts the
 * neighbours that are placed after it. Sets `loose` of each part from which no edge leads to a
 * later part. */
static void order_describe(struct maker *maker, struct arena *arena)
{
	const struct wired *target = maker->target;
	struct order *order = &maker->order;
	uint32_t used = 0;

	order->first = arena_array(arena, (size_t)target->count + 1, sizeof(uint32_t));
	order->before = arena_array(arena, target->edge_count, sizeof(uint32_t));
	order->need = arena_array(arena, target->edge_count, sizeof(uint32_t));
	order->later = arena_array(arena, target->count, sizeof(uint32_t));
	order->ends_part = arena_array(arena, target->count, sizeof(bool));
	order->starts_part = arena_array(arena, target->count, sizeof(bool));
	order->loose = arena_array(arena, maker->problem->part_count + 1, sizeof(bool));
	for (uint32_t i = 0; i <= maker->problem->part_count; i++)
		order->loose[i] = true;
	for (uint32_t i = 0; i < target->count; i++) {
		uint32_t node = order->node[i], part = part_of(maker->problem, node);

		order->first[i] = used;
		for (uint32_t k = target->first[node]; k < target->first[node + 1]; k++) {
			uint32_t to = target->to[k];

			if (order->position[to] < i) {
				order->before[used] = to;
				order->need[used++] = target->channels[k];
			} else {
				order->later[i]++;
			}
			if (order->position[to] > i && part_of(maker->problem, to) != part)
				order->loose[part] = false;
		}
		order->starts_part[i] =
			i == 0 || part_of(maker->problem, order->node[i - 1]) != part;
		order->ends_part[i] = i + 1 == target->count ||
				      part_of(maker->problem, order->node[i + 1]) != part;
	}
	order->first[target->count] = used;
}

/* Takes all parts, each time the one that next_part() returns. */
static void order_take_all(struct maker *maker, struct arena *arena)
{
	const struct solve_problem *problem = maker->problem;
	uint32_t parts = problem->part ? problem->part_count : 1, count = maker->target->count;
	uint32_t *sizes = arena_array(arena, parts, sizeof(uint32_t));
	uint32_t *tied = arena_array(arena, parts, sizeof(uint32_t));
	uint32_t *first = arena_array(arena, (size_t)parts + 1, sizeof(uint32_t));
	uint32_t *nodes = arena_array(arena, count, sizeof(uint32_t));
	bool *pinned = arena_array(arena, parts, sizeof(bool));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t part = part_of(problem, i);

		sizes[part]++;
		maker->left[part]++;
		pinned[part] |= problem->domains && problem->domains[i].chips;
	}
	for (uint32_t i = 0; i < parts; i++)
		first[i + 1] = first[i] + sizes[i];
	for (uint32_t i = 0, *at = arena_array(arena, parts, sizeof(uint32_t)); i < count; i++) {
		uint32_t part = part_of(problem, i);

		nodes[first[part] + at[part]++] = i;
	}
	for (uint32_t i = 0; i < parts; i++) {
		uint32_t part = problem->part ? next_part(maker, tied, sizes, pinned) : 0;

		order_take_part(maker, nodes + first[part], sizes[part], part);
		tie(maker, part, nodes + first[part], sizes[part], tied);
	}
}

struct order order_make(const struct solve_problem *problem, struct arena *arena)
{
	uint32_t count = problem->target->count;
	uint32_t parts = problem->part ? problem->part_count : 1;
	struct maker maker = {.problem = problem, .target = problem->target};

	maker.order.node = arena_array(arena, count, sizeof(uint32_t));
	maker.order.position = arena_array(arena, count, sizeof(uint32_t));
	maker.placed = arena_array(arena, count, sizeof(uint32_t));
	maker.since = arena_array(arena, count, sizeof(uint32_t));
	maker.left = arena_array(arena, parts, sizeof(uint32_t));
	maker.done = arena_array(arena, count, sizeof(bool));
	maker.part_done = arena_array(arena, parts, sizeof(bool));
	order_take_all(&maker, arena);
	ensure(maker.count == count, "%u of %u nodes in order", maker.count, count);
	order_describe(&maker, arena);
	free(maker.heap);
	return maker.order;
}
