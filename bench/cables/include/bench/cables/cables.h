/* Platforms made of the files of a site: `platform: {cluster: FILE}` or `{psd: FILE}`, with the
 * constants of a shipped platform (`extends`), and, if there is one, the mesh graph descriptor
 * whose mesh is placed (`mgd`, `mesh`). What was found is written into the platform as
 * `topology.wiring`, so that a result says all of it. Refuses files without a chip that the host
 * reaches. */
#ifndef BENCH_CABLES_CABLES_H
#define BENCH_CABLES_CABLES_H

#include <stdbool.h>

#include "base/tree.h"

/* platform_expand() of what stands at dotted `path`, with files read and replaced. False after
 * errors, which are in `diag`. */
bool cables_expand(struct tree *tree, const char *path, const char *directory, struct diag *diag);

#endif
