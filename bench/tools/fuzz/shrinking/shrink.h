/* Shrinks a failing scenario as long as it fails in the same way. */
#ifndef BENCH_TOOLS_FUZZ_SHRINK_H
#define BENCH_TOOLS_FUZZ_SHRINK_H

#include "trial.h"

/* `text` fails with `end` when tried with `options`. Replaces it by a scenario that fails with the
 * same signature but has fewer steps and keys and smaller numbers. `machines`, smaller ones first
 * and NULL at the end, are tried as platform. Returns the number of trials. */
uint32_t shrink(const struct trial_options *options, const struct trial_end *end,
	const char *const *machines, struct text *text);

#endif
