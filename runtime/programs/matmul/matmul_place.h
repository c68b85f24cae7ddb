/* Where the tiles of a product are computed (matmul_grid.c): which cores form a grid or a line,
 * which of them send, and whom each sends to. Only for files of this folder. */
#ifndef PROGRAMS_MATMUL_PLACE_H
#define PROGRAMS_MATMUL_PLACE_H

#include "parts.h"

enum { BLOCK = 2 /* tiles each way: every core has four f32 destinations */ };

/* Semaphores of each matrix. */
enum { READY, SENT, SEMAPHORES_EACH };

enum {
	AT = 1, /* own number among cores that run the kernel; then row and column in the grid */
	ROW,
	COLUMN,
	HIGH, /* first row and column of tiles of this round, for the first core */
	WIDE,
	HIGHS, /* extents in tiles */
	WIDES,
	INNER,
	INNERS,
	STEP,  /* steps begun */
	FIRST, /* first row or column of tiles of this core, on its side of the matrix */
	TILE,
	PAGE,
	PLACE,
	LOCAL = PLACE + 2,
	EXPECTED,
	TARGET, /* rectangle, then address */
	SENDER = TARGET + 2,
	WHERE = SENDER + 2,
	BELOW /* on a line: a second rectangle, then address */
};

/* How cores divide the result: as a grid, or as a line along its columns or its rows. */
enum form { FORM_GRID, FORM_WIDE, FORM_TALL };

/* The grid of working cores, no larger than the number of blocks. */
struct grid {
	struct worker_rect rect;
	enum form form;
	uint32_t rows, columns; /* of cores; one of them is 1 on a line */
	uint32_t high, wide;	/* tiles of a block */
};

/* How one of the two matrices moves through the grid. */
struct side {
	uint32_t port;
	const char *name;
	enum processor processor;
	uint32_t receivers; /* for each sender */
	uint32_t tiles;	    /* of a block */
	bool left;
	bool first_sends; /* the first core sends to all others */
};

/* Returns the cores of the use, and how they divide its result. */
struct grid matmul_place_grid(const struct library_use *use, enum form form);

/* Returns how the left or the right matrix moves through the grid. */
struct side matmul_place_side(const struct grid *grid, bool left);

/* Returns the number of a semaphore of a side: READY or SENT. */
uint32_t matmul_place_semaphore(const struct side *side, uint32_t which);

/* Returns the cores of a grid that send: those of the first column or row. Or those that receive.
 */
struct worker_rect matmul_place_cores(const struct grid *grid, const struct side *side, bool sends);

/* Appends code that sets ROW and COLUMN of a core from its number among the cores that run the
 * kernel. These cores are a rectangle within the grid's. On a line, they are a whole number of its
 * rows, or part of the first. */
void matmul_place_find(
	struct kernel_text *text, const struct grid *grid, const struct worker_rect *rect);

/* Appends code that sets SENDER of a receiver to the semaphore of its sender, or TARGET of a sender
 * to the rectangle of its receivers. On a line, BELOW is a second rectangle of them. */
void matmul_place_others(
	struct kernel_text *text, const struct grid *grid, const struct side *side, bool sends);

#endif
