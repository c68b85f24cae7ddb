/* The config ring of the workers' L1. All workers of the mesh use the same places in their rings,
 * so the host manages only one ring. The launch data of a program go to the next free place, so the
 * host can send them while the previous program runs. A program that is larger than the ring is
 * rejected when it is made. */
#ifndef MESH_DEVICE_CONFIG_RING_H
#define MESH_DEVICE_CONFIG_RING_H

#include <stdbool.h>
#include <stdint.h>

enum { CONFIG_RING_ALIGN = 64, CONFIG_RING_HISTORY = 8 };

struct config_place {
	uint32_t begin, end; /* first address of the place, and the address after its last byte */
	uint32_t run;	     /* number of the launch that uses the place */
};

struct config_ring {
	uint32_t base, bytes;
	uint32_t next;					  /* address of the next place */
	struct config_place history[CONFIG_RING_HISTORY]; /* the places of the latest launches */
	uint32_t count;					  /* number of launches so far */
};

void config_ring_init(struct config_ring *ring, uint32_t base, uint32_t bytes);

/* The launch that may still use a place. */
struct config_use {
	bool used;
	uint32_t run; /* if `used`: the latest launch that may still use the place */
};

/* Allocates `bytes` bytes (at most the size of the ring) for launch `run`, and returns the address.
 * Launches with the number `oldest` or higher may still run on some device. Sets use->used to true
 * if the new place overlaps the place of one of these launches, or if the history is too short to
 * decide this. If use->used is true, launch use->run must be done before the place is written. */
uint32_t config_ring_take(struct config_ring *ring, uint32_t bytes, uint32_t run, uint32_t oldest,
	struct config_use *use);

/* Assigns the whole ring to launch `run`. Called if the host does not know which place in the ring
 * the launch uses. */
void config_ring_fill(struct config_ring *ring, uint32_t run);

/* The host's record of the prefetchers' kernel caches (spec, flow 6.3). All prefetchers of a queue
 * hold the same binaries in their L1, in a ring in which new binaries overwrite the oldest ones.
 * Only launches on every device of the mesh use the caches. All these launches take the same path,
 * so the caches stay equal. Other launches read their binaries from DRAM. */

/* A place in the cache is counted in bytes from the first binary on. It increases with every
 * binary, and does not start again from 0 when the cache is full. The offset in the real cache is
 * this number modulo the size of the cache. */
struct kernel_cache {
	uint32_t bytes; /* size of the cache; 0: there is no cache */
	uint64_t end;	/* place after the binary that was placed last */
};

#define KERNEL_CACHE_NEVER UINT64_MAX /* the place of a binary that was never cached */

/* Returns true if the cache still has the binaries of `bytes` bytes at *place. Otherwise sets
 * *place to a new place for them, which overwrites the oldest binaries, and returns false. The
 * prefetchers must then read the binaries again. `bytes` must be above 0, and at most the size of
 * the cache. */
bool kernel_cache_take(struct kernel_cache *cache, uint32_t bytes, uint64_t *place);

/* Returns the offset of a place in the cache. */
static inline uint32_t kernel_cache_offset(const struct kernel_cache *cache, uint64_t place)
{
	return (uint32_t)(place % cache->bytes);
}

/* Empties the record. Called after commands that used the cache without the host's record. */
void kernel_cache_forget(struct kernel_cache *cache);

#endif
