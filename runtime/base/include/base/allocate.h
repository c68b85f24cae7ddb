/* Memory allocation that ends the process on failure, because the simulator cannot go on without
 * memory. Callers free the memory with free(), except shared memory. Frequently executed code uses
 * memory pools of its own instead (chip/machine/cluster.h). */
#ifndef BASE_ALLOCATE_H
#define BASE_ALLOCATE_H

#include <stddef.h>

/* Allocates `count` zeroed elements of `size` bytes; never NULL, even for 0 elements. */
void *allocate(size_t count, size_t size);

/* Resizes `memory` (may be NULL) to `count` elements of `size` bytes, and returns its new address.
 * New elements are uninitialized. */
void *allocate_more(void *memory, size_t count, size_t size);

/* A copy of `text`, which is not NULL. */
char *allocate_text(const char *text);

/* Allocates `bytes` zeroed bytes, which this process shares with all processes that it forks later:
 * each process sees the changes of the others. Each process unmaps the memory with free_shared(),
 * or when it ends. */
void *allocate_shared(size_t bytes);

/* Unmaps shared memory. NULL is allowed. */
void free_shared(void *memory, size_t bytes);

#endif
