/* The host's account of the prefetchers' kernel caches (spec flow 6.3): binaries that all
 * prefetchers of a queue hold in their L1, in a ring that overwrites the oldest first. Valid for
 * launches on every device of the mesh, which all take the same path; other launches read DRAM. */
#ifndef MESH_DEVICE_KERNEL_CACHE_H
#define MESH_DEVICE_KERNEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Places count bytes since the start and never wrap; the offset in the cache is the place modulo
 * its size. */
struct kernel_cache {
	uint32_t bytes; /* 0: none */
	uint64_t end;	/* behind the last one placed */
};

#define KERNEL_CACHE_NEVER UINT64_MAX /* the place of a binary that was never cached */

/* Returns true if `bytes` (at most the cache's, not 0) that were put at *place are still there.
 * Otherwise allocates a new *place over the oldest contents and returns false: the prefetchers must
 * read the binaries again. */
bool kernel_cache_take(struct kernel_cache *cache, uint32_t bytes, uint64_t *place);

/* Address in the cache of a place. */
static inline uint32_t kernel_cache_offset(const struct kernel_cache *cache, uint64_t place)
{
	return (uint32_t)(place % cache->bytes);
}

/* Empties the account, after commands that the host has not counted. */
void kernel_cache_forget(struct kernel_cache *cache);

#endif
