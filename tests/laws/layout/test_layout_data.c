/* label: full  timeout: 120
 * Writes data of random tensors with 10,000 random layouts. The bytes of every shard must be equal
 * to those of a reference, which places one element at a time, directly by the definitions. Padding
 * must have the out-of-bounds value. Reading the shards back must give the data that were written.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "layout/data/convert.h"
#include "random_layout.h"

enum { SEEDS = 10000, ELEMENTS = 600, SHARD_BYTES_MAX = 1 << 19 };

static uint8_t tensor[4 * ELEMENTS * 2], back[4 * ELEMENTS * 2], whole[1 << 20];
static uint8_t made[SHARD_BYTES_MAX], scratch[2 * 4 * SHARD_BYTES_MAX];

static float float_of(enum element element, const uint8_t *bytes)
{
	uint32_t bits = 0;
	float value;

	memcpy(&bits, bytes, element_bytes(element));
	if (element == ELEMENT_BF16)
		bits <<= 16;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* ---- the reference ---- */

/* Fills in the values of all places of a shard before tiling: f32 for block formats. */
static void reference_scalars(const struct layout *layout, uint64_t number, double *values)
{
	static const double fills[FILL_COUNT] = {0, 0, 1, INFINITY, -INFINITY};
	uint64_t places = layout_volume(&layout->padded);

	for (uint64_t i = 0; i < places; i++)
		values[i] = fills[layout->fill];
	for (uint64_t e = 0; e < layout_volume(&layout->tensor); e++) {
		struct layout_shape index = layout_at(&layout->tensor, e);
		uint64_t shard = 0, local = 0;
		uint32_t bytes = element_bytes(layout->tensor_element), bits = 0;

		for (uint32_t r = 0; r < layout->grid.rank; r++) {
			uint64_t sum = 0;

			for (uint32_t d = 0; d < layout->tensor.rank; d++)
				sum += index.size[d] * layout->stride[r][d];
			shard = shard * layout->grid.size[r] + sum / layout->shard.size[r];
			local = local * layout->padded.size[r] + sum % layout->shard.size[r];
		}
		if (shard != number)
			continue;
		memcpy(&bits, tensor + e * bytes, bytes);
		if (layout->tensor_element == ELEMENT_F32 || layout->tensor_element == ELEMENT_BF16)
			values[local] = float_of(layout->tensor_element, tensor + e * bytes);
		else
			values[local] = bits;
	}
}

/* Returns the number of a place in tiled order: tile by tile, and face by face within a tile. */
static uint64_t tiled(const struct layout *layout, uint64_t place)
{
	uint64_t columns = layout->padded.size[layout->padded.rank - 1];
	uint64_t row = place / columns, column = place % columns;
	uint64_t h = layout->tile_height, w = layout->tile_width, fh = h < 16 ? h : 16;
	uint64_t tile = row / h * (columns / w) + column / w;

	row %= h;
	column %= w;
	return tile * h * w + (row / fh * (w / 16) + column / 16) * fh * 16 + row % fh * 16 +
	       column % 16;
}

/* Encodes a value in the lowest bytes of a type: round to nearest, ties to even. */
static uint32_t encode(enum element element, double value)
{
	float single = (float)value;
	uint32_t bits, low;

	if (element != ELEMENT_F32 && element != ELEMENT_BF16)
		return (uint32_t)value;
	memcpy(&bits, &single, sizeof bits);
	if (element == ELEMENT_F32)
		return bits;
	low = bits & 0xffff;
	bits >>= 16;
	return bits + (low > 0x8000 || (low == 0x8000 && (bits & 1)));
}

/* Encodes 16 consecutive values of a face: the exponent of the largest, then each in its units. */
static void encode_block(const double *values, uint8_t *exponent, uint8_t *mantissas)
{
	int most = 0, power;

	for (int i = 0; i < 16; i++) {
		if (values[i] != 0) {
			(void)frexp(values[i], &power); /* 0.5 to 1 times 2^power */
			most = power + 126 > most ? power + 126 : most;
		}
	}
	*exponent = (uint8_t)most;
	for (int i = 0; i < 16; i++) {
		double units = nearbyint(ldexp(fabs(values[i]), 133 - most));

		mantissas[i] =
			(uint8_t)((units > 127 ? 127 : units) + (signbit(values[i]) ? 128 : 0));
	}
}

static void reference_shard(const struct layout *layout, uint64_t number, uint8_t *out)
{
	uint64_t places = layout_volume(&layout->padded);
	uint32_t bytes = element_bytes(layout->element);
	uint64_t volume = (uint64_t)layout->tile_height * layout->tile_width;
	double *values = calloc(2 * places, sizeof *values), *faced = values + places;

	check(values, "memory");
	reference_scalars(layout, number, values);
	for (uint64_t i = 0; i < places; i++)
		faced[layout->tile_height ? tiled(layout, i) : i] = values[i];
	for (uint64_t i = 0; bytes && i < places; i++) {
		uint32_t bits = encode(layout->element, faced[i]);

		memcpy(out + i * bytes, &bits, bytes);
	}
	for (uint64_t i = 0; !bytes && i < places; i += 16) {
		uint8_t *tile = out + i / volume * (volume + volume / 16);

		encode_block(faced + i, tile + i % volume / 16, tile + volume / 16 + i % volume);
	}
	free(values);
}

/* ---- trials ---- */

static void fill_tensor(const struct layout *layout, struct stream *stream)
{
	uint64_t count = layout_volume(&layout->tensor);
	uint32_t bytes = element_bytes(layout->tensor_element);

	for (uint64_t i = 0; i < count; i++) {
		uint64_t random = stream_next(stream);
		float value = (float)ldexp(stream_unit(stream) - 0.5, (int)(random % 24) - 12);
		uint32_t bits = (uint32_t)(random >> 32);

		if (layout->tensor_element <= ELEMENT_BF16)
			memcpy(&bits, &value, sizeof bits);
		if (random % 17 == 0)
			bits = 0;
		if (layout->tensor_element == ELEMENT_BF16)
			bits >>= 16;
		memcpy(tensor + i * bytes, &bits, bytes);
	}
}

/* Compares the data that were read back with the data that were written. They must be equal if the
 * element type of the layout can represent all data. Otherwise they may be rounded, and the error
 * must be below a limit for blocks or for bf16. */
static void check_back(const struct layout *layout)
{
	uint64_t count = layout_volume(&layout->tensor);
	uint32_t bytes = element_bytes(layout->tensor_element);
	bool exact = layout->element == layout->tensor_element ||
		     (layout->tensor_element == ELEMENT_BF16 && layout->element == ELEMENT_F32);

	if (exact) {
		check(memcmp(tensor, back, count * bytes) == 0, "other data come back");
		return;
	}
	for (uint64_t i = 0; i < count; i++) {
		double went = float_of(layout->tensor_element, tensor + i * bytes);
		double came = float_of(layout->tensor_element, back + i * bytes);
		double error = element_is_block(layout->element) ? 4096 / 64.0 : fabs(went) / 256;

		check(fabs(went - came) <= error, "%g comes back as %g", went, came);
	}
}

struct stored {
	const uint8_t *from;
	uint8_t *to;
	uint32_t bytes;
	uint64_t seen;
};

static void read_some(void *context, uint64_t first, uint64_t count, void *out)
{
	struct stored *stored = context;

	memcpy(out, stored->from + first * stored->bytes, count * stored->bytes);
	stored->seen += count;
}

static void write_some(void *context, uint64_t first, uint64_t count, const void *in)
{
	struct stored *stored = context;

	memcpy(stored->to + first * stored->bytes, in, count * stored->bytes);
	stored->seen += count;
}

static void trial(const struct layout *layout, struct stream *stream)
{
	struct stored stored = {tensor, back, element_bytes(layout->tensor_element), 0};
	bool in_memory = stream_below(stream, 2);
	struct tensor_source source = {in_memory ? tensor : NULL, read_some, &stored};
	struct tensor_sink sink = {in_memory ? back : NULL, write_some, &stored};

	fill_tensor(layout, stream);
	memset(back, 0xa5, sizeof back);
	check_at_most(shard_data_scratch_bytes(layout), sizeof scratch);
	for (uint64_t s = 0; s < layout->shards; s++) {
		struct layout_shape shard = layout_at(&layout->grid, s);

		memset(made, 0x5a, layout->shard_bytes);
		memset(scratch, 0xc3, shard_data_scratch_bytes(layout));
		shard_data_make(layout, &source, &shard, made, scratch);
		reference_shard(layout, s, whole);
		check(memcmp(made, whole, layout->shard_bytes) == 0, "shard %llu",
			(unsigned long long)s);
		memset(scratch, 0x3c, shard_data_scratch_bytes(layout));
		shard_data_take(layout, &sink, &shard, made, scratch);
	}
	check_back(layout);
	check_equal(stored.seen, in_memory ? 0 : 2 * layout_volume(&layout->tensor));
}

int main(void)
{
	uint32_t blocks = 0, converted = 0, padded = 0, tried = 0;

	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct stream stream;
		struct layout layout;

		stream_init(&stream, seed, "layout/data");
		random_layout(&stream, ELEMENTS, &layout);
		if (layout.shard_bytes > SHARD_BYTES_MAX)
			continue;
		check_equal(shard_data_check(&layout, NULL), STATUS_OK);
		trial(&layout, &stream);
		tried++;
		blocks += element_is_block(layout.element);
		converted += layout.element != layout.tensor_element;
		padded += layout_volume(&layout.padded) * layout.shards >
			  layout_volume(&layout.tensor);
	}
	check_less(SEEDS - SEEDS / 100, tried);
	check_less(SEEDS / 40, blocks);
	check_less(SEEDS / 10, converted);
	check_less(SEEDS / 2, padded);
	printf("%u layouts: %u with padding, %u converted, %u in blocks\n", tried, padded,
		converted, blocks);
	return 0;
}
