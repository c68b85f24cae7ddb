/* Keeps the error table that was made last, so that the next page does not run the experiments
 * again. What it is made of names it: the bytes of this program, of the platforms and of the
 * reference figures; a change of any of them finds nothing. Refuses to fail: without a folder
 * nothing is kept. */
#ifndef BENCH_ERRORS_CACHE_H
#define BENCH_ERRORS_CACHE_H

#include <stdbool.h>

#include "base/text.h"

struct errors_cache {
	char path[512]; /* "" if there is no place */
};

/* In $XDG_CACHE_HOME/meshsim, or $HOME/.cache/meshsim. */
void errors_cache_init(struct errors_cache *cache, const char *platforms, const char *reference,
	const char *errors);

/* Appends the table; false if there is none. */
bool errors_cache_read(const struct errors_cache *cache, struct text *out);

/* Keeps a table, whole or not at all, and removes those of other programs and figures. */
void errors_cache_write(const struct errors_cache *cache, const char *table);

#endif
