/* bench-layout: measures the conversion to tiles and back on the host, in GB/s read and written,
 * for matrices in the cache and in memory. Also measures the whole path from a tensor to a shard,
 * the conversion of f32 to blocks, and, for comparison, memcpy() of the same number of bytes in the
 * same run. Each of these figures is the best of TRIES tries. Last, measures a large weight that is
 * not in memory as a whole; this is measured only once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/tools/measure/samples.h"
#include "layout/data/convert.h"

enum { TRIES = 7 };

struct matrix {
	uint64_t rows, columns;
	enum element element;
};

struct buffers {
	struct matrix matrix;
	uint64_t bytes, repeats; /* number of bytes of the matrix; number of repeats in a try */
	uint8_t *in, *out, *scratch;
};

static void run_memcpy(const struct buffers *buffers)
{
	memcpy(buffers->out, buffers->in, buffers->bytes);
	__asm__ volatile("" ::"r"(buffers->out)
			 : "memory"); /* keeps the compiler from dropping the copy */
}

static void run_tilize(const struct buffers *buffers)
{
	tilize(buffers->in, buffers->out, buffers->matrix.rows, buffers->matrix.columns,
		(struct tile_shape){32, 32}, element_bytes(buffers->matrix.element));
}

static void run_untilize(const struct buffers *buffers)
{
	untilize(buffers->in, buffers->out, buffers->matrix.rows, buffers->matrix.columns,
		(struct tile_shape){32, 32}, element_bytes(buffers->matrix.element));
}

/* Measures the whole path to one shard, which is cut out, padded and tilized. */
static void run_shard(const struct buffers *buffers)
{
	struct layout layout = {
		.tensor = {2, {buffers->matrix.rows, buffers->matrix.columns}},
		.tensor_element = buffers->matrix.element,
		.stride = {{1}, {0, 1}},
		.grid = {2, {1, 1}},
		.tile_height = 32,
		.tile_width = 32,
		.element = buffers->matrix.element,
		.space = SPACE_DRAM,
	};
	struct tensor_source source = {buffers->in, NULL, NULL};
	struct layout_shape shard = {2, {0, 0}};
	enum status status = layout_init(&layout, NULL);

	ensure(status == STATUS_OK, "the layout of a matrix");
	shard_data_make(&layout, &source, &shard, buffers->out, buffers->scratch);
}

/* Converts each block of 16 numbers to one exponent and their mantissas. For f32 only. */
static void run_blocks(const struct buffers *buffers)
{
	uint64_t blocks = buffers->matrix.rows * buffers->matrix.columns / ELEMENT_BLOCK;

	convert_to_blocks((const float *)buffers->in, buffers->out, buffers->out + blocks, blocks);
}

static double best_gb_per_s(const struct buffers *buffers, void (*run)(const struct buffers *))
{
	double best = 1e30;

	for (int i = 0; i < TRIES; i++) {
		double start = clock_now_s();

		for (uint64_t j = 0; j < buffers->repeats; j++)
			run(buffers);
		if (clock_now_s() - start < best)
			best = clock_now_s() - start;
	}
	return 2e-9 * (double)(buffers->bytes * buffers->repeats) / best;
}

/* Allocates memory and touches its pages. */
static uint8_t *layout_touched(uint64_t bytes, int value)
{
	uint8_t *memory = allocate(1, bytes);

	return memset(memory, value, bytes);
}

static void layout_measure(const struct matrix *matrix)
{
	struct buffers buffers = {.matrix = *matrix};
	double copy, tilized, untilized, shard;
	char name[64];

	buffers.bytes = matrix->rows * matrix->columns * element_bytes(matrix->element);
	buffers.repeats = (64 << 20) / buffers.bytes + 1;
	buffers.in = layout_touched(buffers.bytes, 0x3f); /* an f32 between 0 and 1 */
	buffers.out = layout_touched(buffers.bytes, 0);
	buffers.scratch = layout_touched(buffers.bytes, 0);
	copy = best_gb_per_s(&buffers, run_memcpy);
	tilized = best_gb_per_s(&buffers, run_tilize);
	untilized = best_gb_per_s(&buffers, run_untilize);
	shard = best_gb_per_s(&buffers, run_shard);
	snprintf(name, sizeof name, "%llux%llu %s", (unsigned long long)matrix->rows,
		(unsigned long long)matrix->columns, element_name(matrix->element));
	printf("%-18s %8.1f %8.1f %5.2f %9.1f %5.2f %7.1f %5.2f", name, copy, tilized,
		tilized / copy, untilized, untilized / copy, shard, shard / copy);
	if (matrix->element == ELEMENT_F32)
		printf(" %7.1f", best_gb_per_s(&buffers, run_blocks));
	printf("\n");
	free(buffers.in);
	free(buffers.out);
	free(buffers.scratch);
}

/* ---- a tensor that is not in memory ---- */

static void layout_make_elements(void *context, uint64_t first, uint64_t count, void *out)
{
	uint16_t *elements = out;

	(void)context;
	for (uint64_t i = 0; i < count; i++)
		elements[i] = (uint16_t)(first + i);
}

/* Measures a feed-forward weight, 16384 x 53248, of a model with 405 billion parameters. Its
 * columns form 64 groups, one for each of 64 chips, and each group is divided into 8 x 2 shards.
 * Only one shard is in memory at a time. */
static void measure_weight(void)
{
	struct layout layout = {
		.tensor = {3, {16384, 64, 832}},
		.tensor_element = ELEMENT_BF16,
		.stride = {{0, 1}, {1}, {0, 0, 1}},
		.grid = {3, {64, 8, 2}},
		.tile_height = 32,
		.tile_width = 32,
		.element = ELEMENT_BF16,
		.space = SPACE_DRAM,
	};
	struct tensor_source source = {.read = layout_make_elements};
	enum status status = layout_init(&layout, NULL);
	uint64_t scratch_bytes = shard_data_scratch_bytes(&layout);
	uint8_t *out = layout_touched(layout.shard_bytes, 0),
		*scratch = layout_touched(scratch_bytes, 0);
	double start = clock_now_s(), spent_s;

	ensure(status == STATUS_OK, "the layout of a weight");
	for (uint64_t i = 0; i < layout.shards; i++) {
		struct layout_shape shard = layout_at(&layout.grid, i);

		shard_data_make(&layout, &source, &shard, out, scratch);
	}
	spent_s = clock_now_s() - start;
	printf("a weight of 16384x53248 bf16, made when asked for, to %llu shards for 64 chips: "
	       "%.1f GB/s, %.1f MB in memory\n",
		(unsigned long long)layout.shards,
		2e-9 * (double)(layout.shards * layout.shard_bytes) / spent_s,
		1e-6 * (double)(layout.shard_bytes + scratch_bytes));
	free(out);
	free(scratch);
}

int main(void)
{
	static const struct matrix matrices[] = {
		{64, 512, ELEMENT_BF16},
		{64, 512, ELEMENT_F32},
		{64, 512, ELEMENT_U8},
		{512, 1024, ELEMENT_BF16},
		{4096, 8192, ELEMENT_BF16},
		{4096, 8192, ELEMENT_F32},
		{4096, 8192, ELEMENT_U8},
	};

	printf("GB/s read and written together; x: of memcpy; shard: from a tensor to padded "
	       "tiles;\n"
	       "blocks: f32 to bfp_bf8, as bytes of f32\n"
	       "%-18s %8s %8s %5s %9s %5s %7s %5s %7s\n",
		"matrix", "memcpy", "tilize", "x", "untilize", "x", "shard", "x", "blocks");
	for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
		layout_measure(&matrices[i]);
	measure_weight();
	return 0;
}
