/* Fits constants of kind `fitted` to reference rows: few of them at a time, starting from what the
 * platform says. Refuses constants of any other kind: published figures stand. */
#ifndef BENCH_FIT_H
#define BENCH_FIT_H

#include "base/output.h"
#include "bench/reference/validate.h"

enum { FIT_CONSTANTS_MAX = 16 };

struct fit_constant {
	const char *name; /* as in the platform: "chip.router_send" */
	const char *unit;
	double before, after;
};

struct fit {
	struct fit_constant constants[FIT_CONSTANTS_MAX];
	uint32_t count;
	uint32_t evaluations_max;
	struct validate_options run; /* sets of its own go before those of the fit */
	/* result */
	uint32_t evaluations;
	struct family_errors errors_before, errors_after;
};

/* The constants that a family's rows say most about; NULL behind the last. */
const char *const *fit_constants_of(const char *family);

/* Minimizes the mean square of ln(predicted / measured) over the rows that run. False if none does,
 * or if rows cannot be run at all. */
bool fit_run(struct fit *fit, const struct reference *reference);

/* Predicts `reference` with the constants as fitted. */
bool fit_predict(
	const struct fit *fit, const struct reference *reference, struct prediction *predictions);

/* What fit_write() writes. */
extern const struct output_kind fit_output;

/* Copies platform file `from` to `to` (base/output.h; may be the same) with the fitted values in
 * place of those that stand there, and how well they fit as their source. False with a sentence in
 * `why`: `from` may have no entry of one of the constants. */
bool fit_write(const struct fit *fit, const char *from, const char *to, struct text *why);

#endif
