/* Platforms of a scenario's runs: most runs of a sweep share one. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "base/diag.h"
#include "base/tree.h"
#include "platform/platform.h"

struct machines; /* opaque: the platforms met so far */

struct machines *machines_new(const char *platform_directory);
void machines_free(struct machines *machines);

/* The platform that `node` (a name, a path or a map) stands for, with dispatch on the cores that
 * `dispatch_cores` (runtime.dispatch_cores, or NULL) names, and its effective YAML; both belong to
 * `machines`. NULL after errors, which are in `diag`. */
const struct platform *machines_find(struct machines *machines, const struct tree_node *node,
	const struct tree_node *dispatch_cores, const char **text, struct diag *diag);

#endif
