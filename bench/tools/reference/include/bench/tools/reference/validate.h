/* Runs reference rows as scenarios in child processes, and computes the errors of the predicted
 * figures. If a row cannot run, it has a reason instead of a figure. */
#ifndef BENCH_TOOLS_VALIDATE_H
#define BENCH_TOOLS_VALIDATE_H

#include "base/nearest.h"
#include "bench/tools/reference/experiment.h"
#include "cause/cause.h"

/* The outcome of one row. */
struct prediction {
	const struct experiment *experiment;
	bool ran;
	double value;	    /* predicted value in the row's unit, if the row ran */
	double error;	    /* |value - reference| / reference */
	struct text reason; /* why the row did not run */
	double wall_s;
	/* Settings (KEY=VALUE) for this row only. They are applied after the settings for all rows.
	 * The prediction does not own them. */
	const char *const *sets;
	uint32_t set_count;
	/* `shares[charge]`: time that is charged to the row's operations for `charge`, divided by
	 * the length of the operations' critical paths. The time includes charges outside of the
	 * critical paths. NULL if shares were not requested. */
	double *shares;
};

struct validate_options {
	const char *const *sets; /* "KEY=VALUE", like the values of --set of `meshsim run` */
	uint32_t set_count;
	uint32_t jobs;
	bool progress; /* show progress on a terminal */
	bool shares;   /* also find prediction.shares */
};

/* Fills predictions[i] for every row i that has an experiment, and leaves all other predictions
 * unchanged. Returns false if a child process could not be started, or if a folder could not be
 * created. */
bool validate_run(const struct reference *reference, const struct validate_options *options,
	struct prediction *predictions);

void predictions_free(struct prediction *predictions, uint32_t count);

/* Checks all rows, and sets the experiment of each prediction. Invalid rows cause errors in `diag`.
 * If a family has no experiment, this is not an error: it causes one warning, and each row of the
 * family gets this reason. Returns false after errors. */
bool validate_check(
	const struct reference *reference, struct prediction *predictions, struct diag *diag);

/* Returns the name of a family of the rows by its index, or NULL after the last family. Families
 * with an experiment come first, then all other families in the order of the rows. */
const char *validate_family(const struct reference *reference, size_t index);

/* Errors of a set of rows, as fractions. */
struct family_errors {
	uint32_t rows, refused; /* number of rows; number of rows that did not run */
	double mean, median, p90, worst;
	double ranking; /* Kendall's tau-b over pairs of figures with the same metric; 1 if there
			 * are no pairs */
	uint32_t worst_row;
	/* `with_spread`: number of rows that ran and whose spread on hardware is known.
	 * `within_spread`: number of these rows whose prediction is within the spread. */
	uint32_t with_spread, within_spread;
};

/* Returns the errors of the rows of `family`; NULL: of all rows. */
struct family_errors validate_errors(const struct reference *reference,
	const struct prediction *predictions, const char *family);

/* Returns the errors of the rows of `family` that were measured on `system`. */
struct family_errors validate_system_errors(const struct reference *reference,
	const struct prediction *predictions, const char *family, const char *system);

/* Returns the errors of the rows whose group is `group`. */
struct family_errors validate_group_errors(const struct reference *reference,
	const struct prediction *predictions, const uint32_t *groups, uint32_t group);

/* Returns the value of a key of a row: its family, system or metric, or a parameter. If the row
 * lacks the parameter, returns the default that the row's family has for it, or "-" if there is no
 * default. */
const char *validate_key(const struct reference_row *row, const char *key);

enum { VALIDATE_KEYS_MAX = 24 };

/* Keys that divide rows into groups, as the user gave them. */
struct validate_keys {
	const char *names[VALIDATE_KEYS_MAX];
	uint32_t count;
};

/* Adds the keys of a list such as "system,op". `text` is modified, and must exist as long as
 * `keys`. Returns false if there are too many keys, or if a key belongs to no family. `why` then
 * has a message that names `option` ("--by"). */
bool validate_keys_parse(
	struct validate_keys *keys, const char *option, char *text, struct text *why);

/* Divides the rows into groups: rows with equal values of all keys form a group. Groups are
 * numbered in the order of these values. Sets groups[i] to the number of the group of row i.
 * Returns the number of groups. */
uint32_t validate_group(const struct reference *reference, const char *const *keys,
	uint32_t key_count, uint32_t *groups);

struct errors_file; /* errors.h */

/* Prints predictions of reference rows on standard output: tables for people, JSON for programs. */

/* Prints a line for each row: the measured and the predicted figure, the error and the parameters.
 * If the row did not run, the line has the reason instead. */
void validate_print_rows(const struct reference *reference, const struct prediction *predictions);

/* Prints a line per family, and a line for all families together. If `kept_out` is not NULL, each
 * line also has the errors on rows that were left out of the fit. */
void validate_print_families(const struct reference *reference,
	const struct prediction *predictions, const struct errors_file *kept_out);

/* Prints a line for each family and each combination of values of the keys. If `system` is the only
 * key and `kept_out` is not NULL, each line also has the errors on rows that were left out of the
 * fit. */
void validate_print_groups(const struct reference *reference, const struct prediction *predictions,
	const char *const *keys, uint32_t key_count, const struct errors_file *kept_out);

struct validate_json {
	const char *const *keys; /* keys that divide rows into groups; may be empty */
	uint32_t key_count;
	bool rows;
};

void validate_print_json(const struct reference *reference, const struct prediction *predictions,
	const struct validate_json *what);

#endif
