/* Free lists of objects of one size. Operations under way come from here, so that hot paths
 * allocate only until the most that was ever under way has been reached. Pools do not shrink. */
#ifndef CHIP_POOL_H
#define CHIP_POOL_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that come into the cache together. */
enum { CACHE_LINE = 64 };

struct sim_pool {
	size_t bytes; /* of one object, at least a pointer */
	void *free;   /* list through the first word of each object */
	void *chunks; /* list of what was allocated */
	size_t held_bytes;
};

/* Zeroed memory for many objects, on cache lines, in huge pages if it is large: with 80,000 cores
 * in turn, looking up addresses would cost more than the work. Ends the process if there is none.
 */
void *sim_memory_new(size_t bytes);
void sim_memory_free(void *memory);

void sim_pool_init(struct sim_pool *pool, size_t bytes);
void sim_pool_fini(struct sim_pool *pool);

/* A ring of `capacity` entries (a power of two, or 0) of `size` bytes is full, its oldest entry at
 * `first`: makes it twice as large, or `least`. Returns it; *capacity is the new one. */
void *sim_ring_grow(void *ring, size_t size, uint32_t first, uint32_t *capacity, uint32_t least);

/* Visits every object that was ever made, free or not. */
void sim_pool_each(struct sim_pool *pool, void (*visit)(void *object));

/* Makes the free list longer. */
void sim_pool_grow(struct sim_pool *pool);

/* An object with unspecified contents, or as it was given back behind its first word; zeroed when
 * it is new. */
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
