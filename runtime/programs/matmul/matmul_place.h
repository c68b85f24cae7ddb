/* The cores that compute a product (matmul_grid.c): the grid or line that they form, the cores that
 * send, and the cores to which each of these sends. Only for files of this folder. */
#ifndef PROGRAMS_MATMUL_PLACE_H
#define PROGRAMS_MATMUL_PLACE_H

#include "parts.h"

/* Tiles of a block in each direction. Every core has four f32 destination registers. */
enum { BLOCK = 2 };

/* The semaphores of each matrix. */
enum { READY, SENT, SEMAPHORES_EACH };

enum {
	/* AT: number of this core among the cores that run the kernel. ROW, COLUMN: row and column
	 * of this core in the grid. */
	AT = 1,
	ROW,
	COLUMN,
	HIGH, /* first row and column of tiles that the first core computes in this round */
	WIDE,
	HIGHS, /* extents of the matrices in tiles */
	WIDES,
	INNER,
	INNERS,
	STEP,  /* number of steps that have begun */
	FIRST, /* first row or column of tiles of this core, in its matrix */
	TILE,
	PAGE,
	PLACE,
	LOCAL = PLACE + 2,
	EXPECTED,
	TARGET, /* first the corners of a rectangle, then an address */
	SENDER = TARGET + 2,
	WHERE = SENDER + 2,
	BELOW /* line: the corners of a second rectangle, then an address */
};

/* How cores divide the result: as a grid, or as a line along the columns or the rows of the
 * result. */
enum form { FORM_GRID, FORM_WIDE, FORM_TALL };

/* The grid of cores that compute. It has no more cores than the result has blocks. */
struct grid {
	struct worker_rect rect;
	enum form form;
	/* number of rows and columns of cores; one of them is 1 on a line */
	uint32_t rows, columns;
	uint32_t high, wide; /* number of tiles in a block */
};

/* How one of the two matrices moves through the grid. */
struct side {
	uint32_t port;
	const char *name;
	enum processor processor;
	uint32_t receivers; /* number of receivers of each sender */
	uint32_t tiles;	    /* number of tiles in a block */
	bool left;
	bool first_sends; /* line: the first core sends to all other cores */
};

/* Returns the cores of the use, and how they divide the result. */
struct grid matmul_place_grid(const struct library_use *use, enum form form);

/* Returns how the left or the right matrix moves through the grid. */
struct side matmul_place_side(const struct grid *grid, bool left);

/* Returns the number of a semaphore of a side: READY or SENT. */
uint32_t matmul_place_semaphore(const struct side *side, uint32_t which);

/* Returns the cores of a grid that handle the matrix of `side`: if `sends` is true, the cores that
 * send it, which are the first column or row; otherwise the cores that receive it. */
struct worker_rect matmul_place_cores(const struct grid *grid, const struct side *side, bool sends);

/* Appends code that computes ROW and COLUMN of a core from AT, the core's number among the cores
 * that run the kernel. These cores are the rectangle `rect` of the grid. On a line, `rect` consists
 * of whole rows of the grid, or is a part of its first row. */
void matmul_place_find(
	struct kernel_text *text, const struct grid *grid, const struct worker_rect *rect);

/* Appends code that finds the cores with which this core communicates. For a core that sends
 * (`sends` is set), the code sets TARGET to the rectangle of the receivers. On a line, there may be
 * a second rectangle, which is in BELOW. For a core that receives, the code sets SENDER to the
 * semaphore of the sender. */
void matmul_place_others(
	struct kernel_text *text, const struct grid *grid, const struct side *side, bool sends);

#endif
