/* Rows run with constants moved: of many rows and many moves in one go, and none that no move
 * concerns. A move is what is added to the logarithm of each constant as it stood. */
#ifndef BENCH_FIT_ROWS_H
#define BENCH_FIT_ROWS_H

#include "bench/reference/fit.h"

/* One row to be run, and how far its constants are moved, [FIT_CONSTANTS_MAX]. */
struct fit_task {
	uint32_t row;
	const double *moves;
};

/* What is known of rows at some point: their predictions there, and how much ln(predicted) grows by
 * ln(constant). */
struct fit_slopes {
	struct prediction *at; /* [row] with shares, with constants as the platforms say */
	double *slopes;	       /* [row * FIT_CONSTANTS_MAX + constant] */
};

/* True if the constant of the row's system takes a part of its time. */
bool fit_concerns(const struct fit *fit, const struct reference *reference,
	const struct prediction *at, uint32_t row, uint32_t constant);

/* Runs tasks; predictions[task]. */
bool fit_tasks(struct fit *fit, const struct reference *reference, const struct fit_task *tasks,
	uint32_t count, struct prediction *predictions);

/* Runs all rows for their shares; leaves of the constants those that concern some row. */
bool fit_start(struct fit *fit, const struct reference *reference, struct prediction *at);

/* The slopes where constants are moved by `moves`, at which `here` was predicted. */
bool fit_find_slopes(struct fit *fit, const struct reference *reference, const double *moves,
	const struct prediction *here, struct fit_slopes *slopes);

/* Least squares over the rows that `kept` keeps (NULL: all) and that are in `here`: what is to be
 * added to moves. No constant is moved by more than a third of itself. `known`, unless NULL: what
 * those rows say of each constant, 0: nothing. */
void fit_solve(const struct fit *fit, const struct reference *reference,
	const struct fit_slopes *slopes, const struct prediction *here, const bool *kept,
	double *step, double *known);

#endif
