/* Fits constants of kind `fitted` to reference rows, and cross-validates the fit. The fit starts
 * from the values in the platforms. It runs a row again only for constants that were charged to the
 * row. Constants of other kinds, such as published figures, are never changed. */
#ifndef BENCH_TOOLS_FIT_H
#define BENCH_TOOLS_FIT_H

#include "base/output.h"
#include "bench/tools/reference/validate.h"

enum { FIT_CONSTANTS_MAX = 256, FIT_SYSTEMS_MAX = 16 };

struct fit_constant {
	const char *name;  /* "galaxy.yaml:17"; several constants may have one name */
	const char *place; /* its place, "galaxy.yaml:17"; several constants may have one name */
	uint32_t line;
	const char *unit;
	uint32_t systems;   /* bitmap of the systems that use the constant */
	enum charge charge; /* the charge that the constant causes */
	double before, after;
	/* The constant's value on each system in `unit`, fitted or not. NAN: the system has no such
	 * constant. */
	double elsewhere[FIT_SYSTEMS_MAX];
};

struct fit {
	struct fit_constant constants[FIT_CONSTANTS_MAX];
	uint32_t count;
	const char *systems[FIT_SYSTEMS_MAX]; /* the systems of the rows */
	uint32_t system_count;
	/* True if the user named the constants. They then concern every row of their systems, even
	 * rows in which they are not charged. */
	bool named;
	bool keeps_all;		     /* fit_start() drops no constants */
	uint32_t evaluations_max;    /* limit on the number of times that all rows are run */
	struct validate_options run; /* `sets` are applied before the sets of the fit */
	/* result */
	uint32_t rows_run;
	struct family_errors errors_before, errors_after;
};

/* Chooses the constants to fit, from the platforms of the rows. These are the constants in `names`,
 * or if there are no names, all constants of kind `fitted` that take time. Strings are allocated in
 * `arena`. Adds errors to `diag`, and returns false if there are any. */
bool fit_choose(struct fit *fit, const struct reference *reference, const char *const *names,
	uint32_t name_count, struct arena *arena, struct diag *diag);

/* Minimizes the errors of the rows that run, by least squares of ln(predicted / measured). Rows
 * that are far off have less weight. Afterwards `fit` contains only the constants that were charged
 * in some row. Returns false if no row runs, or if rows cannot be run at all. */
bool fit_run(struct fit *fit, const struct reference *reference);

/* The kind of file that fit_write() writes. */
extern const struct output_kind fit_output;

/* Copies the platform file `from` to `to`, which may be the same file (see base/output.h). Replaces
 * the values of fitted constants that were read from a file with the name of `from`, and adds the
 * quality of the fit to their sources. Stores the number of the other fitted constants in *left.
 * Returns false with a sentence in `why` on failure. */
bool fit_write(
	const struct fit *fit, const char *from, const char *to, uint32_t *left, struct text *why);

/* The functions below run rows with changed constants. They run only rows that a change concerns,
 * and run many rows and changes in parallel. A move is the change of a constant's logarithm from
 * its original value. */

/* A row to run. `moves` has one element for each constant, [FIT_CONSTANTS_MAX]. */
struct fit_task {
	uint32_t row;
	const double *moves;
};

/* Predictions of rows at one point, and the slopes of ln(predicted) over ln(constant) at this
 * point. */
struct fit_slopes {
	struct prediction *at; /* [row] with shares, at the platforms' constants */
	double *slopes;	       /* [row * FIT_CONSTANTS_MAX + constant] */
};

/* True if the constant applies to the row's system and takes part of its time. */
bool fit_concerns(const struct fit *fit, const struct reference *reference,
	const struct prediction *at, uint32_t row, uint32_t constant);

/* Runs tasks, and fills predictions[task]. Returns false if rows cannot be run. */
bool fit_tasks(struct fit *fit, const struct reference *reference, const struct fit_task *tasks,
	uint32_t count, struct prediction *predictions);

/* Runs all rows to find the fraction of a row's time that each constant takes. Then drops constants
 * that concern no row. Folds keep these constants, since a constant that is small on one machine
 * may be large on another machine. */
bool fit_start(struct fit *fit, const struct reference *reference, struct prediction *at);

/* Finds the slopes at `moves`. `here` contains the predictions for these moves. */
bool fit_find_slopes(struct fit *fit, const struct reference *reference, const double *moves,
	const struct prediction *here, struct fit_slopes *slopes);

/* Finds better constants by least squares. Uses the rows that ran in `here` and for which `kept` is
 * true (NULL: all rows). A constant's move is the change of its logarithm so far; writes the next
 * change of each move to `step`. No constant changes by more than about a third. If `known` is not
 * NULL, writes to it how much the rows say about each constant (0: nothing). */
void fit_solve(const struct fit *fit, const struct reference *reference,
	const struct fit_slopes *slopes, const struct prediction *here, const bool *kept,
	double *step, double *known);

/* Cross-validation by groups of rows. Each group belongs to one fold. The rows of a fold are
 * predicted with constants that were fitted to the rows outside of the fold, by one step of least
 * squares from the current values. Platforms are not changed.
 *
 * Cross-validation by machines. The rows of a machine are predicted with constants that were fitted
 * to the rows of the other machines. If the other rows say nothing about a constant, it gets the
 * value of the most similar machine. So the machine is treated like a machine that was never
 * measured. Families with only one machine are left out. */

struct folds {
	const char *const *keys; /* rows with equal values of these keys are in the same fold */
	uint32_t key_count, count;
	bool machines_only; /* make no predictions by groups */
	/* result */
	uint32_t groups, machines;
	/* The number of rows whose prediction is too good. Such a row depends on a constant about
	 * which no row outside of its fold says anything. The constant then keeps its current
	 * value, which was fitted to this row, too. */
	uint32_t alone;
	uint32_t machines_alone; /* such rows in predictions by machines */
};

/* Keys that distinguish kinds of measurements, but not the sizes of measurements; ends with
 * NULL. */
extern const char *const folds_keys[];

/* The constants with which a row is predicted. */
enum folds_way {
	FOLDS_HELD_OUT,	      /* fitted to the rows outside of the row's fold */
	FOLDS_IN_SAMPLE,      /* the current constants, which were fitted to all rows */
	FOLDS_OTHER_MACHINES, /* fitted to the rows of other machines */
	FOLDS_WAYS
};

/* Predicts all rows in each way: predictions[way][row]. In-sample predictions also have the shares
 * of the charges. Families with only one machine are not predicted from other machines. The caller
 * frees all predictions with predictions_free(). Returns false if rows cannot be run. */
bool folds_run(struct folds *folds, struct fit *fit, const struct reference *reference,
	struct prediction *const predictions[FOLDS_WAYS]);

#endif
