/* Traffic patterns of the published fabric measurements: sources and their trees, which load links
 * as on hardware. Patterns of lines follow the longer dimension of the devices; rings follow it too
 * if its ends are joined, else they go round the edge of two lines. Trees are dimension-ordered:
 * along the column first, then along every row. */
#ifndef FABRIC_PATTERN_H
#define FABRIC_PATTERN_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "fabric/graph.h"
#include "fabric/virtual_mesh.h"

enum fabric_pattern {
#define X(name, title, what) FABRIC_PATTERN_##name,
#include "fabric/pattern.def"
#undef X
	FABRIC_PATTERN_COUNT
};

/* "linear_multicast" and the like; NULL behind the last. */
const char *fabric_pattern_name(size_t pattern);

/* One stream of packets. */
struct fabric_flow {
	uint16_t source; /* chip: node 0 of the tree */
	struct fabric_tree *tree;
};

struct fabric_flows {
	struct fabric_flow *flows; /* by source, then in the order in which it sends to them */
	uint32_t count;
	uint32_t busiest; /* flows over the busiest link direction */
};

/* Builds the flows of `pattern` on `mesh`; arrays and trees belong to `arena`. OK, or, with a
 * sentence in `why` (may be NULL): UNSUPPORTED (the devices have no such line or ring, or chips
 * that must be neighbours are not linked), INVALID (fewer than two devices). */
enum status fabric_pattern_flows(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	enum fabric_pattern pattern, struct arena *arena, struct text *why,
	struct fabric_flows *flows);

/* Makes the route along `chips`, of which the first sends, as a tree; it delivers to each of the
 * others, or only to the last. `count` is 2 or more. UNSUPPORTED if neighbours of the list are not
 * joined. */
enum status fabric_path(const struct fabric_graph *graph, const uint16_t *chips, uint32_t count,
	bool each, struct arena *arena, struct fabric_tree **tree);

/* The routes between the first device and one that is `hops` away: along the first row, down the
 * last column, then back along the last row. OUT_OF_RANGE (the route is not that long), or those of
 * fabric_path(). */
enum status fabric_there_and_back(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	uint32_t hops, struct arena *arena, struct fabric_tree **there, struct fabric_tree **back);

/* A copy of `tree` (nodes shared) that uses parallel link `lane`, from 1, of every hop. */
struct fabric_tree *fabric_tree_on_lane(
	const struct fabric_tree *tree, uint8_t lane, struct arena *arena);

#endif
