/* The errors of the model on reference figures. A fit writes them to the file errors.yaml, and the
 * pages of `meshsim report` and `meshsim validate --plot` show them as tables. */
#ifndef BENCH_TOOLS_ERRORS_H
#define BENCH_TOOLS_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/tools/reference/fit.h"
#include "base/text.h"
#include "bench/tools/reference/validate.h"

/* The contents of bench/reference/errors.yaml. For each family, and for each machine of a family,
 * it has three kinds of errors: errors on figures that were left out of the fit, on figures that
 * were part of the fit, and on figures that were predicted from other machines only. For each
 * constant, it also has the family whose rows spend most time on the constant. `meshsim calibrate
 * --fit --folds N --errors` writes the file, which takes minutes. Other commands only read it. */

enum { ERRORS_FAMILIES_MAX = 16, ERRORS_MACHINES_MAX = 16, ERRORS_NAME_BYTES = 32 };

/* Errors of predictions of some rows, for each way to choose the constants (enum folds_way). If no
 * row was predicted in one of these ways, the errors for this way have 0 rows. */
struct validity {
	struct family_errors by[FOLDS_WAYS];
};

struct machine_validity {
	char name[ERRORS_NAME_BYTES];
	struct validity errors;
};

struct family_validity {
	char name[ERRORS_NAME_BYTES];
	struct validity errors;
	struct machine_validity machines[ERRORS_MACHINES_MAX];
	uint32_t machine_count;
};

struct errors_file {
	uint32_t folds, groups, alone, machines_alone;
	struct family_errors other_machines; /* errors of all families for FOLDS_OTHER_MACHINES */
	struct family_validity families[ERRORS_FAMILIES_MAX];
	uint32_t family_count;
	/* `family_of[charge]`: number, from 1, of the family whose rows spend the most time on
	 * `charge`; 0: no family */
	uint8_t family_of[CHARGE_COUNT];
};

extern const struct output_kind errors_output;

/* Computes the contents of the file from the predictions of folds_run(). */
void errors_file_make(struct errors_file *file, const struct reference *reference,
	struct prediction *const predictions[FOLDS_WAYS], const struct folds *folds);

/* Writes the file. Returns false after a message on standard error. */
bool errors_file_write(const struct errors_file *file, const char *path);

/* Reads errors.yaml from the folder of the shipped figures. Returns false if the file does not
 * exist or cannot be read. */
bool errors_file_read(struct errors_file *file);

/* Returns the errors of a family or, if `machine` is not NULL, the family's errors on figures of
 * this machine. Returns NULL if the file has no such errors. */
const struct validity *errors_file_find(
	const struct errors_file *file, const char *family, const char *machine);

/* These functions print tables on standard output. errors_print_folds() prints for each family the
 * errors on rows that were left out of the fit, and the errors of the fit itself.
 * errors_print_machines() prints for each family with several machines, and for each machine, the
 * errors of a fit to the other machines. */
void errors_print_folds(const struct errors_file *file);
void errors_print_machines(const struct errors_file *file);

/* Appends the errors in errors.yaml as an object with the following members. Runs no rows.
 *
 *   why       null, or why there is no table; then there are no families, machines and rows
 *   version, commit   of this program
 *   families  an object for each family: family, rows, ran, mean, median, p90, worst (ratios; null
 *             if no row ran), ranking. kept_median, kept_p90, kept_worst and kept_ranking are the
 *             errors on rows that were left out of the fit. others_median and so on are the errors
 *             of predictions from other machines. They are null if errors.yaml has none.
 *   machines  an object for each machine of each family: like families, with a member machine
 *   rows      empty */
void report_errors(struct text *out);

/* Like report_errors(), but for rows that were run. The member `rows` has an object for each row,
 * with family, system, params, metric, unit, reference, predicted and source. `predicted` is null,
 * with a reason, if the row did not run. There is one more family, "all", with the errors of all
 * rows. `is_shipped` is true if errors.yaml describes these rows. */
void report_errors_of(const struct reference *reference, const struct prediction *predictions,
	bool is_shipped, struct text *out);

#endif
