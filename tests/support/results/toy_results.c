/* Small result files (see toy_results.h). */
#include "toy_results.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ensure.h"
#include "bench/results/results.h"

enum { RUNS_MAX = 4 };

/* A row of the summary. */
struct summary_row {
	uint32_t run;
	char status[16];
	uint64_t seed;
	char completion[16];
	int64_t initiators;
	uint64_t simulated, events, host_busy;
	uint64_t write_count;
	double write_throughput;
	int64_t write_host[5], write_latency[5];
	uint64_t enqueue_count;
	double enqueue_throughput;
	int64_t enqueue_latency[5];
};

#define PERCENTILES(prefix, member)                                                                \
	{prefix ".p50", "ps", COLUMN_TIME, offsetof(struct summary_row, member[0]), 8},            \
		{prefix ".p90", "ps", COLUMN_TIME, offsetof(struct summary_row, member[1]), 8},    \
		{prefix ".p99", "ps", COLUMN_TIME, offsetof(struct summary_row, member[2]), 8},    \
		{prefix ".p99_9", "ps", COLUMN_TIME, offsetof(struct summary_row, member[3]), 8},  \
	{                                                                                          \
		prefix ".max", "ps", COLUMN_TIME, offsetof(struct summary_row, member[4]), 8       \
	}

static const struct column summary_columns[] = {
	COLUMN(struct summary_row, run, "1"),
	COLUMN(struct summary_row, status, "text"),
	COLUMN(struct summary_row, seed, "1"),
	{"runtime.completion", "text", COLUMN_TEXT, offsetof(struct summary_row, completion), 16},
	{"runtime.forward.initiators", "1", COLUMN_I64, offsetof(struct summary_row, initiators),
		8},
	COLUMN(struct summary_row, simulated, "ps"),
	COLUMN(struct summary_row, events, "1"),
	COLUMN(struct summary_row, host_busy, "ps"),
	{"write_buffer.count", "1", COLUMN_U64, offsetof(struct summary_row, write_count), 8},
	{"write_buffer.throughput", "1/s", COLUMN_F64,
		offsetof(struct summary_row, write_throughput), 8},
	PERCENTILES("write_buffer.host", write_host),
	PERCENTILES("write_buffer.latency", write_latency),
	{"enqueue_workload.count", "1", COLUMN_U64, offsetof(struct summary_row, enqueue_count), 8},
	{"enqueue_workload.throughput", "1/s", COLUMN_F64,
		offsetof(struct summary_row, enqueue_throughput), 8},
	PERCENTILES("enqueue_workload.latency", enqueue_latency),
};

static void fill_percentiles(int64_t *percentiles, int64_t base)
{
	for (int i = 0; i < 5; i++)
		percentiles[i] = base + i * base / 10;
}

static struct summary_row summary_of(uint32_t run)
{
	struct summary_row row = {.run = run,
		.seed = 7,
		.initiators = run % 2 ? 4 : 1,
		.simulated = 1000000000 + run * 500000000,
		.events = 123456 + run,
		.host_busy = 400000000,
		.write_count = 10,
		.write_throughput = 2500.25,
		.enqueue_count = run == 1 ? 0 : 90,
		.enqueue_throughput = run == 1 ? 0 : 45000.5};

	snprintf(row.status, sizeof(row.status), "%s", run == 1 ? "stalled" : "ok");
	snprintf(row.completion, sizeof(row.completion), "%s", run < 2 ? "table" : "aggregator");
	fill_percentiles(row.write_host, -1);
	row.write_host[0] = row.write_host[1] = -1;
	fill_percentiles(row.write_latency, 2000000 + run);
	fill_percentiles(row.enqueue_latency, run == 1 ? -1 : 15000000);
	return row;
}

static const struct thread_row threads[] = {
	{.name = "main",
		.started = 0,
		.ended = 1000000000,
		.busy = 300000000,
		.copying = 100000000,
		.spinning = 50000000,
		.switching = 1000000,
		.waiting = 2000000,
		.parked = 647000000,
		.switches = 12,
		.wakes_hot = 3,
		.polls = 77},
	{.name = "worker-0",
		.started = 0,
		.ended = -1,
		.busy = 100000000,
		.parked = 900000000,
		.switches = 5,
		.wakes_idle = 2},
};

static const struct link_row links[] = {
	{.name = "PCIe to chip 0",
		.kind = "pcie",
		.from = -1,
		.bandwidth = 24900000000,
		.bytes = 1000000,
		.payload = 1000000,
		.messages = 10,
		.busy = 40000000,
		.utilization = 0.04},
	{.name = "chip 0 to 1, link 0",
		.kind = "fabric",
		.to = 1,
		.bandwidth = 12500000000,
		.bytes = 2500000,
		.payload = 2400000,
		.messages = 600,
		.busy = 200000000,
		.waited = 3000000,
		.blocked = 1000000,
		.utilization = 0.2},
	{.name = "chip 1 to 0, link 0", .kind = "fabric", .from = 1, .bandwidth = 12500000000},
};

static const struct queue_row queues[] = {
	{.name = "receive slots, chip 1 from 0, link 0",
		.chip = 1,
		.capacity = 16,
		.high_water = 16,
		.taken = 600,
		.blocked = 4,
		.blocked_time = 1000000},
	{.name = "receive slots, chip 0 from 1, link 0", .chip = 0, .capacity = 16},
};

static const struct core_row cores[] = {
	{.chip = 0,
		.tile = 101,
		.role = "prefetch_hd",
		.steps = 400,
		.busy_cycles = 30000,
		.busy = 30000000,
		.blocked = 5000000,
		.utilization = 0.03},
	{.chip = 0,
		.tile = 102,
		.role = "dispatcher",
		.steps = 900,
		.busy_cycles = 250000,
		.busy = 250000000,
		.blocked = 1000000,
		.utilization = 0.25},
	{.chip = 1,
		.tile = 102,
		.role = "dispatcher",
		.steps = 800,
		.busy_cycles = 150000,
		.busy = 150000000,
		.blocked = 90000000,
		.utilization = 0.15},
};

static const struct work_row work[] = {
	{.work = "API_CALL", .unit = "one call of the public API", .units = 100},
	{.work = "POLL", .unit = "one look", .units = 77},
	{.work = "ALLOCATE", .unit = "one allocation", .units = 0},
};

static void add_table(
	struct run_record *record, struct table table, const void *rows, uint64_t row_count)
{
	table.rows = rows;
	table.row_count = row_count;
	record->tables[record->table_count++] = table;
}

static void write_part(const char *path, uint32_t run)
{
	struct run_record record = {.seed = 7,
		.scenario_hash = TOY_HASH,
		.status = run == 1 ? "stalled" : "ok",
		.message = run == 1 ? "dispatcher on chip 1 waits for credits" : "",
		.world = "sim",
		.simgrid_configuration = "network/model:CM02",
		.scenario = "meshsim: 1\n",
		.platform = "name: toy\n"};

	add_table(&record, results_threads(), threads, 2);
	add_table(&record, results_links(), links, 3);
	add_table(&record, results_queues(), queues, 2);
	add_table(&record, results_cores(), cores, 3);
	add_table(&record, results_work(), work, 3);
	ensure(results_write_part(path, &record) == STATUS_OK, "cannot write %s", path);
}

void toy_results_merge(const char *path, const char *scenario, const char *swept_keys,
	const struct table *summary, const char *model_errors, char (*names)[256])
{
	struct merge_run parts[TOY_RUNS_MAX];
	char temporary[256];
	struct merge_head head = {.scenario_name = scenario,
		.scenario_description = "A toy result",
		.world = "sim",
		.swept_keys = swept_keys,
		.model_errors = model_errors,
		.scenario_hash = TOY_HASH,
		.created = "now",
		.command_line = "meshsim run toy.yaml",
		.machine = "a machine",
		.shared_columns = 5,
		.host_runs = results_work(),
		.summary = *summary};

	ensure(summary->row_count <= TOY_RUNS_MAX, "%llu runs",
		(unsigned long long)summary->row_count);
	for (uint64_t run = 0; run < summary->row_count; run++)
		parts[run] = (struct merge_run){.part = names[run]};
	snprintf(temporary, sizeof(temporary), "%s.new", path);
	ensure(results_merge(path, temporary, &head, parts, (uint32_t)summary->row_count) ==
			STATUS_OK,
		"cannot write %s", path);
	for (uint64_t run = 0; run < summary->row_count; run++)
		unlink(names[run]);
}

void toy_results_write(const char *path, const char *folder, uint32_t runs)
{
	struct summary_row rows[RUNS_MAX];
	char names[RUNS_MAX][256];
	struct table summary = TOY_SUMMARY(summary_columns, rows, runs);

	ensure(runs <= RUNS_MAX, "%u runs", runs);
	for (uint32_t run = 0; run < runs; run++) {
		rows[run] = summary_of(run);
		snprintf(names[run], sizeof(names[run]), "%s/part-%u.h5", folder, run);
		write_part(names[run], run);
	}
	toy_results_merge(path, "toy", "runtime.completion\nruntime.forward.initiators", &summary,
		NULL, names);
}
