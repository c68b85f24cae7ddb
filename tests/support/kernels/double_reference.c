/* Whole matrices of doubles (see double_reference.h). Elements are copied from tiles one by one, by
 * the definition of the faces of a tile. */
#include "double_reference.h"

#include "double_programs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/* ---- elements ---- */

/* Number of bits of a mantissa after the first bit. */
static int places_of(enum element element)
{
	return element == ELEMENT_F32	    ? 23
	       : element == ELEMENT_BF16    ? 7
	       : element == ELEMENT_BFP_BF8 ? 6
					    : 2;
}

/* Returns the distance between neighbouring values of the element type at this value. */
static double unit_of(enum element element, double value)
{
	int exponent = value == 0 ? -126 : ilogb(value);

	return ldexp(1, (exponent < -126 ? -126 : exponent) - places_of(element));
}

/* A value of a block format is a sign and a number of units. The exponent gives the unit. */
static double block_at(enum element element, const uint8_t *bytes, uint64_t index)
{
	bool wide = element == ELEMENT_BFP_BF8;
	const uint8_t *tile = bytes + index / 1024 * (wide ? 64 + 1024 : 64 + 512);
	uint32_t at = index % 1024,
		 bits = wide ? tile[64 + at] : (uint32_t)tile[64 + at / 2] >> at % 2 * 4;
	uint32_t sign = wide ? 0x80 : 8;
	double size = ldexp(bits & (sign - 1), tile[at / 16] - 127 - places_of(element));

	return bits & sign ? -size : size;
}

static double element_at(enum element element, const uint8_t *bytes, uint64_t index)
{
	uint32_t bits = 0;
	uint16_t half;
	float value;

	if (element_is_block(element))
		return block_at(element, bytes, index);
	if (element == ELEMENT_BF16) {
		memcpy(&half, bytes + 2 * index, 2);
		bits = (uint32_t)half << 16;
	} else {
		memcpy(&bits, bytes + 4 * index, 4);
	}
	memcpy(&value, &bits, 4);
	return (double)value;
}

static uint64_t place_of(uint64_t row, uint64_t column, uint64_t wide)
{
	uint64_t tile = row / 32 * wide + column / 32;
	uint64_t face = row % 32 / 16 * 2 + column % 32 / 16;

	return tile * 1024 + face * 256 + row % 16 * 16 + column % 16;
}

/* ---- ports ---- */

static void doubles_init(struct doubles *doubles, uint64_t tile_rows, uint64_t tile_columns)
{
	doubles->rows = tile_rows * 32;
	doubles->columns = tile_columns * 32;
	doubles->at = calloc(doubles->rows * doubles->columns, sizeof *doubles->at);
}

static void doubles_read(struct doubles *doubles, enum element element, const uint8_t *bytes)
{
	for (uint64_t row = 0; row < doubles->rows; row++)
		for (uint64_t column = 0; column < doubles->columns; column++) {
			uint64_t at = row * doubles->columns + column;
			uint64_t tiled = place_of(row, column, doubles->columns / 32);

			doubles->at[at] = element_at(element, bytes, doubles->in_rows ? at : tiled);
		}
}

static bool is_near(enum element element, double slack, double got, double want)
{
	double most = ldexp(2 - ldexp(1, -places_of(element)), 127);

	if (isnan(want))
		return isnan(got);
	if (fabs(want) + slack > most)
		return (isinf(got) || fabs(got) + slack >= most) && (got < 0) == (want < 0);
	return fabs(got - want) <= slack;
}

/* Returns the value that determines with which unit element `at` is rounded. In a block format,
 * this is the largest absolute value in the element's block of 16 values, or infinity if the block
 * has a NaN. In other formats, it is the value of the element itself. */
static double scale_of(const struct doubles *doubles, enum element element, uint64_t at)
{
	const double *block = &doubles->at[at / 16 * 16];
	double most = 0;

	if (!element_is_block(element))
		return doubles->at[at];
	for (int i = 0; i < 16; i++)
		most = fabs(block[i]) <= most ? most : fabs(block[i]);
	for (int i = 0; i < 16; i++)
		most = isnan(block[i]) ? INFINITY : most;
	return most;
}

static void doubles_compare(
	const struct doubled *doubled, uint32_t port, const uint8_t *bytes, uint32_t seed)
{
	const struct doubles *doubles = &doubled->ports[port];
	enum element element = doubled->use->element;

	for (uint64_t row = 0; row < doubles->rows; row++)
		for (uint64_t column = 0; column < doubles->columns; column++) {
			uint64_t at = row * doubles->columns + column;
			double want = doubles->at[at], scale = scale_of(doubles, element, at);
			double got = element_at(
				element, bytes, place_of(row, column, doubles->columns / 32));
			double slack = doubles->units * unit_of(element, scale) + doubles->absolute;

			if (element_is_block(element) && !(scale < 0x1p126))
				continue; /* a block of such large values has no finite numbers */
			slack += element_is_block(element) ? 0x1p-126 : 0; /* denormal: zero */
			if (!is_near(element, slack, got, want))
				fail_msg("%s, seed %u: row %llu, column %llu of '%s' is %a, "
					 "computed apart %a (%s)",
					doubled->row->name, seed, (unsigned long long)row,
					(unsigned long long)column, doubled->row->ports[port].name,
					got, want, element_name(element));
		}
}

/* ---- programs ---- */

/* Programs whose results are computed here over whole matrices. Each port has two letters: the
 * numbers of rows and of columns of its matrix, in tiles. r, c, k: the numbers in use->tiles. s: c
 * + k. y, x: the size of the slice. 1: one tile. w: the number of pages of the bias. p: each row is
 * a pixel. *: the number follows from the number of pages. */
static const struct whole {
	const char *name, *ports[LIBRARY_PORTS_MAX];
	void (*compute)(struct doubled *doubled);
} wholes[] = {
	{"softmax", {"rc", "rc"}, double_softmax},
	{"layer_norm", {"rc", "1c", "1c", "rc"}, double_layer_norm},
	{"rms_norm", {"rc", "1c", "rc"}, double_rms_norm},
	{"matmul", {"*k", "*c", "*c"}, double_matmul},
	{"matmul_grid", {"*k", "*c", "*c"}, double_matmul},
	{"matmul_line", {"*k", "*c", "*c"}, double_matmul},
	{"matmul_batches", {"*k", "*c", "*c"}, double_matmul},
	{"matmul_auto", {"*k", "*c", "*c"}, double_matmul},
	{"conv2d", {"p*", "*w", "1w", "*w"}, double_conv2d},
	{"linear", {"rk", "kc", "1c", "rc"}, double_linear},
	{"transpose", {"rc", "cr"}, double_transpose},
	{"concat", {"rc", "rk", "rs"}, double_concat},
	{"concat_rows", {"*c", "*c", "*c"}, double_concat_rows},
	{"slice", {"rc", "yx"}, double_slice},
	{"attention", {"*c", "*c", "*c", "*c"}, double_attention},
	{"attention_causal", {"*c", "*c", "*c", "*c"}, double_attention},
	{"attention_masked", {"*c", "*c", "*c", "rk", "*c"}, double_attention},
	{"rotary", {"*c", "rc", "rc", "*c"}, double_rotary},
};

static const struct whole *whole_of(const char *name)
{
	for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
		if (strcmp(wholes[i].name, name) == 0)
			return &wholes[i];
	return NULL;
}

bool double_reference_is_sum(const struct library_row *row)
{
	return whole_of(row->name) != NULL;
}

/* ---- all ---- */

static uint64_t extent_of(const struct library_use *use, char letter)
{
	return letter == 'r'   ? use->tiles[0]
	       : letter == 'c' ? use->tiles[1]
	       : letter == 'k' ? use->tiles[2]
	       : letter == 'y' ? use->slice[2]
	       : letter == 'x' ? use->slice[3]
	       : letter == 's' ? (uint64_t)use->tiles[1] + use->tiles[2]
			       : 1;
}

/* Pixels are rows of channels. They do not have to fill whole tiles. */
static void pixels_init(
	struct doubles *doubles, const struct placement *pixels, enum element element)
{
	doubles->in_rows = true;
	doubles->rows = pixels->page_count;
	doubles->columns = pixels->config.page_bytes / element_bytes(element);
	doubles->at = calloc(doubles->rows * doubles->columns, sizeof *doubles->at);
}

static void doubled_init(struct doubled *doubled, const struct whole *whole)
{
	for (uint32_t i = 0; i < doubled->row->port_count; i++) {
		const struct library_use *use = doubled->use;
		const struct placement *placement = use->buffers[i].placement;
		uint64_t pages = placement->page_count, columns = 1;

		if (whole && whole->ports[i][1] == 'w')
			columns = use->buffers[2].placement->page_count;
		else if (whole)
			columns = extent_of(use, whole->ports[i][1]);
		if (whole && whole->ports[i][0] == 'p')
			pixels_init(&doubled->ports[i], placement, use->element);
		else
			doubles_init(&doubled->ports[i], pages / columns, columns);
	}
}

/* Sums of infinities, and of numbers of any size, depend on their order. */
static bool are_moderate(const struct doubles *doubles)
{
	for (uint64_t i = 0; i < doubles->rows * doubles->columns; i++)
		if (!(fabs(doubles->at[i]) <= 2))
			return false;
	return true;
}

bool double_reference_check(const struct library_row *row, const struct library_use *use,
	uint8_t *const values[LIBRARY_PORTS_MAX], uint32_t seed)
{
	struct doubled doubled = {.row = row, .use = use};
	const struct whole *whole = whole_of(row->name);
	bool known = true;

	doubled_init(&doubled, whole);
	for (uint32_t i = 0; i < row->port_count; i++)
		if (!row->ports[i].written) {
			doubles_read(&doubled.ports[i], use->element, values[i]);
			known &= !whole || are_moderate(&doubled.ports[i]);
		}
	if (known && whole)
		whole->compute(&doubled);
	else if (known)
		known = double_unary(&doubled);
	for (uint32_t i = 0; i < row->port_count; i++) {
		if (known && row->ports[i].written)
			doubles_compare(&doubled, i, values[i], seed);
		free(doubled.ports[i].at);
	}
	return known;
}
