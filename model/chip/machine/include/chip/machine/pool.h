/* Free lists of objects of one size. Operations in flight come from here, so hot paths allocate
 * only when more are in flight than ever before. Pools do not shrink. */
#ifndef CHIP_POOL_H
#define CHIP_POOL_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a cache line. */
enum { CACHE_LINE = 64 };

struct sim_pool {
	size_t bytes; /* of one object, at least a pointer */
	void *free;   /* list through the first word of each object */
	void *chunks; /* list of allocated chunks */
	size_t held_bytes;
};

/* Allocates zeroed memory aligned to cache lines, in huge pages if it is large: with 80,000 cores
 * in turn, TLB misses would cost more than the work. Aborts on failure. */
void *sim_memory_new(size_t bytes);
void sim_memory_free(void *memory);

void sim_pool_init(struct sim_pool *pool, size_t bytes);
void sim_pool_fini(struct sim_pool *pool);

/* Grows a full ring of *capacity entries (a power of two, or 0) of `size` bytes, with its oldest
 * entry at `first`, to twice its capacity, or to `least` entries if it was empty. Returns the ring;
 * sets *capacity. */
void *sim_ring_grow(void *ring, size_t size, uint32_t first, uint32_t *capacity, uint32_t least);

/* Calls visit() for every object ever created, free or not. */
void sim_pool_each(struct sim_pool *pool, void (*visit)(void *object));

/* Adds objects to the free list. */
void sim_pool_grow(struct sim_pool *pool);

/* Takes an object. A new one is zeroed; a reused one is as it was given back, except for its first
 * word. */
static inline void *sim_pool_take(struct sim_pool *pool)
{
	void *object;

	if (pool->free == NULL)
		sim_pool_grow(pool);
	object = pool->free;
	pool->free = *(void **)object;
	return object;
}

static inline void sim_pool_give(struct sim_pool *pool, void *object)
{
	*(void **)object = pool->free;
	pool->free = object;
}

#endif
