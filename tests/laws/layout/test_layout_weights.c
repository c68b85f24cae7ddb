/* A feed-forward weight of a model of 405 billion parameters, 16384 x 53248 in bf16, goes to 64
 * chips, a column of it to each, in tiles, without ever being in memory whole: it is asked for
 * piece by piece, and what is held at a time is one shard. timeout: 120 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "check.h"
#include "layout/data/shard_data.h"
#include "layout/layout_text.h"
#include "layout/machine.h"

/* The matrix with its columns in 64 groups: the same bytes in the same order. The devices'
 * dimension comes first in the grid, and on each device 8 x 2 shards go round 12 banks. */
static const char text[] =
	"tensor<16384x64x832xbf16, #tt.layout<(d0, d1, d2) -> (d1, d0, d2), zero, <64x8x2>, "
	"memref<1x64x13x!tt.tile<32 x 32, bf16>, #tt.memory_space<dram>>>>";

static const uint64_t columns = 53248, whole_bytes = 2ull * 16384 * 53248;

/* An element depends on its number alone. */
static uint16_t element(uint64_t number)
{
	return (uint16_t)(number * 2654435761u >> 7);
}

static void read_some(void *context, uint64_t first, uint64_t count, void *out)
{
	uint16_t *elements = out;

	for (uint64_t i = 0; i < count; i++)
		elements[i] = element(first + i);
	*(uint64_t *)context += count;
}

static uint64_t peak_bytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss * 1024;
}

/* Some elements of the shard at (device, row, column) of the grid, by rows and columns of the
 * matrix. */
static void check_some(
	const struct layout *layout, const uint8_t *made, const struct layout_shape *shard)
{
	for (uint64_t i = 0; i < 97; i++) {
		uint64_t y = i * 211 % 2048, x = i * 37 % 416;
		uint64_t row = shard->size[1] * 2048 + y;
		uint64_t column = shard->size[0] * 832 + shard->size[2] * 416 + x;
		uint16_t seen;

		memcpy(&seen, made + layout_byte(layout, &(struct layout_shape){3, {0, y, x}}),
			sizeof seen);
		check_equal(seen, element(row * columns + column));
	}
}

int main(void)
{
	struct diag *diag = diag_new();
	struct layout_machine machine = {8, 8, 8, 8, 12};
	uint64_t asked = 0, before, held, devices[8][8] = {{0}};
	struct tensor_source source = {NULL, read_some, &asked};
	struct layout layout;
	uint8_t *made, *scratch;
	bool encoded;

	check(layout_parse("weight", text, strlen(text), diag, &layout, &encoded), "the layout");
	check_status(layout_machine_check(&layout, &machine, NULL), STATUS_OK);
	made = malloc(layout.shard_bytes);
	scratch = malloc(shard_data_scratch_bytes(&layout));
	check(made && scratch, "memory");
	before = peak_bytes();
	for (uint64_t i = 0; i < layout.shards; i++) {
		struct layout_shape shard = layout_at(&layout.grid, i);
		struct layout_unit unit = layout_unit(&layout, &machine, &shard);

		shard_data_make(&layout, &source, &shard, made, scratch);
		check_some(&layout, made, &shard);
		devices[unit.device_row][unit.device_column] += layout.shard_bytes;
	}
	held = peak_bytes() - before;
	check_equal(asked * 2, whole_bytes);
	for (int i = 0; i < 64; i++)
		check_equal(devices[i / 8][i % 8], whole_bytes / 64);
	printf("%llu MB to 64 chips with %.1f MB for a shard and its scratch; memory grew by %.1f "
	       "MB\n",
		(unsigned long long)(whole_bytes / 1000000),
		(double)(layout.shard_bytes + shard_data_scratch_bytes(&layout)) / 1e6,
		(double)held / 1e6);
	check_less(layout.shard_bytes + shard_data_scratch_bytes(&layout), whole_bytes / 400);
	check_less(held, 64 << 20);
	free(made);
	free(scratch);
	diag_free(diag);
	return 0;
}
