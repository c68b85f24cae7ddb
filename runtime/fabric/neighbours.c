/* Queries of a graph of chips: links, channels, and distances. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "fabric/graph.h"

uint32_t fabric_graph_channel(const struct fabric_graph *graph, uint16_t from, uint16_t to)
{
	uint32_t channel = graph->first[from];

	while (channel < graph->first[from + 1u] && graph->neighbour[channel] != to)
		channel++;
	ensure(channel < graph->first[from + 1u], "no link joins chips %u and %u", from, to);
	return channel;
}

bool fabric_graph_joined(const struct fabric_graph *graph, uint16_t a, uint16_t b)
{
	for (uint32_t i = graph->first[a]; i < graph->first[a + 1]; i++)
		if (graph->neighbour[i] == b)
			return true;
	return false;
}

void fabric_graph_distances(const struct fabric_graph *graph, uint16_t target, uint16_t *distance)
{
	uint32_t chips = graph->info->chip_count, head = 0, tail = 0;
	uint16_t *queue = allocate(chips, sizeof(*queue));

	for (uint32_t i = 0; i < chips; i++)
		distance[i] = UINT16_MAX;
	distance[target] = 0;
	queue[tail++] = target;
	while (head < tail) {
		uint16_t chip = queue[head++];

		for (uint32_t i = graph->first[chip]; i < graph->first[chip + 1]; i++) {
			uint16_t next = graph->neighbour[i];

			if (distance[next] != UINT16_MAX)
				continue;
			distance[next] = (uint16_t)(distance[chip] + 1);
			queue[tail++] = next;
		}
	}
	free(queue);
}
