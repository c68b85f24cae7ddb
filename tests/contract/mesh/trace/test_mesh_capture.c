/* label: full  needs: simgrid timeout: 300
 * Tests traces of commands other than launches (spec 3.6: "any Fast Dispatch commands"). After N
 * replays, memory has the same contents as after N times the captured calls. The tests run in the
 * native and the simulated world, with replicated and sharded traces, on every forward path,
 * variant of host threads, and event path without a known hazard. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/trace.h"
#include "mesh_case.h"
#include "mesh_rows.h"

enum {
	SIDE = 2,
	DEVICES = SIDE * SIDE,
	ARGS = 3,
	CORES = 4,
	TIMES = 3,
	REPLICA = 5 * 1024,
	SHARD = 40 << 10, /* three of them exceed a completion queue */
	WHOLE = DEVICES * SHARD,
	CALLS = 11, /* number of calls in a capture; the numbers of some of these calls follow */
	LAUNCH = 2,
	FIRST_READ = 3,
	RECORD = 7,
};

static struct mesh_case test;
static struct mesh_buffer *replica, *shards, *other;
static struct program *program;
static struct workload *workload;
static const struct cores cores = {.kind = CORES_COUNT, .count = CORES};
static uint8_t first[REPLICA], second[REPLICA], whole[WHOLE], part[SHARD], beside[REPLICA];

/* The data that the calls have read. */
static struct {
	uint8_t replica[REPLICA], whole[WHOLE], again[WHOLE], beside[REPLICA];
} got;

/* The final contents of the devices, and the data read. */
struct memory {
	uint8_t replica[DEVICES][REPLICA], shard[DEVICES][SHARD];
	uint32_t checksum[DEVICES];
};

static struct command_queue *queue(uint32_t number)
{
	return mesh_queue(test.mesh, number);
}

static void good(enum status status)
{
	assert_string_equal(status_message(status), status_message(STATUS_OK));
}

static struct mesh_buffer *buffer_new(uint64_t bytes, bool sharded)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	struct mesh_layout layout = {.size_bytes = bytes};
	struct mesh_buffer *buffer;

	if (sharded) {
		layout.sharded = true;
		layout.global_height = layout.shard_height = DEVICES;
		layout.global_width = (uint32_t)(bytes / DEVICES / 4);
		layout.shard_height = 1;
		layout.shard_width = layout.global_width;
	}
	good(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer));
	return buffer;
}

static void fill(uint64_t seed)
{
	mesh_case_fill(first, sizeof(first), seed + 1);
	mesh_case_fill(second, sizeof(second), seed + 2);
	mesh_case_fill(whole, sizeof(whole), seed + 3);
	mesh_case_fill(part, sizeof(part), seed + 4);
	mesh_case_set_args(&test, program, cores, ARGS, (uint32_t)seed);
}

/* Enqueues CALLS commands on queue 0. Two of them record events: *told, of which the host is
 * notified, and *silent, of which it is not. */
static void call_all(
	const struct mesh_event *before, struct mesh_event *told, struct mesh_event *silent)
{
	struct device_range all = {0, 0, SIDE - 1, SIDE - 1};

	good(enqueue_wait_event(queue(0), before, 0));
	good(enqueue_write_buffer(queue(0), replica, first, false, 0));
	good(enqueue_workload(queue(0), workload, false, 0));
	good(enqueue_read_buffer(queue(0), replica, got.replica, false, 0));
	good(enqueue_write_buffer(queue(0), shards, whole, false, 0));
	good(enqueue_read_buffer(queue(0), shards, got.whole, false, 0));
	good(enqueue_write_shard(queue(0), shards, 1, 0, part, false, 0));
	good(enqueue_record_event(queue(0), all, true, 0, told));
	good(enqueue_read_buffer(queue(0), shards, got.again, false, 0));
	good(enqueue_write_buffer(queue(0), replica, second, false, 0));
	good(enqueue_record_event(queue(0), all, false, 0, silent));
}

static void check_got(const char *when)
{
	const uint32_t changed = SIDE * SHARD; /* device 1,0 */

	if (memcmp(got.replica, first, REPLICA) != 0)
		fail_msg("%s: the read behind a write has other data", when);
	if (memcmp(got.whole, whole, WHOLE) != 0)
		fail_msg("%s: the read of all shards has other data", when);
	if (memcmp(got.again, whole, changed) != 0 ||
		memcmp(got.again + changed, part, SHARD) != 0 ||
		memcmp(got.again + changed + SHARD, whole + changed + SHARD,
			WHOLE - changed - SHARD) != 0)
		fail_msg("%s: the read behind the write of a shard has other data", when);
	memset(&got, 0, sizeof(got));
}

static void finish(void)
{
	for (uint32_t i = 0; i < 2; i++)
		good(queue_finish(queue(i), 0, DEADLINE_NEVER));
}

static void look(struct memory *memory)
{
	for (uint16_t device = 0; device < DEVICES; device++) {
		uint16_t row = device / SIDE, column = device % SIDE;

		good(enqueue_read_shard(
			queue(1), replica, row, column, memory->replica[device], true, 0));
		good(enqueue_read_shard(
			queue(1), shards, row, column, memory->shard[device], true, 0));
		memory->checksum[device] = mesh_case_result(&test, device, CORES - 1).checksum;
	}
}

/* Overwrites the buffers with data that no trace captured. */
static void spoil(void)
{
	static uint8_t spoilt[WHOLE];

	memset(spoilt, 0x55, sizeof(spoilt));
	good(enqueue_write_buffer(queue(0), replica, spoilt, true, 0));
	good(enqueue_write_buffer(queue(0), shards, spoilt, true, 0));
}

/* Records an event of queue 1 after a write that takes a while. */
static struct mesh_event write_beside(uint64_t seed)
{
	struct mesh_event event;

	mesh_case_fill(beside, sizeof(beside), seed);
	good(enqueue_write_buffer(queue(1), other, beside, false, 0));
	good(enqueue_record_event(
		queue(1), (struct device_range){0, 0, SIDE - 1, SIDE - 1}, false, 0, &event));
	return event;
}

static struct mesh_trace *capture(struct mesh_event *told, struct mesh_event *silent)
{
	struct mesh_event before = write_beside(77), none = {.queue = queue(0)};
	struct mesh_trace *trace = NULL;
	struct trace_size size;

	good(trace_begin(queue(0), NULL));
	call_all(&before, told, silent);
	good(trace_end(queue(0), NULL, &trace));
	size = trace_size(trace);
	assert_int_equal(size.operations, CALLS);
	assert_int_equal(size.workloads, 1);
	assert_int_equal(size.writes, 4);
	assert_int_equal(size.reads, 3);
	assert_int_equal(size.records, 2);
	assert_int_equal(size.waits, 1);
	assert_int_equal(trace_event(trace, told, &none), STATUS_NOT_FOUND);
	return trace;
}

static void replay(
	struct mesh_trace *trace, const struct mesh_event *told, const struct mesh_event *silent)
{
	struct mesh_event event;

	good(enqueue_trace(queue(0), trace, 0, false, 0));
	good(trace_event(trace, told, &event));
	good(event_synchronize(&event, DEADLINE_NEVER));
	assert_true(event_query(&event));
	if (memcmp(got.replica, first, REPLICA) != 0 || memcmp(got.whole, whole, WHOLE) != 0)
		fail_msg("the event of a replay came before the reads in front of it");
	good(trace_event(trace, silent, &event));
	assert_int_equal(event_synchronize(&event, DEADLINE_NEVER), STATUS_INVALID);
	good(enqueue_wait_event(queue(1), &event, 0));
	good(enqueue_read_buffer(queue(1), replica, got.beside, true, 0));
	assert_memory_equal(got.beside, second, REPLICA);
}

static void open_all(struct cluster *cluster)
{
	test.cluster = cluster;
	mesh_case_attach(&test);
	replica = buffer_new(REPLICA, false);
	other = buffer_new(REPLICA, false);
	shards = buffer_new(WHOLE, true);
	program = mesh_case_program(&test, "captured", cores, 800, ARGS);
	workload = mesh_case_workload(&test, program);
	spoil();
}

static void close_all(void)
{
	workload_free(workload);
	program_free(program);
	mesh_buffer_free(replica);
	mesh_buffer_free(other);
	mesh_buffer_free(shards);
	mesh_close(test.mesh);
}

/* Replays without waiting in between, as often as the calls were made. */
static void replays_do_what_the_calls_do(struct cluster *cluster)
{
	static struct memory issued, replayed;
	struct mesh_event told, silent, before;
	struct mesh_trace *trace;

	open_all(cluster);
	fill(5);
	before = write_beside(1);
	for (uint32_t i = 0; i < TIMES; i++)
		call_all(&before, &told, &silent);
	finish();
	check_got("calls");
	look(&issued);
	spoil();
	trace = capture(&told, &silent);
	fill(9); /* the data were copied at the capture; the user's memory is not read again */
	finish();
	look(&replayed);
	assert_memory_not_equal(&replayed, &issued, sizeof(issued));
	for (uint32_t i = 0; i < TIMES; i++)
		good(enqueue_trace(queue(0), trace, 0, false, 0));
	finish();
	fill(5);
	check_got("replays");
	look(&replayed);
	assert_memory_equal(&replayed, &issued, sizeof(issued));
	for (uint16_t device = 0; device < DEVICES; device++)
		assert_int_equal(mesh_case_result(&test, device, CORES - 1).launches, 2 * TIMES);
	for (uint32_t i = 0; i < TIMES; i++) {
		spoil();
		replay(trace, &told, &silent);
		finish();
		check_got("replays that are waited for");
	}
	trace_free(trace);
	close_all();
}

/* Captures a trace whose commands are the same for all devices. The trace then has only one copy of
 * the commands, which is broadcast if the configuration allows it. */
static void a_trace_for_all_alike_tells_the_host_as_well(struct cluster *cluster)
{
	struct device_range all = {0, 0, SIDE - 1, SIDE - 1};
	struct mesh_event told, silent, event;
	struct mesh_trace *trace;

	open_all(cluster);
	fill(5);
	good(enqueue_write_buffer(queue(0), shards, whole, false, 0));
	good(trace_begin(queue(0), NULL));
	good(enqueue_write_buffer(queue(0), replica, first, false, 0));
	good(enqueue_read_buffer(queue(0), shards, got.whole, false, 0));
	good(enqueue_workload(queue(0), workload, false, 0));
	good(enqueue_record_event(queue(0), all, true, 0, &told));
	good(enqueue_write_buffer(queue(0), replica, second, false, 0));
	good(enqueue_record_event(queue(0), all, false, 0, &silent));
	good(trace_end(queue(0), NULL, &trace));
	assert_int_equal(trace_size(trace).replicated, !test.config.sharded_traces);
	for (uint32_t i = 1; i <= TIMES; i++) {
		good(enqueue_trace(queue(0), trace, 0, false, 0));
		good(trace_event(trace, &silent, &event));
		good(enqueue_wait_event(queue(1), &event, 0));
		good(enqueue_read_buffer(queue(1), replica, got.beside, true, 0));
		assert_memory_equal(got.beside, second, REPLICA);
		good(trace_event(trace, &told, &event));
		good(event_synchronize(&event, DEADLINE_NEVER));
		assert_memory_equal(got.whole, whole, WHOLE);
		memset(&got, 0, sizeof(got));
		finish();
		for (uint16_t device = 0; device < DEVICES; device++)
			assert_int_equal(mesh_case_result(&test, device, CORES - 1).launches, i);
	}
	trace_free(trace);
	close_all();
}

static void run_case(const struct row *row, const char *forward, const char *completion,
	const char *threads, const char *dispatcher, bool sharded,
	void (*body)(struct cluster *cluster))
{
	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	mesh_case_choose(&test, forward, 1, completion, threads);
	test.config.host.count = 2;
	test.config.sizes.completion_queue_bytes = 128 << 10;
	test.config.sharded_traces = sharded;
	test.config.forward.dispatcher = dispatcher_find(dispatcher);
	if (test.config.forward.dispatcher->dedicated)
		test.config.forward.ordering = ordering_find("event");
	test.cluster_config.dispatch_tiles = 12;
	mesh_row_run(row, &test, body, "%s, %s, %s, %s, sharded %d", forward, completion, threads,
		dispatcher, sharded);
}

static void run_rows(void (*body)(struct cluster *cluster))
{
	for (uint32_t row = 0; row < row_count; row++)
		for (size_t f = 0; forward_row(f) != NULL; f++)
			for (size_t c = 0; sound_row(c) != NULL; c++)
				for (size_t t = 0; threads_row(t) != NULL; t++)
					run_case(rows[row], forward_name(f), sound_name(c),
						threads_name(t), "shared", (f + c + t) % 2 != 0,
						body);
}

TEST(every_row_replays_what_was_captured)
{
	run_rows(replays_do_what_the_calls_do);
}

TEST(every_row_replays_what_is_the_same_for_all)
{
	run_rows(a_trace_for_all_alike_tells_the_host_as_well);
}

TEST(dispatchers_of_their_own_replay_what_was_captured)
{
	for (uint32_t row = 0; row < row_count; row++)
		for (size_t c = 0; sound_row(c) != NULL; c++)
			for (int sharded = 0; sharded < 2; sharded++) {
				run_case(rows[row], "broadcast", sound_name(c), "main", "dedicated",
					sharded, replays_do_what_the_calls_do);
				run_case(rows[row], "broadcast", sound_name(c), "main", "dedicated",
					sharded, a_trace_for_all_alike_tells_the_host_as_well);
			}
}

/* ---- one mesh ---- */

/* Returns true if the operation has passed `point`. */
static bool is_marked(uint32_t operation, enum mark_point point)
{
	const struct row_mark *marks;
	uint32_t count = row_marks(&marks);

	for (uint32_t i = 0; i < count; i++)
		if (marks[i].operation == operation && marks[i].point == point)
			return true;
	return false;
}

static void a_replay_marks_its_operations(struct cluster *cluster)
{
	enum { FIRST = 40 };
	struct mesh_event told, silent;
	struct mesh_trace *trace;

	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	open_all(cluster);
	fill(5);
	trace = capture(&told, &silent);
	finish();
	good(enqueue_trace(queue(0), trace, FIRST, false, FIRST - 1));
	finish();
	assert_true(is_marked(FIRST + LAUNCH, MARK_GO));
	assert_false(is_marked(FIRST + LAUNCH - 1, MARK_GO));
	assert_true(is_marked(FIRST + LAUNCH - 1, MARK_DISPATCHED));
	assert_true(is_marked(FIRST + FIRST_READ, MARK_SEEN));
	assert_true(is_marked(FIRST + RECORD, MARK_EXPECTED));
	trace_free(trace);
	close_all();
}

static void events_of_captures_are_no_events(struct cluster *cluster)
{
	struct mesh_event told, silent, live = {0};
	struct mesh_trace *trace, *writes;

	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	open_all(cluster);
	fill(5);
	trace = capture(&told, &silent);
	assert_int_equal(event_synchronize(&told, DEADLINE_NEVER), STATUS_INVALID);
	assert_false(event_query(&told));
	assert_int_equal(enqueue_wait_event(queue(1), &silent, 0), STATUS_INVALID);
	assert_int_equal(enqueue_trace(queue(1), trace, 0, false, 0), STATUS_INVALID);
	good(trace_begin(queue(1), NULL));
	assert_int_equal(enqueue_wait_event(queue(1), &silent, 0), STATUS_INVALID);
	good(enqueue_write_buffer(queue(1), replica, second, false, 0));
	good(trace_end(queue(1), NULL, &writes));
	assert_int_equal(trace_event(writes, &told, &live), STATUS_NOT_FOUND);
	good(enqueue_trace(queue(0), writes, 0, true, 0)); /* a trace is not bound to a queue, so
							    * any queue can replay it */
	good(enqueue_read_buffer(queue(0), replica, got.replica, true, 0));
	assert_memory_equal(got.replica, second, REPLICA);
	trace_free(writes);
	trace_free(trace);
	close_all();
}

static const struct test_cluster on_cluster = {
	.rows = SIDE, .columns = SIDE, .pcie = TEST_PCIE_LEFT};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(a_replay_marks_its_operations, on_cluster),
		ROW_CASE(events_of_captures_are_no_events, on_cluster),
	};
	int failed = TEST_RUN(NULL, NULL);

	return failed + ROW_RUN_SUITE("mesh_capture", cases);
}
