/* From marks to rows to numbers: the recorder and the metrics, in closed form. */
#include "test.h"

#include <string.h>

#include "bench/results/metrics.h"
#include "bench/record/recorder.h"

static uint32_t start(struct op_recorder *recorder, const char *kind, bool warmup)
{
	struct op_start op = {.kind = kind,
		.thread = "main",
		.mesh = "",
		.warmup = warmup,
		.bytes = 10,
		.arrival_ps = -1};

	return op_recorder_start(recorder, &op);
}

TEST(marks_keep_first_last_and_count)
{
	struct op_recorder *recorder = op_recorder_new(2, false);
	struct recorder sink = op_recorder_sink(recorder);
	const struct op_row *rows;
	uint32_t count, op = start(recorder, "finish", false);

	assert_int_equal(op, 1);
	sink.mark(sink.context, 70, op, MARK_GO, 3);
	sink.mark(sink.context, 50, op, MARK_GO, 1);
	sink.mark(sink.context, 60, op, MARK_GO, 2);
	sink.mark(sink.context, 5, 0, MARK_GO, 2); /* operation 0: none */
	rows = op_recorder_rows(recorder, &count);
	assert_int_equal(count, 1);
	assert_int_equal(rows[0].marks[MARK_GO].first, 50);
	assert_int_equal(rows[0].marks[MARK_GO].last, 70);
	assert_int_equal(rows[0].marks[MARK_GO].count, 3);
	assert_int_equal(rows[0].marks[MARK_SEEN].first, -1);
	assert_int_equal(rows[0].marks[MARK_SEEN].count, 0);
	op_recorder_free(recorder);
}

static const struct metric_row *find(
	const struct metrics *metrics, const char *kind, const char *name)
{
	for (uint32_t i = 0; i < metrics->metric_count; i++)
		if (strcmp(metrics->metrics[i].kind, kind) == 0 &&
			strcmp(metrics->metrics[i].metric, name) == 0)
			return &metrics->metrics[i];
	return NULL;
}

/* 1000 operations that take 1, 2, .. 1000 us, started a millisecond apart, and ten for warm-up. */
TEST(percentiles_are_values_that_occurred)
{
	struct op_recorder *recorder = op_recorder_new(1010, false);
	struct recorder sink = op_recorder_sink(recorder);
	const struct metric_row *row;
	const struct op_row *rows;
	struct metrics metrics;
	struct arena arena;
	uint64_t total = 0;
	uint32_t count;

	arena_init(&arena);
	for (int64_t i = 0; i < 1010; i++) {
		uint32_t op = start(recorder, "enqueue_workload", i < 10);
		int64_t called = i * 1000000000;
		int64_t took = i < 10 ? 77000000000 : ((i * 7) % 1000 + 1) * 1000000;

		sink.mark(sink.context, called, op, MARK_CALLED, 0);
		sink.mark(sink.context, called + 5, op, MARK_RETURNED, 0);
		sink.mark(sink.context, called + 100, op, MARK_GO, 0);
		sink.mark(sink.context, called + 130, op, MARK_GO, 1);
		sink.mark(sink.context, called + took, op, MARK_WORKERS_DONE, 1);
	}
	rows = op_recorder_rows(recorder, &count);
	metrics_compute(&metrics, rows, count, NULL, &arena);
	row = find(&metrics, "enqueue_workload", "latency");
	assert_non_null(row);
	assert_int_equal(row->count, 1000);
	assert_int_equal(row->p50, 500000000);
	assert_int_equal(row->p90, 900000000);
	assert_int_equal(row->p99, 990000000);
	assert_int_equal(row->p99_9, 999000000);
	assert_int_equal(row->max, 1000000000);
	assert_int_equal(row->min, 1000000);
	assert_int_equal(find(&metrics, "enqueue_workload", "host")->max, 5);
	assert_int_equal(find(&metrics, "enqueue_workload", "reach")->p50, 130);
	assert_int_equal(find(&metrics, "enqueue_workload", "skew")->p50, 30);
	assert_int_equal(metrics.kind_count, 1);
	assert_int_equal(metrics.kinds[0].operations, 1000);
	assert_int_equal(metrics.kinds[0].warmup, 10);
	assert_int_equal(metrics.kinds[0].bytes, 10000);
	assert_int_equal(metrics.kinds[0].first, 10 * INT64_C(1000000000));
	for (uint32_t i = 0; i < metrics.histogram_count; i++)
		if (strcmp(metrics.histograms[i].metric, "latency") == 0)
			total += metrics.histograms[i].count;
	assert_int_equal(total, 1000);
	arena_fini(&arena);
	op_recorder_free(recorder);
}

/* Makes a row with latencies of `count` operations that take 1, 2, .. ps. */
static struct metric_row row_of(uint32_t count)
{
	struct op_recorder *recorder = op_recorder_new(count, false);
	struct recorder sink = op_recorder_sink(recorder);
	const struct op_row *rows;
	struct metrics metrics;
	struct metric_row row;
	struct arena arena;
	uint32_t recorded;

	arena_init(&arena);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t op = start(recorder, "finish", false);

		sink.mark(sink.context, 10, op, MARK_CALLED, 0);
		sink.mark(sink.context, 10 + count - i, op, MARK_SEEN, 0);
	}
	rows = op_recorder_rows(recorder, &recorded);
	metrics_compute(&metrics, rows, recorded, NULL, &arena);
	row = *find(&metrics, "finish", "latency");
	arena_fini(&arena);
	op_recorder_free(recorder);
	return row;
}

/* Rounding the rank down would choose another sample if there are few. */
TEST(ranks_of_percentiles_are_rounded_up)
{
	static const struct {
		uint32_t count;
		int64_t p50, p90, p99, p99_9, max;
	} expected[] = {{1, 1, 1, 1, 1, 1}, {2, 1, 2, 2, 2, 2}, {7, 4, 7, 7, 7, 7},
		{8, 4, 8, 8, 8, 8}, {10, 5, 9, 10, 10, 10}, {101, 51, 91, 100, 101, 101}};

	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		struct metric_row row = row_of(expected[i].count);

		assert_int_equal(row.p50, expected[i].p50);
		assert_int_equal(row.p90, expected[i].p90);
		assert_int_equal(row.p99, expected[i].p99);
		assert_int_equal(row.p99_9, expected[i].p99_9);
		assert_int_equal(row.min, 1);
		assert_int_equal(row.max, expected[i].max);
	}
}

TEST(a_seen_operation_ends_when_the_host_sees_it)
{
	struct op_row op = {.operation = 1, .kind = "finish", .arrival = -1};
	struct metrics metrics;
	struct arena arena;

	arena_init(&arena);
	for (int i = 0; i < MARK_POINT_COUNT; i++)
		op.marks[i] = (struct op_mark){-1, -1, 0};
	op.marks[MARK_CALLED] = (struct op_mark){100, 100, 1};
	op.marks[MARK_NOTIFIED] = (struct op_mark){400, 500, 8};
	op.marks[MARK_SEEN] = (struct op_mark){900, 900, 1};
	metrics_compute(&metrics, &op, 1, NULL, &arena);
	assert_int_equal(find(&metrics, "finish", "latency")->p50, 800);
	assert_int_equal(find(&metrics, "finish", "done")->p50, 400);
	assert_null(find(&metrics, "finish", "reach"));
	arena_fini(&arena);
}

TEST_MAIN(NULL, NULL)
