/* Tests memory whose addresses the mesh does not choose itself, in the native world: buffers at
 * addresses that another host has chosen, and binaries in a separate region that does not overlap
 * buffers. */
#include "test.h"

#include <string.h>

#include "mesh_case.h"

enum { BYTES = 4096, REGION = 1 << 20 };

static const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
static const struct mesh_layout layout = {.size_bytes = BYTES};

TEST(a_buffer_at_a_given_address_holds_what_is_written)
{
	struct mesh_case test;
	struct mesh_buffer *first, *same, *again;
	static uint8_t data[BYTES], back[BYTES];
	uint32_t address;

	mesh_case_init(&test, 1, 2, TEST_PCIE_LEFT);
	mesh_case_open(&test);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &first), STATUS_OK);
	address = mesh_buffer_address(first);
	assert_int_equal(mesh_buffer_new_at(test.mesh, &layout, &config, address, NULL, &same),
		STATUS_EXISTS);
	assert_int_equal(mesh_buffer_new_at(test.mesh, &layout, &config, 1, NULL, &same),
		STATUS_OUT_OF_RANGE);
	mesh_buffer_free(first);
	assert_int_equal(
		mesh_buffer_new_at(test.mesh, &layout, &config, address, NULL, &same), STATUS_OK);
	assert_int_equal(mesh_buffer_address(same), address);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &again), STATUS_OK);
	assert_int_not_equal(mesh_buffer_address(again), address);
	mesh_case_fill(data, BYTES, 3);
	assert_int_equal(
		enqueue_write_buffer(mesh_queue(test.mesh, 0), same, data, false, 0), STATUS_OK);
	assert_int_equal(
		enqueue_read_buffer(mesh_queue(test.mesh, 0), same, back, true, 0), STATUS_OK);
	assert_memory_equal(back, data, BYTES);
	mesh_buffer_free(same);
	mesh_buffer_free(again);
	mesh_case_close(&test);
}

/* Checks that a launch takes none of the DRAM that buffers may use. */
TEST(binaries_in_their_region_take_nothing_of_the_rest)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct allocator_usage before, behind;
	struct mesh_case test;
	struct program *program;
	struct workload *workload;

	mesh_case_init(&test, 1, 2, TEST_PCIE_LEFT);
	test.config.sizes.binary_region_bytes = REGION;
	mesh_case_open(&test);
	before = mesh_memory_usage(test.mesh, BUFFER_DRAM);
	assert_int_equal(before.lowest + REGION, test.info->chips[0].geometry->dram_bank_bytes);
	program = mesh_case_program(&test, "placed", cores, 256, 0);
	workload = mesh_case_workload(&test, program);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 0), STATUS_OK);
	assert_int_equal(mesh_case_result(&test, 1, 0).launches, 1);
	behind = mesh_memory_usage(test.mesh, BUFFER_DRAM);
	assert_int_equal(behind.free_bytes, before.free_bytes);
	assert_int_equal(behind.allocations, 0);
	workload_free(workload);
	program_free(program);
	mesh_case_close(&test);
}

TEST_MAIN(NULL, NULL)
