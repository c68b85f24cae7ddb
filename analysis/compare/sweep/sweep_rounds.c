/* Measures the rounds of a loop as a whole, and the spans of a repeat (sweep_loops.h). */
#include "analysis/compare/sweep_loops.h"

#include <string.h>

#include "base/table/order.h"

enum { PERCENT_ONE = 90 }; /* share of rounds that a thread must end to be charged for all rounds */

/* One round of the whole loop. */
struct round {
	int64_t end;   /* time at which all operations of the round were known to be complete */
	uint32_t last; /* index of the operation that was known to be complete last */
	bool warm;
};

/* A part of a round: one step of the loop. `called` is the time of its last call in the round,
 * `end` the time at which the host knew that all its calls of the round were complete. */
struct part_round {
	int64_t called, end;
};

struct rounds {
	struct round *at;
	struct part_round *parts; /* [part * count + round] */
	uint32_t count;
	bool by_ends; /* true: operations end when they are complete, not when the host knows it */
	uint32_t first[SWEEP_PARTS_MAX]; /* [part]: index of the part's first operation */
	/* `calls` counts the first call of each part (step) in each measured round. `waited` counts
	 * those of them that came only when the host knew that the same part of the previous round
	 * was complete. */
	uint32_t calls, waited;
	int64_t begin; /* time of the first call of the loop */
	bool measured; /* true: measured on a machine, not simulated */
	struct sweep_thread_rounds threads[SWEEP_PARTS_MAX];
	uint32_t thread_count;
};

/* Counts the rounds. Returns false if there are none, or if the numbers of calls of the steps do
 * not give the same number of rounds. Ignores a step that the run does not call at all, unless its
 * kind is `kind`. */
static bool count_rounds(const struct operations *operations, const struct sweep_whole *whole,
	const char *kind, struct rounds *rounds)
{
	uint32_t calls[SWEEP_PARTS_MAX + 1] = {0};
	bool good = true;

	for (uint32_t i = operations->count; i-- > 0;) {
		uint32_t part = sweep_whole_part(whole, &operations->at[i]);

		calls[part]++;
		if (part < whole->count)
			rounds->first[part] = i;
	}
	for (uint32_t p = 0; p < whole->count; p++) {
		uint32_t count = calls[p] / whole->at[p].each;

		if (calls[p] == 0 && strcmp(whole->at[p].kind, kind) != 0)
			continue;
		good &= count > 0 && calls[p] % whole->at[p].each == 0 &&
			(rounds->count == 0 || count == rounds->count);
		rounds->count = count;
	}
	return good && rounds->count > 0;
}

/* Returns the time at which the host knew that an operation was complete. If the host never knew
 * it, or if `by_ends` is set, returns the time at which the operation was complete. */
static int64_t sweep_rounds_end(const struct operations *operations, uint32_t index, bool by_ends)
{
	int64_t known = by_ends ? -1 : known_at(operations, index);

	return known >= 0 ? known : completed_at(&operations->at[index]);
}

static void add_to_part(struct part_round *part, int64_t called, int64_t end)
{
	if (end > part->end)
		part->end = end;
	if (called > part->called)
		part->called = called;
}

static void add_to_round(
	struct round *round, const struct operations *operations, uint32_t index, int64_t end)
{
	if (end > round->end) {
		round->end = end;
		round->last = index;
	}
	round->warm |= operations->at[index].warmup;
}

/* Fills in the counted rounds, with the ends that `by_ends` selects. */
static void fill_with_ends(
	const struct operations *operations, const struct sweep_whole *whole, struct rounds *rounds)
{
	uint32_t seen[SWEEP_PARTS_MAX] = {0};
	int64_t before[SWEEP_PARTS_MAX] = {0}, now[SWEEP_PARTS_MAX] = {0};

	for (uint32_t i = 0; i < operations->count; i++) {
		uint32_t part = sweep_whole_part(whole, &operations->at[i]);
		int64_t called = operations->at[i].marks[MARK_CALLED].last, end;
		struct round *round;

		if (part == whole->count)
			continue;
		end = sweep_rounds_end(operations, i, rounds->by_ends);
		round = &rounds->at[seen[part] / whole->at[part].each];
		if (rounds->begin < 0 || called < rounds->begin)
			rounds->begin = called;
		add_to_round(round, operations, i, end);
		add_to_part(&rounds->parts[part * rounds->count + (uint32_t)(round - rounds->at)],
			called, end);
		if (seen[part]++ % whole->at[part].each == 0) {
			before[part] = now[part];
			rounds->calls += !operations->at[i].warmup;
			rounds->waited += !operations->at[i].warmup && before[part] <= called;
		}
		now[part] = end > now[part] ? end : now[part];
	}
}

/* Fills in the rounds that count_rounds() counted. A round normally ends when the host knows that
 * its operations are complete. But if half of the rounds or more would then end at the same time as
 * the round before, each round ends when its operations are complete. */
static void fill_rounds(
	const struct operations *operations, const struct sweep_whole *whole, struct rounds *rounds)
{
	uint32_t distinct = 1;

	fill_with_ends(operations, whole, rounds);
	for (uint32_t r = 1; r < rounds->count; r++)
		distinct += rounds->at[r].end != rounds->at[r - 1].end;
	if (2 * (uint64_t)distinct > rounds->count)
		return;
	memset(rounds->at, 0, rounds->count * sizeof(*rounds->at));
	memset(rounds->parts, 0, whole->count * rounds->count * sizeof(*rounds->parts));
	rounds->calls = rounds->waited = 0;
	rounds->by_ends = true;
	fill_with_ends(operations, whole, rounds);
}

/* The part of a round that belongs to one thread. */
static struct part_round of_thread(const struct operations *operations,
	const struct sweep_whole *whole, const struct rounds *rounds, const char *thread,
	uint32_t round)
{
	struct part_round sum = {0, 0};

	for (uint32_t p = 0; p < whole->count; p++) {
		const struct part_round *part = &rounds->parts[p * rounds->count + round];

		if (part->end > 0 && strcmp(operations->at[rounds->first[p]].thread, thread) == 0)
			add_to_part(&sum, part->called, part->end);
	}
	return sum;
}

/* Returns the ends of a thread's measured rounds, in order. The first entry is the start of the
 * measurement: the end of the warm-up or, without warm-up, the first call of the loop. */
static struct completions series_of(const struct operations *operations,
	const struct sweep_whole *whole, const struct rounds *rounds, const char *thread,
	struct arena *arena)
{
	struct completions series = {
		.at = arena_array(arena, rounds->count + 2, sizeof(struct completion))};
	int64_t latest = rounds->begin;
	bool warm = true;

	series.at[series.count++] = (struct completion){latest, 1, latest};
	for (uint32_t r = 0; r < rounds->count; r++) {
		struct part_round own = of_thread(operations, whole, rounds, thread, r);

		latest = own.end > latest ? own.end : latest;
		warm &= rounds->at[r].warm;
		if (warm)
			series.count = 0;
		series.at[series.count++] = (struct completion){latest, 1, own.called};
	}
	return series;
}

static int64_t length_of(const struct completions *series)
{
	return series->at[series->count - 1].time - series->at[0].time;
}

/* True if no part before part `index` belongs to the thread of this part. */
static bool is_first_of_thread(
	const struct operations *operations, const struct rounds *rounds, uint32_t index)
{
	const char *thread = operations->at[rounds->first[index]].thread;

	for (uint32_t p = 0; p < index; p++)
		if (rounds->parts[p * rounds->count].end != 0 &&
			strcmp(operations->at[rounds->first[p]].thread, thread) == 0)
			return false;
	return true;
}

/* Returns the times at which the slowest thread ended its rounds, and lists all threads in
 * `rounds`. The slowest thread is the one whose rounds take longest. It determines the time of the
 * loop over many rounds. The thread that ends last may be another one, which was late in the first
 * rounds and is catching up. */
static struct completions slowest_series(const struct operations *operations,
	const struct sweep_whole *whole, struct rounds *rounds, struct arena *arena)
{
	struct completions slowest = {.count = 0};

	for (uint32_t p = 0; p < whole->count; p++) {
		const char *thread = operations->at[rounds->first[p]].thread;
		struct completions series;

		/* a part that this run does not call has no end */
		if (rounds->parts[p * rounds->count].end == 0 ||
			!is_first_of_thread(operations, rounds, p))
			continue;
		series = series_of(operations, whole, rounds, thread, arena);
		if (series.count > 1)
			rounds->threads[rounds->thread_count++] = (struct sweep_thread_rounds){
				thread, (double)length_of(&series) / (series.count - 1)};
		if (slowest.count == 0 || length_of(&series) > length_of(&slowest))
			slowest = series;
	}
	return slowest;
}

/* Returns the thread that ends nearly all rounds, or NULL. */
static const char *thread_of(const struct operations *operations, const struct rounds *rounds)
{
	const char *thread = operations->at[rounds->at[rounds->count - 1].last].thread;
	uint32_t count = 0;

	for (uint32_t r = 0; r < rounds->count; r++)
		count += strcmp(operations->at[rounds->at[r].last].thread, thread) == 0;
	return 100 * (uint64_t)count >= PERCENT_ONE * (uint64_t)rounds->count ? thread : NULL;
}

/* Finds a step by which the rounds of the loop can be timed. Each round calls this step exactly
 * once, in the thread that ends nearly all rounds. Prefers a step of kind `kind`. Returns the first
 * operation of the step, or NULL if there is no such step. */
static const struct operation *leader_of(const struct operations *operations,
	const struct sweep_whole *whole, const char *kind, const struct rounds *rounds)
{
	const char *thread = thread_of(operations, rounds);
	const struct operation *leader = NULL;

	for (uint32_t p = 0; thread && p < whole->count; p++) {
		const struct operation *first = &operations->at[rounds->first[p]];

		if (whole->at[p].each != 1 || strcmp(first->thread, thread) != 0 ||
			sweep_whole_part(whole, first) != p)
			continue;
		if (!leader || (strcmp(leader->kind, kind) != 0 && strcmp(first->kind, kind) == 0))
			leader = first;
	}
	return leader;
}

/* Sets the stages to those of the rounds that begin with the step `leader`. Multiplies the times
 * of all stages by one factor, so that their sum is `mean`, the mean of the measured values. */
static void take_stages(const struct operations *operations, const char *leader, double mean,
	struct arena *arena, struct measured *measured)
{
	struct samples samples = samples_take(operations, leader, METRIC_ROUND, arena);
	struct split sum;
	int64_t total;

	measured->has_stages = samples.count > 0 &&
			       samples_sum(operations, &samples, METRIC_ROUND, &sum, &total) &&
			       total > 0;
	for (int s = 0; measured->has_stages && s < STAGE_COUNT; s++)
		measured->stages[s] = (double)sum.time[s] / (double)total * mean;
}

/* True if nearly all rounds are waited for before their steps are called again. */
static bool is_waited_for(const struct rounds *rounds)
{
	return 100 * (uint64_t)rounds->waited >= PERCENT_ONE * (uint64_t)rounds->calls;
}

/* Returns the CPU time of the host in a round, or -1 if it is unknown. */
static double cpu_of_round(const struct operations *operations, const struct sweep_whole *whole,
	const struct rounds *rounds, struct arena *arena)
{
	uint32_t warm = 0, flights = is_waited_for(rounds) ? 0 : rounds->thread_count;

	if (rounds->thread_count == 1)
		operations = measure_own_cpu(operations, rounds->at[0].last, arena);
	while (warm < rounds->count && rounds->at[warm].warm)
		warm++;
	return sweep_loop_host_cpu(
		operations, whole, warm, rounds->count - warm, rounds->threads, flights);
}

/* Takes all values. If rounds overlap, takes only the values of the steady part. */
static void take_values(const struct rounds *rounds, struct completions *series,
	struct arena *arena, struct measured *measured)
{
	uint32_t intervals = series->count > 0 ? series->count - 1 : 0;
	int64_t *values = arena_array(arena, intervals + 1, sizeof(*values));

	measured->operations = intervals;
	measured->makespan = series->at[intervals].time - series->at[0].time;
	for (uint32_t i = 0; i < intervals; i++)
		values[i] = series->at[i + 1].time - series->at[i].time;
	sort_integers(values, intervals);
	measured->values = (struct sorted){values, intervals};
	measured->interval = intervals > 0 ? (double)measured->makespan / intervals : 0;
	if (is_waited_for(rounds))
		return;
	series->steady = steady_find(series->at, series->count, rounds->measured, arena);
	measured->needed = series->steady.needed;
	measure_take_batches(series, 1, arena, measured);
	if (series->steady.known)
		measured->interval =
			(double)series->steady.duration / (double)series->steady.weight;
}

void sweep_take_rounds(const struct operations *operations, const struct sweep_whole *whole,
	const char *kind, struct arena *arena, struct measured *measured, uint32_t *made,
	const char **charged)
{
	struct rounds *rounds = arena_alloc(arena, sizeof(*rounds));
	const struct operation *leader;
	struct completions series;

	*measured = (struct measured){.makespan = -1, .host_cpu = -1};
	*charged = NULL;
	*made = 0;
	rounds->begin = -1;
	rounds->measured = operations->measured;
	if (!count_rounds(operations, whole, kind, rounds))
		return;
	*made = rounds->count;
	rounds->at = arena_array(arena, rounds->count, sizeof(*rounds->at));
	rounds->parts =
		arena_array(arena, (size_t)whole->count * rounds->count, sizeof(*rounds->parts));
	fill_rounds(operations, whole, rounds);
	series = slowest_series(operations, whole, rounds, arena);
	take_values(rounds, &series, arena, measured);
	measured->host_cpu = cpu_of_round(operations, whole, rounds, arena);
	leader = leader_of(operations, whole, kind, rounds);
	if (!leader)
		return;
	*charged = arena_printf(arena, "%s/%s", leader->kind, leader->step_name);
	take_stages(operations, *charged, measured->interval, arena, measured);
}

void sweep_take_spans(const struct operations *operations, const struct sweep_points *points,
	struct arena *arena, struct measured *measured)
{
	struct sweep_spans spans =
		sweep_spans_find(operations, points->within, points->span_anchor, arena);

	sort_integers(spans.at, spans.count);
	*measured = (struct measured){.operations = spans.count,
		.values = {spans.at, spans.count},
		.makespan = -1,
		.has_stages = spans.splits && spans.rounds > 0,
		.host_cpu =
			spans.rounds > 0 && spans.cpu > 0 ? spans.cpu / (double)spans.rounds : -1};
	for (int i = 0; measured->has_stages && i < STAGE_COUNT; i++)
		measured->stages[i] = (double)spans.split.time[i] / (double)spans.rounds;
}
