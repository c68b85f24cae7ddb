/* Functions that the files of this folder use to build routes and trees. */
#ifndef FABRIC_PATH_H
#define FABRIC_PATH_H

#include "fabric/graph.h"
#include "fabric/tree.h"
#include "fabric/pattern.h"

/* Returns true if a link between the two chips wraps around, that is, joins the two ends of a row
 * or column. */
bool fabric_wraps(const struct cluster_info *info, uint16_t from, uint16_t to);

/* Returns true if routes of the topology may use the connection between the two chips in `ends`. */
bool fabric_takes(
	enum fabric_topology topology, const struct cluster_info *info, const uint16_t ends[2]);

/* Returns the next chip of a route from `from` to a target: a neighbour that is one hop nearer to
 * the target. Prefers a neighbour in the same row of the mesh; otherwise takes the neighbour with
 * the lowest number. distance[chip] is the number of hops from the chip to the target
 * (fabric_graph_distances()). `from` must not be the target, and a route to the target must
 * exist. */
uint16_t fabric_next_hop(const struct fabric_graph *graph, uint16_t from, const uint16_t *distance);

/* Computes the route from `source` to `target` on a machine with holes: the shortest route that
 * climbs (fabric/graph.h), along the row first. If this route would pass a chip twice, takes the
 * route along the spanning tree instead. Writes the chips of the route, including both ends, to
 * `chips`, which must have room for all chips of the machine. Returns the number of hops; 0 if no
 * links lead to `target`. */
uint32_t fabric_detour(
	const struct fabric_graph *graph, uint16_t source, uint16_t target, uint16_t *chips);

/* Computes the route of fabric_unicast() from `source` to `target`, which must be different chips.
 * Writes the chips of the route, including both ends, to `chips`, which must have room for all
 * chips of the machine. Returns the number of hops; 0 if there is no route. */
uint32_t fabric_way(
	const struct fabric_graph *graph, uint16_t source, uint16_t target, uint16_t *chips);

/* Builds a tree from `root`. For each chip of the machine, before[chip] is its parent in the tree,
 * or CHIP_NONE if the tree does not reach the chip. Leaves out branches that lead to no chip marked
 * in `member`. */
struct fabric_tree *fabric_grow(const struct fabric_graph *graph, uint16_t root,
	const uint16_t *before, const bool *member, struct arena *arena);

/* Does the work of fabric_line_columns() on a machine with holes (missing chips or links). Along
 * each route of the tree, the numbers of the channels increase. If necessary, the routes go around
 * holes over chips outside the range. */
enum status fabric_detour_tree(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree);

/* Builds a tree from `nodes`, of which only `chip` and `parent` are read. The tree delivers to the
 * chips marked in `member`, except the chip of the first node. Branches without a marked chip are
 * left out. A parent must come before its children, and siblings must be consecutive. The tree
 * takes ownership of the array. */
struct fabric_tree *fabric_prune(
	struct fabric_node *nodes, uint32_t count, const bool *member, struct arena *arena);

/* ---- traffic patterns ---- */

struct pattern_build {
	const struct fabric_graph *graph;
	const struct virtual_mesh *mesh;
	struct arena *arena;
	struct text *why;
	struct fabric_flows *flows;
	uint32_t capacity;
	enum fabric_cycle cycle; /* kind of circle that the flows close */
};

/* The chips of a line or of a ring, in order. */
struct pattern_order {
	uint16_t *chips;
	uint32_t count;
};

/* Returns the lines of the mesh along its longer dimension. They belong to the arena. */
struct pattern_order *pattern_lines(struct pattern_build *build, uint32_t *count);

/* Returns the rings of the mesh. A mesh of several rows and columns has one ring, its edge. A mesh
 * of one row or column has one ring if its ends are joined, otherwise none. */
struct pattern_order *pattern_rings(struct pattern_build *build, uint32_t *count);

/* The dimensions of the mesh in which every line of devices is a ring. */
struct pattern_wrap {
	bool columns; /* the first row is joined to the last */
	bool rows;    /* the first column is joined to the last */
};

struct pattern_wrap pattern_wraps(const struct pattern_build *build);

/* Builds the tree from (row, column) to all devices. The tree goes along the column, and from each
 * device of the column along the row of this device. In a dimension that `wrap` marks, the tree
 * goes half way round the ring in each direction, otherwise to the edges of the mesh. Returns OK,
 * or UNSUPPORTED if a link is missing. */
enum status pattern_spread(struct pattern_build *build, uint16_t row, uint16_t column,
	struct pattern_wrap wrap, struct fabric_tree **tree);

#endif
