/* Appends nodes to a Chakra trace, and finds what they depend on (chakra_exporter.h). */
#include "chakra_exporter.h"

#include <string.h>

#include "base/allocate.h"

static void add_need(struct chakra_node *node, uint32_t need)
{
	for (uint32_t i = 0; i < node->need_count; i++)
		if (node->needs[i] == need)
			return;
	if (need != NONE)
		node->needs[node->need_count++] = need;
}

static void find_needs(
	struct exporter *exporter, uint32_t rank, enum lane lane, struct chakra_node *node)
{
	node->need_count = 0;
	node->needs = arena_array(exporter->arena, LANES + 2, sizeof *node->needs);
	for (uint32_t i = 0; i < LANES; i++)
		if (i == lane || lane == LANE_ALL)
			add_need(node, exporter->last[i][rank]);
	add_need(node, exporter->host[rank]);
	if (lane < LANES) {
		add_need(node, exporter->awaited[lane][rank]);
		exporter->awaited[lane][rank] = NONE;
	}
}

struct chakra_node *exporter_add(
	struct exporter *exporter, uint32_t rank, struct chakra_node node, enum lane lane)
{
	struct chakra_rank *of = &exporter->trace->ranks[rank];

	if (exporter->nodes == EXPORT_NODES_MAX)
		return NULL;
	exporter->nodes++;
	if (of->count == exporter->room[rank]) {
		exporter->room[rank] = of->count > 0 ? 2 * of->count : 64;
		of->nodes = allocate_more(of->nodes, exporter->room[rank], sizeof *of->nodes);
	}
	node.id = of->count;
	node.name = node.name ? node.name : "";
	node.group = node.group ? node.group : "";
	node.keys = node.keys ? node.keys : "";
	find_needs(exporter, rank, lane, &node);
	for (uint32_t i = 0; i < LANES; i++)
		if (i == lane || lane == LANE_ALL)
			exporter->last[i][rank] = of->count;
	if (lane >= LANES)
		exporter->host[rank] = of->count;
	of->nodes[of->count] = node;
	return &of->nodes[of->count++];
}

void exporter_add_to_all(struct exporter *exporter, struct chakra_node node, enum lane lane)
{
	for (uint32_t i = 0; i < exporter->trace->count; i++)
		(void)exporter_add(exporter, i, node, lane);
}

enum lane exporter_lane(const struct exporter *exporter, uint32_t queue)
{
	return exporter->divided && queue > 0 ? LANE_SECOND : LANE_FIRST;
}

void exporter_record(struct exporter *exporter, const struct record_step *step)
{
	const uint32_t *last = exporter->last[exporter_lane(exporter, step->queue)];
	struct recorded *recorded = arena_alloc(exporter->arena, sizeof *recorded);

	recorded->event = step->event;
	recorded->nodes = arena_array(exporter->arena, exporter->trace->count, sizeof(uint32_t));
	memcpy(recorded->nodes, last, exporter->trace->count * sizeof(uint32_t));
	recorded->next = exporter->events;
	exporter->events = recorded;
}

void exporter_wait(struct exporter *exporter, const struct wait_step *step)
{
	uint32_t *awaited = exporter->awaited[exporter_lane(exporter, step->queue)];
	const struct recorded *recorded = exporter->events;

	while (recorded && strcmp(recorded->event, step->event) != 0)
		recorded = recorded->next;
	for (uint32_t i = 0; recorded && i < exporter->trace->count; i++)
		if (awaited[i] == NONE ||
			(recorded->nodes[i] != NONE && recorded->nodes[i] > awaited[i]))
			awaited[i] = recorded->nodes[i];
}
