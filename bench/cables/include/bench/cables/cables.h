/* Platforms from the files of a site: `platform: {cluster: FILE}` or `{psd: FILE}`, with the
 * constants of a shipped platform (`extends`) and optionally the mesh graph descriptor whose mesh
 * is placed (`mgd`, `mesh`). The machine is written into the platform as `topology.wiring`, so that
 * result files contain all of it. Files without a chip that the host can reach are errors. */
#ifndef BENCH_CABLES_CABLES_H
#define BENCH_CABLES_CABLES_H

#include <stdbool.h>

#include "base/tree.h"
#include "base/diag.h"

struct machine; /* topology/machine.h */

/* Like platform_expand() at the dotted `path`, but reads and replaces such files first. False after
 * errors, which are in `diag`. */
bool cables_expand(struct tree *tree, const char *path, const char *directory, struct diag *diag);

/* Checks harvesting masks of cluster descriptors against the tiles of their architecture. */

/* Checks the masks of `machine`; the tiles of architectures come from partial platforms in
 * `directory`. Bits for rows or columns that an architecture does not have are errors. False after
 * errors, which are in `diag`. */
bool cables_check(const struct machine *machine, const char *directory, struct diag *diag);

#endif
