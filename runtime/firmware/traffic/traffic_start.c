/* Starts kernels on chips that the host cannot reach directly (traffic.h). The starter is a stage
 * on a chip with PCIe, so the host can reach the starter. The starter writes the start word of each
 * kernel over the fabric. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "firmware/core/stage.h"
#include "firmware/traffic/traffic.h"

struct starter {
	struct stage_base base;
	struct traffic_start start;
	struct traffic_route *routes;
	uint32_t count, sent;
};

bool traffic_started(const struct stage *stage, const struct traffic_start *start)
{
	return (int32_t)(device_row->word(stage, start->word) - start->value) >= 0;
}

int64_t traffic_wait_for_start(struct stage_wait *wait, const struct traffic_start *start)
{
	return block_on_word(wait, start->word, start->value, "the host's word to start");
}

static void traffic_start_send(struct stage_base *base)
{
	struct starter *starter = (struct starter *)base;
	const struct traffic_route *route = &starter->routes[starter->sent++];
	struct span word = span_copy(&starter->start.value, sizeof starter->start.value);

	device_row->fabric_write(
		&base->stage, route->tree, route->tile, starter->start.word, word, 0, 0);
	span_release(word);
	base->ended = starter->sent == starter->count;
}

static int64_t traffic_start_begin(struct stage *stage, struct stage_wait *wait)
{
	struct starter *starter = (struct starter *)stage;
	struct fabric_tree *tree;

	if (starter->base.ended)
		return STAGE_ENDED;
	if (!traffic_started(stage, &starter->start))
		return traffic_wait_for_start(wait, &starter->start);
	tree = starter->routes[starter->sent].tree;
	if (!device_row->fabric_ready(stage, tree))
		return block_on_fabric(wait, tree, "a slot of the router");
	return stage_plan(
		&starter->base, starter->base.firmware->price.traffic_packet, traffic_start_send);
}

static void starter_fini(struct stage_base *base)
{
	free(((struct starter *)base)->routes);
}

static const struct stage_ops starter_ops = STAGE_OPS("traffic_starter", traffic_start_begin);

struct stage *traffic_starter_new(const struct firmware *firmware, struct stage_place place,
	const struct traffic_start *start, const struct traffic_route *routes, uint32_t count)
{
	struct starter *starter = stage_new(sizeof *starter, &starter_ops, firmware, place);

	ensure(count > 0, "a starter without stages");
	starter->base.fini = starter_fini;
	starter->start = *start;
	starter->count = count;
	starter->routes = malloc(count * sizeof *routes);
	ensure_memory(starter->routes, "%u routes", count);
	memcpy(starter->routes, routes, count * sizeof *routes);
	return &starter->base.stage;
}
