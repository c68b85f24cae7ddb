/* Cross-validation by groups of rows: each group is predicted with constants that were fitted, by
 * one step of least squares from their current values, to the rows outside its fold. Does not
 * change platforms. */
#ifndef BENCH_TOOLS_FOLDS_H
#define BENCH_TOOLS_FOLDS_H

#include "bench/tools/reference/fit.h"

struct folds {
	const char *const *keys; /* rows with the same values of these are in one fold */
	uint32_t key_count, count;
	/* result */
	uint32_t groups;
	uint32_t alone; /* rows that depend on a constant about which no row outside their fold says
			   anything: it keeps the value that was fitted to them, too */
};

/* Keys that distinguish kinds of measurements, but not their sizes; ends with NULL. */
extern const char *const folds_keys[];

/* Predicts all rows with the current constants and their shares (`in_sample`), and each row from
 * those outside its fold (`held_out`). Free both with predictions_free(). False if rows cannot be
 * run. */
bool folds_run(struct folds *folds, struct fit *fit, const struct reference *reference,
	struct prediction *in_sample, struct prediction *held_out);

#endif
