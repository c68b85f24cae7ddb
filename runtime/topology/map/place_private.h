/* What the mapper's files share. Private to the room. */
#ifndef TOPOLOGY_PLACE_PRIVATE_H
#define TOPOLOGY_PLACE_PRIVATE_H

#include "topology/place.h"

/* Some meshes, one behind the other, on some chips. */
struct scope {
	const struct logical *logical;
	const struct machine *machine;
	const struct place_options *options;
	uint32_t first_mesh, mesh_count;
	const uint32_t *chips; /* NULL: all */
	uint32_t chip_count;
	bool relaxed; /* one channel is enough */
};

/* The problem that they make: devices and chips are numbered from 0 within it. */
struct solve_problem problem_make(const struct scope *scope, struct arena *arena);

/* First device of the scope. */
uint32_t scope_first_device(const struct scope *scope);

/* Chips that the pins of a device leave; NULL if it is not pinned. Sorted. */
const uint32_t *pinned_chips(
	const struct scope *scope, uint32_t device, uint32_t *count, struct arena *arena);

/* place_sets.c: meshes onto sets, then devices of each. */
void place_on_sets(const struct scope *scope, struct mesh_placement *placement);

/* explain.c: what is lacking, in the user's terms. */
void place_explain(const struct scope *scope, struct mesh_placement *placement);

/* nearest.c: what of a mesh would fit. */
void place_nearest(const struct scope *scope, uint32_t mesh, struct text *out);

/* "mesh 0 (8x16 LINE x RING)" */
void place_mesh_name(const struct logical *logical, uint32_t mesh, struct text *out);

#endif
