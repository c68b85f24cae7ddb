/* The errors of the model on reference figures: errors.yaml, written by a fit, and the table that
 * `meshsim report` shows, with its cache. */
#ifndef BENCH_TOOLS_ERRORS_H
#define BENCH_TOOLS_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/tools/reference/fit.h"
#include "base/text.h"
#include "bench/tools/reference/validate.h"

/* bench/reference/errors.yaml: the errors of the model on figures that were kept out of the fit, by
 * family, and for each constant the family that says most about it. Written by `meshsim calibrate
 * --fit --folds N --errors`, which takes minutes; other commands only read it. */

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

/* Caches the last error table, so that the next report need not run the experiments again. Its name
 * is a hash of all inputs: this program, the platforms, the reference figures, and errors.yaml; a
 * change of any of them makes a miss. Never fails: without a folder, nothing is cached. */

struct errors_cache {
	char path[512]; /* "" if there is no folder */
};

/* The table is in $XDG_CACHE_HOME/meshsim, or $HOME/.cache/meshsim. */
void errors_cache_init(struct errors_cache *cache, const char *platforms, const char *reference,
	const char *errors);

/* Appends the cached table. False if there is none. */
bool errors_cache_read(const struct errors_cache *cache, struct text *out);

/* Stores a table, completely or not at all, and removes those of other inputs. */
void errors_cache_write(const struct errors_cache *cache, const char *table);

/* The error table against hardware as JSON, for `meshsim report`: what `meshsim validate` prints
 * with this program and its platforms. Tables of other programs, platforms or figures are not
 * used. */

/* Runs the rows of bench/reference/figures.csv, `jobs` at a time, or takes the table from the cache
 * if the same program has made it before (errors_cache_read()). Appends an object:
 *   why       null, or why there is no table; then nothing else
 *   version, commit   of this program
 *   families  objects: family, rows, ran, mean, median, p90, worst (ratios; null if none ran),
 *             ranking, and kept_median, kept_p90, kept_worst, kept_ranking: the same where the
 *             row's group was kept out of the fit (errors.yaml; null if it does not say); the last
 *             is "all"
 *   rows      objects: family, system, params, metric, unit, reference, predicted (null with a
 *             reason if it did not run), source */
void report_errors(uint32_t jobs, struct text *out);

/* The same for rows that were already run; `why` may be NULL. is_shipped: they are the rows that
 * errors.yaml is about. */
void report_errors_of(const struct reference *reference, const struct prediction *predictions,
	bool is_shipped, const char *why, struct text *out);

#endif
