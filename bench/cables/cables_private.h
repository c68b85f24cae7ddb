/* Functions that make a platform from the files of a real machine. They find the place of each
 * chip, find the rows and columns of tiles that are switched off, and write the wiring. Only for
 * files of this folder. */
#ifndef BENCH_CABLES_PRIVATE_H
#define BENCH_CABLES_PRIVATE_H

#include "base/tree.h"
#include "topology/machine.h"

enum { CABLES_LINES_MAX = 64 };

/* The places of a machine's chips in its mesh. */
struct cables_mesh {
	uint32_t rows, columns;
	int32_t (*at)[2]; /* [chip] row and column; -1: the chip is outside of the mesh */
};

/* cables_place.c: fills *placed with the place of each chip in a mesh, allocated in `arena`. `mgd`
 * is the node with the path of a mesh graph descriptor, or NULL. With a descriptor, the chips get
 * their places in its mesh `mesh`; `mesh` may be NULL if the descriptor has one mesh. Without a
 * descriptor, the places come from the machine's file. If this file has no places, uses the largest
 * rectangle of chips in which all neighbours are connected. Returns false after errors. */
bool cables_place(const struct machine *machine, const struct tree_node *mgd,
	const struct tree_node *mesh, struct cables_mesh *placed, struct arena *arena,
	struct diag *diag);

/* The values of a platform's map `tiles` that the masks of cluster descriptors need. */
struct cables_tiles {
	enum topology_arch arch;	 /* ARCH_INVALID: any architecture */
	bool columns;			 /* bits of a mask are columns; false: rows */
	uint8_t lines[CABLES_LINES_MAX]; /* tensix_rows or tensix_columns, in the order of bits */
	uint32_t line_count;
	uint8_t rows_off[CABLES_LINES_MAX],
		columns_off[CABLES_LINES_MAX]; /* lines that are off if there is no mask */
	uint32_t row_off_count, column_off_count;
	uint32_t dispatch_lines; /* number of rows or columns; 0: dispatch is elsewhere */
};

/* The rows and columns that are switched off on a chip. */
struct cables_harvest {
	uint8_t rows[CABLES_LINES_MAX], columns[CABLES_LINES_MAX];
	uint32_t row_count, column_count;
};

/* cables_harvest.c: reads the map `tiles` of a platform, whose keys are optional. */
struct cables_tiles cables_tiles(const struct tree_node *tiles);

/* Reports an error for each harvesting mask that has a bit without a row or column of tiles, and
 * for each mask that leaves no row or column for programs. Errors cite the place of the mask in its
 * file. Ignores masks of chips whose architecture differs from that of `tiles`. */
void cables_check_masks(
	const struct machine *machine, const struct cables_tiles *tiles, struct diag *diag);

/* Returns the rows and columns of tiles that are switched off on each chip, as an array in `arena`.
 * They come from the chip's mask, or from `tiles` if the chip has no mask. Programs must have the
 * same grid on all chips, so each chip gets the same number of rows or columns that are switched
 * off. This is the largest number that any of the chips needs. Warns of masks that are not used. */
struct cables_harvest *cables_harvest(const struct machine *machine,
	const struct cables_tiles *tiles, struct arena *arena, struct diag *diag);

/* cables_wiring.c: writes the map `topology` of a platform as YAML. `harvest` has an element for
 * each chip. Leaves out chips that are not connected to a chip with PCIe, with a warning. */
bool cables_wiring(const struct machine *machine, const struct cables_mesh *mesh,
	const struct cables_harvest *harvest, struct location where, struct text *out,
	struct diag *diag);

#endif
