/* Makes lines, rings and trees of the traffic patterns. Every hop must be a link. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "fabric/pattern.h"
#include "path.h"

/* ---- along a list of chips ---- */

enum status fabric_path(const struct fabric_graph *graph, const uint16_t *chips, uint32_t count,
	bool each, struct arena *arena, struct fabric_tree **tree)
{
	struct fabric_node *nodes = arena_array(arena, count, sizeof(*nodes));

	ensure(count >= 2, "a route of %u chips", count);
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0 && !fabric_graph_joined(graph, chips[i - 1], chips[i]))
			return STATUS_UNSUPPORTED;
		nodes[i] = (struct fabric_node){
			.chip = chips[i],
			.parent = (uint16_t)(i > 0 ? i - 1 : 0),
			.first_child = (uint16_t)(i + 1 < count ? i + 1 : 0),
			.child_count = i + 1 < count,
			.deliver = i > 0 && (each || i + 1 == count),
		};
	}
	*tree = arena_alloc(arena, sizeof(**tree));
	**tree = (struct fabric_tree){.node_count = (uint16_t)count,
		.deliver_count = (uint16_t)(each ? count - 1 : 1),
		.nodes = nodes};
	return STATUS_OK;
}

enum status fabric_there_and_back(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	uint32_t hops, struct arena *arena, struct fabric_tree **there, struct fabric_tree **back)
{
	uint32_t right = mesh->shape.columns - 1u, down = mesh->shape.rows - 1u;
	uint16_t *chips;
	enum status status;

	if (hops == 0 || hops > right + down + (down > 0 ? right : 0))
		return STATUS_OUT_OF_RANGE;
	chips = arena_array(arena, 2 * ((size_t)hops + 1), sizeof(*chips));
	for (uint32_t i = 0; i <= hops; i++) {
		uint32_t column = i < right ? i : right;
		uint32_t row = i - column < down ? i - column : down;

		chips[i] = virtual_mesh_chip(
			mesh, (uint16_t)row, (uint16_t)(column - (i - column - row)));
		chips[2 * hops + 1 - i] = chips[i];
	}
	status = fabric_path(graph, chips, hops + 1, false, arena, there);
	if (status == STATUS_OK)
		status = fabric_path(graph, chips + hops + 1, hops + 1, false, arena, back);
	return status;
}

struct fabric_tree *fabric_tree_on_lane(
	const struct fabric_tree *tree, uint8_t lane, struct arena *arena)
{
	struct fabric_tree *copy = arena_alloc(arena, sizeof(*copy));

	*copy = *tree;
	copy->lane = lane;
	copy->route = NULL;
	return copy;
}

/* ---- lines and rings ---- */

static uint16_t chip_of(
	const struct virtual_mesh *mesh, bool along_rows, uint32_t line, uint32_t place)
{
	return along_rows ? virtual_mesh_chip(mesh, (uint16_t)line, (uint16_t)place)
			  : virtual_mesh_chip(mesh, (uint16_t)place, (uint16_t)line);
}

struct pattern_order *pattern_lines(struct pattern_build *build, uint32_t *count)
{
	struct mesh_shape shape = build->mesh->shape;
	bool along_rows = shape.columns >= shape.rows;
	uint32_t lines = along_rows ? shape.rows : shape.columns;
	uint32_t length = along_rows ? shape.columns : shape.rows;
	struct pattern_order *orders = arena_array(build->arena, lines, sizeof(*orders));

	for (uint32_t line = 0; line < lines; line++) {
		orders[line].count = length;
		orders[line].chips = arena_array(build->arena, length, sizeof(*orders[line].chips));
		for (uint32_t place = 0; place < length; place++)
			orders[line].chips[place] = chip_of(build->mesh, along_rows, line, place);
	}
	*count = lines;
	return orders;
}

/* Returns the ring along the edge of the mesh: along the first row, down the last column, back
 * along the last row, and up the first column. */
static struct pattern_order *edge(struct pattern_build *build)
{
	struct pattern_order *ring = arena_alloc(build->arena, sizeof(*ring));
	uint32_t down = build->mesh->shape.rows - 1u, right = build->mesh->shape.columns - 1u;
	uint16_t row = 0, column = 0;

	ring->count = 2 * (down + right);
	ring->chips = arena_array(build->arena, ring->count, sizeof(*ring->chips));
	for (uint32_t i = 0; i < ring->count; i++) {
		ring->chips[i] = virtual_mesh_chip(build->mesh, row, column);
		if (row == 0 && column < right)
			column++;
		else if (column == right && row < down)
			row++;
		else if (row == down && column > 0)
			column--;
		else
			row--;
	}
	return ring;
}

struct pattern_order *pattern_rings(struct pattern_build *build, uint32_t *count)
{
	struct pattern_order *lines;
	uint32_t length;

	if (build->mesh->shape.rows > 1 && build->mesh->shape.columns > 1) {
		*count = 1;
		return edge(build);
	}
	lines = pattern_lines(build, count);
	length = lines[0].count;
	if (length <= 2 ||
		!fabric_graph_joined(build->graph, lines[0].chips[0], lines[0].chips[length - 1]))
		*count = 0;
	return lines;
}

/* ---- trees of a mesh ---- */

/* The numbers of chips that a node must still reach in each direction. */
struct reach {
	uint16_t row, column;
	uint16_t up, down, left, right;
};

struct spread {
	const struct pattern_build *build;
	struct fabric_node *nodes;
	struct reach *reaches;
	uint32_t count;
	bool missing; /* true if a link is missing */
};

static void add_child(struct spread *spread, uint32_t parent, struct reach reach)
{
	const struct pattern_build *build = spread->build;
	struct mesh_shape shape = build->mesh->shape;
	uint32_t node = spread->count++;

	reach.row = (uint16_t)((reach.row + shape.rows) % shape.rows);
	reach.column = (uint16_t)((reach.column + shape.columns) % shape.columns);
	ensure(node < mesh_shape_count(shape), "tree of %u nodes", node);
	spread->reaches[node] = reach;
	spread->nodes[node] = (struct fabric_node){
		.chip = virtual_mesh_chip(build->mesh, reach.row, reach.column),
		.parent = (uint16_t)parent,
		.deliver = true,
	};
	if (!fabric_graph_joined(
		    build->graph, spread->nodes[parent].chip, spread->nodes[node].chip))
		spread->missing = true;
}

/* Adds the children of a node. A child above or below the node gets branches to the left and right
 * that are as long as the node's own branches. A child to the left or right of the node only
 * continues in its direction. */
static void pattern_tree_grow(struct spread *spread, uint32_t node)
{
	struct reach at = spread->reaches[node];
	struct mesh_shape shape = spread->build->mesh->shape;
	uint32_t first = spread->count;

	if (at.up > 0)
		add_child(spread, node,
			(struct reach){(uint16_t)(at.row + shape.rows - 1), at.column,
				(uint16_t)(at.up - 1), 0, at.left, at.right});
	if (at.down > 0)
		add_child(spread, node,
			(struct reach){(uint16_t)(at.row + 1), at.column, 0,
				(uint16_t)(at.down - 1), at.left, at.right});
	if (at.left > 0)
		add_child(spread, node,
			(struct reach){at.row, (uint16_t)(at.column + shape.columns - 1), 0, 0,
				(uint16_t)(at.left - 1), 0});
	if (at.right > 0)
		add_child(spread, node,
			(struct reach){at.row, (uint16_t)(at.column + 1), 0, 0, 0,
				(uint16_t)(at.right - 1)});
	spread->nodes[node].child_count = (uint16_t)(spread->count - first);
	spread->nodes[node].first_child = (uint16_t)(spread->count > first ? first : 0);
}

struct pattern_wrap pattern_wraps(const struct pattern_build *build)
{
	struct mesh_shape shape = build->mesh->shape;
	struct pattern_wrap wrap = {.columns = shape.rows > 2, .rows = shape.columns > 2};

	for (uint16_t column = 0; column < shape.columns && wrap.columns; column++)
		wrap.columns =
			fabric_graph_joined(build->graph, virtual_mesh_chip(build->mesh, 0, column),
				virtual_mesh_chip(build->mesh, (uint16_t)(shape.rows - 1), column));
	for (uint16_t row = 0; row < shape.rows && wrap.rows; row++)
		wrap.rows =
			fabric_graph_joined(build->graph, virtual_mesh_chip(build->mesh, row, 0),
				virtual_mesh_chip(build->mesh, row, (uint16_t)(shape.columns - 1)));
	return wrap;
}

enum status pattern_spread(struct pattern_build *build, uint16_t row, uint16_t column,
	struct pattern_wrap wrap, struct fabric_tree **tree)
{
	struct mesh_shape shape = build->mesh->shape;
	uint32_t devices = mesh_shape_count(shape);
	struct spread spread = {.build = build, .count = 1};

	spread.nodes = arena_array(build->arena, devices, sizeof(*spread.nodes));
	spread.reaches = allocate(devices, sizeof(*spread.reaches));
	spread.nodes[0].chip = virtual_mesh_chip(build->mesh, row, column);
	spread.reaches[0] = (struct reach){row, column, row, (uint16_t)(shape.rows - 1 - row),
		column, (uint16_t)(shape.columns - 1 - column)};
	if (wrap.columns) {
		spread.reaches[0].up = (uint16_t)((shape.rows - 1) / 2);
		spread.reaches[0].down = (uint16_t)(shape.rows / 2);
	}
	if (wrap.rows) {
		spread.reaches[0].left = (uint16_t)((shape.columns - 1) / 2);
		spread.reaches[0].right = (uint16_t)(shape.columns / 2);
	}
	for (uint32_t node = 0; node < spread.count; node++)
		pattern_tree_grow(&spread, node);
	free(spread.reaches);
	if (spread.missing)
		return STATUS_UNSUPPORTED;
	*tree = arena_alloc(build->arena, sizeof(**tree));
	**tree = (struct fabric_tree){.node_count = (uint16_t)devices,
		.deliver_count = (uint16_t)(devices - 1),
		.nodes = spread.nodes};
	return STATUS_OK;
}
