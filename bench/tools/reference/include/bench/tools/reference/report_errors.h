/* The error table against hardware as JSON, for `meshsim report`: what `meshsim validate` prints
 * with this program and its platforms. Tables of other programs, platforms or figures are not
 * used. */
#ifndef BENCH_TOOLS_REPORT_ERRORS_H
#define BENCH_TOOLS_REPORT_ERRORS_H

#include <stdint.h>

#include "bench/tools/reference/validate.h"

/* Runs the rows of bench/reference/figures.csv, `jobs` at a time, or takes the table from the cache
 * if the same program has made it before (errors_cache.h). Appends an object:
 *   why       null, or why there is no table; then nothing else
 *   version, commit   of this program
 *   families  objects: family, rows, ran, mean, median, p90, worst (ratios; null if none ran),
 *             ranking, and kept_median, kept_p90, kept_worst, kept_ranking: the same where the
 *             row's group was kept out of the fit (errors.yaml; null if it does not say); the last
 *             is "all"
 *   rows      objects: family, system, params, metric, unit, reference, predicted (null with a
 *             reason if it did not run), source */
void report_errors(uint32_t jobs, struct text *out);

/* The same for rows that were already run; `why` may be NULL. is_shipped: they are the rows that
 * errors.yaml is about. */
void report_errors_of(const struct reference *reference, const struct prediction *predictions,
	bool is_shipped, const char *why, struct text *out);

#endif
