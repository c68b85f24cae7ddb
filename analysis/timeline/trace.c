/* Collects slices and lays them into lanes, see trace.h. A slice that ends before it starts is a
 * bug of the caller. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "trace_private.h"

enum { LEAST = 64 };

struct track {
	uint32_t process;
	const char *name;
	bool is_counter;
};

struct placed {
	struct trace_slice slice;
	uint32_t track, lane;
	uint64_t order;
};

struct step {
	int64_t time, step;
	uint32_t counter;
	uint64_t order;
};

/* Grows by doubling in the arena; what it leaves behind is as much again. */
struct list {
	void *at;
	uint64_t count, capacity;
};

struct trace {
	struct arena *arena;
	struct list processes, tracks, slices, steps;
};

static void *add(struct trace *trace, struct list *list, size_t size)
{
	if (list->count == list->capacity) {
		uint64_t capacity = list->capacity ? 2 * list->capacity : LEAST;
		void *at = arena_array(trace->arena, capacity, size);
		if (list->count)
			memcpy(at, list->at, list->count * size);
		list->at = at;
		list->capacity = capacity;
	}
	return (char *)list->at + list->count++ * size;
}

struct trace *trace_new(struct arena *arena)
{
	struct trace *trace = arena_alloc(arena, sizeof(*trace));

	trace->arena = arena;
	return trace;
}

uint32_t trace_process(struct trace *trace, const char *name)
{
	*(const char **)add(trace, &trace->processes, sizeof(char *)) =
		arena_string(trace->arena, name);
	return (uint32_t)trace->processes.count - 1;
}

static uint32_t add_track(struct trace *trace, uint32_t process, const char *name, bool is_counter)
{
	ensure(process < trace->processes.count, "process %u", process);
	*(struct track *)add(trace, &trace->tracks, sizeof(struct track)) =
		(struct track){process, arena_string(trace->arena, name), is_counter};
	return (uint32_t)trace->tracks.count - 1;
}

uint32_t trace_track(struct trace *trace, uint32_t process, const char *name)
{
	return add_track(trace, process, name, false);
}

uint32_t trace_counter(struct trace *trace, uint32_t process, const char *name)
{
	return add_track(trace, process, name, true);
}

void trace_slice(struct trace *trace, uint32_t track, const struct trace_slice *slice)
{
	struct placed *placed;

	ensure(slice->end >= slice->start, "slice '%s' from %lld to %lld", slice->name,
		(long long)slice->start, (long long)slice->end);
	placed = add(trace, &trace->slices, sizeof(*placed));
	*placed = (struct placed){.slice = *slice, .track = track, .order = trace->slices.count};
	trace_number(&placed->slice, "duration_ps", slice->end - slice->start);
}

void trace_number(struct trace_slice *slice, const char *key, int64_t number)
{
	ensure(slice->argument_count < TRACE_ARGUMENTS_MAX, "argument '%s'", key);
	slice->arguments[slice->argument_count++] =
		(struct trace_argument){.key = key, .number = number};
}

void trace_text(struct trace_slice *slice, const char *key, const char *text)
{
	ensure(slice->argument_count < TRACE_ARGUMENTS_MAX, "argument '%s'", key);
	slice->arguments[slice->argument_count++] =
		(struct trace_argument){.key = key, .text = text};
}

void trace_count(struct trace *trace, uint32_t counter, int64_t time, int64_t change)
{
	struct step *step = add(trace, &trace->steps, sizeof(*step));

	*step = (struct step){time, change, counter, trace->steps.count};
}

/* ---- the plan ---- */

static int by_track(const void *a, const void *b)
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

/* Events of a lane are added in their order, and must keep it at equal times. */
struct ordered {
	struct trace_event event;
	uint64_t order;
};

static int by_time(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->event.time != y->event.time)
		return x->event.time < y->event.time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Lane numbers of one track's slices, from 0; gives their count. */
static uint32_t lay(struct placed *slices, uint64_t count, int64_t *ends)
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
	struct trace *trace;
	struct trace_plan plan;
	struct ordered *events;
	uint64_t count;
};

static void add_event(struct planner *planner, struct trace_event event)
{
	planner->events[planner->count] = (struct ordered){event, planner->count};
	planner->count++;
}

/* All slices of a track, lane by lane. Gives the number of its slices. */
static uint64_t plan_slices(struct planner *planner, uint32_t track, struct placed *slices,
	uint64_t count, int64_t *ends)
{
	uint32_t first = planner->plan.lane_count, lanes;
	uint64_t mine = 0;

	while (mine < count && slices[mine].track == track)
		mine++;
	lanes = lay(slices, mine, ends);
	planner->plan.lane_count += lanes ? lanes : 1;
	for (uint64_t i = 0; i < mine; i++) {
		const struct trace_slice *slice = &slices[i].slice;
		uint32_t lane = first + slices[i].lane;
		add_event(planner, (struct trace_event){slice->start, EVENT_BEGIN, lane, 0, slice});
		add_event(planner, (struct trace_event){slice->end, EVENT_END, lane, 0, slice});
	}
	return mine;
}

/* One event per time at which the counter changes. Gives the number of its steps. */
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
			(struct trace_event){steps[mine].time, EVENT_COUNT, lane, value, NULL});
	}
	return mine;
}

static void name_lanes(struct planner *planner, const struct track *track, uint32_t first)
{
	for (uint32_t lane = first; lane < planner->plan.lane_count; lane++)
		planner->plan.lanes[lane] =
			(struct trace_lane){track->process, track->name, track->is_counter};
}

struct trace_plan trace_plan(struct trace *trace)
{
	struct arena *arena = trace->arena;
	struct placed *slices = trace->slices.at;
	struct step *steps = trace->steps.at;
	const struct track *tracks = trace->tracks.at;
	uint64_t slice_at = 0, step_at = 0;
	uint64_t most = 2 * trace->slices.count + trace->steps.count;
	int64_t *ends = arena_array(arena, trace->slices.count, sizeof(*ends));
	struct planner planner = {.trace = trace,
		.plan = {.processes = trace->processes.at,
			.process_count = (uint32_t)trace->processes.count,
			.lanes = arena_array(arena, trace->slices.count + trace->tracks.count,
				sizeof(struct trace_lane))},
		.events = arena_array(arena, most, sizeof(struct ordered))};

	if (trace->slices.count)
		qsort(slices, trace->slices.count, sizeof(*slices), by_track);
	if (trace->steps.count)
		qsort(steps, trace->steps.count, sizeof(*steps), by_counter);
	for (uint32_t track = 0; track < trace->tracks.count; track++) {
		uint32_t first = planner.plan.lane_count;
		if (tracks[track].is_counter)
			step_at += plan_steps(
				&planner, track, steps + step_at, trace->steps.count - step_at);
		else
			slice_at += plan_slices(&planner, track, slices + slice_at,
				trace->slices.count - slice_at, ends);
		name_lanes(&planner, &tracks[track], first);
	}
	qsort(planner.events, planner.count, sizeof(*planner.events), by_time);
	planner.plan.events = arena_array(arena, planner.count, sizeof(struct trace_event));
	planner.plan.event_count = planner.count;
	for (uint64_t i = 0; i < planner.count; i++)
		planner.plan.events[i] = planner.events[i].event;
	return planner.plan;
}
