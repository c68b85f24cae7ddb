/* needs: simgrid timeout: 100
 * Tests the memory of sub-devices (spec 3.3.4), in the native and the simulated world. Each
 * sub-device has its own allocator. A write to the memory of a sub-device waits only for programs
 * of this sub-device. */

#include "test.h"

#include "halves.h"

static struct mesh_case test;

static void write_and_read(struct mesh_buffer *const *buffers, uint32_t count)
{
	static uint8_t data[4][8192], back[8192];
	struct command_queue *queue = mesh_queue(test.mesh, 0);

	for (uint32_t i = 0; i < count; i++) {
		mesh_case_fill(data[i], sizeof(data[i]), i + 1);
		assert_int_equal(
			enqueue_write_buffer(queue, buffers[i], data[i], false, 0), STATUS_OK);
	}
	for (uint32_t i = 0; i < count; i++)
		for (uint16_t device = 0; device < HALVES_DEVICES; device++) {
			assert_int_equal(enqueue_read_shard(queue, buffers[i], device / HALVES_SIDE,
						 device % HALVES_SIDE, back, true, 0),
				STATUS_OK);
			assert_memory_equal(back, data[i], mesh_buffer_bytes(buffers[i]));
		}
}

/* Makes buffers in the L1 of each sub-device, interleaved over its workers or in shards, and one
 * buffer in the L1 that all sub-devices share. The memories of the two sub-devices use the same
 * addresses, which are below the shared L1. */
static void sub_devices_have_memory_of_their_own(struct cluster *cluster)
{
	struct mesh_layout layout = {.size_bytes = 8192};
	struct mesh_buffer *buffers[4];

	uint64_t whole;

	halves_open(&test, cluster, "broadcast", "running", "shared");
	whole = mesh_memory_usage(test.mesh, BUFFER_L1).total_bytes;
	halves_load(&test);
	assert_int_equal(mesh_memory_usage(test.mesh, BUFFER_L1).total_bytes, whole - HALVES_LOCAL);
	for (uint32_t i = 0; i < 4; i++) {
		struct buffer_config config = {.type = BUFFER_L1,
			.page_bytes = 512,
			.sub_device = (uint8_t)(i < 3 ? 1 + i % 2 : 0)};

		if (i == 2) {
			config.layout = LAYOUT_HEIGHT_SHARDED;
			config.shard = (struct shard_parameters){
				16, 1, 4, 1, halves_cores(0).rect, ORIENTATION_COLUMN_MAJOR, false};
		}
		assert_int_equal(
			mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffers[i]), STATUS_OK);
	}
	assert_int_equal(mesh_buffer_address(buffers[0]), mesh_buffer_address(buffers[1]));
	assert_true(mesh_buffer_address(buffers[2]) < mesh_buffer_address(buffers[0]));
	assert_true(mesh_buffer_address(buffers[0]) < mesh_buffer_address(buffers[3]));
	assert_int_equal(sub_device_usage(test.mesh, 0).allocations, 2);
	assert_int_equal(sub_device_usage(test.mesh, 1).allocations, 1);
	assert_int_equal(sub_device_usage(test.mesh, 1).total_bytes, HALVES_LOCAL);
	assert_int_equal(mesh_memory_usage(test.mesh, BUFFER_L1).allocations, 1);
	write_and_read(buffers, 4);
	for (uint32_t i = 0; i < 4; i++)
		mesh_buffer_free(buffers[i]);
	mesh_close(test.mesh);
}

/* Writes to the memory of a sub-device wait only for the programs of that sub-device. Writes to the
 * common L1 wait for all programs. */
static void writes_wait_for_the_programs_that_may_use_them(struct cluster *cluster)
{
	struct mesh_layout layout = {.size_bytes = 512};
	struct mesh_buffer *buffers[3];
	struct command_queue *queue;
	struct program *program;
	struct workload *workload;
	static const uint8_t data[512];
	int64_t end;

	halves_open(&test, cluster, "unicast", "running", "shared");
	halves_load(&test);
	workload = halves_slow(&test, 0, &program);
	queue = mesh_queue(test.mesh, 0);
	assert_int_equal(enqueue_workload(queue, workload, true, 0), STATUS_OK);
	assert_int_equal(enqueue_workload(queue, workload, false, 1), STATUS_OK);
	for (uint32_t i = 0; i < 3; i++) { /* right sub-device, left one, common */
		struct buffer_config config = {.type = BUFFER_L1,
			.page_bytes = 512,
			.sub_device = (uint8_t)(i < 2 ? 2 - i : 0)};

		assert_int_equal(
			mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffers[i]), STATUS_OK);
		assert_int_equal(
			enqueue_write_buffer(queue, buffers[i], data, false, 10 + i), STATUS_OK);
	}
	halves_finish(&test);
	end = halves_mark(1, MARK_WORKERS_DONE, false);
	for (uint32_t i = 0; row_current()->timed && i < 3; i++)
		if ((halves_mark(10 + i, MARK_DISPATCHED, false) < end) != (i == 0))
			fail_msg("write %u is dispatched at %lld ps, the program ends at %lld ps",
				i, (long long)halves_mark(10 + i, MARK_DISPATCHED, false),
				(long long)end);
	for (uint32_t i = 0; i < 3; i++)
		mesh_buffer_free(buffers[i]);
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
}

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(sub_devices_have_memory_of_their_own, halves_cluster),
		ROW_CASE(writes_wait_for_the_programs_that_may_use_them, halves_cluster),
	};

	return ROW_RUN_SUITE("sub_device_memory", cases);
}
