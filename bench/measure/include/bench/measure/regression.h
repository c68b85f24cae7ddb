/* Costs from times: y = sum of term * x, by least squares of relative errors, in which rows far off
 * weigh nothing. Terms are costs: one that would come out below zero is zero. Refuses nothing: what
 * the rows do not show has a spread above its value. */
#ifndef BENCH_MEASURE_REGRESSION_H
#define BENCH_MEASURE_REGRESSION_H

#include <stdbool.h>
#include <stdint.h>

enum { REGRESSION_TERMS_MAX = 4 };

struct regression_row {
	double x[REGRESSION_TERMS_MAX], y;
	double whole;	/* that y is a part of, and errors are relative to; 0: y itself. One that
			   is not above zero does not count */
	uint32_t round; /* rows of a round were measured one after the other */
};

/* What is said of a term: the value is that of all rows, the rest of the lines of single rounds. */
struct regression_term {
	double value, spread, p50, p90, p99;
};

struct regression {
	struct regression_term terms[REGRESSION_TERMS_MAX];
	uint32_t rows, rounds;
	double error, worst; /* relative errors of the line, of the medians of rows that have the
				same x: their median, the largest */
};

/* Fits `terms` terms to the rows, which are counted in rounds 0, 1, and so on. False if rows do not
 * suffice to tell the terms apart. */
bool regression_fit(const struct regression_row *rows, uint32_t count, uint32_t terms,
	struct regression *regression);

#endif
