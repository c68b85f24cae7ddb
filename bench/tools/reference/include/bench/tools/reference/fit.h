/* Fits constants of kind `fitted` to reference rows, starting from the platforms' values. A row is
 * run again only for constants that it was charged for. Constants of other kinds, such as published
 * figures, are never changed. */
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

#endif
