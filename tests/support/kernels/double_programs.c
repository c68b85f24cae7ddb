/* The mathematics of programs of the library, in doubles over whole matrices (double_programs.h).
 */
#include "double_programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Returns the largest error that an element may have, in units in the last place. Its value was
 * rounded to float32, and then to the type of the element. Block formats have larger errors than
 * bf16, because they may round the largest value of a block down. */
static double units_of(enum element element)
{
	return element == ELEMENT_BF16 ? 0.50002 : element_is_block(element) ? 1.0002 : 1;
}

/* Registers have the element type, so a result is rounded to it, and then again to bf16. */
bool double_unary(struct doubled *doubled)
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

/* Returns the size of the largest element of a port. */
static double largest(const struct doubled *doubled, uint32_t port)
{
	const struct doubles *doubles = &doubled->ports[port];
	double most = 0;

	for (uint64_t i = 0; i < doubles->rows * doubles->columns; i++)
		most = fmax(most, fabs(doubles->at[i]));
	return most;
}

/* Returns the elements of row `row` of a port. */
static double *row_of(const struct doubled *doubled, uint32_t port, uint64_t row)
{
	const struct doubles *doubles = &doubled->ports[port];

	return doubles->at + row * doubles->columns;
}

/* Sets how far elements in `to` may be from the exact values. An element is a sum of `terms` terms
 * of at most `size`. A few roundings of each term to float32 are allowed, and a rounding of the sum
 * to the element's type. */
static void allow(const struct doubled *doubled, struct doubles *to, double terms, double size)
{
	to->units = units_of(doubled->use->element);
	to->absolute = terms * size * ldexp(1, -23);
}

void double_softmax(struct doubled *doubled)
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

void double_layer_norm(struct doubled *doubled)
{
	normalize(doubled, true);
}

void double_rms_norm(struct doubled *doubled)
{
	normalize(doubled, false);
}

void double_linear(struct doubled *doubled)
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

/* Returns one value of a convolution: the sum over all elements of the convolution kernel and all
 * channels of the image that are in the same group, computed directly from the image. */
static double convolve(
	const struct doubled *doubled, uint64_t which, int64_t top, int64_t left, uint64_t channel)
{
	const struct library_image *image = &doubled->use->image;
	int64_t high = image->size[0], wide = image->size[1];
	uint64_t groups = image->groups ? image->groups : 1, row = 0;
	uint64_t depth = doubled->ports[0].columns / groups;
	uint64_t before = channel / (doubled->ports[3].columns / groups) * depth;
	double sum = row_of(doubled, 2, 0)[channel];

	for (int64_t y = top, i = 0; i < image->kernel[0]; i++, y += image->dilation[0])
		for (int64_t x = left, j = 0; j < image->kernel[1];
			j++, x += image->dilation[1], row += depth)
			for (uint64_t k = 0; k < depth; k++)
				if (y >= 0 && y < high && x >= 0 && x < wide)
					sum += row_of(doubled, 1, row + k)[channel] *
					       row_of(doubled, 0,
						       which * (uint64_t)(high * wide) +
							       (uint64_t)(y * wide +
									  x))[before + k];
	return sum;
}

static int64_t reach(const struct library_image *image, int i)
{
	return ((int64_t)image->kernel[i] - 1) * image->dilation[i] + 1;
}

/* Computes a convolution. The last tile may have rows after the last pixel of the result; each of
 * these rows contains the bias. */
void double_conv2d(struct doubled *doubled)
{
	const struct library_image *image = &doubled->use->image;
	struct doubles *to = &doubled->ports[3];
	uint64_t images = doubled->ports[0].rows / image->size[0] / image->size[1], row = 0;

	for (uint64_t which = 0; which < images; which++)
		for (int64_t y = -(int64_t)image->padding[0];
			y + reach(image, 0) <= (int64_t)image->size[0] + image->padding[0];
			y += image->stride[0])
			for (int64_t x = -(int64_t)image->padding[1];
				x + reach(image, 1) <= (int64_t)image->size[1] + image->padding[1];
				x += image->stride[1], row++)
				for (uint64_t channel = 0; channel < to->columns; channel++)
					row_of(doubled, 3, row)[channel] =
						convolve(doubled, which, y, x, channel);
	for (; row < to->rows; row++)
		memcpy(row_of(doubled, 3, row), row_of(doubled, 2, 0),
			to->columns * sizeof(double));
	allow(doubled, to, (double)doubled->ports[1].rows,
		largest(doubled, 0) * largest(doubled, 1));
}

/* Computes several products. Each product starts with its own rows of the right matrices. */
void double_matmul(struct doubled *doubled)
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

void double_transpose(struct doubled *doubled)
{
	for (uint64_t row = 0; row < doubled->ports[1].rows; row++)
		for (uint64_t column = 0; column < doubled->ports[1].columns; column++)
			row_of(doubled, 1, row)[column] = row_of(doubled, 0, column)[row];
	doubled->ports[1].units = element_is_block(doubled->use->element) ? 1 : 0;
}

void double_concat(struct doubled *doubled)
{
	uint64_t columns = doubled->ports[0].columns;

	for (uint64_t row = 0; row < doubled->ports[2].rows; row++)
		for (uint64_t column = 0; column < doubled->ports[2].columns; column++)
			row_of(doubled, 2, row)[column] =
				column < columns ? row_of(doubled, 0, row)[column]
						 : row_of(doubled, 1, row)[column - columns];
}

void double_concat_rows(struct doubled *doubled)
{
	uint64_t rows = doubled->ports[0].rows;

	for (uint64_t row = 0; row < doubled->ports[2].rows; row++)
		memcpy(row_of(doubled, 2, row),
			row < rows ? row_of(doubled, 0, row) : row_of(doubled, 1, row - rows),
			doubled->ports[2].columns * sizeof(double));
}

void double_slice(struct doubled *doubled)
{
	const uint32_t *slice = doubled->use->slice;

	for (uint64_t row = 0; row < doubled->ports[1].rows; row++)
		for (uint64_t column = 0; column < doubled->ports[1].columns; column++)
			row_of(doubled, 1, row)[column] = row_of(
				doubled, 0, slice[0] * 32ull + row)[slice[1] * 32ull + column];
}

/* Computes row `row` of the attention. The query in this row attends to keys of its own head: to
 * all of them, or with a causal mask, to the keys up to the query's own position. The last query
 * has the position of the last key. */
static void attend(struct doubled *doubled, uint64_t row)
{
	uint64_t wide = doubled->ports[0].columns, keys = doubled->use->tiles[2] * 32ull;
	uint64_t rows = doubled->use->tiles[0] * 32ull, first = row / rows * keys;
	bool masked = strcmp(doubled->row->name, "attention_masked") == 0;
	double *y = row_of(doubled, doubled->row->port_count - 1, row);
	double *scores = calloc(keys, sizeof *scores), most = -INFINITY, sum = 0;

	if (strcmp(doubled->row->name, "attention_causal") == 0)
		keys = keys - rows + row % rows + 1;

	for (uint64_t k = 0; k < keys; k++) {
		for (uint64_t i = 0; i < wide; i++)
			scores[k] += row_of(doubled, 0, row)[i] * row_of(doubled, 1, first + k)[i] /
				     sqrt((double)wide);
		scores[k] += masked ? row_of(doubled, 3, row % rows)[k] : 0;
		most = fmax(most, scores[k]);
	}
	for (uint64_t k = 0; k < keys; k++)
		sum += scores[k] = exp(scores[k] - most);
	for (uint64_t k = 0; k < keys; k++)
		for (uint64_t i = 0; i < wide; i++)
			y[i] += scores[k] / sum * row_of(doubled, 2, first + k)[i];
	free(scores);
}

void double_attention(struct doubled *doubled)
{
	struct doubles *to = &doubled->ports[doubled->row->port_count - 1];
	double scores;

	for (uint64_t row = 0; row < to->rows; row++)
		attend(doubled, row);
	/* if a score has an absolute error, its exponential has the same relative error */
	scores = largest(doubled, 0) * largest(doubled, 1) * sqrt((double)to->columns);
	allow(doubled, to, scores * (double)to->columns + doubled->use->tiles[2] * 32.0,
		largest(doubled, 2));
}

void double_rotary(struct doubled *doubled)
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
