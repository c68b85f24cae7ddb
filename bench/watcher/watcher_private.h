/* What a watcher has seen: lines that are told apart by their number, and who is at which. Private
 * to the room. */
#ifndef BENCH_WATCHER_PRIVATE_H
#define BENCH_WATCHER_PRIVATE_H

#include <stdbool.h>

#include "bench/watcher/watcher.h"

/* What a processor can be at: all of a row but the cores. */
struct watch_line {
	uint64_t hash;
	bool idle;
	struct watch_row row;
};

/* Lines, each once. All zeros is empty. */
struct watch_lines {
	struct watch_line *items;
	uint32_t count, capacity;
	uint32_t *places; /* number + 1 by hash; 0: free */
	uint32_t place_count;
};

/* The number of the line that is like this one. */
uint32_t watch_lines_number(struct watch_lines *lines, const struct watch_line *line);

void watch_lines_fini(struct watch_lines *lines);

/* "3", "0-63", "2, 5-7, ...": of numbers in ascending order. */
void watch_ranges(const uint32_t *numbers, uint32_t count, char *out, size_t bytes);

#endif
