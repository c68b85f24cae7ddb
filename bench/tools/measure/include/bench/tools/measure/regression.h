/* Robust linear regression, which finds costs from times: y = sum of term * x. It minimizes the
 * squares of relative errors, and gives outliers the weight zero. Terms are costs, so a negative
 * term is set to zero. If the rows do not determine a term, its spread is larger than its value. */
#ifndef BENCH_TOOLS_MEASURE_REGRESSION_H
#define BENCH_TOOLS_MEASURE_REGRESSION_H

#include <stdbool.h>
#include <stdint.h>

enum { REGRESSION_TERMS_MAX = 4 };

struct regression_row {
	double x[REGRESSION_TERMS_MAX], y;
	/* A longer time that contains y, to which the error of the row is relative. If `whole` is
	 * 0, the error is relative to y. If the time to which it is relative is not positive, the
	 * row is ignored. */
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
	/* Median and largest relative error of the line. All rows with the same values of x give
	 * one error, between the line and the median of their y. */
	double error, worst;
};

/* Fits a line with `terms` terms to the rows. The rounds of the rows are numbered from 0. Returns
 * false if the rows do not determine the terms. */
bool regression_fit(const struct regression_row *rows, uint32_t count, uint32_t terms,
	struct regression *regression);

#endif
