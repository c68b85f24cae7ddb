/* Runs rows with changed constants, many rows and changes at a time, and only rows that a change
 * concerns. A move is the change of the logarithm of a constant from its original value. */
#ifndef BENCH_TOOLS_FIT_ROWS_H
#define BENCH_TOOLS_FIT_ROWS_H

#include "bench/tools/reference/fit.h"

/* One row to run, and the moves of its constants, [FIT_CONSTANTS_MAX]. */
struct fit_task {
	uint32_t row;
	const double *moves;
};

/* Predictions of rows at some point, and the slopes of ln(predicted) over ln(constant) there. */
struct fit_slopes {
	struct prediction *at; /* [row] with shares, at the platforms' constants */
	double *slopes;	       /* [row * FIT_CONSTANTS_MAX + constant] */
};

/* True if the constant applies to the row's system and takes part of its time. */
bool fit_concerns(const struct fit *fit, const struct reference *reference,
	const struct prediction *at, uint32_t row, uint32_t constant);

/* Runs tasks, and fills predictions[task]. */
bool fit_tasks(struct fit *fit, const struct reference *reference, const struct fit_task *tasks,
	uint32_t count, struct prediction *predictions);

/* Runs all rows to find their shares, then drops constants that concern no row. */
bool fit_start(struct fit *fit, const struct reference *reference, struct prediction *at);

/* Finds the slopes at `moves`, where `here` was predicted. */
bool fit_find_slopes(struct fit *fit, const struct reference *reference, const double *moves,
	const struct prediction *here, struct fit_slopes *slopes);

/* Least squares over the rows that are in `here` and for which `kept` is true (NULL: all). `step`
 * receives the change of the moves; no constant changes by more than a third. `known`, unless NULL,
 * receives how much those rows say about each constant; 0: nothing. */
void fit_solve(const struct fit *fit, const struct reference *reference,
	const struct fit_slopes *slopes, const struct prediction *here, const bool *kept,
	double *step, double *known);

#endif
