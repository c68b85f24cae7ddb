/* An arena is a list of chunks. Each new chunk is twice as large as the one before, up to a limit.
 * A large piece gets a chunk of its own. A single piece cannot be freed. */
#include "base/allocate.h"
#include "base/arena.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

enum { CHUNK_BYTES_FIRST = 4096, CHUNK_BYTES_MAX = 1 << 20 };

struct arena_chunk {
	struct arena_chunk *previous;
	size_t size, used;
	_Alignas(max_align_t) unsigned char bytes[];
};

/* A shared object that the arena keeps alive. */
struct arena_kept {
	struct arena_kept *next;
	struct arena_shared *shared;
};

void arena_init(struct arena *arena)
{
	*arena = (struct arena){0};
}

void arena_keep(struct arena *arena, struct arena_shared *shared)
{
	struct arena_kept **link = &arena->kept, *kept = NULL;

	if (arena->kept && arena->kept->shared == shared)
		return;
	while (*link && (*link)->shared != shared && shared->keepers > 0)
		link = &(*link)->next;
	if (*link && (*link)->shared == shared) {
		kept = *link;
		*link = kept->next;
	} else {
		kept = arena_alloc(arena, sizeof(*kept));
		kept->shared = shared;
		shared->keepers++;
	}
	kept->next = arena->kept;
	arena->kept = kept;
}

static void drop_kept(struct arena *arena)
{
	for (struct arena_kept *kept = arena->kept; kept; kept = kept->next)
		if (--kept->shared->keepers == 0)
			kept->shared->free(kept->shared);
}

void arena_fini(struct arena *arena)
{
	struct arena_chunk *chunk = arena->last;

	drop_kept(arena);
	while (chunk) {
		struct arena_chunk *previous = chunk->previous;

		free(chunk);
		chunk = previous;
	}
	arena_init(arena);
}

static struct arena_chunk *add_chunk(struct arena *arena, size_t bytes)
{
	size_t size = arena->last ? 2 * arena->last->size : CHUNK_BYTES_FIRST;
	struct arena_chunk *chunk;

	if (size > CHUNK_BYTES_MAX)
		size = CHUNK_BYTES_MAX;
	if (size < bytes)
		size = bytes;
	chunk = allocate(1, sizeof(*chunk) + size);
	chunk->size = size;
	/* If the piece fills its chunk completely, insert the chunk before the last chunk, which
	 * may have room for further pieces. */
	if (size == bytes && arena->last) {
		chunk->previous = arena->last->previous;
		arena->last->previous = chunk;
	} else {
		chunk->previous = arena->last;
		arena->last = chunk;
	}
	return chunk;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
	const size_t align = _Alignof(max_align_t);
	struct arena_chunk *chunk = arena->last;
	void *piece;

	ensure(bytes <= SIZE_MAX / 2, "allocation of %zu bytes", bytes);
	bytes = (bytes + align - 1) / align * align;
	if (!chunk || chunk->size - chunk->used < bytes)
		chunk = add_chunk(arena, bytes);
	piece = chunk->bytes + chunk->used;
	chunk->used += bytes;
	arena->used_bytes += bytes;
	return piece;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	ensure(size == 0 || count <= SIZE_MAX / size, "%zu elements of %zu bytes", count, size);
	return arena_alloc(arena, count * size);
}

char *arena_copy(struct arena *arena, const void *bytes, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	if (length)
		memcpy(copy, bytes, length);
	return copy;
}

char *arena_string(struct arena *arena, const char *string)
{
	return arena_copy(arena, string, strlen(string));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list values;
	char *string;
	int length;

	va_start(values, format);
	length = vsnprintf(NULL, 0, format, values);
	va_end(values);
	ensure(length >= 0, "format '%s'", format);
	string = arena_alloc(arena, (size_t)length + 1);
	va_start(values, format);
	vsnprintf(string, (size_t)length + 1, format, values);
	va_end(values);
	return string;
}
