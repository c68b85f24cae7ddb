/* label: full  timeout: 300
 * Tests traces on every combination of forward path, event path and host threads, in the native
 * world. A replay runs every captured workload with its captured arguments, even if the arguments
 * were changed after the capture. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "mesh/trace.h"
#include "mesh_case.h"

enum { ARGS = 5, PROGRAMS = 4, ALL = 1000 };

struct traced {
	struct mesh_case test;
	struct cores cores[PROGRAMS];
	struct program *programs[PROGRAMS];
	struct workload *workloads[PROGRAMS];
	uint32_t launches[ALL];	  /* expected, per core */
	uint32_t generation[ALL]; /* generation of the last program on the core */
};

static uint32_t workers(const struct traced *traced)
{
	return mesh_worker_columns(traced->test.mesh) * mesh_worker_rows(traced->test.mesh);
}

static uint32_t core_count(const struct traced *traced, const struct cores *cores)
{
	return cores->kind == CORES_ALL ? workers(traced) : cores->count;
}

/* Makes programs whose kernels do not fit into a config ring all at once. Three programs have 5
 * kernels of 2000 B, one program has 5 kernels of 9000 B. */
static void make_programs(struct traced *traced)
{
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "traced-%u", i);
		traced->cores[i] = i % 2 == 0 ? (struct cores){.kind = CORES_ALL}
					      : (struct cores){.kind = CORES_COUNT, .count = 3 * i};
		traced->programs[i] = mesh_case_program(
			&traced->test, name, traced->cores[i], i == 2 ? 9000 : 2000, ARGS);
		traced->workloads[i] = mesh_case_workload(&traced->test, traced->programs[i]);
	}
}

static void free_programs(struct traced *traced)
{
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		workload_free(traced->workloads[i]);
		program_free(traced->programs[i]);
	}
}

static void expect(struct traced *traced, uint32_t program, uint32_t generation)
{
	for (uint32_t core = 0; core < core_count(traced, &traced->cores[program]); core++) {
		traced->launches[core]++;
		traced->generation[core] = generation;
	}
}

static void enqueue(struct traced *traced, uint32_t queue, uint32_t program, uint32_t generation)
{
	mesh_case_set_args(
		&traced->test, traced->programs[program], traced->cores[program], ARGS, generation);
	assert_int_equal(enqueue_workload(mesh_queue(traced->test.mesh, queue),
				 traced->workloads[program], false, 0),
		STATUS_OK);
}

static void replay(struct traced *traced, uint32_t queue, struct mesh_trace *trace)
{
	assert_int_equal(
		enqueue_trace(mesh_queue(traced->test.mesh, queue), trace, 0, false, 0), STATUS_OK);
}

static void finish(struct traced *traced)
{
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(queue_finish(mesh_queue(traced->test.mesh, i), 0, DEADLINE_NEVER),
			STATUS_OK);
}

static void check(struct traced *traced, const char *what)
{
	uint32_t devices = mesh_device_count(traced->test.mesh);

	for (uint32_t device = 0; device < devices; device++)
		for (uint32_t core = 0; core < workers(traced); core++) {
			struct launch_result result = mesh_case_result(&traced->test, device, core);
			uint32_t checksum =
				mesh_case_checksum(core, ARGS, traced->generation[core]);

			if (result.launches != traced->launches[core] ||
				result.checksum != checksum)
				fail_msg("%s: device %u, core %u: %u launches instead of %u, "
					 "checksum %08x instead of %08x",
					what, device, core, result.launches, traced->launches[core],
					result.checksum, checksum);
		}
}

enum { CAPTURED = 23 };

static struct mesh_trace *capture(struct traced *traced, uint32_t queue)
{
	struct mesh_trace *trace = NULL;
	struct trace_size size;

	assert_int_equal(trace_begin(mesh_queue(traced->test.mesh, queue), NULL), STATUS_OK);
	for (uint32_t i = 0; i < CAPTURED; i++)
		enqueue(traced, queue, i * i % PROGRAMS, 100 + i);
	assert_int_equal(trace_end(mesh_queue(traced->test.mesh, queue), NULL, &trace), STATUS_OK);
	size = trace_size(trace);
	assert_int_equal(size.workloads, CAPTURED);
	assert_int_equal(size.images_kept + size.images_sent, CAPTURED);
	assert_true(size.images_kept > 0 && size.bytes > CAPTURED * 100);
	assert_true(size.replicated);
	return trace;
}

static void expect_replay(struct traced *traced)
{
	for (uint32_t i = 0; i < CAPTURED; i++)
		expect(traced, i * i % PROGRAMS, 100 + i);
}

/* The first launches cover every core, so that all have results. */
static void replays_run_what_was_captured(struct traced *traced)
{
	struct mesh_trace *trace = capture(traced, 0);

	for (uint32_t i = 0; i < 3; i++) {
		replay(traced, 0, trace);
		expect_replay(traced);
	}
	finish(traced);
	check(traced, "three replays");
	enqueue(traced, 0, 2, 7);
	expect(traced, 2, 7);
	replay(traced, 0, trace);
	expect_replay(traced);
	enqueue(traced, 0, 3, 8);
	expect(traced, 3, 8);
	enqueue(traced, 0, 1, 9);
	expect(traced, 1, 9);
	finish(traced);
	check(traced, "a replay among workloads");
	replay(traced, 1, trace);
	expect_replay(traced);
	enqueue(traced, 0, 0, 10);
	expect(traced, 0, 10);
	finish(traced);
	check(traced, "a replay on the other queue");
	trace_free(trace);
}

/* One queue captures while the other continues. */
static void a_capture_does_not_hold_the_other_queue(struct traced *traced)
{
	struct mesh_trace *trace = NULL;

	assert_int_equal(trace_begin(mesh_queue(traced->test.mesh, 1), NULL), STATUS_OK);
	enqueue(traced, 1, 0, 20);
	enqueue(traced, 0, 2, 21);
	expect(traced, 2, 21);
	enqueue(traced, 1, 1, 22);
	assert_int_equal(
		queue_finish(mesh_queue(traced->test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	check(traced, "beside a capture");
	assert_int_equal(trace_end(mesh_queue(traced->test.mesh, 1), NULL, &trace), STATUS_OK);
	check(traced, "behind a capture");
	replay(traced, 1, trace);
	expect(traced, 0, 20);
	expect(traced, 1, 22);
	finish(traced);
	check(traced, "a replay of what was captured beside");
	trace_free(trace);
}

/* Each row of devices runs another program, so devices have different commands. */
static void devices_may_have_commands_of_their_own(struct traced *traced)
{
	struct mesh_shape shape = mesh_device_shape(traced->test.mesh);
	uint32_t devices = mesh_device_count(traced->test.mesh);
	struct command_queue *queue = mesh_queue(traced->test.mesh, 0);
	struct workload *workload = workload_new(traced->test.mesh);
	struct mesh_trace *trace = NULL;

	/* programs 0 and 2 take all cores */
	for (uint16_t row = 0; row < shape.rows; row++)
		assert_int_equal(
			workload_add(workload, traced->programs[row % 2 * 2],
				(struct device_range){row, 0, row, (uint16_t)(shape.columns - 1)},
				NULL),
			STATUS_OK);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	for (uint32_t i = 0; i < 6; i++) {
		enqueue(traced, 0, 3, 30 + i);
		mesh_case_set_args(
			&traced->test, traced->programs[0], traced->cores[0], ARGS, 40 + i);
		mesh_case_set_args(
			&traced->test, traced->programs[2], traced->cores[2], ARGS, 40 + i);
		assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
	}
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	assert_false(trace_size(trace).replicated && devices > 1);
	for (uint32_t i = 0; i < 2; i++) {
		replay(traced, 0, trace);
		for (uint32_t k = 0; k < 6; k++) {
			expect(traced, 3, 30 + k);
			expect(traced, 0, 40 + k);
		}
	}
	finish(traced);
	check(traced, "devices of their own");
	trace_free(trace);
	workload_free(workload);
}

static void run_all(const char *forward, const char *completion, const char *threads,
	enum test_pcie pcie, bool cache)
{
	struct traced traced;

	printf("           %s, %s, %s, PCIe %d, cache %d\n", forward, completion, threads,
		(int)pcie, (int)cache);
	memset(&traced, 0, sizeof(traced));
	mesh_case_init(&traced.test, 2, 2, pcie);
	mesh_case_choose(&traced.test, forward, 1, completion, threads);
	traced.test.config.host.count = 2;
	traced.test.config.command_cache = cache;
	mesh_case_open(&traced.test);
	make_programs(&traced);
	replays_run_what_was_captured(&traced);
	a_capture_does_not_hold_the_other_queue(&traced);
	devices_may_have_commands_of_their_own(&traced);
	free_programs(&traced);
	mesh_case_close(&traced.test);
}

TEST(every_combination_replays)
{
	mesh_case_each_combination(run_all);
}

/* ---- refusals ---- */

static void nothing_that_blocks_is_captured(struct traced *traced)
{
	struct command_queue *queue = mesh_queue(traced->test.mesh, 0);
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	struct mesh_layout layout = {.size_bytes = 1024};
	struct mesh_buffer *buffer = NULL;
	struct mesh_trace *trace = NULL;
	uint8_t data[1024] = {0};

	assert_int_equal(
		mesh_buffer_new(traced->test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_INVALID);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	assert_int_equal(trace_begin(queue, NULL), STATUS_EXISTS);
	assert_int_equal(enqueue_write_buffer(queue, buffer, data, true, 0), STATUS_INVALID);
	assert_int_equal(enqueue_read_buffer(queue, buffer, data, true, 0), STATUS_INVALID);
	assert_int_equal(enqueue_write_shard(queue, buffer, 0, 0, data, true, 0), STATUS_INVALID);
	assert_int_equal(enqueue_read_shard(queue, buffer, 0, 0, data, true, 0), STATUS_INVALID);
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_INVALID);
	assert_int_equal(enqueue_workload(queue, traced->workloads[0], true, 0), STATUS_INVALID);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_INVALID); /* empty */
	assert_null(trace);
	assert_int_equal(enqueue_write_buffer(queue, buffer, data, true, 0), STATUS_OK);
	mesh_buffer_free(buffer);
}

/* A trace cannot be replayed while a buffer in L1 overlaps the circular buffers of its programs. */
static void circular_buffers_keep_their_place(struct traced *traced)
{
	struct command_queue *queue = mesh_queue(traced->test.mesh, 0);
	struct buffer_config config = {
		.type = BUFFER_L1, .layout = LAYOUT_INTERLEAVED, .page_bytes = 4096};
	struct mesh_layout layout = {.size_bytes = mesh_free_bytes(traced->test.mesh, true) *
						   workers(traced) / 4096 / workers(traced) * 4096 *
						   workers(traced)};
	struct mesh_trace *trace = capture(traced, 0);
	struct mesh_buffer *buffer = NULL;

	assert_int_equal(
		mesh_buffer_new(traced->test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_NO_SPACE);
	mesh_buffer_free(buffer);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_INVALID);
	enqueue(traced, 0, 0, 1);
	replay(traced, 1, trace);
	expect_replay(traced);
	assert_int_equal(
		queue_finish(mesh_queue(traced->test.mesh, 1), 0, DEADLINE_NEVER), STATUS_OK);
	check(traced, "a replay beside a capture");
	trace_free(trace);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	trace_free(trace);
}

TEST(what_cannot_be_is_refused)
{
	struct traced traced;

	memset(&traced, 0, sizeof(traced));
	mesh_case_init(&traced.test, 1, 2, TEST_PCIE_ALL);
	mesh_case_open(&traced.test);
	make_programs(&traced);
	nothing_that_blocks_is_captured(&traced);
	circular_buffers_keep_their_place(&traced);
	free_programs(&traced);
	mesh_case_close(&traced.test);
}

TEST_MAIN(NULL, NULL)
