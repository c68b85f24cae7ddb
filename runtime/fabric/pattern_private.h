/* Structures and functions of the files that build traffic patterns. Only for files of this
 * folder. */
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

/* Builds the tree from (row, column) to all devices. It follows the column, and from each device of
 * the column the device's row. In a dimension that `wrap` marks, it goes half way round in each
 * direction, otherwise to the edges. Returns OK, or UNSUPPORTED if a link is missing. */
enum status pattern_spread(struct pattern_build *build, uint16_t row, uint16_t column,
	struct pattern_wrap wrap, struct fabric_tree **tree);

#endif
