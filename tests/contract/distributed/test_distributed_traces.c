/* label: full  timeout: 300
 * Tests replays of traces that read, over several hosts, in the native world. When a replay is
 * complete, all data that it reads must have arrived. This must be so for any amount of data, any
 * window, any number of replays in a row, and any division of the devices among hosts. One test
 * has a replay that no host can run. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hosts_case.h"

/* Reading the part of one device takes many messages. */
enum { ROWS = 2, COLUMNS = 2, PART = 5 * HOSTS_CASE_MESSAGE_MAX, BYTES = ROWS * COLUMNS * PART };
enum { REPLAYS = 12 };

static const struct hosts_choice choices[] = {
	{.transport = "unix",
		.codec = "packed",
		.resolution = "controller",
		.pipeline = "main",
		.hosts = 2,
		.axis = HOSTS_IN_ROWS,
		.rows = ROWS,
		.columns = COLUMNS,
		.window = 1},
	{.transport = "tcp",
		.codec = "msgpack",
		.resolution = "mixed",
		.pipeline = "stages",
		.executor_threads = true,
		.hosts = 2,
		.axis = HOSTS_IN_COLUMNS,
		.rows = ROWS,
		.columns = COLUMNS,
		.window = 2},
	{.transport = "unix",
		.codec = "protobuf",
		.resolution = "executors",
		.pipeline = "pair",
		.hosts = 2,
		.axis = HOSTS_IN_ROWS,
		.rows = ROWS,
		.columns = COLUMNS,
		.window = 2},
};

static const struct handle_call later = {.queue = 0}, now = {.queue = 0, .blocking = true},
				beside = {.queue = 1};
static struct hosts_case hosts;
static struct device_handle *device;
static const struct handle_ops *ops;
static uint8_t data[BYTES], back[BYTES], part[PART];

static void open_on(const struct hosts_choice *choice)
{
	hosts_case_init(&hosts, *choice);
	hosts_case_open(&hosts);
	device = hosts.handle;
	ops = device->ops;
}

static struct handle_buffer *buffer_new(enum buffer_type type, uint64_t bytes)
{
	const struct mesh_layout layout = {.sharded = true,
		.size_bytes = bytes,
		.global_height = ROWS,
		.global_width = (uint32_t)bytes / ROWS,
		.shard_height = 1,
		.shard_width = (uint32_t)bytes / ROWS / COLUMNS};
	const struct buffer_config config = {
		.type = type, .page_bytes = 1024, .bottom_up = type == BUFFER_L1};
	struct handle_buffer *buffer;

	check_status(ops->buffer_new(device, &layout, &config, NULL, &buffer), STATUS_OK);
	return buffer;
}

/* Captures two reads. The first reads only the part of the last device, which is on the last host.
 * The second reads the whole buffer. */
static struct handle_trace *capture(struct handle_buffer *buffer)
{
	struct handle_trace *trace;

	check_status(ops->trace_begin(device, 0, NULL), STATUS_OK);
	check_status(
		ops->read_shard(device, later, buffer, ROWS - 1, COLUMNS - 1, part), STATUS_OK);
	check_status(ops->read(device, later, buffer, back), STATUS_OK);
	check_status(ops->trace_end(device, 0, NULL, &trace), STATUS_OK);
	return trace;
}

static uint8_t last_device[PART];

/* Writes the buffer, then reads the part of the last device alone. */
static void write_all(struct handle_buffer *buffer, uint64_t seed)
{
	mesh_case_fill(data, BYTES, seed);
	check_status(ops->write(device, now, buffer, data), STATUS_OK);
	check_status(ops->read_shard(device, now, buffer, ROWS - 1, COLUMNS - 1, last_device),
		STATUS_OK);
	memset(back, 0, BYTES);
	memset(part, 0, PART);
}

static void check_read(const char *what)
{
	check(memcmp(back, data, BYTES) == 0, "%s: other bytes than are there", what);
	check(memcmp(part, last_device, PART) == 0, "%s: another part of one device", what);
}

TEST(replays_read_what_is_there_then)
{
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		struct handle_buffer *buffer;
		struct handle_trace *trace;

		open_on(&choices[i]);
		buffer = buffer_new(BUFFER_DRAM, BYTES);
		trace = capture(buffer);
		write_all(buffer, 1);
		check_status(ops->replay(device, now, trace, 0), STATUS_OK);
		check_read("one that blocks");
		write_all(buffer, 2);
		for (uint32_t k = 0; k < REPLAYS; k++)
			check_status(ops->replay(device, later, trace, 0), STATUS_OK);
		check_status(ops->finish(device, 0, 0, DEADLINE_NEVER), STATUS_OK);
		check_read("one behind the other");
		write_all(buffer, 3);
		check_status(ops->replay(device, beside, trace, 0), STATUS_OK);
		check_status(ops->finish(device, 1, 0, DEADLINE_NEVER), STATUS_OK);
		check_read("through another queue");
		ops->trace_free(trace);
		ops->buffer_free(buffer);
		hosts_case_close(&hosts, STATUS_OK);
	}
}

/* A replay is ordered with the commands of its queue before and after it. */
TEST(a_replay_reads_what_was_written_in_front_of_it)
{
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		static uint8_t other[BYTES];
		struct handle_buffer *buffer;
		struct handle_trace *trace;

		open_on(&choices[i]);
		buffer = buffer_new(BUFFER_DRAM, BYTES);
		trace = capture(buffer);
		write_all(buffer, 4);
		mesh_case_fill(other, BYTES, 5);
		check_status(ops->write(device, later, buffer, other), STATUS_OK);
		check_status(ops->replay(device, later, trace, 0), STATUS_OK);
		check_status(ops->write(device, later, buffer, data), STATUS_OK);
		check_status(ops->replay(device, later, trace, 0), STATUS_OK);
		check_status(ops->write(device, later, buffer, other), STATUS_OK);
		check_status(ops->finish(device, 0, 0, DEADLINE_NEVER), STATUS_OK);
		check_read("the second of two");
		ops->trace_free(trace);
		ops->buffer_free(buffer);
		hosts_case_close(&hosts, STATUS_OK);
	}
}

/* The trace contains a program that runs only on the first row. A new buffer overlaps the memory of
 * this program, so no host can run the replay, and no host may read. */
TEST(a_replay_that_no_host_can_run_reads_nothing)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct kernel_config kernel = {.cores = cores, .bytes = 64, .cycles = 10};
	uint32_t index;

	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		struct handle_buffer *buffer, *in_the_way;
		struct handle_trace *trace;
		struct program *program;
		struct workload *workload;

		open_on(&choices[i]);
		buffer = buffer_new(BUFFER_DRAM, 4096);
		program = ops->program_new(device, "wide");
		workload = ops->workload_new(device);
		check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
		check_status(
			program_add_circular_buffer(program, cores, 1, 1 << 17, NULL), STATUS_OK);
		check_status(workload_add(workload, program,
				     (struct device_range){0, 0, 0, COLUMNS - 1}, NULL),
			STATUS_OK);
		check_status(ops->trace_begin(device, 0, NULL), STATUS_OK);
		check_status(ops->run(device, later, workload), STATUS_OK);
		check_status(ops->read(device, later, buffer, back), STATUS_OK);
		check_status(ops->trace_end(device, 0, NULL, &trace), STATUS_OK);
		in_the_way = buffer_new(BUFFER_L1, 4096);
		check_status(ops->replay(device, later, trace, 0), STATUS_OK);
		check_status(ops->finish(device, 0, 0, DEADLINE_NEVER), STATUS_NO_SPACE);
		ops->buffer_free(in_the_way);
		check_status(ops->replay(device, now, trace, 0), STATUS_OK);
		ops->trace_free(trace);
		ops->workload_free(device, workload);
		ops->program_free(device, program);
		ops->buffer_free(buffer);
		hosts_case_close(&hosts, STATUS_OK);
	}
}

/* Gives up a capture that never ended, and a trace with reads that was never replayed. */
TEST(what_is_captured_may_be_given_up)
{
	struct handle_buffer *buffer;
	struct handle_trace *trace;

	open_on(&choices[0]);
	buffer = buffer_new(BUFFER_DRAM, BYTES);
	trace = capture(buffer);
	ops->trace_free(trace);
	check_status(ops->trace_begin(device, 0, NULL), STATUS_OK);
	check_status(ops->read(device, now, buffer, back), STATUS_INVALID);
	check_status(ops->read(device, later, buffer, back), STATUS_OK);
	ops->buffer_free(buffer);
	hosts_case_close(&hosts, STATUS_OK);
}

TEST_MAIN(NULL, NULL)
