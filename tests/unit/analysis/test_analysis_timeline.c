/* Tests timelines of planted results. Slices add up to the recorded times, in both formats. */
#define _GNU_SOURCE
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../analysis/timeline/picture.h"
#include "analysis/timeline.h"
#include "base/tree.h"
#include "planted.h"
#include "shell.h"
#include "toy_results.h"

static const struct planted_run planted = {.design = "table",
	.size = 8,
	.seed = 3,
	.copy = 2000123,
	.dispatch = 3000456,
	.spread = 777777};

static int timeline(uint32_t run, const char *path)
{
	FILE *out = fopen("/dev/null", "w");
	int code;

	assert_non_null(out);
	code = analysis_timeline("t.h5", run, path, out);
	fclose(out);
	return code;
}

static int64_t integer(const struct tree_node *event, const char *path)
{
	const struct tree_node *node = tree_find(event, path);
	int64_t value = -1;

	if (!node || tree_integer(node, &value) != STATUS_OK)
		fail_msg("no integer '%s'", path);
	return value;
}

/* Converts a time in us with six digits to ps. */
static int64_t time_of(const struct tree_node *event, const char *key)
{
	const char *text = tree_get(event, key)->text, *dot = strchr(text, '.');

	assert_non_null(dot);
	/* durations shortened by a small amount have more digits */
	assert_true(strlen(dot) == 7 || strcmp(key, "dur") == 0);
	return llroundl(strtold(text, NULL) * 1000000);
}

static const struct tree_node *read_events(struct tree **tree, struct diag *diag)
{
	char *text = test_read_file("t.json");

	*tree = tree_read_text("t.json", text, strlen(text), diag);
	free(text);
	assert_non_null(*tree);
	return tree_get(tree_root(*tree), "traceEvents");
}

static bool is(const struct tree_node *event, const char *key, const char *text)
{
	const struct tree_node *node = tree_get(event, key);

	return node && strcmp(node->text, text) == 0;
}

/* Returns the number of the process with that name, counted from 1. */
static int64_t process(const struct tree_node *events, const char *name)
{
	for (uint32_t i = 0; i < events->count; i++)
		if (is(events->items[i], "name", "process_name") &&
			strcmp(tree_find(events->items[i], "args.name")->text, name) == 0)
			return integer(events->items[i], "pid");
	fail_msg("no process '%s'", name);
	return 0;
}

static const struct tree_node *planted_events(struct tree **tree, struct diag *diag)
{
	planted_write("t.h5", ".", &planted, 1);
	assert_int_equal(timeline(0, "t.json"), 0);
	return read_events(tree, diag);
}

TEST(stages_of_an_operation_sum_to_its_latency)
{
	int64_t sums[PLANTED_OPERATIONS + 1] = {0}, latencies[PLANTED_OPERATIONS + 1] = {0};
	int64_t ends[PLANTED_OPERATIONS + 1] = {0};
	struct diag *diag = diag_new();
	struct tree *tree;

	const struct tree_node *events = planted_events(&tree, diag);
	int64_t stages = process(events, "stages of the dispatch path");
	int64_t queues = process(events, "command queues");
	for (uint32_t i = 0; i < events->count; i++) {
		const struct tree_node *event = events->items[i];
		if (!is(event, "ph", "X"))
			continue;
		int64_t number = integer(event, "args.operation"), duration = time_of(event, "dur");
		assert_in_range(number, 1, PLANTED_OPERATIONS);
		assert_int_equal(duration, integer(event, "args.duration_ps"));
		if (integer(event, "pid") == queues)
			latencies[number] = duration;
		if (integer(event, "pid") != stages)
			continue;
		if (ends[number])
			assert_int_equal(time_of(event, "ts"), ends[number]);
		ends[number] = time_of(event, "ts") + duration;
		sums[number] += duration;
	}
	for (int i = 1; i <= PLANTED_OPERATIONS; i++) {
		assert_in_range(latencies[i], planted_latency(&planted),
			planted_latency(&planted) + planted.spread);
		assert_int_equal(sums[i], latencies[i]);
	}
	tree_free(tree);
	diag_free(diag);
}

/* Sums the slices on tracks with that name. */
static int64_t sum_of(const struct tree_node *events, const char *name)
{
	bool ours[256] = {false};
	int64_t sum = 0;

	for (uint32_t i = 0; i < events->count; i++) {
		const struct tree_node *event = events->items[i];
		int64_t track = integer(event, "tid");
		if (is(event, "name", "thread_name") && track < 256)
			ours[track] = strcmp(tree_find(event, "args.name")->text, name) == 0;
		else if (is(event, "ph", "X") && track < 256 && ours[track])
			sum += time_of(event, "dur");
	}
	return sum;
}

TEST(every_stage_has_its_own_time)
{
	struct planted_run run = planted;
	struct diag *diag = diag_new();
	struct tree *tree;

	run.spread = 0;
	planted_write("t.h5", ".", &run, 1);
	assert_int_equal(timeline(0, "t.json"), 0);
	const struct tree_node *events = read_events(&tree, diag);
	assert_int_equal(sum_of(events, "host copy"), run.copy * PLANTED_OPERATIONS);
	assert_int_equal(sum_of(events, "dispatch"), run.dispatch * PLANTED_OPERATIONS);
	assert_int_equal(sum_of(events, "fetch"), 1000000 * PLANTED_OPERATIONS);
	assert_int_equal(sum_of(events, "never completed"), 0);
	tree_free(tree);
	diag_free(diag);
}

TEST(flows_lead_from_call_to_completion)
{
	uint32_t starts = 0, ends = 0;
	struct diag *diag = diag_new();
	struct tree *tree;

	const struct tree_node *events = planted_events(&tree, diag);
	for (uint32_t i = 0; i < events->count; i++) {
		starts += is(events->items[i], "ph", "s");
		ends += is(events->items[i], "ph", "f");
	}
	assert_int_equal(starts, PLANTED_OPERATIONS);
	assert_int_equal(ends, PLANTED_OPERATIONS);
	tree_free(tree);
	diag_free(diag);
}

TEST(runs_without_operations_are_refused)
{
	toy_results_write("t.h5", ".", 2);
	assert_int_equal(timeline(0, "t.json"), 2);
	planted_write("t.h5", ".", &planted, 1);
	assert_int_equal(timeline(7, "t.json"), 2);
	assert_int_equal(timeline(0, "no/such/folder.json"), 2);
	assert_int_equal(access("no/such/folder.json", F_OK), -1);
}

TEST(overlapping_slices_lie_in_lanes_and_counters_add_up)
{
	struct arena arena;
	struct text text;

	arena_init(&arena);
	text_init(&text);
	struct picture *picture = picture_new(&arena);
	uint32_t track = picture_track(picture, picture_process(picture, "p"), "t");
	uint32_t counter = picture_counter(picture, 0, "c");
	const int64_t bounds[][2] = {{0, 10}, {5, 15}, {10, 20}, {15, 15}};
	for (int i = 0; i < 4; i++) {
		struct picture_slice slice = {
			.start = bounds[i][0], .end = bounds[i][1], .name = "s"};
		picture_slice(picture, track, &slice);
		picture_count(picture, counter, bounds[i][0], 1);
		picture_count(picture, counter, bounds[i][1], -1);
	}
	picture_write_chrome(picture, &text);
	const char *expected[] = {
		"{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"s\",\"ts\":0.000000,\"dur\":0.000010",
		"{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"name\":\"s\",\"ts\":0.000005,\"dur\":0.0000",
		"{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"s\",\"ts\":0.000010,\"dur\":0.000010",
		"{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"name\":\"s\",\"ts\":0.000015,\"dur\":0.000000",
		"\"ts\":0.000005,\"args\":{\"value\":2}",
		"\"ts\":0.000010,\"args\":{\"value\":2}",
		"\"ts\":0.000015,\"args\":{\"value\":1}",
		"\"ts\":0.000020,\"args\":{\"value\":0}",
	};
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		if (!strstr(text_string(&text), expected[i]))
			fail_msg("no '%s' in\n%s", expected[i], text_string(&text));
	text_fini(&text);
	arena_fini(&arena);
}

/* One slice of 1.5 ns at 2 ns with a flow, byte by byte, as protoc --decode_raw reads it. */
TEST(protobuf_is_spelled_right)
{
	static const unsigned char begin[] = {0x0a, 0x34, 0x40, 0x02, 0x5a, 0x2e, 0x48, 0x01, 0x58,
		0x02, 0xb2, 0x01, 0x07, 'm', 'e', 's', 'h', 's', 'i', 'm', 0xba, 0x01, 0x01, 's',
		0x81, 0x03, 0x09, 0, 0, 0, 0, 0, 0, 0, 0x22, 0x10, 0x52, 0x0b, 'd', 'u', 'r', 'a',
		't', 'i', 'o', 'n', '_', 'p', 's', 0x20, 0xdc, 0x0b, 0x50, 0x01};
	static const unsigned char end[] = {
		0x0a, 0x0a, 0x40, 0x03, 0x5a, 0x04, 0x48, 0x02, 0x58, 0x02, 0x50, 0x01};
	struct picture_slice slice = {
		.start = 2000, .end = 3500, .name = "s", .flow = FLOW_END, .flow_id = 9};
	struct arena arena;
	struct text text;

	arena_init(&arena);
	text_init(&text);
	struct picture *picture = picture_new(&arena);
	picture_slice(picture, picture_track(picture, picture_process(picture, "p"), "t"), &slice);
	picture_write_perfetto(picture, &text);
	assert_true(text.length > sizeof(begin) + sizeof(end));
	assert_memory_equal(
		text.bytes + text.length - sizeof(end) - sizeof(begin), begin, sizeof(begin));
	assert_memory_equal(text.bytes + text.length - sizeof(end), end, sizeof(end));
	text_fini(&text);
	arena_fini(&arena);
}

TEST_MAIN(shell_folder_enter, shell_folder_remove)
