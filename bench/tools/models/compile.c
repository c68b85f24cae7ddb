/* Builds model binaries from model files (model.h). Their operations have costs in place of values:
 * each takes the time that its roofline gives. */
#include <math.h>
#include <string.h>

#include "execution/tensors.h"
#include "model_private.h"

enum { SIDE = 32, WORD = 4, NAMES = 2 };

/* A binary while it is built. */
struct compiler {
	struct writer writer;
	struct arena arena;
	double clock_hz;
	struct model_binary binary;
	struct model_tensor *tensors;
	struct model_program *programs;
	struct model_values *inputs;
	struct model_operation *operations; /* of the current program */
	uint32_t operation_count;
};

static struct location model_where(const struct compiler *compiler)
{
	return compiler->writer.keys->name_where;
}

/* ---- tensors ---- */

/* Returns the number of a new tensor. Reports an error if there are too many. */
static uint32_t compiler_tensor(struct compiler *compiler, const struct model_tensor *tensor)
{
	if (compiler->binary.tensor_count == MODEL_BINARY_TENSORS_MAX) {
		diag_error(compiler->writer.diag, model_where(compiler),
			"more than %d tensors, of collectives and of calls",
			MODEL_BINARY_TENSORS_MAX);
		return 0;
	}
	compiler->tensors[compiler->binary.tensor_count] = *tensor;
	return compiler->binary.tensor_count++;
}

/* Adds an input or output of the host, in pages as the scenario of the model has them. */
static uint32_t moved_tensor(struct compiler *compiler, const char *name, uint64_t bytes)
{
	enum { PAGE = 2048 };
	uint64_t line = (uint64_t)SIDE * WORD;
	uint64_t page = bytes < PAGE ? (bytes + line - 1) / line * line : PAGE;
	uint64_t pages = (bytes + page - 1) / page;
	const struct model_tensor tensor = {
		.name = arena_printf(&compiler->arena, "%s%s", compiler->writer.prefix, name),
		.rank = 3,
		.shape = {(uint32_t)pages, 1, (uint32_t)(page / WORD)},
		.element = ELEMENT_F32,
		.in_rows = true};

	return compiler_tensor(compiler, &tensor);
}

/* Gives values to an input. They are zeros, because no operation computes with them. */
static void add_values(struct compiler *compiler, uint32_t tensor)
{
	uint64_t count = model_tensor_elements(&compiler->tensors[tensor]);

	compiler->inputs[compiler->binary.golden_count++] = (struct model_values){.tensor = tensor,
		.count = count,
		.values = arena_array(&compiler->arena, count, sizeof(float))};
}

/* ---- operations ---- */

static struct model_operation *compiler_operation(
	struct compiler *compiler, struct location where, const char *name)
{
	struct model_operation *added = &compiler->operations[compiler->operation_count];

	if (compiler->operation_count == MODEL_BINARY_OPERATIONS_MAX) {
		diag_error(compiler->writer.diag, where, "more than %d operations in all layers",
			MODEL_BINARY_OPERATIONS_MAX);
		return NULL;
	}
	compiler->operation_count++;
	*added = (struct model_operation){
		.name = arena_printf(&compiler->arena, "%s%s", compiler->writer.prefix, name),
		.line = where.line};
	return added;
}

static uint64_t whole(double amount)
{
	return (uint64_t)llround(amount);
}

static void add_cost(struct compiler *compiler, const struct operation *operation, uint64_t times)
{
	static const char *const kinds[OPERATION_KINDS] = {
		"matmul", "attention", "elementwise", "collective", "experts"};
	struct writer *writer = &compiler->writer;
	struct model_cost *cost = arena_alloc(&compiler->arena, sizeof *cost);
	struct model_operation *added;
	struct operation_work work;
	enum roofline_bound longest;
	uint64_t ns;

	operation_work(operation, &writer->sizes, writer->keys->placement.tensor, writer->machine,
		writer->diag, &work);
	ns = writer_time(writer, operation, &work, times, &longest);
	added = compiler_operation(compiler, operation->where, work.name);
	if (!added)
		return;
	added->kind = kinds[operation->kind];
	added->cores = work.cores < writer->machine->cores ? work.cores : 0;
	added->cost = cost;
	*cost = (struct model_cost){
		.cycles = (uint64_t)((double)ns * compiler->clock_hz * 1e-9 + 0.5),
		.ns = ns,
		.kernel_bytes = work.kernel_bytes,
		.slots = work.slots,
		.bound = roofline_bound_name(longest),
		.matrix_cycles = whole(work.roofline.matrix_cycles),
		.vector_cycles = whole(work.roofline.vector_cycles),
		.dram_bytes = whole(work.roofline.dram_bytes),
		.noc_bytes = whole(work.roofline.noc_bytes),
		.link_bytes = whole(work.roofline.link_bytes)};
	if (work.slots > 0) {
		cost->slot_rows = operation->experts.devices[0];
		cost->slot_columns = operation->experts.devices[1];
	}
}

/* Sets the shapes of what a collective reads and writes, in pages of a tile. */
static void collective_tensors(struct compiler *compiler, const struct execution_kind *kind,
	uint64_t bytes, struct model_tensor *from, struct model_tensor *to)
{
	uint32_t devices =
		(uint32_t)compiler->binary.system.mesh.rows * compiler->binary.system.mesh.columns;
	uint64_t piece = (uint64_t)element_tile_bytes(ELEMENT_BF16, SIDE, SIDE) * devices;
	uint32_t rows = (uint32_t)((bytes + piece - 1) / piece) * devices * SIDE;

	*from = (struct model_tensor){
		.rank = 2, .shape = {rows, SIDE}, .element = ELEMENT_BF16, .split = MODEL_PARTIAL};
	*to = *from;
	to->split = kind->op == COLLECTIVE_REDUCE_SCATTER ? MODEL_ROWS : MODEL_WHOLE;
	if (kind->op == COLLECTIVE_ALL_GATHER)
		from->split = MODEL_ROWS;
}

/* Adds a collective that sends packets. The operation before it writes what it reads. */
static void compile_collective(struct compiler *compiler, const struct operation *operation)
{
	const struct collective_keys *keys = &operation->collective;
	const char *name = model_collective_names[keys->op];
	struct writer *writer = &compiler->writer;
	struct model_operation *before, *added;
	struct model_tensor from, to;
	struct operation_work work;
	struct execution_kind kind;
	struct text why = {0};

	operation_work(operation, &writer->sizes, writer->keys->placement.tensor, writer->machine,
		writer->diag, &work);
	if (!execution_kind_find(name, &kind))
		text_printf(&why, "binaries have no %s that sends packets", name);
	else if (execution_kind_check(&kind, compiler->binary.system.mesh.rows,
			 compiler->binary.system.mesh.columns, &why) == STATUS_OK &&
		 (compiler->operation_count == 0 ||
			 !compiler->operations[compiler->operation_count - 1].cost))
		text_append(&why, "no operation before it writes what it reads");
	if (why.length > 0)
		diag_error(writer->diag, keys->where,
			"collective '%s': %s; say `collectives: time`", keys->name,
			text_string(&why));
	else if ((added = compiler_operation(compiler, operation->where, work.name)) != NULL) {
		before = added - 1;
		collective_tensors(compiler, &kind, work.collective_bytes, &from, &to);
		from.name = arena_printf(&compiler->arena, "%s.from", added->name);
		to.name = arena_printf(&compiler->arena, "%s.to", added->name);
		before->ports[before->port_count++] = compiler_tensor(compiler, &from);
		added->kind = name;
		added->ring = keys->topology == 1;
		added->links = work.roofline.links;
		added->port_count = NAMES;
		added->ports[0] = before->ports[0];
		added->ports[1] = compiler_tensor(compiler, &to);
	}
	text_fini(&why);
}

static void add_operations(
	struct compiler *compiler, const struct operations *operations, uint64_t times)
{
	const struct model_keys_file *keys = compiler->writer.keys;
	bool alone = keys->placement.tensor[0] * keys->placement.tensor[1] == 1;

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];

		if (operation->kind != OPERATION_COLLECTIVE)
			add_cost(compiler, operation, times);
		else if (!alone && keys->collectives == COLLECTIVES_STEPS)
			compile_collective(compiler, operation);
		else if (!alone)
			add_cost(compiler, operation, times);
	}
}

/* ---- programs ---- */

/* The last operation writes the output. If a collective is the last one, or if there is none, the
 * model has nothing that a cost could stand for. */
static void end_program(struct compiler *compiler, uint32_t output)
{
	struct model_operation *last = &compiler->operations[compiler->operation_count - 1];

	if (compiler->operation_count == 0 || !last->cost)
		diag_error(compiler->writer.diag, model_where(compiler),
			"the last operation of a program must be one that computes: it writes the "
			"output");
	else
		last->ports[last->port_count++] = output;
}

static void compile_program(
	struct compiler *compiler, const struct phase_keys *phase, uint32_t stage)
{
	struct writer *writer = &compiler->writer;
	const struct model_keys_file *keys = writer->keys;
	bool staged = keys->placement.pipeline > 1;
	uint64_t layers = writer_layers(writer, stage);
	uint32_t *moved = arena_array(&compiler->arena, NAMES, sizeof *moved);
	size_t errors = diag_errors(writer->diag);
	const char *name = phase ? phase->name : "forward";

	writer->held = (struct footprint){0};
	compiler->operations = arena_array(
		&compiler->arena, MODEL_BINARY_OPERATIONS_MAX + 1, sizeof *compiler->operations);
	compiler->operation_count = 0;
	moved[0] = moved_tensor(
		compiler, "input", writer_bytes(writer, stage ? &keys->between : &keys->input));
	moved[1] = moved_tensor(compiler, "output", writer_output_bytes(writer, stage));
	add_values(compiler, moved[0]);
	if (stage == 0)
		add_operations(compiler, &keys->before, 1);
	for (uint64_t i = 0; i < layers && diag_errors(writer->diag) == errors; i++)
		add_operations(compiler, &keys->layer, i == 0 ? layers : 0);
	if (stage + 1 == keys->placement.pipeline)
		add_operations(compiler, &keys->after, 1);
	end_program(compiler, moved[1]);
	writer_keep_largest(writer);
	compiler->programs[compiler->binary.program_count++] = (struct model_program){
		.name = staged ? arena_printf(&compiler->arena, "%s-stage%u", name, stage) : name,
		.input_count = 1,
		.output_count = 1,
		.operation_count = compiler->operation_count,
		.inputs = &moved[0],
		.outputs = &moved[1],
		.operations = compiler->operations};
}

static void compile_programs(struct compiler *compiler)
{
	const struct model_keys_file *keys = compiler->writer.keys;
	uint32_t phases = keys->phase_count > 0 ? keys->phase_count : 1;
	uint32_t count = phases * keys->placement.pipeline;

	if (count > MODEL_BINARY_PROGRAMS_MAX) {
		diag_error(compiler->writer.diag, keys->placement.where,
			"%u programs of phases and stages, but a binary has at most %d", count,
			MODEL_BINARY_PROGRAMS_MAX);
		return;
	}
	compiler->programs = arena_array(&compiler->arena, count, sizeof *compiler->programs);
	compiler->inputs = arena_array(&compiler->arena, count, sizeof *compiler->inputs);
	for (uint32_t i = 0; i < phases; i++) {
		const struct phase_keys *phase = keys->phase_count > 0 ? &keys->phases[i] : NULL;

		if (phase)
			writer_set_phase(&compiler->writer, phase);
		for (uint32_t stage = 0; stage < keys->placement.pipeline; stage++)
			compile_program(compiler, phase, stage);
	}
}

/* ---- the whole ---- */

static void compiler_init(struct compiler *compiler, const struct model *model, const char *file,
	const char *platform_name, const struct platform *platform)
{
	const uint16_t *group = model->keys.placement.tensor;

	compiler->clock_hz = platform_real(platform, "chip.aiclk");
	compiler->tensors =
		arena_array(&compiler->arena, MODEL_BINARY_TENSORS_MAX, sizeof *compiler->tensors);
	compiler->binary.name = model->keys.name;
	compiler->binary.file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	model_system_init(&compiler->binary.system, platform_name, group[0], group[1],
		platform_cluster(platform)->chips[0].geometry);
}

bool model_build_binary(const struct model *model, const char *file, const char *source,
	const char *platform_name, const struct platform *platform, struct diag *diag,
	struct text *out)
{
	size_t errors = diag_errors(diag);
	struct roofline_machine machine;
	struct compiler compiler = {0};
	struct text why = {0};

	roofline_machine_init(&machine, platform);
	writer_init(&compiler.writer, model, &machine, diag, NULL);
	compiler_init(&compiler, model, file, platform_name, platform);
	compiler.binary.source = source;
	writer_check_placement(&compiler.writer, platform);
	if (diag_errors(diag) == errors)
		compile_programs(&compiler);
	writer_check_memory(&compiler.writer);
	compiler.binary.tensors = compiler.tensors;
	compiler.binary.programs = compiler.programs;
	compiler.binary.golden = compiler.inputs;
	if (diag_errors(diag) == errors &&
		model_binary_write(&compiler.binary, out, &why) != STATUS_OK)
		diag_error(diag, model_where(&compiler), "%s", text_string(&why));
	writer_fini(&compiler.writer);
	text_fini(&why);
	arena_fini(&compiler.arena);
	return diag_errors(diag) == errors;
}
