/* Chooses the metric of operations and measures it, see measure.h. */
#include "analysis/operations/measure.h"

#include <string.h>

#include "base/table/order.h"

enum {
	BATCHES = 30, /* most batches that a steady part is divided into */
	PERCENT_EACH = 90
};

/* True if the operation is a transfer, whose purpose is to move data. A ping is not a transfer: it
 * has bytes, too, but its purpose is to measure latency. */
static bool is_transfer(const struct operation *operation)
{
	return operation->bytes > 0 && strcmp(operation->kind, "fabric_ping") != 0;
}

/* Returns true if nearly every operation was complete when the next one was called. If
 * `as_host_knows` is set, an operation counts as complete when the host knows this. Otherwise, it
 * counts as complete when it passes the mark that ends its latency. If there is only one operation,
 * the last operation of the warm-up is compared with it. */
static bool each_waited(
	const struct operations *operations, const struct chosen *chosen, bool as_host_knows)
{
	uint32_t waited = 0;

	if (chosen->count == 1 && chosen->warm < operations->count) {
		int64_t end = as_host_knows ? known_at(operations, chosen->warm)
					    : completed_at(&operations->at[chosen->warm]);

		return end >= 0 && end <= operations->at[chosen->at[0]].marks[MARK_CALLED].last;
	}
	for (uint32_t i = 0; i + 1 < chosen->count; i++) {
		const struct operation *operation = &operations->at[chosen->at[i]];
		int64_t end = as_host_knows ? known_at(operations, chosen->at[i])
					    : completed_at(operation);
		waited += end >= 0 &&
			  end <= operations->at[chosen->at[i + 1]].marks[MARK_CALLED].last;
	}
	return chosen->count < 2 ||
	       100 * (uint64_t)waited >= PERCENT_EACH * (uint64_t)(chosen->count - 1);
}

/* True if all operations arrive at a rate. */
static bool is_open(const struct operations *operations, const struct chosen *chosen)
{
	bool open = chosen->count > 0;

	for (uint32_t i = 0; i < chosen->count; i++)
		open &= operations->at[chosen->at[i]].arrival >= 0;
	return open;
}

static enum measure_mode measure_mode(
	const struct operations *operations, const char *subject, bool transfers)
{
	enum measure_mode mode = MEASURE_FLIGHT;
	struct chosen chosen;
	struct arena arena;
	bool transfer;

	arena_init(&arena);
	chosen = chosen_of(operations, subject, &arena);
	transfer = transfers && chosen.count > 0;
	for (uint32_t i = 0; i < chosen.count; i++)
		transfer &= is_transfer(&operations->at[chosen.at[i]]);
	if (transfer)
		mode = MEASURE_TRANSFER;
	else if (each_waited(operations, &chosen, true))
		mode = MEASURE_EACH;
	else if (is_open(operations, &chosen))
		mode = MEASURE_OPEN;
	arena_fini(&arena);
	return mode;
}

enum measure_mode measure_mode_of(const struct operations *operations, const char *subject)
{
	return measure_mode(operations, subject, true);
}

enum measure_mode measure_mode_of_rounds(const struct operations *operations, const char *subject)
{
	return measure_mode(operations, subject, false);
}

const char *measure_name(enum measure_mode mode, enum metric metric)
{
	static const char *const names[] = {
		"completion", "interval", "transfer", "latency", [MEASURE_RUN] = "makespan"};

	return mode == MEASURE_ASKED ? metric_names[metric] : names[mode];
}

/* Returns the mean interval between completions, over the steady part of the series, or over the
 * whole series if it has no steady part. */
static double interval_of(const struct completions *series)
{
	int64_t duration;
	uint64_t weight = completions_weight(series, &duration);

	return weight ? (double)duration / (double)weight : 0;
}

/* Returns how many operations at the beginning of the series do not count for the CPU time of host
 * threads. These are the operations before the steady part of the series, and at least half of all
 * operations, because the CPU time may become steady later than the completions. */
static uint32_t settled_of(const struct completions *series)
{
	uint32_t last = series->count / 2;
	uint64_t before = 0;

	if (series->steady.known && series->steady.first > last)
		last = series->steady.first;
	for (uint32_t i = 1; i <= last && i < series->count; i++)
		before += series->at[i].weight;
	return (uint32_t)before;
}

/* ---- values ---- */

static void set_values(struct measured *measured, int64_t *values, uint32_t count)
{
	sort_integers(values, count);
	measured->values = (struct sorted){values, count};
}

void measure_take_batches(const struct completions *series, uint64_t unit, struct arena *arena,
	struct measured *measured)
{
	int64_t *values = arena_array(arena, BATCHES + 1, sizeof(*values));
	uint32_t first = series->steady.known ? series->steady.first : 0;
	uint32_t last = series->steady.known ? series->steady.last
			: series->count	     ? series->count - 1
					     : 0;
	uint32_t entries = last - first, batches = entries < BATCHES ? entries : BATCHES, count = 0;

	for (uint32_t b = 0; b < batches; b++) {
		uint32_t from = first + (uint32_t)((uint64_t)entries * b / batches);
		uint32_t to = first + (uint32_t)((uint64_t)entries * (b + 1) / batches);
		double duration = (double)(series->at[to].time - series->at[from].time);
		uint64_t weight = 0;
		for (uint32_t i = from + 1; i <= to; i++)
			weight += series->at[i].weight;
		values[count++] = (int64_t)(duration * (double)unit / (double)weight + 0.5);
	}
	set_values(measured, values, count);
}

/* The run may have recorded how the time from the previous completion to the completion of
 * operation `index` is divided into stages. Adds these stages to *split. */
static void add_recorded(const struct operations *operations, uint32_t index, struct split *split)
{
	for (uint32_t i = operations->first_piece[index]; i < operations->first_piece[index + 1];
		i++)
		if (operations->pieces[i].metric == METRIC_COUNT)
			split->time[operations->pieces[i].stage] += operations->pieces[i].time;
}

/* Adds the recorded stages of all operations of a kind that completed after `start` and not after
 * `end`. The time since the previous completion begins at the completion of any step of this kind,
 * so all steps are needed for the stages of the whole time. */
static void add_all_recorded(const struct operations *operations, const char *kind, int64_t start,
	int64_t end, struct split *split)
{
	for (uint32_t i = 0; operations->pieces && i < operations->count; i++) {
		int64_t ended = completed_at(&operations->at[i]);

		if (ended > start && ended <= end && strcmp(operations->at[i].kind, kind) == 0)
			add_recorded(operations, i, split);
	}
}

/* Splits the mean interval between completions into stages, over the steady part of the series and
 * along the critical path through this part. */
static void take_window_stages(const struct operations *operations, const struct chosen *chosen,
	const struct completions *series, struct measured *measured)
{
	const struct steady *steady = &series->steady;
	int64_t start = series->at[steady->first].time;
	int64_t end = series->at[steady->last].time;
	struct split split = {{0}};
	int64_t sum = 0;
	uint32_t within = 0, index = UINT32_MAX;
	enum mark_point mark = MARK_POINT_COUNT;

	for (uint32_t i = 0; i < chosen->count; i++) {
		uint32_t at = chosen->at[i], waiter = operations->waiter[at];
		int64_t ended = completed_at(&operations->at[at]), known = known_at(operations, at);
		if (known == end) {
			index = waiter;
			mark = MARK_SEEN;
		} else if (ended == end) {
			index = at;
			mark = metric_end(operations->at[at].marks, METRIC_LATENCY);
		}
		within += (ended > start && ended <= end);
	}
	if (index == UINT32_MAX || within == 0)
		return;
	add_all_recorded(operations, operations->at[chosen->at[0]].kind, start, end, &split);
	if (!operations->pieces)
		path_window(operations, index, mark, start, (end - start) / within, &split);
	for (int s = 0; s < STAGE_COUNT; s++)
		sum += split.time[s];
	measured->has_stages = sum > 0;
	for (int s = 0; s < STAGE_COUNT; s++)
		measured->stages[s] = sum == 0 ? 0
					       : (double)split.time[s] / (double)sum *
							 (double)(end - start) / within;
}

static void take_flight(const struct operations *operations, const struct chosen *chosen,
	const struct completions *series, uint64_t unit, struct arena *arena,
	struct measured *measured)
{
	measure_take_batches(series, unit, arena, measured);
	measured->needed = series->steady.needed;
	if (series->steady.known)
		take_window_stages(operations, chosen, series, measured);
}

static void take_samples(const struct operations *operations, const char *subject,
	enum metric metric, struct arena *arena, struct measured *measured)
{
	struct samples samples = samples_take(operations, subject, metric, arena);
	int64_t *values = arena_array(arena, samples.count + 1, sizeof(*values));
	struct split sum;
	int64_t total;

	for (uint32_t i = 0; i < samples.count; i++)
		values[i] = samples.at[i].value;
	measured->values = (struct sorted){values, samples.count};
	measured->has_stages =
		samples.count > 0 && samples_sum(operations, &samples, metric, &sum, &total);
	for (int s = 0; measured->has_stages && s < STAGE_COUNT; s++)
		measured->stages[s] = (double)sum.time[s] / samples.count;
}

/* Sets the values to the time of each transfer per MEASURE_BYTES. */
static void take_transfers(const struct operations *operations, const char *subject,
	const struct chosen *chosen, struct arena *arena, struct measured *measured)
{
	int64_t *values = arena_array(arena, chosen->count + 1, sizeof(*values));
	uint32_t count = 0;

	take_samples(operations, subject, METRIC_LATENCY, arena, measured);
	for (uint32_t i = 0; i < chosen->count; i++) {
		const struct operation *operation = &operations->at[chosen->at[i]];
		int64_t time = transfer_time(operation);
		if (time > 0 && operation->bytes > 0)
			values[count++] =
				(int64_t)((double)time * MEASURE_BYTES / (double)operation->bytes +
					  0.5);
	}
	set_values(measured, values, count);
}

/* Returns the time in ps at which the makespan starts; -1 if it is unknown. The makespan starts
 * with the first call, or when all warm-up operations are complete if this is later. */
static int64_t begin_of(const struct operations *operations, const struct chosen *chosen)
{
	const struct operation *first = chosen->count ? &operations->at[chosen->at[0]] : NULL;
	int64_t called = first ? first->marks[MARK_CALLED].last : -1;
	int64_t warm =
		chosen->warm == UINT32_MAX ? -1 : completed_at(&operations->at[chosen->warm]);

	return called >= 0 && warm > called ? warm : called;
}

static void take_totals(
	const struct operations *operations, const struct chosen *chosen, struct measured *measured)
{
	int64_t first = begin_of(operations, chosen), last = -1;
	uint32_t alike = 0;

	for (uint32_t i = 0; i < chosen->count; i++) {
		const struct operation *operation = &operations->at[chosen->at[i]];
		int64_t end = known_at(operations, chosen->at[i]);
		bool same = i > 0 && operations->waiter[chosen->at[i]] ==
					     operations->waiter[chosen->at[i - 1]];
		if (end < 0)
			end = completed_at(operation);
		last = end > last ? end : last;
		alike = same ? alike + 1 : 1;
		measured->in_flight = alike > measured->in_flight ? alike : measured->in_flight;
		measured->bytes += operation->bytes;
	}
	measured->operations = chosen->count;
	measured->makespan = first >= 0 && last >= first ? last - first : -1;
}

/* Thresholds of saturation. A run is saturated if two conditions are true: the completions take
 * more than SLOWER times as long as the arrivals, and the last completion is late by more than
 * BEHIND_LEAST intervals between arrivals. */
enum { BEHIND_LEAST = 3 };
#define SLOWER 1.05

/* Sets the interval between arrivals of an open loop, and whether the run is saturated. */
static void take_load(
	const struct operations *operations, const struct chosen *chosen, struct measured *measured)
{
	const struct operation *first = &operations->at[chosen->at[0]];
	const struct operation *last = &operations->at[chosen->at[chosen->count - 1]];
	double intervals = chosen->count - 1;
	double arrived = (double)(last->arrival - first->arrival);
	double ended = (double)(completed_at(last) - completed_at(first));

	if (intervals < 1 || arrived <= 0 || completed_at(first) < 0 || completed_at(last) < 0)
		return;
	measured->offered = arrived / intervals;
	measured->saturated =
		ended > SLOWER * arrived && ended - arrived > BEHIND_LEAST * measured->offered;
}

void measure_take(const struct operations *operations, const char *subject, enum measure_mode mode,
	enum metric metric, struct arena *arena, struct measured *measured)
{
	struct chosen chosen = chosen_of(operations, subject, arena);
	struct completions series = completions_of_waits(operations, &chosen, false, arena);
	const struct operations *own =
		chosen.count > 0 ? measure_own_cpu(operations, chosen.at[0], arena) : operations;

	memset(measured, 0, sizeof(*measured));
	take_totals(operations, &chosen, measured);
	measured->interval = interval_of(&series);
	measured->host_cpu = mode == MEASURE_FLIGHT
				     ? measure_host_cpu_in_flight(own, subject, settled_of(&series),
					       measured->interval)
				     : measure_host_cpu(own, subject);
	if (is_open(operations, &chosen))
		take_load(operations, &chosen, measured);
	if (mode == MEASURE_ASKED || mode == MEASURE_EACH || mode == MEASURE_OPEN)
		take_samples(operations, subject,
			mode == MEASURE_EACH   ? METRIC_COMPLETION
			: mode == MEASURE_OPEN ? METRIC_LATENCY
					       : metric,
			arena, measured);
	else if (mode == MEASURE_FLIGHT)
		take_flight(operations, &chosen, &series, 1, arena, measured);
	else if (each_waited(operations, &chosen, false))
		take_transfers(operations, subject, &chosen, arena, measured);
	else {
		series = completions_of_waits(operations, &chosen, true, arena);
		take_flight(operations, &chosen, &series, MEASURE_BYTES, arena, measured);
	}
}
