/* Growth of the free lists: a chunk at a time. */
#include "pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

enum { CHUNK_BYTES = 16384, CHUNK_HEAD_BYTES = 16 };

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

		free(chunk);
		chunk = next;
	}
	sim_pool_init(pool, pool->bytes);
}

void sim_pool_grow(struct sim_pool *pool)
{
	size_t count = (CHUNK_BYTES - CHUNK_HEAD_BYTES) / pool->bytes;
	char *chunk;

	if (count == 0)
		count = 1;
	chunk = calloc(1, CHUNK_HEAD_BYTES + count * pool->bytes);
	ensure(chunk != NULL, "no memory for %zu objects of %zu bytes", count, pool->bytes);
	*(void **)chunk = pool->chunks;
	pool->chunks = chunk;
	pool->held_bytes += CHUNK_HEAD_BYTES + count * pool->bytes;
	for (size_t i = count; i-- > 0;)
		sim_pool_give(pool, chunk + CHUNK_HEAD_BYTES + i * pool->bytes);
}
