/* Runs reference rows as scenarios, in children, and says how far their figures are off. Refuses to
 * give a figure for a row that cannot run: it keeps the reason instead. */
#ifndef BENCH_VALIDATE_H
#define BENCH_VALIDATE_H

#include "bench/reference/experiment.h"

/* What became of one row. */
struct prediction {
	const struct experiment *experiment;
	bool ran;
	double value;	    /* in the row's unit; the figure of a row that ran */
	double error;	    /* |value - reference| / reference */
	struct text reason; /* why it did not */
	double wall_s;
};

struct validate_options {
	const char *const *sets; /* as --set of `meshsim run` */
	uint32_t set_count;
	uint32_t jobs;
	bool progress; /* on a terminal */
};

/* Fills predictions[i] of every row that has an experiment (the others stay as they are). False if
 * no child could be started or no directory made. */
bool validate_run(const struct reference *reference, const struct validate_options *options,
	struct prediction *predictions);

void predictions_free(struct prediction *predictions, uint32_t count);

/* One family's errors, as fractions. */
struct family_errors {
	uint32_t rows, refused; /* all; those that did not run */
	double mean, median, p90, worst;
	double ranking; /* Kendall's tau-b of figures of the same metric; 1 if nothing to rank */
	uint32_t worst_row;
};

/* Of the rows of `family`, NULL: of all. */
struct family_errors validate_errors(const struct reference *reference,
	const struct prediction *predictions, const char *family);

#endif
