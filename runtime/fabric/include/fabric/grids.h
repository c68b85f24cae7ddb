/* Broadcast grids (spec 3.8.8.2). A virtual mesh is split among several multicast initiators, each
 * on a chip with PCIe. */
#ifndef FABRIC_GRIDS_H
#define FABRIC_GRIDS_H

#include "base/status.h"
#include "base/text.h"
#include "fabric/shape.h"
#include "fabric/tree.h"
#include "world/device.h"

/* One initiator and its part of the mesh. */
struct broadcast_grid {
	uint16_t initiator;	   /* chip with PCIe */
	struct device_range range; /* part of the virtual mesh */
	struct fabric_tree *tree;  /* tree from the initiator to the devices of the range */
};

/* Splits `mesh` into `count` rectangles of nearly equal size. Normally, the first cut is between
 * rows, because each row has its own gateways. If a first cut between columns makes the largest
 * rectangle smaller, it is between columns. Then chooses an initiator for one rectangle after
 * another: of the chips with PCIe that are not yet initiators, the one with the smallest
 * fabric_grid_reach() or, of several such chips, the one with the lowest number. Fills in `grids`,
 * including the trees. Returns OK, or an error with a sentence in `why` (may be NULL). Returns
 * INVALID if `count` is 0, OUT_OF_RANGE if there are more initiators than devices, and NO_SPACE if
 * there are more initiators than reachable chips with PCIe. Also returns the errors of
 * fabric_line_columns(). */
enum status fabric_grids(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	uint32_t count, struct arena *arena, struct text *why, struct broadcast_grid *grids);

/* How a mesh is cut into broadcast grids. */
enum grid_split {
	GRIDS_EVEN,    /* `count` grids, as fabric_grids() makes them */
	GRIDS_ROWS,    /* one grid for each row */
	GRIDS_COLUMNS, /* one grid for each column */
	/* one grid for each gateway (chip with PCIe): the devices that the host reaches through
	 * this gateway */
	GRIDS_GATEWAYS,
};

/* Returns the number of grids of a split. GRIDS_EVEN has `count` grids. */
uint32_t fabric_grid_count(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	enum grid_split split, uint32_t count);

/* A chip with PCIe that may become the initiator of a rectangle. */
struct grid_candidate {
	const struct virtual_mesh *mesh;
	struct device_range range; /* the rectangle that the chip would initiate for */
	uint16_t chip;
	const uint16_t *distance; /* [chip of the machine] number of hops from the candidate to this
				   * chip */
	uint32_t load;		  /* the candidate's value in grid_plan.load; 0 if
				   * grid_plan.load is NULL */
	bool named;		  /* grid_plan.named names this chip for this rectangle */
};

/* Returns the number of hops from the candidate to the farthest chip of its rectangle. The route
 * goes to the chip of the rectangle that is nearest to the candidate, then along the row of this
 * chip, then along a column. */
uint32_t fabric_grid_reach(const struct grid_candidate *candidate);

/* How a mesh is divided for broadcasts. */
struct grid_plan {
	enum grid_split split;
	uint32_t count; /* number of grids, for GRIDS_EVEN */
	/* makes each grid's tree: fabric_line_columns() or another function of fabric/tree.h */
	enum status (*tree)(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
		struct device_range range, uint16_t initiator, struct arena *arena,
		struct text *why, struct fabric_tree **tree);
	/* Returns the rank of a candidate. The candidate with the lowest rank becomes the
	 * initiator. If several have this rank, the one with the lowest chip number does. If `rank`
	 * is NULL, fabric_grid_reach() computes the rank. Not used with GRIDS_GATEWAYS. */
	uint64_t (*rank)(const struct grid_candidate *candidate);
	const uint32_t *load;  /* [chip of the machine] other work of the chip; NULL: none */
	const uint16_t *named; /* [grid] chip that the user has named; NULL: none */
	const bool *barred; /* [chip of the machine] true: the chip cannot be an initiator; has no
			     * effect with GRIDS_GATEWAYS. NULL: all chips can */
};

/* Like fabric_grids(), but splits the mesh and makes the trees as `how` prescribes. `grids` must
 * have room for fabric_grid_count() grids. If how.split is GRIDS_GATEWAYS, the gateways are the
 * initiators, and the function also returns UNSUPPORTED if the devices of a gateway do not form a
 * rectangle. */
enum status fabric_grids_split(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct grid_plan how, struct arena *arena, struct text *why, struct broadcast_grid *grids);

/* Computes only the ranges of fabric_grids(), in row-major order. `count` must be between 1 and the
 * number of devices. The ranges are disjoint and together form `shape`. */
void fabric_split(struct mesh_shape shape, uint32_t count, struct device_range *ranges);

/* These functions find chips that may initiate broadcasts (spec 3.8.8.2). A position in the
 * physical mesh stands for such a chip. If the chip at the position has PCIe, the position stands
 * for this chip. Otherwise, it stands for a gateway outside the mesh that is linked to the chip at
 * the position, because the broadcasts of the gateway enter the mesh there. */

/* Returns the chip with PCIe at a position; of several gateways there, the one with the lowest
 * number. Returns CHIP_NONE if there is none, or if the position is outside the mesh. */
uint16_t fabric_initiator_at(const struct cluster_info *info, struct mesh_offset place);

/* Checks that each position has a chip with PCIe, and that no two positions have the same chip.
 * Returns OK. Returns OUT_OF_RANGE if a position is outside the mesh, NOT_FOUND if a position has
 * no chip with PCIe, and EXISTS if an earlier position has the same chip. On an error, sets *which
 * to the index of the first wrong position, and writes a sentence to `why` (may be NULL). For
 * OUT_OF_RANGE and NOT_FOUND, the sentence names the nearest position that has a chip with PCIe. */
enum status fabric_initiators_check(const struct cluster_info *info,
	const struct mesh_offset *places, uint32_t count, uint32_t *which, struct text *why);

#endif
