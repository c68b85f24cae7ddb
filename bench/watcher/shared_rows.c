/* Rows of a table that several processes add at the same time (see watcher_private.h). */
#include "watcher_private.h"

#include <stdbool.h>
#include <string.h>

#include "base/allocate.h"

struct shared_rows {
	uint32_t most;
	size_t row_bytes;
	uint64_t counted; /* atomic */
	bool *complete;	  /* [most], atomic */
	char *rows;	  /* [most] */
};

struct shared_rows *shared_rows_new(uint32_t most, size_t row_bytes)
{
	struct shared_rows *rows = allocate_shared(sizeof *rows);

	rows->most = most;
	rows->row_bytes = row_bytes;
	rows->complete = allocate_shared(most + 1u);
	rows->rows = allocate_shared((most + (size_t)1) * row_bytes);
	return rows;
}

void *shared_rows_begin(struct shared_rows *rows, uint64_t *number)
{
	*number = __atomic_fetch_add(&rows->counted, 1, __ATOMIC_RELAXED);
	return *number < rows->most ? rows->rows + *number * rows->row_bytes : NULL;
}

void shared_rows_end(struct shared_rows *rows, uint64_t number)
{
	__atomic_store_n(&rows->complete[number], true, __ATOMIC_RELEASE);
}

uint64_t shared_rows_counted(const struct shared_rows *rows)
{
	return __atomic_load_n(&rows->counted, __ATOMIC_RELAXED);
}

void *shared_rows_copy(const struct shared_rows *rows, struct arena *arena, uint64_t *count)
{
	uint64_t counted = shared_rows_counted(rows);
	uint64_t begun = counted < rows->most ? counted : rows->most;
	char *copy = arena_array(arena, begun + 1, rows->row_bytes);

	*count = 0;
	for (uint64_t i = 0; i < begun; i++)
		if (__atomic_load_n(&rows->complete[i], __ATOMIC_ACQUIRE))
			memcpy(copy + (*count)++ * rows->row_bytes,
				rows->rows + i * rows->row_bytes, rows->row_bytes);
	return copy;
}
