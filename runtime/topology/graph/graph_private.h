/* Declarations shared by the files of this folder. */
#ifndef TOPOLOGY_GRAPH_PRIVATE_H
#define TOPOLOGY_GRAPH_PRIVATE_H

#include "topology/logical.h"

/* Fills the links of a logical graph whose meshes exist already. */
void logical_links_make(struct logical *logical);

/* Fills the pins of a logical graph from its descriptor. Returns false after errors, which are in
 * `diag`. */
bool logical_pins_make(struct logical *logical, const struct mesh_graph *graph, struct diag *diag);

#endif
