/* Experiments, one for each family of reference figures. An experiment converts a reference row to
 * an ordinary scenario, and computes the row's figure from the operations of the run. It is an
 * error if a row has a parameter or a metric that the experiment of its family does not have. */
#ifndef BENCH_TOOLS_EXPERIMENT_H
#define BENCH_TOOLS_EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bench/results/results.h"
#include "base/arena.h"
#include "base/diag.h"

/* Reference figures, which were measured on hardware. They are in CSV files with the columns
 * family, system, params, metric, value, unit, spread and source. The column params is a list of
 * key=value, separated by ';'. An unknown column, a malformed value or a duplicate figure is an
 * error, which cites its place. */

enum { REFERENCE_PARAMS_MAX = 24 };

struct reference_param {
	const char *key, *value;
	struct location where; /* location of the key */
};

struct reference_row {
	const char *family, *system, *params_text, *metric, *unit, *spread, *source;
	struct reference_param params[REFERENCE_PARAMS_MAX];
	uint32_t param_count;
	double value;
	bool has_range; /* the row gives the spread on hardware, from `least` to `most` */
	double least, most;
	struct location where, family_where, system_where, params_where, metric_where;
};

struct reference {
	struct reference_row *rows;
	uint32_t count;
};

/* Reads the file `path`, and allocates the rows in `arena`. Adds errors to `diag`, and returns
 * false if there are any. */
bool reference_read(
	const char *path, struct arena *arena, struct diag *diag, struct reference *reference);

/* Returns the value of a parameter, or `fallback` if the row does not have the parameter. */
const char *reference_text(const struct reference_row *row, const char *key, const char *fallback);

/* The parameter, or NULL. */
const struct reference_param *reference_param(const struct reference_row *row, const char *key);

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
	const char *systems, *metrics, *unit;  /* values separated by '|', like "a|b" */

	/* Appends the scenario of a checked row as YAML. */
	void (*scenario)(const struct reference_row *row, struct text *yaml);

	/* Computes the figure, in the row's unit, from the operations of the run. Returns 0 or a
	 * negative number if the operations do not contain the figure. */
	double (*figure)(const struct reference_row *row, const struct op_row *ops, uint32_t count);

	/* `of_threads` is a metric that threads() computes from the run's host threads, instead of
	 * figure(). Both members are NULL if there is no such metric. */
	const char *of_threads;
	double (*threads)(
		const struct reference_row *row, const struct thread_row *threads, uint32_t count);
};

#define X(name, family, systems, metrics, unit)                                                    \
	extern const struct experiment_param experiment_##name##_params[];                         \
	void experiment_##name##_scenario(const struct reference_row *row, struct text *yaml);     \
	double experiment_##name##_figure(                                                         \
		const struct reference_row *row, const struct op_row *ops, uint32_t count);
#include "bench/tools/reference/experiments.def"
#undef X

/* experiment_at() returns an experiment by its index, or NULL after the last one. experiment_find()
 * returns the experiment of a family, or NULL if the family has none. */
const struct experiment *experiment_at(size_t index);
const struct experiment *experiment_find(const char *family);

/* Checks system, metric, unit and parameters of a row, and adds errors with their locations to
 * `diag`. Returns the experiment of the row's family. If the family has no experiment, returns
 * NULL without adding an error. */
const struct experiment *experiment_check(const struct reference_row *row, struct diag *diag);

/* For a row that was checked, experiment_number() returns a parameter as a number, and
 * experiment_is() returns true if a parameter is equal to `value`. If the row does not have the
 * parameter, both use `fallback` instead. */
uint64_t experiment_number(const struct reference_row *row, const char *key, uint64_t fallback);
bool experiment_is(
	const struct reference_row *row, const char *key, const char *value, const char *fallback);

/* A machine on which rows were measured. */
struct experiment_system {
	const char *name;      /* name of its platform, which is also in the column `system` */
	unsigned clock_mhz;    /* clock of kernels; rows give their times in its cycles */
	unsigned all_cores[2]; /* columns and rows of the cores that benchmarks call "all" */
	unsigned rows, columns;
	/* Rows and columns of the rectangle that the ring of ring patterns goes round; 0: the whole
	 * mesh. */
	unsigned ring_rows, ring_columns;
};

/* Returns the machine of a row that was checked. If the name is "any", the figure does not belong
 * to a certain machine; then returns the first machine. */
const struct experiment_system *experiment_system(const char *name);

/* Keys of a step that enqueues the program of a row. experiment_processors() returns the value of
 * `processors`. experiment_add_key() appends a key with the value that it has in the row, unless
 * this value is `usual`. experiment_add_cores() appends the value of `cores`. In a row, "all" means
 * the cores that the benchmark used, even if dispatch leaves more cores to programs. If the row
 * uses a sub-device, its program runs in the left column of the sub-device. */
const char *experiment_processors(const struct reference_row *row);
void experiment_add_key(
	const struct reference_row *row, const char *key, uint64_t usual, struct text *yaml);
void experiment_add_cores(const struct reference_row *row, struct text *yaml);

/* Appends the head of a scenario, up to the keys of `runtime`. */
void experiment_head(struct text *yaml, const char *family, const char *platform);

#endif
