/* Tests errors of a mesh device, with status and message. The errors are about shapes, overlaps,
 * initiators, tiles, kernels, arguments and buffers. A rejected request leaves nothing allocated.
 */
#include "test.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_case.h"

/* `sentence` may end with a star in place of values that depend on the firmware's layouts. */
static void check_plan(struct mesh_case *test, enum status expected, const char *sentence)
{
	struct cluster_info *info = test_cluster_info_new(&test->cluster_config);
	struct text why = {0};
	enum status status = mesh_plan(info, &test->config, NULL, &why);

	if (fnmatch(sentence, text_string(&why), 0) != 0)
		assert_string_equal(text_string(&why), sentence);
	assert_int_equal(status, expected);
	text_fini(&why);
	test_cluster_info_free(info);
}

TEST(meshes_beyond_the_platform)
{
	struct mesh_case test;

	mesh_case_init(&test, 2, 4, TEST_PCIE_ALL);
	test.config.shape = (struct mesh_shape){4, 2};
	check_plan(&test, STATUS_OUT_OF_RANGE,
		"a mesh of 4 x 2 devices is larger than the 2 x 4 of platform test");
	test.config.shape = (struct mesh_shape){2, 2};
	test.config.offset.column = 3;
	check_plan(&test, STATUS_OUT_OF_RANGE,
		"a mesh of 2 x 2 devices at offset 0,3 leaves the 2 x 4 of platform test");
	test.config.offset.column = 2;
	test.config.command_queues = 3;
	check_plan(&test, STATUS_INVALID, "3 command queues, 1 to 2 are supported");
}

TEST(initiators_without_pcie)
{
	struct mesh_case test;

	mesh_case_init(&test, 2, 4, TEST_PCIE_LEFT);
	test.cluster_config.dispatch_tiles = 16;
	mesh_case_choose(&test, "broadcast", 3, "table", "main");
	check_plan(&test, STATUS_NO_SPACE,
		"3 initiators, but only 2 chips with PCIe reach the mesh of platform test");
}

TEST(a_channel_that_links_do_not_have)
{
	struct mesh_case test;

	mesh_case_init(&test, 2, 4, TEST_PCIE_LEFT);
	test.cluster_config.channels = 1;
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	check_plan(&test, STATUS_OK, "");
	test.config.forward.channels = channels_find("own");
	check_plan(&test, STATUS_UNSUPPORTED,
		"broadcasts with a virtual channel of their own, but links of platform test have "
		"one for all");
}

TEST(stages_that_find_no_tile)
{
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	test.cluster_config.dispatch_tiles = 1;
	check_plan(&test, STATUS_NO_SPACE,
		"chip 0 has no dispatch tile left for the dispatcher of queue 1 alone");
	test.cluster_config.dispatch_tiles = 2;
	test.limits.cache_bytes = 1 << 20;
	test.limits.dispatch_ring_bytes = 768 << 10;
	check_plan(&test, STATUS_NO_SPACE,
		"chip 0 of platform test has no room for a prefetch_hd of * B: its 2 tiles for "
		"dispatch have * B each, 2 of "
		"them hold 4 stages in * B");
}

TEST(ethernet_tiles_that_are_too_few_or_too_small)
{
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	test.cluster_config.ethernet = true;
	test.cluster_config.dispatch_tiles = 3;
	test.limits.cache_bytes = 64 << 10;
	check_plan(&test, STATUS_NO_SPACE,
		"chip 0 of platform test has no room for a prefetch_hd of * B: its 3 Ethernet "
		"tiles for dispatch have 245760 B each, 3 of them hold 3 stages in * B");
	test.cluster_config.dispatch_tiles = 8;
	test.limits.dispatch_ring_bytes = 256 << 10;
	check_plan(&test, STATUS_NO_SPACE,
		"chip 0 of platform test has no room for a dispatcher of 262144 B: its Ethernet "
		"tiles for dispatch have 245760 B each");
}

TEST(limits_that_contradict_each_other)
{
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	test.limits.scratch_bytes = 17;
	check_plan(&test, STATUS_INVALID, "the limit scratch_bytes does not fit the others");
}

TEST(a_config_ring_larger_than_l1)
{
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	test.config.sizes.config_ring_bytes = 1464 * 1024;
	check_plan(&test, STATUS_NO_SPACE,
		"a config ring of 1499136 B at 33280 does not fit into 1499136 B of worker L1");
}

TEST(chips_of_another_mesh_device)
{
	struct mesh_config config;
	struct mesh_device *other;
	struct mesh_case test;
	struct text why = {0};

	mesh_case_init(&test, 2, 3, TEST_PCIE_GATEWAYS);
	test.config.shape = (struct mesh_shape){2, 2};
	mesh_case_open(&test);
	config = test.config;
	config.offset.column = 1;
	assert_int_equal(mesh_open(test.system, &config, &why, &other), STATUS_EXISTS);
	assert_string_equal(text_string(&why),
		"chip 1 (row 0, column 0 of the mesh) belongs to another mesh device");
	/* the rejected mesh has taken nothing: the rest can still be opened */
	config.shape.columns = 1;
	config.offset.column = 2;
	assert_int_equal(mesh_open(test.system, &config, NULL, &other), STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(other, 0), 0, DEADLINE_NEVER), STATUS_OK);
	mesh_close(other);
	text_fini(&why);
	mesh_case_close(&test);
}

static void check_kernel(struct program *program, struct kernel_config config, enum status expected,
	const char *sentence)
{
	struct text why = {0};
	uint32_t kernel;

	assert_int_equal(program_add_kernel(program, &config, &why, &kernel), expected);
	assert_string_equal(text_string(&why), sentence);
	text_fini(&why);
}

/* A user's platform may give dispatchers little memory. A program is rejected if the unique
 * arguments of a core do not fit into half of a dispatcher's ring, because the dispatcher reads all
 * of them at once. */
TEST(arguments_that_no_dispatcher_has_room_for)
{
	struct kernel_config config = {
		.bytes = 100, .cores = {.kind = CORES_ALL}, .unique_args = 341};
	struct program *program;
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	test.limits.dispatch_ring_bytes = 4096;
	test.limits.credit_batch_bytes = 2048;
	mesh_case_open(&test);
	program = program_new(test.mesh, "wordy");
	check_kernel(program, config, STATUS_OK, "");
	config.processor = PROCESSOR_NCRISC;
	check_kernel(program, config, STATUS_NO_SPACE,
		"program wordy has 2736 B of arguments of its own for a core, half a dispatcher's "
		"ring has 2048 B");
	config.unique_args = 171;
	config.common_args = 170;
	check_kernel(program, config, STATUS_OK, "");
	program_free(program);
	mesh_close(test.mesh);
}

TEST(kernels_that_do_not_fit)
{
	struct kernel_config config = {.bytes = 100, .cores = {.kind = CORES_ALL}};
	struct program *program;
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	mesh_case_open(&test);
	program = program_new(test.mesh, "big");
	config.bytes = 70 * 1024;
	check_kernel(program, config, STATUS_NO_SPACE,
		"0 B of configuration and 71712 B of kernels on a core, but the config ring "
		"has 70656 B");
	config.bytes = 0;
	check_kernel(program, config, STATUS_INVALID,
		"a kernel of 0 B, but a kernel has 1 to 1048576 B");
	config.bytes = 64 * 1024;
	check_kernel(program, config, STATUS_OK, "");
	check_kernel(program, config, STATUS_EXISTS, "kernels 0 and 1 share a processor of a core");
	config.processor = PROCESSOR_NCRISC;
	check_kernel(program, config, STATUS_NO_SPACE,
		"0 B of configuration and 131136 B of kernels on a core, but the config ring "
		"has 70656 B");
	config.bytes = 4096; /* the previous request has left nothing behind */
	check_kernel(program, config, STATUS_OK, "");
	config.processor = PROCESSOR_TRISC0;
	config.cores = (struct cores){.kind = CORES_RECTANGLE, .rect = {0, 0, 4, 0}};
	check_kernel(program, config, STATUS_OUT_OF_RANGE,
		"cores from 0,0 to 4,0 reach outside the grid of 4 x 3");
	config.cores = (struct cores){.kind = CORES_COUNT, .count = 13};
	check_kernel(program, config, STATUS_OUT_OF_RANGE, "13 cores, but the grid has 4 x 3");
	config.cores.count = 1;
	config.unique_args = 200;
	config.common_args = 142;
	check_kernel(program, config, STATUS_OUT_OF_RANGE,
		"a kernel with 200 unique and 142 common arguments, at most 341 together");
	config.cores.count = 0;
	check_kernel(program, config, STATUS_INVALID, "no cores");
	program_free(program);
	mesh_case_close(&test);
}

TEST(workloads_that_cannot_run)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct kernel_config config = {.bytes = 100, .cores = cores};
	struct program *program, *empty;
	struct workload *workload;
	struct mesh_case test;
	struct text why = {0};
	uint32_t kernel;

	mesh_case_init(&test, 1, 2, TEST_PCIE_ALL);
	mesh_case_open(&test);
	program = mesh_case_program(&test, "small", cores, 100, 4);
	empty = program_new(test.mesh, "empty");
	workload = workload_new(test.mesh);
	assert_int_equal(
		enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 0), STATUS_INVALID);
	assert_int_equal(workload_add(workload, empty, (struct device_range){0, 0, 0, 0}, &why),
		STATUS_INVALID);
	assert_int_equal(workload_add(workload, program, (struct device_range){0, 1, 0, 2}, &why),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(workload_add(workload, program, (struct device_range){0, 1, 0, 1}, NULL),
		STATUS_OK);
	assert_int_equal(workload_add(workload, program, (struct device_range){0, 0, 0, 1}, &why),
		STATUS_EXISTS);
	assert_string_equal(text_string(&why),
		"program empty has no kernels"
		"devices 0,1 to 0,2 reach outside the mesh of 1 x 2"
		"programs small and small of a workload share a device");
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_OK);
	config.processor = PROCESSOR_BRISC;
	text_clear(&why);
	assert_int_equal(program_add_kernel(program, &config, &why, &kernel), STATUS_INVALID);
	assert_string_equal(text_string(&why), "program small has been enqueued already");
	workload_free(workload);
	program_free(program);
	program_free(empty);
	text_fini(&why);
	mesh_case_close(&test);
}

/* Circular buffers grow from below, L1 buffers from above; they must not overlap. */
TEST(circular_buffers_under_l1_buffers)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct buffer_config config = {.type = BUFFER_L1, .page_bytes = 4096};
	struct mesh_layout layout = {.size_bytes = 12 * 4096};
	struct mesh_buffer *buffer;
	struct program *program;
	struct workload *workload;
	struct mesh_case test;
	struct text why = {0};

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	mesh_case_open(&test);
	program = mesh_case_program(&test, "wide", cores, 100, 4);
	assert_int_equal(program_add_circular_buffer(program, cores, 1000, 1024, NULL), STATUS_OK);
	assert_int_equal(
		program_add_circular_buffer(program, cores, 1000, 1024, &why), STATUS_NO_SPACE);
	assert_non_null(strstr(text_string(&why), "circular buffer 2 of program wide: 1024000 B"));
	workload = mesh_case_workload(&test, program);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_OK);
	mesh_buffer_free(buffer);
	config.bottom_up = true;
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	assert_int_equal(
		enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_NO_SPACE);
	text_clear(&why);
	assert_int_equal(workload_check(workload, &why), STATUS_NO_SPACE);
	assert_non_null(strstr(text_string(&why), "the circular buffers of program wide end at"));
	mesh_buffer_free(buffer);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_OK);
	workload_free(workload);
	program_free(program);
	text_fini(&why);
	mesh_case_close(&test);
}

/* Makes the same buffer on two mesh devices, of which one is open, and one is only planned. Either
 * both must make it at the same address, or both must reject it with the same message. The buffers
 * stay allocated. */
static void take_alike(struct mesh_device *open, struct mesh_device *planned,
	const struct mesh_layout *layout, const struct buffer_config *config, bool *taken)
{
	struct mesh_buffer *a = NULL, *b = NULL;
	struct text open_why = {0}, planned_why = {0};
	enum status status = mesh_buffer_new(open, layout, config, &open_why, &a);

	assert_int_equal(mesh_buffer_new(planned, layout, config, &planned_why, &b), status);
	assert_string_equal(text_string(&planned_why), text_string(&open_why));
	*taken = status == STATUS_OK;
	if (*taken)
		assert_int_equal(mesh_buffer_address(b), mesh_buffer_address(a));
	text_fini(&open_why);
	text_fini(&planned_why);
	free(a); /* the memory goes with the mesh device */
	free(b);
}

TEST(a_planned_mesh_rejects_the_buffers_that_an_open_one_rejects)
{
	static const enum buffer_type types[] = {BUFFER_DRAM, BUFFER_L1, BUFFER_L1_SMALL};
	uint32_t taken = 0, rejected = 0;
	struct mesh_case test;
	struct mesh_system *system;
	struct mesh_device *planned;

	mesh_case_init(&test, 1, 2, TEST_PCIE_ALL);
	test.config.sizes.l1_small_bytes = 4096;
	mesh_case_open(&test);
	system = mesh_system_plan(test.info);
	assert_int_equal(mesh_open(system, &test.config, NULL, &planned), STATUS_OK);
	for (uint32_t i = 0; i < 60; i++) {
		struct buffer_config config = {
			.type = types[i % 3], .page_bytes = 1024 << i % 4, .bottom_up = i % 5 == 0};
		struct mesh_layout layout = {.size_bytes = UINT64_C(4096) << i % 17};
		bool took;

		take_alike(test.mesh, planned, &layout, &config, &took);
		taken += took;
		rejected += !took;
	}
	assert_in_range(taken, 10, 50);
	assert_in_range(rejected, 10, 50);
	assert_int_equal(mesh_queue_count(planned), 0);
	mesh_close(planned);
	mesh_system_free(system);
	mesh_case_close(&test);
}

TEST(a_mesh_that_fails_to_open_leaves_its_chips_to_the_next)
{
	struct mesh_case test;
	struct mesh_system *system;
	struct mesh_device *mesh;

	mesh_case_init(&test, 1, 2, TEST_PCIE_ALL);
	mesh_case_open(&test);
	system = mesh_system_plan(test.info);
	test.config.sizes.trace_region_bytes = UINT64_C(1) << 40; /* planned last */
	assert_int_equal(mesh_open(system, &test.config, NULL, &mesh), STATUS_NO_SPACE);
	test.config.sizes.trace_region_bytes = 0;
	assert_int_equal(mesh_open(system, &test.config, NULL, &mesh), STATUS_OK);
	mesh_close(mesh);
	mesh_system_free(system);
	mesh_case_close(&test);
}

TEST(planned_meshes_share_no_chip)
{
	struct mesh_case test;
	struct mesh_system *system;
	struct mesh_device *first, *second;
	struct text why = {0};

	mesh_case_init(&test, 1, 2, TEST_PCIE_ALL);
	mesh_case_open(&test);
	system = mesh_system_plan(test.info);
	assert_int_equal(mesh_open(system, &test.config, NULL, &first), STATUS_OK);
	assert_int_equal(mesh_open(system, &test.config, &why, &second), STATUS_EXISTS);
	assert_true(why.length > 0);
	mesh_close(first);
	assert_int_equal(mesh_open(system, &test.config, NULL, &second), STATUS_OK);
	mesh_close(second);
	mesh_system_free(system);
	text_fini(&why);
	mesh_case_close(&test);
}

TEST(buffers_and_calls_out_of_range)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1 << 20};
	struct mesh_layout layout = {
		.size_bytes = UINT64_C(5) << 30}; /* 5 GiB, but a device has four banks of 1 GiB */
	struct mesh_buffer *buffers[4], *rest;
	struct mesh_event event;
	struct mesh_case test;
	struct text why = {0};
	uint8_t byte[1 << 10];

	mesh_case_init(&test, 1, 2, TEST_PCIE_ALL);
	mesh_case_open(&test);
	assert_int_equal(
		mesh_buffer_new(test.mesh, &layout, &config, &why, &rest), STATUS_NO_SPACE);
	assert_string_equal(text_string(&why),
		"DRAM bank: 1342177280 B wanted, 1073741824 of 1073741824 B free in 1 blocks, the "
		"largest has 1073741824 B");
	text_clear(&why);
	layout.size_bytes = UINT64_C(4) << 30; /* all of each bank */
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, &why, &rest), STATUS_OK);
	mesh_buffer_free(rest);
	layout.size_bytes = UINT64_C(1) << 30; /* a quarter of each bank */
	for (int i = 0; i < 4; i++)
		assert_int_equal(
			mesh_buffer_new(test.mesh, &layout, &config, &why, &buffers[i]), STATUS_OK);
	assert_int_equal(
		mesh_buffer_new(test.mesh, &layout, &config, &why, &rest), STATUS_NO_SPACE);
	assert_string_equal(text_string(&why),
		"DRAM bank: 268435456 B wanted, 0 of 1073741824 B free in 0 blocks, the largest "
		"has 0 B");
	assert_int_equal(
		enqueue_write_shard(mesh_queue(test.mesh, 0), buffers[0], 1, 0, byte, true, 0),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(
		enqueue_read_shard(mesh_queue(test.mesh, 0), buffers[0], 0, 2, byte, true, 0),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(enqueue_record_event(mesh_queue(test.mesh, 0),
				 (struct device_range){0, 0, 1, 0}, true, 0, &event),
		STATUS_OUT_OF_RANGE);
	for (int i = 0; i < 4; i++)
		mesh_buffer_free(buffers[i]);
	text_fini(&why);
	mesh_case_close(&test);
}

TEST(pinned_memory_out_of_reach)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	struct mesh_layout layout = {.size_bytes = 8192};
	struct host_memory *memory, *rest;
	struct command_queue *queue;
	struct mesh_buffer *buffer;
	struct mesh_case test;
	struct text why = {0};
	uint8_t data[8192], back[8192];

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	mesh_case_open(&test);
	queue = mesh_queue(test.mesh, 0);
	assert_int_equal(
		host_memory_new(test.mesh, UINT64_C(1) << 50, &why, &rest), STATUS_NO_MEMORY);
	assert_string_equal(text_string(&why), "no room for 1125899906842624 B in the host window");
	assert_int_equal(host_memory_new(test.mesh, 8192 + 64, NULL, &memory), STATUS_OK);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	mesh_case_fill(data, sizeof data, 3);
	host_memory_store(memory, 64, data, sizeof data);
	assert_int_equal(
		enqueue_write_pinned(queue, buffer, memory, 96, true, 0), STATUS_OUT_OF_RANGE);
	assert_int_equal(enqueue_write_pinned(queue, buffer, memory, 16, true, 0), STATUS_INVALID);
	assert_int_equal(enqueue_read_pinned(queue, buffer, memory, UINT64_MAX, true, 0),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(enqueue_read_pinned(queue, buffer, memory, 8, true, 0), STATUS_INVALID);
	/* the queue continues to work */
	assert_int_equal(enqueue_write_pinned(queue, buffer, memory, 64, true, 0), STATUS_OK);
	assert_int_equal(enqueue_read_pinned(queue, buffer, memory, 0, true, 0), STATUS_OK);
	assert_int_equal(host_memory_load(memory, 0, back, sizeof back), STATUS_OK);
	assert_memory_equal(back, data, sizeof back);
	mesh_buffer_free(buffer);
	host_memory_free(memory);
	text_fini(&why);
	mesh_case_close(&test);
}

TEST_MAIN(NULL, NULL)
