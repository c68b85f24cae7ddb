/* The agenda of a chip (agenda.h): a sorted array, filled from both ends, and a short stack of
 * times at which the engine will call. An entry is never taken back. */
#include "chip/machine/agenda.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "chip/tile/tile.h"
#include "engine/engine.h"

void sim_agenda_init(struct agenda *agenda, sim_step_over *over)
{
	*agenda = (struct agenda){.over = over};
}

void sim_agenda_fini(struct agenda *agenda)
{
	free(agenda->entries);
	free(agenda->armed_ps);
}

/* Room at both ends: entries in the middle of an array four times as long. */
static void make_room(struct agenda *agenda)
{
	uint32_t count = agenda->end - agenda->first, first;
	struct agenda_entry *entries = agenda->entries;

	if (agenda->capacity <= 4 * count) {
		agenda->capacity = agenda->capacity ? 2 * agenda->capacity : 16;
		entries = malloc(agenda->capacity * sizeof *entries);
		ensure(entries != NULL, "no memory for %u steps", agenda->capacity);
	}
	first = (agenda->capacity - count) / 2;
	if (count > 0)
		memmove(entries + first, agenda->entries + agenda->first, count * sizeof *entries);
	if (entries != agenda->entries)
		free(agenda->entries);
	agenda->entries = entries;
	agenda->first = first;
	agenda->end = first + count;
}

/* Lines of cache that a stage takes with what firmware keeps behind it. */
enum { STAGE_LINES = 3 };

/* What the record of a stage points to. */
static void fetch(const struct runner *runner)
{
	for (int line = 0; line < STAGE_LINES; line++)
		__builtin_prefetch((const char *)runner->stage + line * CACHE_LINE);
	__builtin_prefetch(&runner->tile->out);
	sim_tile_fetch(runner->tile);
}

/* What its tile points to. */
static void fetch_more(const struct runner *runner)
{
	__builtin_prefetch(runner->tile->hot);
	sim_tile_fetch_read(runner->tile);
}

/* The next steps are seldom in the cache: fetches the record of one, what the record of a nearer
 * one points to, and what that in turn points to for the nearest. */
static void look_ahead(const struct agenda *agenda)
{
	const struct agenda_entry *next = &agenda->entries[agenda->first];
	uint32_t count = agenda->end - agenda->first;

	if (count > 2)
		__builtin_prefetch(next[2].runner);
	if (count > 1)
		fetch(next[1].runner);
	if (count > 0)
		fetch_more(next[0].runner);
}

static void agenda_event(void *subject, uint64_t argument);

static void arm(struct agenda *agenda, int64_t at_ps)
{
	if (agenda->armed_count > 0 && agenda->armed_ps[agenda->armed_count - 1] <= at_ps)
		return;
	if (agenda->armed_count == agenda->armed_capacity) {
		agenda->armed_capacity = agenda->armed_capacity ? 2 * agenda->armed_capacity : 8;
		agenda->armed_ps = realloc(
			agenda->armed_ps, agenda->armed_capacity * sizeof *agenda->armed_ps);
		ensure(agenda->armed_ps != NULL, "no memory for %u times", agenda->armed_capacity);
	}
	agenda->armed_ps[agenda->armed_count++] = at_ps;
	engine_push(at_ps, agenda_event, agenda, 0);
}

static void agenda_event(void *subject, uint64_t argument)
{
	struct agenda *agenda = subject;
	int64_t now_ps = engine_now();

	(void)argument;
	agenda->armed_count--;
	agenda->running = true;
	while (agenda->first < agenda->end && agenda->entries[agenda->first].at_ps == now_ps) {
		struct agenda_entry entry = agenda->entries[agenda->first++];

		agenda->over(entry.runner, entry.cycles);
	}
	agenda->running = false;
	look_ahead(agenda);
	if (agenda->first < agenda->end)
		arm(agenda, agenda->entries[agenda->first].at_ps);
}

/* Opens a place for `at_ps` behind all that is not later, and returns it: what is before it moves
 * down, or what is behind it up, whichever is less. Firmware's steps come next, kernels last. */
static uint32_t open_place(struct agenda *agenda, int64_t at_ps)
{
	struct agenda_entry *entries = agenda->entries;
	uint32_t middle = agenda->first + (agenda->end - agenda->first) / 2, at;

	if (middle < agenda->end && at_ps < entries[middle].at_ps) {
		for (at = --agenda->first; entries[at + 1].at_ps <= at_ps; at++)
			entries[at] = entries[at + 1];
	} else {
		at = agenda->end++;
		for (; at > agenda->first && entries[at - 1].at_ps > at_ps; at--)
			entries[at] = entries[at - 1];
	}
	return at;
}

void sim_agenda_put(struct agenda *agenda, int64_t at_ps, struct runner *runner, uint64_t cycles)
{
	uint32_t at;

	if (agenda->end == agenda->capacity || agenda->first == 0)
		make_room(agenda);
	at = open_place(agenda, at_ps);
	agenda->entries[at] = (struct agenda_entry){at_ps, runner, cycles};
	if (at == agenda->first && !agenda->running)
		arm(agenda, at_ps);
}
