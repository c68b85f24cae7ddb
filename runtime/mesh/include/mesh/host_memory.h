/* Pinned host memory: mapped for the devices, so that buffers are written and read without a copy
 * by the host (spec 4.9; ISA PCIExpressTile: device-initiated reads and writes). It is allocated
 * from the platform's host window; allocation fails only if the window is full. */
#ifndef MESH_HOST_MEMORY_H
#define MESH_HOST_MEMORY_H

#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "mesh/mesh.h"

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
