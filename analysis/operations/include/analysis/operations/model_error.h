/* Whether a margin is larger than the error of the model that decides it. The table in a result
 * file says how far the model was off measured figures that were kept out of the fit, by family,
 * and which family says most of each constant. Both designs of a comparison run on the same model:
 * what a constant is charged for alike on both sides cancels, whatever its error, and what is left
 * may be off by the family's error.
 *
 * Constants of no family were never measured: they are not weighed here; what a verdict rests on
 * names them. */
#ifndef ANALYSIS_OPERATIONS_MODEL_ERROR_H
#define ANALYSIS_OPERATIONS_MODEL_ERROR_H

#include "analysis/operations/charges.h"

enum { MODEL_FAMILIES_MAX = 16 };

struct model_family {
	const char *name;
	double error; /* nine of ten figures kept out of the fit were off by less */
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

/* What of a margin may be the model's error. */
struct model_doubt {
	const char *family; /* that decides it; NULL: nothing is known, or nothing is left */
	double error;	    /* of the family */
	double part;	    /* of the first design's time that differs in its constants */
	double most;	    /* error times part: a margin below it decides nothing */
};

/* Reads the table of an open result file; empty if it has none. Texts live in `arena`. */
void model_errors_read(struct model_errors *errors, struct result *result, struct arena *arena);

/* For two designs of which the second takes `ratio` longer. */
struct model_doubt model_doubt(const struct model_errors *errors, const struct charges *first,
	const struct charges *second, double ratio);

#endif
