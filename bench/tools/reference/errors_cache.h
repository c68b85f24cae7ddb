/* Caches the last error table, so that the next report need not run the experiments again. Its name
 * is a hash of all inputs: this program, the platforms, the reference figures, and errors.yaml; a
 * change of any of them makes a miss. Never fails: without a folder, nothing is cached. */
#ifndef BENCH_TOOLS_ERRORS_CACHE_H
#define BENCH_TOOLS_ERRORS_CACHE_H

#include <stdbool.h>

#include "base/text.h"

struct errors_cache {
	char path[512]; /* "" if there is no folder */
};

/* The table is in $XDG_CACHE_HOME/meshsim, or $HOME/.cache/meshsim. */
void errors_cache_init(struct errors_cache *cache, const char *platforms, const char *reference,
	const char *errors);

/* Appends the cached table. False if there is none. */
bool errors_cache_read(const struct errors_cache *cache, struct text *out);

/* Stores a table, completely or not at all, and removes those of other inputs. */
void errors_cache_write(const struct errors_cache *cache, const char *table);

#endif
