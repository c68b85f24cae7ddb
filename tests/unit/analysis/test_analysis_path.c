/* Tests critical paths of operations that the test makes. Tests every stage of a path, that the
 * times of the stages add up to the picosecond, and that paths lead back through the devices. Also
 * tests the paths of random operations. */
#include "test.h"

#include <string.h>

#include "analysis/operations/path.h"
#include "analysis/operations/measure.h"
#include "analysis/operations/statistics.h"
#include "base/stream.h"

enum { MANY = 200 };

static struct arena arena;

static struct op_mark marks[MANY][MARK_POINT_COUNT];

/* Makes operation `index` of a test. It has passed no marks. */
static struct operation blank(uint32_t index, const char *kind, uint32_t step)
{
	struct operation operation = {
		.kind = kind, .thread = "main", .step = step, .arrival = -1, .marks = marks[index]};

	operation.built = operation.told = operation.copied = operation.rung = -1;
	for (int i = 0; i < MARK_POINT_COUNT; i++)
		marks[index][i] = (struct op_mark){-1, -1, 0};
	return operation;
}

static void pass(uint32_t index, enum mark_point point, int64_t time)
{
	marks[index][point] = (struct op_mark){time, time, 1};
}

/* The operations of the current test. */
static struct operations operations;

struct passed {
	enum mark_point point;
	int64_t time;
};

/* Makes an operation that passed these points; the list ends with time 0. */
static struct operation passing(
	uint32_t index, const char *kind, uint32_t step, const struct passed *points)
{
	struct operation operation = blank(index, kind, step);

	for (; points->time != 0; points++)
		pass(index, points->point, points->time);
	return operation;
}

/* Makes a workload at 1000 that runs until 1900, and a finish that sees its end at 2100. */
static struct operation *workload_and_finish(void)
{
	static const struct passed workload[] = {{MARK_CALLED, 1000}, {MARK_BUILT, 1010},
		{MARK_COPIED, 1030}, {MARK_DOORBELL, 1060}, {MARK_RETURNED, 1070},
		{MARK_FETCHED, 1100}, {MARK_PREFETCHED, 1150}, {MARK_DISPATCHED, 1210},
		{MARK_GO, 1280}, {MARK_WORKERS_DONE, 1900}, {MARK_CALLED, 0}};
	static const struct passed finish[] = {{MARK_CALLED, 1075}, {MARK_BUILT, 1080},
		{MARK_COPIED, 1085}, {MARK_DOORBELL, 1090}, {MARK_FETCHED, 1120},
		{MARK_PREFETCHED, 1160}, {MARK_NOTIFIED, 1950}, {MARK_SEEN, 2100},
		{MARK_RETURNED, 2101}, {MARK_CALLED, 0}};
	static const struct passed next[] = {{MARK_CALLED, 2110}, {MARK_CALLED, 0}};
	static struct operation at[3];

	operations = (struct operations){.at = at, .count = 3};
	at[0] = passing(0, "enqueue_workload", 1, workload);
	at[1] = passing(1, "finish", 2, finish);
	at[2] = passing(2, "enqueue_workload", 1, next);
	return at;
}

/* Splits the round of the first operation. */
static void split_round(struct split *split)
{
	operations_link(&operations, &arena);
	assert_true(path_split(&operations, 0, METRIC_ROUND, split));
}

static void expect(const struct split *split, enum stage stage, int64_t time)
{
	if (split->time[stage] != time)
		print_error("%s: %lld, expected %lld\n", stage_label(stage),
			(long long)split->time[stage], (long long)time);
	assert_int_equal(split->time[stage], time);
}

static int64_t sum(const struct split *split)
{
	int64_t total = 0;

	for (int i = 0; i < STAGE_COUNT; i++)
		total += split->time[i];
	return total;
}

TEST(a_round_leads_back_through_the_workers)
{
	struct split split;

	workload_and_finish();
	split_round(&split);
	assert_int_equal(metric_value(&operations, 0, METRIC_ROUND), 1110);
	expect(&split, STAGE_BUILD, 10);
	expect(&split, STAGE_COPY, 20);
	expect(&split, STAGE_POST, 30);
	expect(&split, STAGE_FETCH, 40);
	expect(&split, STAGE_PREFETCH, 50);
	expect(&split, STAGE_DISPATCH, 60);
	expect(&split, STAGE_WAIT_WORKER, 70);
	expect(&split, STAGE_WORKER, 620);
	expect(&split, STAGE_RECORD, 50);
	expect(&split, STAGE_PCIE_EVENT, 150);
	expect(&split, STAGE_CALL, 1 + 9);
	assert_int_equal(sum(&split), 1110);
}

TEST(a_finish_that_comes_late_is_its_own_path)
{
	struct split split;

	workload_and_finish();
	pass(0, MARK_WORKERS_DONE, 1300);
	pass(1, MARK_FETCHED, 1700);
	pass(1, MARK_PREFETCHED, 1800);
	split_round(&split);
	expect(&split, STAGE_WORKER, 0);
	expect(&split, STAGE_RECORD, 150);
	expect(&split, STAGE_FETCH, 610);
	/* both calls, in sequence */
	expect(&split, STAGE_BUILD, 10 + 5);
	expect(&split, STAGE_COPY, 20 + 5);
	expect(&split, STAGE_POST, 30 + 5);
	expect(&split, STAGE_CALL, 10 + 1 + 5 + 9);
	assert_int_equal(sum(&split), 1110);
}

TEST(a_round_that_waits_for_nothing_stays_on_the_host)
{
	struct operation *at = workload_and_finish();
	struct split split;

	at[1] = blank(1, "enqueue_workload", 1);
	pass(1, MARK_CALLED, 1075);
	split_round(&split);
	assert_int_equal(metric_value(&operations, 0, METRIC_ROUND), 75);
	expect(&split, STAGE_FETCH, 0);
	expect(&split, STAGE_CALL, 10 + 5);
	assert_int_equal(sum(&split), 75);
}

TEST(a_loop_over_devices_is_split_by_its_turns)
{
	struct operation *at = workload_and_finish();
	struct split split;

	pass(0, MARK_BUILT, 1045); /* build of the last device */
	at[0].built = 12;
	at[0].told = 8;
	at[0].copied = 25;
	at[0].rung = 15;
	split_round(&split);
	expect(&split, STAGE_BUILD, 12);
	expect(&split, STAGE_QUEUE, 8);
	expect(&split, STAGE_COPY, 25);
	expect(&split, STAGE_POST, 15);
	assert_int_equal(sum(&split), 1110);
}

TEST(other_metrics_end_where_they_say)
{
	struct split split;

	workload_and_finish();
	operations_link(&operations, &arena);
	assert_int_equal(metric_value(&operations, 0, METRIC_HOST), 70);
	assert_int_equal(metric_value(&operations, 0, METRIC_REACH), 280);
	assert_int_equal(metric_value(&operations, 0, METRIC_LATENCY), 900);
	assert_int_equal(metric_value(&operations, 1, METRIC_LATENCY), 1025);
	assert_true(path_split(&operations, 1, METRIC_LATENCY, &split));
	assert_int_equal(sum(&split), 1025); /* clipped at its own call */
	assert_true(path_split(&operations, 0, METRIC_REACH, &split));
	expect(&split, STAGE_WAIT_WORKER, 70);
	assert_false(path_split(&operations, 0, METRIC_SKEW, &split));
	assert_int_equal(metric_value(&operations, 2, METRIC_ROUND), -1);
}

/* Rounding the rank down would choose another sample if there are few. */
TEST(ranks_of_samples_are_rounded_up)
{
	struct sample values[] = {{1, 0}, {2, 1}, {3, 2}, {4, 3}, {5, 4}, {6, 5}, {7, 6}, {8, 7}};
	struct samples seven = {values, 7}, eight = {values, 8}, one = {values, 1};

	assert_int_equal(samples_at(&seven, 500)->value, 4);
	assert_int_equal(samples_at(&seven, 990)->value, 7);
	assert_int_equal(samples_at(&seven, 0)->value, 1);
	assert_int_equal(samples_at(&eight, 500)->value, 4);
	assert_int_equal(samples_at(&eight, 501)->value, 5);
	assert_int_equal(samples_at(&one, 990)->value, 1);
}

TEST(ranks_of_statistics_are_rounded_up)
{
	static const int64_t values[] = {1, 2, 3, 4, 5, 6, 7, 8};
	const struct sorted seven = {values, 7}, eight = {values, 8};

	assert_int_equal(statistic(&seven, 500), 4);
	assert_int_equal(statistic(&seven, 990), 7);
	assert_int_equal(statistic(&eight, 500), 4);
	assert_int_equal(statistic(&seven, STATISTIC_MEAN), 4);
}

TEST(any_recording_sums_to_the_whole)
{
	static struct operation at[MANY];
	struct stream stream;
	int64_t now = 0;

	operations = (struct operations){.at = at, .count = MANY};
	stream_init(&stream, 5, "paths");
	for (uint32_t i = 0; i < MANY; i++) {
		at[i] = blank(i, "any", (uint32_t)stream_below(&stream, 3));
		now += (int64_t)stream_below(&stream, 500);
		for (int p = 0; p < MARK_POINT_COUNT; p++)
			if (stream_below(&stream, 4) > 0)
				pass(i, (enum mark_point)p,
					now + (int64_t)stream_below(&stream, 2000));
		pass(i, MARK_CALLED, now);
	}
	operations_link(&operations, &arena);
	for (uint32_t i = 0; i < MANY; i++)
		for (int m = 0; m < METRIC_COUNT; m++) {
			if (!metric_has_stages((enum metric)m))
				continue;
			struct split split;
			int64_t value = metric_value(&operations, i, (enum metric)m);
			assert_int_equal(
				path_split(&operations, i, (enum metric)m, &split), value >= 0);
			if (value >= 0)
				assert_int_equal(sum(&split), value);
			for (int s = 0; s < STAGE_COUNT; s++)
				assert_true(split.time[s] >= 0);
		}
}

static int free_arena(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

TEST_MAIN(NULL, free_arena)
