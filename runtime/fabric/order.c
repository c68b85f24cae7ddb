/* Numbers channels (fabric/graph.h). First builds a spanning tree. Along every route in this tree,
 * each channel gets a higher number than the channel before it. Along routes in dimension order
 * (first the row, then the column), as many channels as possible get a higher number than the
 * channel before them. */
#include "fabric/graph.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"

/* BESIDE: the link does not join neighbours of the mesh */
enum direction { LEFT, RIGHT, UP, DOWN, BESIDE };

/* The state of the numbering. */
struct numbering {
	const struct fabric_graph *graph;
	uint32_t channels;
	uint32_t *number, *reverse;
	bool *tree;
	uint8_t *direction; /* [channel] a value of enum direction */
	bool *closes;	    /* [channel] true if the channel closes a ring */
	/* [channel] number of channels that have no number yet, and that must (or should) get a
	 * lower number than this channel */
	uint32_t *must, *should;
};

/* ---- the mesh ---- */

/* Returns the step from position `from` to its neighbour `to` on a line of `length` positions: 1 or
 * -1. Sets *closes if the step wraps around from one end of the line to the other. */
static int step_of(int from, int to, int length, bool *closes)
{
	*closes = length > 2 && abs(to - from) == length - 1;
	return *closes ? (to < from) - (to > from) : to - from;
}

static enum direction direction_of(
	const struct cluster_info *info, uint16_t from, uint16_t to, bool *closes)
{
	const struct chip_info *a = &info->chips[from], *b = &info->chips[to];
	int step;

	*closes = false;
	if (a->mesh_row < 0 || b->mesh_row < 0)
		return BESIDE;
	if (a->mesh_row == b->mesh_row) {
		step = step_of(a->mesh_column, b->mesh_column, info->mesh_columns, closes);
		return step == 1 ? RIGHT : step == -1 ? LEFT : BESIDE;
	}
	if (a->mesh_column != b->mesh_column)
		return BESIDE;
	step = step_of(a->mesh_row, b->mesh_row, info->mesh_rows, closes);
	return step == 1 ? DOWN : step == -1 ? UP : BESIDE;
}

static uint16_t from_of(const struct numbering *numbering, uint32_t channel)
{
	return numbering->graph->neighbour[numbering->reverse[channel]];
}

static void look_at_channels(struct numbering *numbering)
{
	const struct fabric_graph *graph = numbering->graph;

	for (uint32_t chip = 0; chip < graph->info->chip_count; chip++)
		for (uint32_t i = graph->first[chip]; i < graph->first[chip + 1]; i++) {
			uint16_t to = graph->neighbour[i];

			numbering->reverse[i] = fabric_graph_channel(graph, to, (uint16_t)chip);
			numbering->direction[i] = (uint8_t)direction_of(
				graph->info, (uint16_t)chip, to, &numbering->closes[i]);
		}
}

/* ---- the spanning tree ---- */

struct candidate {
	uint32_t cost, channel;
};

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return (x->channel > y->channel) - (x->channel < y->channel);
}

/* Sets level[chip] to the number of hops from the mesh; if there is no mesh, from chip 0. */
static void levels_beside(const struct numbering *numbering, uint16_t *level)
{
	const struct fabric_graph *graph = numbering->graph;
	uint32_t chips = graph->info->chip_count, head = 0, tail = 0;
	uint16_t *queue = allocate(chips, sizeof(*queue));

	/* first the chips of the mesh, then all others */
	for (uint32_t pass = 0; pass <= chips; pass++) {
		for (uint32_t chip = 0; pass == 0 && chip < chips; chip++) {
			bool in_mesh = graph->info->chips[chip].mesh_row >= 0;

			level[chip] = in_mesh ? 0 : UINT16_MAX;
			if (in_mesh)
				queue[tail++] = (uint16_t)chip;
		}
		if (pass > 0 && level[pass - 1] == UINT16_MAX) {
			level[pass - 1] = 0;
			queue[tail++] = (uint16_t)(pass - 1);
		}
		for (; head < tail; head++)
			for (uint32_t i = graph->first[queue[head]];
				i < graph->first[queue[head] + 1u]; i++) {
				uint16_t next = graph->neighbour[i];

				if (level[next] != UINT16_MAX)
					continue;
				level[next] = (uint16_t)(level[queue[head]] + 1);
				queue[tail++] = next;
			}
	}
	free(queue);
}

/* Returns a number that determines when a link is added to the spanning tree: links with a lower
 * cost are added first. The links of the columns and of one row in the middle have the lowest
 * costs; in a mesh without holes, they form a spanning tree whose routes have dimension order. The
 * other rows follow, beginning near the middle. The links of chips outside the mesh come last,
 * beginning near the mesh. */
static uint32_t cost_of(const struct numbering *numbering, uint32_t channel, const uint16_t *level)
{
	const struct cluster_info *info = numbering->graph->info;
	uint16_t from = from_of(numbering, channel), to = numbering->graph->neighbour[channel];
	uint32_t closes = numbering->closes[channel], away;

	switch (numbering->direction[channel]) {
	case UP:
	case DOWN:
		return closes;
	case LEFT:
	case RIGHT:
		away = (uint32_t)abs(info->chips[from].mesh_row - info->mesh_rows / 2);
		return 2 * away + (away > 0 ? 2 : 0) + closes;
	default:
		away = level[from] > level[to] ? level[from] : level[to];
		return 4u * UINT16_MAX + 2 * away + (level[from] == level[to]);
	}
}

static uint16_t root_of(uint16_t *parent, uint16_t chip)
{
	while (parent[chip] != chip)
		chip = parent[chip] = parent[parent[chip]];
	return chip;
}

static void order_make_tree(struct numbering *numbering)
{
	const struct fabric_graph *graph = numbering->graph;
	uint32_t chips = graph->info->chip_count, count = 0;
	struct candidate *candidates = allocate(numbering->channels / 2, sizeof(*candidates));
	uint16_t *level = allocate(chips, sizeof(*level)),
		 *parent = allocate(chips, sizeof(*parent));

	levels_beside(numbering, level);
	for (uint32_t i = 0; i < numbering->channels; i++)
		if (i < numbering->reverse[i])
			candidates[count++] = (struct candidate){cost_of(numbering, i, level), i};
	qsort(candidates, count, sizeof(*candidates), compare_candidates);
	for (uint32_t chip = 0; chip < chips; chip++)
		parent[chip] = (uint16_t)chip;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t channel = candidates[i].channel;
		uint16_t a = root_of(parent, from_of(numbering, channel));
		uint16_t b = root_of(parent, graph->neighbour[channel]);

		if (a == b)
			continue;
		parent[a] = b;
		numbering->tree[channel] = numbering->tree[numbering->reverse[channel]] = true;
	}
	free(candidates);
	free(level);
	free(parent);
}

/* ---- the numbers ---- */

enum wish { NO_WISH, SHOULD_CLIMB, MUST_CLIMB };

/* Returns whether routes must, should or need not be able to continue from channel `in` over
 * channel `out`. If they must or should, `out` needs a higher number than `in`. */
static enum wish order_wish_of(const struct numbering *numbering, uint32_t in, uint32_t out)
{
	uint8_t before = numbering->direction[in], after = numbering->direction[out];

	if (numbering->reverse[in] == out)
		return NO_WISH;
	if (numbering->tree[in] && numbering->tree[out])
		return MUST_CLIMB;
	if (before == after)
		return before == BESIDE ? NO_WISH : SHOULD_CLIMB;
	if (before == BESIDE || after == BESIDE)
		return SHOULD_CLIMB;
	return (before == LEFT || before == RIGHT) && (after == UP || after == DOWN) ? SHOULD_CLIMB
										     : NO_WISH;
}

/* Adds `change` to the counts `must` or `should` of each channel that can follow `in`. */
static void count_behind(struct numbering *numbering, uint32_t in, uint32_t change)
{
	const struct fabric_graph *graph = numbering->graph;
	uint16_t at = graph->neighbour[in];

	for (uint32_t out = graph->first[at]; out < graph->first[at + 1u]; out++) {
		enum wish wish = order_wish_of(numbering, in, out);

		numbering->must[out] += wish == MUST_CLIMB ? change : 0;
		numbering->should[out] += wish == SHOULD_CLIMB ? change : 0;
	}
}

/* Returns the channel that gets the next number. It is one of the channels that have no number yet
 * and whose `must` is 0: the one with the smallest `should`. Such a channel always exists, because
 * `must` counts only channels of the spanning tree, and these form no circle. */
static uint32_t order_next_channel(const struct numbering *numbering, uint32_t from)
{
	uint32_t best = UINT32_MAX, channels = numbering->channels;

	for (uint32_t k = 0; k < channels; k++) {
		uint32_t i = from + k < channels ? from + k : from + k - channels;

		if (numbering->number[i] != UINT32_MAX || numbering->must[i] > 0)
			continue;
		if (numbering->should[i] == 0)
			return i;
		if (best == UINT32_MAX || numbering->should[i] < numbering->should[best])
			best = i;
	}
	ensure(best != UINT32_MAX, "a circle in a spanning tree");
	return best;
}

const struct fabric_order *fabric_order_new(const struct fabric_graph *graph, struct arena *arena)
{
	uint32_t channels = graph->first[graph->info->chip_count], at = 0;
	struct fabric_order *order = arena_alloc(arena, sizeof(*order));
	struct numbering numbering = {
		.graph = graph,
		.channels = channels,
		.number = arena_array(arena, channels, sizeof(uint32_t)),
		.reverse = arena_array(arena, channels, sizeof(uint32_t)),
		.tree = arena_array(arena, channels, sizeof(bool)),
		.direction = allocate(channels, sizeof(uint8_t)),
		.closes = allocate(channels, sizeof(bool)),
		.must = allocate(channels, sizeof(uint32_t)),
		.should = allocate(channels, sizeof(uint32_t)),
	};

	look_at_channels(&numbering);
	order_make_tree(&numbering);
	for (uint32_t i = 0; i < channels; i++) {
		numbering.number[i] = UINT32_MAX;
		count_behind(&numbering, i, 1);
	}
	for (uint32_t i = 0; i < channels; i++) {
		at = order_next_channel(&numbering, at);
		numbering.number[at] = i;
		count_behind(&numbering, at, UINT32_MAX); /* subtracts one */
	}
	free(numbering.direction);
	free(numbering.closes);
	free(numbering.must);
	free(numbering.should);
	*order = (struct fabric_order){
		.number = numbering.number, .reverse = numbering.reverse, .tree = numbering.tree};
	return order;
}
