/* Builds the graph of chips. All arrays are allocated in the arena. */
#include "fabric/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "path.h"

static int compare_chips(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

void fabric_graph_init(
	struct fabric_graph *graph, const struct cluster_info *info, struct arena *arena)
{
	fabric_graph_init_topology(graph, info, FABRIC_TORUS, arena);
}

void fabric_graph_init_topology(struct fabric_graph *graph, const struct cluster_info *info,
	enum fabric_topology topology, struct arena *arena)
{
	uint32_t chips = info->chip_count, kept = 0;
	uint32_t *first = arena_array(arena, chips + 1, sizeof(*first));
	uint32_t *fill = arena_array(arena, chips + 1, sizeof(*fill));
	uint16_t *neighbour =
		arena_array(arena, 2 * (size_t)info->connection_count, sizeof(*neighbour));

	for (uint32_t i = 0; i < info->connection_count; i++) {
		const uint16_t *ends = info->connections[i].chip;

		ensure(ends[0] < chips && ends[1] < chips && ends[0] != ends[1],
			"connection %u joins chips %u and %u of %u", i, ends[0], ends[1], chips);
		if (!fabric_takes(topology, info, ends))
			continue;
		fill[ends[0] + 1]++;
		fill[ends[1] + 1]++;
	}
	for (uint32_t chip = 0; chip < chips; chip++)
		fill[chip + 1] += fill[chip];
	memcpy(first, fill, (chips + 1) * sizeof(*first));
	for (uint32_t i = 0; i < info->connection_count; i++) {
		const uint16_t *ends = info->connections[i].chip;

		if (!fabric_takes(topology, info, ends))
			continue;
		neighbour[fill[ends[0]]++] = ends[1];
		neighbour[fill[ends[1]]++] = ends[0];
	}
	for (uint32_t chip = 0; chip < chips; chip++) { /* sort, and keep each neighbour once */
		uint32_t begin = first[chip], end = first[chip + 1];

		qsort(neighbour + begin, end - begin, sizeof(*neighbour), compare_chips);
		first[chip] = kept;
		for (uint32_t i = begin; i < end; i++)
			if (i == begin || neighbour[i] != neighbour[i - 1])
				neighbour[kept++] = neighbour[i];
	}
	first[chips] = kept;
	*graph = (struct fabric_graph){
		.info = info, .first = first, .neighbour = neighbour, .topology = topology};
	if (!fabric_is_whole(graph))
		graph->order = fabric_order_new(graph, arena);
}
