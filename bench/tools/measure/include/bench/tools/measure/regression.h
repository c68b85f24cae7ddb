/* Robust linear regression, which finds costs from times: y = sum of term * x. It minimizes the
 * squares of relative errors; outliers get weight zero. Terms are costs, so negative terms are set
 * to zero. A term that the rows do not determine has a spread larger than its value. */
#ifndef BENCH_TOOLS_MEASURE_REGRESSION_H
#define BENCH_TOOLS_MEASURE_REGRESSION_H

#include <stdbool.h>
#include <stdint.h>

enum { REGRESSION_TERMS_MAX = 4 };

struct regression_row {
	double x[REGRESSION_TERMS_MAX], y;
	/* The time of which y is a part; 0: none. The error of the row is relative to `whole`, or
	 * relative to y if `whole` is 0. The row is ignored if this time is not above zero. */
	double whole;
	uint32_t round; /* rows of the same round were measured one after the other */
};

/* A term. Its value is fitted to all rows. The other members describe the fits to single rounds. */
struct regression_term {
	double value, spread, p50, p90, p99;
};

struct regression {
	struct regression_term terms[REGRESSION_TERMS_MAX];
	uint32_t rows, rounds;
	/* Median and largest relative error of the line. All rows with the same x give one error,
	 * which is taken at the median of their y. */
	double error, worst;
};

/* Fits `terms` terms to the rows. Rounds are numbered 0, 1, and so on. Returns false if the rows do
 * not determine the terms. */
bool regression_fit(const struct regression_row *rows, uint32_t count, uint32_t terms,
	struct regression *regression);

#endif
