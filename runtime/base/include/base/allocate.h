/* Memory that is there, or the end of the process: the simulator has no better answer to a full
 * memory. All of it is returned by free(), but for what processes share. Refuses to pool: hot paths
 * keep their own (chip/machine/pool.h). */
#ifndef BASE_ALLOCATE_H
#define BASE_ALLOCATE_H

#include <stddef.h>

/* `count` elements of `size` bytes, all zero; never NULL, also for none. */
void *allocate(size_t count, size_t size);

/* `memory` (may be NULL) with room for `count` elements of `size` bytes; what is new is not set. */
void *allocate_more(void *memory, size_t count, size_t size);

/* A copy of `text`, which is not NULL. */
char *allocate_text(const char *text);

/* `bytes` zeros that this process shares with those that it forks from here on: what one writes
 * there all read. Returned by free_shared(), by each process for itself, or at its end. */
void *allocate_shared(size_t bytes);

/* NULL is allowed. */
void free_shared(void *memory, size_t bytes);

#endif
