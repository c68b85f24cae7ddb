/* Makes a platform from files that describe a real machine. `platform: {cluster: FILE}` or `{psd:
 * FILE}` names the files, and `extends` names a shipped platform with constants. Optionally, `mgd`
 * names a mesh graph descriptor, and `mesh` names the mesh of this descriptor whose chips are
 * placed. The machine is written into the platform as `topology.wiring`, so that result files
 * contain the whole machine. It is an error if the host can reach no chip of the machine. */
#ifndef BENCH_CABLES_CABLES_H
#define BENCH_CABLES_CABLES_H

#include <stdbool.h>

#include "base/tree.h"
#include "base/diag.h"

struct machine; /* topology/machine.h */

/* Expands the platform at the dotted `path` of `tree` like platform_expand(). If the platform has a
 * key `cluster` or `psd`, also reads the files that it names, writes their machine into `topology`,
 * and removes the keys `cluster`, `psd`, `mgd` and `mesh`. Without `extends`, takes the constants
 * of a shipped platform that fits the machine. Returns false with errors in `diag`. */
bool cables_expand(struct tree *tree, const char *path, const char *directory, struct diag *diag);

/* Checks harvesting masks of cluster descriptors against the tiles of their architecture. */

/* Checks the harvesting masks of `machine`. The tiles of each architecture are in the partial
 * platforms `_wormhole` and `_blackhole` in `directory`. Reports an error if a bit of a mask has no
 * row or column of tiles, and if a mask leaves no row or column for programs. Returns false with
 * errors in `diag`. */
bool cables_check(const struct machine *machine, const char *directory, struct diag *diag);

#endif
