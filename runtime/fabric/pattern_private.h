/* What the files that build traffic patterns share. */
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
};

/* Chips of a line or of a ring. */
struct pattern_order {
	uint16_t *chips;
	uint32_t count;
};

/* The lines of the mesh, along its longer dimension; they belong to the arena. */
struct pattern_order *pattern_lines(struct pattern_build *build, uint32_t *count);

/* Its rings: the lines, if their ends are joined; the edge of two lines; none otherwise. */
struct pattern_order *pattern_rings(struct pattern_build *build, uint32_t *count);

/* The tree from (row, column) to all devices: along the column, and from there along every row; to
 * the edges, or half round if the mesh is a torus. UNSUPPORTED if a link is missing. */
enum status pattern_spread(struct pattern_build *build, uint16_t row, uint16_t column, bool wrap,
	struct fabric_tree **tree);

#endif
