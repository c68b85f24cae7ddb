/* Collects slices and distributes them over lanes (picture.h). Callers must not add a slice whose
 * end is before its start. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

enum { LEAST = 64 };

struct track {
	uint32_t process;
	const char *name;
	bool is_counter;
};

struct placed {
	struct picture_slice slice;
	uint32_t track, lane;
	uint64_t order;
};

struct step {
	int64_t time, step;
	uint32_t counter;
	uint64_t order;
};

/* A list in the arena. When it is full, it is copied to a place with twice the capacity. The old
 * copies stay in the arena; together they are not larger than the list. */
struct list {
	void *at;
	uint64_t count, capacity;
};

struct picture {
	struct arena *arena;
	struct list processes, tracks, slices, steps;
};

static void *picture_add(struct picture *picture, struct list *list, size_t size)
{
	if (list->count == list->capacity) {
		uint64_t capacity = list->capacity ? 2 * list->capacity : LEAST;
		void *at = arena_array(picture->arena, capacity, size);
		if (list->count)
			memcpy(at, list->at, list->count * size);
		list->at = at;
		list->capacity = capacity;
	}
	return (char *)list->at + list->count++ * size;
}

struct picture *picture_new(struct arena *arena)
{
	struct picture *picture = arena_alloc(arena, sizeof(*picture));

	picture->arena = arena;
	return picture;
}

uint32_t picture_process(struct picture *picture, const char *name)
{
	*(const char **)picture_add(picture, &picture->processes, sizeof(char *)) =
		arena_string(picture->arena, name);
	return (uint32_t)picture->processes.count - 1;
}

static uint32_t add_track(
	struct picture *picture, uint32_t process, const char *name, bool is_counter)
{
	ensure(process < picture->processes.count, "process %u", process);
	*(struct track *)picture_add(picture, &picture->tracks, sizeof(struct track)) =
		(struct track){process, arena_string(picture->arena, name), is_counter};
	return (uint32_t)picture->tracks.count - 1;
}

uint32_t picture_track(struct picture *picture, uint32_t process, const char *name)
{
	return add_track(picture, process, name, false);
}

uint32_t picture_counter(struct picture *picture, uint32_t process, const char *name)
{
	return add_track(picture, process, name, true);
}

void picture_slice(struct picture *picture, uint32_t track, const struct picture_slice *slice)
{
	struct placed *placed;

	ensure(slice->end >= slice->start, "slice '%s' from %lld to %lld", slice->name,
		(long long)slice->start, (long long)slice->end);
	placed = picture_add(picture, &picture->slices, sizeof(*placed));
	*placed = (struct placed){.slice = *slice, .track = track, .order = picture->slices.count};
	picture_number(&placed->slice, "duration_ps", slice->end - slice->start);
}

void picture_number(struct picture_slice *slice, const char *key, int64_t number)
{
	ensure(slice->argument_count < PICTURE_ARGUMENTS_MAX, "argument '%s'", key);
	slice->arguments[slice->argument_count++] =
		(struct picture_argument){.key = key, .number = number};
}

void picture_text(struct picture_slice *slice, const char *key, const char *text)
{
	ensure(slice->argument_count < PICTURE_ARGUMENTS_MAX, "argument '%s'", key);
	slice->arguments[slice->argument_count++] =
		(struct picture_argument){.key = key, .text = text};
}

void picture_count(struct picture *picture, uint32_t counter, int64_t time, int64_t change)
{
	struct step *step = picture_add(picture, &picture->steps, sizeof(*step));

	*step = (struct step){time, change, counter, picture->steps.count};
}

/* ---- the plan ---- */

static int picture_by_track(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->slice.start != y->slice.start)
		return x->slice.start < y->slice.start ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static int by_counter(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->counter != y->counter)
		return x->counter < y->counter ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* An event, and its number in the order in which events were added. Events of one lane that have
 * the same time must stay in this order. */
struct ordered {
	struct picture_event event;
	uint64_t order;
};

static int picture_by_time(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->event.time != y->event.time)
		return x->event.time < y->event.time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Puts each slice of a track into the first lane that is free when the slice starts. Lanes are
 * numbered from 0. Returns the number of lanes. `ends` must have as many entries as there are
 * slices. */
static uint32_t picture_lay(struct placed *slices, uint64_t count, int64_t *ends)
{
	uint32_t lanes = 0;

	for (uint64_t i = 0; i < count; i++) {
		uint32_t lane = 0;
		while (lane < lanes && ends[lane] > slices[i].slice.start)
			lane++;
		lanes += lane == lanes;
		ends[lane] = slices[i].slice.end;
		slices[i].lane = lane;
	}
	return lanes;
}

struct planner {
	struct picture *picture;
	struct picture_plan plan;
	struct ordered *events;
	uint64_t count;
};

static void add_event(struct planner *planner, struct picture_event event)
{
	planner->events[planner->count] = (struct ordered){event, planner->count};
	planner->count++;
}

/* Adds the lanes of a track, at least one, and the events of the track's slices. Returns the number
 * of these slices. */
static uint64_t plan_slices(struct planner *planner, uint32_t track, struct placed *slices,
	uint64_t count, int64_t *ends)
{
	uint32_t first = planner->plan.lane_count, lanes;
	uint64_t mine = 0;

	while (mine < count && slices[mine].track == track)
		mine++;
	lanes = picture_lay(slices, mine, ends);
	planner->plan.lane_count += lanes ? lanes : 1;
	for (uint64_t i = 0; i < mine; i++) {
		const struct picture_slice *slice = &slices[i].slice;
		uint32_t lane = first + slices[i].lane;
		add_event(
			planner, (struct picture_event){slice->start, EVENT_BEGIN, lane, 0, slice});
		add_event(planner, (struct picture_event){slice->end, EVENT_END, lane, 0, slice});
	}
	return mine;
}

/* Adds one event for each time at which a counter changes. Returns the number of its steps. */
static uint64_t plan_steps(
	struct planner *planner, uint32_t track, const struct step *steps, uint64_t count)
{
	uint32_t lane = planner->plan.lane_count++;
	uint64_t mine = 0;
	int64_t value = 0;

	for (; mine < count && steps[mine].counter == track; mine++) {
		value += steps[mine].step;
		if (mine + 1 < count && steps[mine + 1].counter == track &&
			steps[mine + 1].time == steps[mine].time)
			continue;
		add_event(planner,
			(struct picture_event){steps[mine].time, EVENT_COUNT, lane, value, NULL});
	}
	return mine;
}

static void name_lanes(struct planner *planner, const struct track *track, uint32_t first)
{
	for (uint32_t lane = first; lane < planner->plan.lane_count; lane++)
		planner->plan.lanes[lane] =
			(struct picture_lane){track->process, track->name, track->is_counter};
}

struct picture_plan picture_plan(struct picture *picture)
{
	struct arena *arena = picture->arena;
	struct placed *slices = picture->slices.at;
	struct step *steps = picture->steps.at;
	const struct track *tracks = picture->tracks.at;
	uint64_t slice_at = 0, step_at = 0;
	uint64_t most = 2 * picture->slices.count + picture->steps.count;
	int64_t *ends = arena_array(arena, picture->slices.count, sizeof(*ends));
	struct planner planner = {.picture = picture,
		.plan = {.processes = picture->processes.at,
			.process_count = (uint32_t)picture->processes.count,
			.lanes = arena_array(arena, picture->slices.count + picture->tracks.count,
				sizeof(struct picture_lane))},
		.events = arena_array(arena, most, sizeof(struct ordered))};

	if (picture->slices.count)
		qsort(slices, picture->slices.count, sizeof(*slices), picture_by_track);
	if (picture->steps.count)
		qsort(steps, picture->steps.count, sizeof(*steps), by_counter);
	for (uint32_t track = 0; track < picture->tracks.count; track++) {
		uint32_t first = planner.plan.lane_count;
		if (tracks[track].is_counter)
			step_at += plan_steps(
				&planner, track, steps + step_at, picture->steps.count - step_at);
		else
			slice_at += plan_slices(&planner, track, slices + slice_at,
				picture->slices.count - slice_at, ends);
		name_lanes(&planner, &tracks[track], first);
	}
	qsort(planner.events, planner.count, sizeof(*planner.events), picture_by_time);
	planner.plan.events = arena_array(arena, planner.count, sizeof(struct picture_event));
	planner.plan.event_count = planner.count;
	for (uint64_t i = 0; i < planner.count; i++)
		planner.plan.events[i] = planner.events[i].event;
	return planner.plan;
}
