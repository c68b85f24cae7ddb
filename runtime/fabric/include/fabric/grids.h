/* Broadcast grids (spec 3.8.8.2). A virtual mesh is split among several multicast initiators, each
 * on a chip with PCIe. */
#ifndef FABRIC_GRIDS_H
#define FABRIC_GRIDS_H

#include "fabric/tree.h"

/* One initiator and its part of the mesh. */
struct broadcast_grid {
	uint16_t initiator;	   /* chip with PCIe */
	struct device_range range; /* part of the virtual mesh */
	struct fabric_tree *tree;  /* from the initiator */
};

/* Splits `mesh` into `count` rectangles of nearly equal size. Prefers cuts between rows, because
 * each row has its own gateways. Cuts between columns first if this makes the largest rectangle
 * smaller. For each rectangle in order, chooses an initiator among the chips with PCIe that no
 * earlier rectangle has: the chip with the fewest hops to the farthest chip of the rectangle, and
 * among equal chips the one with the lowest number. Fills `grids`, including the trees. Returns OK,
 * or an error with a sentence in `why` (may be NULL): INVALID (count is 0), OUT_OF_RANGE (more
 * initiators than devices), NO_SPACE (more initiators than reachable chips with PCIe). Also returns
 * the errors of fabric_line_columns(). */
enum status fabric_grids(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	uint32_t count, struct arena *arena, struct text *why, struct broadcast_grid *grids);

/* How a mesh is cut into broadcast grids. */
enum grid_split {
	GRIDS_EVEN,	/* `count` grids, as in fabric_grids() */
	GRIDS_ROWS,	/* one per row */
	GRIDS_COLUMNS,	/* one per column */
	GRIDS_GATEWAYS, /* one grid for each chip with PCIe, with the devices that the host reaches
			 * through this chip */
};

/* Number of grids of a split. GRIDS_EVEN has `count` grids. */
uint32_t fabric_grid_count(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	enum grid_split split, uint32_t count);

/* How a mesh is divided for broadcasts. */
struct grid_plan {
	enum grid_split split;
	uint32_t count; /* of an even split */
	/* grows each grid's tree: fabric_line_columns() or another function of fabric/tree.h */
	enum status (*tree)(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
		struct device_range range, uint16_t initiator, struct arena *arena,
		struct text *why, struct fabric_tree **tree);
};

/* Like fabric_grids(), but splits the mesh and grows trees as `how` says. `grids` has room for
 * fabric_grid_count() grids. If how.split is GRIDS_GATEWAYS, the gateways are the initiators, and
 * the function also returns UNSUPPORTED if the devices behind a gateway do not form a rectangle. */
enum status fabric_grids_split(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct grid_plan how, struct arena *arena, struct text *why, struct broadcast_grid *grids);

/* Computes only the ranges of fabric_grids(), in row-major order. `count` is between 1 and the
 * number of devices. The ranges are disjoint and cover `shape`. */
void fabric_split(struct mesh_shape shape, uint32_t count, struct device_range *ranges);

#endif
