/* label: full
 * Tests programs and workloads as descriptions (spec 4.4, 4.7). A program is described without a
 * mesh device; later a mesh device makes the program from its description. This must leave the same
 * bytes in every memory as a program that was made on the mesh device directly. Every change
 * increments the program's generation. A sealed program cannot be changed. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "mesh/description.h"
#include "mesh_case.h"

enum { PROGRAMS = 2, LAUNCHES = 3, ETHERNET = 2, DRAM_BYTES = 256 << 10 };

static const struct device_range left = {0, 0, 1, 0}, right = {0, 1, 1, 2}, corner = {1, 2, 1, 2};
static const struct cores all = {.kind = CORES_ALL};
static const struct cores some = {.kind = CORES_RECTANGLE, .rect = {1, 0, 2, 2}};
static const struct cores half = {.kind = CORES_ALL, .part = 1, .parts = 2};
static const struct cores idle = {.kind = CORES_ALL, .ethernet = true};

static struct mesh_case test;

/* The objects that run on a mesh. */
struct made {
	struct program *programs[PROGRAMS];
	struct workload *workload;
};

static void open_mesh(void)
{
	mesh_case_init(&test, 2, 3, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "unicast", 1, "table", "main");
	test.cluster_config.idle_ethernet = ETHERNET;
	test.config.ethernet_programs = true;
	test.config.sizes.binary_page_bytes = 2048;
	mesh_case_open(&test);
}

/* ---- the programs ---- */

static void add_kernel(struct program *program, struct kernel_config config)
{
	uint32_t index;

	assert_int_equal(program_add_kernel(program, &config, NULL, &index), STATUS_OK);
}

static struct program *busy(struct program_site *site)
{
	struct program *program = program_new_at(site, "busy", 0);
	uint32_t index;

	add_kernel(program, (struct kernel_config){.processor = PROCESSOR_NCRISC,
				    .cores = all,
				    .bytes = 700,
				    .cycles = 90,
				    .copied = true,
				    .common_args = 3});
	add_kernel(program, (struct kernel_config){.processor = PROCESSOR_TRISC1,
				    .cores = some,
				    .bytes = 2500,
				    .cycles = 120,
				    .unique_args = 5});
	add_kernel(program,
		(struct kernel_config){.cores = idle, .bytes = 64, .cycles = 80, .unique_args = 2});
	assert_int_equal(program_add_circular_buffer(program, half, 2, 1024, NULL), STATUS_OK);
	assert_int_equal(program_add_circular_buffer(program, some, 3, 96, NULL), STATUS_OK);
	assert_int_equal(program_add_semaphore(program, all, 11, NULL, &index), STATUS_OK);
	assert_int_equal(program_add_semaphore(program, half, 22, NULL, &index), STATUS_OK);
	return program;
}

/* A program with two kernels in a pipeline. */
static struct program *piped(struct program_site *site)
{
	struct program *program = program_new_at(site, "piped", 0);

	add_kernel(program, (struct kernel_config){.processor = PROCESSOR_NCRISC,
				    .cores = half,
				    .bytes = 128,
				    .cycles = 50,
				    .steps = 4});
	add_kernel(program, (struct kernel_config){.processor = PROCESSOR_BRISC,
				    .cores = half,
				    .bytes = 256,
				    .cycles = 60,
				    .steps = 4,
				    .unique_args = 1,
				    .common_args = 1});
	assert_int_equal(program_add_circular_buffer(program, half, 2, 512, NULL), STATUS_OK);
	return program;
}

/* Makes two programs and a workload. Before that, makes and frees another program. This changes the
 * numbers of the two programs and of their launch messages. */
static struct made make(struct program_site *site)
{
	struct made made;

	program_free(program_new_at(site, "never used", 0));
	made.programs[0] = busy(site);
	made.programs[1] = piped(site);
	made.workload = workload_new_at(site);
	assert_int_equal(workload_add(made.workload, made.programs[0], right, NULL), STATUS_OK);
	assert_int_equal(workload_add(made.workload, made.programs[1], left, NULL), STATUS_OK);
	return made;
}

/* Changes between launches. */
static void change(const struct made *made, uint32_t launch)
{
	const uint32_t words[] = {launch, 7};

	program_refresh_args(made->programs[0], launch + 1);
	program_refresh_args(made->programs[1], launch + 50);
	if (launch == 0)
		return;
	assert_int_equal(
		workload_set_args(made->workload, corner, 2, 12, words, 2, NULL), STATUS_OK);
	assert_int_equal(
		workload_refresh_args(made->workload, (struct device_range){0, 0, 0, 0}, 9, NULL),
		STATUS_OK);
}

static void free_made(struct made *made)
{
	workload_free(made->workload);
	for (uint32_t i = 0; i < PROGRAMS; i++)
		program_free(made->programs[i]);
}

/* ---- made from a description ---- */

static struct program *program_again(const struct program *from, struct program_site *site)
{
	struct program *program = program_new_at(site, program_name(from), program_id(from));
	uint32_t index;

	for (uint32_t i = 0; i < program_kernel_count(from); i++)
		add_kernel(program, *program_kernel(from, i));
	for (uint32_t i = 0; i < program_circular_buffer_count(from); i++) {
		struct circular_buffer_config buffer = program_circular_buffer(from, i);

		assert_int_equal(program_add_circular_buffer(program, buffer.cores, buffer.pages,
					 buffer.page_bytes, NULL),
			STATUS_OK);
	}
	for (uint32_t i = 0; i < program_semaphore_count(from); i++) {
		struct semaphore_config semaphore = program_semaphore(from, i);

		assert_int_equal(program_add_semaphore(
					 program, semaphore.cores, semaphore.initial, NULL, &index),
			STATUS_OK);
	}
	return program;
}

/* Copies all current arguments. */
static void set_again(const struct made *from, const struct made *to)
{
	for (uint32_t i = 0; i < workload_program_count(from->workload); i++) {
		struct workload_program part = workload_program(from->workload, i);
		struct arguments words = program_arguments(part.program);

		assert_ptr_equal(part.program, from->programs[i]);
		assert_int_equal(program_set_arguments(to->programs[i], words.words, words.count),
			STATUS_OK);
		for (uint32_t k = 0; k < part.range_count; k++) {
			struct workload_arguments own = workload_arguments(from->workload, i, k);

			assert_int_equal(workload_set_arguments(to->workload, own.range,
						 own.arguments.words, own.arguments.count, NULL),
				STATUS_OK);
		}
	}
}

static struct made make_again(const struct made *from, struct program_site *site)
{
	struct made made = {.workload = workload_new_at(site)};

	for (uint32_t i = 0; i < workload_program_count(from->workload); i++) {
		struct workload_program part = workload_program(from->workload, i);

		made.programs[i] = program_again(part.program, site);
		assert_int_equal(
			workload_add(made.workload, made.programs[i], part.range, NULL), STATUS_OK);
	}
	return made;
}

/* ---- memory ---- */

/* Returns the number of bytes of a tile's memory that programs may change: in a worker the whole
 * L1, in DRAM the region for binaries. */
static uint64_t kept_bytes(const struct chip_geometry *geometry, uint16_t tile)
{
	for (uint16_t i = 0; i < geometry->dispatch_tile_count; i++)
		if (geometry->dispatch_tiles[i] == tile)
			return 0;
	if (geometry->tiles[tile].kind == TILE_DRAM)
		return DRAM_BYTES;
	return tile_memory_bytes(geometry, tile);
}

static uint64_t memory_bytes(void)
{
	uint64_t bytes = 0;

	for (uint16_t chip = 0; chip < test.info->chip_count; chip++)
		for (uint16_t tile = 0; tile < test.info->chips[chip].geometry->tile_count; tile++)
			bytes += kept_bytes(test.info->chips[chip].geometry, tile);
	return bytes;
}

static uint8_t *memory(void)
{
	uint8_t *all_of_it = malloc(memory_bytes()), *out = all_of_it;

	assert_non_null(all_of_it);
	assert_int_equal(device_row->drain(test.cluster, DEADLINE_NEVER), STATUS_OK);
	for (uint16_t chip = 0; chip < test.info->chip_count; chip++) {
		const struct chip_geometry *geometry = test.info->chips[chip].geometry;

		for (uint16_t tile = 0; tile < geometry->tile_count; tile++) {
			uint64_t bytes = kept_bytes(geometry, tile);

			if (bytes == 0)
				continue;
			assert_int_equal(device_row->inspect(device_row->chip(test.cluster, chip),
						 tile, 0, (uint32_t)bytes, out),
				STATUS_OK);
			out += bytes;
		}
	}
	return all_of_it;
}

static void launch(const struct made *made)
{
	assert_int_equal(
		enqueue_workload(mesh_queue(test.mesh, 0), made->workload, true, 5), STATUS_OK);
}

/* The memory after launches of programs made on the mesh itself. */
static uint8_t *memory_of_direct(void)
{
	struct made made;
	uint8_t *left_behind;

	open_mesh();
	made = make(mesh_program_site(test.mesh));
	for (uint32_t i = 0; i < LAUNCHES; i++) {
		change(&made, i);
		launch(&made);
	}
	left_behind = memory();
	free_made(&made);
	mesh_case_close(&test);
	return left_behind;
}

/* The same for programs made without a mesh and described to this one. */
static uint8_t *memory_of_described(void)
{
	struct program_limits limits;
	struct program_site *site;
	struct made far, near = {.workload = NULL};
	uint8_t *left_behind;

	open_mesh();
	assert_int_equal(program_limits_plan(test.info, &test.config, &limits, NULL), STATUS_OK);
	assert_memory_equal(
		&limits, program_site_limits(mesh_program_site(test.mesh)), sizeof limits);
	site = program_site_new(&limits, test.config.shape);
	far = make(site);
	for (uint32_t i = 0; i < LAUNCHES; i++) {
		change(&far, i);
		if (near.workload == NULL)
			near = make_again(&far, mesh_program_site(test.mesh));
		set_again(&far, &near);
		launch(&near);
	}
	left_behind = memory();
	free_made(&near);
	free_made(&far);
	program_site_free(site);
	mesh_case_close(&test);
	return left_behind;
}

TEST(what_is_made_again_of_its_description_leaves_the_same_bytes)
{
	uint8_t *direct = memory_of_direct(), *described = memory_of_described();
	uint64_t bytes, at = 0;

	test.info = test_cluster_info_new(&test.cluster_config);
	bytes = memory_bytes();
	test_cluster_info_free(test.info);
	while (at < bytes && direct[at] == described[at])
		at++;
	if (at < bytes)
		fail_msg("byte %llu of %llu is 0x%02x, and 0x%02x of the one made again",
			(unsigned long long)at, (unsigned long long)bytes, direct[at],
			described[at]);
	free(direct);
	free(described);
}

/* ---- generations ---- */

static const struct program_limits plain = {.worker_columns = 4,
	.worker_rows = 3,
	.ethernet_cores = ETHERNET,
	.config_ring_bytes = 64 << 10,
	.buffers_base = 128 << 10,
	.l1_bytes = 512 << 10,
	.binary_page_bytes = 4096,
	.packed_bytes = 64 << 10};

static uint64_t last; /* generation of the workload */

static void expect(const struct made *made, bool changed, const char *what)
{
	uint64_t now = workload_generation(made->workload);

	if (changed ? now <= last : now != last)
		fail_msg("%s: generation %llu, then %llu", what, (unsigned long long)last,
			(unsigned long long)now);
	last = now;
}

TEST(what_changes_a_workload_changes_its_generation)
{
	struct program_site *site = program_site_new(&plain, (struct mesh_shape){2, 3});
	struct made made = make(site);
	const uint32_t words[] = {1, 2, 3};
	uint32_t index;

	last = workload_generation(made.workload);
	expect(&made, false, "looked at again");
	assert_int_equal(program_set_common_args(made.programs[0], 0, words, 3), STATUS_OK);
	expect(&made, true, "common arguments");
	assert_int_equal(program_set_args(made.programs[1], 1, 2, words, 1), STATUS_OK);
	expect(&made, true, "arguments of a core");
	assert_int_equal(program_set_args(made.programs[1], 1, 0, words, 1), STATUS_NOT_FOUND);
	expect(&made, false, "arguments that were refused");
	change(&made, 0);
	expect(&made, true, "all arguments");
	assert_int_equal(
		workload_set_args(made.workload, corner, 2, 13, words, 2, NULL), STATUS_OK);
	expect(&made, true, "a range of its own");
	assert_int_equal(
		workload_set_args(made.workload, corner, 2, 13, words, 2, NULL), STATUS_OK);
	expect(&made, true, "its arguments");
	assert_int_equal(program_add_semaphore(made.programs[1], half, 1, NULL, &index), STATUS_OK);
	expect(&made, true, "a semaphore");
	add_kernel(made.programs[1], (struct kernel_config){.processor = PROCESSOR_TRISC0,
					     .cores = all,
					     .bytes = 64,
					     .unique_args = 2});
	expect(&made, true, "a kernel");
	free_made(&made);
	program_site_free(site);
}

/* ---- inspection ---- */

TEST(arguments_are_where_the_description_says)
{
	struct program_site *site = program_site_new(&plain, (struct mesh_shape){2, 3});
	struct made made = make(site);
	const uint32_t words[] = {41, 42, 43, 44, 45};
	struct argument_span span = program_argument_span(made.programs[0], 1, 6);
	struct arguments held;

	assert_int_equal(program_set_args(made.programs[0], 1, 6, words, 5), STATUS_OK);
	assert_int_equal(program_set_common_args(made.programs[0], 0, words, 3), STATUS_OK);
	held = program_arguments(made.programs[0]);
	assert_int_equal(span.count, 5);
	assert_memory_equal(held.words + span.first, words, sizeof words);
	span = program_argument_span(made.programs[0], 0, ARGUMENTS_COMMON);
	assert_int_equal(span.count, 3);
	assert_memory_equal(held.words + span.first, words, 3 * sizeof *words);
	assert_int_equal(program_argument_span(made.programs[0], 1, 0).count, 0);
	assert_int_equal(program_set_arguments(made.programs[0], words, 5), STATUS_INVALID);
	assert_int_equal(
		program_buffers_end(made.programs[0]), plain.buffers_base + 2 * 1024 + 3 * 96);
	free_made(&made);
	program_site_free(site);
}

TEST(a_sealed_workload_takes_arguments_alone)
{
	struct program_site *site = program_site_new(&plain, (struct mesh_shape){2, 3});
	struct program *late = program_new_at(site, "late", 0);
	struct made made = make(site);
	struct kernel_config kernel = {.processor = PROCESSOR_TRISC2, .cores = all, .bytes = 64};
	uint32_t index;

	add_kernel(late, kernel);
	assert_int_equal(program_buffers_end(late), plain.buffers_base);
	assert_int_equal(workload_check(made.workload, NULL), STATUS_OK);
	workload_seal(made.workload);
	assert_int_equal(
		program_add_kernel(made.programs[0], &kernel, NULL, &index), STATUS_INVALID);
	assert_int_equal(workload_add(made.workload, late, corner, NULL), STATUS_INVALID);
	change(&made, 1);
	free_made(&made);
	program_free(late);
	program_site_free(site);
}

TEST_MAIN(NULL, NULL)
