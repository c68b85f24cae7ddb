/* Schemas of the scenario file, except for its steps (step_schema.c). Names of variants come from
 * the registries, so that errors can list the valid names. */
#include "bench/scenario/scenario.h"

#include "base/nearest.h"
#include "chip/sim_device.h"
#include "distributed/choices.h"
#include "fabric/tree.h"
#include "mesh/defaults.h"
#include "host/constants.h"
#include "mesh/config.h"
#include "programs/gather.h"
#include "scenario_private.h"
#include "bench/scenario/hosts.h"
#include "transport/rows.h"
#include "wire/codec.h"
#include "world/channel.h"
#include "world/bounds.h"

static const char *const stage_names[] = {"default", "own", "merged", NULL};
static const char *const coordinates_names[] = {"virtual", "physical", NULL};
static const char *const dispatch_cores_names[] = {"worker", "ethernet", NULL};
static const char *const bring_up_names[] = {"ready", "timed", NULL};
static const char *const trace_names[] = {"off", "replicated", "sharded", NULL};
static const char *const wait_names[] = {"spin", "spin-then-park", "park", NULL};
static const char *const worker_wait_names[] = {"spin", "spin-then-park", "park", "yield", NULL};
static const char *const cores_names[] = {"each", "chip", NULL};
static const char *const noc_names[] = {"interfaces", "links", NULL};
static const char *const clients_names[] = {"one", "per-mesh", NULL};
static const char *const switch_names[] = {"off", "on", NULL};

/* Readers of YAML 1.1 read a plain `off` or `on` as a boolean, so keys with these values also
 * accept `false` and `true`. Some of these keys also accept `none` for `off`, and `full` for
 * `on`. */
static const struct schema_alias trace_aliases[] = {
	{"none", "off"}, {"false", "off"}, {NULL, NULL}};
static const struct schema_alias switch_aliases[] = {
	{"false", "off"}, {"true", "on"}, {NULL, NULL}};
static const struct schema_alias noise_aliases[] = {
	{"none", "off"}, {"full", "on"}, {"false", "off"}, {"true", "on"}, {NULL, NULL}};

/* initiators: N | per-row | per-column | per-gateway */
static void bind_initiators(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	struct initiators_keys *initiators = member;
	char described[TREE_DESCRIBE_BYTES];
	struct nearest nearest;
	int64_t count;

	(void)field;
	if (node->kind == TREE_SCALAR && tree_integer(node, &count) == STATUS_OK) {
		if (count < 1 || count > BOUND_CHIPS)
			diag_error(context->diag, node->where,
				"initiators: %lld: there are 1 to %d of them, as many as a "
				"machine may have chips",
				(long long)count, BOUND_CHIPS);
		initiators->count = (uint32_t)count;
		return;
	}
	if (node->kind == TREE_SCALAR)
		initiators->per = initiators_find(node->text);
	if (initiators->per)
		return;
	nearest_start(&nearest, node->kind == TREE_SCALAR ? node->text : "");
	for (size_t i = 0; initiators_name(i); i++)
		nearest_offer(&nearest, initiators_name(i));
	diag_error(context->diag, node->where,
		"initiators must be a number, per-row, per-column or per-gateway, not %s%s%s%s",
		tree_describe(node, described, sizeof described),
		nearest.best ? ", did you mean '" : "", nearest.best ? nearest.best : "",
		nearest.best ? "'?" : "");
}

/* Reads [row, column]. Returns false if the node has another form. */
static bool read_place(const struct tree_node *node, struct mesh_offset *place)
{
	int64_t numbers[2] = {0, 0};

	if (node->kind != TREE_SEQUENCE || node->count != 2)
		return false;
	for (int i = 0; i < 2; i++)
		if (node->items[i]->kind != TREE_SCALAR ||
			tree_integer(node->items[i], &numbers[i]) != STATUS_OK || numbers[i] < 0 ||
			numbers[i] >= BOUND_EXTENT)
			return false;
	*place = (struct mesh_offset){(uint16_t)numbers[0], (uint16_t)numbers[1]};
	return true;
}

/* initiator_chips: [[row, column], ...] */
static void bind_initiator_chips(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	struct initiator_chips_keys *keys = member;
	char described[TREE_DESCRIBE_BYTES];

	(void)field;
	if (node->kind != TREE_SEQUENCE || node->count == 0) {
		diag_error(context->diag, node->where,
			"initiator_chips must be a list of chips, as in [[3, 0]], not %s",
			tree_describe(node, described, sizeof described));
		return;
	}
	keys->chips = arena_array(context->arena, node->count, sizeof *keys->chips);
	keys->count = node->count;
	for (uint32_t i = 0; i < node->count; i++)
		if (!read_place(node->items[i], &keys->chips[i]))
			diag_error(context->diag, node->items[i]->where,
				"initiator_chips: each chip is [row, column], of numbers from 0 to "
				"%d, as in [[3, 0]], not %s",
				BOUND_EXTENT - 1,
				tree_describe(node->items[i], described, sizeof described));
}

#define KEY(owner, kind, type, member, ...)                                                        \
	SCHEMA_##kind(struct owner, member, #member, __VA_ARGS__),

static const struct schema_field forward_fields[] = {
#define KEYS_FORWARD
#include "bench/scenario/keys.def"
};
static const struct schema forward_schema =
	SCHEMA("forward", struct forward_keys, forward_fields, .help = "forward path (spec 3.8)");

static const struct schema_field host_fields[] = {
#define KEYS_HOST
#include "bench/scenario/keys.def"
};
static const struct schema host_schema =
	SCHEMA("host", struct host_keys, host_fields, .help = "host threads (spec 3.9)");

static const struct schema_field extent_item =
	SCHEMA_ITEM_INT(uint16_t, .min = 1, .max = BOUND_EXTENT);
static const struct schema_field place_item =
	SCHEMA_ITEM_INT(uint16_t, .min = 0, .max = BOUND_EXTENT - 1);

static const struct schema_field mesh_fields[] = {
	SCHEMA_ARRAY(struct mesh_keys, shape, "shape", &extent_item,
		SCHEMA_COUNT(struct mesh_keys, shape_count), .min = 2, .max = 3,
		.help = "[rows, columns] of the virtual mesh, or [rows, columns, 1]; all of the "
			"platform if left out"),
	SCHEMA_ARRAY(struct mesh_keys, offset, "offset", &place_item,
		SCHEMA_COUNT(struct mesh_keys, offset_count), .min = 2, .max = 3,
		.fallback = "[0, 0]",
		.help = "[row, column] of its first chip in the platform's mesh"),
};
static const struct schema mesh_schema = SCHEMA("mesh", struct mesh_keys, mesh_fields,
	.help = "the virtual mesh (spec 3.1)", SCHEMA_WHERE(struct mesh_keys, where));
static const struct schema_field mesh_item = SCHEMA_ITEM_MAP(struct mesh_keys, &mesh_schema);

static const struct schema_field core_extent = SCHEMA_ITEM_INT(uint8_t, .min = 1, .max = 255);
static const struct schema_field core_place = SCHEMA_ITEM_INT(uint8_t, .min = 0, .max = 254);

static const struct schema_field sub_device_fields[] = {
	SCHEMA_ARRAY(struct sub_device_keys, cores, "cores", &core_extent,
		SCHEMA_COUNT(struct sub_device_keys, cores_count), .required = true,
		.help = "[columns, rows] of the worker grid",
		SCHEMA_WHERE(struct sub_device_keys, cores_where)),
	SCHEMA_ARRAY(struct sub_device_keys, offset, "offset", &core_place,
		SCHEMA_COUNT(struct sub_device_keys, offset_count), .fallback = "[0, 0]",
		.help = "[column, row] of its first core"),
	SCHEMA_BOOL(struct sub_device_keys, ethernet, "ethernet", .fallback = "false",
		.help = "it has the Ethernet cores that links and dispatch leave, too"),
};
static const struct schema sub_device_schema =
	SCHEMA("sub-device", struct sub_device_keys, sub_device_fields,
		.help = "cores of every device that run programs apart from the others (spec "
			"3.4.5)",
		SCHEMA_WHERE(struct sub_device_keys, where));
static const struct schema_field sub_device_item =
	SCHEMA_ITEM_MAP(struct sub_device_keys, &sub_device_schema);

static const struct schema_field division_fields[] = {
	SCHEMA_DICT(struct division_keys, sub_devices, sub_device_count, "sub_devices",
		&sub_device_item, struct sub_device_keys, name, .required = true, .min = 1,
		.max = SUB_DEVICES_MAX, .help = "its parts of every device by name"),
	SCHEMA_INT(struct division_keys, l1_bytes, "l1_bytes", .max = 1 << 21, .fallback = "0",
		.unit = "B", .help = "of each worker's L1, for its sub-device alone"),
};
static const struct schema division_schema = SCHEMA("division", struct division_keys,
	division_fields, .help = "sub-devices that a step loads together (spec 3.1.2)",
	SCHEMA_WHERE(struct division_keys, where));
static const struct schema_field division_item =
	SCHEMA_ITEM_MAP(struct division_keys, &division_schema);

static const struct schema_field size_fields[] = {
#define KEYS_SIZES
#include "bench/scenario/keys.def"
};
static const struct schema size_schema =
	SCHEMA("sizes", struct size_keys, size_fields, .help = "memory that the runtime reserves");

static const struct schema_field fabric_fields[] = {
#define KEYS_FABRIC
#include "bench/scenario/keys.def"
};
static const struct schema fabric_schema =
	SCHEMA("fabric", struct fabric_keys, fabric_fields, .help = "set-up of the fabric");

static const struct schema_field stages_fields[] = {
#define KEYS_STAGES
#include "bench/scenario/keys.def"
};
static const struct schema stages_schema = SCHEMA("stages", struct stage_keys, stages_fields,
	.help = "stages that have a thread of their own, or are done by the one before (spec 4.8); "
		"default: as pipeline and executor_threads say");

static const struct schema_field distributed_fields[] = {
#define KEYS_DISTRIBUTED
#include "bench/scenario/keys.def"
};
static const struct schema distributed_schema = SCHEMA("distributed", struct distributed_keys,
	distributed_fields, .help = "a device over several hosts (spec 4)");

static const struct schema_field runtime_fields[] = {
#define KEYS_RUNTIME
#include "bench/scenario/keys.def"
	SCHEMA_DICT(struct runtime_keys, meshes, mesh_count, "meshes", &mesh_item, struct mesh_keys,
		name, .min = 1, .max = SCENARIO_MESHES_MAX,
		.help = "several virtual meshes by name, in place of `mesh`: steps say `mesh: "
			"NAME` "
			"beside their keys; no two have a chip in common"),
	SCHEMA_DICT(struct runtime_keys, sub_devices, sub_device_count, "sub_devices",
		&sub_device_item, struct sub_device_keys, name, .min = 1, .max = SUB_DEVICES_MAX,
		.help = "parts of every device by name, whose programs run at once; a program is "
			"of one, and cores that none has run nothing"),
	SCHEMA_DICT(struct runtime_keys, divisions, division_count, "divisions", &division_item,
		struct division_keys, name, .min = 1, .max = DIVISIONS_MAX - 1,
		.help = "other ways to divide every device, by name, for load_sub_devices; no two "
			"sub-devices of a scenario share a name"),
};
static const struct schema runtime_schema = SCHEMA("runtime", struct runtime_keys, runtime_fields,
	.help = "the runtime under test: its design choices");

static const struct schema_field fault_fields[] = {
#define KEYS_FAULT
#include "bench/scenario/keys.def"
};
static const struct schema fault_schema =
	SCHEMA("fault", struct fault_keys, fault_fields, .help = "what goes wrong with a host");

static const struct schema_field model_fields[] = {
#define KEYS_MODEL
#include "bench/scenario/keys.def"
};
static const struct schema model_schema =
	SCHEMA("model", struct model_keys, model_fields, .help = "how the machine is simulated");

static const struct schema_field limit_fields[] = {
#define KEYS_LIMITS
#include "bench/scenario/keys.def"
};
static const struct schema limit_schema = SCHEMA(
	"limits", struct limit_keys, limit_fields, .help = "where a run is given up (exit code 4)");

static const struct schema_field step_item = SCHEMA_ITEM_VARIANT(struct step, &step_variants);

const char *const sweep_refused[] = {"meshsim", "name", "description", "seeds", "measure.seeds",
	"measure.precision", "sweep", NULL};

static const struct schema schema;

static const struct schema_field scenario_fields[] = {
	SCHEMA_INT(struct scenario, version, "meshsim", .required = true, .min = SCENARIO_VERSION,
		.max = SCENARIO_VERSION, .help = "version of the file format"),
	SCHEMA_STRING(struct scenario, name, "name", .required = true, .is_file_name = true,
		.help = "short name, also of the result file"),
	SCHEMA_STRING(struct scenario, description, "description", .fallback = "",
		.allow_empty = true, .help = "what question the scenario answers"),
	SCHEMA_NODE(struct scenario, platform, "platform", .required = true,
		.help = "platforms/NAME.yaml, a path, or a map (see `meshsim platform`)",
		.json = "{\"type\": [\"string\", \"object\"]}"),
	SCHEMA_INT(struct scenario, seed, "seed", .max = INT64_MAX, .fallback = "1",
		.help = "of everything random"),
	SCHEMA_NODE(struct scenario, seeds, "seeds", .help = "one run per seed, in place of `seed`",
		.json = "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": "
			"\"integer\", \"minimum\": 0}}"),
	SCHEMA_MAP(struct scenario, runtime, "runtime", &runtime_schema),
	SCHEMA_LIST(struct scenario, steps, step_count, "workload", &step_item, .required = true,
		.min = 1, .max = SCENARIO_STEPS_MAX, .help = "what the client does, in order"),
	SCHEMA_NODE(struct scenario, sweep, "sweep",
		.help = "dotted key: list of values; every combination is a run",
		.paths_of = &schema, .paths_refused = sweep_refused),
	SCHEMA_MAP(struct scenario, model, "model", &model_schema),
	SCHEMA_MAP(struct scenario, measure, "measure", &measure_schema),
	SCHEMA_MAP(struct scenario, limits, "limits", &limit_schema),
};
static const struct schema schema = SCHEMA("scenario", struct scenario, scenario_fields,
	.help = "a meshsim scenario: what to run, on what, and what to measure");

static bool is_scenario(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "meshsim:");
}

const struct output_kind scenario_output_kind = {
	.name = "scenario", .to_stdout = true, .is = is_scenario};

const struct schema *scenario_schema(void)
{
	return &schema;
}
