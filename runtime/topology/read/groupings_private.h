/* Shared parts of the readers of groupings. Private to the room. */
#ifndef TOPOLOGY_GROUPINGS_PRIVATE_H
#define TOPOLOGY_GROUPINGS_PRIVATE_H

#include "read_private.h"
#include "topology/groupings.h"

/* groupings_yaml.c */
void groupings_bind_yaml(
	const struct tree_node *root, struct groupings *groupings, bool strict, struct diag *diag);

/* groupings_check.c: references, circles, and required groupings. */
void groupings_check(const struct groupings *groupings, struct diag *diag);

#endif
