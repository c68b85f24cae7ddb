/* Whole matrices of doubles (see double_reference.h). Tiles are taken apart by the definition of
 * faces, element by element. */
#include "double_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/* A matrix, and how far its elements may be off: `units` in the last place of each, and `absolute`.
 */
struct doubles {
	uint64_t rows, columns;
	double *at;
	double units, absolute;
};

struct doubled {
	const struct library_row *row;
	const struct library_use *use;
	struct doubles ports[LIBRARY_PORTS_MAX];
};

/* ---- elements ---- */

/* Bits of a number behind the first. */
static int places_of(enum element element)
{
	return element == ELEMENT_F32	    ? 23
	       : element == ELEMENT_BF16    ? 7
	       : element == ELEMENT_BFP_BF8 ? 6
					    : 2;
}

/* The distance of neighbours of the element type at this value. */
static double unit_of(enum element element, double value)
{
	int exponent = value == 0 ? -126 : ilogb(value);

	return ldexp(1, (exponent < -126 ? -126 : exponent) - places_of(element));
}

/* A value of a block is a sign and a whole number of units, which the exponent says. */
static double block_at(enum element element, const uint8_t *bytes, uint64_t index)
{
	bool wide = element == ELEMENT_BFP_BF8;
	const uint8_t *tile = bytes + index / 1024 * (wide ? 64 + 1024 : 64 + 512);
	uint32_t at = index % 1024, bits = wide ? tile[64 + at] : tile[64 + at / 2] >> at % 2 * 4;
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
		for (uint64_t column = 0; column < doubles->columns; column++)
			doubles->at[row * doubles->columns + column] = element_at(
				element, bytes, place_of(row, column, doubles->columns / 32));
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

/* The largest size of the 16 values with which this one shares an exponent (infinite if one is not
 * a number), or its own. */
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
				continue; /* a block of these has no numbers */
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

static double exp_of(double x)
{
	return exp(x);
}

static double reciprocal_of(double x)
{
	return 1 / x;
}

static double gelu_of(double x)
{
	return isinf(x) && x < 0 ? 0 : 0.5 * x * erfc(-x / sqrt(2));
}

static double silu_of(double x)
{
	return isinf(x) && x < 0 ? 0 : x / (1 + exp(-x));
}

static const struct function {
	const char *name;
	double (*of)(double);
} functions[] = {{"exp", exp_of}, {"reciprocal", reciprocal_of}, {"sqrt", sqrt}, {"gelu", gelu_of},
	{"silu", silu_of}, {"tanh", tanh}};

/* How far an element is off that was rounded to float32 once, and then to its own type: a block
 * rounds the largest of its values down. */
static double units_of(enum element element)
{
	return element == ELEMENT_BF16 ? 0.50002 : element_is_block(element) ? 1.0002 : 1;
}

/* Registers have the element type, so a result is rounded once, and once more to bf16. */
static bool unary(struct doubled *doubled)
{
	const struct doubles *from = &doubled->ports[0];
	struct doubles *to = &doubled->ports[1];
	size_t i = 0;

	while (i < sizeof functions / sizeof *functions &&
		strcmp(functions[i].name, doubled->row->name) != 0)
		i++;
	if (i == sizeof functions / sizeof *functions)
		return false;
	for (uint64_t k = 0; k < from->rows * from->columns; k++)
		to->at[k] = functions[i].of(from->at[k]);
	to->units = units_of(doubled->use->element);
	return true;
}

/* The largest size of a port's elements. */
static double largest(const struct doubled *doubled, uint32_t port)
{
	const struct doubles *doubles = &doubled->ports[port];
	double most = 0;

	for (uint64_t i = 0; i < doubles->rows * doubles->columns; i++)
		most = fmax(most, fabs(doubles->at[i]));
	return most;
}

/* The elements of row `row` of a port. */
static double *row_of(const struct doubled *doubled, uint32_t port, uint64_t row)
{
	const struct doubles *doubles = &doubled->ports[port];

	return doubles->at + row * doubles->columns;
}

/* Sets how far a result of `terms` summands may be off that is at most `size`: each of them rounds
 * a float32 a few times, and bf16 rounds the result. */
static void allow(const struct doubled *doubled, struct doubles *to, double terms, double size)
{
	to->units = units_of(doubled->use->element);
	to->absolute = terms * size * ldexp(1, -23);
}

static void softmax(struct doubled *doubled)
{
	struct doubles *to = &doubled->ports[1];

	for (uint64_t row = 0; row < to->rows; row++) {
		const double *x = row_of(doubled, 0, row);
		double *y = row_of(doubled, 1, row), most = -INFINITY, sum = 0;

		for (uint64_t i = 0; i < to->columns; i++)
			most = fmax(most, x[i]);
		for (uint64_t i = 0; i < to->columns; i++)
			sum += y[i] = exp(x[i] - most);
		for (uint64_t i = 0; i < to->columns; i++)
			y[i] /= sum;
	}
	allow(doubled, to, (double)to->columns, 1);
}

static void normalize(struct doubled *doubled, bool centred)
{
	struct doubles *to = &doubled->ports[doubled->row->port_count - 1];
	const double *weight = row_of(doubled, 1, 0), *bias = row_of(doubled, 2, 0);

	for (uint64_t row = 0; row < to->rows; row++) {
		const double *x = row_of(doubled, 0, row);
		double *y = row_of(doubled, doubled->row->port_count - 1, row);
		double mean = 0, squares = 0, n = (double)to->columns;

		for (uint64_t i = 0; i < to->columns; i++)
			mean += centred ? x[i] / n : 0;
		for (uint64_t i = 0; i < to->columns; i++)
			squares += (x[i] - mean) * (x[i] - mean) / n;
		for (uint64_t i = 0; i < to->columns; i++)
			y[i] = (x[i] - mean) / sqrt(squares + 1e-5) * weight[i] +
			       (centred ? bias[i] : 0);
	}
	allow(doubled, to, (double)to->columns, 8);
}

static void layer_norm(struct doubled *doubled)
{
	normalize(doubled, true);
}

static void rms_norm(struct doubled *doubled)
{
	normalize(doubled, false);
}

static void linear(struct doubled *doubled)
{
	const struct doubles *from = &doubled->ports[0];
	struct doubles *to = &doubled->ports[3];

	for (uint64_t row = 0; row < to->rows; row++)
		for (uint64_t column = 0; column < to->columns; column++) {
			double sum = row_of(doubled, 2, 0)[column];

			for (uint64_t k = 0; k < from->columns; k++)
				sum += row_of(doubled, 0, row)[k] * row_of(doubled, 1, k)[column];
			row_of(doubled, 3, row)[column] = sum;
		}
	allow(doubled, to, (double)from->columns, largest(doubled, 0) * largest(doubled, 1));
}

/* Any number of products, of which each starts anew with its rows of the right matrices. */
static void matmul(struct doubled *doubled)
{
	struct doubles *to = &doubled->ports[2];
	uint64_t rows = doubled->use->tiles[0] * 32ull, inner = doubled->ports[0].columns;

	for (uint64_t row = 0; row < to->rows; row++)
		for (uint64_t column = 0; column < to->columns; column++)
			for (uint64_t k = 0; k < inner; k++)
				row_of(doubled, 2, row)[column] +=
					row_of(doubled, 0, row)[k] *
					row_of(doubled, 1, row / rows * inner + k)[column];
	allow(doubled, to, (double)inner, largest(doubled, 0) * largest(doubled, 1));
	if (doubled->use->element == ELEMENT_BF16) /* of registers, rounded after each 16 of k */
		to->absolute += (double)inner / 16 * (double)inner * ldexp(1, -8);
}

static void transpose(struct doubled *doubled)
{
	for (uint64_t row = 0; row < doubled->ports[1].rows; row++)
		for (uint64_t column = 0; column < doubled->ports[1].columns; column++)
			row_of(doubled, 1, row)[column] = row_of(doubled, 0, column)[row];
	doubled->ports[1].units = element_is_block(doubled->use->element) ? 1 : 0;
}

static void concat(struct doubled *doubled)
{
	uint64_t columns = doubled->ports[0].columns;

	for (uint64_t row = 0; row < doubled->ports[2].rows; row++)
		for (uint64_t column = 0; column < doubled->ports[2].columns; column++)
			row_of(doubled, 2, row)[column] =
				column < columns ? row_of(doubled, 0, row)[column]
						 : row_of(doubled, 1, row)[column - columns];
}

/* Row `row` of the queries attends to the rows of keys of its head. */
static void attend(struct doubled *doubled, uint64_t row)
{
	uint64_t wide = doubled->ports[0].columns, keys = doubled->use->tiles[2] * 32ull;
	uint64_t first = row / (doubled->use->tiles[0] * 32ull) * keys;
	double *y = row_of(doubled, 3, row), *scores = calloc(keys, sizeof *scores);
	double most = -INFINITY, sum = 0;

	for (uint64_t k = 0; k < keys; k++) {
		for (uint64_t i = 0; i < wide; i++)
			scores[k] += row_of(doubled, 0, row)[i] * row_of(doubled, 1, first + k)[i] /
				     sqrt((double)wide);
		most = fmax(most, scores[k]);
	}
	for (uint64_t k = 0; k < keys; k++)
		sum += scores[k] = exp(scores[k] - most);
	for (uint64_t k = 0; k < keys; k++)
		for (uint64_t i = 0; i < wide; i++)
			y[i] += scores[k] / sum * row_of(doubled, 2, first + k)[i];
	free(scores);
}

static void attention(struct doubled *doubled)
{
	struct doubles *to = &doubled->ports[3];
	double scores;

	for (uint64_t row = 0; row < to->rows; row++)
		attend(doubled, row);
	/* an error of a score is one of its exponential, relative to it */
	scores = largest(doubled, 0) * largest(doubled, 1) * sqrt((double)to->columns);
	allow(doubled, to, scores * (double)to->columns + doubled->use->tiles[2] * 32.0,
		largest(doubled, 2));
}

static void rotary(struct doubled *doubled)
{
	struct doubles *to = &doubled->ports[3];
	uint64_t half = to->columns / 2;

	for (uint64_t row = 0; row < to->rows; row++) {
		uint64_t position = row % doubled->ports[1].rows;
		const double *x = row_of(doubled, 0, row);

		for (uint64_t i = 0; i < to->columns; i++)
			row_of(doubled, 3, row)[i] = x[i] * row_of(doubled, 1, position)[i] +
						     (i < half ? -x[i + half] : x[i - half]) *
							     row_of(doubled, 2, position)[i];
	}
	allow(doubled, to, 2, 2 * largest(doubled, 0));
}

/* Programs over whole matrices: the extents of each port in tiles, rows and columns: of use->tiles
 * r, c and k; 1; s is c + k; and * is what the number of pages says. */
static const struct whole {
	const char *name, *ports[LIBRARY_PORTS_MAX];
	void (*compute)(struct doubled *doubled);
} wholes[] = {
	{"softmax", {"rc", "rc"}, softmax},
	{"layer_norm", {"rc", "1c", "1c", "rc"}, layer_norm},
	{"rms_norm", {"rc", "1c", "rc"}, rms_norm},
	{"matmul", {"*k", "*c", "*c"}, matmul},
	{"matmul_grid", {"*k", "*c", "*c"}, matmul},
	{"matmul_line", {"*k", "*c", "*c"}, matmul},
	{"matmul_batches", {"*k", "*c", "*c"}, matmul},
	{"matmul_auto", {"*k", "*c", "*c"}, matmul},
	{"linear", {"rk", "kc", "1c", "rc"}, linear},
	{"transpose", {"rc", "cr"}, transpose},
	{"concat", {"rc", "rk", "rs"}, concat},
	{"attention", {"*c", "*c", "*c", "*c"}, attention},
	{"rotary", {"*c", "rc", "rc", "*c"}, rotary},
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

static uint64_t extent_of(const uint32_t *tiles, char letter)
{
	return letter == 'r'   ? tiles[0]
	       : letter == 'c' ? tiles[1]
	       : letter == 'k' ? tiles[2]
	       : letter == 's' ? (uint64_t)tiles[1] + tiles[2]
			       : 1;
}

static void doubled_init(struct doubled *doubled, const struct whole *whole)
{
	for (uint32_t i = 0; i < doubled->row->port_count; i++) {
		uint64_t pages = doubled->use->buffers[i].placement->page_count, columns = 1;

		if (whole)
			columns = extent_of(doubled->use->tiles, whole->ports[i][1]);
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
		known = unary(&doubled);
	for (uint32_t i = 0; i < row->port_count; i++) {
		if (known && row->ports[i].written)
			doubles_compare(&doubled, i, values[i], seed);
		free(doubled.ports[i].at);
	}
	return known;
}
