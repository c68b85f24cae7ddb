/* Builds model binaries from graph files (graph.h). Looks up names, computes shapes, and inserts
 * conversions between layouts. */
#include <string.h>

#include "base/nearest.h"
#include "graph_private.h"

enum { SIDE = 32 };

/* ---- operations ---- */

static struct model_operation *operation_add(struct builder *builder, struct location where)
{
	if (builder->operation_count == GRAPH_OPERATIONS_MAX * 2) {
		diag_error(builder->diag, where, "more than %d operations with conversions",
			GRAPH_OPERATIONS_MAX * 2);
		return NULL;
	}
	return &builder->operations[builder->operation_count++];
}

/* Adds an operation of kind `kind`. It converts tensor `from` to the memory and the layout of
 * tensor `like`. If the current program already contains this conversion, adds nothing. Returns
 * the number of the converted tensor, or NO_TENSOR after an error. */
static uint32_t convert(struct builder *builder, const char *kind, uint32_t from,
	const struct model_tensor *like, struct location where)
{
	struct model_operation *operation;
	uint32_t to;

	for (uint32_t i = 0; i < builder->operation_count; i++) {
		const struct model_operation *before = &builder->operations[i];
		const struct model_tensor *left = &builder->tensors[before->ports[1]];

		if (before->conversion && before->ports[0] == from &&
			strcmp(before->kind, kind) == 0 && left->in_l1 == like->in_l1 &&
			left->arrangement == like->arrangement && left->in_rows == like->in_rows)
			return before->ports[1];
	}
	to = graph_tensor_add(builder, like, where);
	operation = to == NO_TENSOR ? NULL : operation_add(builder, where);
	if (!operation)
		return NO_TENSOR;
	builder->tensors[to].name =
		arena_printf(builder->arena, "%.160s.%s%u", like->name, kind, to);
	*operation = (struct model_operation){.name = builder->tensors[to].name,
		.kind = kind,
		.port_count = 2,
		.ports = {from, to},
		.conversion = true,
		.line = where.line};
	return to;
}

/* Returns the tensor that an operation reads at a port, or NO_TENSOR after an error. This is tensor
 * `number`, or, if the operation needs other pages, another memory or another arrangement, a copy
 * that is converted to these. */
static uint32_t as_read(struct builder *builder, const struct graph_operation_keys *keys,
	const struct execution_kind *kind, uint32_t port, uint32_t number, struct location where)
{
	bool copies = kind->row && strcmp(kind->row->name, "copy") == 0;
	struct model_tensor wanted = builder->tensors[number];

	if (keys->read_memory != MEMORY_ANY)
		wanted.in_l1 = keys->read_memory == MEMORY_IN_L1;
	if (keys->read_arrangement != ARRANGEMENT_ANY)
		wanted.arrangement = keys->read_arrangement - 1;
	if (!copies && wanted.in_rows != operation_port_in_rows(kind, port)) {
		wanted.in_rows = !wanted.in_rows;
		return convert(
			builder, wanted.in_rows ? "untilize" : "tilize", number, &wanted, where);
	}
	if (wanted.in_l1 != builder->tensors[number].in_l1 ||
		wanted.arrangement != builder->tensors[number].arrangement)
		return convert(builder, "copy", number, &wanted, where);
	return number;
}

static bool kind_named(struct builder *builder, const struct graph_operation_keys *keys,
	struct execution_kind *kind)
{
	struct nearest nearest;

	if (execution_kind_find(keys->kind, kind))
		return true;
	nearest_start(&nearest, keys->kind);
	for (size_t i = 0; execution_kind_name(i); i++)
		nearest_offer(&nearest, execution_kind_name(i));
	diag_error(builder->diag, keys->kind_where, "no operation '%s'%s%s%s", keys->kind,
		nearest.best ? ", did you mean '" : "", nearest.best ? nearest.best : "",
		nearest.best ? "'?" : "");
	return false;
}

static const struct graph_read *read_of(const struct graph_operation_keys *keys, const char *port)
{
	for (uint32_t i = 0; i < keys->read_count; i++)
		if (strcmp(keys->reads[i].port, port) == 0)
			return &keys->reads[i];
	return NULL;
}

/* Checks that the file names only ports that the operation reads. Returns false after an error. */
static bool graph_check_ports(struct builder *builder, const struct graph_operation_keys *keys,
	const struct execution_kind *kind)
{
	uint32_t reads = operation_port_count(kind) - 1;
	size_t errors = diag_errors(builder->diag);

	for (uint32_t i = 0; i < keys->read_count; i++) {
		struct nearest nearest;
		bool known = false;

		nearest_start(&nearest, keys->reads[i].port);
		for (uint32_t port = 0; port < reads; port++) {
			known |= strcmp(operation_port_name(kind, port), keys->reads[i].port) == 0;
			nearest_offer(&nearest, operation_port_name(kind, port));
		}
		if (!known)
			diag_error(builder->diag, keys->reads[i].where,
				"operation '%s' reads no '%s'%s%s%s", keys->kind,
				keys->reads[i].port, nearest.best ? ", did you mean '" : "",
				nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
	}
	return diag_errors(builder->diag) == errors;
}

static void set_slice(struct builder *builder, const struct graph_operation_keys *keys,
	struct model_operation *operation)
{
	operation->slice_count = keys->slice_count;
	for (uint32_t i = 0; i < keys->slice_count; i++) {
		bool zero = strcmp(keys->slice[i].text, "0") == 0;
		uint64_t value = zero ? 0
				      : expression_value(&keys->slice[i], &builder->sizes,
						MODEL_BINARY_ELEMENTS_MAX, builder->diag);

		if (value % SIDE != 0 || (zero && i >= 2))
			diag_error(builder->diag, keys->slice[i].where,
				"a slice of %llu elements is not of whole tiles of %d",
				(unsigned long long)value, SIDE);
		operation->slice[i] = (uint32_t)(value / SIDE);
	}
	if ((keys->slice_count > 0) != (strcmp(operation->kind, "slice") == 0))
		diag_error(builder->diag, keys->kind_where,
			keys->slice_count ? "operation '%s' takes no slice"
					  : "operation '%s' needs a slice",
			keys->kind);
}

/* Sets the shape of the tensor that an operation writes. */
static void set_written_shape(struct builder *builder, const struct graph_operation_keys *keys,
	const struct model_tensor *from, const struct tile_shape_of *local, struct model_tensor *to)
{
	uint32_t rows = local->rows * SIDE, columns = local->columns * SIDE, heads = local->heads;
	uint32_t times = builder->devices;
	struct tile_shape_of given;
	struct text why = {0};

	if (keys->rank > 0) {
		graph_set_shape(builder, to, keys->extents, keys->rank);
	} else {
		struct model_tensor same = *from;

		same.split = to->split;
		if (tensor_tile_shape(&same, times, &given, NULL) == STATUS_OK &&
			memcmp(&given, local, sizeof given) == 0) {
			to->rank = from->rank;
			memcpy(to->shape, from->shape, sizeof to->shape);
			return;
		}
		columns *= to->split == MODEL_COLUMNS ? times : 1;
		rows *= to->split == MODEL_ROWS ? times : 1;
		heads *= to->split == MODEL_HEADS ? times : 1;
		to->rank = heads > 1 ? 3 : 2;
		memcpy(to->shape,
			heads > 1 ? (uint32_t[]){heads, rows, columns}
				  : (uint32_t[]){rows, columns, 0},
			3 * sizeof(uint32_t));
	}
	if (tensor_tile_shape(to, times, &given, &why) != STATUS_OK)
		diag_error(builder->diag, keys->to_where, "%s", text_string(&why));
	else if (given.heads * given.rows * given.columns !=
			 local->heads * local->rows * local->columns ||
		 given.columns != local->columns)
		diag_error(builder->diag, keys->to_where,
			"tensor '%s' would have %u rows and %u columns of tiles on a device, but "
			"the operation writes %u and %u",
			keys->to, given.heads * given.rows, given.columns,
			local->heads * local->rows, local->columns);
	text_fini(&why);
}

/* Finds the tensors that an operation reads, and their shapes. Converts tensors where the operation
 * needs another layout. Returns false after an error. */
static bool take_reads(struct builder *builder, const struct graph_operation_keys *keys,
	const struct execution_kind *kind, struct model_operation *operation,
	struct operation_shapes *shapes)
{
	struct text why = {0};
	bool good = true;

	for (uint32_t port = 0; port + 1 < operation->port_count && good; port++) {
		const struct graph_read *read = read_of(keys, operation_port_name(kind, port));
		uint32_t number = NO_TENSOR;

		if (!read)
			diag_error(builder->diag, keys->kind_where, "operation '%s' has no '%s'",
				keys->kind, operation_port_name(kind, port));
		else
			number = graph_tensor_named(builder, read->tensor, read->where);
		good = number != NO_TENSOR &&
		       tensor_tile_shape(&builder->tensors[number], builder->devices,
			       &shapes->shapes[port], &why) == STATUS_OK;
		if (number != NO_TENSOR && !good)
			diag_error(builder->diag, read->where, "%s", text_string(&why));
		if (good)
			number = as_read(builder, keys, kind, port, number, read->where);
		operation->ports[port] = number;
		good = good && number != NO_TENSOR;
		if (good && builder->tensors[number].element !=
				    builder->tensors[operation->ports[0]].element) {
			diag_error(builder->diag, read->where,
				"tensor '%s' is %s, but '%s' is %s: an operation reads one type of "
				"elements",
				read->tensor, element_name(builder->tensors[number].element),
				builder->tensors[operation->ports[0]].name,
				element_name(builder->tensors[operation->ports[0]].element));
			good = false;
		}
	}
	text_fini(&why);
	return good;
}

/* Makes the tensor that the operation writes, and appends the operation. Its other ports are
 * already set. */
static void finish_operation(struct builder *builder, const struct graph_operation_keys *keys,
	const struct execution_kind *kind, struct model_operation *operation,
	const struct tile_shape_of *local)
{
	const struct model_tensor *from = &builder->tensors[operation->ports[0]];
	struct model_tensor to = {.name = keys->to,
		.element = from->element,
		.in_l1 = keys->memory == 1,
		.arrangement = keys->arrangement,
		.split = (enum model_split)keys->split};
	struct model_operation *added;
	uint32_t number;

	set_written_shape(builder, keys, from, local, &to);
	to.in_rows = operation_port_in_rows(kind, operation->port_count - 1);
	if (kind->row && strcmp(kind->row->name, "copy") == 0)
		to.in_rows = from->in_rows;
	number = graph_tensor_add(builder, &to, keys->to_where);
	added = number == NO_TENSOR ? NULL : operation_add(builder, keys->where);
	if (!added)
		return;
	operation->ports[operation->port_count - 1] = number;
	*added = *operation;
	if (keys->in_rows != to.in_rows) {
		builder->tensors[number].name =
			arena_printf(builder->arena, "%.160s.made", keys->to);
		to.in_rows = keys->in_rows;
		number = convert(
			builder, to.in_rows ? "untilize" : "tilize", number, &to, keys->to_where);
		if (number == NO_TENSOR)
			return;
		builder->tensors[number].name = keys->to;
	}
	graph_tensor_show(builder, number, keys->to_where);
}

static void build_operation(struct builder *builder, const struct graph_operation_keys *keys)
{
	struct operation_shapes shapes = {.devices = builder->devices};
	struct execution_kind kind;
	struct model_operation operation = {.name = keys->name ? keys->name : keys->to,
		.kind = keys->kind,
		.cores = keys->cores,
		.line = keys->kind_where.line};
	struct text why = {0};

	if (!kind_named(builder, keys, &kind))
		return;
	operation.port_count = operation_port_count(&kind);
	set_slice(builder, keys, &operation);
	memcpy(shapes.slice, operation.slice, sizeof shapes.slice);
	if (!graph_check_ports(builder, keys, &kind) ||
		!take_reads(builder, keys, &kind, &operation, &shapes))
		return;
	if (execution_kind_check(&kind, builder->graph->keys.mesh[0], builder->graph->keys.mesh[1],
		    &why) != STATUS_OK ||
		operation_shapes_infer(&kind, &shapes, &why) != STATUS_OK)
		diag_error(builder->diag, keys->kind_where, "operation '%s': %s", keys->kind,
			text_string(&why));
	else
		finish_operation(
			builder, keys, &kind, &operation, &shapes.shapes[operation.port_count - 1]);
	text_fini(&why);
}

/* ---- programs ---- */

static void build_program(struct builder *builder, const struct graph_program_keys *keys,
	struct model_program *program)
{
	uint32_t *inputs = arena_array(builder->arena, keys->input_count + 1, sizeof *inputs);
	uint32_t *outputs = arena_array(builder->arena, keys->output_count, sizeof *outputs);
	size_t errors = diag_errors(builder->diag);

	for (uint32_t i = 0; i < builder->binary.tensor_count; i++)
		builder->built[i].visible = builder->built[i].lasting;
	builder->operations =
		arena_array(builder->arena, GRAPH_OPERATIONS_MAX * 2, sizeof *builder->operations);
	builder->operation_count = 0;
	if (keys->constant && keys->input_count > 0)
		diag_error(builder->diag, keys->inputs[0].where,
			"program '%s' computes constants, so it has no inputs", keys->name);
	for (uint32_t i = 0; i < keys->input_count; i++)
		inputs[i] = graph_add_given(builder, &keys->inputs[i]);
	/* After an error, stop: later operations would only report that tensors are missing. */
	for (uint32_t i = 0; i < keys->operation_count && diag_errors(builder->diag) == errors; i++)
		build_operation(builder, &keys->operations[i]);
	for (uint32_t i = 0; i < keys->output_count && diag_errors(builder->diag) == errors; i++) {
		outputs[i] =
			graph_tensor_named(builder, keys->outputs[i].name, keys->outputs[i].where);
		if (outputs[i] != NO_TENSOR && builder->tensors[outputs[i]].split == MODEL_PARTIAL)
			diag_error(builder->diag, keys->outputs[i].where,
				"output '%s' is of summands (split: partial), which the host "
				"cannot read",
				keys->outputs[i].name);
		if (keys->constant && outputs[i] != NO_TENSOR)
			builder->built[outputs[i]].lasting = true;
	}
	*program = (struct model_program){.name = keys->name,
		.constant = keys->constant,
		.input_count = keys->input_count,
		.output_count = keys->output_count,
		.operation_count = builder->operation_count,
		.inputs = inputs,
		.outputs = outputs,
		.operations = builder->operations};
}

static void build_constants(struct builder *builder)
{
	const struct graph_keys *keys = &builder->graph->keys;

	for (uint32_t i = 0; i < keys->constant_count; i++) {
		uint32_t number = graph_add_given(builder, &keys->constants[i]);

		if (number != NO_TENSOR)
			builder->built[number].lasting = true;
	}
}

static void build_programs(struct builder *builder)
{
	const struct graph_keys *keys = &builder->graph->keys;
	struct model_program *programs =
		arena_array(builder->arena, keys->program_count, sizeof *programs);

	for (uint32_t i = 0; i < keys->program_count; i++) {
		for (uint32_t j = 0; j < i; j++)
			if (strcmp(keys->programs[i].name, keys->programs[j].name) == 0)
				diag_error(builder->diag, keys->programs[i].where,
					"two programs are called '%s'", keys->programs[i].name);
		build_program(builder, &keys->programs[i], &programs[i]);
	}
	builder->binary.programs = programs;
	builder->binary.program_count = keys->program_count;
}

/* ---- the whole ---- */

static void builder_init(
	struct builder *builder, const struct graph *graph, struct arena *arena, struct diag *diag)
{
	const struct graph_keys *keys = &graph->keys;

	*builder = (struct builder){.graph = graph,
		.arena = arena,
		.diag = diag,
		.devices = (uint32_t)keys->mesh[0] * keys->mesh[1],
		.tensors = arena_array(arena, MODEL_BINARY_TENSORS_MAX, sizeof *builder->tensors),
		.built = arena_array(arena, MODEL_BINARY_TENSORS_MAX, sizeof *builder->built)};
	builder->sizes.at = arena_array(arena, MODEL_SIZES_MAX, sizeof *builder->sizes.at);
	for (uint32_t i = 0; i < keys->size_count; i++) {
		uint64_t value = expression_value(
			&keys->sizes[i].value, &builder->sizes, EXPRESSION_VALUE_MAX, diag);

		builder->sizes.at[builder->sizes.count++] =
			(struct size_value){keys->sizes[i].name, value};
	}
}

/* Reports an error if the mesh is larger than the machine. */
static void check_mesh(struct builder *builder, const struct platform *platform)
{
	const struct cluster_info *cluster = platform_cluster(platform);
	const struct platform_hosts *hosts = platform_hosts(platform);
	const uint16_t *mesh = builder->graph->keys.mesh;
	uint32_t rows = hosts ? hosts->mesh_rows : cluster->mesh_rows;
	uint32_t columns = hosts ? hosts->mesh_columns : cluster->mesh_columns;

	if (mesh[0] > rows || mesh[1] > columns)
		diag_error(builder->diag, builder->graph->keys.mesh_where,
			"a mesh of %u x %u devices, but the machine has %u x %u", mesh[0], mesh[1],
			rows, columns);
}

bool graph_build(const struct graph *graph, const char *file, const char *platform_name,
	const struct platform *platform, struct diag *diag, struct text *out)
{
	size_t errors = diag_errors(diag);
	struct arena arena = {0};
	struct builder builder;
	struct text why = {0};

	builder_init(&builder, graph, &arena, diag);
	check_mesh(&builder, platform);
	build_constants(&builder);
	build_programs(&builder);
	builder.binary.name = graph->keys.name;
	builder.binary.tensors = builder.tensors;
	builder.binary.file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	builder.binary.source = graph->text;
	model_system_init(&builder.binary.system, platform_name, graph->keys.mesh[0],
		graph->keys.mesh[1], platform_cluster(platform)->chips[0].geometry);
	if (diag_errors(diag) == errors)
		graph_values_make(&builder);
	if (diag_errors(diag) == errors)
		graph_golden_make(&builder);
	if (diag_errors(diag) == errors &&
		model_binary_write(&builder.binary, out, &why) != STATUS_OK)
		diag_error(diag, graph->keys.platform_where, "%s", text_string(&why));
	text_fini(&why);
	arena_fini(&arena);
	return diag_errors(diag) == errors;
}
