/* The error table against hardware as JSON, for `meshsim report`: what `meshsim validate` would
 * print now, of this program and its platforms. Refuses one of other programs, platforms or
 * figures. */
#ifndef BENCH_REPORT_ERRORS_H
#define BENCH_REPORT_ERRORS_H

#include <stdint.h>

#include "bench/reference/validate.h"

/* Runs the rows of bench/reference/figures.csv, `jobs` at a time, unless that was done before by
 * the same program (errors_cache.h), and appends an object:
 *   why       null, or why there is no table; then nothing else
 *   version, commit   of this program
 *   families  objects: family, rows, ran, mean, median, p90, worst (ratios; null if none ran),
 *             ranking, and kept_median, kept_p90, kept_worst, kept_ranking: where the row's group
 *             was kept out of the fit (errors.yaml; null if that does not say); the last is "all"
 *   rows      objects: family, system, params, metric, unit, reference, predicted (null with a
 *             reason if it did not run), source */
void report_errors(uint32_t jobs, struct text *out);

/* The same of rows that were run; `why` may be NULL. is_shipped: those that errors.yaml is about.
 */
void report_errors_of(const struct reference *reference, const struct prediction *predictions,
	bool is_shipped, const char *why, struct text *out);

#endif
