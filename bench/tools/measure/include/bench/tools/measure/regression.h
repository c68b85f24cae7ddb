/* Robust linear regression of costs from times: y = sum of term * x, by least squares of relative
 * errors; outliers get weight zero. Terms are costs, so negative ones are set to zero. A term that
 * the rows do not determine has a spread above its value. */
#ifndef BENCH_TOOLS_MEASURE_REGRESSION_H
#define BENCH_TOOLS_MEASURE_REGRESSION_H

#include <stdbool.h>
#include <stdint.h>

enum { REGRESSION_TERMS_MAX = 4 };

struct regression_row {
	double x[REGRESSION_TERMS_MAX], y;
	double whole;	/* the time of which y is a part; errors are relative to it; 0: y itself.
			   Rows where it is not above zero are ignored */
	uint32_t round; /* rows of a round were measured one after the other */
};

/* A term: its value is fitted to all rows; the rest describes the fits of single rounds. */
struct regression_term {
	double value, spread, p50, p90, p99;
};

struct regression {
	struct regression_term terms[REGRESSION_TERMS_MAX];
	uint32_t rows, rounds;
	double error, worst; /* median and largest relative error of the line, at the medians of
				rows with the same x */
};

/* Fits `terms` terms to the rows, whose rounds are numbered 0, 1, and so on. False if the rows do
 * not determine the terms. */
bool regression_fit(const struct regression_row *rows, uint32_t count, uint32_t terms,
	struct regression *regression);

#endif
