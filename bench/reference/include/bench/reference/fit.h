/* Fits constants of kind `fitted` to reference rows, starting from what the platforms say. A row
 * is run again only for constants that it was charged for. Refuses constants of any other kind:
 * published figures stand. */
#ifndef BENCH_FIT_H
#define BENCH_FIT_H

#include "base/output.h"
#include "bench/reference/validate.h"

enum { FIT_CONSTANTS_MAX = 96, FIT_SYSTEMS_MAX = 8 };

struct fit_constant {
	const char *name;  /* as in the platform: "chip.router_send" */
	const char *place; /* where it stands: "galaxy.yaml:17". Of one name there may be several */
	uint32_t line;
	const char *unit;
	uint32_t systems;   /* that have it from there, a bit each */
	enum charge charge; /* what is charged for it */
	double before, after;
};

struct fit {
	struct fit_constant constants[FIT_CONSTANTS_MAX];
	uint32_t count;
	const char *systems[FIT_SYSTEMS_MAX]; /* of the rows */
	uint32_t system_count;
	bool named; /* few, by name: they concern all rows of their systems, charged or not */
	uint32_t evaluations_max;    /* so many runs of all rows at most */
	struct validate_options run; /* sets of its own go before those of the fit */
	/* result */
	uint32_t rows_run;
	struct family_errors errors_before, errors_after;
};

/* Chooses constants: those of `names`, or all of kind `fitted` that take time, of the platforms of
 * the rows. Texts live in `arena`. False after errors. */
bool fit_choose(struct fit *fit, const struct reference *reference, const char *const *names,
	uint32_t name_count, struct arena *arena, struct diag *diag);

/* Makes the errors of the rows that run small: steps of least squares of ln(predicted / measured),
 * in which rows far off weigh less. Then only constants that the rows were charged for are left.
 * False if no row runs, or if rows cannot be run at all. */
bool fit_run(struct fit *fit, const struct reference *reference);

/* What fit_write() writes. */
extern const struct output_kind fit_output;

/* Copies platform file `from` to `to` (base/output.h; may be the same) with the fitted values of
 * the constants that stand in a file of its name, and how well they fit as their source. False with
 * a sentence in `why`. *left: how many constants stand in other files. */
bool fit_write(
	const struct fit *fit, const char *from, const char *to, uint32_t *left, struct text *why);

#endif
