/* Tests that model binaries that contradict themselves are rejected with a reason. */
#include <stdlib.h>
#include <string.h>

#include "small_binary.h"
#include "test.h"

static void unknown_tensor(struct small *small)
{
	small->operation.ports[1] = 3;
}

static void read_too_early(struct small *small)
{
	small->operation.ports[1] = 2;
}

static void written_twice(struct small *small)
{
	small->operation.ports[2] = 0;
}

static void output_not_written(struct small *small)
{
	small->operation.ports[2] = 2;
	small->program.input_count = 0;
	small->operation.ports[0] = 0;
	small->output = 1;
}

static void too_few_values(struct small *small)
{
	small->constant.count--;
}

static void values_twice(struct small *small)
{
	small->golden[1].tensor = 1;
}

static void no_rank(struct small *small)
{
	small->tensors[1].rank = 0;
}

static void too_large(struct small *small)
{
	small->tensors[1].shape[0] = small->tensors[1].shape[1] = 1 << 20;
}

static void divided_unevenly(struct small *small)
{
	struct chip_geometry chip = small_geometry();

	model_system_init(&small->binary.system, "n150", 1, 3, &chip);
	small->tensors[1].split = MODEL_COLUMNS;
}

static void summands_as_input(struct small *small)
{
	small->tensors[1].split = MODEL_PARTIAL;
	small->binary.golden_count = 0;
}

static void other_hash(struct small *small)
{
	small->binary.system.dram_banks++;
}

static void constants_with_inputs(struct small *small)
{
	small->program.constant = true;
}

static void escape_in_a_name(struct small *small)
{
	small->tensors[1].name = "x\033[31m";
}

static void bad_tolerance(struct small *small)
{
	small->golden[1].tolerance = -1;
}

static void no_programs(struct small *small)
{
	small->binary.program_count = 0;
}

/* Tries to write a binary. The reason for which it is rejected must be `reason`. */
static void rejected(const struct small *small, const char *reason)
{
	struct text why = {0}, bytes = {0};

	assert_int_equal(model_binary_write(&small->binary, &bytes, &why), STATUS_INVALID);
	assert_string_equal(text_string(&why), reason);
	text_fini(&why);
	text_fini(&bytes);
}

static void contradictions_are_refused(void **state)
{
	static const struct {
		void (*change)(struct small *small);
		const char *why;
	} rows[] = {
		{unknown_tensor, "operation 'sum' names tensor 3, but there are 3"},
		{read_too_early,
			"operation 'sum' reads tensor 'y', which nothing before has written"},
		{written_twice, "operation 'sum' writes tensor 'weight' a second time"},
		{output_not_written, "output 'x' of program 'forward' is never written"},
		{too_few_values, "constant of tensor 'weight': 1023 values for 1024 elements"},
		{values_twice, "golden value of tensor 'x' occurs twice"},
		{no_rank, "tensor 'x' has 0 dimensions, but allowed are 1 to 4"},
		{too_large, "tensor 'x' has more than 67108864 elements"},
		{divided_unevenly, "tensor 'x': 32 columns do not divide among 3 devices"},
		{summands_as_input, "tensor 'x' of program 'forward' has split partial, which the "
				    "host cannot write or read"},
		{other_hash, "the description of its machine contradicts its hash"},
		{constants_with_inputs, "program 'forward' computes constants, but has inputs"},
		{escape_in_a_name, "tensor 1 has no proper name"},
		{bad_tolerance, "golden value of tensor 'y' has a tolerance of -1"},
		{no_programs, "3 tensors, 0 programs, 0 operations, 1 constants, 2 golden values "
			      "are too many or none"},
	};
	struct small *small = malloc(sizeof *small);

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		small_init(small);
		rows[i].change(small);
		rejected(small, rows[i].why);
	}
	free(small);
}

/* ---- costs ---- */

static void runs_for_no_time(struct small *small)
{
	small->cost.cycles = 0;
}

static void runs_too_long(struct small *small)
{
	small->cost.cycles = UINT64_MAX;
}

static void has_no_kernels(struct small *small)
{
	small->cost.kernel_bytes = 0;
}

static void slots_outside_the_mesh(struct small *small)
{
	small->cost.slots = 3;
}

static void slots_without_columns(struct small *small)
{
	small->cost.slot_columns = 0;
}

static void cost_reads_a_tensor(struct small *small)
{
	small->timed.port_count = 2;
}

static void cost_makes_a_constant(struct small *small)
{
	small->programs[1].constant = true;
}

static void bound_by_nothing(struct small *small)
{
	small->cost.bound = "";
}

static void too_many_links(struct small *small)
{
	small->operation.links = 5;
}

static void bad_costs_are_refused(void **state)
{
	static const struct {
		void (*change)(struct small *small);
		const char *why;
	} rows[] = {
		{runs_for_no_time, "operation 'gate' has kernels of 0 cycles and 512 bytes"},
		{runs_too_long, "operation 'gate' has kernels of 18446744073709551615 cycles and "
				"512 bytes"},
		{has_no_kernels, "operation 'gate' has kernels of 1350 cycles and 0 bytes"},
		{slots_outside_the_mesh, "operation 'gate': 3 programs on 1 x 2 devices each"},
		{slots_without_columns, "operation 'gate': 2 programs on 1 x 0 devices each"},
		{cost_reads_a_tensor, "operation 'gate' computes no values, but has 2 tensors, a "
				      "slice or a conversion"},
		{cost_makes_a_constant, "program 'timed' computes constants, but operation 'gate' "
					"computes no values"},
		{bound_by_nothing, "operation 'gate' has no resource that bounds it"},
		{too_many_links, "operation 'sum' has 5 links, but allowed are 0 to 4"},
	};
	struct small *small = malloc(sizeof *small);

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		small_with_cost(small);
		rows[i].change(small);
		rejected(small, rows[i].why);
	}
	free(small);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contradictions_are_refused),
		cmocka_unit_test(bad_costs_are_refused),
	};

	if (!model_binary_available())
		return 77; /* this build has no FlatBuffers */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
