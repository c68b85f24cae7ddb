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

static uint32_t places_of(enum element element)
{
	return element == ELEMENT_BF16 ? 7 : 23;
}

/* The distance of neighbours of the element type at this value. */
static double unit_of(enum element element, double value)
{
	int exponent = value == 0 ? -126 : ilogb(value);

	return ldexp(1, (exponent < -126 ? -126 : exponent) - (int)places_of(element));
}

static double element_at(enum element element, const uint8_t *bytes, uint64_t index)
{
	uint32_t bits = 0;
	uint16_t half;
	float value;

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

static bool is_near(const struct doubles *doubles, enum element element, double got, double want)
{
	double most = ldexp(2 - ldexp(1, -(int)places_of(element)), 127);
	double slack = doubles->units * unit_of(element, want) + doubles->absolute;

	if (isnan(want))
		return isnan(got);
	if (fabs(want) + slack > most)
		return (isinf(got) || fabs(got) + slack >= most) && (got < 0) == (want < 0);
	return fabs(got - want) <= slack;
}

static void doubles_compare(
	const struct doubled *doubled, uint32_t port, const uint8_t *bytes, uint32_t seed)
{
	const struct doubles *doubles = &doubled->ports[port];
	enum element element = doubled->use->element;

	for (uint64_t row = 0; row < doubles->rows; row++)
		for (uint64_t column = 0; column < doubles->columns; column++) {
			double want = doubles->at[row * doubles->columns + column];
			double got = element_at(
				element, bytes, place_of(row, column, doubles->columns / 32));

			if (!is_near(doubles, element, got, want))
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
	to->units = doubled->use->element == ELEMENT_BF16 ? 0.50002 : 1;
	return true;
}

/* ---- all ---- */

/* Extents of a port in tiles. */
static void extents(const struct doubled *doubled, uint32_t port, uint64_t *rows, uint64_t *columns)
{
	*rows = doubled->use->buffers[port].placement->page_count;
	*columns = 1;
}

bool double_reference_check(const struct library_row *row, const struct library_use *use,
	uint8_t *const values[LIBRARY_PORTS_MAX], uint32_t seed)
{
	struct doubled doubled = {.row = row, .use = use};
	bool known;

	for (uint32_t i = 0; i < row->port_count; i++) {
		uint64_t rows, columns;

		extents(&doubled, i, &rows, &columns);
		doubles_init(&doubled.ports[i], rows, columns);
		if (!row->ports[i].written)
			doubles_read(&doubled.ports[i], use->element, values[i]);
	}
	known = unary(&doubled);
	for (uint32_t i = 0; i < row->port_count; i++) {
		if (known && row->ports[i].written)
			doubles_compare(&doubled, i, values[i], seed);
		free(doubled.ports[i].at);
	}
	return known;
}
