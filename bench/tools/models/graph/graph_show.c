/* Describes model binaries in readable text (bench/tools/models/graph.h). */
#include <string.h>

#include "bench/tools/models/graph.h"
#include "graph_private.h"
#include "memory/placement.h"

enum { WIDE = 80 };

/* Appends a line. If it is too wide, breaks it at spaces, and indents the further lines. */
static void append_wrapped(struct text *out, uint32_t indent, const char *line)
{
	size_t column = indent;

	text_printf(out, "%*s", (int)indent, "");
	for (bool first = true; *line; first = false) {
		size_t word = strcspn(line, " ");

		if (!first && column + 1 + word > WIDE) {
			text_printf(out, "\n%*s", (int)indent + 4, "");
			column = indent + 4;
		} else if (!first) {
			text_append_char(out, ' ');
			column++;
		}
		text_append_bytes(out, line, word);
		column += word;
		line += word;
		line += strspn(line, " ");
	}
	text_append_char(out, '\n');
}

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
		struct text line = {0};

		text_printf(&line, "%s ", what);
		append_tensor(binary, list[i], &line);
		append_wrapped(out, 2, text_string(&line));
		text_fini(&line);
	}
}

static void append_operation(const struct model_binary *binary,
	const struct model_operation *operation, struct text *out)
{
	struct text line = {0};

	text_printf(&line, "%s%s", operation->kind, operation->conversion ? " (conversion)" : "");
	for (uint32_t i = 0; i + 1 < operation->port_count; i++)
		text_printf(
			&line, "%s%s", i ? ", " : " ", binary->tensors[operation->ports[i]].name);
	text_append(&line, " -> ");
	append_tensor(binary, operation->ports[operation->port_count - 1], &line);
	if (operation->line)
		text_printf(&line, " # line %u", operation->line);
	append_wrapped(out, 4, text_string(&line));
	text_fini(&line);
}

static void append_program(
	const struct model_binary *binary, const struct model_program *program, struct text *out)
{
	bool costs = false;

	text_printf(out, "program %s%s\n", program->name,
		program->constant ? " (constant: runs once, at loading)" : "");
	append_list(binary, "input", program->inputs, program->input_count, out);
	for (uint32_t k = 0; k < program->operation_count; k++)
		costs |= program->operations[k].cost != NULL;
	if (costs)
		cost_show(program, out);
	for (uint32_t k = 0; !costs && k < program->operation_count; k++)
		append_operation(binary, &program->operations[k], out);
	append_list(binary, "output", program->outputs, program->output_count, out);
}

void model_binary_show(const struct model_binary *binary, struct text *out)
{
	const struct model_system *system = &binary->system;
	struct text line = {0};
	uint64_t constants = 0;

	for (uint32_t i = 0; i < binary->constant_count; i++)
		constants += binary->constants[i].count;
	text_printf(&line, "%s: model binary, version %u.%u.%u, made by %s from %s", binary->name,
		binary->major, binary->minor, binary->patch, binary->maker, binary->file);
	append_wrapped(out, 0, text_string(&line));
	text_clear(&line);
	text_printf(&line,
		"machine: %s, %u x %u devices of %u x %u workers with %u bytes of L1, %u DRAM "
		"banks of %llu bytes (hash %016llx)",
		system->platform, system->mesh.rows, system->mesh.columns, system->worker_rows,
		system->worker_columns, system->l1_bytes, system->dram_banks,
		(unsigned long long)system->dram_bank_bytes, (unsigned long long)system->hash);
	append_wrapped(out, 0, text_string(&line));
	text_clear(&line);
	text_printf(&line, "%u tensors, %u constants of %llu values, %u golden values",
		binary->tensor_count, binary->constant_count, (unsigned long long)constants,
		binary->golden_count);
	append_wrapped(out, 0, text_string(&line));
	text_fini(&line);
	for (uint32_t i = 0; i < binary->program_count; i++)
		append_program(binary, &binary->programs[i], out);
}
