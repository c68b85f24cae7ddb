/* Layouts of the rows in results.h, with their units. */
#include "bench/results/results.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/ensure.h"

#define TABLE(name_, row, columns_)                                                                \
	(struct table)                                                                             \
	{                                                                                          \
		.name = name_, .columns = columns_,                                                \
		.column_count = sizeof(columns_) / sizeof((columns_)[0]), .row_bytes = sizeof(row) \
	}

enum { OP_FIXED_COLUMNS = 25, OP_COLUMNS = OP_FIXED_COLUMNS + 3 * MARK_POINT_COUNT };

static const struct column op_fixed_columns[OP_FIXED_COLUMNS] = {
	COLUMN(struct op_row, operation, "1"),
	COLUMN(struct op_row, kind, "text"),
	COLUMN(struct op_row, program, "text"),
	COLUMN(struct op_row, step_number, "1"),
	COLUMN(struct op_row, iteration, "1"),
	COLUMN(struct op_row, warmup, "1"),
	COLUMN(struct op_row, queue, "1"),
	COLUMN(struct op_row, mesh_number, "1"),
	COLUMN(struct op_row, part, "1"),
	COLUMN(struct op_row, sub_devices, "1"),
	COLUMN(struct op_row, awaits, "1"),
	COLUMN(struct op_row, mesh, "text"),
	COLUMN(struct op_row, thread, "text"),
	COLUMN(struct op_row, bytes, "B"),
	TIME_COLUMN(struct op_row, arrival),
	TIME_COLUMN(struct op_row, cpu_called),
	TIME_COLUMN(struct op_row, cpu_returned),
	TIME_COLUMN(struct op_row, cpu_complete),
	TIME_COLUMN(struct op_row, others_called),
	TIME_COLUMN(struct op_row, others_returned),
	TIME_COLUMN(struct op_row, others_complete),
	COLUMN(struct op_row, build_time, "ps"),
	COLUMN(struct op_row, expect_time, "ps"),
	COLUMN(struct op_row, copy_time, "ps"),
	COLUMN(struct op_row, doorbell_time, "ps"),
};

static const struct column metric_columns[] = {
	COLUMN(struct metric_row, kind, "text"),
	COLUMN(struct metric_row, metric, "text"),
	COLUMN(struct metric_row, count, "1"),
	COLUMN(struct metric_row, p50, "ps"),
	COLUMN(struct metric_row, p90, "ps"),
	COLUMN(struct metric_row, p99, "ps"),
	COLUMN(struct metric_row, p99_9, "ps"),
	COLUMN(struct metric_row, max, "ps"),
	COLUMN(struct metric_row, min, "ps"),
	COLUMN(struct metric_row, mean, "ps"),
};

static const struct column kind_columns[] = {
	COLUMN(struct kind_row, kind, "text"),
	COLUMN(struct kind_row, operations, "1"),
	COLUMN(struct kind_row, warmup, "1"),
	TIME_COLUMN(struct kind_row, first),
	TIME_COLUMN(struct kind_row, last),
	COLUMN(struct kind_row, throughput, "1/s"),
	COLUMN(struct kind_row, bytes, "B"),
	COLUMN(struct kind_row, bandwidth, "B/s"),
};

static const struct column histogram_columns[] = {
	COLUMN(struct histogram_row, kind, "text"),
	COLUMN(struct histogram_row, metric, "text"),
	COLUMN(struct histogram_row, lower, "ps"),
	COLUMN(struct histogram_row, upper, "ps"),
	COLUMN(struct histogram_row, count, "1"),
};

static const struct column link_columns[] = {
	COLUMN(struct link_row, name, "text"),
	COLUMN(struct link_row, kind, "text"),
	COLUMN(struct link_row, from, "1"),
	COLUMN(struct link_row, to, "1"),
	COLUMN(struct link_row, bandwidth, "B/s"),
	COLUMN(struct link_row, bytes, "B"),
	COLUMN(struct link_row, payload, "B"),
	COLUMN(struct link_row, messages, "1"),
	COLUMN(struct link_row, busy, "ps"),
	COLUMN(struct link_row, waited, "ps"),
	COLUMN(struct link_row, blocked, "ps"),
	COLUMN(struct link_row, utilization, "1"),
};

static const struct column thread_columns[] = {
	COLUMN(struct thread_row, name, "text"),
	COLUMN(struct thread_row, host, "1"),
	COLUMN(struct thread_row, started, "ps"),
	TIME_COLUMN(struct thread_row, ended),
	COLUMN(struct thread_row, busy, "ps"),
	COLUMN(struct thread_row, copying, "ps"),
	COLUMN(struct thread_row, spinning, "ps"),
	COLUMN(struct thread_row, switching, "ps"),
	COLUMN(struct thread_row, waiting, "ps"),
	COLUMN(struct thread_row, parked, "ps"),
	COLUMN(struct thread_row, switches, "1"),
	COLUMN(struct thread_row, preemptions, "1"),
	COLUMN(struct thread_row, wakes_spin, "1"),
	COLUMN(struct thread_row, wakes_hot, "1"),
	COLUMN(struct thread_row, wakes_idle, "1"),
	COLUMN(struct thread_row, wakes_queued, "1"),
	COLUMN(struct thread_row, polls, "1"),
};

static const struct column opening_columns[] = {
	COLUMN(struct opening_row, hosts, "1"),
	COLUMN(struct opening_row, opening, "ps"),
	COLUMN(struct opening_row, opening_most, "ps"),
	COLUMN(struct opening_row, proof, "ps"),
	COLUMN(struct opening_row, proof_most, "ps"),
};

static const struct column memory_columns[] = {
	COLUMN(struct memory_row, name, "text"),
	COLUMN(struct memory_row, total, "B"),
	COLUMN(struct memory_row, taken, "B"),
	COLUMN(struct memory_row, free, "B"),
	COLUMN(struct memory_row, largest_free, "B"),
	COLUMN(struct memory_row, peak, "B"),
	COLUMN(struct memory_row, lowest, "B"),
	COLUMN(struct memory_row, allocations, "1"),
	COLUMN(struct memory_row, free_blocks, "1"),
	COLUMN(struct memory_row, fragmentation, "1"),
};

static const struct column work_columns[] = {
	COLUMN(struct work_row, work, "text"),
	COLUMN(struct work_row, unit, "text"),
	COLUMN(struct work_row, units, "1"),
};

static const struct column queue_columns[] = {
	COLUMN(struct queue_row, name, "text"),
	COLUMN(struct queue_row, chip, "1"),
	COLUMN(struct queue_row, capacity, "1"),
	COLUMN(struct queue_row, high_water, "1"),
	COLUMN(struct queue_row, waiting_high_water, "1"),
	COLUMN(struct queue_row, taken, "1"),
	COLUMN(struct queue_row, blocked, "1"),
	COLUMN(struct queue_row, blocked_time, "ps"),
};

static const struct column core_columns[] = {
	COLUMN(struct core_row, chip, "1"),
	COLUMN(struct core_row, tile, "1"),
	COLUMN(struct core_row, processor, "1"),
	COLUMN(struct core_row, role, "text"),
	COLUMN(struct core_row, steps, "1"),
	COLUMN(struct core_row, busy_cycles, "cycles"),
	COLUMN(struct core_row, busy, "ps"),
	COLUMN(struct core_row, blocked, "ps"),
	COLUMN(struct core_row, utilization, "1"),
};

static const struct column path_columns[] = {
	COLUMN(struct path_row, operation, "1"),
	COLUMN(struct path_row, metric, "1"),
	COLUMN(struct path_row, stage, "1"),
	COLUMN(struct path_row, time, "ps"),
};

static const struct column charge_columns[] = {
	COLUMN(struct charge_row, kind, "text"),
	COLUMN(struct charge_row, step, "text"),
	COLUMN(struct charge_row, metric, "text"),
	COLUMN(struct charge_row, constant, "text"),
	COLUMN(struct charge_row, count, "1"),
	COLUMN(struct charge_row, time, "ps"),
};

static const struct column stage_columns[] = {
	COLUMN(struct stage_row, label, "text"),
};

static const struct column trace_track_columns[] = {
	COLUMN(struct trace_track_row, name, "text"),
	COLUMN(struct trace_track_row, kind, "text"),
	COLUMN(struct trace_track_row, chip, "1"),
};

static const struct column trace_label_columns[] = {
	COLUMN(struct trace_label_row, label, "text"),
};

static const struct column trace_slice_columns[] = {
	COLUMN(struct trace_slice_row, operation, "1"),
	COLUMN(struct trace_slice_row, track, "1"),
	COLUMN(struct trace_slice_row, label, "1"),
	COLUMN(struct trace_slice_row, start, "ps"),
	COLUMN(struct trace_slice_row, end, "ps"),
};

static const struct column trace_depth_columns[] = {
	COLUMN(struct trace_depth_row, track, "1"),
	COLUMN(struct trace_depth_row, depth, "1"),
	COLUMN(struct trace_depth_row, at, "ps"),
};

static const struct column left_columns[] = {
	COLUMN(struct left_row, kind, "text"),
	COLUMN(struct left_row, name, "text"),
	COLUMN(struct left_row, mesh, "text"),
	COLUMN(struct left_row, place, "text"),
	COLUMN(struct left_row, bytes, "B"),
};

static const struct column print_columns[] = {
	COLUMN(struct print_row, time, "ps"),
	COLUMN(struct print_row, operation, "1"),
	COLUMN(struct print_row, chip, "1"),
	COLUMN(struct print_row, tile, "1"),
	COLUMN(struct print_row, processor, "text"),
	COLUMN(struct print_row, instruction, "1"),
	COLUMN(struct print_row, number, "1"),
	COLUMN(struct print_row, what, "text"),
	COLUMN(struct print_row, value, "1"),
};

static const struct column print_count_columns[] = {
	COLUMN(struct print_count_row, printed, "1"),
	COLUMN(struct print_count_row, kept, "1"),
};

static const struct column log_columns[] = {
	COLUMN(struct log_row, time, "ps"),
	COLUMN(struct log_row, host, "1"),
	COLUMN(struct log_row, thread, "text"),
	COLUMN(struct log_row, type, "text"),
	COLUMN(struct log_row, level, "text"),
	COLUMN(struct log_row, text, "text"),
};

static const struct column saved_columns[] = {
	COLUMN(struct saved_row, name, "text"),
	COLUMN(struct saved_row, element, "text"),
	COLUMN(struct saved_row, shape, "text"),
	COLUMN(struct saved_row, count, "1"),
};

static const struct column log_count_columns[] = {
	COLUMN(struct log_count_row, logged, "1"),
	COLUMN(struct log_count_row, kept, "1"),
};

static const struct column watch_columns[] = {
	COLUMN(struct watch_row, group, "1"),
	COLUMN(struct watch_row, cores, "1"),
	COLUMN(struct watch_row, chip_count, "1"),
	COLUMN(struct watch_row, chips, "text"),
	COLUMN(struct watch_row, tiles, "text"),
	COLUMN(struct watch_row, processor, "text"),
	COLUMN(struct watch_row, state, "text"),
	COLUMN(struct watch_row, instruction, "1"),
	COLUMN(struct watch_row, at, "text"),
	COLUMN(struct watch_row, waits, "text"),
	COLUMN(struct watch_row, waypoint, "1"),
};

/* Returns the column "called_first" and so on of mark point `point`. */
static struct column op_mark_column(int point, const char *what, char *name, size_t size)
{
	static const struct op_row *const row; /* used only for types and offsets */
	const size_t offset = offsetof(struct op_row, marks) + (size_t)point * sizeof *row->marks;

	snprintf(name, size, "%s_%s", mark_point_name(point), what);
	for (char *c = name; *c; c++)
		*c = (char)tolower(*c);
	if (strcmp(what, "count") == 0)
		return (struct column){name, "1", COLUMN_U32,
			(uint32_t)(offset + offsetof(struct op_mark, count)),
			sizeof row->marks[0].count};
	return (struct column){name, "ps", COLUMN_TIME,
		(uint32_t)(offset + (strcmp(what, "first") == 0 ? offsetof(struct op_mark, first)
								: offsetof(struct op_mark, last))),
		sizeof row->marks[0].first};
}

struct table results_ops(void)
{
	static struct column columns[OP_COLUMNS];
	static char names[3 * MARK_POINT_COUNT][40];
	static const char *const what[] = {"first", "last", "count"};

	if (!columns[0].name) {
		memcpy(columns, op_fixed_columns, sizeof op_fixed_columns);
		for (int i = 0; i < 3 * MARK_POINT_COUNT; i++)
			columns[OP_FIXED_COLUMNS + i] =
				op_mark_column(i / 3, what[i % 3], names[i], sizeof names[i]);
	}
	return TABLE("ops", struct op_row, columns);
}

struct table results_metrics(void)
{
	return TABLE("metrics", struct metric_row, metric_columns);
}

struct table results_kinds(void)
{
	return TABLE("kinds", struct kind_row, kind_columns);
}

struct table results_histograms(void)
{
	return TABLE("histograms", struct histogram_row, histogram_columns);
}

struct table results_links(void)
{
	return TABLE("links", struct link_row, link_columns);
}

struct table results_threads(void)
{
	return TABLE("threads", struct thread_row, thread_columns);
}

struct table results_opening(void)
{
	return TABLE("opening", struct opening_row, opening_columns);
}

struct table results_work(void)
{
	return TABLE("work", struct work_row, work_columns);
}

struct table results_memory(void)
{
	return TABLE("memory", struct memory_row, memory_columns);
}

struct table results_queues(void)
{
	return TABLE("queues", struct queue_row, queue_columns);
}

struct table results_cores(void)
{
	return TABLE("cores", struct core_row, core_columns);
}

struct table results_paths(void)
{
	return TABLE("paths", struct path_row, path_columns);
}

struct table results_charges(void)
{
	return TABLE("charges", struct charge_row, charge_columns);
}

struct table results_stages(void)
{
	return TABLE("stages", struct stage_row, stage_columns);
}

struct table results_trace_tracks(void)
{
	return TABLE("trace_tracks", struct trace_track_row, trace_track_columns);
}

struct table results_trace_slices(void)
{
	return TABLE("trace_slices", struct trace_slice_row, trace_slice_columns);
}

struct table results_trace_labels(void)
{
	return TABLE("trace_labels", struct trace_label_row, trace_label_columns);
}

struct table results_trace_depths(void)
{
	return TABLE("trace_depths", struct trace_depth_row, trace_depth_columns);
}

struct table results_left(void)
{
	return TABLE("left", struct left_row, left_columns);
}

struct table results_prints(void)
{
	return TABLE("prints", struct print_row, print_columns);
}

struct table results_print_counts(void)
{
	return TABLE("print_counts", struct print_count_row, print_count_columns);
}

struct table results_log(void)
{
	return TABLE("log", struct log_row, log_columns);
}

struct table results_log_counts(void)
{
	return TABLE("log_counts", struct log_count_row, log_count_columns);
}

struct table results_saved(void)
{
	return TABLE("saved", struct saved_row, saved_columns);
}

struct table results_watcher(void)
{
	return TABLE("watcher", struct watch_row, watch_columns);
}

void record_table(struct run_record *record, struct table table, const void *rows, uint64_t count)
{
	ensure(record->table_count < RUN_TABLES_MAX, "%u tables", record->table_count);
	table.rows = rows;
	table.row_count = count;
	record->tables[record->table_count++] = table;
}
