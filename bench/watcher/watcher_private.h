/* The numbered lines of a watcher. Only for files of this folder. */
#ifndef BENCH_WATCHER_PRIVATE_H
#define BENCH_WATCHER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "bench/watcher/watcher.h"

/* The state of a processor: a row without the places of its cores. */
struct watch_line {
	uint64_t hash;
	bool idle;
	struct watch_row row;
};

/* A set of lines without duplicates. All zeros is an empty set. */
struct watch_lines {
	struct watch_line *items;
	uint32_t count, capacity;
	uint32_t *places; /* hash table with the numbers + 1; 0: free */
	uint32_t place_count;
};

/* Returns the number of the line with this content. Adds the line if it is new. */
uint32_t watch_lines_number(struct watch_lines *lines, const struct watch_line *line);

void watch_lines_fini(struct watch_lines *lines);

/* Writes ascending numbers as ranges: "3", "0-63", "2, 5-7, ...". */
void watch_ranges(const uint32_t *numbers, uint32_t count, char *out, size_t bytes);

/* Rows of a table to which several processes of a run add rows at the same time. Only the first
 * rows are kept, but all rows are counted. Adding a row never blocks. */

struct shared_rows; /* opaque */

/* Reserves memory for `most` rows of `row_bytes` bytes. Processes that are forked later share this
 * memory. It is never freed. Never returns NULL. */
struct shared_rows *shared_rows_new(uint32_t most, size_t row_bytes);

/* shared_rows_begin() counts a row. It returns the memory of the row, which is all zeros, and sets
 * *number to the number of the row. It returns NULL if there is no memory left for the row. After
 * the caller has filled in the row, it calls shared_rows_end(). shared_rows_copy() leaves out rows
 * for which shared_rows_end() was not called. */
void *shared_rows_begin(struct shared_rows *rows, uint64_t *number);
void shared_rows_end(struct shared_rows *rows, uint64_t number);

/* Returns how many rows were counted. */
uint64_t shared_rows_counted(const struct shared_rows *rows);

/* Returns a copy of the complete rows, in the order of their numbers, and sets *count to their
 * number. Allocates in `arena`. */
void *shared_rows_copy(const struct shared_rows *rows, struct arena *arena, uint64_t *count);

#endif
