/* Declarations that the files of bench/cables share. Private to the room. */
#ifndef BENCH_CABLES_PRIVATE_H
#define BENCH_CABLES_PRIVATE_H

#include "base/tree.h"
#include "topology/machine.h"

enum { CABLES_LINES_MAX = 64 };

/* The places of a machine's chips in its mesh. */
struct cables_mesh {
	uint32_t rows, columns;
	int32_t (*at)[2]; /* [chip] row and column; -1: outside of the mesh */
};

/* cables_place.c: places chips by a mesh of a descriptor (`mgd`: its path and place; `mesh`: its
 * id, or NULL), or by the places in the file, or as the largest fully joined rectangle. Allocates
 * in `arena`. False after errors. */
bool cables_place(const struct machine *machine, const struct tree_node *mgd,
	const struct tree_node *mesh, struct cables_mesh *placed, struct arena *arena,
	struct diag *diag);

/* `tiles:` of a platform, as needed for the masks of cluster descriptors. */
struct cables_tiles {
	enum topology_arch arch;	 /* ARCH_INVALID: any */
	bool columns;			 /* bits of a mask are columns, not rows */
	uint8_t lines[CABLES_LINES_MAX]; /* tensix_rows or tensix_columns, in the order of bits */
	uint32_t line_count;
	uint8_t rows_off[CABLES_LINES_MAX],
		columns_off[CABLES_LINES_MAX]; /* off if there is no mask */
	uint32_t row_off_count, column_off_count;
	uint32_t dispatch_rows; /* 0 if dispatch is elsewhere */
};

/* Lines that are switched off on a chip. */
struct cables_harvest {
	uint8_t rows[CABLES_LINES_MAX], columns[CABLES_LINES_MAX];
	uint32_t row_count, column_count;
};

/* cables_harvest.c: reads the map `tiles` of a platform, whose keys are optional. */
struct cables_tiles cables_tiles(const struct tree_node *tiles);

/* Reports masks with bits for lines that the tiles do not have, and masks that leave no row or
 * column to programs, at their place in the file. Masks of another architecture are ignored. */
void cables_check_masks(
	const struct machine *machine, const struct cables_tiles *tiles, struct diag *diag);

/* The lines that are off on each chip, by its mask or, without a mask, by the tiles. All chips get
 * equally many lines off, so that programs have one grid. Warns of unused masks. Allocates in
 * `arena`. */
struct cables_harvest *cables_harvest(const struct machine *machine,
	const struct cables_tiles *tiles, struct arena *arena, struct diag *diag);

/* cables_wiring.c: writes `topology:` of a platform as YAML. `harvest`: [chip]. Leaves out chips
 * that cannot be reached from a chip with PCIe, with a warning. */
bool cables_wiring(const struct machine *machine, const struct cables_mesh *mesh,
	const struct cables_harvest *harvest, struct location where, struct text *out,
	struct diag *diag);

#endif
