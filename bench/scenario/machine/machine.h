/* Cache of the platforms of a scenario's runs, since most runs of a sweep share one. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "base/diag.h"
#include "base/tree.h"
#include "platform/platform.h"

struct machines; /* opaque: the platforms read so far */

struct machines *machines_new(const char *platform_directory);
void machines_free(struct machines *machines);

/* The platform of `node` (a name, a path or a map), with dispatch on the cores named by
 * `dispatch_cores` (runtime.dispatch_cores, or NULL). *text is its effective YAML. Both belong to
 * `machines`. NULL after errors, which are in `diag`. */
const struct platform *machines_find(struct machines *machines, const struct tree_node *node,
	const struct tree_node *dispatch_cores, const char **text, struct diag *diag);

#endif
