/* Makes small model binaries (small_binary.h). */
#include "small_binary.h"

#include <string.h>

struct chip_geometry small_geometry(void)
{
	return (struct chip_geometry){.worker_rows = 8,
		.worker_columns = 8,
		.dram_bank_count = 12,
		.l1_bytes = 1 << 20,
		.dram_bank_bytes = 1 << 30};
}

void small_init(struct small *small)
{
	struct chip_geometry chip = small_geometry();
	const struct model_tensor tensor = {.rank = 2, .shape = {32, 32}, .element = ELEMENT_BF16};

	*small = (struct small){.tensors = {tensor, tensor, tensor}, .input = 1, .output = 2};
	for (uint32_t i = 0; i < SMALL_ELEMENTS; i++)
		small->values[i] = (float)i / 8;
	small->tensors[0].name = "weight";
	small->tensors[1].name = "x";
	small->tensors[2].name = "y";
	small->operation = (struct model_operation){
		.name = "sum", .kind = "add", .port_count = 3, .ports = {1, 0, 2}, .line = 7};
	small->program = (struct model_program){
		"forward", false, 1, 1, 1, &small->input, &small->output, &small->operation};
	small->constant = (struct model_values){0, 0, SMALL_ELEMENTS, small->values};
	small->golden[0] = (struct model_values){1, 0, SMALL_ELEMENTS, small->values};
	small->golden[1] = (struct model_values){2, 0.5f, SMALL_ELEMENTS, small->values};
	small->binary = (struct model_binary){.name = "small",
		.tensor_count = 3,
		.program_count = 1,
		.constant_count = 1,
		.golden_count = 2,
		.tensors = small->tensors,
		.programs = &small->program,
		.constants = &small->constant,
		.golden = small->golden,
		.file = "small.yaml",
		.source = "name: small"};
	model_system_init(&small->binary.system, "n150", 1, 1, &chip);
}

/* Adds a program whose operation runs on two rectangles of devices, and writes tensor 3. */
void small_with_cost(struct small *small)
{
	struct chip_geometry chip = small_geometry();

	small_init(small);
	memcpy(small->four, small->tensors, sizeof small->tensors);
	small->four[3] = small->tensors[2];
	small->four[3].name = "z";
	small->made = 3;
	small->cost = (struct model_cost){.cycles = 1350,
		.ns = 1000,
		.kernel_bytes = 512,
		.slots = 2,
		.slot_rows = 1,
		.slot_columns = 2,
		.bound = "DRAM",
		.matrix_cycles = 1,
		.vector_cycles = 2,
		.dram_bytes = 3,
		.noc_bytes = 4,
		.link_bytes = 5};
	small->timed = (struct model_operation){.name = "gate",
		.kind = "experts",
		.port_count = 1,
		.ports = {3},
		.cores = 9,
		.cost = &small->cost};
	small->programs[0] = small->program;
	small->programs[1] =
		(struct model_program){"timed", false, 0, 1, 1, NULL, &small->made, &small->timed};
	small->binary.tensor_count = 4;
	small->binary.tensors = small->four;
	small->binary.program_count = 2;
	small->binary.programs = small->programs;
	model_system_init(&small->binary.system, "n150", 2, 2, &chip);
}
