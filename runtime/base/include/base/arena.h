/* An arena is memory that is allocated piece by piece and freed all at once. If memory runs out,
 * the process ends (ensure_memory()). Not thread safe. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;
struct arena_kept;

struct arena {
	struct arena_chunk *last;
	struct arena_kept *kept; /* most recently requested first */
	size_t used_bytes;	 /* allocated so far, for reports */
};

/* The first member of an object that several arenas share. The object is freed when the last arena
 * that shares it is freed. */
struct arena_shared {
	size_t keepers; /* number of arenas that keep it */
	void (*free)(struct arena_shared *shared);
};

/* An empty arena; allocates nothing. An arena that is all zeros is empty too. */
void arena_init(struct arena *arena);

/* Frees every piece. Also frees each shared object that no other arena shares. After that, the
 * arena is empty and can be used again. */
void arena_fini(struct arena *arena);

/* `bytes` zeroed bytes, aligned for any type. Never NULL; zero bytes give a valid address. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* `count` zeroed elements of `size` bytes each; the product may not overflow. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* Copy of `length` bytes, with a NUL appended. */
char *arena_copy(struct arena *arena, const void *bytes, size_t length);

/* Copy of a string. */
char *arena_string(struct arena *arena, const char *string);

/* A formatted string. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Keeps `shared` alive as long as the arena lives. Calling it again has no effect. */
void arena_keep(struct arena *arena, struct arena_shared *shared);

#endif
