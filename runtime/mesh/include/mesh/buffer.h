/* Mesh buffers: memory at the same address of every device (spec 3.3). The header also declares
 * pinned host memory, which devices read and write without a copy by the host. */
#ifndef MESH_BUFFER_H
#define MESH_BUFFER_H

#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "memory/mesh_layout.h"
#include "memory/placement.h"
#include "mesh/mesh.h"

struct mesh_buffer; /* opaque */

/* Allocates a buffer on every device of the mesh. Returns OK, and the caller owns *buffer. Returns
 * NO_SPACE if there is not enough memory; `why` (may be NULL) then gets the sizes that the
 * allocator reports. Returns INVALID if a buffer in system memory is sharded. Also returns the
 * errors of mesh_spread_init() and placement_init(), with a sentence in `why`.
 *
 * A buffer can be limited to the L1 of a sub-device (config->sub_device; mesh/sub_device.h). Its
 * interleaved pages are distributed over the workers of the sub-device in row-major order. Then
 * there are further errors. Returns NOT_FOUND if there is no such sub-device, and NO_SPACE if
 * sub-devices have no local L1. Returns OUT_OF_RANGE if a shard lies on a core outside the
 * sub-device. Returns UNSUPPORTED if the memory is not L1, or if pages are interleaved over cores
 * that do not form a rectangle. */
enum status mesh_buffer_new(struct mesh_device *mesh, const struct mesh_layout *layout,
	const struct buffer_config *config, struct text *why, struct mesh_buffer **buffer);

/* Allocates a buffer at an address that another host's allocator has chosen for all devices that
 * share the buffer (spec 4.8.2.1). Returns EXISTS if some of this memory is in use. Returns
 * OUT_OF_RANGE if the address is not aligned, or if the buffer would lie outside the memory for
 * buffers. Also returns the errors of mesh_buffer_new(). */
enum status mesh_buffer_new_at(struct mesh_device *mesh, const struct mesh_layout *layout,
	const struct buffer_config *config, uint32_t address, struct text *why,
	struct mesh_buffer **buffer);

/* Buffers in system memory (BUFFER_SYSTEM) lie in a part of the host window, the host memory that
 * devices can access (world/device.h). The size of this part is
 * mesh_config.sizes.system_memory_bytes. Addresses of these buffers count from the beginning of the
 * part. All devices share one copy of such a buffer. So allocating it returns INVALID if its data
 * are sharded over devices, cores or banks. The host itself performs writes and reads of the buffer
 * (mesh/queue.h). */

/* Frees the buffer. No operation may still be using it. NULL is allowed. */
void mesh_buffer_free(struct mesh_buffer *buffer);

/* Returns the buffer's address in every bank or tile, which is the same on all devices. For a
 * buffer in system memory the result is valid only if the buffer lies in the first 4 GiB. */
uint32_t mesh_buffer_address(const struct mesh_buffer *buffer);

/* mesh_buffer_bytes() returns the size of the buffer's data on the host: all shards together, or
 * one copy if the buffer is replicated. mesh_buffer_device_bytes() returns the size of each
 * device's part. */
uint64_t mesh_buffer_bytes(const struct mesh_buffer *buffer);
uint64_t mesh_buffer_device_bytes(const struct mesh_buffer *buffer);

/* Return the placement within a device, and the spread over devices. */
const struct placement *mesh_buffer_placement(const struct mesh_buffer *buffer);
const struct mesh_spread *mesh_buffer_spread(const struct mesh_buffer *buffer);

/* Returns the sub-devices whose programs may use the buffer, one bit each (mesh/sub_device.h).
 * Writes and reads of the buffer wait for these sub-devices. */
uint32_t mesh_buffer_sub_devices(const struct mesh_buffer *buffer);

/* Returns the devices from which a read of the whole buffer gets data. If several devices have the
 * same data, it reads only from the first of them. The range may include devices without a shard;
 * the read does not wait for these. */
struct device_range mesh_buffer_read_range(const struct mesh_buffer *buffer);

/* Pinned host memory is mapped for the devices, so buffers can be written and read without a copy
 * by the host (spec 4.9; ISA PCIExpressTile: device-initiated reads and writes). Pinned memory is
 * allocated from the platform's host window. The allocation fails only if the window is full. */

struct host_memory; /* opaque */

enum { HOST_MEMORY_ALIGN = 32 }; /* alignment of a transfer's offset, in bytes */

/* Reserves, maps and zeroes `bytes` (> 0) bytes of the host window. Returns OK, and the caller owns
 * *memory. Returns NO_MEMORY, with a sentence in `why` (may be NULL), if the window has no room. */
enum status host_memory_new(
	struct mesh_device *mesh, uint64_t bytes, struct text *why, struct host_memory **memory);

/* Frees the memory. No transfer of this memory may be in progress. The mesh device may already be
 * closed. NULL is allowed. */
void host_memory_free(struct host_memory *memory);

/* Store or load the bytes [offset, offset + bytes), which must lie inside the memory. Neither
 * function charges host time, so the caller charges the time for making or using the data.
 * host_memory_load() returns OK, or ELIDED if some of the bytes are not simulated. */
void host_memory_store(
	struct host_memory *memory, uint64_t offset, const void *data, uint64_t bytes);
enum status host_memory_load(
	const struct host_memory *memory, uint64_t offset, void *data, uint64_t bytes);

/* Returns a pointer to the memory if ordinary stores, for example of a network library, can write
 * to it. Otherwise returns NULL. */
uint8_t *host_memory_bytes(const struct host_memory *memory);

#endif
