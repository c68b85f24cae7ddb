/* bench-compute: measures operations on tiles on this machine, for f32 and bf16. The values in
 * registers have the same type as those in the tiles. Each figure is the best of several tries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "bench/tools/measure/samples.h"
#include "compute/operations.h"

enum { TRIES = 7, REPEATS = 2000 };

struct operands {
	struct compute_registers registers;
	struct compute_tile left, right;
	void *out;
};

static void run_copy(struct operands *operands)
{
	compute_copy(&operands->registers, 0, &operands->left);
}

static void run_pack(struct operands *operands)
{
	compute_pack(&operands->registers, 0, operands->left.element, operands->out);
}

static void run_transpose(struct operands *operands)
{
	compute_transpose(&operands->registers, 0, &operands->left);
}

static void run_add(struct operands *operands)
{
	compute_binary(&operands->registers, 0, COMPUTE_ADD, &operands->left, &operands->right,
		COMPUTE_EACH);
}

static void run_add_row(struct operands *operands)
{
	compute_binary(&operands->registers, 0, COMPUTE_ADD, &operands->left, &operands->right,
		COMPUTE_ROW);
}

static void run_matmul(struct operands *operands)
{
	compute_matmul(&operands->registers, 0, &operands->left, &operands->right);
}

static void run_sum(struct operands *operands)
{
	compute_reduce(&operands->registers, 0, COMPUTE_SUM, COMPUTE_ALONG_ROWS, &operands->left);
}

static void run_exp(struct operands *operands)
{
	compute_copy(&operands->registers, 0, &operands->left);
	compute_unary(&operands->registers, 0, COMPUTE_EXP);
}

static void run_gelu(struct operands *operands)
{
	compute_copy(&operands->registers, 0, &operands->left);
	compute_unary(&operands->registers, 0, COMPUTE_GELU);
}

static void run_max(struct operands *operands)
{
	compute_reduce(
		&operands->registers, 0, COMPUTE_MAX, COMPUTE_ALONG_COLUMNS, &operands->left);
}

/* Clears the registers before each try, so that sums stay finite. */
static double best_ns(struct operands *operands, void (*run)(struct operands *))
{
	double best = 1e30;

	for (int i = 0; i < TRIES; i++) {
		double start;

		compute_clear(&operands->registers, 0, 0);
		start = clock_now_s();
		for (int j = 0; j < REPEATS; j++)
			run(operands);
		if (clock_now_s() - start < best)
			best = clock_now_s() - start;
	}
	return 1e9 * best / REPEATS;
}

static void fill(struct stream *stream, enum element element, void *bytes)
{
	float values[COMPUTE_ELEMENTS];

	for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++)
		values[i] = (float)stream_unit(stream) - 0.5f;
	compute_store(values, element, bytes);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*run)(struct operands *);
	} rows[] = {{"copy", run_copy}, {"pack", run_pack}, {"transpose", run_transpose},
		{"add", run_add}, {"add, a row for all", run_add_row}, {"matmul", run_matmul},
		{"sum along rows", run_sum}, {"max along columns", run_max},
		{"exp of a copy", run_exp}, {"gelu of a copy", run_gelu}};
	static const enum element elements[] = {ELEMENT_F32, ELEMENT_BF16};
	static float registers[2][COMPUTE_ELEMENTS], left[2][COMPUTE_ELEMENTS];
	static float right[2][COMPUTE_ELEMENTS], out[COMPUTE_ELEMENTS];
	struct operands operands[2];
	struct stream stream;

	stream_init(&stream, 1, "bench");
	for (int i = 0; i < 2; i++) {
		compute_registers_init(&operands[i].registers, 1, elements[i], registers[i]);
		operands[i].left = (struct compute_tile){elements[i], left[i]};
		operands[i].right = (struct compute_tile){elements[i], right[i]};
		operands[i].out = out;
		fill(&stream, elements[i], left[i]);
		fill(&stream, elements[i], right[i]);
	}
	printf("ns a tile of 32x32\n%-20s %8s %8s\n", "", "f32", "bf16");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		printf("%-20s %8.0f %8.0f\n", rows[i].name, best_ns(&operands[0], rows[i].run),
			best_ns(&operands[1], rows[i].run));
	return 0;
}
