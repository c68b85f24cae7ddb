/* needs: simgrid timeout: 300 One command replays a trace on all devices, also if their commands
 * differ (spec 3.12.2.2): by broadcast it is one transaction, every device runs its own commands
 * and leaves what is behind them, and what follows the replay finds the prefetchers in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mesh/trace.h"
#include "mesh_case.h"
#include "row.h"

enum { SIDE = 2, DEVICES = SIDE * SIDE, ARGS = 40, LAUNCHES = 40, REPLAYS = 3, BYTES = 60 * 1024 };

static const struct cores cores = {.kind = CORES_ALL};
static struct mesh_case test;

/* The first device launches LAUNCHES times, the second half as often, the third once; the last has
 * nothing to do. */
static uint32_t launches_of(uint32_t device)
{
	return device == 0 ? LAUNCHES : device == 1 ? LAUNCHES / 2 : device == 2 ? 1 : 0;
}

static struct mesh_trace *capture(struct command_queue *queue, struct workload **workloads)
{
	struct mesh_trace *trace = NULL;

	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	for (uint32_t i = 0; i < LAUNCHES; i++)
		for (uint32_t device = 0; device < DEVICES; device++)
			if (i < launches_of(device))
				assert_int_equal(
					enqueue_workload(queue, workloads[device], false, 0),
					STATUS_OK);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	assert_false(trace_size(trace).replicated);
	return trace;
}

/* Replays, each with a long write behind it, which comes through the ring that the trace has left.
 */
static void replay(struct command_queue *queue, struct mesh_trace *trace)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	struct mesh_layout layout = {.size_bytes = BYTES};
	uint8_t *data = malloc(BYTES), *back = malloc(BYTES);
	struct mesh_buffer *buffer;

	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (uint32_t i = 0; i < REPLAYS; i++) {
		mesh_case_fill(data, BYTES, i);
		assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_OK);
		assert_int_equal(enqueue_write_buffer(queue, buffer, data, false, 0), STATUS_OK);
		assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
		for (uint16_t device = 0; device < DEVICES; device++) {
			assert_int_equal(enqueue_read_shard(queue, buffer, device / SIDE,
						 device % SIDE, back, true, 0),
				STATUS_OK);
			assert_memory_equal(data, back, BYTES);
		}
	}
	mesh_buffer_free(buffer);
	free(data);
	free(back);
}

static void check_launches(void)
{
	for (uint32_t device = 0; device < DEVICES; device++)
		for (uint32_t core = 0; core < 12; core++)
			assert_int_equal(mesh_case_result(&test, device, core).launches,
				REPLAYS * launches_of(device));
}

static void replay_differing(struct cluster *cluster, const char *forward)
{
	struct program *program;
	struct workload *workloads[DEVICES];
	struct command_queue *queue;
	struct mesh_trace *trace;

	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	mesh_case_choose(&test, forward, 1, "table", "main");
	test.cluster = cluster;
	mesh_case_attach(&test);
	program = mesh_case_program(&test, "differs", cores, 300, ARGS);
	mesh_case_set_args(&test, program, cores, ARGS, 1);
	for (uint16_t device = 0; device < DEVICES; device++) {
		uint16_t row = device / SIDE, column = device % SIDE;

		workloads[device] = workload_new(test.mesh);
		assert_int_equal(workload_add(workloads[device], program,
					 (struct device_range){row, column, row, column}, NULL),
			STATUS_OK);
	}
	queue = mesh_queue(test.mesh, 0);
	trace = capture(queue, workloads);
	replay(queue, trace);
	check_launches();
	trace_free(trace);
	for (uint32_t device = 0; device < DEVICES; device++)
		workload_free(workloads[device]);
	program_free(program);
	mesh_close(test.mesh);
}

static void devices_run_their_own_by_broadcast(struct cluster *cluster)
{
	replay_differing(cluster, "broadcast");
}

static void devices_run_their_own_by_unicast(struct cluster *cluster)
{
	replay_differing(cluster, "unicast");
}

/* Whatever its devices' commands are: they are one transaction more. */
static void a_replay_is_one_broadcast(struct cluster *cluster)
{
	struct mesh_counters before, after;
	struct program *program;
	struct workload *workload;
	struct command_queue *queue;
	struct mesh_trace *trace;

	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	test.config.sharded_traces = true;
	test.cluster = cluster;
	mesh_case_attach(&test);
	program = mesh_case_program(&test, "sharded", cores, 300, ARGS);
	workload = mesh_case_workload(&test, program);
	queue = mesh_queue(test.mesh, 0);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	mesh_device_counters(test.mesh, &before);
	assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_OK);
	mesh_device_counters(test.mesh, &after);
	assert_int_equal(after.broadcasts.transactions - before.broadcasts.transactions, 1);
	assert_int_equal(after.unicasts.transactions, before.unicasts.transactions);
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t device = 0; device < DEVICES; device++)
		assert_int_equal(mesh_case_result(&test, device, 0).launches, 1);
	trace_free(trace);
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
}

static const struct test_cluster cluster = {.rows = SIDE, .columns = SIDE, .pcie = TEST_PCIE_LEFT};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(devices_run_their_own_by_broadcast, cluster),
		ROW_CASE(devices_run_their_own_by_unicast, cluster),
		ROW_CASE(a_replay_is_one_broadcast, cluster),
	};

	return ROW_RUN_SUITE("mesh_trace_replay", cases);
}
