/* The physical multi-mesh graph: groups of chips, by mesh or by host, as one node each, with the
 * chips that have links to other nodes, and the number of channels between nodes. */
#ifndef TOPOLOGY_HIERARCHY_H
#define TOPOLOGY_HIERARCHY_H

#include "topology/machine.h"

struct hierarchy_join {
	uint32_t a, b; /* meshes, a < b */
	uint32_t channels;
};

struct hierarchy {
	uint32_t mesh_count;
	uint32_t *chips, *exits; /* per mesh: number of chips, and of chips with a channel to
				  * another mesh */
	struct hierarchy_join *joins;
	uint32_t join_count;
};

/* `mesh_of`: the mesh of each chip, or MACHINE_NONE: the chip is left out. Allocated in `arena`. */
struct hierarchy hierarchy_make(const struct machine *machine, const uint32_t *mesh_of,
	uint32_t mesh_count, struct arena *arena);

#endif
