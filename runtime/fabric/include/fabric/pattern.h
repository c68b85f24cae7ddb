/* Traffic patterns of published fabric measurements. A pattern consists of sources and their trees,
 * which load the links in the same way as the measurements on hardware. In patterns of lines, the
 * lines run along the longer dimension of the mesh. In patterns of rings, the ring is the edge of
 * the mesh; a single line of devices is a ring if its ends are joined. Trees are dimension-ordered:
 * first along the column, then along every row. */
#ifndef FABRIC_PATTERN_H
#define FABRIC_PATTERN_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "fabric/graph.h"
#include "fabric/shape.h"

enum fabric_pattern {
#define X(name, title, what) FABRIC_PATTERN_##name,
#include "fabric/pattern.def"
#undef X
	FABRIC_PATTERN_COUNT
};

/* Returns a pattern's name in scenarios, for example "linear_multicast"; NULL after the last
 * pattern. */
const char *fabric_pattern_name(size_t pattern);

/* One stream of packets. */
struct fabric_flow {
	uint16_t source; /* chip that sends; it is node 0 of the tree */
	struct fabric_tree *tree;
};

struct fabric_flows {
	struct fabric_flow *flows; /* sorted by source; each source sends its flows in the order
				    * of the array */
	uint32_t count;
	uint32_t busiest; /* number of flows over the busiest direction of a link */
};

/* Builds the flows of `pattern` on `mesh`. Arrays and trees belong to `arena`. Returns OK, or an
 * error with a sentence in `why` (may be NULL). Returns INVALID if there are fewer than two
 * devices. Returns UNSUPPORTED if the devices do not form the line or ring that the pattern needs,
 * or if a link between two neighbours of this line or ring is missing. */
enum status fabric_pattern_flows(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	enum fabric_pattern pattern, struct arena *arena, struct text *why,
	struct fabric_flows *flows);

/* Builds the route along `chips` as a tree; the first chip is the source. If `each` is set, the
 * tree delivers to each of the other chips, otherwise only to the last chip. `count` is at least 2.
 * Returns OK, or UNSUPPORTED if two consecutive chips of the list are not joined. */
enum status fabric_path(const struct fabric_graph *graph, const uint16_t *chips, uint32_t count,
	bool each, struct arena *arena, struct fabric_tree **tree);

/* Builds two routes between the first device and a device that is `hops` hops away on a fixed path.
 * The path goes along the first row, down the last column, then back along the last row. *there
 * follows the path from the first device, and *back leads back to it. Returns OK. Returns
 * OUT_OF_RANGE if `hops` is 0, or if the whole path has fewer hops. Also returns errors of
 * fabric_path(). */
enum status fabric_there_and_back(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	uint32_t hops, struct arena *arena, struct fabric_tree **there, struct fabric_tree **back);

/* Returns a copy of `tree` that uses, on every hop, the parallel link number `lane`, counted from
 * 1. The copy shares the nodes of `tree`. */
struct fabric_tree *fabric_tree_on_lane(
	const struct fabric_tree *tree, uint8_t lane, struct arena *arena);

/* Cuts the rectangle of a broadcast into pieces, each for one multicast (spec 3.8). A multicast of
 * the fabric has at most BOUND_MEMBERS members (world/bounds.h), so a broadcast to more chips takes
 * several multicasts.
 *
 * A broadcast is divided in two steps. First, fabric/grids.h divides the mesh among the initiators
 * (spec 3.8.8.2): each initiator has one grid, and sends only to chips of this grid. Then each
 * initiator cuts the addressed rectangle of its own grid into pieces, and sends one multicast to
 * each piece, in row-major order of the pieces. The host does not see this second step: it copies a
 * broadcast once for each initiator, even if the initiator sends several multicasts.
 *
 * fabric_pieces(), fabric_pieces_halves() and fabric_pieces_rows() differ in how they cut. Each
 * function writes pieces of at most `most` devices (`most` is at least 1), in row-major order of
 * their first devices, and returns the number of pieces. The pieces are disjoint and cover `range`.
 * `pieces` must have room for one piece per device. */

/* Returns the number of pieces of `range`: the smallest number of parts into which fabric_split()
 * can cut it so that each part has at most `most` devices. `most` is at least 1. */
uint32_t fabric_piece_count(struct device_range range, uint32_t most);

/* Cuts `range` into fabric_piece_count() pieces. */
uint32_t fabric_pieces(struct device_range range, uint32_t most, struct device_range *pieces);

/* Cuts a rectangle with more than `most` devices into two halves, and then each half in the same
 * way. Cuts across the longer side; if both sides are equal, cuts between rows. */
uint32_t fabric_pieces_halves(
	struct device_range range, uint32_t most, struct device_range *pieces);

/* If the rectangle has more than `most` devices, cuts it into its rows. Cuts each row that still
 * has more than `most` devices into as few parts of nearly equal size as possible. */
uint32_t fabric_pieces_rows(struct device_range range, uint32_t most, struct device_range *pieces);

#endif
