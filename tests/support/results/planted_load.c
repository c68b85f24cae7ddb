/* Writes planted loads (see planted_load.h), by simulating one caller and one server. */
#include "planted_load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/stream.h"
#include "bench/results/results.h"

struct load_summary {
	uint32_t run;
	char status[16];
	uint64_t seed;
	char design[16];
	int64_t at;
	uint64_t simulated, host_busy;
};

enum { LITTLE = 100000, ROWS_MAX = 2 * 2 * LOAD_OPERATIONS_MAX + 2 };

/* A caller, the server that it uses, and the rows that both produce. */
struct maker {
	const struct planted_load *load;
	struct stream own, each;
	double run;		  /* factor for the whole run */
	int64_t now;		  /* present time of the caller */
	int64_t prepared, served; /* times from which the dispatcher and the workers are free */
	struct op_row rows[ROWS_MAX];
	uint32_t count;
};

static int64_t scattered(struct maker *maker, int64_t cost, double each)
{
	double factor = maker->run * (1 + maker->load->operation_noise * each);

	return (int64_t)((double)cost * fmax(factor, 0.05));
}

static struct op_row *new_row(struct maker *maker, const char *kind, uint32_t step, uint32_t turn)
{
	struct op_row *row = &maker->rows[maker->count++];

	*row = (struct op_row){.operation = maker->count,
		.step_number = step,
		.iteration = turn,
		.arrival = -1,
		.cpu_called = -1,
		.cpu_returned = -1,
		.cpu_complete = -1,
		.thread = "main",
		.build_time = -1,
		.expect_time = -1,
		.copy_time = -1,
		.doorbell_time = -1};
	snprintf(row->kind, sizeof row->kind, "%s", kind);
	for (int i = 0; i < MARK_POINT_COUNT; i++)
		row->marks[i] = (struct op_mark){-1, -1, 0};
	return row;
}

static void mark(struct op_row *row, enum mark_point point, int64_t time)
{
	row->marks[point] = (struct op_mark){time, time, 1};
}

static void call(struct maker *maker, struct op_row *row, int64_t copy)
{
	mark(row, MARK_CALLED, maker->now);
	mark(row, MARK_BUILT, maker->now += LITTLE);
	mark(row, MARK_COPIED, maker->now += copy);
	mark(row, MARK_DOORBELL, maker->now += LITTLE);
	mark(row, MARK_RETURNED, maker->now);
	mark(row, MARK_FETCHED, maker->now + LITTLE);
	mark(row, MARK_PREFETCHED, maker->now + 2 * LITTLE);
}

static void finish(struct maker *maker, uint32_t step, uint32_t turn)
{
	struct op_row *row = new_row(maker, "finish", step, turn);
	int64_t done;

	call(maker, row, LITTLE);
	done = maker->now + 3 * LITTLE > maker->served ? maker->now + 3 * LITTLE : maker->served;
	mark(row, MARK_DISPATCHED, done);
	mark(row, MARK_NOTIFIED, done + LITTLE);
	mark(row, MARK_SEEN, maker->now = done + 2 * LITTLE);
	mark(row, MARK_RETURNED, maker->now);
}

static void operate(struct maker *maker, uint32_t turn, uint32_t step, int64_t dispatch)
{
	const struct planted_load *load = maker->load;
	const char *kind = load->bytes ? "write_buffer" : "enqueue_workload";
	struct op_row *row = new_row(maker, kind, step, turn);
	double each = stream_normal(&maker->each);
	int64_t start, more = load->tail_every && turn % load->tail_every == 3 ? load->tail : 0;

	row->bytes = load->bytes;
	call(maker, row, scattered(maker, load->copy, each));
	start = maker->now + 2 * LITTLE;
	start = start > maker->prepared ? start : maker->prepared;
	start += scattered(maker, dispatch, each) + more;
	mark(row, MARK_DISPATCHED, maker->prepared = start);
	start = start > maker->served ? start : maker->served;
	maker->served = start;
	if (!load->bytes) {
		mark(row, MARK_GO, start);
		mark(row, MARK_WORKERS_DONE,
			maker->served = start + scattered(maker, load->worker, each));
	}
	if (!load->in_flight)
		finish(maker, step + 1, turn);
}

static void make(struct maker *maker, const struct planted_load *load)
{
	struct stream shared;

	memset(maker, 0, sizeof *maker);
	maker->load = load;
	maker->now = LITTLE;
	stream_init(&shared, load->seed, "planted/run");
	stream_init(&maker->own, load->seed + 1000000 * (uint64_t)load->at, load->design);
	stream_init(&maker->each, load->seed * 1000 + (uint64_t)load->at, load->design);
	maker->run = 1 + load->run_noise * stream_normal(&shared) +
		     load->own_noise * stream_normal(&maker->own);
	for (uint32_t i = 0; i < load->operations; i++) {
		operate(maker, i, 0, load->dispatch);
		if (load->other)
			operate(maker, i, 2, load->other);
	}
	if (load->in_flight)
		finish(maker, 4, 0);
}

static uint64_t write_part(const char *name, const struct planted_load *load)
{
	static const char *const steps[] = {"w.0", "w.1", "w.2", "w.3", "w.4"};
	static const char *const programs[] = {"first", "", "second", "", ""};
	static const char *const names[] = {"first", "w/1", "second", "w/3", "w/4"};
	static struct maker maker;
	struct thread_row thread = {.name = "main", .ended = -1};
	struct run_record record = {.seed = load->seed,
		.scenario_hash = 7,
		.status = load->status ? load->status : "ok",
		.message = "",
		.world = "sim",
		.simgrid_configuration = "",
		.scenario = load->scenario ? load->scenario : "model:\n  network: packet\n",
		.platform = load->platform ? load->platform : "name: planted\n",
		.ops = maker.rows,
		.steps = steps,
		.programs = programs,
		.names = names,
		.step_count = 5};
	uint64_t count = load->operations * (load->other ? 2u : 1u);

	make(&maker, load);
	record.op_count = maker.count;
	thread.spinning = (int64_t)count * load->spinning;
	thread.busy = (int64_t)count * (load->busy - load->spinning);
	record_table(&record, results_threads(), &thread, 1);
	ensure(results_write_part(name, &record) == STATUS_OK, "cannot write %s", name);
	return (uint64_t)maker.now;
}

void planted_load_write(const char *path, const char *folder, const char *key,
	const struct planted_load *loads, uint32_t count)
{
	const struct column columns[] = {
		COLUMN(struct load_summary, run, "1"),
		COLUMN(struct load_summary, status, "text"),
		COLUMN(struct load_summary, seed, "1"),
		{"runtime.design", "text", COLUMN_TEXT, offsetof(struct load_summary, design), 16},
		{key, "1", COLUMN_I64, offsetof(struct load_summary, at), 8},
		COLUMN(struct load_summary, simulated, "ps"),
		COLUMN(struct load_summary, host_busy, "ps"),
	};
	static struct load_summary rows[LOAD_RUNS_MAX];
	static char names[LOAD_RUNS_MAX][256];
	static struct merge_run parts[LOAD_RUNS_MAX];
	char temporary[256], swept[128];
	struct merge_head head = {.scenario_name = "planted",
		.scenario_description = "",
		.world = "sim",
		.swept_keys = swept,
		.scenario_hash = 7,
		.created = "now",
		.command_line = "",
		.machine = "",
		.shared_columns = 5,
		.host_runs = results_work(),
		.summary = {.name = "summary",
			.columns = columns,
			.column_count = sizeof(columns) / sizeof(columns[0]),
			.row_bytes = sizeof(struct load_summary),
			.rows = rows,
			.row_count = count}};

	ensure(count <= LOAD_RUNS_MAX, "%u runs", count);
	snprintf(swept, sizeof swept, "runtime.design\n%s", key);
	memset(rows, 0, sizeof rows);
	for (uint32_t i = 0; i < count; i++) {
		const struct planted_load *load = &loads[i];
		uint64_t operations = load->operations * (load->other ? 2u : 1u);

		snprintf(names[i], sizeof(names[i]), "%s/load-%u.part", folder, i);
		rows[i] = (struct load_summary){.run = i,
			.seed = load->seed,
			.at = load->at,
			.simulated = write_part(names[i], load),
			.host_busy = operations * (uint64_t)load->busy};
		snprintf(rows[i].status, sizeof(rows[i].status), "%s",
			load->status ? load->status : "ok");
		snprintf(rows[i].design, sizeof(rows[i].design), "%s", load->design);
		parts[i] = (struct merge_run){.part = names[i]};
	}
	snprintf(temporary, sizeof(temporary), "%s/load.new", folder);
	ensure(results_merge(path, temporary, &head, parts, count) == STATUS_OK, "cannot write %s",
		path);
	for (uint32_t i = 0; i < count; i++)
		unlink(names[i]);
}
