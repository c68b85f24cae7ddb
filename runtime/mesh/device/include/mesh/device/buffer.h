/* Internal structures of mesh buffers and of pinned host memory, and the check whether devices can
 * transfer a buffer's pages themselves. */
#ifndef MESH_DEVICE_BUFFER_H
#define MESH_DEVICE_BUFFER_H

#include <stdbool.h>

#include "memory/allocator.h"
#include "mesh/buffer.h"
#include "memory/placement.h"

struct mesh_buffer {
	struct mesh_device *mesh;
	struct placement placement;  /* how pages lie on each device */
	struct mesh_spread spread;   /* how the data are spread over devices */
	uint64_t address;	     /* fits into 32 bits, except in system memory */
	struct allocator *allocator; /* the allocator that the address came from */
	/* the sub-device whose workers may use the buffer; SUB_DEVICE_NONE: all workers may use
	 * it */
	uint8_t sub_device;
};

/* Makes a buffer like mesh_buffer_new(), with an address from `allocator`. */
enum status mesh_buffer_take(struct mesh_device *mesh, struct allocator *allocator,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct mesh_buffer **buffer);

struct host_memory {
	struct mesh_device *mesh;
	struct cluster *cluster; /* outlives the mesh device */
	uint64_t address, bytes;
};

/* Returns true if devices transfer the pages of a buffer from or to host memory themselves. Pages
 * must need no padding on the device, so that they lie in host memory as on the device. Interleaved
 * pages must also fit into one prefetch command. Sharded pages must form runs that are contiguous
 * in both memories and have at least mesh_sizes.direct_run_bytes, or eight times as many bytes if
 * the host reaches some device only through a gateway. A separate command for a shorter run would
 * take more time than a copy by the host. */
bool pages_go_direct(const struct mesh_device *mesh, const struct placement *placement);

/* Checks a transfer of `bytes` bytes at `offset`. Returns OK. Returns OUT_OF_RANGE if the bytes are
 * not inside the memory, and INVALID if `offset` is not aligned. */
enum status host_memory_check(const struct host_memory *memory, uint64_t offset, uint64_t bytes);

#endif
