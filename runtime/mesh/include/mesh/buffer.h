/* Mesh buffers: memory at the same address of every device (spec 3.3). */
#ifndef MESH_BUFFER_H
#define MESH_BUFFER_H

#include "base/status.h"
#include "base/text.h"
#include "memory/mesh_layout.h"
#include "memory/placement.h"
#include "mesh/mesh.h"

struct mesh_buffer; /* opaque */

/* Allocates a buffer on every device of the mesh. On OK the caller owns *buffer. Errors, with a
 * sentence in `why` (may be NULL): those of mesh_spread_init() and placement_init(), and NO_SPACE
 * with the numbers of the allocator. In the L1 of a sub-device (config->sub_device;
 * mesh/sub_device.h) also NOT_FOUND (no such sub-device), INVALID (memory other than L1),
 * OUT_OF_RANGE (shards on cores outside the sub-device), UNSUPPORTED (pages interleaved over cores
 * that are not a rectangle). Pages interleaved in the L1 of a sub-device are dealt to its workers
 * in row-major order. */
enum status mesh_buffer_new(struct mesh_device *mesh, const struct mesh_layout *layout,
	const struct buffer_config *config, struct text *why, struct mesh_buffer **buffer);

/* The same at an address given by the caller, which another host's allocator chose for all devices
 * that share the buffer (spec 4.8.2.1). Also EXISTS (part of that range is in use) and OUT_OF_RANGE
 * (outside the memory for buffers, or not aligned). */
enum status mesh_buffer_new_at(struct mesh_device *mesh, const struct mesh_layout *layout,
	const struct buffer_config *config, uint32_t address, struct text *why,
	struct mesh_buffer **buffer);

/* A buffer in system memory (BUFFER_SYSTEM; mesh_config.sizes.system_memory_bytes of the host
 * window) has one copy for all devices, so layouts over devices, and over cores or banks of one,
 * are INVALID. Its address counts from the beginning of that memory. The host performs writes and
 * reads of it itself (mesh/queue.h). */

/* Frees the buffer. No operation may still be using it. NULL is allowed. */
void mesh_buffer_free(struct mesh_buffer *buffer);

/* Address in every bank or tile; the same on all devices. In system memory, only a buffer in the
 * first 4 GiB has one. */
uint32_t mesh_buffer_address(const struct mesh_buffer *buffer);

/* Bytes of the host's data (all shards, or one replica), and of each device's part. */
uint64_t mesh_buffer_bytes(const struct mesh_buffer *buffer);
uint64_t mesh_buffer_device_bytes(const struct mesh_buffer *buffer);

/* Placement within a device, and spread over devices. */
const struct placement *mesh_buffer_placement(const struct mesh_buffer *buffer);
const struct mesh_spread *mesh_buffer_spread(const struct mesh_buffer *buffer);

/* The sub-devices whose programs may use the buffer, a bit each (mesh/sub_device.h). Writes and
 * reads of the buffer wait for these. */
uint32_t mesh_buffer_sub_devices(const struct mesh_buffer *buffer);

/* The devices that a read of the whole buffer reads from, each shard once: of a replicated buffer
 * only the first device. If there are fewer shards than devices, the range may include devices
 * without a shard; a read does not wait for those. */
struct device_range mesh_buffer_read_range(const struct mesh_buffer *buffer);

#endif
