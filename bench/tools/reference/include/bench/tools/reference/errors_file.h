/* bench/reference/errors.yaml: the errors of the model on figures that were kept out of the fit, by
 * family, and for each constant the family that says most about it. Written by `meshsim calibrate
 * --fit --folds N --errors`, which takes minutes; other commands only read it. */
#ifndef BENCH_TOOLS_ERRORS_FILE_H
#define BENCH_TOOLS_ERRORS_FILE_H

#include "bench/tools/reference/folds.h"

enum { ERRORS_FAMILIES_MAX = 16, ERRORS_NAME_BYTES = 32 };

struct family_validity {
	char name[ERRORS_NAME_BYTES];
	struct family_errors held_out, in_sample;
};

struct errors_file {
	uint32_t folds, groups, alone;
	struct family_validity families[ERRORS_FAMILIES_MAX];
	uint32_t family_count;
	/* By enum charge: the family whose rows together spend most time on it, counted from 1; 0:
	 * none. */
	uint8_t family_of[CHARGE_COUNT];
};

extern const struct output_kind errors_output;

/* Computes the contents from the predictions of folds_run(). */
void errors_file_make(struct errors_file *file, const struct reference *reference,
	const struct prediction *in_sample, const struct prediction *held_out,
	const struct folds *folds);

/* False after a message on standard error. */
bool errors_file_write(const struct errors_file *file, const char *path);

/* Reads the file beside the shipped figures. False if it does not exist or cannot be read. */
bool errors_file_read(struct errors_file *file);

/* The family of that name, or NULL. */
const struct family_validity *errors_file_find(const struct errors_file *file, const char *family);

#endif
