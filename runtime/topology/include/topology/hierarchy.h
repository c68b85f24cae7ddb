/* The physical multi-mesh graph: chips that are assigned to meshes, or hosts, seen as one node
 * each; which of their chips lead out, and how many channels join which two. */
#ifndef TOPOLOGY_HIERARCHY_H
#define TOPOLOGY_HIERARCHY_H

#include "topology/machine.h"

struct hierarchy_join {
	uint32_t a, b; /* meshes, a < b */
	uint32_t channels;
};

struct hierarchy {
	uint32_t mesh_count;
	uint32_t *chips, *exits; /* of each mesh: chips, and those with a channel to another mesh */
	struct hierarchy_join *joins;
	uint32_t join_count;
};

/* `mesh_of`: the mesh of each chip, or MACHINE_NONE: the chip is left out. Lives in `arena`. */
struct hierarchy hierarchy_make(const struct machine *machine, const uint32_t *mesh_of,
	uint32_t mesh_count, struct arena *arena);

#endif
