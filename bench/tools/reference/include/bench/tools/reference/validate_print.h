/* Prints predictions of reference rows on standard output: tables for people, JSON for programs. */
#ifndef BENCH_TOOLS_VALIDATE_PRINT_H
#define BENCH_TOOLS_VALIDATE_PRINT_H

#include "bench/tools/reference/errors_file.h"

/* Prints a line per row: measured, predicted, error and parameters; or why it did not run. */
void validate_print_rows(const struct reference *reference, const struct prediction *predictions);

/* Prints a line per family, then one for all. If `kept_out` is not NULL, each line also has the
 * errors of rows that were kept out of the fit. */
void validate_print_families(const struct reference *reference,
	const struct prediction *predictions, const struct errors_file *kept_out);

/* Prints a line per family and combination of the keys' values. */
void validate_print_groups(const struct reference *reference, const struct prediction *predictions,
	const char *const *keys, uint32_t key_count);

struct validate_json {
	const char *const *keys; /* split by these; may be empty */
	uint32_t key_count;
	bool rows;
};

void validate_print_json(const struct reference *reference, const struct prediction *predictions,
	const struct validate_json *what);

#endif
