/* Writes a model as a scenario (model.h): its meshes, its phases, and a step for each operation. */
#include <stdlib.h>
#include <string.h>

#include "model_private.h"

static void write_line(struct writer *writer, const char *text)
{
	text_printf(writer->out, "%*s%s\n", (int)writer->indent, "", text);
}

/* Writes a header comment or a description in lines of at most 118 characters. */
static void write_wrapped(struct writer *writer, const char *start, const char *text)
{
	enum { WIDE = 118 };
	size_t column = 0;

	while (*text) {
		size_t word = strcspn(text, " \n");

		if (column == 0 || column + 1 + word > WIDE) {
			text_printf(writer->out, "%s%s", column ? "\n" : "", start);
			column = strlen(start);
		} else {
			text_append_char(writer->out, ' ');
			column++;
		}
		text_append_bytes(writer->out, text, word);
		column += word;
		text += word;
		text += strspn(text, " \n");
	}
	text_append_char(writer->out, '\n');
}

/* Writes a map of the model file, if it is given, below a key of the scenario. */
static void write_section(struct writer *writer, const char *key, const struct tree_node *node)
{
	struct text lines = {0};
	const char *line;

	if (!node)
		return;
	text_printf(writer->out, "%s:\n", key);
	tree_write(node, &lines);
	line = text_string(&lines);
	while (*line) {
		size_t length = strcspn(line, "\n");

		text_append(writer->out, "  ");
		text_append_bytes(writer->out, line, length);
		text_append_char(writer->out, '\n');
		line += length + (line[length] == '\n');
	}
	text_fini(&lines);
}

/* ---- meshes ---- */

static void mesh_name(const struct writer *writer, uint32_t group, char *out, size_t size)
{
	snprintf(out, size, "%s%u", writer->keys->placement.data > 1 ? "replica" : "stage", group);
}

static void write_meshes(struct writer *writer)
{
	const struct placement_keys *placement = &writer->keys->placement;
	uint32_t beside = writer->machine->columns / placement->tensor[1];

	if (writer->groups == 1) {
		text_printf(writer->out, "  mesh: {shape: [%u, %u]}\n", placement->tensor[0],
			placement->tensor[1]);
		return;
	}
	text_append(writer->out, "  meshes:\n");
	for (uint32_t group = 0; group < writer->groups; group++) {
		char name[32];

		mesh_name(writer, group, name, sizeof name);
		text_printf(writer->out, "    %s: {shape: [%u, %u], offset: [%u, %u]}\n", name,
			placement->tensor[0], placement->tensor[1],
			group / beside * placement->tensor[0],
			group % beside * placement->tensor[1]);
	}
}

static void write_runtime(struct writer *writer)
{
	const struct tree_node *runtime = writer->keys->runtime;

	if (!runtime)
		text_append(writer->out, "runtime:\n");
	write_section(writer, "runtime", runtime);
	if (!tree_get(runtime, "command_queues"))
		text_append(writer->out, "  command_queues: 1\n");
	if (writer->keys->placement.data > 1 && !tree_get(runtime, "host"))
		text_append(writer->out, "  host: {clients: per-mesh}\n");
	write_meshes(writer);
}

/* ---- calls ---- */

/* Writes the start of a loop, and opens its body. `more` is a key beside `do`, or "". */
static void start_loop(struct writer *writer, const char *key, uint64_t times, const char *more)
{
	text_printf(writer->out, "%*s- %s: %llu\n", (int)writer->indent, "", key,
		(unsigned long long)times);
	writer->indent += 2;
	if (*more)
		write_line(writer, more);
}

static void open_body(struct writer *writer)
{
	write_line(writer, "do:");
	writer->indent += 2;
}

static void open_loop(struct writer *writer, const char *key, uint64_t times, const char *more)
{
	start_loop(writer, key, times, more);
	open_body(writer);
}

static void close_loop(struct writer *writer)
{
	writer->indent -= 4;
}

/* Writes a step that writes a buffer, or makes it. */
static void write_buffer(
	struct writer *writer, const char *name, uint64_t bytes, uint32_t from_stage)
{
	enum { PAGE = 2048, ALIGNMENT = 32 };
	uint64_t page = bytes < PAGE ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : PAGE;
	uint64_t whole = (bytes + page - 1) / page * page;
	char from[256] = "";

	if (from_stage != NO_STAGE)
		snprintf(from, sizeof from, ", from: %soutput, from_mesh: stage%u", writer->prefix,
			from_stage);
	text_printf(writer->out,
		"%*s- write_buffer: {buffer: %s%s, bytes: %llu, page_bytes: %llu%s}\n",
		(int)writer->indent, "", writer->prefix, name, (unsigned long long)whole,
		(unsigned long long)page, from);
}

uint64_t writer_bytes(struct writer *writer, const struct expression *expression)
{
	enum { BUFFER_BYTES_MAX = 1 << 30 };

	return expression_value(expression, &writer->sizes, BUFFER_BYTES_MAX, writer->diag);
}

uint64_t writer_output_bytes(struct writer *writer, uint32_t stage)
{
	return writer_bytes(writer, stage + 1 < writer->keys->placement.pipeline
					    ? &writer->keys->between
					    : &writer->keys->output);
}

uint64_t writer_layers(struct writer *writer, uint32_t stage)
{
	uint32_t stages = writer->keys->placement.pipeline;
	uint64_t layers = expression_value(
		&writer->keys->layers, &writer->sizes, MODEL_LAYERS_MAX, writer->diag);

	if (layers < stages)
		diag_error(writer->diag, writer->keys->placement.where,
			"%u stages of a pipeline, but %llu layers", stages,
			(unsigned long long)layers);
	return layers / stages + (stage < layers % stages);
}

static void write_call(struct writer *writer, uint32_t stage)
{
	const struct model_keys_file *keys = writer->keys;
	uint64_t layers = writer_layers(writer, stage);
	struct footprint *held = &writer->held;

	*held = (struct footprint){0};
	write_buffer(writer, "input", writer_bytes(writer, stage ? &keys->between : &keys->input),
		stage ? stage - 1 : NO_STAGE);
	if (keys->trace)
		open_loop(writer, "trace", 1, "");
	if (stage == 0)
		write_operations(writer, &keys->before, 1);
	if (layers > 1)
		open_loop(writer, "repeat", layers, "");
	write_operations(writer, &keys->layer, layers);
	if (layers > 1)
		close_loop(writer);
	if (stage + 1 == keys->placement.pipeline)
		write_operations(writer, &keys->after, 1);
	if (keys->trace)
		close_loop(writer);
	text_printf(writer->out, "%*s- read_buffer: {buffer: %soutput, blocking: true}\n",
		(int)writer->indent, "", writer->prefix);
	writer_keep_largest(writer);
}

/* Writes all calls of a phase, of one replica or of all stages. */
static void write_phase(struct writer *writer, const struct phase_keys *phase)
{
	uint32_t stages = writer->keys->placement.pipeline;

	if (phase && phase->times > 1)
		open_loop(writer, "repeat", phase->times, "");
	for (uint32_t stage = 0; stage < stages; stage++) {
		char mesh[48];

		snprintf(mesh, sizeof mesh, "mesh: stage%u", stage);
		if (stages > 1)
			open_loop(writer, "repeat", 1, mesh);
		write_call(writer, stage);
		if (stages > 1)
			close_loop(writer);
	}
	if (phase && phase->times > 1)
		close_loop(writer);
}

static void write_phases(struct writer *writer)
{
	for (uint32_t i = 0; i < writer->keys->phase_count; i++) {
		writer_set_phase(writer, &writer->keys->phases[i]);
		write_phase(writer, &writer->keys->phases[i]);
	}
	if (writer->keys->phase_count == 0)
		write_phase(writer, NULL);
}

/* Writes the steps that make the output buffers, which later steps only read. */
static void write_outputs(struct writer *writer, uint32_t group)
{
	uint32_t stage = writer->keys->placement.pipeline > 1 ? group : 0;
	uint32_t i = 0;

	do {
		if (writer->keys->phase_count)
			writer_set_phase(writer, &writer->keys->phases[i]);
		write_buffer(writer, "output", writer_output_bytes(writer, stage), NO_STAGE);
	} while (++i < writer->keys->phase_count);
}

static void write_requests(struct writer *writer, const char *mesh)
{
	const struct request_keys *requests = &writer->keys->requests;
	char line[64];

	start_loop(writer, "repeat", requests->count, mesh);
	if (requests->rate_per_s > 0) {
		snprintf(line, sizeof line, "rate_per_s: %.17g",
			requests->rate_per_s / writer->keys->placement.data);
		write_line(writer, line);
		snprintf(line, sizeof line, "arrivals: %s",
			model_arrivals_names[requests->arrivals]);
		write_line(writer, line);
	}
	open_body(writer);
	write_phases(writer);
	close_loop(writer);
}

static void write_workload(struct writer *writer)
{
	bool replicas = writer->keys->placement.data > 1;

	writer->indent = 2;
	write_line(writer, "# what programs write, and the host reads");
	for (uint32_t group = 0; group < writer->groups; group++) {
		char mesh[48], name[32];

		mesh_name(writer, group, name, sizeof name);
		snprintf(mesh, sizeof mesh, "mesh: %s", name);
		if (writer->groups > 1)
			open_loop(writer, "repeat", 1, mesh);
		write_outputs(writer, group);
		if (writer->groups > 1)
			close_loop(writer);
	}
	for (uint32_t group = 0; replicas && group < writer->groups; group++) {
		char mesh[48], name[32];

		mesh_name(writer, group, name, sizeof name);
		snprintf(mesh, sizeof mesh, "mesh: %s", name);
		write_requests(writer, mesh);
	}
	if (!replicas)
		write_requests(writer, "");
}

/* ---- the whole ---- */

void writer_check_placement(struct writer *writer, const struct platform *platform)
{
	const struct placement_keys *placement = &writer->keys->placement;
	const struct roofline_machine *machine = writer->machine;
	uint32_t places = (uint32_t)(machine->rows / placement->tensor[0]) *
			  (machine->columns / placement->tensor[1]);

	writer->groups = placement->data * placement->pipeline;
	if (placement->data > 1 && placement->pipeline > 1)
		diag_error(writer->diag, placement->where,
			"data and pipeline: only one of them may be above 1");
	else if (writer->groups > places)
		diag_error(writer->diag, placement->where,
			"%u groups of %u x %u devices, but the mesh of %u x %u has room for %u",
			writer->groups, placement->tensor[0], placement->tensor[1], machine->rows,
			machine->columns, places);
	else if (writer->groups > 1 && platform_hosts(platform))
		diag_error(writer->diag, placement->where,
			"%u groups, but a machine of several hosts has one mesh", writer->groups);
	for (int i = 0; i < 2; i++) {
		const char *const key = i ? "meshes" : "mesh";

		if (tree_get(writer->keys->runtime, key))
			diag_error(writer->diag, tree_get_pair(writer->keys->runtime, key)->where,
				"%s: `placement` says which meshes there are", key);
	}
}

static void write_head(struct writer *writer, const char *file)
{
	const double gib = 1073741824.0;
	struct text text = {0};

	text_append(writer->out, "# yaml-language-server: $schema=schema.json\n");
	text_printf(&text, "Made by `meshsim model %s`. Shapes: %s.", file, writer->keys->source);
	write_wrapped(writer, "# ", text_string(&text));
	text_clear(&text);
	text_printf(&text,
		"A device holds %.2f GiB of weights and %.2f GiB of keys and values, and has %.0f "
		"GiB of DRAM. Behind each program is the resource that bounds its time.",
		writer->most.weights / gib, writer->most.cache / gib,
		(double)writer->machine->dram_bytes / gib);
	write_wrapped(writer, "# ", text_string(&text));
	text_fini(&text);
	text_printf(writer->out, "meshsim: 1\nname: %s\ndescription: >-\n", writer->keys->name);
	write_wrapped(writer, "  ", writer->keys->description);
}

bool model_write_scenario(const struct model *model, const char *file, const char *platform_name,
	const struct platform *platform, struct diag *diag, struct text *out)
{
	size_t errors = diag_errors(diag);
	struct roofline_machine machine;
	struct text workload = {0};
	struct writer writer;

	roofline_machine_init(&machine, platform);
	writer_init(&writer, model, &machine, diag, &workload);
	writer_check_placement(&writer, platform);
	if (diag_errors(diag) == errors)
		write_workload(&writer);
	writer_check_memory(&writer);
	writer.out = out;
	if (diag_errors(diag) == errors) {
		write_head(&writer, file);
		text_printf(out, "platform: %s\nseed: 1\n", platform_name);
		write_runtime(&writer);
		write_section(&writer, "model", model->keys.model);
		text_append(out, "workload:\n");
		text_append(out, text_string(&workload));
		write_section(&writer, "sweep", model->keys.sweep);
		write_section(&writer, "measure", model->keys.measure);
	}
	writer_fini(&writer);
	text_fini(&workload);
	return diag_errors(diag) == errors;
}
