/* Makes a failing scenario small while it fails in the same way. */
#ifndef BENCH_FUZZ_SHRINK_H
#define BENCH_FUZZ_SHRINK_H

#include "trial.h"

/* `text` fails as `end` says when it is tried with `options`; it becomes one that fails with the
 * same signature, with fewer steps and keys and smaller numbers. `machines`, smaller ones first and
 * NULL behind the last, are tried in place of the platform. Returns how many trials it took. */
uint32_t shrink(const struct trial_options *options, const struct trial_end *end,
	const char *const *machines, struct text *text);

#endif
