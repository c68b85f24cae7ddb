/* Fits constants of kind `fitted` to reference rows, starting from the platforms' values, and
 * cross-validates the fit. A row is run again only for constants that it was charged for.
 * Constants of other kinds, such as published figures, are never changed. */
#ifndef BENCH_TOOLS_FIT_H
#define BENCH_TOOLS_FIT_H

#include "base/output.h"
#include "bench/tools/reference/validate.h"

enum { FIT_CONSTANTS_MAX = 96, FIT_SYSTEMS_MAX = 8 };

struct fit_constant {
	const char *name;  /* as in the platform: "chip.router_send" */
	const char *place; /* its place, "galaxy.yaml:17"; several constants may have one name */
	uint32_t line;
	const char *unit;
	uint32_t systems;   /* bitmap of the systems that use it */
	enum charge charge; /* the charge that it causes */
	double before, after;
};

struct fit {
	struct fit_constant constants[FIT_CONSTANTS_MAX];
	uint32_t count;
	const char *systems[FIT_SYSTEMS_MAX]; /* of the rows */
	uint32_t system_count;
	bool named; /* chosen by name: they concern all rows of their systems, charged or not */
	uint32_t evaluations_max;    /* limit of runs of all rows */
	struct validate_options run; /* its sets are applied before those of the fit */
	/* result */
	uint32_t rows_run;
	struct family_errors errors_before, errors_after;
};

/* Chooses constants: those of `names`, or all of kind `fitted` that take time, of the platforms of
 * the rows. Strings are allocated in `arena`. False after errors. */
bool fit_choose(struct fit *fit, const struct reference *reference, const char *const *names,
	uint32_t name_count, struct arena *arena, struct diag *diag);

/* Minimizes the errors of the rows that run: least squares of ln(predicted / measured), with less
 * weight on rows that are far off. Afterwards only constants that rows were charged for are left.
 * False if no row runs, or if rows cannot be run at all. */
bool fit_run(struct fit *fit, const struct reference *reference);

/* The kind of file that fit_write() writes. */
extern const struct output_kind fit_output;

/* Copies platform file `from` to `to` (base/output.h; may be the same). Replaces the values of
 * fitted constants from a file of that name, and puts how well they fit into their source. False
 * with a sentence in `why`. *left receives the number of constants in other files. */
bool fit_write(
	const struct fit *fit, const char *from, const char *to, uint32_t *left, struct text *why);

/* Runs rows with changed constants, many rows and changes at a time, and only rows that a change
 * concerns. A move is the change of the logarithm of a constant from its original value. */

/* One row to run, and the moves of its constants, [FIT_CONSTANTS_MAX]. */
struct fit_task {
	uint32_t row;
	const double *moves;
};

/* Predictions of rows at some point, and the slopes of ln(predicted) over ln(constant) there. */
struct fit_slopes {
	struct prediction *at; /* [row] with shares, at the platforms' constants */
	double *slopes;	       /* [row * FIT_CONSTANTS_MAX + constant] */
};

/* True if the constant applies to the row's system and takes part of its time. */
bool fit_concerns(const struct fit *fit, const struct reference *reference,
	const struct prediction *at, uint32_t row, uint32_t constant);

/* Runs tasks, and fills predictions[task]. */
bool fit_tasks(struct fit *fit, const struct reference *reference, const struct fit_task *tasks,
	uint32_t count, struct prediction *predictions);

/* Runs all rows to find their shares, then drops constants that concern no row. */
bool fit_start(struct fit *fit, const struct reference *reference, struct prediction *at);

/* Finds the slopes at `moves`, where `here` was predicted. */
bool fit_find_slopes(struct fit *fit, const struct reference *reference, const double *moves,
	const struct prediction *here, struct fit_slopes *slopes);

/* Least squares over the rows that are in `here` and for which `kept` is true (NULL: all). `step`
 * receives the change of the moves; no constant changes by more than a third. `known`, unless NULL,
 * receives how much those rows say about each constant; 0: nothing. */
void fit_solve(const struct fit *fit, const struct reference *reference,
	const struct fit_slopes *slopes, const struct prediction *here, const bool *kept,
	double *step, double *known);

/* Cross-validation by groups of rows: each group is predicted with constants that were fitted, by
 * one step of least squares from their current values, to the rows outside its fold. Does not
 * change platforms. */

struct folds {
	const char *const *keys; /* rows with the same values of these are in one fold */
	uint32_t key_count, count;
	/* result */
	uint32_t groups;
	uint32_t alone; /* rows that depend on a constant about which no row outside their fold says
			   anything: it keeps the value that was fitted to them, too */
};

/* Keys that distinguish kinds of measurements, but not their sizes; ends with NULL. */
extern const char *const folds_keys[];

/* Predicts all rows with the current constants and their shares (`in_sample`), and each row from
 * those outside its fold (`held_out`). Free both with predictions_free(). False if rows cannot be
 * run. */
bool folds_run(struct folds *folds, struct fit *fit, const struct reference *reference,
	struct prediction *in_sample, struct prediction *held_out);

#endif
