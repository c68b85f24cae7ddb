/* Predictions of reference rows on standard output: tables for people, JSON for programs. Computes
 * no error itself. */
#ifndef BENCH_VALIDATE_PRINT_H
#define BENCH_VALIDATE_PRINT_H

#include "bench/reference/errors_file.h"

/* A line a row: measured, predicted, error, and what it is; or why it did not run. */
void validate_print_rows(const struct reference *reference, const struct prediction *predictions);

/* A line a family, then one for all; beside each, unless NULL, how far it was off where it was kept
 * out of the fit. */
void validate_print_families(const struct reference *reference,
	const struct prediction *predictions, const struct errors_file *kept_out);

/* A line for each combination of values that the keys have in a family. */
void validate_print_groups(const struct reference *reference, const struct prediction *predictions,
	const char *const *keys, uint32_t key_count);

struct validate_json {
	const char *const *keys; /* split by these, if there are any */
	uint32_t key_count;
	bool rows;
};

void validate_print_json(const struct reference *reference, const struct prediction *predictions,
	const struct validate_json *what);

#endif
