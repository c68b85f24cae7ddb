/* Harvesting masks of cluster descriptors against the tiles that they are meant for. Refuses bits
 * of rows or columns that an architecture does not have. */
#ifndef BENCH_CABLES_MASKS_H
#define BENCH_CABLES_MASKS_H

#include <stdbool.h>

#include "base/diag.h"
#include "topology/machine.h"

/* Checks the masks of `machine` against the tiles of its architectures, which parts of platforms in
 * `directory` say. False after errors, which are in `diag`. */
bool cables_check(const struct machine *machine, const char *directory, struct diag *diag);

#endif
