/* needs: simgrid timeout: 300
 * Tests several traces (spec 3.6, 3.12.1): their ids, their release, the region of DRAM that is
 * reserved for them, the properties of a replay that the host knows without asking the devices, and
 * calls that cannot be captured. test_mesh_trace.c tests replays. */
#include "test.h"

#include <string.h>

#include "mesh/trace.h"
#include "mesh_case.h"
#include "row.h"

enum { ROWS = 2, COLUMNS = 2, DEVICES = ROWS * COLUMNS, CORES = 3, REGION = 64 << 10 };

static struct mesh_case test;
static const struct cores cores = {.kind = CORES_COUNT, .count = CORES};
static struct program *program;
static struct workload *whole, *left; /* on all devices, and on those of the left column */

static void open_with(struct cluster *cluster, const char *go, uint64_t region)
{
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_GATEWAYS);
	test.config.forward.go = go_find(go);
	test.config.sizes.trace_region_bytes = region;
	test.cluster = cluster;
	mesh_case_attach(&test);
	program = mesh_case_program(&test, "traced", cores, 800, 2);
	whole = mesh_case_workload(&test, program);
	left = workload_new(test.mesh);
	assert_int_equal(
		workload_add(left, program, (struct device_range){0, 0, 1, 0}, NULL), STATUS_OK);
}

static void close_all(void)
{
	workload_free(whole);
	workload_free(left);
	program_free(program);
	mesh_close(test.mesh);
}

static void launch(struct workload *workload, uint32_t times)
{
	for (uint32_t i = 0; i < times; i++)
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 0), STATUS_OK);
}

static enum status capture(uint32_t on_all, uint32_t on_left, struct text *why, uint32_t *id)
{
	struct command_queue *queue = mesh_queue(test.mesh, 0);
	struct mesh_trace *trace = NULL;
	enum status status;

	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	launch(whole, on_all);
	launch(left, on_left);
	status = trace_end(queue, why, &trace);
	if (status == STATUS_OK)
		*id = trace_size(trace).id;
	return status;
}

static enum status replay(uint32_t id)
{
	return enqueue_trace_id(mesh_queue(test.mesh, 0), id, 0, false, 0);
}

static void check_launches(uint32_t on_left, uint32_t on_right)
{
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t device = 0; device < DEVICES; device++)
		assert_int_equal(mesh_case_result(&test, device, CORES - 1).launches,
			device % COLUMNS == 0 ? on_left : on_right);
}

static void traces_live_beside_each_other_until_they_are_released(struct cluster *cluster)
{
	uint32_t ids[3] = {0};

	open_with(cluster, "running", 0);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(capture(i + 1, i, NULL, &ids[i]), STATUS_OK);
	assert_true(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
	assert_int_equal(replay(ids[2]), STATUS_OK);
	assert_int_equal(replay(ids[0]), STATUS_OK);
	assert_int_equal(replay(ids[1]), STATUS_OK);
	check_launches(5 + 1 + 3, 3 + 1 + 2);
	assert_int_equal(trace_release(test.mesh, ids[1]), STATUS_OK);
	assert_null(trace_find(test.mesh, ids[1]));
	assert_int_equal(replay(ids[1]), STATUS_NOT_FOUND);
	assert_int_equal(trace_release(test.mesh, ids[1]), STATUS_NOT_FOUND);
	assert_int_equal(replay(ids[0]), STATUS_OK);
	assert_int_equal(replay(ids[2]), STATUS_OK);
	check_launches(9 + 1 + 5, 6 + 1 + 3);
	assert_int_equal(trace_release(test.mesh, ids[0]), STATUS_OK);
	assert_int_equal(trace_release(test.mesh, ids[2]), STATUS_OK);
	close_all();
}

static void traces_lie_in_their_region_until_it_is_full(struct cluster *cluster)
{
	uint32_t ids[64] = {0}, count = 0, again = 0;
	enum status status = STATUS_OK;
	uint64_t free_bytes;
	struct text why;

	text_init(&why);
	open_with(cluster, "running", REGION);
	launch(whole, 1); /* its binaries are stored among the buffers */
	launch(left, 1);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	free_bytes = mesh_free_bytes(test.mesh, false);
	while (status == STATUS_OK && count < 64) {
		status = capture(200, 0, &why, &ids[count]);
		count += status == STATUS_OK;
	}
	assert_int_equal(status, STATUS_NO_SPACE);
	assert_true(count > 0);
	assert_non_null(strstr(text_string(&why), "trace region of a DRAM bank: "));
	assert_int_equal(mesh_free_bytes(test.mesh, false), free_bytes);
	assert_int_equal(trace_release(test.mesh, ids[0]), STATUS_OK);
	assert_int_equal(capture(200, 0, NULL, &again), STATUS_OK);
	assert_int_equal(replay(again), STATUS_OK);
	check_launches(202, 201);
	assert_int_equal(trace_release(test.mesh, again), STATUS_OK);
	for (uint32_t i = 1; i < count; i++)
		assert_int_equal(trace_release(test.mesh, ids[i]), STATUS_OK);
	text_fini(&why);
	close_all();
}

static void check_counts(uint32_t id, uint16_t column, uint32_t launches, uint32_t answers)
{
	struct trace_counts counts = trace_counts(trace_find(test.mesh, id), 1, column);

	assert_int_equal(counts.launches, launches);
	assert_int_equal(counts.answers, answers);
}

static void count(struct cluster *cluster, const char *go)
{
	uint32_t id = 0, workers;
	struct trace_size size;
	bool all = go_find(go)->everywhere;

	open_with(cluster, go, 0);
	workers = mesh_worker_columns(test.mesh) * mesh_worker_rows(test.mesh);
	assert_int_equal(capture(2, 3, NULL, &id), STATUS_OK);
	size = trace_size(trace_find(test.mesh, id));
	assert_int_equal(size.workloads, 5);
	assert_int_equal(size.workloads_on_tensix, 5);
	assert_int_equal(size.workloads_on_ethernet, 0);
	check_counts(id, 0, 5, all ? 5 * workers : 5 * CORES);
	check_counts(id, 1, 2, all ? 5 * workers : 2 * CORES);
	assert_int_equal(replay(id), STATUS_OK);
	check_launches(5, 2);
	assert_int_equal(trace_release(test.mesh, id), STATUS_OK);
	close_all();
}

static void a_replay_is_known_before_it_has_run(struct cluster *cluster)
{
	count(cluster, "running");
}

static void a_replay_is_known_before_it_has_run_with_goes_to_all(struct cluster *cluster)
{
	count(cluster, "all");
}

/* A capture must reject calls that wait for completion, and calls whose data are not contained in
 * the commands. */
static void a_capture_refuses_what_is_no_command(struct cluster *cluster)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	struct mesh_layout layout = {.size_bytes = 1024};
	struct mesh_buffer *buffer;
	struct mesh_trace *trace;
	struct command_queue *queue;
	struct host_memory *memory;
	uint8_t data[1024] = {0};

	open_with(cluster, "running", 0);
	queue = mesh_queue(test.mesh, 0);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	assert_int_equal(host_memory_new(test.mesh, sizeof(data), NULL, &memory), STATUS_OK);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	assert_int_equal(trace_begin(queue, NULL), STATUS_EXISTS);
	assert_int_equal(enqueue_write_buffer(queue, buffer, data, true, 0), STATUS_INVALID);
	assert_int_equal(enqueue_write_pinned(queue, buffer, memory, 0, true, 0), STATUS_INVALID);
	assert_int_equal(
		enqueue_write_pinned(queue, buffer, memory, 0, false, 0), STATUS_UNSUPPORTED);
	assert_int_equal(enqueue_write_shard(queue, buffer, 0, 0, data, true, 0), STATUS_INVALID);
	assert_int_equal(enqueue_read_buffer(queue, buffer, data, true, 0), STATUS_INVALID);
	assert_int_equal(enqueue_read_shard(queue, buffer, 0, 0, data, true, 0), STATUS_INVALID);
	assert_int_equal(
		enqueue_read_pinned(queue, buffer, memory, 0, false, 0), STATUS_UNSUPPORTED);
	assert_int_equal(enqueue_workload(queue, whole, true, 0), STATUS_INVALID);
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_INVALID);
	launch(whole, 1);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_OK);
	check_launches(1, 1);
	trace_free(trace);
	host_memory_free(memory);
	mesh_buffer_free(buffer);
	close_all();
}

static void a_buffer_of_a_trace_stays_until_the_trace_is_released(struct cluster *cluster)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	struct mesh_layout layout = {.size_bytes = 1024};
	struct mesh_buffer *buffers[3];
	struct mesh_trace *trace;
	struct command_queue *queue;
	uint8_t data[1024] = {7}, back[1024] = {0};

	open_with(cluster, "running", 0);
	queue = mesh_queue(test.mesh, 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(
			mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffers[i]), STATUS_OK);
	assert_int_equal(enqueue_write_buffer(queue, buffers[1], data, false, 0), STATUS_OK);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	assert_int_equal(enqueue_write_buffer(queue, buffers[0], data, false, 0), STATUS_OK);
	assert_int_equal(enqueue_read_shard(queue, buffers[1], 0, 0, back, false, 0), STATUS_OK);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	assert_int_equal(mesh_buffer_release(buffers[0]), STATUS_EXISTS);
	assert_int_equal(mesh_buffer_release(buffers[1]), STATUS_EXISTS);
	assert_int_equal(mesh_buffer_release(buffers[2]), STATUS_OK);
	assert_int_equal(enqueue_trace(queue, trace, 0, true, 0), STATUS_OK);
	assert_memory_equal(back, data, sizeof(data));
	trace_free(trace);
	assert_int_equal(mesh_buffer_release(buffers[0]), STATUS_OK);
	assert_int_equal(mesh_buffer_release(buffers[1]), STATUS_OK);
	close_all();
}

static const struct test_cluster cluster = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_GATEWAYS};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(traces_live_beside_each_other_until_they_are_released, cluster),
		ROW_CASE(traces_lie_in_their_region_until_it_is_full, cluster),
		ROW_CASE(a_replay_is_known_before_it_has_run, cluster),
		ROW_CASE(a_replay_is_known_before_it_has_run_with_goes_to_all, cluster),
		ROW_CASE(a_capture_refuses_what_is_no_command, cluster),
		ROW_CASE(a_buffer_of_a_trace_stays_until_the_trace_is_released, cluster),
	};

	return ROW_RUN_SUITE("mesh_traces", cases);
}
