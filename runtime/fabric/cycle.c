/* Builds the graph of waits between channels, and searches it for circles; see fabric/tree.h. */
#include "fabric/tree.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "path.h"

void fabric_waits_init(
	struct fabric_waits *waits, const struct fabric_graph *graph, struct arena *arena)
{
	uint32_t channels = graph->first[graph->info->chip_count];
	uint32_t *first = arena_array(arena, channels + 1u, sizeof(*first));

	for (uint32_t i = 0; i < channels; i++)
		first[i + 1] = first[i] + graph->first[graph->neighbour[i] + 1u] -
			       graph->first[graph->neighbour[i]];
	*waits = (struct fabric_waits){.graph = graph,
		.first = first,
		.waits = arena_array(arena, first[channels] + 1u, sizeof(bool))};
}

/* Returns true if a packet goes straight on through `middle` and then crosses the wrap-around link
 * of a ring. The wait for this link is not added to struct fabric_waits. Waits around a ring
 * always end, because a router of a ring lets no packet enter the ring that would take the last
 * free slot. */
static bool goes_round(
	const struct fabric_graph *graph, uint16_t from, uint16_t middle, uint16_t to)
{
	const struct chip_info *chips = graph->info->chips;

	return fabric_wraps(graph->info, middle, to) && chips[from].mesh_row >= 0 &&
	       (chips[from].mesh_row == chips[to].mesh_row ||
		       chips[from].mesh_column == chips[to].mesh_column);
}

void fabric_waits_add(struct fabric_waits *waits, const struct fabric_tree *tree)
{
	const struct fabric_graph *graph = waits->graph;

	for (uint32_t i = 1; tree != NULL && i < tree->node_count; i++) {
		const struct fabric_node *node = &tree->nodes[i], *at = &tree->nodes[node->parent];
		uint32_t in, out;

		if (node->parent == 0)
			continue; /* a sender occupies no slot in the fabric */
		if (goes_round(graph, tree->nodes[at->parent].chip, at->chip, node->chip))
			continue;
		in = fabric_graph_channel(graph, tree->nodes[at->parent].chip, at->chip);
		out = fabric_graph_channel(graph, at->chip, node->chip);
		waits->waits[waits->first[in] + out - graph->first[at->chip]] = true;
	}
}

/* The state of a depth-first search along the waits. */
struct look {
	const struct fabric_waits *waits;
	/* `stack`: channels of the current path; `next`: [channel] index of the successor to visit
	 * next */
	uint32_t *stack, *next;
	uint8_t *state; /* [channel] NEW, OPEN (on the current path) or DONE */
	uint32_t depth;
};

enum { NEW, OPEN, DONE };

/* The last channel of the path waits for some channels. Returns the next of these channels whose
 * state is not DONE. Returns UINT32_MAX if there is no such channel. */
static uint32_t next_wait(struct look *look)
{
	const struct fabric_waits *waits = look->waits;
	uint32_t in = look->stack[look->depth - 1];
	uint32_t begin = waits->graph->first[waits->graph->neighbour[in]];

	while (look->next[in] < waits->first[in + 1] - waits->first[in]) {
		uint32_t k = look->next[in]++;

		if (waits->waits[waits->first[in] + k] && look->state[begin + k] != DONE)
			return begin + k;
	}
	return UINT32_MAX;
}

static void say_circle(const struct look *look, uint32_t channel, struct text *why)
{
	uint32_t at = look->depth;

	if (why == NULL)
		return;
	text_append(why, "packets could wait for each other in a circle over chips");
	while (look->stack[at - 1] != channel)
		at--;
	for (uint32_t i = at - 1; i < look->depth; i++)
		text_printf(why, " %u", look->waits->graph->neighbour[look->stack[i]]);
}

/* Returns true if the search from `channel` finds a circle. */
static bool look_from(struct look *look, uint32_t channel, struct text *why)
{
	look->stack[look->depth++] = channel;
	look->state[channel] = OPEN;
	while (look->depth > 0) {
		uint32_t out = next_wait(look);

		if (out == UINT32_MAX) {
			look->state[look->stack[--look->depth]] = DONE;
		} else if (look->state[out] == OPEN) {
			say_circle(look, out, why);
			return true;
		} else {
			look->stack[look->depth++] = out;
			look->state[out] = OPEN;
		}
	}
	return false;
}

enum status fabric_waits_check(const struct fabric_waits *waits, struct text *why)
{
	uint32_t channels = waits->graph->first[waits->graph->info->chip_count];
	struct look look = {
		.waits = waits,
		.stack = allocate(channels, sizeof(*look.stack)),
		.next = allocate(channels, sizeof(*look.next)),
		.state = allocate(channels, sizeof(*look.state)),
	};
	bool circle = false;

	for (uint32_t i = 0; i < channels && !circle; i++)
		circle = look.state[i] == NEW && look_from(&look, i, why);
	free(look.stack);
	free(look.next);
	free(look.state);
	return circle ? STATUS_UNSUPPORTED : STATUS_OK;
}
