/* Lists of free objects, which grow in chunks. A new chunk is as large as all earlier chunks
 * together, but not smaller than a minimum and not larger than a maximum. */
#include "chip/machine/cluster.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/allocate.h"
#include "base/ensure.h"

enum {
	LINE_BYTES = 64,
	HUGE_PAGE_BYTES = 2 << 20,
	CHUNK_BYTES_MIN = 16384,
	CHUNK_BYTES_MAX = 8 << 20,
};

void *sim_memory_new(size_t bytes)
{
	size_t alignment = bytes >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : LINE_BYTES;
	size_t rounded = (bytes + alignment - 1) / alignment * alignment;
	/* Large blocks cost little, because calloc() does not clear pages that come fresh from the
	 * system. The word before the returned memory holds the pointer that free() needs. */
	char *start = calloc(1, rounded + alignment), *memory;

	ensure_memory(start != NULL, "%zu bytes", bytes);
	memory = start + alignment - (uintptr_t)start % alignment;
	((void **)(void *)memory)[-1] = start;
	/* This is only a hint to the system, so errors are ignored. */
	if (alignment == HUGE_PAGE_BYTES)
		madvise(memory, rounded, MADV_HUGEPAGE);
	return memory;
}

void sim_memory_free(void *memory)
{
	if (memory != NULL)
		free(((void **)memory)[-1]);
}

void sim_pool_init(struct sim_pool *pool, size_t bytes)
{
	memset(pool, 0, sizeof *pool);
	pool->bytes = (bytes + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
}

void sim_pool_fini(struct sim_pool *pool)
{
	void *chunk = pool->chunks;

	while (chunk != NULL) {
		void *next = *(void **)chunk;

		sim_memory_free(chunk);
		chunk = next;
	}
	sim_pool_init(pool, pool->bytes);
}

void sim_pool_grow(struct sim_pool *pool)
{
	size_t bytes = pool->held_bytes, count;
	char *chunk;

	if (bytes < CHUNK_BYTES_MIN)
		bytes = CHUNK_BYTES_MIN;
	if (bytes > CHUNK_BYTES_MAX)
		bytes = CHUNK_BYTES_MAX;
	if (bytes < LINE_BYTES + pool->bytes)
		bytes = LINE_BYTES + pool->bytes;
	count = (bytes - LINE_BYTES) / pool->bytes;
	chunk = sim_memory_new(bytes);
	*(void **)chunk = pool->chunks;
	*(size_t *)(void *)(chunk + sizeof(void *)) = count;
	pool->chunks = chunk;
	pool->held_bytes += bytes;
	for (size_t i = count; i-- > 0;)
		sim_pool_give(pool, chunk + LINE_BYTES + i * pool->bytes);
}

void sim_pool_each(struct sim_pool *pool, void (*visit)(void *object))
{
	for (char *chunk = pool->chunks; chunk != NULL; chunk = *(char **)(void *)chunk) {
		size_t count = *(size_t *)(void *)(chunk + sizeof(void *));

		for (size_t i = 0; i < count; i++)
			visit(chunk + LINE_BYTES + i * pool->bytes);
	}
}

void *sim_ring_grow(void *ring, size_t size, uint32_t first, uint32_t *capacity, uint32_t least)
{
	uint32_t before = *capacity;
	char *grown;

	*capacity = before ? 2 * before : least;
	grown = allocate_more(ring, *capacity * size, 1);
	/* Move the part that had wrapped around behind the old end. */
	if (before > 0)
		memcpy(grown + before * size, grown, first * size);
	return grown;
}
