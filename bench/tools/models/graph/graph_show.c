/* Describes model binaries in readable text (bench/tools/models/graph.h). */
#include <string.h>

#include "bench/tools/models/graph.h"
#include "memory/placement.h"

static void append_tensor(const struct model_binary *binary, uint32_t number, struct text *out)
{
	const struct model_tensor *tensor = &binary->tensors[number];

	text_printf(out, "%s[", tensor->name);
	for (uint32_t i = 0; i < tensor->rank; i++)
		text_printf(out, "%s%u", i ? "x" : "", tensor->shape[i]);
	text_printf(out, " %s", element_name(tensor->element));
	if (tensor->in_rows)
		text_append(out, " rows");
	text_append(out, tensor->in_l1 ? " l1" : " dram");
	if (tensor->arrangement != 0)
		text_printf(
			out, " %s", buffer_layout_name((enum buffer_layout)tensor->arrangement));
	if (tensor->split != MODEL_WHOLE)
		text_printf(out, " split %s", model_split_name(tensor->split));
	text_append_char(out, ']');
}

static void append_list(const struct model_binary *binary, const char *what, const uint32_t *list,
	uint32_t count, struct text *out)
{
	for (uint32_t i = 0; i < count; i++) {
		text_printf(out, "  %s ", what);
		append_tensor(binary, list[i], out);
		text_append_char(out, '\n');
	}
}

static void append_operation(const struct model_binary *binary,
	const struct model_operation *operation, struct text *out)
{
	text_printf(out, "    %s%s", operation->kind, operation->conversion ? " (conversion)" : "");
	for (uint32_t i = 0; i + 1 < operation->port_count; i++)
		text_printf(out, "%s%s", i ? ", " : " ", binary->tensors[operation->ports[i]].name);
	text_append(out, " -> ");
	append_tensor(binary, operation->ports[operation->port_count - 1], out);
	if (operation->line)
		text_printf(out, "  # line %u", operation->line);
	text_append_char(out, '\n');
}

void model_binary_show(const struct model_binary *binary, struct text *out)
{
	const struct model_system *system = &binary->system;
	uint64_t constants = 0;

	for (uint32_t i = 0; i < binary->constant_count; i++)
		constants += binary->constants[i].count;
	text_printf(out, "%s: model binary, version %u.%u.%u, made by %s from %s\n", binary->name,
		binary->major, binary->minor, binary->patch, binary->maker, binary->file);
	text_printf(out,
		"machine: %s, %u x %u devices of %u x %u workers with %u bytes of L1, %u DRAM "
		"banks of %llu bytes (hash %016llx)\n",
		system->platform, system->mesh.rows, system->mesh.columns, system->worker_rows,
		system->worker_columns, system->l1_bytes, system->dram_banks,
		(unsigned long long)system->dram_bank_bytes, (unsigned long long)system->hash);
	text_printf(out, "%u tensors, %u constants of %llu values, %u golden values\n",
		binary->tensor_count, binary->constant_count, (unsigned long long)constants,
		binary->golden_count);
	for (uint32_t i = 0; i < binary->program_count; i++) {
		const struct model_program *program = &binary->programs[i];

		text_printf(out, "program %s%s\n", program->name,
			program->constant ? " (constant: runs once, at loading)" : "");
		append_list(binary, "input", program->inputs, program->input_count, out);
		for (uint32_t k = 0; k < program->operation_count; k++)
			append_operation(binary, &program->operations[k], out);
		append_list(binary, "output", program->outputs, program->output_count, out);
	}
}
