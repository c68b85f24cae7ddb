/* label: full  needs: simgrid timeout: 300
 * Tests the variants of holding back commands that follow a trace until the trace has run (spec
 * 3.12.2.2), in the native and the simulated world. With every variant, broadcasts that were
 * enqueued after a trace must run after it and arrive complete, with and without a spill buffer,
 * and with any number of traces in flight. */
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
	LAUNCHES = 20,
	BYTES = 48 << 10,
	REPLAYS = 150, /* more than a depacketizer can mark */
};

static struct mesh_case test;
static uint8_t data[2][BYTES], back[BYTES];
static const struct cores cores = {.kind = CORES_COUNT, .count = CORES};

static void good(enum status status)
{
	assert_string_equal(status_message(status), status_message(STATUS_OK));
}

static struct mesh_buffer *buffer_new(void)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	struct mesh_layout layout = {.size_bytes = BYTES};
	struct mesh_buffer *buffer;

	good(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer));
	return buffer;
}

/* Captures launches and a write of the first data. */
static struct mesh_trace *hold_capture(struct workload *workload, struct mesh_buffer *buffer)
{
	struct command_queue *queue = mesh_queue(test.mesh, 0);
	struct mesh_trace *trace;

	good(trace_begin(queue, NULL));
	for (uint32_t i = 0; i < LAUNCHES; i++)
		good(enqueue_workload(queue, workload, false, 0));
	good(enqueue_write_buffer(queue, buffer, data[0], false, 0));
	good(trace_end(queue, NULL, &trace));
	assert_true(trace_size(trace).replicated); /* so it is broadcast */
	return trace;
}

static void check_contents(struct mesh_buffer *buffer, const uint8_t *expected, const char *what)
{
	for (uint16_t device = 0; device < DEVICES; device++) {
		memset(back, 0, BYTES);
		good(enqueue_read_shard(mesh_queue(test.mesh, 0), buffer, device / SIDE,
			device % SIDE, back, true, 0));
		if (memcmp(back, expected, BYTES) != 0)
			fail_msg("device %u: %s", device, what);
	}
}

static void traces_and_writes(struct cluster *cluster)
{
	struct command_queue *queue, *other;
	struct mesh_buffer *buffer, *beside;
	struct program *program;
	struct workload *workload;
	struct mesh_trace *trace;

	test.cluster = cluster;
	mesh_case_attach(&test);
	queue = mesh_queue(test.mesh, 0);
	other = mesh_queue(test.mesh, 1);
	buffer = buffer_new();
	beside = buffer_new();
	mesh_case_fill(data[0], BYTES, 1);
	mesh_case_fill(data[1], BYTES, 2);
	program = mesh_case_program(&test, "held", cores, 800, ARGS);
	workload = mesh_case_workload(&test, program);
	mesh_case_set_args(&test, program, cores, ARGS, 1);
	trace = hold_capture(workload, buffer);
	for (uint32_t i = 0; i < 4; i++) {
		/* The trace may have to wait for this unicast. Meanwhile, later commands fill the
		 * ring. */
		good(enqueue_write_shard(queue, buffer, 0, 0, data[0], false, 0));
		good(enqueue_trace(queue, trace, 0, false, 0));
		good(enqueue_write_buffer(queue, buffer, data[1], false, 0));
		good(enqueue_write_buffer(other, beside, data[i % 2], false, 0));
	}
	good(queue_finish(other, 0, DEADLINE_NEVER));
	check_contents(buffer, data[1], "the write behind a trace was not the last");
	check_contents(beside, data[1], "the other queue lost data");
	good(enqueue_trace(queue, trace, 0, false, 0));
	check_contents(buffer, data[0], "the write of a trace was not the last");
	for (uint32_t i = 0; i < REPLAYS; i++)
		good(enqueue_trace(queue, trace, 0, false, 0));
	good(queue_finish(queue, 0, DEADLINE_NEVER));
	for (uint32_t device = 0; device < DEVICES; device++)
		assert_int_equal(mesh_case_result(&test, device, CORES - 1).launches,
			(REPLAYS + 5) * LAUNCHES);
	trace_free(trace);
	workload_free(workload);
	program_free(program);
	mesh_buffer_free(buffer);
	mesh_buffer_free(beside);
	mesh_close(test.mesh);
}

static void hold_case(const struct row *row, const struct trace_hold_ops *hold, bool spills,
	const char *packetizer, const char *ordering, uint32_t initiators)
{
	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_ALL);
	mesh_case_choose(&test, "broadcast", initiators, "table", "main");
	test.config.forward.trace_hold = hold;
	test.config.forward.packetizer = packetizer_find(packetizer);
	test.config.forward.ordering = ordering_find(ordering);
	test.cluster_config.dispatch_tiles = 12;
	test.limits.spill_bytes = spills ? 256 << 10 : 0;
	if (initiators > 1) { /* so small that the ring fills up and wraps */
		test.limits.receive_ring_bytes = TRACE_HOLD_RING_MIN;
		test.limits.credit_batch_bytes = 16;
	}
	mesh_row_run(row, &test, traces_and_writes, "%s, spills %d, %s, %s, %u initiators",
		hold->entry.name, spills, packetizer, ordering, initiators);
}

TEST(what_follows_a_trace_comes_after_it)
{
	for (uint32_t row = 0; row < row_count; row++)
		for (size_t h = 0; trace_hold_row(h) != NULL; h++) {
			hold_case(rows[row], trace_hold_row(h), true, "per-queue", "counter", 1);
			hold_case(rows[row], trace_hold_row(h), false, "shared", "counter", 2);
			hold_case(rows[row], trace_hold_row(h), true, "fused", "event", 4);
		}
}

TEST_MAIN(NULL, NULL)
