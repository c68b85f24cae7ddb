/* The config ring of the workers' L1. The host manages one ring for all workers of the mesh, in
 * lock-step. The launch data of a program go to the next free place, so they can be sent while the
 * previous program runs. Programs that are larger than the ring are rejected when they are made. */
#ifndef MESH_DEVICE_CONFIG_RING_H
#define MESH_DEVICE_CONFIG_RING_H

#include <stdbool.h>
#include <stdint.h>

enum { CONFIG_RING_ALIGN = 64, CONFIG_RING_HISTORY = 8 };

struct config_place {
	uint32_t begin, end; /* addresses */
	uint32_t run;	     /* launch that uses the place */
};

struct config_ring {
	uint32_t base, bytes;
	uint32_t next;					  /* address of the next place */
	struct config_place history[CONFIG_RING_HISTORY]; /* of the last launches */
	uint32_t count;					  /* launches so far */
};

void config_ring_init(struct config_ring *ring, uint32_t base, uint32_t bytes);

/* The launch that may still use a place. */
struct config_use {
	bool used;
	uint32_t run; /* if used: the latest launch that may use it */
};

/* Allocates `bytes` (at most the ring's bytes) for launch `run`, and returns the address. Launches
 * from `oldest` on may still be under way on some device. Sets use->used if the new place overlaps
 * the place of such a launch, or if the history is too short to tell. If use->used is set, launch
 * use->run must be done before the place is written. */
uint32_t config_ring_take(struct config_ring *ring, uint32_t bytes, uint32_t run, uint32_t oldest,
	struct config_use *use);

/* Gives the whole ring to launch `run`. Called if the host does not know where in the ring the data
 * of this launch lie. */
void config_ring_fill(struct config_ring *ring, uint32_t run);

/* The host's record of the prefetchers' kernel caches (spec flow 6.3). All prefetchers of a queue
 * hold the same binaries in their L1, in a ring in which new binaries overwrite the oldest. Only
 * launches on every device of the mesh use the caches. All such launches take the same path, so all
 * caches stay the same. Other launches read their binaries from DRAM. */

/* A place is a number of bytes since the start and never wraps. The offset in the cache is the
 * place modulo the size of the cache. */
struct kernel_cache {
	uint32_t bytes; /* 0: none */
	uint64_t end;	/* place behind the binary that was placed last */
};

#define KERNEL_CACHE_NEVER UINT64_MAX /* the place of a binary that was never cached */

/* Returns true if the `bytes` bytes that were put at *place are still in the cache. `bytes` is
 * above 0, and at most the size of the cache. Otherwise allocates a new place over the oldest
 * contents, stores it in *place, and returns false; prefetchers must then read the binaries
 * again. */
bool kernel_cache_take(struct kernel_cache *cache, uint32_t bytes, uint64_t *place);

/* Returns the offset of a place in the cache. */
static inline uint32_t kernel_cache_offset(const struct kernel_cache *cache, uint64_t place)
{
	return (uint32_t)(place % cache->bytes);
}

/* Empties the record. Called after commands whose use of the cache the host has not counted. */
void kernel_cache_forget(struct kernel_cache *cache);

#endif
