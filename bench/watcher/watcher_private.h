/* The numbered lines of a watcher. Only for files of this folder. */
#ifndef BENCH_WATCHER_PRIVATE_H
#define BENCH_WATCHER_PRIVATE_H

#include <stdbool.h>

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

#endif
