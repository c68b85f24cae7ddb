/* What the files of bench/cables share. Private to the room. */
#ifndef BENCH_CABLES_PRIVATE_H
#define BENCH_CABLES_PRIVATE_H

#include "base/tree.h"
#include "topology/machine.h"

/* Where the chips of a machine stand in its mesh. */
struct cables_mesh {
	uint32_t rows, columns;
	int32_t (*at)[2]; /* [chip] row and column, -1: beside the mesh */
};

/* cables_place.c: by a mesh of a descriptor (`mgd` its path and place, `mesh` its id or NULL), by
 * the places that the file says, or as the largest rectangle of chips that are all joined. False
 * after errors. In `arena`. */
bool cables_place(const struct machine *machine, const struct tree_node *mgd,
	const struct tree_node *mesh, struct cables_mesh *placed, struct arena *arena,
	struct diag *diag);

/* cables_wiring.c: `topology:` of a platform, as YAML. `rows`: Tensix rows by the bits of masks;
 * `harvested`: those that are off where no chip says so, both lists of the platform. Chips that no
 * chip with PCIe leads to are left out, with a warning. */
bool cables_wiring(const struct machine *machine, const struct cables_mesh *mesh,
	const struct tree_node *rows, const struct tree_node *harvested, struct location where,
	struct text *out, struct diag *diag);

#endif
