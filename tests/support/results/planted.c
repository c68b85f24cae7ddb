/* Planted result files (see planted.h). */
#include "planted.h"
#include "toy_results.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/stream.h"
#include "bench/results/results.h"

struct planted_summary {
	uint32_t run;
	char status[16];
	uint64_t seed;
	char design[16];
	int64_t size;
	uint64_t simulated, host_busy;
	uint64_t count;
	double throughput;
	int64_t latency[5];
};

#define LATENCY(name, i)                                                                           \
	{                                                                                          \
		"enqueue_workload.latency." name, "ps", COLUMN_TIME,                               \
			offsetof(struct planted_summary, latency[i]), 8                            \
	}

static const struct column columns[] = {
	COLUMN(struct planted_summary, run, "1"),
	COLUMN(struct planted_summary, status, "text"),
	COLUMN(struct planted_summary, seed, "1"),
	{"runtime.design", "text", COLUMN_TEXT, offsetof(struct planted_summary, design), 16},
	{"workload.size", "1", COLUMN_I64, offsetof(struct planted_summary, size), 8},
	COLUMN(struct planted_summary, simulated, "ps"),
	COLUMN(struct planted_summary, host_busy, "ps"),
	{"enqueue_workload.count", "1", COLUMN_U64, offsetof(struct planted_summary, count), 8},
	{"enqueue_workload.throughput", "1/s", COLUMN_F64,
		offsetof(struct planted_summary, throughput), 8},
	LATENCY("p50", 0),
	LATENCY("p90", 1),
	LATENCY("p99", 2),
	LATENCY("p99_9", 3),
	LATENCY("max", 4),
};

/* The points of a planted operation in order of time, and the usual time between them. */
static const enum mark_point path[] = {MARK_CALLED, MARK_BUILT, MARK_COPIED, MARK_DOORBELL,
	MARK_FETCHED, MARK_PREFETCHED, MARK_DISPATCHED, MARK_GO, MARK_WORKERS_DONE, MARK_NOTIFIED,
	MARK_SEEN, MARK_RETURNED};

enum { PATH_POINTS = sizeof(path) / sizeof(path[0]), EACH = 1000000 };

static int64_t takes(const struct planted_run *run, enum mark_point point)
{
	if (point == MARK_CALLED)
		return 0;
	if (point == MARK_COPIED)
		return run->copy;
	return point == MARK_DISPATCHED ? run->dispatch : EACH;
}

int64_t planted_latency(const struct planted_run *run)
{
	int64_t sum = 0;

	for (int i = 0; i < PATH_POINTS && path[i] != MARK_RETURNED; i++)
		sum += takes(run, path[i]);
	return sum;
}

/* Fills the operations one after the other. Returns the end of the last operation. */
static int64_t fill_operations(struct op_row *rows, const struct planted_run *run)
{
	struct stream stream;
	int64_t now = EACH;

	uint32_t warmup = run->measured ? PLANTED_OPERATIONS - run->measured : 2;

	stream_init(&stream, run->seed, run->design);
	for (uint32_t i = 0; i < PLANTED_OPERATIONS; i++) {
		struct op_row *row = &rows[i];
		int64_t more =
			run->spread ? (int64_t)stream_below(&stream, (uint64_t)run->spread + 1) : 0;
		*row = (struct op_row){.operation = i + 1,
			.kind = "enqueue_workload",
			.iteration = i,
			.warmup = i < warmup,
			.arrival = -1,
			.cpu_called = run->host_cpu ? i * run->host_cpu : -1,
			.cpu_returned = run->host_cpu ? (i + 1) * run->host_cpu : -1,
			.cpu_complete = -1,
			.thread = "main",
			.build_time = EACH,
			.copy_time = run->copy + more,
			.doorbell_time = EACH};
		for (int m = 0; m < MARK_POINT_COUNT; m++)
			row->marks[m] = (struct op_mark){-1, -1, 0};
		for (int p = 0; p < PATH_POINTS; p++) {
			now += takes(run, path[p]) + (path[p] == MARK_COPIED ? more : 0);
			row->marks[path[p]] = (struct op_mark){now, now, 1};
		}
		now += EACH; /* until the next call */
	}
	return now;
}

enum { CHARGES_MAX = 8 };

/* The first entry is the total of the critical paths. The charges follow. */
static void fill_charges(struct charge_row *rows, const struct planted_run *run)
{
	for (uint32_t i = 0; i <= run->charge_count; i++) {
		const struct planted_charge *charge = i ? &run->charges[i - 1] : NULL;

		rows[i] = (struct charge_row){.kind = "enqueue_workload",
			.metric = "latency",
			.count = PLANTED_OPERATIONS,
			.time = PLANTED_OPERATIONS *
				(charge ? charge->each : planted_latency(run))};
		if (charge)
			snprintf(
				rows[i].constant, sizeof(rows[i].constant), "%s", charge->constant);
	}
}

static void write_part(const char *name, const struct planted_run *run, int64_t *end)
{
	static struct op_row rows[PLANTED_OPERATIONS];
	static struct charge_row charges[CHARGES_MAX];
	struct run_record record = {.seed = run->seed,
		.scenario_hash = 7,
		.status = run->status ? run->status : "ok",
		.message = "",
		.world = "sim",
		.simgrid_configuration = "",
		.scenario = run->scenario ? run->scenario : "model:\n  network: packet\n",
		.platform = run->platform ? run->platform : "name: planted\n",
		.ops = rows,
		.op_count = PLANTED_OPERATIONS};

	*end = fill_operations(rows, run);
	ensure(run->charge_count < CHARGES_MAX, "%u charges", run->charge_count);
	fill_charges(charges, run);
	if (run->charges)
		record_table(&record, results_charges(), charges, run->charge_count + 1);
	ensure(results_write_part(name, &record) == STATUS_OK, "cannot write %s", name);
}

static struct planted_summary summary_of(
	const struct planted_run *run, uint32_t number, int64_t end)
{
	struct planted_summary row = {.run = number,
		.seed = run->seed,
		.size = run->size,
		.simulated = (uint64_t)end,
		.host_busy = (uint64_t)end / 2,
		.count = PLANTED_OPERATIONS - 2,
		.throughput = PLANTED_OPERATIONS / ((double)end * 1e-12)};

	snprintf(row.status, sizeof(row.status), "%s", run->status ? run->status : "ok");
	snprintf(row.design, sizeof(row.design), "%s", run->design);
	for (int i = 0; i < 5; i++)
		row.latency[i] = planted_latency(run);
	return row;
}

void planted_write(
	const char *file, const char *folder, const struct planted_run *runs, uint32_t count)
{
	static struct planted_summary rows[PLANTED_RUNS_MAX];
	static char names[PLANTED_RUNS_MAX][256];
	struct table summary = TOY_SUMMARY(columns, rows, count);

	ensure(count <= PLANTED_RUNS_MAX, "%u runs", count);
	for (uint32_t i = 0; i < count; i++) {
		int64_t end;
		snprintf(names[i], sizeof(names[i]), "%s/planted-%u.part", folder, i);
		write_part(names[i], &runs[i], &end);
		rows[i] = summary_of(&runs[i], i, end);
	}
	toy_results_merge(file, "planted", "runtime.design\nworkload.size", &summary,
		runs[0].model_errors, names);
}
