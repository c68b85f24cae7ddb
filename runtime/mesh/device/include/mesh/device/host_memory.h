/* The internal structure of pinned host memory, and the rule for direct transfers. */
#ifndef MESH_DEVICE_HOST_MEMORY_H
#define MESH_DEVICE_HOST_MEMORY_H

#include <stdbool.h>

#include "memory/placement.h"
#include "mesh/host_memory.h"

struct host_memory {
	struct mesh_device *mesh;
	struct cluster *cluster; /* outlives the mesh device */
	uint64_t address, bytes;
};

/* True if devices can move the pages of a buffer from or to host memory themselves: pages lie there
 * as they do on the device, and runs that are contiguous in both are long enough to pay for a
 * command. */
bool pages_go_direct(const struct mesh_device *mesh, const struct placement *placement);

/* OK, or OUT_OF_RANGE (outside the memory) or INVALID (offset not aligned) for a transfer of
 * `bytes` at `offset`. */
enum status host_memory_check(const struct host_memory *memory, uint64_t offset, uint64_t bytes);

#endif
