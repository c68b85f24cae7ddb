/* Mesh buffers: memory at the same address of every device (spec 3.3); and pinned host memory,
 * which devices read and write without a copy by the host. */
#ifndef MESH_BUFFER_H
#define MESH_BUFFER_H

#include <stdint.h>

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

/* Pinned host memory: mapped for the devices, so that buffers are written and read without a copy
 * by the host (spec 4.9; ISA PCIExpressTile: device-initiated reads and writes). It is allocated
 * from the platform's host window; allocation fails only if the window is full. */

struct host_memory; /* opaque */

enum { HOST_MEMORY_ALIGN = 32 }; /* alignment of a transfer's offset, bytes */

/* Reserves and maps `bytes` (> 0) of the window, zeroed. On OK the caller owns *memory. NO_MEMORY,
 * with a sentence in `why` (may be NULL), if the window has no room. */
enum status host_memory_new(
	struct mesh_device *mesh, uint64_t bytes, struct text *why, struct host_memory **memory);

/* Returns the memory to the window. No transfer may be under way; the mesh device may be closed
 * already. NULL is allowed. */
void host_memory_free(struct host_memory *memory);

/* The user's own stores and loads of [offset, offset + bytes), which must lie inside. They charge
 * nothing: the user charges the cost of making or using data. Loading bytes that are not simulated
 * returns ELIDED. */
void host_memory_store(
	struct host_memory *memory, uint64_t offset, const void *data, uint64_t bytes);
enum status host_memory_load(
	const struct host_memory *memory, uint64_t offset, void *data, uint64_t bytes);

/* The memory itself, if plain stores reach it, e.g. those of a network library; else NULL. */
uint8_t *host_memory_bytes(const struct host_memory *memory);

#endif
