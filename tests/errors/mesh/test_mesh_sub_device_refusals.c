/* Tests errors of sub-devices, with status and message. The errors are about cores in two
 * sub-devices, programs that use two sub-devices, memory of another sub-device, and a new division
 * of the devices while work is in flight. A rejected request leaves nothing allocated. */
#include "test.h"

#include <fnmatch.h>

#include "mesh/sub_device.h"
#include "mesh_case.h"

enum { LOCAL = 4096 };

static struct mesh_case test;

static struct cores rectangle(uint8_t column0, uint8_t row0, uint8_t column1, uint8_t row1)
{
	return (struct cores){.kind = CORES_RECTANGLE, .rect = {column0, row0, column1, row1}};
}

/* `sentence` may contain a star in place of values that depend on the firmware's layouts. */
static void check(enum status status, enum status expected, struct text *why, const char *sentence)
{
	if (fnmatch(sentence, text_string(why), 0) != 0)
		assert_string_equal(text_string(why), sentence);
	assert_int_equal(status, expected);
	text_fini(why);
}

static void refuses(
	const struct sub_devices_config *config, enum status expected, const char *sentence)
{
	struct text why = {0};

	check(sub_devices_load(test.mesh, config, &why), expected, &why, sentence);
	assert_int_equal(sub_devices_count(test.mesh), 0);
}

static int open_mesh(void **state)
{
	(void)state;
	mesh_case_init(&test, 1, 2, TEST_PCIE_ALL);
	test.cluster_config.idle_ethernet = 2;
	test.config.ethernet_programs = true;
	mesh_case_open(&test);
	return 0;
}

static int close_mesh(void **state)
{
	(void)state;
	mesh_case_close(&test);
	return 0;
}

static void load_halves(void)
{
	struct sub_device_config halves[] = {
		{.cores = rectangle(0, 0, 1, 2)}, {.cores = rectangle(2, 0, 2, 2)}};
	struct sub_devices_config config = {halves, 2, LOCAL};

	assert_int_equal(sub_devices_load(test.mesh, &config, NULL), STATUS_OK);
}

TEST(divisions_that_are_none)
{
	struct sub_device_config two[SUB_DEVICES_MAX + 1] = {
		{.cores = rectangle(0, 0, 1, 2)}, {.cores = rectangle(1, 1, 3, 2)}};
	struct sub_devices_config config = {two, 2, 0};

	refuses(&config, STATUS_EXISTS, "sub-devices 0 and 1 share a core");
	two[1].cores = rectangle(2, 0, 4, 2);
	refuses(&config, STATUS_OUT_OF_RANGE,
		"cores from 2,0 to 4,2 reach outside the grid of 4 x 3");
	two[1].cores = rectangle(2, 0, 3, 2);
	two[0].ethernet = two[1].ethernet = true;
	refuses(&config, STATUS_EXISTS, "sub-devices 0 and 1 share the Ethernet cores");
	two[1].ethernet = false;
	config.local_l1_bytes = 2 << 20;
	refuses(&config, STATUS_NO_SPACE,
		"2097152 B of L1 for a sub-device, workers have * B for buffers");
	config.local_l1_bytes = 8;
	refuses(&config, STATUS_INVALID, "8 B of L1 for a sub-device, pages of 16 B");
	config.count = 0;
	refuses(&config, STATUS_INVALID, "0 sub-devices, of 1 to 8");
	config.count = SUB_DEVICES_MAX + 1;
	refuses(&config, STATUS_INVALID, "9 sub-devices, of 1 to 8");
}

TEST(a_second_manager)
{
	struct sub_device_config one = {.cores = rectangle(0, 0, 1, 2)};
	struct sub_devices_config config = {&one, 1, 0};
	struct text why = {0};

	check(sub_devices_clear(test.mesh, &why), STATUS_NOT_FOUND, &why,
		"the mesh has no sub-device manager");
	load_halves();
	check(sub_devices_load(test.mesh, &config, &why), STATUS_EXISTS, &why,
		"the mesh has a sub-device manager already");
	assert_int_equal(sub_devices_count(test.mesh), 2);
}

TEST(a_manager_while_there_is_work)
{
	const struct cores one = rectangle(0, 0, 0, 0);
	struct buffer_config config = {.type = BUFFER_L1, .page_bytes = 64, .sub_device = 1};
	struct mesh_layout layout = {.size_bytes = 64};
	struct mesh_buffer *buffer;
	struct text why = {0};
	struct program *program;
	struct workload *workload;

	load_halves();
	program = mesh_case_program(&test, "one", one, 100, 0);
	workload = mesh_case_workload(&test, program);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 1), workload, false, 0), STATUS_OK);
	check(sub_devices_clear(test.mesh, &why), STATUS_INVALID, &why,
		"queue 1 has not been finished");
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 1), 0, DEADLINE_NEVER), STATUS_OK);
	check(sub_devices_clear(test.mesh, &why), STATUS_INVALID, &why, "1 programs are there");
	workload_free(workload);
	program_free(program);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	check(sub_devices_clear(test.mesh, &why), STATUS_INVALID, &why,
		"buffers in the L1 of sub-device 0");
	mesh_buffer_free(buffer);
	config.sub_device = 0;
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	check(sub_devices_clear(test.mesh, &why), STATUS_INVALID, &why, "buffers in L1 are there");
	mesh_buffer_free(buffer);
	assert_int_equal(sub_devices_clear(test.mesh, &why), STATUS_OK);
}

/* Everything that is added to a program must be on cores of the program's sub-device. If an
 * addition is rejected, the program is unchanged. */
TEST(programs_that_span_two)
{
	const struct cores left = rectangle(0, 0, 1, 2), both = rectangle(1, 0, 2, 0);
	const struct cores right = rectangle(2, 0, 2, 2), none = rectangle(3, 1, 3, 1);
	struct kernel_config kernel = {.processor = PROCESSOR_BRISC, .bytes = 100};
	struct program *program;
	struct text why = {0};
	uint32_t index;

	load_halves();
	program = program_new(test.mesh, "spans");
	kernel.cores = both;
	check(program_add_kernel(program, &kernel, &why, &index), STATUS_INVALID, &why,
		"its cores are of sub-devices 0 and 1");
	kernel.cores = none;
	check(program_add_kernel(program, &kernel, &why, &index), STATUS_OUT_OF_RANGE, &why,
		"core 3,1 is of no sub-device");
	kernel.cores = (struct cores){.kind = CORES_ALL, .ethernet = true};
	check(program_add_kernel(program, &kernel, &why, &index), STATUS_OUT_OF_RANGE, &why,
		"the Ethernet cores are of no sub-device");
	kernel.cores = left;
	assert_int_equal(program_add_kernel(program, &kernel, &why, &index), STATUS_OK);
	kernel.cores = right;
	check(program_add_kernel(program, &kernel, &why, &index), STATUS_INVALID, &why,
		"its cores are of sub-devices 0 and 1");
	check(program_add_circular_buffer(program, right, 1, 64, &why), STATUS_INVALID, &why,
		"its cores are of sub-devices 0 and 1");
	check(program_add_semaphore(program, right, 0, &why, &index), STATUS_INVALID, &why,
		"its cores are of sub-devices 0 and 1");
	assert_int_equal(program_worker_count(program), 6);
	program_free(program);
}

static void memory_refuses(struct buffer_config config, enum status expected, const char *sentence)
{
	struct mesh_layout layout = {.size_bytes = 32768};
	struct mesh_buffer *buffer;
	struct text why = {0};

	config.page_bytes = 1024;
	check(mesh_buffer_new(test.mesh, &layout, &config, &why, &buffer), expected, &why,
		sentence);
}

TEST(memory_of_another)
{
	struct buffer_config sharded = {.type = BUFFER_L1,
		.layout = LAYOUT_HEIGHT_SHARDED,
		.shard = {32, 1, 8, 1, {1, 0, 2, 1}, ORIENTATION_ROW_MAJOR, false},
		.sub_device = 1};

	memory_refuses((struct buffer_config){.type = BUFFER_L1, .sub_device = 1}, STATUS_NOT_FOUND,
		"the mesh has no sub-device 0");
	load_halves();
	memory_refuses((struct buffer_config){.type = BUFFER_L1, .sub_device = 3}, STATUS_NOT_FOUND,
		"the mesh has no sub-device 2");
	memory_refuses((struct buffer_config){.type = BUFFER_DRAM, .sub_device = 2},
		STATUS_UNSUPPORTED, "sub-devices have no memory but L1");
	memory_refuses((struct buffer_config){.type = BUFFER_L1, .sub_device = 2}, STATUS_NO_SPACE,
		"L1 of a sub-device: 11264 B wanted, 4096 of 4096 B free in 1 blocks, the largest "
		"has 4096 B");
	memory_refuses(sharded, STATUS_OUT_OF_RANGE, "core 2,0 is not of the sub-device");
}

TEST(interleaving_over_no_rectangle)
{
	struct sub_device_config five = {.cores = {.kind = CORES_COUNT, .count = 5}};
	struct sub_devices_config config = {&five, 1, 65536};

	assert_int_equal(sub_devices_load(test.mesh, &config, NULL), STATUS_OK);
	memory_refuses((struct buffer_config){.type = BUFFER_L1, .sub_device = 1},
		STATUS_UNSUPPORTED, "pages interleaved over cores that are no rectangle");
}

/* Circular buffers grow upwards, up to the lowest buffer of their own sub-device. Buffers of other
 * sub-devices do not limit them. */
TEST(circular_buffers_in_buffers_of_their_sub_device)
{
	struct buffer_config config = {.type = BUFFER_L1, .page_bytes = 64, .sub_device = 1};
	struct mesh_layout layout = {.size_bytes = 64};
	struct program *program;
	struct workload *workload;
	struct mesh_buffer *buffer;

	load_halves();
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (uint8_t i = 0; i < 2; i++) {
		program = mesh_case_program(&test, "full", rectangle(2 * i, 0, 2 * i, 2), 100, 0);
		assert_int_equal(program_add_circular_buffer(
					 program, rectangle(2 * i, 0, 2 * i, 2), 1, 2048, NULL),
			STATUS_OK);
		workload = mesh_case_workload(&test, program);
		assert_int_equal(workload_check(workload, NULL), i ? STATUS_OK : STATUS_NO_SPACE);
		workload_free(workload);
		program_free(program);
	}
	mesh_buffer_free(buffer);
}

int main(void)
{
#define IN_A_MESH(name) cmocka_unit_test_setup_teardown(name, open_mesh, close_mesh)
	const struct CMUnitTest tests[] = {
		IN_A_MESH(divisions_that_are_none),
		IN_A_MESH(a_second_manager),
		IN_A_MESH(a_manager_while_there_is_work),
		IN_A_MESH(programs_that_span_two),
		IN_A_MESH(memory_of_another),
		IN_A_MESH(interleaving_over_no_rectangle),
		IN_A_MESH(circular_buffers_in_buffers_of_their_sub_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
