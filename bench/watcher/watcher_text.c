/* Writes the watcher's text output: ranges of numbers, and a line for each group of cores. */
#include <stdio.h>
#include <string.h>

#include "watcher_private.h"

void watch_ranges(const uint32_t *numbers, uint32_t count, char *out, size_t bytes)
{
	enum { RANGES_MAX = 5 };
	uint32_t ranges = 0, end;
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < count && used < bytes; i = end + 1) {
		const char *comma = i > 0 ? ", " : "";

		for (end = i; end + 1 < count && numbers[end + 1] == numbers[end] + 1; end++)
			;
		if (++ranges > RANGES_MAX) {
			snprintf(out + used, bytes - used, ", ...");
			return;
		}
		if (end > i)
			used += (size_t)snprintf(out + used, bytes - used, "%s%u-%u", comma,
				numbers[i], numbers[end]);
		else
			used += (size_t)snprintf(
				out + used, bytes - used, "%s%u", comma, numbers[i]);
	}
}

/* Appends the place of a group, like "chip 3, tile 11", "62 cores of chip 3 (tiles 2-63)" or "5184
 * cores of 64 chips (0-63; tiles 2-82)". */
static void tell_where(const struct watch_row *row, struct text *out)
{
	if (row->cores == 1)
		text_printf(out, "chip %s, tile %s: ", row->chips, row->tiles);
	else if (row->chip_count == 1)
		text_printf(out, "%u cores of chip %s (tiles %s): ", row->cores, row->chips,
			row->tiles);
	else
		text_printf(out, "%u cores of %u chips (%s; tiles %s): ", row->cores,
			row->chip_count, row->chips, row->tiles);
}

static void tell_row(const struct watch_row *row, struct text *out)
{
	text_append(out, row->processor);
	if (row->instruction >= 0)
		text_printf(out, " at instruction %d (%s)", row->instruction, row->at);
	if (row->waypoint > 0)
		text_printf(out, ", waypoint %u,", row->waypoint);
	if (strcmp(row->state, "waits") == 0)
		text_printf(out, " waits for %s", row->waits);
	else if (strcmp(row->state, "halted") == 0)
		text_printf(out, " %s", row->waits);
	else
		text_printf(out, " %s", row->state);
}

/* Returns the number of rows of the group that begins at `first`. */
static uint32_t group_rows(const struct watch_row *rows, uint32_t count, uint32_t first)
{
	uint32_t end = first;

	while (end < count && rows[end].group == rows[first].group)
		end++;
	return end - first;
}

static bool acts(const struct watch_row *rows, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (rows[i].instruction >= 0)
			return true;
	return false;
}

/* Appends the line of a group, without idle processors. */
static void tell_group(const struct watch_row *rows, uint32_t count, struct text *out)
{
	const char *between = "";

	text_append(out, "watcher: ");
	tell_where(rows, out);
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(rows[i].state, "idle") == 0)
			continue;
		text_append(out, between);
		tell_row(&rows[i], out);
		between = "; ";
	}
	text_append(out, "\n");
}

void watcher_tell(
	const struct watch_row *rows, uint32_t count, uint32_t lines_max, struct text *out)
{
	uint32_t lines = 0, more = 0, length;

	for (uint32_t i = 0; i < count; i += length) {
		length = group_rows(rows, count, i);
		if (!acts(&rows[i], length))
			continue;
		if (lines++ < lines_max)
			tell_group(&rows[i], length, out);
		else
			more += rows[i].cores;
	}
	if (more > 0)
		text_printf(out, "watcher: and %u more cores with kernels that act\n", more);
}
