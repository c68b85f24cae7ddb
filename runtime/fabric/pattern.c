/* Builds the flows of the traffic patterns: the sources and their trees, see fabric/pattern.h. */
#include "fabric/pattern.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "path.h"

static const char *const names[] = {
#define X(name, title, what) title,
#include "fabric/pattern.def"
#undef X
};

const char *fabric_pattern_name(size_t pattern)
{
	return pattern < FABRIC_PATTERN_COUNT ? names[pattern] : NULL;
}

static void add_flow(struct pattern_build *build, struct fabric_tree *tree)
{
	struct fabric_flows *flows = build->flows;

	ensure(flows->count < build->capacity, "%u flows", flows->count);
	tree->cycle = build->cycle;
	flows->flows[flows->count++] =
		(struct fabric_flow){.source = tree->nodes[0].chip, .tree = tree};
}

static enum status add_path(
	struct pattern_build *build, const uint16_t *chips, uint32_t count, bool each)
{
	struct fabric_tree *tree;
	enum status status;

	if (count < 2)
		return STATUS_OK;
	status = fabric_path(build->graph, chips, count, each, build->arena, &tree);
	if (status != STATUS_OK)
		return refuse(build->why, status, "the pattern needs links that are not there");
	add_flow(build, tree);
	return STATUS_OK;
}

/* ---- lines and rings: chips in an order ---- */

/* Adds a flow of `hops` hops, forwards or backwards, which starts at chip number `from` of the
 * order. In a ring, a flow continues from one end of the order to the other. */
static enum status add_run(struct pattern_build *build, const struct pattern_order *order,
	uint32_t from, uint32_t hops, bool forward, bool each)
{
	uint16_t *chips = malloc((hops + 1) * sizeof(*chips));
	enum status status;

	ensure_memory(chips != NULL, "%u chips", hops);
	for (uint32_t i = 0; i <= hops; i++)
		chips[i] = order->chips[(from + (forward ? i : order->count - i % order->count)) %
					order->count];
	status = add_path(build, chips, hops + 1, each);
	free(chips);
	return status;
}

static enum status add_both(struct pattern_build *build, const struct pattern_order *order,
	uint32_t from, uint32_t forward, uint32_t backward, bool each)
{
	enum status status = add_run(build, order, from, forward, true, each);

	return status == STATUS_OK ? add_run(build, order, from, backward, false, each) : status;
}

static enum status linear(struct pattern_build *build, const struct pattern_order *order)
{
	enum status status = STATUS_OK;
	uint32_t last = order->count - 1;

	for (uint32_t i = 0; i < order->count && status == STATUS_OK; i++)
		status = add_both(build, order, i, last - i, i, true);
	return status;
}

static enum status unidirectional(struct pattern_build *build, const struct pattern_order *order)
{
	enum status status = STATUS_OK;
	uint32_t last = order->count - 1;

	for (uint32_t i = 0; i < order->count && status == STATUS_OK; i++)
		status = last - i >= i ? add_run(build, order, i, last - i, true, true)
				       : add_run(build, order, i, i, false, true);
	return status;
}

static enum status single_linear(struct pattern_build *build, const struct pattern_order *order)
{
	enum status status = STATUS_OK;

	for (uint32_t hops = 1; hops < order->count && status == STATUS_OK; hops++)
		status = add_run(build, order, 0, hops, true, false);
	return status;
}

static enum status full_ring(
	struct pattern_build *build, const struct pattern_order *order, bool each)
{
	enum status status = STATUS_OK;
	uint32_t hops = order->count - 1;

	for (uint32_t i = 0; i < order->count && status == STATUS_OK; i++)
		status = add_both(build, order, i, hops, hops, each);
	return status;
}

/* Adds two flows from each chip, which go half way round the ring in opposite directions. In a ring
 * with an even number of chips, one of the two flows is a hop longer. The direction of the longer
 * flow alternates from chip to chip, so both directions carry the same load. */
static enum status half_ring(struct pattern_build *build, const struct pattern_order *order)
{
	enum status status = STATUS_OK;
	uint32_t more = order->count / 2, less = order->count - 1 - more;

	for (uint32_t i = 0; i < order->count && status == STATUS_OK; i++)
		status = i % 2 ? add_both(build, order, i, more, less, true)
			       : add_both(build, order, i, less, more, true);
	return status;
}

static enum status along_order(
	struct pattern_build *build, enum fabric_pattern pattern, const struct pattern_order *order)
{
	switch (pattern) {
	case FABRIC_PATTERN_LINEAR_MULTICAST:
		return linear(build, order);
	case FABRIC_PATTERN_UNIDIR_LINEAR_MULTICAST:
		return unidirectional(build, order);
	case FABRIC_PATTERN_SINGLE_LINEAR_UNICAST:
		return single_linear(build, order);
	case FABRIC_PATTERN_HALF_RING_MULTICAST:
		return half_ring(build, order);
	default:
		return full_ring(build, order, pattern == FABRIC_PATTERN_FULL_RING_MULTICAST);
	}
}

/* ---- meshes ---- */

static enum status spread(struct pattern_build *build, struct pattern_wrap wrap)
{
	struct mesh_shape shape = build->mesh->shape;
	enum status status = STATUS_OK;
	struct fabric_tree *tree;

	for (uint32_t i = 0; i < mesh_shape_count(shape) && status == STATUS_OK; i++) {
		status = pattern_spread(build, (uint16_t)(i / shape.columns),
			(uint16_t)(i % shape.columns), wrap, &tree);
		if (status == STATUS_OK)
			add_flow(build, tree);
	}
	if (status != STATUS_OK)
		return refuse(build->why, status, "the pattern needs links that are not there");
	return status;
}

/* Adds flows from the first device to all other devices. Each flow goes along the column first,
 * then along the row. */
static enum status single_mesh(struct pattern_build *build)
{
	struct mesh_shape shape = build->mesh->shape;
	uint16_t *chips = malloc(((size_t)shape.rows + shape.columns) * sizeof(*chips));
	enum status status = STATUS_OK;

	ensure_memory(chips != NULL, "%u chips", shape.rows + shape.columns);
	for (uint32_t i = 1; i < mesh_shape_count(shape) && status == STATUS_OK; i++) {
		uint32_t count = 0;

		for (uint16_t row = 0; row <= i / shape.columns; row++)
			chips[count++] = virtual_mesh_chip(build->mesh, row, 0);
		for (uint16_t column = 1; column <= i % shape.columns; column++)
			chips[count++] = virtual_mesh_chip(
				build->mesh, (uint16_t)(i / shape.columns), column);
		status = add_path(build, chips, count, false);
	}
	free(chips);
	return status;
}

/* ---- load of links ---- */

static uint32_t busiest(const struct fabric_graph *graph, const struct fabric_flows *flows)
{
	uint32_t *carried = allocate(graph->first[graph->info->chip_count] + 1u, sizeof(*carried));
	uint32_t most = 0;

	for (uint32_t f = 0; f < flows->count; f++) {
		const struct fabric_tree *tree = flows->flows[f].tree;

		for (uint16_t node = 1; node < tree->node_count; node++) {
			uint16_t from = tree->nodes[tree->nodes[node].parent].chip;
			uint32_t link = graph->first[from];

			while (graph->neighbour[link] != tree->nodes[node].chip)
				link++;
			if (++carried[link] > most)
				most = carried[link];
		}
	}
	free(carried);
	return most;
}

static enum status build_pattern(struct pattern_build *build, enum fabric_pattern pattern)
{
	struct pattern_order *orders;
	struct pattern_wrap wrap;
	uint32_t count = 0;
	enum status status = STATUS_OK;

	switch (pattern) {
	case FABRIC_PATTERN_MESH_MULTICAST:
	case FABRIC_PATTERN_MESH_MULTICAST_DYNAMIC:
		return spread(build, (struct pattern_wrap){0});
	case FABRIC_PATTERN_TORUS_MULTICAST:
		wrap = pattern_wraps(build);
		if (wrap.rows || wrap.columns)
			build->cycle = FABRIC_CYCLE_LINES;
		return spread(build, wrap);
	case FABRIC_PATTERN_SINGLE_MESH_UNICAST:
		return single_mesh(build);
	case FABRIC_PATTERN_FULL_RING_MULTICAST:
	case FABRIC_PATTERN_HALF_RING_MULTICAST:
	case FABRIC_PATTERN_FULL_RING_UNICAST:
		orders = pattern_rings(build, &count);
		build->cycle = FABRIC_CYCLE_WAY;
		break;
	default:
		orders = pattern_lines(build, &count);
	}
	if (count == 0)
		return refuse(build->why, STATUS_UNSUPPORTED, "%u x %u devices form no ring",
			build->mesh->shape.rows, build->mesh->shape.columns);
	if (pattern == FABRIC_PATTERN_SINGLE_LINEAR_UNICAST)
		count = 1;
	for (uint32_t i = 0; i < count && status == STATUS_OK; i++)
		status = along_order(build, pattern, &orders[i]);
	return status;
}

enum status fabric_pattern_flows(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	enum fabric_pattern pattern, struct arena *arena, struct text *why,
	struct fabric_flows *flows)
{
	uint32_t devices = mesh_shape_count(mesh->shape);
	struct pattern_build build = {
		.graph = graph,
		.mesh = mesh,
		.arena = arena,
		.why = why,
		.flows = flows,
		.capacity = 2 * devices,
	};
	enum status status;

	*flows = (struct fabric_flows){0};
	if (devices < 2)
		return refuse(why, STATUS_INVALID, "a pattern needs two devices or more");
	flows->flows = arena_array(arena, build.capacity, sizeof(*flows->flows));
	status = build_pattern(&build, pattern);
	if (status == STATUS_OK)
		flows->busiest = busiest(graph, flows);
	return status;
}
