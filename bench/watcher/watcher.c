/* The watcher records the state of every processor, and groups cores in the same state. */
#include "bench/watcher/watcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "firmware/worker/worker.h"
#include "watcher_private.h"

/* A processor, and the number of its line. */
struct sighting {
	uint32_t chip, line;
	uint16_t tile;
	uint8_t processor;
};

/* The processors of one tile, as consecutive sightings. */
struct watched_core {
	const struct sighting *first;
	uint32_t count;
	bool idle; /* all processors of the core are idle */
};

struct watcher {
	struct watch_lines lines;
	struct sighting *sightings;
	uint32_t count, capacity;
};

struct watcher *watcher_new(void)
{
	return allocate(1, sizeof(struct watcher));
}

void watcher_free(struct watcher *watcher)
{
	if (watcher == NULL)
		return;
	watch_lines_fini(&watcher->lines);
	free(watcher->sightings);
	free(watcher);
}

/* ---- states of processors ---- */

static const char *watcher_state_of(
	const struct stage *stage, bool blocked, bool running, bool halted)
{
	if (halted)
		return "halted";
	if (!blocked)
		return "runs";
	return stage->wait.idle && !running ? "idle" : "waits";
}

void watcher_look(
	uint32_t chip, const struct stage *stage, bool blocked, struct watched_processor *watched)
{
	struct worker_watch watch = {0};
	struct text at = {0}, waits = {0};
	struct watch_row *row = &watched->row;
	bool known = worker_watch(stage, blocked, &watch, &at, &waits);

	memset(watched, 0, sizeof *watched);
	watched->chip = chip;
	watched->tile = stage->tile;
	watched->processor = stage->processor;
	row->instruction = known && watch.acts ? (int32_t)watch.instruction : -1;
	row->waypoint = watch.waypoint;
	snprintf(row->processor, sizeof row->processor, "%s", stage->ops->name);
	snprintf(row->state, sizeof row->state, "%s",
		watcher_state_of(stage, blocked, watch.running, watch.halted));
	watched->idle = strcmp(row->state, "idle") == 0;
	snprintf(row->at, sizeof row->at, "%s", text_string(&at));
	if (waits.length > 0 || !blocked)
		snprintf(row->waits, sizeof row->waits, "%s", text_string(&waits));
	else if (!watched->idle)
		snprintf(row->waits, sizeof row->waits, "%s",
			stage->wait.what ? stage->wait.what : "something");
	text_fini(&at);
	text_fini(&waits);
}

void watcher_add(struct watcher *watcher, const struct watched_processor *watched)
{
	struct watch_line line;

	memset(&line, 0, sizeof line);
	line.idle = watched->idle;
	memcpy(&line.row, &watched->row, sizeof line.row); /* copies the padding, too, because lines
							      are compared byte by byte */
	if (watcher->count == watcher->capacity) {
		watcher->capacity = watcher->capacity ? 2 * watcher->capacity : 1024;
		watcher->sightings = allocate_more(
			watcher->sightings, watcher->capacity, sizeof *watcher->sightings);
	}
	watcher->sightings[watcher->count++] = (struct sighting){.chip = watched->chip,
		.line = watch_lines_number(&watcher->lines, &line),
		.tile = watched->tile,
		.processor = watched->processor};
}

void watcher_see(struct watcher *watcher, uint32_t chip, const struct stage *stage, bool blocked)
{
	struct watched_processor watched;

	watcher_look(chip, stage, blocked, &watched);
	watcher_add(watcher, &watched);
}

/* ---- cores in the same state ---- */

static int order(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_sightings(const void *left, const void *right)
{
	const struct sighting *a = left, *b = right;
	int by = order(a->chip, b->chip);

	if (by == 0)
		by = order(a->tile, b->tile);
	if (by == 0)
		by = order(a->processor, b->processor);
	return by != 0 ? by : order(a->line, b->line);
}

/* Compares the states of two cores. All idle cores are equal, and come last. */
static int compare_state(const struct watched_core *a, const struct watched_core *b)
{
	int by = order(a->idle, b->idle);

	if (by != 0 || a->idle)
		return by;
	by = order(a->count, b->count);
	for (uint32_t i = 0; by == 0 && i < a->count; i++)
		by = order(a->first[i].line, b->first[i].line);
	return by;
}

static int compare_cores(const void *left, const void *right)
{
	const struct watched_core *a = left, *b = right;
	int by = compare_state(a, b);

	return by != 0 ? by : compare_sightings(a->first, b->first);
}

/* A group of consecutive cores. */
struct watched_group {
	const struct watched_core *first;
	uint32_t count;
};

/* Compares groups by their first core. Groups of idle cores come last. */
static int compare_groups(const void *left, const void *right)
{
	const struct watched_group *a = left, *b = right;
	int by = order(a->first->idle, b->first->idle);

	return by != 0 ? by : compare_sightings(a->first->first, b->first->first);
}

static struct watched_core *watcher_cores_of(
	struct watcher *watcher, struct arena *arena, uint32_t *count)
{
	struct watched_core *cores = arena_array(arena, watcher->count, sizeof *cores);
	const struct sighting *end = watcher->sightings + watcher->count;

	*count = 0;
	for (const struct sighting *at = watcher->sightings; at < end;) {
		struct watched_core *core = &cores[(*count)++];

		*core = (struct watched_core){.first = at, .idle = true};
		for (; at < end && at->chip == core->first->chip && at->tile == core->first->tile;
			at++) {
			core->idle &= watcher->lines.items[at->line].idle;
			core->count++;
		}
	}
	qsort(cores, *count, sizeof *cores, compare_cores);
	return cores;
}

static struct watched_group *groups_of(
	const struct watched_core *cores, uint32_t core_count, struct arena *arena, uint32_t *count)
{
	struct watched_group *groups = arena_array(arena, core_count, sizeof *groups);

	*count = 0;
	for (uint32_t i = 0; i < core_count; i++) {
		if (i == 0 || compare_state(&cores[i - 1], &cores[i]) != 0)
			groups[(*count)++] = (struct watched_group){&cores[i], 0};
		groups[*count - 1].count++;
	}
	qsort(groups, *count, sizeof *groups, compare_groups);
	return groups;
}

/* ---- rows ---- */

static int compare_numbers(const void *left, const void *right)
{
	return order(*(const uint32_t *)left, *(const uint32_t *)right);
}

static uint32_t unlike(uint32_t *numbers, uint32_t count)
{
	uint32_t left = 0;

	qsort(numbers, count, sizeof *numbers, compare_numbers);
	for (uint32_t i = 0; i < count; i++)
		if (left == 0 || numbers[i] != numbers[left - 1])
			numbers[left++] = numbers[i];
	return left;
}

/* Returns a row with the places of a group's cores. */
static struct watch_row watcher_place_of(
	const struct watched_group *group, uint32_t number, uint32_t *scratch)
{
	struct watch_row place = {.group = number, .cores = group->count};

	for (uint32_t i = 0; i < group->count; i++)
		scratch[i] = group->first[i].first->chip;
	place.chip_count = unlike(scratch, group->count);
	watch_ranges(scratch, place.chip_count, place.chips, sizeof place.chips);
	for (uint32_t i = 0; i < group->count; i++)
		scratch[i] = group->first[i].first->tile;
	watch_ranges(scratch, unlike(scratch, group->count), place.tiles, sizeof place.tiles);
	return place;
}

static struct watch_row watcher_row_of(const struct watch_row *place, const struct watch_row *line)
{
	struct watch_row row = *line;

	row.group = place->group;
	row.cores = place->cores;
	row.chip_count = place->chip_count;
	memcpy(row.chips, place->chips, sizeof row.chips);
	memcpy(row.tiles, place->tiles, sizeof row.tiles);
	return row;
}

/* Makes the only row of a group of idle cores, or of all groups that were not kept. */
static struct watch_row row_alone(struct watch_row place, const char *processor, const char *state)
{
	place.instruction = -1;
	snprintf(place.processor, sizeof place.processor, "%s", processor);
	snprintf(place.state, sizeof place.state, "%s", state);
	return place;
}

static uint32_t rows_needed(const struct watched_group *groups, uint32_t count)
{
	uint32_t rows = 1;

	for (uint32_t i = 0; i < count && i < WATCHER_GROUPS_MAX; i++)
		rows += groups[i].first->idle ? 1 : groups[i].first->count;
	return rows;
}

struct watch_row *watcher_rows(struct watcher *watcher, struct arena *arena, uint32_t *count)
{
	uint32_t core_count, group_count, left_out = 0;
	struct watched_core *cores;
	struct watched_group *groups;
	struct watch_row *rows;
	uint32_t *scratch = arena_array(arena, watcher->count, sizeof *scratch);

	*count = 0;
	qsort(watcher->sightings, watcher->count, sizeof *watcher->sightings, compare_sightings);
	cores = watcher_cores_of(watcher, arena, &core_count);
	groups = groups_of(cores, core_count, arena, &group_count);
	rows = arena_array(arena, rows_needed(groups, group_count), sizeof *rows);
	for (uint32_t i = 0; i < group_count; i++) {
		const struct watched_core *first = groups[i].first;
		struct watch_row place;

		if (i >= WATCHER_GROUPS_MAX) {
			left_out += groups[i].count;
			continue;
		}
		place = watcher_place_of(&groups[i], i, scratch);
		if (first->idle)
			rows[(*count)++] = row_alone(place, "all", "idle");
		for (uint32_t s = 0; !first->idle && s < first->count; s++)
			rows[(*count)++] = watcher_row_of(
				&place, &watcher->lines.items[first->first[s].line].row);
	}
	if (left_out > 0)
		rows[(*count)++] = row_alone(
			(struct watch_row){.group = WATCHER_GROUPS_MAX, .cores = left_out}, "all",
			"others");
	return rows;
}
