/* Draws operations: their calls, stages and queues (analysis/timeline.h). The stages of an
 * operation are drawn end to end, from each mark to the next, at exact times. */
#include <string.h>

#include "analysis/operations/path.h"
#include "picture.h"

enum { QUEUES_MAX = 256, HOSTS_MAX = 64 };

#define NO_TRACK UINT32_MAX

struct tracks {
	uint32_t stages[STAGE_COUNT], unfinished;
	uint32_t queues[QUEUES_MAX], counters[QUEUES_MAX];
	/* by row of the table of threads, and one more for threads that are not in it */
	uint32_t *threads;
	uint32_t hosts[HOSTS_MAX];
};

/* ---- tracks ---- */

/* Prepares the tracks of threads. Most threads call no operations, so the track of a thread is
 * added only at its first call. */
static void add_threads(struct timeline *timeline, struct tracks *tracks)
{
	uint64_t count = timeline->run.threads.row_count;

	tracks->threads = arena_array(timeline->arena, count + 1, sizeof(*tracks->threads));
	for (uint64_t row = 0; row <= count; row++)
		tracks->threads[row] = NO_TRACK;
	for (uint32_t host = 0; host < HOSTS_MAX; host++)
		tracks->hosts[host] = NO_TRACK;
}

/* Returns the track of the thread in row `row` of the table of threads, and adds this track at its
 * first use. The row after the last one stands for all threads that are not in the table. */
static uint32_t track_of(const struct timeline *timeline, struct tracks *tracks, uint64_t row)
{
	const struct dataset *threads = &timeline->run.threads;
	bool known = row < threads->row_count;
	int64_t host = known ? dataset_integer_of(threads, "host", row) : 0;
	uint32_t at = host >= 0 && host < HOSTS_MAX ? (uint32_t)host : HOSTS_MAX - 1;

	if (tracks->hosts[at] == NO_TRACK)
		tracks->hosts[at] = picture_process(
			timeline->picture, arena_printf(timeline->arena, "host %u", at));
	if (tracks->threads[row] == NO_TRACK)
		tracks->threads[row] = picture_track(timeline->picture, tracks->hosts[at],
			known ? dataset_text_of(threads, "name", row) : "threads");
	return tracks->threads[row];
}

static void add_queues(struct timeline *timeline, struct tracks *tracks)
{
	struct picture *picture = timeline->picture;
	uint32_t process = picture_process(picture, "command queues");
	bool used[QUEUES_MAX] = {false};

	for (uint64_t row = 0; row < timeline->rows.row_count; row++)
		used[dataset_integer_of(&timeline->rows, "queue", row) & (QUEUES_MAX - 1)] = true;
	for (uint32_t i = 0; i < QUEUES_MAX; i++) {
		if (!used[i])
			continue;
		tracks->counters[i] = picture_counter(
			picture, process, arena_printf(timeline->arena, "queue %u: in flight", i));
		tracks->queues[i] = picture_track(
			picture, process, arena_printf(timeline->arena, "queue %u", i));
	}
}

static void timeline_operations_add_stages(struct timeline *timeline, struct tracks *tracks)
{
	uint32_t process = picture_process(timeline->picture, "stages of the dispatch path");

	for (int stage = 0; stage < STAGE_COUNT; stage++)
		tracks->stages[stage] =
			picture_track(timeline->picture, process, stage_label((enum stage)stage));
	tracks->unfinished = picture_track(timeline->picture, process, "never completed");
}

/* ---- one operation ---- */

/* Stages of one operation, laid end to end. */
struct chain {
	struct timeline *timeline;
	struct tracks *tracks;
	const struct operation *operation;
	uint32_t index;
	int64_t now, end; /* now: end of the stages so far; end: completion of the operation */
};

static void add_identity(struct chain *chain, struct picture_slice *slice)
{
	const struct dataset *rows = &chain->timeline->rows;

	picture_number(slice, "operation", dataset_integer_of(rows, "operation", chain->index));
	picture_number(slice, "step", chain->operation->step);
	picture_number(slice, "iteration", chain->operation->iteration);
}

static struct picture_slice operation_slice(struct chain *chain, int64_t start, int64_t end)
{
	struct picture_slice slice = {.start = start,
		.end = end,
		.name = chain->operation->kind,
		.flow_id = (uint64_t)chain->index + 1};

	add_identity(chain, &slice);
	return slice;
}

/* Adds a slice from the end of the previous slice to `time`. Adds none if `time` is not later than
 * this end. The slice ends at a mark. If `first` is not negative, it is the time in ps at which the
 * first device passed this mark, and becomes an argument of the slice. */
static void timeline_operations_lay(
	struct chain *chain, int64_t time, uint32_t track, int64_t first)
{
	struct picture_slice slice;

	if (time <= chain->now)
		return;
	slice = operation_slice(chain, chain->now, time);
	slice.flow = time == chain->end ? FLOW_END : FLOW_STEP;
	if (first >= 0)
		picture_number(&slice, "first_device_ps", first);
	picture_slice(chain->timeline->picture, track, &slice);
	chain->now = time;
}

/* Adds the slices of the stages from the call to the last doorbell. If the file does not say how
 * the host spent this time, adds nothing and returns false. */
static bool lay_turns(struct chain *chain)
{
	const struct operation *operation = chain->operation;
	const uint32_t *stages = chain->tracks->stages;
	int64_t rung = operation->marks[MARK_DOORBELL].last;

	if (operation->built < 0 || operation->told < 0 || operation->copied < 0 ||
		operation->rung < 0 || rung < 0 ||
		operation->built + operation->told + operation->copied + operation->rung !=
			rung - chain->now)
		return false;
	timeline_operations_lay(chain, chain->now + operation->built, stages[STAGE_BUILD], -1);
	timeline_operations_lay(chain, chain->now + operation->told, stages[STAGE_QUEUE], -1);
	timeline_operations_lay(chain, chain->now + operation->copied, stages[STAGE_COPY], -1);
	timeline_operations_lay(
		chain, rung, stages[STAGE_POST], operation->marks[MARK_DOORBELL].first);
	return true;
}

static void lay_stages(struct chain *chain)
{
	const struct operation *operation = chain->operation;
	enum mark_point before = MARK_CALLED;
	bool turns = lay_turns(chain);

	for (int mark = MARK_BUILT; mark <= MARK_SEEN; mark++) {
		int64_t time = operation->marks[mark].last;
		if (mark == MARK_RETURNED || time < 0 || time > chain->end)
			continue;
		if (!turns || mark > MARK_DOORBELL)
			timeline_operations_lay(chain, time,
				chain->tracks->stages[path_stage(before, (enum mark_point)mark)],
				operation->marks[mark].first);
		before = (enum mark_point)mark;
	}
}

static uint32_t thread_track(
	const struct timeline *timeline, struct tracks *tracks, const char *name)
{
	const struct dataset *threads = &timeline->run.threads;
	const struct dataset_column *column = dataset_column(threads, "name");
	uint64_t row = 0;

	while (row < threads->row_count && strcmp(dataset_text(threads, column, row), name) != 0)
		row++;
	return track_of(timeline, tracks, row);
}

static void add_call(struct chain *chain, int64_t called)
{
	struct timeline *timeline = chain->timeline;
	int64_t returned = chain->operation->marks[MARK_RETURNED].last;
	struct picture_slice slice =
		operation_slice(chain, called, returned >= called ? returned : timeline->end);

	slice.flow = FLOW_START;
	if (returned < called)
		picture_text(&slice, "returned", "never");
	picture_slice(timeline->picture,
		thread_track(timeline, chain->tracks, chain->operation->thread), &slice);
}

static void add_queued(struct chain *chain, int64_t called, bool completed)
{
	struct timeline *timeline = chain->timeline;
	uint32_t queue = (uint32_t)dataset_integer_of(&timeline->rows, "queue", chain->index) &
			 (QUEUES_MAX - 1);
	struct picture_slice slice = operation_slice(chain, called, chain->end);
	int64_t bytes = dataset_integer_of(&timeline->rows, "bytes", chain->index);

	if (bytes > 0)
		picture_number(&slice, "bytes", bytes);
	if (completed)
		picture_number(&slice, "latency_ps", chain->end - called);
	else
		picture_text(&slice, "completed", "never");
	picture_slice(timeline->picture, chain->tracks->queues[queue], &slice);
	picture_count(timeline->picture, chain->tracks->counters[queue], called, 1);
	if (completed)
		picture_count(timeline->picture, chain->tracks->counters[queue], chain->end, -1);
}

static void add_operation(struct timeline *timeline, struct tracks *tracks, uint32_t index)
{
	const struct operation *operation = &timeline->operations.at[index];
	int64_t called = operation->marks[MARK_CALLED].last;
	int64_t latency = metric_value(&timeline->operations, index, METRIC_LATENCY);
	struct chain chain = {.timeline = timeline,
		.tracks = tracks,
		.operation = operation,
		.index = index,
		.now = called,
		.end = latency >= 0 ? called + latency : timeline->end};

	if (called < 0 || called > timeline->end || chain.end < called)
		return; /* the file is damaged */
	add_call(&chain, called);
	add_queued(&chain, called, latency >= 0);
	lay_stages(&chain);
	if (latency < 0)
		timeline_operations_lay(&chain, chain.end, tracks->unfinished, -1);
}

void timeline_operations(struct timeline *timeline)
{
	struct tracks tracks = {.unfinished = 0};

	add_threads(timeline, &tracks);
	add_queues(timeline, &tracks);
	timeline_operations_add_stages(timeline, &tracks);
	for (uint32_t i = 0; i < timeline->operations.count; i++)
		add_operation(timeline, &tracks, i);
}
