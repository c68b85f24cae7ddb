/* The atomic unit of a tile. Increments take turns in order of arrival, and each turn takes time.
 * With `model.cores: chip`, increments can be announced before they arrive. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "chip/machine/network.h"
#include "chip/tile/scheduler.h"
#include "words.h"

void sim_atomic_apply(struct tile *tile, const struct arrival *arrival)
{
	uint32_t value = arrival->value;

	if (arrival->increment)
		value += sim_word_get(tile, arrival->address);
	sim_word_put(tile, arrival->address, value);
}

int64_t sim_tile_turn_ps(const struct tile *tile, int64_t *at_ps, int64_t free_ps)
{
	const struct cluster *cluster = tile->device->cluster;

	if (cluster->network->contention && free_ps > *at_ps)
		*at_ps = free_ps;
	return *at_ps + cluster->timing.noc_atomic_ps;
}

cause_id sim_arrival_cause(const struct tile *tile, const struct arrival *arrival)
{
	const struct cause_note *note = NULL;

	if (arrival->cause != CAUSE_NONE || arrival->source == TILE_ANY)
		return cause_hold(arrival->cause);
	for (const struct task *task = tile->device->tiles[arrival->source].tasks; task != NULL;
		task = task->next)
		if (task->increment.parent != CAUSE_NONE &&
			task->increment.at_ps <= arrival->at_ps &&
			(note == NULL || task->increment.at_ps > note->at_ps))
			note = &task->increment;
	return note != NULL ? cause_recall(note) : CAUSE_NONE;
}

void sim_atomic_take_turn(struct tile *tile, struct arrival *arrival)
{
	struct atomic_unit *unit = tile->atomic;
	int64_t came_ps = arrival->at_ps;

	unit->increments++;
	unit->busy_until_ps = sim_tile_turn_ps(tile, &arrival->at_ps, unit->busy_until_ps);
	unit->waited_ps += arrival->at_ps - came_ps;
}

void sim_atomic_append(struct atomic_unit *unit, const struct arrival *arrival)
{
	if (unit->count == unit->capacity)
		unit->arrivals = sim_ring_grow(
			unit->arrivals, sizeof *unit->arrivals, unit->first, &unit->capacity, 16);
	unit->arrivals[(unit->first + unit->count++) & (unit->capacity - 1)] = *arrival;
}

/* ---- increments that come together ---- */

struct arrival sim_atomic_together(const struct atomic_unit *unit, uint32_t i)
{
	const struct turns_coming *coming = &unit->together;
	bool last = i + 1 == coming->times->count;

	return (struct arrival){coming->base_ps + coming->times->start_ps[i], coming->address, 1,
		true, TILE_ANY, last ? coming->cause_of_last : coming->cause};
}

static void together_end(struct turns_coming *coming)
{
	cause_release(coming->cause);
	cause_release(coming->cause_of_last);
	*coming = (struct turns_coming){.times = NULL};
}

static void together_turns(struct tile *tile)
{
	struct atomic_unit *unit = tile->atomic;
	struct turns_coming *coming = &unit->together;
	const struct turn_times *times = coming->times;
	int64_t passed_ps = engine_now() - coming->base_ps;
	uint32_t arrived = coming->arrived, applied = coming->applied;

	if (arrived == 0 && times->start_ps[times->count - 1] <= passed_ps) {
		unit->waited_ps += times->waited_ps;
		arrived = applied = times->count;
	}
	for (; arrived < times->count && times->arrive_ps[arrived] <= passed_ps; arrived++)
		unit->waited_ps += times->start_ps[arrived] - times->arrive_ps[arrived];
	if (arrived > coming->arrived)
		unit->busy_until_ps = coming->base_ps + times->start_ps[arrived - 1] +
				      tile->device->cluster->timing.noc_atomic_ps;
	unit->increments += arrived - coming->arrived;
	while (applied < arrived && times->start_ps[applied] <= passed_ps)
		applied++;
	if (applied > coming->applied)
		sim_word_put(tile, coming->address,
			sim_word_get(tile, coming->address) + applied - coming->applied);
	coming->arrived = arrived;
	coming->applied = applied;
	if (applied == times->count)
		together_end(coming);
}

void sim_atomic_spread(struct tile *tile)
{
	struct atomic_unit *unit = tile->atomic;
	struct turns_coming coming = unit->together;
	struct arrival arrival;

	for (uint32_t i = coming.applied; i < coming.arrived; i++) {
		arrival = sim_atomic_together(unit, i);
		cause_hold(arrival.cause);
		sim_atomic_append(unit, &arrival);
	}
	for (uint32_t i = coming.times->count; i-- > coming.arrived;) {
		arrival = sim_atomic_together(unit, i);
		arrival.at_ps = coming.base_ps + coming.times->arrive_ps[i];
		cause_hold(arrival.cause);
		sim_atomic_add_coming(tile, &arrival, 1);
	}
	together_end(&unit->together);
}

/* Counts an increment that arrives without an event. */
static void single_arrives(struct tile *tile, const struct arrival *arrival)
{
	tile->atomic->single--;
	engine_count_event();
	sim_settles_at(tile->device->cluster, arrival->at_ps);
}

static void turn_comes(struct tile *tile, const struct arrival *arrival)
{
	sim_atomic_apply(tile, arrival);
	cause_release(arrival->cause);
}

void sim_tile_turns(struct tile *tile)
{
	struct atomic_unit *unit = tile->atomic;
	int64_t now_ps = engine_now();

	while (unit->coming_count > 0 && sim_atomic_next(unit)->at_ps <= now_ps) {
		struct arrival arrival = *sim_atomic_next(unit);

		unit->coming_count--;
		sim_atomic_take_turn(tile, &arrival);
		if (arrival.source != TILE_ANY)
			single_arrives(tile, &arrival);
		if (unit->count == 0 && arrival.at_ps <= now_ps)
			turn_comes(tile, &arrival);
		else
			sim_atomic_append(unit, &arrival);
	}
	while (unit->count > 0 && unit->arrivals[unit->first].at_ps <= now_ps) {
		turn_comes(tile, &unit->arrivals[unit->first]);
		unit->first = (unit->first + 1) & (unit->capacity - 1);
		unit->count--;
	}
	if (unit->together.times != NULL)
		together_turns(tile);
}

struct atomic_unit *sim_atomic_of(struct tile *tile)
{
	if (tile->atomic == NULL) {
		tile->atomic = sim_pool_take(&tile->device->cluster->atomic_units);
		memset(tile->atomic, 0, sizeof *tile->atomic);
	}
	return tile->atomic;
}

void sim_atomic_settle_coming(const struct tile *tile)
{
	const struct atomic_unit *unit = tile->atomic;
	int64_t free_ps = unit->busy_until_ps, at_ps = 0;

	for (uint32_t i = unit->coming_count; i-- > 0;) {
		at_ps = unit->coming[unit->coming_first + i].at_ps;
		free_ps = sim_tile_turn_ps(tile, &at_ps, free_ps);
	}
	if (unit->together.times != NULL)
		at_ps = unit->together.base_ps +
			unit->together.times->start_ps[unit->together.times->count - 1];
	sim_settles_at(tile->device->cluster, at_ps);
}

/* Makes room in the array of announced increments: for one before the first entry, and for `count`
 * after the last. */
static void coming_make_room(struct atomic_unit *unit, uint32_t count)
{
	uint32_t total = unit->coming_count + count + 1, first;

	if (2 * total > unit->coming_capacity) {
		unit->coming_capacity = 4 * total;
		unit->coming =
			allocate_more(unit->coming, unit->coming_capacity, sizeof *unit->coming);
	}
	first = (unit->coming_capacity - unit->coming_count - count) / 2;
	if (unit->coming_count > 0)
		memmove(unit->coming + first, unit->coming + unit->coming_first,
			unit->coming_count * sizeof *unit->coming);
	unit->coming_first = first;
}

void sim_atomic_add_coming(struct tile *tile, const struct arrival *arrivals, uint32_t count)
{
	struct atomic_unit *unit = tile->atomic;
	uint32_t end = unit->coming_first + unit->coming_count;

	if (end + count > unit->coming_capacity) {
		coming_make_room(unit, count);
		end = unit->coming_first + unit->coming_count;
	}
	for (uint32_t i = count; i-- > 0;) {
		uint32_t at = end++;

		sim_word_check(tile, arrivals[i].address);
		for (; at > unit->coming_first && unit->coming[at - 1].at_ps < arrivals[i].at_ps;
			at--)
			unit->coming[at] = unit->coming[at - 1];
		unit->coming[at] = arrivals[i];
	}
	unit->coming_count += count;
}

void sim_atomic_add_single(struct atomic_unit *unit, const struct arrival *arrival)
{
	uint32_t at;

	if (unit->coming_first == 0)
		coming_make_room(unit, 0);
	at = --unit->coming_first;
	unit->coming_count++;
	unit->single++;
	for (uint32_t end = unit->coming_first + unit->coming_count;
		at + 1 < end && unit->coming[at + 1].at_ps > arrival->at_ps; at++)
		unit->coming[at] = unit->coming[at + 1];
	unit->coming[at] = *arrival;
}

bool sim_tile_single_take(struct tile *tile, struct arrival *arrival)
{
	struct atomic_unit *unit = tile->atomic;
	uint32_t at, end;

	if (unit == NULL || unit->single == 0)
		return false;
	sim_tile_turns(tile);
	if (unit->single == 0)
		return false;
	end = unit->coming_first + unit->coming_count;
	at = end - 1;
	while (unit->coming[at].source == TILE_ANY)
		at--;
	*arrival = unit->coming[at];
	memmove(unit->coming + at, unit->coming + at + 1, (end - at - 1) * sizeof *unit->coming);
	unit->coming_count--;
	unit->single--;
	return true;
}

bool sim_atomic_is_busy(struct tile *tile)
{
	sim_tile_catch_up(tile);
	return tile->atomic != NULL &&
	       (tile->atomic->count > 0 ||
		       tile->atomic->together.arrived > tile->atomic->together.applied);
}
