/* What the files of bench/cables share. Private to the room. */
#ifndef BENCH_CABLES_PRIVATE_H
#define BENCH_CABLES_PRIVATE_H

#include "base/tree.h"
#include "topology/machine.h"

enum { CABLES_LINES_MAX = 64 };

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

/* `tiles:` of a platform, as far as masks of cluster descriptors need it. */
struct cables_tiles {
	enum topology_arch arch;	 /* ARCH_INVALID: of any */
	bool columns;			 /* a bit of a mask is a column */
	uint8_t lines[CABLES_LINES_MAX]; /* tensix_rows or tensix_columns, in the order of bits */
	uint32_t line_count;
	uint8_t rows_off[CABLES_LINES_MAX],
		columns_off[CABLES_LINES_MAX]; /* where files say nothing */
	uint32_t row_off_count, column_off_count;
	uint32_t dispatch_rows; /* 0 if dispatch stands elsewhere */
};

/* Lines that are switched off on a chip. */
struct cables_harvest {
	uint8_t rows[CABLES_LINES_MAX], columns[CABLES_LINES_MAX];
	uint32_t row_count, column_count;
};

/* cables_harvest.c: from the map `tiles` of a platform, which may lack keys. */
struct cables_tiles cables_tiles(const struct tree_node *tiles);

/* Refuses masks with bits of lines that the tiles do not have, and those that leave no row or
 * column to programs, where the file says so. Masks of another architecture are left alone. */
void cables_check_masks(
	const struct machine *machine, const struct cables_tiles *tiles, struct diag *diag);

/* What is off on each chip, by its mask or, if there is none for it, by the tiles: as much on all,
 * so that programs have one grid. Warns of masks that nothing acts on. In `arena`. */
struct cables_harvest *cables_harvest(const struct machine *machine,
	const struct cables_tiles *tiles, struct arena *arena, struct diag *diag);

/* cables_wiring.c: `topology:` of a platform, as YAML. `harvest`: [chip]. Chips that no chip with
 * PCIe leads to are left out, with a warning. */
bool cables_wiring(const struct machine *machine, const struct cables_mesh *mesh,
	const struct cables_harvest *harvest, struct location where, struct text *out,
	struct diag *diag);

#endif
