/* Fits constants of kind `fitted` to reference rows, and cross-validates the fit. The fit begins
 * with the values in the platforms. If a constant changes, only the rows that it concerns are run
 * again (fit_concerns()). Constants of other kinds, such as published figures, never change. */
#ifndef BENCH_TOOLS_FIT_H
#define BENCH_TOOLS_FIT_H

#include "base/output.h"
#include "bench/tools/reference/validate.h"

enum { FIT_CONSTANTS_MAX = 256, FIT_SYSTEMS_MAX = 16 };

struct fit_constant {
	const char *name;  /* "chip.router_send"; each value of this name has its own entry */
	const char *place; /* file and line of its value: "galaxy.yaml:17" */
	uint32_t line;
	const char *unit;
	uint32_t systems;   /* bitmap of the systems that use the constant */
	enum charge charge; /* the charge that the constant causes */
	double before, after;
	/* [system] value of the constant in `unit`, also on systems where it is not fitted. NAN:
	 * the system has no such constant */
	double elsewhere[FIT_SYSTEMS_MAX];
};

struct fit {
	struct fit_constant constants[FIT_CONSTANTS_MAX];
	uint32_t count;
	const char *systems[FIT_SYSTEMS_MAX]; /* the systems of the rows */
	uint32_t system_count;
	/* True if the user named the constants. Then each constant is fitted to all rows of the
	 * systems that have it, even to rows that are not charged for it. */
	bool named;
	bool keeps_all;		     /* fit_start() drops no constants */
	uint32_t evaluations_max;    /* limit on the number of times that all rows are run */
	struct validate_options run; /* `sets` are applied before the sets of the fit */
	/* result */
	uint32_t rows_run;
	struct family_errors errors_before, errors_after;
};

/* Chooses the constants to fit, from the platforms of the rows: the constants in `names` or, if
 * there are no names, all constants of kind `fitted` for which time can be charged. Strings are
 * allocated in `arena`. Adds errors to `diag`, and returns false if there are errors. */
bool fit_choose(struct fit *fit, const struct reference *reference, const char *const *names,
	uint32_t name_count, struct arena *arena, struct diag *diag);

/* Fits the constants to the rows that run, by least squares of ln(predicted / measured). Rows with
 * large errors have less weight. Afterwards, `fit` contains only those constants for which some
 * row was charged time. Returns false if no row runs, if no constant was charged, or if rows
 * cannot be run at all. */
bool fit_run(struct fit *fit, const struct reference *reference);

/* The kind of file that fit_write() writes. */
extern const struct output_kind fit_output;

/* Copies the platform file `from` to `to`, which may be the same file (see base/output.h). Replaces
 * the values of the fitted constants that are in this file, and adds the quality of the fit to
 * their sources. Sets *left to the number of fitted constants that are in other files. Returns
 * false with a sentence in `why` on failure. */
bool fit_write(
	const struct fit *fit, const char *from, const char *to, uint32_t *left, struct text *why);

/* The following functions run rows with changed constants, and run many of them in parallel. They
 * do not run a row on which the change has no effect. A move is the change of a constant: the
 * logarithm of its new value minus that of its original value. */

/* A row to run. `moves` has one element for each constant, [FIT_CONSTANTS_MAX]. */
struct fit_task {
	uint32_t row;
	const double *moves;
};

/* The slopes of ln(predicted) over ln(constant), and the predictions from which fit_concerns()
 * finds out which constants concern a row. */
struct fit_slopes {
	struct prediction *at; /* [row] with shares, at the platforms' constants */
	double *slopes;	       /* [row * FIT_CONSTANTS_MAX + constant] */
};

/* Returns true if the constant can be fitted to the row: the row ran, and the constant belongs to
 * the row's system. If the user has not named the constants, it must also take part of the row's
 * time. */
bool fit_concerns(const struct fit *fit, const struct reference *reference,
	const struct prediction *at, uint32_t row, uint32_t constant);

/* Runs tasks, and fills predictions[task]. Returns false if rows cannot be run. */
bool fit_tasks(struct fit *fit, const struct reference *reference, const struct fit_task *tasks,
	uint32_t count, struct prediction *predictions);

/* Runs all rows to find the fraction of each row's time that each constant takes. Then drops the
 * constants that have no effect on any row (fit_concerns()), unless fit->keeps_all is set.
 * Cross-validation sets keeps_all, because a constant that matters little on one machine may matter
 * on another machine. */
bool fit_start(struct fit *fit, const struct reference *reference, struct prediction *at);

/* Finds the slopes at `moves`. `here` contains the predictions for these moves. */
bool fit_find_slopes(struct fit *fit, const struct reference *reference, const double *moves,
	const struct prediction *here, struct fit_slopes *slopes);

/* Finds better constants by least squares, from the rows that ran in `here` and for which `kept` is
 * true (NULL: all rows). Sets step[i] to the number that must be added to the move of constant i,
 * its logarithmic change so far. No constant changes by more than about a third in a step. If
 * `known` is not NULL, sets known[i] to the amount of information that the rows give about constant
 * i (0: none). */
void fit_solve(const struct fit *fit, const struct reference *reference,
	const struct fit_slopes *slopes, const struct prediction *here, const bool *kept,
	double *step, double *known);

/* Cross-validation by groups of rows: each group belongs to one fold. The rows of a fold are
 * predicted with constants that are fitted to all rows outside of the fold, by one step of least
 * squares from the current values. Platforms are not changed.
 *
 * Cross-validation by machines: the rows of a machine are predicted with constants that are fitted
 * to the rows of all other machines. If these rows say nothing about a constant, it gets the value
 * that it has on the most similar machine. So the machine is treated as if it had never been
 * measured. Families with only one machine are left out. */

struct folds {
	const char *const *keys; /* rows with equal values of these keys are in the same fold */
	uint32_t key_count, count;
	bool machines_only; /* make no predictions by groups */
	/* result */
	uint32_t groups, machines;
	/* The number of rows whose predictions are not independent of the row itself. Such a row
	 * depends on a constant about which the rows outside of its fold say nothing. The constant
	 * then keeps its current value, which was also fitted to this row. */
	uint32_t alone;
	uint32_t machines_alone; /* such rows in predictions by machines */
};

/* Keys that distinguish kinds of measurements, but not sizes. The array ends with NULL. */
extern const char *const folds_keys[];

/* The constants with which a row is predicted. */
enum folds_way {
	FOLDS_HELD_OUT,	      /* fitted to the rows outside of the row's fold */
	FOLDS_IN_SAMPLE,      /* the current constants, which were fitted to all rows */
	FOLDS_OTHER_MACHINES, /* fitted to the rows of other machines */
	FOLDS_WAYS
};

/* Predicts all rows in each way of choosing the constants (enum folds_way), and stores the results
 * in predictions[way][row]. The predictions of FOLDS_IN_SAMPLE also have the shares of the charges.
 * Families with only one machine are not predicted from other machines. The caller frees all
 * predictions with predictions_free(). Returns false if rows cannot be run. */
bool folds_run(struct folds *folds, struct fit *fit, const struct reference *reference,
	struct prediction *const predictions[FOLDS_WAYS]);

#endif
