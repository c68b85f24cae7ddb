/* Runs reference rows as scenarios, in children, and says how far their figures are off. Refuses to
 * give a figure for a row that cannot run: it keeps the reason instead. */
#ifndef BENCH_VALIDATE_H
#define BENCH_VALIDATE_H

#include "base/nearest.h"
#include "bench/reference/experiment.h"
#include "cause/cause.h"

/* What became of one row. */
struct prediction {
	const struct experiment *experiment;
	bool ran;
	double value;	    /* in the row's unit; the figure of a row that ran */
	double error;	    /* |value - reference| / reference */
	struct text reason; /* why it did not */
	double wall_s;
	const char *const *sets; /* of this row alone, borrowed: go behind those of all */
	uint32_t set_count;
	double *shares; /* by enum charge: time charged on behalf of its operations, on their ways
			   or beside them, by the length of the ways; NULL: nobody asked */
};

struct validate_options {
	const char *const *sets; /* as --set of `meshsim run` */
	uint32_t set_count;
	uint32_t jobs;
	bool progress; /* on a terminal */
	bool shares;   /* find prediction.shares, too */
};

/* Fills predictions[i] of every row that has an experiment (the others stay as they are). False if
 * no child could be started or no directory made. */
bool validate_run(const struct reference *reference, const struct validate_options *options,
	struct prediction *predictions);

void predictions_free(struct prediction *predictions, uint32_t count);

/* Checks all rows and gives each prediction its experiment. Wrong rows are errors in `diag`; rows
 * of a family without an experiment are no error: one warning a family, and a reason each. False
 * after errors. */
bool validate_check(
	const struct reference *reference, struct prediction *predictions, struct diag *diag);

/* Families of the rows: those with an experiment, then the others as they come. NULL behind the
 * last. */
const char *validate_family(const struct reference *reference, size_t index);

/* Errors of some rows, as fractions. */
struct family_errors {
	uint32_t rows, refused; /* all; those that did not run */
	double mean, median, p90, worst;
	double ranking; /* Kendall's tau-b of figures of the same metric; 1 if nothing to rank */
	uint32_t worst_row;
	uint32_t with_spread, within_spread; /* ran, and the hardware's own spread is known; so many
						of them are predicted within it */
};

/* Of the rows of `family`, NULL: of all. */
struct family_errors validate_errors(const struct reference *reference,
	const struct prediction *predictions, const char *family);

/* Of the rows whose group is `group`. */
struct family_errors validate_group_errors(const struct reference *reference,
	const struct prediction *predictions, const uint32_t *groups, uint32_t group);

/* What a key says of a row: family, system, metric or a parameter, with its fallback; "-": nothing.
 */
const char *validate_key(const struct reference_row *row, const char *key);

enum { VALIDATE_KEYS_MAX = 24 };

/* Keys by which rows are split, as users name them. */
struct validate_keys {
	const char *names[VALIDATE_KEYS_MAX];
	uint32_t count;
};

/* Adds the keys of "system,op", which is cut where they end and must outlive `keys`. False with why
 * not, for `option` ("--by"): a key that no family has, or too many. */
bool validate_keys_parse(
	struct validate_keys *keys, const char *option, char *text, struct text *why);

/* Numbers rows that agree in all keys alike, in the order of the keys' values; returns how many
 * groups there are. groups[row] for each row. */
uint32_t validate_group(const struct reference *reference, const char *const *keys,
	uint32_t key_count, uint32_t *groups);

#endif
