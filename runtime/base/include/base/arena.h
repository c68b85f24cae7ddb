/* An arena is memory that is allocated piece by piece and freed all at once. If memory runs out,
 * the process ends (ensure_memory()). Not thread safe. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;
struct arena_kept;

struct arena {
	struct arena_chunk *last;
	struct arena_kept *kept; /* kept objects, the most recently requested first */
	size_t used_bytes;	 /* number of bytes allocated so far, for reports */
};

/* The first member of an object that several arenas share. The object is freed when the last arena
 * that shares it is freed. */
struct arena_shared {
	size_t keepers; /* number of arenas that keep the object */
	void (*free)(struct arena_shared *shared);
};

/* Makes the arena empty; allocates nothing. An arena that is all zeros is empty too. */
void arena_init(struct arena *arena);

/* Frees every piece. Also frees each shared object that no other arena shares. Afterwards, the
 * arena is empty and can be used again. */
void arena_fini(struct arena *arena);

/* Allocates `bytes` zeroed bytes, aligned for any type. Never returns NULL; for 0 bytes, returns a
 * valid address. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* Allocates `count` zeroed elements of `size` bytes each. `count` * `size` must not overflow. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* Returns a copy of `length` bytes, with a NUL appended. */
char *arena_copy(struct arena *arena, const void *bytes, size_t length);

/* Returns a copy of a string. */
char *arena_string(struct arena *arena, const char *string);

/* Returns a formatted string. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Keeps `shared` alive as long as the arena lives. Calling it again has no effect. */
void arena_keep(struct arena *arena, struct arena_shared *shared);

#endif
