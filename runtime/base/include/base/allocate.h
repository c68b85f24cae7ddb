/* Memory allocation that ends the process on failure, because the simulator cannot go on without
 * memory. Callers free memory from allocate_shared() with free_shared(), and all other memory with
 * free(). Frequently executed code uses its own memory pools instead (chip/machine/cluster.h). */
#ifndef BASE_ALLOCATE_H
#define BASE_ALLOCATE_H

#include <stddef.h>

/* Allocates `count` zeroed elements of `size` bytes. Never returns NULL, even for 0 elements. */
void *allocate(size_t count, size_t size);

/* Resizes `memory` (may be NULL) to `count` elements of `size` bytes, and returns its new address.
 * New elements are uninitialized. */
void *allocate_more(void *memory, size_t count, size_t size);

/* Returns a copy of `text`, which must not be NULL. */
char *allocate_text(const char *text);

/* Allocates `bytes` zeroed bytes that this process shares with all processes that it forks later:
 * each process sees what the other processes write. A process unmaps the memory with free_shared(),
 * or when it ends. */
void *allocate_shared(size_t bytes);

/* Unmaps shared memory. NULL is allowed. */
void free_shared(void *memory, size_t bytes);

#endif
