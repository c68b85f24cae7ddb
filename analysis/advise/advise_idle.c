/* Finds the time in which the devices of a run have no kernel to run, and why (advise.h). Launches
 * of a mesh run one after the other. So idle time is the time between the ends of two launches,
 * minus the time of the second launch's kernels. Its cause depends on the second launch:
 *   - It arrived in time, and waited for workers: all idle time is dispatch.
 *   - It was called while the first launch ran: it waited behind other commands, or the host called
 *     it late.
 *   - It was called after the end of the first launch: its way to the workers, and before that,
 *     what the host did. */
#include "analysis/advise.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/operations/operations.h"
#include "analysis/operations/path.h"

static const char launch_kind[] = "enqueue_workload";

const char *advise_cause_name(enum advise_cause cause)
{
	static const char *const names[] = {"host", "dispatch", "wait", "transfer"};

	return names[cause];
}

struct idle_of {
	const struct operations *operations;
	struct advise_idle *idle;
	struct arena *arena;
};

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
static void add_before_call(struct idle_of *of, uint32_t index, int64_t from, int64_t until,
	double causes[ADVISE_CAUSES])
{
	int64_t rest = until - from;

	for (uint32_t i = index; i-- > 0 && rest > 0;) {
		const struct operation *operation = &of->operations->at[i];
		int64_t called = operation->marks[MARK_CALLED].last;
		int64_t end = operation->marks[MARK_RETURNED].last;
		bool moves = operation->bytes > 0 || strstr(operation->kind, "tensor");

		if (end > until)
			end = until;
		if (end <= from)
			break;
		if (strcmp(operation->kind, launch_kind) == 0 ||
			operation->mesh_number != of->operations->at[index].mesh_number)
			continue;
		called = called > from ? called : from;
		if (end <= called)
			continue;
		causes[moves ? ADVISE_TRANSFER : ADVISE_WAIT] += (double)(end - called);
		rest -= end - called;
		until = called;
	}
	if (rest > 0)
		causes[ADVISE_HOST] += (double)rest;
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
static void divide_late(struct idle_of *of, const struct launch *launch, int64_t gap,
	const struct split *split, double causes[ADVISE_CAUSES])
{
	const struct operation *at = of->operations->at;
	int64_t called = at[launch->index].marks[MARK_CALLED].last;
	int64_t pace = called - at[launch->before].marks[MARK_CALLED].last;
	int64_t dispatch = queued(split) < gap ? queued(split) : gap, host;

	host = pace < gap - dispatch ? pace : gap - dispatch;
	host = host > 0 ? host : 0;
	causes[ADVISE_DISPATCH] += (double)(gap - host);
	if (host > 0)
		add_before_call(of, launch->index, called - host, called, causes);
}

/* Divides the gap, in which the workers were idle before a launch, among its causes. The launch was
 * called after the previous launch had ended. So the last part of the gap is the time from the call
 * until the launch reaches the workers. If this time is shorter than the gap, the rest is the
 * host's work before the call. */
static void divide_serial(struct idle_of *of, const struct launch *launch, int64_t gap,
	const struct split *split, double causes[ADVISE_CAUSES])
{
	int64_t rest = gap, end = of->operations->at[launch->before].marks[MARK_WORKERS_DONE].last;

	for (int stage = STAGE_ACKNOWLEDGE; stage >= 0 && rest > 0; stage--) {
		int64_t time = split->time[stage];

		if (stage == STAGE_KERNEL || time <= 0)
			continue;
		time = time < rest ? time : rest;
		causes[is_host_stage(stage) ? ADVISE_HOST : ADVISE_DISPATCH] += (double)time;
		rest -= time;
	}
	if (rest > 0)
		add_before_call(of, launch->index, end, end + rest, causes);
}

/* Divides `gap`, the idle time before a launch, among the causes. */
static void divide(struct idle_of *of, const struct launch *launch, int64_t gap,
	const struct split *split, double causes[ADVISE_CAUSES])
{
	const struct operation *at = of->operations->at;

	if (split->time[STAGE_WAIT_WORKER] > 0) /* it arrived before workers were free */
		causes[ADVISE_DISPATCH] += (double)gap;
	else if (at[launch->index].marks[MARK_CALLED].last <
		 at[launch->before].marks[MARK_WORKERS_DONE].last)
		divide_late(of, launch, gap, split, causes);
	else
		divide_serial(of, launch, gap, split, causes);
}

static struct advise_step *idle_step(struct idle_of *of, const struct operation *operation)
{
	struct advise_idle *idle = of->idle;
	const char *name = operation->step_name[0] ? operation->step_name : operation->program;
	uint32_t i = 0;

	/* the name of a step without a name is its place; the program says more */
	if (strchr(name, '/') && operation->program[0])
		name = operation->program;
	while (i < idle->step_count && strcmp(idle->steps[i].name, name) != 0)
		i++;
	if (i == idle->step_count)
		idle->steps[idle->step_count++] =
			(struct advise_step){.name = arena_string(of->arena, name)};
	return &idle->steps[i];
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

static void add_launch(
	struct idle_of *of, const struct launch *launch, double (*by_step)[ADVISE_CAUSES])
{
	const struct operation *operation = &of->operations->at[launch->index];
	int64_t before = of->operations->at[launch->before].marks[MARK_WORKERS_DONE].last;
	int64_t end = operation->marks[MARK_WORKERS_DONE].last, kernel, gap;
	double causes[ADVISE_CAUSES] = {0};
	struct advise_step *step;
	struct split split;

	if (!path_split(of->operations, launch->index, METRIC_LATENCY, &split))
		return;
	kernel = kernel_time(operation, before, &split);
	gap = end - before - kernel;
	divide(of, launch, gap, &split, causes);
	step = idle_step(of, operation);
	step->launches++;
	step->kernel += (double)kernel;
	step->idle += (double)gap;
	of->idle->whole += (double)(end - before);
	of->idle->launches++;
	of->idle->bound += gap > kernel;
	for (int c = 0; c < ADVISE_CAUSES; c++) {
		of->idle->idle[c] += causes[c];
		by_step[step - of->idle->steps][c] += causes[c];
	}
}

static int idle_by_end(const void *a, const void *b)
{
	const struct operation *x = *(const struct operation *const *)a;
	const struct operation *y = *(const struct operation *const *)b;
	int64_t ends[] = {x->marks[MARK_WORKERS_DONE].last, y->marks[MARK_WORKERS_DONE].last};

	if (x->mesh_number != y->mesh_number)
		return x->mesh_number < y->mesh_number ? -1 : 1;
	return (ends[0] > ends[1]) - (ends[0] < ends[1]);
}

static int idle_by_time(const void *a, const void *b)
{
	const struct advise_step *x = a, *y = b;
	double difference = y->idle * (double)y->launches - x->idle * (double)x->launches;

	return difference != 0 ? (difference > 0 ? 1 : -1) : strcmp(x->name, y->name);
}

/* Turns the sums of each step into means, and sorts the steps. */
static void finish_steps(struct advise_idle *idle, double (*by_step)[ADVISE_CAUSES])
{
	for (uint32_t i = 0; i < idle->step_count; i++) {
		struct advise_step *step = &idle->steps[i];

		for (int c = 1; c < ADVISE_CAUSES; c++)
			if (by_step[i][c] > by_step[i][step->cause])
				step->cause = c;
		step->kernel /= (double)step->launches;
		step->idle /= (double)step->launches;
	}
	if (idle->step_count > 0)
		qsort(idle->steps, idle->step_count, sizeof *idle->steps, idle_by_time);
}

static bool find_idle(struct idle_of *of, struct text *why)
{
	const struct operations *operations = of->operations;
	const struct operation **launches =
		arena_array(of->arena, operations->count + 1, sizeof(const struct operation *));
	double(*by_step)[ADVISE_CAUSES] =
		arena_array(of->arena, operations->count + 1, sizeof *by_step);
	uint32_t count = 0;

	of->idle->steps = arena_array(of->arena, operations->count + 1, sizeof *of->idle->steps);
	for (uint32_t i = 0; i < operations->count; i++)
		if (!operations->at[i].warmup && strcmp(operations->at[i].kind, launch_kind) == 0 &&
			operations->at[i].marks[MARK_WORKERS_DONE].count > 0)
			launches[count++] = &operations->at[i];
	if (count > 1)
		qsort(launches, count, sizeof *launches, idle_by_end);
	for (uint32_t i = 1; i < count; i++) {
		const struct launch launch = {(uint32_t)(launches[i] - operations->at),
			(uint32_t)(launches[i - 1] - operations->at)};

		if (launches[i]->mesh_number == launches[i - 1]->mesh_number)
			add_launch(of, &launch, by_step);
	}
	finish_steps(of->idle, by_step);
	if (of->idle->launches == 0)
		text_append(why, "no two launches of programs follow each other");
	return of->idle->launches > 0;
}

bool advise_idle_read(
	const char *file, struct arena *arena, struct advise_idle *idle, struct text *why)
{
	struct idle_of of = {.idle = idle, .arena = arena};
	struct summary summary;
	const char *group;
	bool good = summary_open(&summary, file, why);

	*idle = (struct advise_idle){0};
	if (good) {
		group = summary_group(&summary, 0);
		of.operations = operations_of(&summary, group, true, why);
		idle->scenario = result_document(
			summary.result, arena_printf(arena, "%s/scenario", group), arena);
		idle->platform = result_document(
			summary.result, arena_printf(arena, "%s/platform", group), arena);
		good = of.operations && idle->scenario && idle->platform && find_idle(&of, why);
	}
	summary_close(&summary);
	return good;
}
