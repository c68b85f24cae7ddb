/* Computes routes and trees on machines with holes, that is, with missing chips or links. Every
 * channel of the machine has a number. A route climbs if the numbers of its channels increase. All
 * routes that are used climb, so packets never wait for each other in a circle. There is a climbing
 * route between any two connected chips, because the numbers are chosen so that routes along a
 * spanning tree climb. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "fabric/graph.h"
#include "path.h"

/* ---- from chip to chip ---- */

/* For each channel, sets left[channel] to the number of hops that remain to `target` after this
 * channel, on the shortest climbing route that uses it. UINT16_MAX: there is no such route. If
 * `tree_alone` is set, routes use only channels of the spanning tree. */
static void hops_left(
	const struct fabric_graph *graph, uint16_t target, bool tree_alone, uint16_t *left)
{
	const struct fabric_order *order = graph->order;
	uint32_t channels = graph->first[graph->info->chip_count], head = 0, tail = 0;
	uint32_t *queue = allocate(channels, sizeof(*queue));

	for (uint32_t i = 0; i < channels; i++)
		left[i] = UINT16_MAX;
	for (uint32_t i = graph->first[target]; i < graph->first[target + 1u]; i++)
		if (!tree_alone || order->tree[i]) {
			left[order->reverse[i]] = 0;
			queue[tail++] = order->reverse[i];
		}
	for (; head < tail; head++) {
		uint32_t out = queue[head];
		uint16_t at = graph->neighbour[order->reverse[out]];

		for (uint32_t i = graph->first[at]; i < graph->first[at + 1u]; i++) {
			uint32_t in = order->reverse[i];

			if (left[in] != UINT16_MAX || !fabric_order_climbs(order, in, out) ||
				(tree_alone && !order->tree[in]))
				continue;
			left[in] = (uint16_t)(left[out] + 1);
			queue[tail++] = in;
		}
	}
	free(queue);
}

static bool in_one_row(const struct fabric_graph *graph, uint16_t a, uint16_t b)
{
	const struct chip_info *chips = graph->info->chips;

	return chips[a].mesh_row >= 0 && chips[a].mesh_row == chips[b].mesh_row;
}

/* Chooses the channel by which a packet leaves chip `at`. The packet came over channel `in`; if
 * `in` is UINT32_MAX, the packet starts at the chip. Prefers the fewest hops, then a channel along
 * the row, then the lowest number. Returns UINT32_MAX if no channel is possible. */
static uint32_t detour_next_channel(
	const struct fabric_graph *graph, uint16_t at, uint32_t in, const uint16_t *left)
{
	uint32_t best = UINT32_MAX;
	bool best_in_row = false;

	for (uint32_t i = graph->first[at]; i < graph->first[at + 1u]; i++) {
		bool in_row = in_one_row(graph, at, graph->neighbour[i]);

		if (left[i] == UINT16_MAX ||
			(in != UINT32_MAX && !fabric_order_climbs(graph->order, in, i)))
			continue;
		if (best != UINT32_MAX &&
			(left[i] > left[best] || (left[i] == left[best] && in_row <= best_in_row)))
			continue;
		best = i;
		best_in_row = in_row;
	}
	return best;
}

/* Follows a route from `source` to `target`, and writes its chips to `chips`. At each chip, takes
 * the channel after which the fewest hops are left (`left`). Returns the number of hops. Returns 0
 * if there is no route, or if the route would pass a chip twice. */
static uint32_t detour_follow(const struct fabric_graph *graph, uint16_t source, uint16_t target,
	const uint16_t *left, uint16_t *chips)
{
	uint32_t hops = 0, in = UINT32_MAX;
	uint16_t at = source;

	chips[0] = source;
	while (at != target) {
		in = detour_next_channel(graph, at, in, left);
		if (in == UINT32_MAX)
			return 0;
		at = graph->neighbour[in];
		for (uint32_t i = 0; i <= hops; i++)
			if (chips[i] == at)
				return 0;
		chips[++hops] = at;
	}
	return hops;
}

uint32_t fabric_detour(
	const struct fabric_graph *graph, uint16_t source, uint16_t target, uint16_t *chips)
{
	uint16_t *left = allocate(graph->first[graph->info->chip_count], sizeof(*left));
	uint32_t hops = 0;

	for (int tree_alone = 0; tree_alone < 2 && hops == 0; tree_alone++) {
		hops_left(graph, target, tree_alone, left);
		hops = detour_follow(graph, source, target, left, chips);
	}
	free(left);
	return hops;
}

/* ---- to many ---- */

/* A tree over all chips that the initiator reaches. */
struct spread {
	const struct fabric_graph *graph;
	struct fabric_node *nodes;
	uint32_t *in;  /* [node] the channel that leads to the node */
	bool *reached; /* [chip] true if the tree reaches the chip */
	uint32_t count;
};

static void detour_reach(struct spread *spread, uint32_t node, uint32_t channel)
{
	uint16_t chip = spread->graph->neighbour[channel];

	spread->nodes[spread->count] = (struct fabric_node){.chip = chip, .parent = (uint16_t)node};
	spread->in[spread->count++] = channel;
	spread->reached[chip] = true;
}

/* Grows the tree breadth first. At each chip, follows links along the row before other links. So in
 * a mesh without holes, the tree consists of one row, with columns as branches. */
static void spread_from(struct spread *spread, uint16_t initiator, bool tree_alone)
{
	const struct fabric_graph *graph = spread->graph;

	for (uint32_t chip = 0; chip < graph->info->chip_count; chip++)
		spread->reached[chip] = chip == initiator;
	spread->nodes[0] = (struct fabric_node){.chip = initiator};
	spread->count = 1;
	for (uint32_t node = 0; node < spread->count; node++) {
		uint16_t at = spread->nodes[node].chip;

		for (uint32_t k = 0; k < 2; k++)
			for (uint32_t i = graph->first[at]; i < graph->first[at + 1u]; i++)
				if (!spread->reached[graph->neighbour[i]] &&
					in_one_row(graph, at, graph->neighbour[i]) == (k == 0) &&
					(!tree_alone || graph->order->tree[i]) &&
					(node == 0 || fabric_order_climbs(
							      graph->order, spread->in[node], i)))
					detour_reach(spread, node, i);
	}
}

/* Sets `member` for the chips of the range. Returns a chip of the range that the tree does not
 * reach; CHIP_NONE if the tree reaches all of them. */
static uint16_t mark_members(struct spread *spread, const struct virtual_mesh *mesh,
	struct device_range range, bool *member)
{
	uint16_t lost = CHIP_NONE;

	for (uint16_t row = range.row0; row <= range.row1; row++)
		for (uint16_t column = range.column0; column <= range.column1; column++) {
			uint16_t chip = virtual_mesh_chip(mesh, row, column);

			member[chip] = true;
			if (!spread->reached[chip])
				lost = chip;
		}
	return lost;
}

enum status fabric_detour_tree(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree)
{
	uint32_t chips = graph->info->chip_count;
	bool *member = allocate(chips, sizeof(*member));
	struct spread spread = {
		.graph = graph,
		.nodes = arena_array(arena, chips, sizeof(*spread.nodes)),
		.in = allocate(chips, sizeof(*spread.in)),
		.reached = allocate(chips, sizeof(*spread.reached)),
	};
	enum status status = STATUS_OK;
	uint16_t lost = 0;

	for (int tree_alone = 0; tree_alone < 2 && lost != CHIP_NONE; tree_alone++) {
		spread_from(&spread, initiator, tree_alone);
		lost = mark_members(&spread, mesh, range, member);
	}
	if (lost == CHIP_NONE)
		*tree = fabric_prune(spread.nodes, spread.count, member, arena);
	else
		status = refuse(why, STATUS_NOT_FOUND, "no links lead from chip %u to chip %u",
			initiator, lost);
	free(spread.in);
	free(spread.reached);
	free(member);
	return status;
}
