/* Shared parts of the files that build traffic patterns. Private to the room. */
#ifndef PATTERN_PRIVATE_H
#define PATTERN_PRIVATE_H

#include "fabric/pattern.h"

struct pattern_build {
	const struct fabric_graph *graph;
	const struct virtual_mesh *mesh;
	struct arena *arena;
	struct text *why;
	struct fabric_flows *flows;
	uint32_t capacity;
	enum fabric_cycle cycle; /* closed by its flows */
};

/* Chips of a line or of a ring. */
struct pattern_order {
	uint16_t *chips;
	uint32_t count;
};

/* The lines of the mesh, along its longer dimension; they belong to the arena. */
struct pattern_order *pattern_lines(struct pattern_build *build, uint32_t *count);

/* The rings of the mesh: its edge; a single line itself, if its ends are joined; otherwise none. */
struct pattern_order *pattern_rings(struct pattern_build *build, uint32_t *count);

/* Dimensions of the mesh in which every line of devices is a ring. */
struct pattern_wrap {
	bool columns; /* the first row is joined to the last */
	bool rows;    /* the first column is joined to the last */
};

struct pattern_wrap pattern_wraps(const struct pattern_build *build);

/* Makes the tree from (row, column) to all devices: along the column, and from there along every
 * row; half way around where `wrap` says so, else to the edges. UNSUPPORTED if a link is missing.
 */
enum status pattern_spread(struct pattern_build *build, uint16_t row, uint16_t column,
	struct pattern_wrap wrap, struct fabric_tree **tree);

#endif
