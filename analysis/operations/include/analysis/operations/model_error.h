/* Whether a margin is larger than the model's error. The error table of a result file says, for
 * each family of measured figures, how far the model was off those that were kept out of the fit,
 * and which family determines each constant best. Both designs of a comparison run on the same
 * model: time that a constant is charged for on both sides cancels, whatever its error. The
 * difference may be off by the family's error.
 *
 * Constants without a family were never measured. They do not count here; `compare` lists them
 * under what a verdict rests on. */
#ifndef ANALYSIS_OPERATIONS_MODEL_ERROR_H
#define ANALYSIS_OPERATIONS_MODEL_ERROR_H

#include "analysis/operations/charges.h"

enum { MODEL_FAMILIES_MAX = 16 };

struct model_family {
	const char *name;
	double error; /* 90th percentile over the figures kept out of the fit; 0.1: 10 % */
};

struct model_constant {
	const char *path;
	uint32_t family;
};

struct model_errors {
	struct model_family families[MODEL_FAMILIES_MAX];
	uint32_t family_count;
	struct model_constant *constants;
	uint32_t constant_count;
};

/* How much of a margin the model's error could explain. */
struct model_doubt {
	const char *family; /* with the largest effect; NULL: nothing known, or no effect */
	double error;	    /* of the family */
	double part;	    /* difference charged for its constants / time of the first design */
	double most;	    /* error * part: smaller margins are undecided */
};

/* Reads the table of an open result file; empty if it has none. Texts live in `arena`. */
void model_errors_read(struct model_errors *errors, struct result *result, struct arena *arena);

/* Finds the family whose error moves the margin most, for two designs of which the second takes
 * `ratio` longer (0.1: 10 %). */
struct model_doubt model_doubt(const struct model_errors *errors, const struct charges *first,
	const struct charges *second, double ratio);

#endif
