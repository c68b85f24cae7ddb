/* label: full timeout: 300 Tests large transfers and parts of meshes, in the native world.
 * Transfers are larger than every queue, and pages are larger than a piece of the issue queue.
 * Programs run on parts of a mesh, in several kernel groups, and on two mesh devices side by side.
 * Some workers run again after many launches in which they took no part. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "mesh_case.h"

static void transfer(struct mesh_case *test, bool sharded, uint32_t page_bytes, uint64_t bytes)
{
	struct mesh_shape shape = mesh_device_shape(test->mesh);
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = page_bytes};
	struct mesh_layout layout = {.size_bytes = bytes, .sharded = sharded};
	struct command_queue *queue = mesh_queue(test->mesh, 0);
	uint8_t *data, *back[3];
	struct mesh_buffer *buffer;

	if (sharded) {
		layout.size_bytes = bytes * mesh_shape_count(shape);
		layout.global_height = (uint32_t)(bytes / 1024) * shape.rows;
		layout.global_width = 1024u * shape.columns;
		layout.shard_height = (uint32_t)(bytes / 1024);
		layout.shard_width = 1024;
	}
	data = malloc(layout.size_bytes);
	mesh_case_fill(data, layout.size_bytes, page_bytes);
	assert_int_equal(mesh_buffer_new(test->mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	assert_int_equal(enqueue_write_buffer(queue, buffer, data, false, 0), STATUS_OK);
	for (int i = 0; i < 3; i++) {
		back[i] = calloc(layout.size_bytes, 1);
		assert_int_equal(enqueue_read_buffer(queue, buffer, back[i], false, 0), STATUS_OK);
	}
	/* fills the issue queue while the completion queue is not read */
	for (int i = 0; i < 8; i++)
		assert_int_equal(enqueue_write_buffer(queue, buffer, data, false, 0), STATUS_OK);
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	for (int i = 0; i < 3; i++) {
		assert_memory_equal(data, back[i], layout.size_bytes);
		free(back[i]);
	}
	mesh_buffer_free(buffer);
	free(data);
}

TEST(transfers_larger_than_every_queue_pass)
{
	for (size_t f = 0; forward_row(f) != NULL; f++)
		for (size_t c = 0; sound_row(c) != NULL; c++)
			for (int pcie = 0; pcie < 3; pcie += 2) {
				struct mesh_case test;

				mesh_case_init(&test, 2, 1, (enum test_pcie)pcie);
				test.config.forward.path = forward_row(f);
				test.config.completion = sound_row(c);
				test.config.sizes.issue_queue_bytes = 128 << 10;
				test.config.sizes.completion_queue_bytes = 64 << 10;
				mesh_case_open(&test);
				transfer(&test, false, 1024, 1 << 20);
				transfer(&test, true, 96, 768 << 10);
				transfer(&test, true, 512, 28 << 10); /* only one fits at a time */
				transfer(&test, false, 400 << 10, 1200 << 10);
				mesh_case_close(&test);
			}
}

/* Runs programs on two parts of a mesh while a third part is idle. If a part consists of all
 * devices of a grid, its commands are sent by broadcast. */
static void parts_of_a_mesh_run_their_own_programs(const char *forward, uint32_t initiators)
{
	const struct cores all = {.kind = CORES_ALL}, few = {.kind = CORES_COUNT, .count = 5};
	const struct device_range upper = {0, 0, 1, 2}, lower = {2, 1, 3, 2};
	struct program *programs[2];
	struct workload *workload;
	struct mesh_case test;

	mesh_case_init(&test, 4, 3, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, forward, initiators, "table", "main");
	mesh_case_open(&test);
	programs[0] = mesh_case_program(&test, "upper", all, 600, 4);
	programs[1] = mesh_case_program(&test, "lower", few, 6000, 4);
	workload = workload_new(test.mesh);
	assert_int_equal(workload_add(workload, programs[0], upper, NULL), STATUS_OK);
	assert_int_equal(workload_add(workload, programs[1], lower, NULL), STATUS_OK);
	for (uint32_t i = 1; i <= 10; i++) {
		mesh_case_set_args(&test, programs[0], all, 4, i);
		mesh_case_set_args(&test, programs[1], few, 4, 100 + i);
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, i % 2), workload, i == 5, 0),
			STATUS_OK);
	}
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 1), 0, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t device = 0; device < 12; device++)
		for (uint32_t core = 0; core < 12; core++) {
			struct launch_result result = mesh_case_result(&test, device, core);
			bool is_upper = device < 6;
			bool is_lower = device >= 6 && device % 3 >= 1 && core < 5;

			assert_int_equal(result.launches, is_upper || is_lower ? 10 : 0);
			if (result.launches > 0)
				assert_int_equal(result.checksum,
					mesh_case_checksum(core, 4, is_upper ? 10 : 110));
		}
	workload_free(workload);
	program_free(programs[0]);
	program_free(programs[1]);
	mesh_case_close(&test);
}

TEST(programs_run_on_parts_of_a_mesh)
{
	parts_of_a_mesh_run_their_own_programs("unicast", 0);
	parts_of_a_mesh_run_their_own_programs("broadcast", 1);
	parts_of_a_mesh_run_their_own_programs("broadcast", 2);
	parts_of_a_mesh_run_their_own_programs("broadcast", 4);
}

/* Kernels run on overlapping sets of cores. Cores with the same combination of kernels form a
 * group, and each group has its own configuration. */
TEST(groups_of_cores_get_their_own_configuration)
{
	struct kernel_config brisc = {.processor = PROCESSOR_BRISC,
		.bytes = 300,
		.cycles = 10,
		.unique_args = 2,
		.cores = {.kind = CORES_RECTANGLE, .rect = {0, 0, 2, 2}}};
	struct kernel_config ncrisc = {.processor = PROCESSOR_NCRISC,
		.bytes = 500,
		.cycles = 10,
		.unique_args = 1,
		.common_args = 2,
		.cores = {.kind = CORES_RECTANGLE, .rect = {1, 1, 3, 2}}};
	const uint32_t common[2] = {77, 78};
	struct program *program;
	struct workload *workload;
	struct mesh_case test;
	uint32_t kernels[2], index;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	mesh_case_open(&test);
	program = program_new(test.mesh, "groups");
	assert_int_equal(program_add_kernel(program, &brisc, NULL, &kernels[0]), STATUS_OK);
	assert_int_equal(program_add_kernel(program, &ncrisc, NULL, &kernels[1]), STATUS_OK);
	assert_int_equal(program_add_semaphore(program,
				 (struct cores){.kind = CORES_COUNT, .count = 6}, 3, NULL, &index),
		STATUS_OK);
	assert_int_equal(program_worker_count(program), 9 + 6 - 4);
	assert_int_equal(program_set_common_args(program, kernels[1], common, 2), STATUS_OK);
	for (uint32_t core = 0; core < 12; core++) {
		uint32_t args[2] = {core * 10, core * 10 + 1}, own = core * 10 + 2;
		bool first = core % 4 <= 2, second = core % 4 >= 1 && core >= 4;

		assert_int_equal(program_set_args(program, kernels[0], core, args, 2),
			first ? STATUS_OK : STATUS_NOT_FOUND);
		assert_int_equal(program_set_args(program, kernels[1], core, &own, 1),
			second ? STATUS_OK : STATUS_NOT_FOUND);
	}
	assert_int_equal(program_set_args(program, kernels[0], 0, common, 1), STATUS_INVALID);
	workload = mesh_case_workload(&test, program);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_OK);
	for (uint32_t core = 0; core < 12; core++) {
		bool first = core % 4 <= 2, second = core % 4 >= 1 && core >= 4;
		struct launch_result result = mesh_case_result(&test, 0, core);
		uint8_t unique[12], shared[8];
		uint32_t length = 0;

		assert_int_equal(result.launches, first || second);
		for (uint32_t i = 0; first && i < 2; i++, length += 4)
			bytes_put32(unique + length, core * 10 + i);
		for (uint32_t i = 0; second && i < 1; i++, length += 4)
			bytes_put32(unique + length, core * 10 + 2);
		bytes_put32(shared, 77);
		bytes_put32(shared + 4, 78);
		if (result.launches > 0)
			assert_int_equal(result.checksum,
				launch_checksum(unique, length, shared, second ? 8 : 0));
	}
	workload_free(workload);
	program_free(program);
	mesh_case_close(&test);
}

/* Uses two mesh devices alternately. They share gateways (spec 3.7), but neither of them waits for
 * events of the other. */
TEST(two_mesh_devices_share_a_platform)
{
	const struct cores cores = {.kind = CORES_ALL};
	const struct device_range all = {0, 0, 1, 1};
	struct mesh_case test, other;
	struct program *programs[2];
	struct workload *workloads[2];
	struct mesh_event event;

	mesh_case_init(&test, 2, 4, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	test.config.shape.columns = 2;
	mesh_case_open(&test);
	other = test;
	other.config.offset.column = 2;
	mesh_case_choose(&other, "unicast", 0, "per-device", "pool");
	assert_int_equal(mesh_open(other.system, &other.config, NULL, &other.mesh), STATUS_OK);
	programs[0] = mesh_case_program(&test, "left", cores, 600, 4);
	programs[1] = mesh_case_program(&other, "right", cores, 900, 4);
	workloads[0] = mesh_case_workload(&test, programs[0]);
	workloads[1] = mesh_case_workload(&other, programs[1]);
	for (uint32_t i = 1; i <= 8; i++) {
		mesh_case_set_args(&test, programs[0], cores, 4, i);
		mesh_case_set_args(&other, programs[1], cores, 4, i + 50);
		assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workloads[0], false, 0),
			STATUS_OK);
		assert_int_equal(
			enqueue_workload(mesh_queue(other.mesh, 1), workloads[1], false, 0),
			STATUS_OK);
	}
	assert_int_equal(queue_finish(mesh_queue(other.mesh, 1), 0, DEADLINE_NEVER), STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	assert_int_equal(
		enqueue_record_event(mesh_queue(test.mesh, 0), all, true, 0, &event), STATUS_OK);
	assert_int_equal(enqueue_wait_event(mesh_queue(other.mesh, 0), &event, 0), STATUS_INVALID);
	assert_int_equal(event_synchronize(&event, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t device = 0; device < 4; device++)
		for (uint32_t core = 0; core < 12; core++) {
			assert_int_equal(mesh_case_result(&test, device, core).checksum,
				mesh_case_checksum(core, 4, 8));
			assert_int_equal(mesh_case_result(&other, device, core).checksum,
				mesh_case_checksum(core, 4, 58));
		}
	for (int i = 0; i < 2; i++) {
		workload_free(workloads[i]);
		program_free(programs[i]);
	}
	mesh_close(other.mesh);
	mesh_case_close(&test);
}

/* Device 1, and all workers but one of device 0, miss more runs than a run number can count. */
TEST(workers_that_missed_many_runs_join_again)
{
	const struct cores cores = {.kind = CORES_COUNT, .count = 1}, all = {.kind = CORES_ALL};
	struct workload *alone, *together;
	struct program *program, *wide;
	struct mesh_case test;
	enum { RUNS = 40000 };

	mesh_case_init(&test, 1, 2, TEST_PCIE_ALL);
	mesh_case_open(&test);
	program = mesh_case_program(&test, "runs", cores, 16, 0);
	wide = mesh_case_program(&test, "wide", all, 16, 0);
	together = mesh_case_workload(&test, wide);
	alone = workload_new(test.mesh);
	assert_int_equal(
		workload_add(alone, program, (struct device_range){0, 0, 0, 0}, NULL), STATUS_OK);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), together, true, 0), STATUS_OK);
	for (uint32_t i = 0; i < RUNS; i++)
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), alone, false, 0), STATUS_OK);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 1), together, false, 0), STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 1), 0, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t core = 0; core < 12; core++) {
		assert_int_equal(
			mesh_case_result(&test, 0, core).launches, core == 0 ? RUNS + 2 : 2);
		assert_int_equal(mesh_case_result(&test, 1, core).launches, 2);
	}
	workload_free(together);
	workload_free(alone);
	program_free(program);
	program_free(wide);
	mesh_case_close(&test);
}

/* Large writes are elided: only their sizes are sent, along the usual path, without data. Reading
 * such a write must return a status instead of data. Small writes keep their data. */
TEST(elided_writes_are_reported_when_read)
{
	for (size_t f = 0; forward_row(f) != NULL; f++)
		for (size_t c = 0; sound_row(c) != NULL; c++) {
			struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 100};
			struct mesh_layout layout = {.size_bytes = 300000};
			struct mesh_buffer *large, *small;
			uint8_t *back = malloc(layout.size_bytes), data[2000];
			struct command_queue *queue;
			struct mesh_case test;

			mesh_case_init(&test, 2, 2, TEST_PCIE_GATEWAYS);
			test.config.forward.path = forward_row(f);
			test.config.completion = sound_row(c);
			test.config.elide_above_bytes = 2000;
			mesh_case_open(&test);
			queue = mesh_queue(test.mesh, 0);
			assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &large),
				STATUS_OK);
			layout.size_bytes = sizeof(data);
			assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &small),
				STATUS_OK);
			mesh_case_fill(data, sizeof(data), f);
			assert_int_equal(
				enqueue_write_buffer(queue, small, data, false, 0), STATUS_OK);
			assert_int_equal(
				enqueue_write_buffer(queue, large, NULL, true, 0), STATUS_OK);
			assert_int_equal(enqueue_read_shard(queue, large, 1, 1, back, true, 0),
				STATUS_ELIDED);
			assert_int_equal(
				enqueue_read_buffer(queue, large, back, false, 0), STATUS_OK);
			assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_ELIDED);
			assert_int_equal(
				enqueue_read_buffer(queue, small, back, false, 0), STATUS_OK);
			assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
			assert_memory_equal(data, back, sizeof(data));
			mesh_buffer_free(large);
			mesh_buffer_free(small);
			mesh_case_close(&test);
			free(back);
		}
}

TEST_MAIN(NULL, NULL)
