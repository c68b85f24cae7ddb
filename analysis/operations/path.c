/* Walks critical paths, see path.h. Every picosecond is assigned to a stage. */
#include "analysis/operations/path.h"

#include <string.h>

#include "base/ensure.h"

enum {
	LOOK_BACK = 256, /* number of earlier operations for which the host may have waited */
	SLACK = 50	 /* slack: 1/50 of the time that is explained */
};

static const struct {
	const char *label, *name;
} stages[STAGE_COUNT] = {
#define X(name, label) {label, #name},
#include "lists/stage.def"
#undef X
};

const char *stage_label(enum stage stage)
{
	return stages[stage].label;
}

const char *stage_name(enum stage stage)
{
	return stages[stage].name;
}

enum stage stage_of_label(const char *label)
{
	int stage = 0;

	while (stage < STAGE_COUNT && strcmp(stages[stage].label, label) != 0)
		stage++;
	return stage < STAGE_COUNT ? (enum stage)stage : STAGE_OTHER;
}

/* ---- the walk ---- */

struct walk {
	const struct operations *operations;
	int64_t start, now; /* all time after `now` is assigned to stages */
	int64_t slack;	    /* two ends of paths that differ by less than this count as equal */
	const char *thread; /* name of the host thread whose calls are followed */
	struct split *split;
};

/* Assigns the time from `time` to `now` to a stage, and sets `now` to `time`. */
static void step(struct walk *walk, int64_t time, enum stage stage)
{
	if (time < walk->start)
		time = walk->start;
	if (time >= walk->now)
		return;
	walk->split->time[stage] += walk->now - time;
	walk->now = time;
}

enum stage path_stage(enum mark_point before, enum mark_point after)
{
	static const enum stage stage_of[MARK_POINT_COUNT] = {
#define X(name, what, stage, wait) [MARK_##name] = STAGE_##stage,
#include "lists/mark.def"
#undef X
	};

	if (after == MARK_SENT && before == MARK_FORWARDED)
		return STAGE_PACKETIZE;
	if ((after == MARK_NOTIFIED || after == MARK_GATHERED) && before == MARK_ANSWERED)
		return STAGE_FABRIC;
	if (after == MARK_NOTIFIED && before == MARK_GATHERED)
		return STAGE_AGGREGATE;
	if (after == MARK_SEEN && before == MARK_POLLED)
		return STAGE_WAKE;
	return stage_of[after];
}

/* Splits the time from an operation's call to its last doorbell into the activities of the host.
 * Moves walk->now from the time of this doorbell to the time of the call. Changes nothing and
 * returns false in four cases: the call is before walk->start; walk->now is not the time of this
 * doorbell; the times of the activities are not known; or their sum is not the time to split. */
static bool walk_turns(struct walk *walk, const struct operation *operation)
{
	int64_t called = operation->marks[MARK_CALLED].last,
		rung = operation->marks[MARK_DOORBELL].last;
	uint64_t turns = (uint64_t)operation->built + (uint64_t)operation->told +
			 (uint64_t)operation->copied + (uint64_t)operation->rung;

	if (called < walk->start || rung != walk->now || turns != (uint64_t)(rung - called) ||
		operation->built < 0 || operation->told < 0 || operation->copied < 0 ||
		operation->rung < 0)
		return false;
	step(walk, walk->now - operation->rung, STAGE_POST);
	step(walk, walk->now - operation->copied, STAGE_COPY);
	step(walk, walk->now - operation->told, STAGE_QUEUE);
	step(walk, called, STAGE_BUILD);
	return true;
}

/* Returns the latest mark before the mark `above` that the operation had passed by the time `now`.
 * Returns MARK_POINT_COUNT if there is no such mark. */
static enum mark_point mark_before(
	const struct operation *operation, enum mark_point above, int64_t now)
{
	for (int mark = (int)above - 1; mark >= 0; mark--)
		if (mark != MARK_RETURNED && operation->marks[mark].last >= 0 &&
			operation->marks[mark].last <= now)
			return (enum mark_point)mark;
	return MARK_POINT_COUNT;
}

/* Returns true if, between the marks `before` and `mark`, the operation may have waited until
 * earlier operations had released their workers. An operation waits only before its go signal; an
 * operation without a go signal waits only before its first dispatch mark. */
static bool may_wait(
	const struct operation *operation, enum mark_point before, enum mark_point mark)
{
	if (mark == MARK_GO || operation->marks[MARK_GO].last >= 0)
		return mark == MARK_GO;
	return mark >= MARK_DISPATCHED && mark <= MARK_NOTIFIED && before < MARK_DISPATCHED;
}

/* Finds the earlier operation for whose workers operation `index` waited. Searches the LOOK_BACK
 * operations before it, and considers only those whose workers were done after `time` minus
 * walk->slack, and not after walk->now. Returns the index of the one whose workers were done last,
 * or `index` if there is none. Because of the slack, two runs whose times differ only a little get
 * the same path. */
static uint32_t waited_for(const struct walk *walk, uint32_t index, int64_t time)
{
	uint32_t least = index > LOOK_BACK ? index - LOOK_BACK : 0, found = index;

	time -= walk->slack;
	for (uint32_t i = index; i-- > least;) {
		int64_t done = walk->operations->at[i].marks[MARK_WORKERS_DONE].last;
		if (done > time && done <= walk->now) {
			time = done;
			found = i;
		}
	}
	return found;
}

/* Returns the stage to which the time between two marks belongs. For traffic that was started
 * without a command, all time from the go signal to the end belongs to STAGE_FABRIC. Everything
 * else belongs to the stage of path_stage(). */
static enum stage stage_between(
	const struct operation *operation, enum mark_point before, enum mark_point after)
{
	bool is_traffic = operation->marks[MARK_DOORBELL].last < 0 &&
			  operation->marks[MARK_FETCHED].last < 0 && after >= MARK_GO &&
			  after <= MARK_WORKERS_DONE;

	return is_traffic ? STAGE_FABRIC : path_stage(before, after);
}

/* Follows the critical path backwards from `mark` of operation `index` to the call of an operation.
 * The operation passed `mark` at walk->now. Returns the operation whose call was reached. */
static uint32_t walk_devices(struct walk *walk, uint32_t index, enum mark_point mark)
{
	while (walk->now > walk->start && mark != MARK_CALLED) {
		const struct operation *operation = &walk->operations->at[index];
		if (mark == MARK_DOORBELL && walk_turns(walk, operation))
			break;
		enum mark_point before = mark_before(operation, mark, walk->now);
		int64_t time =
			before == MARK_POINT_COUNT ? walk->start : operation->marks[before].last;

		if (may_wait(operation, before, mark)) {
			uint32_t other = waited_for(walk, index, time);
			if (other != index) {
				index = other;
				before = MARK_WORKERS_DONE;
				time = walk->operations->at[other].marks[before].last;
			}
		}
		step(walk, time, stage_between(operation, before, mark));
		if (before == MARK_POINT_COUNT)
			break;
		mark = before;
	}
	return index;
}

/* Splits the time from `time` to walk->now into stages of the host. The marks of the operations
 * `first` to `index` show what the host thread did at which time. */
static void walk_host(struct walk *walk, uint32_t first, uint32_t index, int64_t time)
{
	static const enum mark_point marks[] = {
		MARK_RETURNED, MARK_DOORBELL, MARK_COPIED, MARK_EXPECTED, MARK_BUILT, MARK_CALLED};

	for (uint32_t i = index + 1; i-- > first && walk->now > time;) {
		const struct operation *operation = &walk->operations->at[i];
		enum mark_point after = MARK_CALLED; /* a mark of the next operation */
		if (strcmp(operation->thread, walk->thread) != 0 ||
			operation->marks[MARK_CALLED].last >= walk->now)
			continue;
		for (size_t p = 0; p < sizeof(marks) / sizeof(marks[0]); p++) {
			int64_t passage = operation->marks[marks[p]].last;
			if (passage < 0 || passage > walk->now)
				continue;
			step(walk, passage > time ? passage : time,
				after == MARK_CALLED ? STAGE_CALL : path_stage(marks[p], after));
			after = marks[p];
			if (after == MARK_DOORBELL && walk->now > time &&
				operation->marks[MARK_CALLED].last >= time &&
				walk_turns(walk, operation))
				break;
		}
	}
	step(walk, time, STAGE_CALL);
}

/* Searches the operations `first` to `index` that the walk's thread called. Returns the index of
 * the last one whose completion the host saw between walk->start and walk->now. Returns the number
 * of operations if there is none. */
static uint32_t seen_before(const struct walk *walk, uint32_t first, uint32_t index)
{
	for (uint32_t i = index + 1; i-- > first;) {
		const struct operation *operation = &walk->operations->at[i];
		int64_t seen = operation->marks[MARK_SEEN].last;
		if (seen > walk->start && seen <= walk->now &&
			strcmp(operation->thread, walk->thread) == 0)
			return i;
	}
	return walk->operations->count;
}

/* Walks from `now`, a time on the host, back to the start. */
static void walk_back(struct walk *walk, uint32_t first, uint32_t index)
{
	while (walk->now > walk->start) {
		uint32_t seen = seen_before(walk, first, index);
		if (seen == walk->operations->count) {
			walk_host(walk, first, index, walk->start);
			return;
		}
		walk_host(walk, seen, index, walk->operations->at[seen].marks[MARK_SEEN].last);
		index = walk_devices(walk, seen, MARK_SEEN);
		if (index == 0 || index <= first)
			break;
		index--;
	}
	step(walk, walk->start, STAGE_CALL);
}

/* Adds the recorded stages of an operation to `split`. They begin at the call of the operation. In
 * an open loop, the call may be later than the time at which the operation was due; this delay is
 * added to STAGE_WAIT_THREAD. Returns false if the sum of the added times is not the length of the
 * window. */
static bool recorded_split(const struct operations *operations, uint32_t index, enum metric metric,
	const struct metric_window *window, struct split *split)
{
	int64_t sum = operations->at[index].marks[MARK_CALLED].last - window->start;

	split->time[STAGE_WAIT_THREAD] += sum;
	for (uint32_t i = operations->first_piece[index]; i < operations->first_piece[index + 1];
		i++) {
		const struct path_piece *piece = &operations->pieces[i];
		if (piece->metric != metric)
			continue;
		split->time[piece->stage] += piece->time;
		sum += piece->time;
	}
	return sum == window->end - window->start;
}

bool path_split(const struct operations *operations, uint32_t index, enum metric metric,
	struct split *split)
{
	struct walk walk = {.operations = operations, .split = split};
	struct metric_window window;
	int64_t sum = 0;

	memset(split, 0, sizeof(*split));
	if (!metric_has_stages(metric) || !metric_window(operations, index, metric, &window))
		return false;
	if (operations->pieces)
		return recorded_split(operations, index, metric, &window, split);
	walk.start = window.start;
	walk.now = window.end;
	walk.slack = (window.end - window.start) / SLACK;
	walk.thread = operations->at[index].thread;
	if (window.last == MARK_CALLED)
		walk_back(&walk, index, operations->next[index] - 1);
	else if (window.last == MARK_RETURNED)
		walk_back(&walk, index, index);
	else if (metric == METRIC_COMPLETION)
		walk_back(&walk, index, window.index);
	else
		walk_devices(&walk, index, window.last);
	step(&walk, walk.start, STAGE_CALL);
	for (int i = 0; i < STAGE_COUNT; i++)
		sum += split->time[i];
	ensure(sum == window.end - window.start, "stages of operation %u sum to %lld of %lld ps",
		index, (long long)sum, (long long)(window.end - window.start));
	return true;
}

void path_window(const struct operations *operations, uint32_t index, enum mark_point mark,
	int64_t start, int64_t each, struct split *split)
{
	struct walk walk = {.operations = operations,
		.start = start,
		.now = operations->at[index].marks[mark].last,
		.slack = each / SLACK,
		.thread = operations->at[index].thread,
		.split = split};
	uint32_t called;

	memset(split, 0, sizeof(*split));
	called = walk_devices(&walk, index, mark);
	if (walk.now > walk.start && called > 0)
		walk_back(&walk, 0, called - 1);
	step(&walk, walk.start, STAGE_CALL);
}
