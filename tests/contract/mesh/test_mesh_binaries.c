/* Tests binaries in pages of every size and alignment, in the native world. The L1 of a core must
 * receive the same bytes however the pages are placed in DRAM, with and without the kernel cache.
 * Times are not checked. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/kernel.h"
#include "mesh_case.h"

enum { WORKERS = 12, ETHERNET = 2, CORES = WORKERS + ETHERNET, GROUPS_MAX = 3, IMAGE_MAX = 16384 };

static const uint32_t alignments[] = {0, 16, 64, 1024, 4096};
static const uint32_t page_sizes[] = {32, 33, 48, 1000, 1008, 2048, 3000, 4096, 5000, 65536};
static const uint32_t kernel_sizes[] = {16, 1000, 3000};

enum {
	ALIGNMENTS = sizeof(alignments) / sizeof(alignments[0]),
	PAGE_SIZES = sizeof(page_sizes) / sizeof(page_sizes[0]),
	KERNEL_SIZES = sizeof(kernel_sizes) / sizeof(kernel_sizes[0]),
};

/* The contents of the cores after a program has run. */
struct images {
	uint32_t bytes[CORES];
	uint8_t at[CORES][IMAGE_MAX];
};

/* A program with two kernels on every worker of a group, and one on the Ethernet cores. */
static struct program *grouped_program(struct mesh_case *test, uint16_t groups, uint32_t bytes)
{
	static const enum processor processors[] = {PROCESSOR_BRISC, PROCESSOR_NCRISC};
	struct kernel_config config = {.bytes = bytes, .cycles = 10};
	struct program *program = program_new(test->mesh, "binaries");
	uint32_t index;

	for (uint16_t i = 0; i < groups; i++)
		for (int k = 0; k < 2; k++) {
			config.cores =
				(struct cores){.kind = CORES_ALL, .part = i, .parts = groups};
			config.processor = processors[k];
			assert_int_equal(
				program_add_kernel(program, &config, NULL, &index), STATUS_OK);
		}
	config.cores = (struct cores){.kind = CORES_ALL, .ethernet = true};
	config.processor = PROCESSOR_BRISC;
	assert_int_equal(program_add_kernel(program, &config, NULL, &index), STATUS_OK);
	return program;
}

/* Copies the image of a core, and checks that its headers and texts are those of such a program. */
static void look(struct mesh_case *test, uint32_t core, uint32_t kernel_bytes, struct images *out)
{
	bool ethernet = core >= WORKERS;
	uint16_t tile = ethernet ? mesh_ethernet_tile(test->mesh, core - WORKERS)
				 : test->info->chips[0].geometry->worker_tiles[core];
	struct launch_message message = mesh_case_message(test, 0, tile);
	struct kernel kernels[2] = {{.text_bytes = kernel_bytes}, {.text_bytes = kernel_bytes}};
	uint32_t count = ethernet ? 1 : 2;

	out->bytes[core] = kernel_image_bytes(kernels, count);
	assert_true(out->bytes[core] <= IMAGE_MAX);
	mesh_case_inspect(test, 0, tile, message.kernel_base, out->bytes[core], out->at[core]);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(
			kernel_decode(out->at[core] + i * KERNEL_HEADER_BYTES, &kernels[i]),
			STATUS_OK);
		assert_int_equal(kernels[i].text_bytes, command_padded(kernel_bytes));
	}
}

static void run_program(
	struct mesh_case *test, uint16_t groups, uint32_t kernel_bytes, struct images *out)
{
	struct program *program = grouped_program(test, groups, kernel_bytes);
	struct workload *workload = mesh_case_workload(test, program);
	static uint32_t operation;

	assert_int_equal(enqueue_workload(mesh_queue(test->mesh, 0), workload, true, ++operation),
		STATUS_OK);
	for (uint32_t core = 0; core < CORES; core++)
		look(test, core, kernel_bytes, out);
	workload_free(workload);
	program_free(program);
}

/* Runs all programs on a mesh with these sizes, and stores their images one after the other. */
static void run_sizes(
	uint32_t page_bytes, uint32_t alignment, uint32_t cache_bytes, struct images *out)
{
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	test.cluster_config.idle_ethernet = ETHERNET;
	test.config.ethernet_programs = true;
	test.config.sizes.binary_page_bytes = page_bytes;
	test.config.sizes.page_alignment_bytes = alignment;
	test.limits.cache_bytes = cache_bytes;
	mesh_case_open(&test);
	assert_int_equal(mesh_worker_columns(test.mesh) * mesh_worker_rows(test.mesh), WORKERS);
	for (uint16_t groups = 1; groups <= GROUPS_MAX; groups++)
		for (int i = 0; i < KERNEL_SIZES; i++)
			run_program(&test, groups, kernel_sizes[i], out++);
	mesh_case_close(&test);
}

static void compare(const struct images *seen, const struct images *expected)
{
	for (uint32_t core = 0; core < CORES; core++) {
		assert_int_equal(seen->bytes[core], expected->bytes[core]);
		assert_memory_equal(seen->at[core], expected->at[core], expected->bytes[core]);
	}
}

/* In the reference, every image is in one page. */
TEST(cores_hold_the_same_binaries_whatever_pages_they_come_from)
{
	static const uint32_t caches[] = {16, 256 << 10};
	static struct images expected[GROUPS_MAX * KERNEL_SIZES], seen[GROUPS_MAX * KERNEL_SIZES];

	run_sizes(65536, 0, caches[1], expected);
	for (int i = 0; i < 2 * ALIGNMENTS * PAGE_SIZES; i++) {
		uint32_t page = page_sizes[i / 2 % PAGE_SIZES];
		uint32_t alignment = alignments[i / 2 / PAGE_SIZES];

		printf("           pages of %u B, aligned to %u B, cache of %u B\n", page,
			alignment, caches[i % 2]);
		fflush(stdout);
		run_sizes(page, alignment, caches[i % 2], seen);
		for (int k = 0; k < GROUPS_MAX * KERNEL_SIZES; k++)
			compare(&seen[k], &expected[k]);
	}
}

TEST_MAIN(NULL, NULL)
