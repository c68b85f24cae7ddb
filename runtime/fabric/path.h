/* Routes that the builders of trees share. Private to the room. */
#ifndef FABRIC_PATH_H
#define FABRIC_PATH_H

#include "fabric/graph.h"

/* The neighbour of `from` that is one hop nearer to the target of `distance` (as of
 * fabric_graph_distances): one in the same row of the mesh if there is, else the lowest. `from` is
 * not the target and reaches it. */
uint16_t fabric_next_hop(const struct fabric_graph *graph, uint16_t from, const uint16_t *distance);

#endif
