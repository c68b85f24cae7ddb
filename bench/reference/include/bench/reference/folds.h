/* Cross-validation by groups of rows: each group is predicted with constants that were fitted to
 * the rows outside its fold, in one step of least squares from where they stand. Changes no
 * platform. */
#ifndef BENCH_FOLDS_H
#define BENCH_FOLDS_H

#include "bench/reference/fit.h"

struct folds {
	const char *const *keys; /* rows that agree in these stay in one fold */
	uint32_t key_count, count;
	/* result */
	uint32_t groups;
	uint32_t alone; /* rows that depend on a constant of which no row outside their fold says
			   anything: it stays as it was fitted, to them too */
};

/* What tells kinds of measurements apart, and not their sizes; ends with NULL. */
extern const char *const folds_keys[];

/* Predicts all rows with the constants as they stand, with shares, and each from the others. Both
 * are for predictions_free(). False if rows cannot be run. */
bool folds_run(struct folds *folds, struct fit *fit, const struct reference *reference,
	struct prediction *in_sample, struct prediction *held_out);

#endif
