/* Stores the lines of the watcher in a hash table. Thousands of cores have the same few lines, so
 * each different line is stored only once. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "watcher_private.h"

static void place(struct watch_lines *lines, uint32_t number)
{
	uint32_t at = (uint32_t)lines->items[number].hash & (lines->place_count - 1);

	while (lines->places[at] != 0)
		at = (at + 1) & (lines->place_count - 1);
	lines->places[at] = number + 1;
}

static void watcher_lines_grow(struct watch_lines *lines)
{
	lines->capacity = lines->capacity ? 2 * lines->capacity : 64;
	lines->items = allocate_more(lines->items, lines->capacity, sizeof *lines->items);
	free(lines->places);
	lines->place_count = 2 * lines->capacity;
	lines->places = allocate(lines->place_count, sizeof *lines->places);
	for (uint32_t i = 0; i < lines->count; i++)
		place(lines, i);
}

uint32_t watch_lines_number(struct watch_lines *lines, const struct watch_line *line)
{
	uint64_t hash = hash_bytes(&line->row, sizeof line->row);
	uint32_t at;

	if (lines->count == lines->capacity)
		watcher_lines_grow(lines);
	at = (uint32_t)hash & (lines->place_count - 1);
	for (; lines->places[at] != 0; at = (at + 1) & (lines->place_count - 1)) {
		const struct watch_line *one = &lines->items[lines->places[at] - 1];

		if (one->hash == hash && memcmp(&one->row, &line->row, sizeof line->row) == 0)
			return lines->places[at] - 1;
	}
	lines->items[lines->count] = *line;
	lines->items[lines->count].hash = hash;
	lines->places[at] = ++lines->count;
	return lines->count - 1;
}

void watch_lines_fini(struct watch_lines *lines)
{
	free(lines->items);
	free(lines->places);
}
