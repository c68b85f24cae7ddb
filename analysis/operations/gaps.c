/* Finds the time before launches in which devices have no kernel to run, and why (gaps.h). */
#include "analysis/operations/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/operations/path.h"

static const char launch_kind[] = "enqueue_workload";

const char *idle_cause_name(enum idle_cause cause)
{
	static const char *const names[] = {"host", "dispatch", "wait", "transfer"};

	return names[cause];
}

/* A launch, and the launch that ended before it; both are indices of operations. */
struct launch {
	uint32_t index, before;
};

/* True for stages in which hosts work, or the network between them. */
static bool is_host_stage(int stage)
{
	return stage <= STAGE_WAIT_NETWORK;
}

/* Divides the time from `from` to `until`, before operation `index`, among transfer, wait and host.
 * Time in a call for the operation's mesh counts as transfer if the call moves data. It counts as
 * host if the call is a launch, and otherwise as wait. All other time, such as the application's
 * own work, counts as host. */
static void add_before_call(const struct operations *operations, uint32_t index, int64_t from,
	int64_t until, double causes[IDLE_CAUSES])
{
	int64_t rest = until - from;

	for (uint32_t i = index; i-- > 0 && rest > 0;) {
		const struct operation *operation = &operations->at[i];
		int64_t called = operation->marks[MARK_CALLED].last;
		int64_t end = operation->marks[MARK_RETURNED].last;
		bool moves = operation->bytes > 0 || strstr(operation->kind, "tensor");

		if (end > until)
			end = until;
		if (end <= from)
			break;
		if (strcmp(operation->kind, launch_kind) == 0 ||
			operation->mesh_number != operations->at[index].mesh_number)
			continue;
		called = called > from ? called : from;
		if (end <= called)
			continue;
		causes[moves ? IDLE_TRANSFER : IDLE_WAIT] += (double)(end - called);
		rest -= end - called;
		until = called;
	}
	if (rest > 0)
		causes[IDLE_HOST] += (double)rest;
}

/* Returns the time for which a launch waits behind other commands on its way to the workers. */
static int64_t queued(const struct split *split)
{
	static const int stages[] = {STAGE_WAIT_ISSUE, STAGE_WAIT_PCIE, STAGE_WAIT_CREDIT,
		STAGE_WAIT_LINK, STAGE_WAIT_PREFETCH, STAGE_WAIT_DISPATCH, STAGE_WAIT_NOC,
		STAGE_WAIT_DRAM};
	int64_t time = 0;

	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
		time += split->time[stages[i]];
	return time;
}

/* Divides the gap before a launch among its causes. The launch was called while the previous launch
 * still ran, but reached the workers only after the end of the previous one. For one part of the
 * gap, the launch waited behind other commands. For the other part, the host called it too late. */
static void divide_late(const struct operations *operations, const struct launch *launch,
	int64_t gap, const struct split *split, double causes[IDLE_CAUSES])
{
	const struct operation *at = operations->at;
	int64_t called = at[launch->index].marks[MARK_CALLED].last;
	int64_t pace = called - at[launch->before].marks[MARK_CALLED].last;
	int64_t dispatch = queued(split) < gap ? queued(split) : gap, host;

	host = pace < gap - dispatch ? pace : gap - dispatch;
	host = host > 0 ? host : 0;
	causes[IDLE_DISPATCH] += (double)(gap - host);
	if (host > 0)
		add_before_call(operations, launch->index, called - host, called, causes);
}

/* Divides the gap, in which the workers were idle before a launch, among its causes. The launch was
 * called after the previous launch had ended. So the last part of the gap is the time from the call
 * until the launch reaches the workers. If this time is shorter than the gap, the rest is the
 * host's work before the call. */
static void divide_serial(const struct operations *operations, const struct launch *launch,
	int64_t gap, const struct split *split, double causes[IDLE_CAUSES])
{
	int64_t rest = gap, end = operations->at[launch->before].marks[MARK_WORKERS_DONE].last;

	for (int stage = STAGE_ACKNOWLEDGE; stage >= 0 && rest > 0; stage--) {
		int64_t time = split->time[stage];

		if (stage == STAGE_KERNEL || time <= 0)
			continue;
		time = time < rest ? time : rest;
		causes[is_host_stage(stage) ? IDLE_HOST : IDLE_DISPATCH] += (double)time;
		rest -= time;
	}
	if (rest > 0)
		add_before_call(operations, launch->index, end, end + rest, causes);
}

/* Divides `gap`, the idle time before a launch, among the causes. */
static void divide(const struct operations *operations, const struct launch *launch, int64_t gap,
	const struct split *split, double causes[IDLE_CAUSES])
{
	const struct operation *at = operations->at;

	if (split->time[STAGE_WAIT_WORKER] > 0) /* it arrived before workers were free */
		causes[IDLE_DISPATCH] += (double)gap;
	else if (at[launch->index].marks[MARK_CALLED].last <
		 at[launch->before].marks[MARK_WORKERS_DONE].last)
		divide_late(operations, launch, gap, split, causes);
	else
		divide_serial(operations, launch, gap, split, causes);
}

/* Returns the time of a launch's kernels. Cores may prepare a launch while the previous launch
 * still runs. Then the critical path of the later launch also has kernels of the previous launch.
 * So only time after the go signal and after the end of the previous launch (`before`) counts. */
static int64_t kernel_time(
	const struct operation *operation, int64_t before, const struct split *split)
{
	int64_t end = operation->marks[MARK_WORKERS_DONE].last;
	int64_t go = operation->marks[MARK_GO].last;
	int64_t most = end - (go > before ? go : before);

	return split->time[STAGE_KERNEL] < most ? split->time[STAGE_KERNEL] : most;
}

bool idle_gap_find(
	const struct operations *operations, uint32_t index, uint32_t before, struct idle_gap *gap)
{
	const struct operation *operation = &operations->at[index];
	const struct launch launch = {index, before};
	struct split split;

	*gap = (struct idle_gap){.index = index,
		.before = before,
		.start = operations->at[before].marks[MARK_WORKERS_DONE].last,
		.end = operation->marks[MARK_WORKERS_DONE].last};
	if (operation->mesh_number != operations->at[before].mesh_number ||
		!path_split(operations, index, METRIC_LATENCY, &split))
		return false;
	gap->kernel = kernel_time(operation, gap->start, &split);
	gap->idle = gap->end - gap->start - gap->kernel;
	divide(operations, &launch, gap->idle, &split, gap->causes);
	return true;
}

static int gaps_by_end(const void *a, const void *b)
{
	const struct operation *x = *(const struct operation *const *)a;
	const struct operation *y = *(const struct operation *const *)b;
	int64_t ends[] = {x->marks[MARK_WORKERS_DONE].last, y->marks[MARK_WORKERS_DONE].last};

	if (x->mesh_number != y->mesh_number)
		return x->mesh_number < y->mesh_number ? -1 : 1;
	return (ends[0] > ends[1]) - (ends[0] < ends[1]);
}

uint32_t *idle_launches(const struct operations *operations, struct arena *arena, uint32_t *count)
{
	const struct operation **launches =
		arena_array(arena, operations->count + 1, sizeof(const struct operation *));
	uint32_t *indices = arena_array(arena, operations->count + 1, sizeof *indices);

	*count = 0;
	for (uint32_t i = 0; i < operations->count; i++)
		if (!operations->at[i].warmup && strcmp(operations->at[i].kind, launch_kind) == 0 &&
			operations->at[i].marks[MARK_WORKERS_DONE].count > 0)
			launches[(*count)++] = &operations->at[i];
	if (*count > 1)
		qsort(launches, *count, sizeof *launches, gaps_by_end);
	for (uint32_t i = 0; i < *count; i++)
		indices[i] = (uint32_t)(launches[i] - operations->at);
	return indices;
}

const char *idle_launch_name(const struct operation *operation)
{
	const char *name = operation->step_name[0] ? operation->step_name : operation->program;

	/* the name of a step without a name is its place; the program says more */
	return strchr(name, '/') && operation->program[0] ? operation->program : name;
}
