/* Probe of tile layouts. Measures how much longer the conversion to tiles takes than a copy of the
 * same bytes. Also measures the conversion to block formats, whose numbers share exponents. All
 * data are in the cache. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/tools/measure/samples.h"
#include "layout/data/convert.h"
#include "probe.h"

enum { ROWS = 64, COLUMNS = 512, BYTES = ROWS * COLUMNS * 2, BLOCKS = 1024 };

struct buffers {
	uint8_t *in, *out;
};

static void copy_rows(void *argument, uint32_t calls)
{
	const struct buffers *buffers = argument;

	for (uint32_t i = 0; i < calls; i++) {
		memcpy(buffers->out, buffers->in, BYTES);
		clock_keep(buffers->out);
	}
}

static void tilize_rows(void *argument, uint32_t calls)
{
	const struct buffers *buffers = argument;

	for (uint32_t i = 0; i < calls; i++) {
		tilize(buffers->in, buffers->out, ROWS, COLUMNS, (struct tile_shape){32, 32}, 2);
		clock_keep(buffers->out);
	}
}

static void make_blocks(void *argument, uint32_t calls)
{
	const struct buffers *buffers = argument;

	for (uint32_t i = 0; i < calls; i++) {
		convert_to_blocks((const float *)(const void *)buffers->in, buffers->out,
			buffers->out + BLOCKS, BLOCKS);
		clock_keep(buffers->out);
	}
}

static void layout_run(struct probing *probing)
{
	struct buffers buffers = {allocate(1, 2 * BYTES), allocate(1, 2 * BYTES)};
	struct samples copied = {0}, tilized = {0}, blocks = {0};
	struct quantiles copy;

	for (uint32_t i = 0; i < 2 * BYTES / 4; i++)
		memcpy(buffers.in + 4 * i, &(float){(float)i}, 4);
	memset(buffers.out, 1, 2 * BYTES);
	probe_rounds(probing->pace, copy_rows, &buffers, &copied);
	probe_rounds(probing->pace, tilize_rows, &buffers, &tilized);
	probe_rounds(probing->pace, make_blocks, &buffers, &blocks);
	copy = samples_quantiles(&copied);
	for (uint32_t i = 0; i < tilized.count; i++)
		tilized.at[i] -= copy.p50;
	probe_median(probing, "host.work.tilize_byte.cost", "ps", 1e3 / BYTES, &tilized,
		"64x512 bf16 tilized, less memcpy of as many, CPU time a byte");
	probe_median(probing, "host.work.convert_block.cost", "ps", 1e3 / BLOCKS, &blocks,
		"16384 f32 to bfp_bf8, CPU time a block of 16");
	samples_fini(&copied);
	samples_fini(&tilized);
	samples_fini(&blocks);
	free(buffers.in);
	free(buffers.out);
}

const struct probe probe_layout = {"layout", "tensors tilized, and turned into blocks", layout_run};
