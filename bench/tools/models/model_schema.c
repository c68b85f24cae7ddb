/* Schemas of model files. */
#include "layout/element.h"
#include "mesh/mesh.h"
#include "model_private.h"

static const char *const split_names[] = {"none", "rows", "inner", "columns", "batches", NULL};
static const char *const layout_names[] = {"interleaved", "sharded", NULL};
static const char *const memory_names[] = {"l1", "dram", NULL};
static const char *const fidelity_names[] = {"lofi", "hifi2", "hifi3", "hifi4", NULL};
static const char *const collectives_names[] = {"steps", "time", NULL};
const char *const model_function_names[] = {"copy", "add", "multiply", "reduce", "scale", "exp",
	"reciprocal", "sqrt", "gelu", "silu", "tanh", NULL};
const char *const model_collective_names[] = {
	"all_gather", "reduce_scatter", "all_reduce", "all_to_all", NULL};
const char *const model_topology_names[] = {"line", "ring", NULL};
const char *const model_arrivals_names[] = {"constant", "poisson", NULL};

static const char *model_element_name(size_t index)
{
	return index < ELEMENT_COUNT ? element_name((enum element)index) : NULL;
}

#define SIZE_JSON "{\"type\": [\"integer\", \"string\"]}"
#define SIZE(type, member, key, ...)                                                               \
	SCHEMA_CUSTOM(type, member, key, expression_bind, .json = SIZE_JSON, __VA_ARGS__)

static const struct schema_field extent_item =
	SCHEMA_ITEM_CUSTOM(struct expression, expression_bind, .json = SIZE_JSON);
static const struct schema_field function_item =
	SCHEMA_ITEM_ENUM(uint32_t, model_function_names, .name = "function");
static const struct schema_field rectangle_item = SCHEMA_ITEM_INT(uint16_t, .min = 1, .max = 256);

#define COMMON(type)                                                                               \
	SCHEMA_STRING(type, common.name, "name", .required = true, .is_file_name = true,           \
		.help = "its name in results", SCHEMA_WHERE(type, common.where)),                  \
		SCHEMA_INT(type, common.cores, "cores", .max = 65536, .fallback = "0",             \
			.help = "cores of each device that it runs on; 0: all"),                   \
		SCHEMA_INT(type, common.kernel_bytes, "kernel_bytes", .min = 16, .max = 65536,     \
			.fallback = "8192", .unit = "B", .help = "binary of its program")

#define SHAPE(type, rank, text)                                                                    \
	SCHEMA_ARRAY(type, shape, "shape", &extent_item, .min = rank, .max = rank,                 \
		.required = true, .help = text)
#define ELEMENT(type, member, key, usual, text)                                                    \
	SCHEMA_REGISTRY(type, member, key, model_element_name, .fallback = usual, .help = text)
#define LAYOUT(type)                                                                               \
	SCHEMA_ENUM(type, layout, "layout", layout_names, .fallback = "interleaved",               \
		.help = "pages of what is read from DRAM go to all banks in turn; or each core "   \
			"reads the bank beside it, which is faster")
#define MEMORY(type)                                                                               \
	SCHEMA_ENUM(type, memory, "memory", memory_names, .fallback = "l1",                        \
		.help = "where its inputs and outputs lie")
#define FIDELITY(type)                                                                             \
	SCHEMA_ENUM(type, fidelity, "fidelity", fidelity_names, .fallback = "hifi2",               \
		.help = "phases of a product of two tiles: 1 to 4")
#define SPLIT(type, usual)                                                                         \
	SCHEMA_ENUM(type, split, "split", split_names, .fallback = usual,                          \
		.help = "extent that is divided over the devices; none: each does all")

static const struct schema_field matmul_fields[] = {
	COMMON(struct matmul_keys),
	SHAPE(struct matmul_keys, 3, "[rows, inner extent, columns], before it is divided"),
	SIZE(struct matmul_keys, batches, "batches", .fallback = "1",
		.help = "matrices, each with weights of its own"),
	SPLIT(struct matmul_keys, "columns"),
	ELEMENT(struct matmul_keys, weights, "weights", "bfp_bf8", "type of the weights, in DRAM"),
	LAYOUT(struct matmul_keys),
	ELEMENT(struct matmul_keys, activations, "activations", "bf16", "type of other values"),
	MEMORY(struct matmul_keys),
	FIDELITY(struct matmul_keys),
};
static const struct schema matmul_schema = SCHEMA("matmul", struct matmul_keys, matmul_fields,
	.help = "a product of activations and weights");

static const struct schema_field attention_fields[] = {
	COMMON(struct attention_keys),
	SIZE(struct attention_keys, users, "users", .required = true, .help = "sequences"),
	SIZE(struct attention_keys, queries, "queries", .fallback = "1",
		.help = "tokens of each sequence that ask"),
	SIZE(struct attention_keys, context, "context", .required = true,
		.help = "tokens of each sequence that are asked"),
	SIZE(struct attention_keys, heads, "heads", .required = true),
	SIZE(struct attention_keys, kv_heads, "kv_heads", .required = true,
		.help = "heads of keys and values; heads are a multiple"),
	SIZE(struct attention_keys, head, "head", .required = true, .help = "values of a head"),
	ELEMENT(struct attention_keys, cache, "cache", "bfp_bf8",
		"type of keys and values, in DRAM"),
	LAYOUT(struct attention_keys),
	ELEMENT(struct attention_keys, activations, "activations", "bf16", "type of other values"),
	FIDELITY(struct attention_keys),
};
static const struct schema attention_schema =
	SCHEMA("attention", struct attention_keys, attention_fields,
		.help = "attention to a cache of keys and values; heads of all sequences are "
			"divided over the devices");

static const struct schema_field elementwise_fields[] = {
	COMMON(struct elementwise_keys),
	SHAPE(struct elementwise_keys, 2, "[rows, columns], before it is divided"),
	SCHEMA_ARRAY(struct elementwise_keys, functions, "functions", &function_item,
		SCHEMA_COUNT(struct elementwise_keys, function_count), .min = 1, .max = 16,
		.required = true,
		.help = "what is done to each tile, one after the other; their cycles are the "
			"platform's firmware.tile_*"),
	SCHEMA_INT(struct elementwise_keys, inputs, "inputs", .min = 1, .max = 8, .fallback = "1",
		.help = "matrices that it reads"),
	SCHEMA_INT(struct elementwise_keys, outputs, "outputs", .min = 1, .max = 8, .fallback = "1",
		.help = "matrices that it writes"),
	SPLIT(struct elementwise_keys, "columns"),
	ELEMENT(struct elementwise_keys, activations, "activations", "bf16", "type of the values"),
	MEMORY(struct elementwise_keys),
};
static const struct schema elementwise_schema =
	SCHEMA("elementwise", struct elementwise_keys, elementwise_fields,
		.help = "functions of each element: norms, activations, sums, embeddings");

static const struct schema_field model_collective_fields[] = {
	SCHEMA_STRING(struct collective_keys, name, "name", .required = true, .is_file_name = true,
		.help = "its name in results", SCHEMA_WHERE(struct collective_keys, where)),
	SCHEMA_ENUM(struct collective_keys, op, "op", model_collective_names, .required = true,
		.help = "what the devices of a group have in the end"),
	SHAPE(struct collective_keys, 2, "[rows, columns] of the whole tensor"),
	ELEMENT(struct collective_keys, activations, "activations", "bf16", "type of the values"),
	SCHEMA_ENUM(struct collective_keys, topology, "topology", model_topology_names,
		.fallback = "ring", .help = "how the devices of a group are joined"),
	SCHEMA_INT(struct collective_keys, links, "links", .max = 16, .fallback = "0",
		.help = "parallel links between neighbours that are used; 0: all"),
};
static const struct schema model_collective_schema =
	SCHEMA("model_collective", struct collective_keys, model_collective_fields,
		.help = "a collective of the devices of each group; nothing if it has one device");

static const struct schema_field experts_fields[] = {
	COMMON(struct experts_keys),
	SHAPE(struct experts_keys, 3, "[rows, inner extent, columns] of each expert's product"),
	SIZE(struct experts_keys, experts, "experts", .required = true,
		.help = "experts whose weights the devices hold"),
	SIZE(struct experts_keys, active, "active", .required = true,
		.help = "experts that get tokens in one call"),
	SCHEMA_ARRAY(struct experts_keys, devices, "devices", &rectangle_item, .min = 2, .max = 2,
		.fallback = "[1, 1]", .help = "[rows, columns] of devices of one expert",
		SCHEMA_WHERE(struct experts_keys, devices_where)),
	ELEMENT(struct experts_keys, weights, "weights", "bfp_bf8", "type of the weights, in DRAM"),
	LAYOUT(struct experts_keys),
	ELEMENT(struct experts_keys, activations, "activations", "bf16", "type of other values"),
	MEMORY(struct experts_keys),
	FIDELITY(struct experts_keys),
};
static const struct schema experts_schema = SCHEMA("experts", struct experts_keys, experts_fields,
	.help = "products of a mixture of experts: a program on each rectangle of devices, all "
		"enqueued at once");

static const struct schema_variant operation_variant[] = {
	[OPERATION_MATMUL] = {.field = SCHEMA_MAP(
				      struct operation, matmul, "matmul", &matmul_schema)},
	[OPERATION_ATTENTION] = {.field = SCHEMA_MAP(struct operation, attention, "attention",
					 &attention_schema)},
	[OPERATION_ELEMENTWISE] = {.field = SCHEMA_MAP(struct operation, elementwise, "elementwise",
					   &elementwise_schema)},
	[OPERATION_COLLECTIVE] = {.field = SCHEMA_MAP(struct operation, collective, "collective",
					  &model_collective_schema)},
	[OPERATION_EXPERTS] = {.field = SCHEMA_MAP(
				       struct operation, experts, "experts", &experts_schema)},
};
static const struct schema_variants operation_variants = {
	.name = "operation",
	.help = "one operation of a model",
	.size = sizeof(struct operation),
	.tag_offset = offsetof(struct operation, kind),
	SCHEMA_WHERE(struct operation, where),
	.variants = operation_variant,
	.variant_count = OPERATION_KINDS,
};
static const struct schema_field operation_item =
	SCHEMA_ITEM_VARIANT(struct operation, &operation_variants);

static const struct schema_field size_item = SCHEMA_ITEM_CUSTOM(struct named_size, expression_bind,
	.offset = offsetof(struct named_size, value), .json = SIZE_JSON);

#define SIZES(type, text)                                                                          \
	SCHEMA_DICT(type, sizes, size_count, "sizes", &size_item, struct named_size, name,         \
		.min = 0, .max = MODEL_SIZES_MAX, .help = text)

static const struct schema_field phase_fields[] = {
	SCHEMA_STRING(struct phase_keys, name, "phase", .required = true, .is_file_name = true,
		.help = "its name", SCHEMA_WHERE(struct phase_keys, where)),
	SCHEMA_INT(struct phase_keys, times, "times", .min = 1, .max = MODEL_TIMES_MAX,
		.fallback = "1", .help = "calls of the model in a row"),
	SIZES(struct phase_keys, "sizes that differ in this phase"),
};
static const struct schema phase_schema = SCHEMA("phase", struct phase_keys, phase_fields,
	.help = "calls of the model with sizes of their own, such as a prompt or a token");
static const struct schema_field phase_item = SCHEMA_ITEM_MAP(struct phase_keys, &phase_schema);

static const struct schema_field placement_fields[] = {
	SCHEMA_ARRAY(struct placement_keys, tensor, "tensor", &rectangle_item, .min = 2, .max = 2,
		.fallback = "[1, 1]",
		.help = "[rows, columns] of devices of a group, which share each operation"),
	SCHEMA_INT(struct placement_keys, data, "data", .min = 1, .max = MODEL_GROUPS_MAX,
		.fallback = "1", .help = "groups that each do all on other requests"),
	SCHEMA_INT(struct placement_keys, pipeline, "pipeline", .min = 1, .max = MODEL_GROUPS_MAX,
		.fallback = "1", .help = "groups that each do a part of the layers, in a row"),
};
static const struct schema placement_schema = SCHEMA("placement", struct placement_keys,
	placement_fields, .help = "how the model is divided over the mesh",
	SCHEMA_WHERE(struct placement_keys, where));

static const struct schema_field request_fields[] = {
	SCHEMA_INT(struct request_keys, count, "count", .min = 1, .max = MODEL_TIMES_MAX,
		.fallback = "1", .help = "how often all phases are done"),
	SCHEMA_REAL(struct request_keys, rate_per_s, "rate_per_s", .real_max = 1e9, .fallback = "0",
		.help = "requests that arrive in a second; 0: one after the other"),
	SCHEMA_ENUM(struct request_keys, arrivals, "arrivals", model_arrivals_names,
		.fallback = "constant", .help = "equally spaced, or at random"),
};
static const struct schema request_schema =
	SCHEMA("requests", struct request_keys, request_fields, .help = "the stream of requests");

#define OPERATIONS(member, key, text)                                                              \
	SCHEMA_LIST(struct model_keys_file, member.at, member.count, key, &operation_item,         \
		.min = 1, .max = MODEL_OPERATIONS_MAX, .help = text)

static const struct schema_field model_fields[] = {
	SCHEMA_INT(struct model_keys_file, version, "meshsim_model", .min = 1, .max = 1,
		.required = true, .help = "version of the format"),
	SCHEMA_STRING(struct model_keys_file, name, "name", .required = true, .is_file_name = true,
		.help = "name of the model, and of its scenario",
		SCHEMA_WHERE(struct model_keys_file, name_where)),
	SCHEMA_STRING(struct model_keys_file, description, "description", .required = true,
		.help = "the question that its scenario answers"),
	SCHEMA_STRING(struct model_keys_file, source, "source", .required = true,
		.help = "where its shapes are published"),
	SCHEMA_STRING(struct model_keys_file, platform, "platform", .required = true,
		.help = "a platform by name, or a file"),
	SIZES(struct model_keys_file, "sizes by name; one may be made from those before it"),
	SCHEMA_MAP(struct model_keys_file, placement, "placement", &placement_schema),
	OPERATIONS(before, "before", "operations before the layers"),
	SCHEMA_LIST(struct model_keys_file, layer.at, layer.count, "layer", &operation_item,
		.min = 1, .max = MODEL_OPERATIONS_MAX, .required = true,
		.help = "operations of a layer"),
	SIZE(struct model_keys_file, layers, "layers", .fallback = "1",
		.help = "how often the layer is done"),
	OPERATIONS(after, "after", "operations behind the layers"),
	SIZE(struct model_keys_file, input, "input", .fallback = "128",
		.help = "bytes that the host writes before each call"),
	SIZE(struct model_keys_file, output, "output", .fallback = "128",
		.help = "bytes that the host reads behind each call, and waits for"),
	SIZE(struct model_keys_file, between, "between", .fallback = "128",
		.help = "bytes that go from a stage of a pipeline to the next, through the host"),
	SCHEMA_LIST(struct model_keys_file, phases, phase_count, "phases", &phase_item, .min = 1,
		.max = MODEL_PHASES_MAX, .help = "calls of a request; left out: one"),
	SCHEMA_MAP(struct model_keys_file, requests, "requests", &request_schema),
	SCHEMA_ENUM(struct model_keys_file, collectives, "collectives", collectives_names,
		.fallback = "steps",
		.help = "programs that send packets over the links; or programs that take the time "
			"of the links' roofline, which are simulated faster"),
	SCHEMA_BOOL(struct model_keys_file, trace, "trace", .fallback = "false",
		.help = "capture the operations of each phase once, and replay them"),
	SCHEMA_NODE(struct model_keys_file, runtime, "runtime",
		.help = "more keys of the scenario's `runtime`", .json = "{\"type\": \"object\"}"),
	SCHEMA_NODE(struct model_keys_file, model, "model", .help = "the scenario's `model`",
		.json = "{\"type\": \"object\"}"),
	SCHEMA_NODE(struct model_keys_file, sweep, "sweep", .help = "the scenario's `sweep`",
		.json = "{\"type\": \"object\"}"),
	SCHEMA_NODE(struct model_keys_file, measure, "measure", .help = "the scenario's `measure`",
		.json = "{\"type\": \"object\"}"),
};
const struct schema model_schema = SCHEMA("model_file", struct model_keys_file, model_fields,
	.help = "a model file of meshsim, as `meshsim model` reads it");
