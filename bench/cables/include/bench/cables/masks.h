/* Checks harvesting masks of cluster descriptors against the tiles of their architecture. */
#ifndef BENCH_CABLES_MASKS_H
#define BENCH_CABLES_MASKS_H

#include <stdbool.h>

#include "base/diag.h"
#include "topology/machine.h"

/* Checks the masks of `machine`; the tiles of architectures come from partial platforms in
 * `directory`. Bits for rows or columns that an architecture does not have are errors. False after
 * errors, which are in `diag`. */
bool cables_check(const struct machine *machine, const char *directory, struct diag *diag);

#endif
