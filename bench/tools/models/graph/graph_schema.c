/* Schemas of graph files. */
#include "graph_private.h"

static const char *const values_names[] = {"drawn", "cosines", "sines", NULL};
static const char *const memory_names[] = {"dram", "l1", NULL};
static const char *const read_memory_names[] = {"any", "dram", "l1", NULL};
static const char *const arrangement_names[] = {
	"interleaved", "height-sharded", "width-sharded", "block-sharded", NULL};
static const char *const read_arrangement_names[] = {
	"any", "interleaved", "height-sharded", "width-sharded", "block-sharded", NULL};
static const char *const split_names[] = {"whole", "rows", "columns", "heads", "partial", NULL};

static const char *graph_element_name(size_t index)
{
	return index < ELEMENT_COUNT ? element_name((enum element)index) : NULL;
}

#define SIZE_JSON "{\"type\": [\"integer\", \"string\"]}"

static const struct schema_field extent_item =
	SCHEMA_ITEM_CUSTOM(struct expression, expression_bind, .json = SIZE_JSON);
static const struct schema_field mesh_item = SCHEMA_ITEM_INT(uint16_t, .min = 1, .max = 256);

#define SHAPE(type, ...)                                                                           \
	SCHEMA_ARRAY(type, extents, "shape", &extent_item, SCHEMA_COUNT(type, rank), .min = 1,     \
		.max = MODEL_BINARY_RANK_MAX, __VA_ARGS__)
#define LAYOUT(type)                                                                               \
	SCHEMA_BOOL(type, in_rows, "in_rows", .fallback = "false",                                 \
		.help = "a page is a row of elements, not a tile of 32x32"),                       \
		SCHEMA_ENUM(type, memory, "memory", memory_names, .fallback = "dram",              \
			.help = "where its pages lie"),                                            \
		SCHEMA_ENUM(type, arrangement, "layout", arrangement_names,                        \
			.fallback = "interleaved", .help = "how pages go to banks or cores"),      \
		SCHEMA_ENUM(type, split, "split", split_names, .fallback = "whole",                \
			.help = "what each device of the mesh has: all of it, a part of its "      \
				"rows, columns or heads, or a summand of it")

static const struct schema_field tensor_fields[] = {
	SCHEMA_STRING(struct graph_tensor_keys, name, "tensor", .required = true,
		.is_file_name = true, .help = "its name",
		SCHEMA_WHERE(struct graph_tensor_keys, where)),
	SHAPE(struct graph_tensor_keys, .required = true, .help = "extents, outermost first"),
	SCHEMA_REGISTRY(struct graph_tensor_keys, element, "element", graph_element_name,
		.fallback = "bf16", .help = "type of its elements on devices"),
	LAYOUT(struct graph_tensor_keys),
	SCHEMA_ENUM(struct graph_tensor_keys, values, "values", values_names, .fallback = "drawn",
		.help = "drawn at random; or cosines or sines of the angles of a rotary embedding"),
	SCHEMA_REAL(struct graph_tensor_keys, spread, "spread", .real_max = 1e6, .fallback = "1",
		.help = "drawn values differ from the mean by at most this"),
	SCHEMA_REAL(struct graph_tensor_keys, mean, "mean", .real_min = -1e6, .real_max = 1e6,
		.fallback = "0", .help = "mean of drawn values"),
};
static const struct schema tensor_schema = SCHEMA("graph_tensor", struct graph_tensor_keys,
	tensor_fields, .help = "a tensor that the host writes");
static const struct schema_field tensor_item =
	SCHEMA_ITEM_MAP(struct graph_tensor_keys, &tensor_schema);

static const struct schema_field read_item =
	SCHEMA_ITEM_STRING(.offset = offsetof(struct graph_read, tensor),
		SCHEMA_WHERE(struct graph_read, where));

static const struct schema_field operation_fields[] = {
	SCHEMA_STRING(struct graph_operation_keys, kind, "operation", .required = true,
		.help = "a program of the library (`meshsim list`), or all_gather, reduce_scatter "
			"or all_reduce",
		SCHEMA_WHERE(struct graph_operation_keys, kind_where)),
	SCHEMA_DICT(struct graph_operation_keys, reads, read_count, "in", &read_item,
		struct graph_read, port, .min = 1, .max = MODEL_BINARY_PORTS_MAX - 1,
		.required = true, .help = "tensors that it reads, by the names of its buffers",
		SCHEMA_WHERE(struct graph_operation_keys, where)),
	SCHEMA_STRING(struct graph_operation_keys, to, "to", .required = true, .is_file_name = true,
		.help = "the tensor that it writes",
		SCHEMA_WHERE(struct graph_operation_keys, to_where)),
	SHAPE(struct graph_operation_keys,
		.help = "extents of that tensor, if others than the operation's"),
	LAYOUT(struct graph_operation_keys),
	SCHEMA_ENUM(struct graph_operation_keys, read_memory, "read_memory", read_memory_names,
		.fallback = "any", .help = "memory in which it reads all tensors"),
	SCHEMA_ENUM(struct graph_operation_keys, read_arrangement, "read_layout",
		read_arrangement_names, .fallback = "any",
		.help = "layout in which it reads all tensors"),
	SCHEMA_INT(struct graph_operation_keys, cores, "cores", .max = MODEL_BINARY_CORES_MAX,
		.fallback = "0", .help = "workers of each device; 0: all"),
	SCHEMA_ARRAY(struct graph_operation_keys, slice, "slice", &extent_item,
		SCHEMA_COUNT(struct graph_operation_keys, slice_count), .min = 4, .max = 4,
		.help = "for slice: first row, first column, rows, columns, in elements from 0; "
			"all "
			"are multiples of 32"),
	SCHEMA_STRING(struct graph_operation_keys, name, "name", .is_file_name = true,
		.help = "its name in results; the tensor's if left out"),
};
static const struct schema operation_schema = SCHEMA("graph_operation", struct graph_operation_keys,
	operation_fields, .help = "an operation that computes a tensor");
static const struct schema_field operation_item =
	SCHEMA_ITEM_MAP(struct graph_operation_keys, &operation_schema);

static const struct schema_field output_item =
	SCHEMA_ITEM_STRING(.offset = offsetof(struct graph_output, name),
		SCHEMA_WHERE(struct graph_output, where));

static const struct schema_field program_fields[] = {
	SCHEMA_STRING(struct graph_program_keys, name, "program", .required = true,
		.is_file_name = true, .help = "its name",
		SCHEMA_WHERE(struct graph_program_keys, where)),
	SCHEMA_BOOL(struct graph_program_keys, constant, "constant", .fallback = "false",
		.help = "it runs once, when the binary is loaded, and its outputs are constants"),
	SCHEMA_LIST(struct graph_program_keys, inputs, input_count, "inputs", &tensor_item,
		.min = 1, .max = GRAPH_TENSORS_MAX, .help = "tensors that the host writes"),
	SCHEMA_LIST(struct graph_program_keys, operations, operation_count, "operations",
		&operation_item, .min = 1, .max = GRAPH_OPERATIONS_MAX, .required = true,
		.help = "in the order in which they run"),
	SCHEMA_LIST(struct graph_program_keys, outputs, output_count, "outputs", &output_item,
		.min = 1, .max = GRAPH_TENSORS_MAX, .required = true,
		.help = "tensors that the host reads, or that are constants"),
};
static const struct schema program_schema = SCHEMA("graph_program", struct graph_program_keys,
	program_fields, .help = "a list of operations with inputs and outputs");
static const struct schema_field program_item =
	SCHEMA_ITEM_MAP(struct graph_program_keys, &program_schema);

static const struct schema_field size_item = SCHEMA_ITEM_CUSTOM(struct named_size, expression_bind,
	.offset = offsetof(struct named_size, value), .json = SIZE_JSON);

static const struct schema_field graph_fields[] = {
	SCHEMA_INT(struct graph_keys, version, "meshsim_graph", .min = 1, .max = 1,
		.required = true, .help = "version of the format"),
	SCHEMA_STRING(struct graph_keys, name, "name", .required = true, .is_file_name = true,
		.help = "name of the model"),
	SCHEMA_STRING(struct graph_keys, description, "description", .required = true,
		.help = "what the model computes"),
	SCHEMA_STRING(struct graph_keys, source, "source", .required = true,
		.help = "where it is published"),
	SCHEMA_STRING(struct graph_keys, platform, "platform", .required = true,
		.help = "a platform by name, or a file",
		SCHEMA_WHERE(struct graph_keys, platform_where)),
	SCHEMA_ARRAY(struct graph_keys, mesh, "mesh", &mesh_item, .min = 2, .max = 2,
		.fallback = "[1, 1]", .help = "[rows, columns] of devices",
		SCHEMA_WHERE(struct graph_keys, mesh_where)),
	SCHEMA_DICT(struct graph_keys, sizes, size_count, "sizes", &size_item, struct named_size,
		name, .min = 0, .max = MODEL_SIZES_MAX,
		.help = "sizes by name; one may be made from those before it"),
	SCHEMA_INT(struct graph_keys, seed, "seed", .max = INT64_MAX, .fallback = "1",
		.help = "of drawn values"),
	SCHEMA_REAL(struct graph_keys, tolerance, "tolerance", .real_max = 1, .fallback = "0.02",
		.help = "largest difference between outputs and golden values, as a fraction of "
			"the largest golden value"),
	SCHEMA_LIST(struct graph_keys, constants, constant_count, "constants", &tensor_item,
		.min = 1, .max = GRAPH_TENSORS_MAX, .help = "weights and the like"),
	SCHEMA_LIST(struct graph_keys, programs, program_count, "programs", &program_item, .min = 1,
		.max = GRAPH_PROGRAMS_MAX, .required = true,
		.help = "programs in the order in which they are checked and loaded"),
};
const struct schema graph_schema = SCHEMA("graph_file", struct graph_keys, graph_fields,
	.help = "a graph file of meshsim, as `meshsim model build` reads it");
