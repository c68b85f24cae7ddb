/* Computes operations in doubles, directly from their definitions (graph_private.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "graph_private.h"

enum { SIDE = 32 };

/* An operation on one device. A part consists of matrices, one per head, which are stored one after
 * the other. Rows are counted across all matrices of a part. */
struct golden {
	const struct operation_shapes *shapes;
	const struct golden_part *const *reads;
	struct golden_part *to;
};

static double *row_of(const struct golden_part *part, uint64_t row)
{
	return part->at + row * part->columns;
}

static uint64_t rows_of(const struct golden_part *part)
{
	return (uint64_t)part->heads * part->rows;
}

/* ---- elements ---- */

static double add_of(double a, double b)
{
	return a + b;
}

static double multiply_of(double a, double b)
{
	return a * b;
}

static void golden_binary(const struct golden *golden, double (*of)(double, double), bool row)
{
	for (uint64_t i = 0; i < rows_of(golden->to); i++)
		for (uint32_t k = 0; k < golden->to->columns; k++)
			row_of(golden->to, i)[k] = of(row_of(golden->reads[0], i)[k],
				row_of(golden->reads[1], row ? 0 : i)[k]);
}

static double copy_of(double x)
{
	return x;
}

static double reciprocal_of(double x)
{
	return 1 / x;
}

static double gelu_of(double x)
{
	return 0.5 * x * erfc(-x / sqrt(2));
}

static double silu_of(double x)
{
	return x / (1 + exp(-x));
}

static void golden_unary(const struct golden *golden, double (*of)(double))
{
	for (uint64_t i = 0; i < rows_of(golden->to); i++)
		for (uint32_t k = 0; k < golden->to->columns; k++)
			row_of(golden->to, i)[k] = of(row_of(golden->reads[0], i)[k]);
}

/* ---- rows ---- */

static void golden_softmax(double *x, uint64_t count)
{
	double most = -INFINITY, sum = 0;

	for (uint64_t i = 0; i < count; i++)
		most = fmax(most, x[i]);
	for (uint64_t i = 0; i < count; i++)
		sum += x[i] = exp(x[i] - most);
	for (uint64_t i = 0; i < count; i++)
		x[i] /= sum;
}

static void golden_norm(const struct golden *golden, bool centred)
{
	uint32_t n = golden->to->columns;

	for (uint64_t row = 0; row < rows_of(golden->to); row++) {
		const double *x = row_of(golden->reads[0], row);
		double mean = 0, squares = 0;

		for (uint32_t i = 0; i < n; i++)
			mean += centred ? x[i] / n : 0;
		for (uint32_t i = 0; i < n; i++)
			squares += (x[i] - mean) * (x[i] - mean) / n;
		for (uint32_t i = 0; i < n; i++)
			row_of(golden->to, row)[i] = (x[i] - mean) / sqrt(squares + 1e-5) *
							     row_of(golden->reads[1], 0)[i] +
						     (centred ? row_of(golden->reads[2], 0)[i] : 0);
	}
}

/* ---- products ---- */

/* Multiplies matrices. If `each` is set, each head has its own right matrix; otherwise all heads
 * have the same one. */
static void golden_product(const struct golden *golden, bool each, const struct golden_part *bias)
{
	const struct golden_part *left = golden->reads[0], *right = golden->reads[1];
	uint64_t rows = golden->shapes->tiles[0] * SIDE;

	for (uint64_t row = 0; row < rows_of(golden->to); row++) {
		uint64_t first = each ? row / rows * left->columns : 0;
		double *to = row_of(golden->to, row);

		for (uint32_t column = 0; column < golden->to->columns; column++) {
			to[column] = bias ? row_of(bias, 0)[column] : 0;
			for (uint32_t k = 0; k < left->columns; k++)
				to[column] +=
					row_of(left, row)[k] * row_of(right, first + k)[column];
		}
	}
}

/* Which keys a query attends to. */
enum golden_mask { ALL, CAUSAL, GIVEN };

static void golden_attention(const struct golden *golden, enum golden_mask mask)
{
	const struct golden_part *queries = golden->reads[0];
	uint64_t rows = golden->shapes->tiles[0] * SIDE, keys = golden->shapes->tiles[2] * SIDE;
	double *scores = allocate(keys, sizeof *scores);

	for (uint64_t row = 0; row < rows_of(golden->to); row++) {
		uint64_t first = row / rows * keys;
		uint64_t count = mask == CAUSAL ? keys - rows + row % rows + 1 : keys;
		double *to = row_of(golden->to, row);

		for (uint64_t k = 0; k < count; k++) {
			double sum = 0;

			for (uint32_t i = 0; i < queries->columns; i++)
				sum += row_of(queries, row)[i] *
				       row_of(golden->reads[1], first + k)[i];
			scores[k] = sum / sqrt(queries->columns);
			if (mask == GIVEN)
				scores[k] += row_of(golden->reads[3], row % rows)[k];
		}
		golden_softmax(scores, count);
		for (uint32_t i = 0; i < golden->to->columns; i++) {
			to[i] = 0;
			for (uint64_t k = 0; k < count; k++)
				to[i] += scores[k] * row_of(golden->reads[2], first + k)[i];
		}
	}
	free(scores);
}

static void golden_rotary(const struct golden *golden)
{
	uint32_t half = golden->to->columns / 2;

	for (uint64_t row = 0; row < rows_of(golden->to); row++) {
		uint64_t position = row % rows_of(golden->reads[1]);
		const double *x = row_of(golden->reads[0], row);
		const double *cosines = row_of(golden->reads[1], position);
		const double *sines = row_of(golden->reads[2], position);

		for (uint32_t i = 0; i < half; i++) {
			row_of(golden->to, row)[i] = x[i] * cosines[i] - x[half + i] * sines[i];
			row_of(golden->to, row)[half + i] =
				x[half + i] * cosines[half + i] + x[i] * sines[half + i];
		}
	}
}

/* ---- moves ---- */

static void golden_transpose(const struct golden *golden)
{
	for (uint64_t row = 0; row < rows_of(golden->to); row++)
		for (uint32_t k = 0; k < golden->to->columns; k++)
			row_of(golden->to, row)[k] = row_of(golden->reads[0], k)[row];
}

static void golden_concat(const struct golden *golden)
{
	const struct golden_part *left = golden->reads[0], *right = golden->reads[1];

	for (uint64_t row = 0; row < rows_of(golden->to); row++) {
		memcpy(row_of(golden->to, row), row_of(left, row), left->columns * sizeof(double));
		memcpy(row_of(golden->to, row) + left->columns, row_of(right, row),
			right->columns * sizeof(double));
	}
}

static void golden_concat_rows(const struct golden *golden)
{
	const struct golden_part *above = golden->reads[0], *below = golden->reads[1];
	uint64_t first = rows_of(above) * above->columns;

	memcpy(golden->to->at, above->at, first * sizeof(double));
	memcpy(golden->to->at + first, below->at, rows_of(below) * below->columns * sizeof(double));
}

static void golden_slice(const struct golden *golden)
{
	const uint32_t *slice = golden->shapes->slice;

	for (uint64_t row = 0; row < rows_of(golden->to); row++)
		memcpy(row_of(golden->to, row),
			row_of(golden->reads[0], slice[0] * SIDE + row) + slice[1] * SIDE,
			golden->to->columns * sizeof(double));
}

void golden_operation(const struct execution_kind *kind, const struct operation_shapes *shapes,
	const struct golden_part *const *reads, struct golden_part *to)
{
	static const struct {
		const char *name;
		double (*of)(double);
	} unary[] = {{"copy", copy_of}, {"tilize", copy_of}, {"untilize", copy_of}, {"exp", exp},
		{"reciprocal", reciprocal_of}, {"sqrt", sqrt}, {"gelu", gelu_of}, {"silu", silu_of},
		{"tanh", tanh}};
	const struct golden golden = {.shapes = shapes, .reads = reads, .to = to};
	const char *name = kind->row->name;

	for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
		if (strcmp(unary[i].name, name) == 0) {
			golden_unary(&golden, unary[i].of);
			return;
		}
	if (strncmp(name, "add", 3) == 0) {
		golden_binary(&golden, add_of, strcmp(name, "add_row") == 0);
	} else if (strncmp(name, "multiply", 8) == 0) {
		golden_binary(&golden, multiply_of, strcmp(name, "multiply_row") == 0);
	} else if (strncmp(name, "matmul", 6) == 0) {
		golden_product(&golden, true, NULL);
	} else if (strcmp(name, "linear") == 0) {
		golden_product(&golden, false, reads[2]);
	} else if (strcmp(name, "softmax") == 0) {
		golden_unary(&golden, copy_of);
		for (uint64_t row = 0; row < rows_of(to); row++)
			golden_softmax(row_of(to, row), to->columns);
	} else if (strcmp(name, "layer_norm") == 0 || strcmp(name, "rms_norm") == 0) {
		golden_norm(&golden, *name == 'l');
	} else if (strncmp(name, "attention", 9) == 0) {
		golden_attention(&golden, strcmp(name, "attention_causal") == 0 ? CAUSAL
					  : name[9] == '\0'			? ALL
										: GIVEN);
	} else if (strcmp(name, "rotary") == 0) {
		golden_rotary(&golden);
	} else if (strcmp(name, "transpose") == 0) {
		golden_transpose(&golden);
	} else if (strcmp(name, "concat") == 0) {
		golden_concat(&golden);
	} else if (strcmp(name, "concat_rows") == 0) {
		golden_concat_rows(&golden);
	} else {
		ensure(strcmp(name, "slice") == 0, "operation '%s' has no golden values", name);
		golden_slice(&golden);
	}
}
