/* needs: simgrid
 * Tests programs that copy, in the native and the simulated world. Every page must arrive, in the
 * first launch and in later launches with other pages. Sizes, layouts and numbers of cores are
 * random; pages need not divide evenly among cores. Impossible copies are rejected. seeds.h says
 * how to run more seeds. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "drawn_buffer.h"
#include "mesh_case.h"
#include "mesh_rows.h"
#include "programs/library.h"
#include "seeds.h"

enum { COPIES = 60, SIDE = 2 };

static struct mesh_case test;

static void check_copy(const struct mesh_buffer *from, struct mesh_buffer *to, const uint8_t *data)
{
	uint64_t bytes = mesh_buffer_bytes(from);
	uint8_t *back = calloc(1, bytes), *expected = calloc(1, bytes), *given = malloc(bytes);
	struct library_use use = {.buffers = {library_buffer(from), library_buffer(to)}};

	memcpy(given, data, bytes);
	library_copy.reference(&use, &(struct library_values){.ports = {given, expected}});
	for (uint16_t i = 0; i < SIDE * SIDE; i++) {
		memset(back, 0, bytes);
		assert_int_equal(enqueue_read_shard(mesh_queue(test.mesh, 0), to, i / SIDE,
					 i % SIDE, back, true, 0),
			STATUS_OK);
		assert_memory_equal(back, expected, bytes);
	}
	free(given);
	free(expected);
	free(back);
}

static enum status copy_new(const struct mesh_buffer *from, const struct mesh_buffer *to,
	struct cores cores, struct text *why, struct program **program)
{
	struct library_use use = {.buffers = {library_buffer(from), library_buffer(to)},
		.cores = cores,
		.devices = mesh_device_shape(test.mesh)};

	return library_program_new(test.mesh, "copy", &library_copy, &use, why, program);
}

/* Random cores: the first ones, or a rectangle anywhere. */
static struct cores random_cores(struct stream *random)
{
	struct cores cores = {.kind = CORES_RECTANGLE};
	uint32_t columns = mesh_worker_columns(test.mesh), high = mesh_worker_rows(test.mesh);

	if (stream_below(random, 2))
		return (struct cores){.kind = CORES_COUNT,
			.count = 1 + (uint32_t)stream_below(random, columns * high)};
	cores.rect.column0 = (uint8_t)stream_below(random, columns);
	cores.rect.row0 = (uint8_t)stream_below(random, high);
	cores.rect.column1 =
		(uint8_t)(cores.rect.column0 + stream_below(random, columns - cores.rect.column0));
	cores.rect.row1 = (uint8_t)(cores.rect.row0 + stream_below(random, high - cores.rect.row0));
	return cores;
}

static void copy(struct stream *random, uint32_t seed)
{
	uint32_t page_bytes = 16 * (1 + (uint32_t)stream_below(random, 120));
	uint32_t pages = 1 + (uint32_t)stream_below(random, 50);
	struct mesh_buffer *from = drawn_buffer_new(test.mesh, random, pages, page_bytes);
	struct mesh_buffer *to = drawn_buffer_new(test.mesh, random, pages, page_bytes);
	struct command_queue *queue = mesh_queue(test.mesh, 0);
	uint8_t *data = malloc((size_t)pages * page_bytes);
	struct workload *workload;
	struct program *program;

	assert_int_equal(copy_new(from, to, random_cores(random), NULL, &program), STATUS_OK);
	workload = mesh_case_workload(&test, program);
	for (uint32_t i = 0; i < 3; i++) {
		mesh_case_fill(data, (size_t)pages * page_bytes, 3 * (uint64_t)seed + i);
		assert_int_equal(enqueue_write_buffer(queue, from, data, false, 0), STATUS_OK);
		assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
		check_copy(from, to, data);
	}
	workload_free(workload);
	program_free(program);
	mesh_buffer_free(from);
	mesh_buffer_free(to);
	free(data);
}

static void copy_on_row(struct cluster *cluster)
{
	uint32_t first = seeds_first(1), seeds = seeds_count(COPIES);
	struct stream random;

	test.cluster = cluster;
	mesh_case_attach(&test);
	for (uint32_t seed = first; seed < first + seeds; seed++) {
		stream_init(&random, seed, "copies");
		copy(&random, seed);
	}
	mesh_close(test.mesh);
}

TEST(copies_are_what_was_copied)
{
	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	for (uint32_t row = 0; row < row_count; row++)
		mesh_row_run(rows[row], &test, copy_on_row, "all");
}

TEST(what_cannot_be_copied_is_refused)
{
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = 64};
	struct mesh_layout layout = {.size_bytes = 640};
	struct mesh_buffer *from, *to;
	struct program *program;
	struct text why = {0};

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	mesh_case_open(&test);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &from), STATUS_OK);
	config.page_bytes = 128;
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &to), STATUS_OK);
	assert_int_equal(
		copy_new(from, to, (struct cores){.kind = CORES_COUNT, .count = 3}, &why, &program),
		STATUS_INVALID);
	assert_string_equal(text_string(&why), "10 pages of 64 B are copied to 5 of 128 B");
	text_clear(&why);
	assert_int_equal(copy_new(from, from, (struct cores){.kind = CORES_COUNT, .count = 200},
				 &why, &program),
		STATUS_OUT_OF_RANGE);
	text_fini(&why);
	mesh_buffer_free(from);
	mesh_buffer_free(to);
	mesh_case_close(&test);
}

TEST_MAIN(NULL, NULL)
