/* From a reference row to an ordinary scenario, and from its operations to the row's figure: one
 * entry per family. Refuses rows with parameters or metrics that their family does not have. */
#ifndef BENCH_EXPERIMENT_H
#define BENCH_EXPERIMENT_H

#include "base/text.h"
#include "bench/results/results.h"
#include "bench/reference/reference.h"

struct experiment_param {
	const char *key;
	/* Allowed, separated by '|'. Among these "#" is a whole number, "#.#" a number that is not
	 * negative, and "#x#" a shape such as 2x4. */
	const char *values;
	const char *fallback; /* NULL: the row must have it */
};

struct experiment {
	const char *family;
	const struct experiment_param *params; /* ends with a NULL key */
	const char *systems, *metrics, *unit;  /* "a|b" */

	/* Appends the scenario of a row that has been checked, YAML. */
	void (*scenario)(const struct reference_row *row, struct text *yaml);

	/* The figure in the row's unit, from the operations of the run; a number that is not above
	 * zero if they do not have it. */
	double (*figure)(const struct reference_row *row, const struct op_row *ops, uint32_t count);
};

#define X(name, family, systems, metrics, unit)                                                    \
	extern const struct experiment_param experiment_##name##_params[];                         \
	void experiment_##name##_scenario(const struct reference_row *row, struct text *yaml);     \
	double experiment_##name##_figure(                                                         \
		const struct reference_row *row, const struct op_row *ops, uint32_t count);
#include "bench/reference/experiments.def"
#undef X

/* The entry of index, NULL behind the last; or of a name. */
const struct experiment *experiment_at(size_t index);
const struct experiment *experiment_find(const char *family);

/* Checks system, metric and parameters of a row; errors go to `diag`, located. NULL: there is no
 * experiment of its family, which is no error. */
const struct experiment *experiment_check(const struct reference_row *row, struct diag *diag);

/* A parameter as a number; of a checked row. */
uint64_t experiment_number(const struct reference_row *row, const char *key, uint64_t fallback);
bool experiment_is(
	const struct reference_row *row, const char *key, const char *value, const char *fallback);

/* Head of a scenario, up to the keys of `runtime`. */
void experiment_head(struct text *yaml, const char *family, const char *platform);

#endif
