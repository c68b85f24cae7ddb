/* Experiments: one entry per family, which turns a reference row into an ordinary scenario, and the
 * operations of its run into the row's figure. Rows with parameters or metrics that their family
 * does not have are errors. */
#ifndef BENCH_TOOLS_EXPERIMENT_H
#define BENCH_TOOLS_EXPERIMENT_H

#include "base/text.h"
#include "bench/results/results.h"
#include "bench/tools/reference/reference.h"

struct experiment_param {
	const char *key;
	/* Allowed values, separated by '|'. "#" stands for a whole number, "#.#" for a number that
	 * is not negative, and "#x#" for a shape such as 2x4. */
	const char *values;
	const char *fallback; /* NULL: the parameter is required */
};

struct experiment {
	const char *family;
	const struct experiment_param *params; /* ends with a NULL key */
	const char *systems, *metrics, *unit;  /* "a|b" */

	/* Appends the scenario of a checked row as YAML. */
	void (*scenario)(const struct reference_row *row, struct text *yaml);

	/* Computes the figure in the row's unit from the operations of the run; a number <= 0 if
	 * they do not contain it. */
	double (*figure)(const struct reference_row *row, const struct op_row *ops, uint32_t count);
};

#define X(name, family, systems, metrics, unit)                                                    \
	extern const struct experiment_param experiment_##name##_params[];                         \
	void experiment_##name##_scenario(const struct reference_row *row, struct text *yaml);     \
	double experiment_##name##_figure(                                                         \
		const struct reference_row *row, const struct op_row *ops, uint32_t count);
#include "bench/tools/reference/experiments.def"
#undef X

/* The entry at an index, NULL after the last; the entry of a family, NULL if there is none. */
const struct experiment *experiment_at(size_t index);
const struct experiment *experiment_find(const char *family);

/* Checks system, metric and parameters of a row; located errors go to `diag`. NULL if its family
 * has no experiment, which is not an error. */
const struct experiment *experiment_check(const struct reference_row *row, struct diag *diag);

/* A parameter of a checked row: as a number; compared with `value`. */
uint64_t experiment_number(const struct reference_row *row, const char *key, uint64_t fallback);
bool experiment_is(
	const struct reference_row *row, const char *key, const char *value, const char *fallback);

/* Appends the head of a scenario, up to the keys of `runtime`. */
void experiment_head(struct text *yaml, const char *family, const char *platform);

#endif
