/* needs: simgrid
 * Tests programs of many shapes, in the native and the simulated world. Groups of cores have their
 * own kernels, circular buffers and semaphores. The L1 of every worker must hold exactly the bytes
 * for this worker. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/kernel.h"
#include "mesh_case.h"
#include "mesh_rows.h"

enum { COLUMNS = 8, ROWS = 6, GROUPS = 4, BUFFERS = 5 };

static struct mesh_case test;

static struct cores part(uint16_t index, uint16_t parts)
{
	return (struct cores){.kind = CORES_ALL, .part = index, .parts = parts};
}

static struct kernel kernel_at(uint16_t tile, uint32_t address, uint8_t *first)
{
	uint8_t header[KERNEL_HEADER_BYTES];
	struct kernel kernel;

	mesh_case_inspect(&test, 0, tile, address, sizeof(header), header);
	assert_int_equal(kernel_decode(header, &kernel), STATUS_OK);
	mesh_case_inspect(&test, 0, tile, address + kernel.text_offset, 16, first);
	return kernel;
}

/* Makes a program with one kernel for each quarter of the columns, several circular buffers for
 * each eighth, one semaphore on all columns, and one on the second half. */
static struct program *shaped_program(void)
{
	struct program *program = program_new(test.mesh, "shaped");
	uint32_t index;

	for (uint16_t i = 0; i < GROUPS; i++) {
		struct kernel_config config = {.processor = PROCESSOR_BRISC,
			.cores = part(i, GROUPS),
			.bytes = 400 + UINT32_C(64) * i,
			.cycles = 100 + i,
			.unique_args = 2};

		assert_int_equal(program_add_kernel(program, &config, NULL, &index), STATUS_OK);
	}
	for (uint16_t i = 0; i < COLUMNS; i++)
		for (uint32_t k = 0; k < BUFFERS; k++)
			assert_int_equal(program_add_circular_buffer(program, part(i, COLUMNS),
						 i + 1, 64 * (k + 1), NULL),
				STATUS_OK);
	assert_int_equal(program_add_semaphore(program, part(0, 1), 11, NULL, &index), STATUS_OK);
	assert_int_equal(program_add_semaphore(program, part(1, 2), 12, NULL, &index), STATUS_OK);
	return program;
}

static void check_buffers(uint16_t tile, const struct launch_message *message, uint32_t column)
{
	uint32_t address = 0;

	assert_int_equal(message->circular_buffers, BUFFERS);
	for (uint32_t k = 0; k < BUFFERS; k++) {
		uint8_t bytes[CIRCULAR_BUFFER_BYTES];

		mesh_case_inspect(&test, 0, tile,
			message->config_base + message->circular_buffer_offset +
				k * CIRCULAR_BUFFER_BYTES,
			sizeof(bytes), bytes);
		assert_int_equal(bytes_get32(bytes + 8), column + 1); /* pages */
		assert_int_equal(bytes_get32(bytes + 12), 64 * (k + 1));
		assert_int_equal(bytes_get32(bytes + 4), (column + 1) * 64 * (k + 1));
		assert_true(bytes_get32(bytes) >= address);
		address = bytes_get32(bytes) + bytes_get32(bytes + 4);
	}
}

static void check_semaphores(uint16_t tile, const struct launch_message *message, uint32_t column)
{
	uint32_t count = column >= COLUMNS / 2 ? 2 : 1;

	assert_int_equal(message->semaphores, count);
	for (uint32_t i = 0; i < count; i++) {
		uint8_t bytes[SEMAPHORE_BYTES];

		mesh_case_inspect(&test, 0, tile,
			message->config_base + message->semaphore_offset + i * SEMAPHORE_BYTES,
			sizeof(bytes), bytes);
		assert_int_equal(bytes_get32(bytes), 11 + i);
	}
}

static void check_core(uint32_t core, uint32_t launches)
{
	uint16_t tile = test.info->chips[0].geometry->worker_tiles[core];
	uint32_t column = core % COLUMNS, group = column * GROUPS / COLUMNS;
	struct launch_message message = mesh_case_message(&test, 0, tile);
	struct launch_result result = mesh_case_result(&test, 0, core);
	uint8_t args[8], text[16];
	struct kernel kernel =
		kernel_at(tile, message.kernel_base + message.kernel_offset[PROCESSOR_BRISC], text);

	assert_int_equal(message.processors, 1 << PROCESSOR_BRISC);
	assert_int_equal(kernel.cycles, 100 + group);
	assert_int_equal(kernel.text_bytes, 400 + 64 * group);
	check_buffers(tile, &message, column);
	check_semaphores(tile, &message, column);
	bytes_put32(args, 1000 * launches + core);
	bytes_put32(args + 4, core);
	assert_int_equal(result.launches, launches);
	assert_int_equal(result.checksum, launch_checksum(args, 8, NULL, 0));
}

static void shapes(struct cluster *cluster)
{
	struct program *program;
	struct workload *workload;

	test.cluster = cluster;
	mesh_case_attach(&test);
	program = shaped_program();
	workload = mesh_case_workload(&test, program);
	for (uint32_t launch = 1; launch <= 9; launch++) {
		for (uint32_t core = 0; core < COLUMNS * ROWS; core++) {
			uint32_t args[2] = {1000 * launch + core, core};
			uint32_t kernel = core % COLUMNS * GROUPS / COLUMNS;

			assert_int_equal(
				program_set_args(program, kernel, core, args, 2), STATUS_OK);
		}
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 100 + launch),
			STATUS_OK);
	}
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 999, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t core = 0; core < COLUMNS * ROWS; core++)
		check_core(core, 9);
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
}

/* Groups with separate kernels get binaries with separate contents, even for the same length. */
static void texts(struct cluster *cluster)
{
	uint8_t text[2][16];
	struct program *program;
	struct workload *workload;
	uint32_t index;

	test.cluster = cluster;
	mesh_case_attach(&test);
	program = program_new(test.mesh, "texts");
	for (uint16_t i = 0; i < 2; i++) {
		struct kernel_config config = {.processor = PROCESSOR_NCRISC,
			.cores = part(i, 2),
			.bytes = 256,
			.cycles = 10};

		assert_int_equal(program_add_kernel(program, &config, NULL, &index), STATUS_OK);
	}
	workload = mesh_case_workload(&test, program);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 7), STATUS_OK);
	for (uint32_t i = 0; i < 2; i++) {
		uint16_t tile = test.info->chips[0].geometry->worker_tiles[i * (COLUMNS - 1)];
		struct launch_message message = mesh_case_message(&test, 0, tile);

		(void)kernel_at(tile, message.kernel_base + message.kernel_offset[PROCESSOR_NCRISC],
			text[i]);
	}
	assert_memory_not_equal(text[0], text[1], sizeof(text[0]));
	workload_free(workload);
	program_free(program);
	mesh_close(test.mesh);
}

enum { PROGRAMS = 7, ROUNDS = 3, CACHE_BYTES = 16 << 10 };

/* Programs of 4 KiB each, the last one larger than the kernel cache. */
static struct program *cached_program(uint32_t number)
{
	struct kernel_config config = {.processor = PROCESSOR_BRISC,
		.cores = part(0, 1),
		.bytes = number + 1 < PROGRAMS ? 4000 : CACHE_BYTES + 64,
		.cycles = 1000 + number};
	struct program *program;
	char name[16];
	uint32_t index;

	snprintf(name, sizeof(name), "cached %u", number);
	program = program_new(test.mesh, name);
	assert_int_equal(program_add_kernel(program, &config, NULL, &index), STATUS_OK);
	return program;
}

static void check_binary(uint32_t number, uint32_t round, uint8_t first[16])
{
	uint16_t tile = test.info->chips[0].geometry->worker_tiles[COLUMNS * ROWS - 1];
	struct launch_message message = mesh_case_message(&test, 0, tile);
	uint8_t text[16];
	struct kernel kernel =
		kernel_at(tile, message.kernel_base + message.kernel_offset[PROCESSOR_BRISC], text);

	assert_int_equal(kernel.cycles, 1000 + number);
	if (round == 0)
		memcpy(first, text, sizeof(text));
	assert_memory_equal(first, text, sizeof(text));
}

/* Runs more programs than the kernel cache can hold, one after another, on two queues. Each program
 * runs three times in a row, so that the cache usually holds it for the second and third run. */
static void working_set(struct cluster *cluster)
{
	struct program *programs[PROGRAMS];
	struct workload *workloads[PROGRAMS];
	uint8_t text[PROGRAMS][16];
	uint32_t operation = 1;

	test.cluster = cluster;
	mesh_case_attach(&test);
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		programs[i] = cached_program(i);
		workloads[i] = mesh_case_workload(&test, programs[i]);
	}
	for (uint32_t round = 0; round < ROUNDS; round++)
		for (uint32_t i = 0; i < PROGRAMS * 3; i++) {
			uint32_t number = i / 3;
			struct command_queue *queue = mesh_queue(test.mesh, i % 3 == 1);

			assert_int_equal(
				enqueue_workload(queue, workloads[number], true, operation++),
				STATUS_OK);
			check_binary(number, round + i % 3, text[number]);
		}
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		workload_free(workloads[i]);
		program_free(programs[i]);
	}
	mesh_close(test.mesh);
}

static void in_both_worlds(void (*body)(struct cluster *))
{
	const struct row *worlds[] = {&row_native, &row_sim};

	for (int i = 0; i < 2; i++) {
		mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
		test.cluster_config.worker_columns = COLUMNS;
		test.cluster_config.worker_rows = ROWS;
		test.limits.cache_bytes = CACHE_BYTES;
		mesh_row_run(worlds[i], &test, body, "%d x %d workers", ROWS, COLUMNS);
	}
}

TEST(every_core_gets_the_configuration_of_its_groups)
{
	in_both_worlds(shapes);
}

TEST(kernel_groups_have_binaries_of_their_own)
{
	in_both_worlds(texts);
}

TEST(binaries_are_right_whether_cached_or_not)
{
	in_both_worlds(working_set);
}

TEST_MAIN(NULL, NULL)
