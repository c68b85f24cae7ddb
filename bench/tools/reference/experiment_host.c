/* Experiments on the host: the cost of one call, and of one enqueue to many devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/table/order.h"
#include "bench/tools/reference/experiment.h"

enum { CALLS = 40, WARM_CALLS = 10, POOL_THREADS = 4 };

/* Returns the median of `value` over the calls of a kind, in us. Leaves out the first WARM_CALLS
 * calls. */
static double median_us(const struct op_row *ops, uint32_t count, const char *kind,
	int64_t (*value)(const struct op_row *op))
{
	int64_t *times_ps = allocate(count + 1u, sizeof *times_ps);
	uint32_t calls = 0, kept = 0;
	double median;

	for (uint32_t i = 0; i < count; i++)
		if (strcmp(ops[i].kind, kind) == 0 && calls++ >= WARM_CALLS)
			times_ps[kept++] = value(&ops[i]);
	sort_integers(times_ps, kept);
	median = kept ? (double)times_ps[rank_at(kept, 500)] * 1e-6 : 0;
	free(times_ps);
	return median;
}

static int64_t host_time(const struct op_row *op)
{
	return op->marks[MARK_RETURNED].last - op->marks[MARK_CALLED].first;
}

static int64_t doorbell_skew(const struct op_row *op)
{
	return op->marks[MARK_DOORBELL].last - op->marks[MARK_DOORBELL].first;
}

/* Returns the time from the arrival of a broadcast's commands on the first chip to their arrival on
 * the last chip. Used instead of doorbell_skew() for broadcasts, because a broadcast rings only one
 * doorbell for each initiator. */
static int64_t arrival_skew(const struct op_row *op)
{
	return op->marks[MARK_PREFETCHED].last - op->marks[MARK_PREFETCHED].first;
}

/* ---- one call ---- */

/* Each call has two names, because two collections of figures use different names for it. */
const struct experiment_param experiment_host_params[] = {
	{"op",
		"program_enqueue_common|trace_replay|enqueue_workload|enqueue_program|replay_trace|"
		"capture_trace",
		NULL},
	{"devices", "1", "1"},
	{"cores", "all|#", "all"},
	{"processors", "all|brisc|ncrisc|trisc|brisc+trisc", "all"},
	{"kernel_bytes", "#", "2048"},
	{"runtime_args", "#", "0"},
	{"common_runtime_args", "#", "0"},
	{"circular_buffers", "#", "0"},
	{"semaphores", "#", "0"},
	{"kernel_groups", "#", "1"},
	{0},
};

enum host_call { CALL_ENQUEUE, CALL_REPLAY, CALL_CAPTURE };

static enum host_call experiment_host_call_of(const struct reference_row *row)
{
	const char *op = reference_text(row, "op", "");

	if (strcmp(op, "capture_trace") == 0)
		return CALL_CAPTURE;
	return strstr(op, "replay") ? CALL_REPLAY : CALL_ENQUEUE;
}

static void add_call(const struct reference_row *row, const char *name, struct text *yaml)
{
	/* In the rows with the older names, "common" means that all cores share some arguments. */
	bool common = experiment_is(row, "op", "program_enqueue_common", "") ||
		      experiment_is(row, "op", "trace_replay", "");

	text_printf(yaml, "enqueue_workload: {program: %s, processors: %s, cores: ", name,
		experiment_processors(row));
	experiment_add_cores(row, yaml);
	text_printf(
		yaml, ", kernel_bytes: %s, run_ns: 0", reference_text(row, "kernel_bytes", "2048"));
	experiment_add_key(row, "runtime_args", 0, yaml);
	if (common)
		text_append(yaml, ", common_runtime_args: 8");
	else
		experiment_add_key(row, "common_runtime_args", 0, yaml);
	experiment_add_key(row, "circular_buffers", 0, yaml);
	experiment_add_key(row, "semaphores", 0, yaml);
	experiment_add_key(row, "kernel_groups", 1, yaml);
	text_append(yaml, "}\n");
}

/* Appends a scenario with calls of the row's kind. A finish, which is not measured, follows each
 * enqueued program and each captured trace. So the queue is empty before the next call. */
void experiment_host_scenario(const struct reference_row *row, struct text *yaml)
{
	enum host_call call = experiment_host_call_of(row);
	const struct experiment_system *machine = experiment_system(row->system);

	experiment_head(yaml, row->family, machine->name);
	text_append(yaml,
		"runtime:\n  mesh: {shape: [1, 1]}\n  command_cache: false\nmeasure: {verify: "
		"false}\nworkload:\n");
	switch (call) {
	case CALL_ENQUEUE:
		text_printf(yaml, "  - repeat: %d\n    do:\n      - ", CALLS);
		add_call(row, "program", yaml);
		text_append(yaml, "      - finish: {}\n");
		break;
	case CALL_REPLAY:
		text_printf(yaml, "  - trace: 1\n    replays: %d\n    do:\n      - ", CALLS);
		add_call(row, "program", yaml);
		break;
	case CALL_CAPTURE: /* each trace is captured once */
		for (int i = 0; i < CALLS; i++) {
			text_append(yaml, "  - trace: 1\n    do:\n      - ");
			add_call(row, "program", yaml);
			text_append(yaml, "  - finish: {}\n");
		}
		break;
	}
	text_append(yaml, "  - finish: {}\n");
}

double experiment_host_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	static const char *const kinds[] = {
		[CALL_ENQUEUE] = "enqueue_workload",
		[CALL_REPLAY] = "trace",
		[CALL_CAPTURE] = "capture_trace",
	};

	return median_us(ops, count, kinds[experiment_host_call_of(row)], host_time);
}

/* ---- many devices ---- */

const struct experiment_param experiment_enqueue_params[] = {
	{"devices", "#", NULL},
	{"threads", "main|task_per_device|pool", "main"},
	{"forward", "unicast|broadcast", "unicast"},
	{"command_bytes", "#", "0"},
	{0},
};

enum {
	MODEL_BYTES = 8192,
	CORES_WIDE = 8,
	CORES_HIGH = 7,
	ARGUMENTS_BYTES = 12 /* of an argument: 4 B for each of three kernels */
};

/* Sets *platform, *rows and *columns to a machine and a mesh on it that has `devices` devices. A
 * galaxy has 32 chips, each with its own PCIe link. For more devices, two galaxies form one
 * machine; for more than 64, the machine is a mesh of 32 x 32 chips. */
static void enqueue_machine(const struct reference_row *row, uint64_t devices,
	const char **platform, unsigned *rows, unsigned *columns)
{
	const struct experiment_system *machine = experiment_system(row->system);

	if (strcmp(row->system, "galaxy") != 0) {
		*platform = machine->name;
		*columns = devices < machine->columns ? (unsigned)devices : machine->columns;
		*rows = (unsigned)((devices + *columns - 1) / *columns);
		return;
	}
	*platform = devices <= 32 ? "galaxy" : devices <= 64 ? "tgg-6u" : "mesh-32x32";
	*columns = devices <= 64 ? 8 : 32;
	if (devices < *columns)
		*columns = (unsigned)devices;
	*rows = (unsigned)((devices + *columns - 1) / *columns);
}

/* Appends the program. It has so many unique arguments that they fill the bytes that the row gives
 * as `command_bytes`. Without this parameter, it is a small program. The metric launch_skew is an
 * exception: it was measured with the programs of a neural network, which have some KB for each
 * device. A launch of these programs costs 0.66 us per device; a launch of small programs costs
 * 0.25 us. */
static void add_enqueued_program(const struct reference_row *row, struct text *yaml)
{
	bool skew = strcmp(row->metric, "launch_skew") == 0;
	uint64_t bytes = experiment_number(row, "command_bytes", skew ? MODEL_BYTES : 0);

	text_append(yaml,
		"      - enqueue_workload: {processors: all, kernel_bytes: 2048, run_ns: 1000");
	if (bytes > 0)
		text_printf(yaml, ", cores: [%d, %d], arguments: kept, runtime_args: %llu",
			CORES_WIDE, CORES_HIGH,
			(unsigned long long)(bytes / (CORES_WIDE * CORES_HIGH * ARGUMENTS_BYTES)));
	text_append(yaml, "}\n");
}

/* Appends a scenario that enqueues a program to many devices. If the row has
 * threads=task_per_device, the pool has one thread for each device, each with its own queue. So
 * each thread wakes up for only one task. */
void experiment_enqueue_scenario(const struct reference_row *row, struct text *yaml)
{
	const char *threads = reference_text(row, "threads", "main");
	uint64_t devices = experiment_number(row, "devices", 8);
	bool each = strcmp(threads, "task_per_device") == 0;
	const char *platform;
	unsigned rows, columns;

	enqueue_machine(row, devices, &platform, &rows, &columns);
	experiment_head(yaml, row->family, platform);
	text_printf(yaml,
		"runtime:\n  mesh: {shape: [%u, %u]}\n  command_cache: false\n  forward: {path: "
		"%s}\n"
		"  host: {threads: %s, count: %u, queues: %s}\nmeasure: {verify: "
		"false}\nworkload:\n"
		"  - repeat: %d\n    do:\n",
		rows, columns, reference_text(row, "forward", "unicast"), each ? "pool" : threads,
		each ? (unsigned)devices : POOL_THREADS, each ? "own" : "shared", CALLS);
	add_enqueued_program(row, yaml);
	text_append(yaml, "      - finish: {}\n");
}

double experiment_enqueue_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	bool broadcast = experiment_is(row, "forward", "broadcast", "unicast");
	int64_t (*skew)(const struct op_row *) = broadcast ? arrival_skew : doorbell_skew;

	return median_us(ops, count, "enqueue_workload",
		strcmp(row->metric, "launch_skew") == 0 ? skew : host_time);
}
