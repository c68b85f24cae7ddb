/* The error table against hardware as JSON, for `meshsim report`: what `meshsim validate` would
 * print now, of this program and its platforms. Refuses one of other programs, platforms or
 * figures. */
#ifndef BENCH_REPORT_ERRORS_H
#define BENCH_REPORT_ERRORS_H

#include <stdint.h>

#include "base/text.h"

/* Runs the rows of bench/reference/figures.csv, `jobs` at a time, unless that was done before by
 * the same program (errors_cache.h), and appends an object: why       null, or why there is no
 * table; then nothing else version, commit   of this program families  objects: family, rows, ran,
 * mean, median, p90, worst (ratios; null if none ran), ranking; the last one is "all" rows objects:
 * family, system, params, metric, unit, reference, predicted (null with a reason if it did not
 * run), source */
void report_errors(uint32_t jobs, struct text *out);

#endif
