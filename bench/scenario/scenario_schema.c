/* Tables of the scenario file but for its steps (step_schema.c). Names of variants come from the
 * registries, so a row that does not exist is refused with the names of those that do. */
#include "bench/scenario/scenario.h"

#include "chip/sim_device.h"
#include "mesh/registry.h"
#include "scenario_private.h"

static const char *network_name(size_t index)
{
	return sim_network_names()[index];
}

static const char *topology_name(size_t index)
{
	return index < SIM_TOPOLOGY_COUNT ? sim_topology_name((enum sim_topology)index) : NULL;
}

static const char *const coordinates_names[] = {"virtual", "physical", NULL};
static const char *const dispatch_cores_names[] = {"worker", "ethernet", NULL};
static const char *const packetizer_names[] = {"separate", NULL};
static const char *const trace_names[] = {"off", "replicated", "sharded", NULL};
static const char *const queues_names[] = {"shared", "own", NULL};
static const char *const wait_names[] = {"spin", "spin-then-park", "park", NULL};
static const char *const cores_names[] = {"each", "chip", NULL};
static const char *const switch_names[] = {"off", "on", NULL};

/* Plain `off` and `on` are bools to readers of YAML 1.1, so that their schemas need them as bools,
 * and files that anyone may read better say none and full. */
static const struct schema_alias trace_aliases[] = {
	{"none", "off"}, {"false", "off"}, {NULL, NULL}};
static const struct schema_alias switch_aliases[] = {
	{"false", "off"}, {"true", "on"}, {NULL, NULL}};
static const struct schema_alias noise_aliases[] = {
	{"none", "off"}, {"full", "on"}, {"false", "off"}, {"true", "on"}, {NULL, NULL}};

static const struct schema_field forward_fields[] = {
	SCHEMA_REGISTRY(struct forward_keys, path, "path", forward_name, .fallback = "unicast",
		.help = "how commands reach the chips"),
	SCHEMA_INT(struct forward_keys, initiators, "initiators", .min = 1, .max = 1024,
		.fallback = "1", .help = "multicast initiators, each with its part of the mesh"),
	SCHEMA_ENUM(struct forward_keys, packetizer, "packetizer", packetizer_names,
		.fallback = "separate", .help = "how broadcast commands are handed to the fabric"),
	SCHEMA_REGISTRY(struct forward_keys, ordering, "ordering", ordering_name,
		.fallback = "counter",
		.help = "how broadcast and unicast commands are kept in order"),
	SCHEMA_REGISTRY(struct forward_keys, credits, "credits", credits_name, .fallback = "on",
		.aliases = switch_aliases,
		.help = "whether a broadcast waits until every receiver has room for it"),
};
static const struct schema forward_schema =
	SCHEMA("forward", struct forward_keys, forward_fields, .help = "forward path (spec 3.8)");

static const struct schema_field host_fields[] = {
	SCHEMA_REGISTRY(struct host_keys, threads, "threads", threads_name, .fallback = "main",
		.help = "which host threads work for the devices"),
	SCHEMA_INT(struct host_keys, count, "count", .min = 1, .max = 1024, .fallback = "4",
		.help = "threads of a pool"),
	SCHEMA_ENUM(struct host_keys, queues, "queues", queues_names, .fallback = "shared",
		.help = "one queue of tasks for all threads of a pool, or one for each"),
	SCHEMA_ENUM(struct host_keys, caller_wait, "caller_wait", wait_names, .fallback = "spin",
		.help = "how the thread that calls the API waits"),
	SCHEMA_ENUM(struct host_keys, worker_wait, "worker_wait", wait_names, .fallback = "park",
		.help = "how idle pool and dispatch threads wait"),
	SCHEMA_ENUM(struct host_keys, reader_wait, "reader_wait", wait_names, .fallback = "park",
		.help = "how readers of completion queues wait"),
};
static const struct schema host_schema =
	SCHEMA("host", struct host_keys, host_fields, .help = "host threads (spec 3.9)");

static const struct schema_field extent_item = SCHEMA_ITEM_INT(uint16_t, .min = 1, .max = 1024);
static const struct schema_field place_item = SCHEMA_ITEM_INT(uint16_t, .min = 0, .max = 1023);

static const struct schema_field mesh_fields[] = {
	SCHEMA_ARRAY(struct mesh_keys, shape, "shape", &extent_item,
		SCHEMA_COUNT(struct mesh_keys, shape_count),
		.help = "[rows, columns] of the virtual mesh; all of the platform if left out"),
	SCHEMA_ARRAY(struct mesh_keys, offset, "offset", &place_item,
		SCHEMA_COUNT(struct mesh_keys, offset_count), .fallback = "[0, 0]",
		.help = "[row, column] of its first chip in the platform's mesh"),
};
static const struct schema mesh_schema =
	SCHEMA("mesh", struct mesh_keys, mesh_fields, .help = "the virtual mesh (spec 3.1)");

static const struct schema_field size_fields[] = {
	SCHEMA_INT(struct size_keys, issue_queue_bytes, "issue_queue_bytes", .min = 4096,
		.max = 1 << 30, .fallback = "8388608", .unit = "B",
		.help = "host memory of an issue queue"),
	SCHEMA_INT(struct size_keys, completion_queue_bytes, "completion_queue_bytes", .min = 4096,
		.max = 1 << 30, .fallback = "2097152", .unit = "B",
		.help = "host memory of a completion queue, per device and command queue"),
	SCHEMA_INT(struct size_keys, config_ring_bytes, "config_ring_bytes", .min = 1024,
		.max = 1 << 20, .fallback = "70656", .unit = "B",
		.help = "L1 of every worker for launch data"),
	SCHEMA_INT(struct size_keys, binary_page_bytes, "binary_page_bytes", .min = 32,
		.max = 1 << 16, .fallback = "2048", .unit = "B",
		.help = "pages of kernel binaries in DRAM; rounded up to page_alignment_bytes"),
	SCHEMA_INT(struct size_keys, page_alignment_bytes, "page_alignment_bytes", .max = 4096,
		.fallback = "0", .unit = "B",
		.help = "of buffer pages: a power of two from 16 on; 0: 32 in DRAM, 16 in L1"),
};
static const struct schema size_schema =
	SCHEMA("sizes", struct size_keys, size_fields, .help = "memory that the runtime reserves");

static const struct schema_field fabric_fields[] = {
	SCHEMA_REGISTRY(struct fabric_keys, topology, "topology", topology_name, .fallback = "mesh",
		.help = "how packets find their way"),
};
static const struct schema fabric_schema =
	SCHEMA("fabric", struct fabric_keys, fabric_fields, .help = "set-up of the fabric");

static const struct schema_field runtime_fields[] = {
	SCHEMA_ENUM(struct runtime_keys, preset, "preset", preset_names,
		.help = "defaults of a release point: path, completion and threads"),
	SCHEMA_MAP(struct runtime_keys, mesh, "mesh", &mesh_schema),
	SCHEMA_INT(struct runtime_keys, command_queues, "command_queues", .min = 1,
		.max = MESH_COMMAND_QUEUES_MAX, .fallback = "1",
		.help = "virtual command queues (spec 3.2)"),
	SCHEMA_ENUM(struct runtime_keys, dispatch_cores, "dispatch_cores", dispatch_cores_names,
		.help = "where prefetchers and dispatchers stand: on rows of Tensix tiles, or on "
			"idle Ethernet tiles; what the platform says if left out"),
	SCHEMA_ENUM(struct runtime_keys, coordinates, "coordinates", coordinates_names,
		.fallback = "virtual",
		.help = "where commands say that tiles are: numbers that the NIU translates, so "
			"that one stream fits differently harvested chips, or places"),
	SCHEMA_MAP(struct runtime_keys, forward, "forward", &forward_schema),
	SCHEMA_REGISTRY(struct runtime_keys, completion, "completion", completion_name,
		.fallback = "table", .help = "how the host learns of completion (spec 3.8.7)"),
	SCHEMA_MAP(struct runtime_keys, host, "host", &host_schema),
	SCHEMA_ENUM(struct runtime_keys, traces, "traces", trace_names, .fallback = "replicated",
		.aliases = trace_aliases,
		.help = "what `trace` steps do: capture one copy of the commands for all devices "
			"where these are the same; a copy for each device, written and replayed "
			"one by one; or off: enqueue the workloads every time"),
	SCHEMA_BOOL(struct runtime_keys, command_cache, "command_cache", .fallback = "true",
		.help = "keep built command streams and patch them (spec 3.10.3)"),
	SCHEMA_MAP(struct runtime_keys, fabric, "fabric", &fabric_schema),
	SCHEMA_MAP(struct runtime_keys, sizes, "sizes", &size_schema),
};
static const struct schema runtime_schema = SCHEMA("runtime", struct runtime_keys, runtime_fields,
	.help = "the runtime under test: its design choices");

static const struct schema_field model_fields[] = {
	SCHEMA_REGISTRY(struct model_keys, network, "network", network_name, .fallback = "packet",
		.help = "how links are simulated"),
	SCHEMA_ENUM(struct model_keys, cores, "cores", cores_names, .fallback = "each",
		.help = "every core its own state machine, or the workers that a go reaches in one "
			"step: the same figures in fewer events, refused where cores contend"),
	SCHEMA_ENUM(struct model_keys, noise, "noise", switch_names, .fallback = "on",
		.aliases = noise_aliases,
		.help = "measured scatter of host costs: none (off) or full (on)"),
	SCHEMA_INT(struct model_keys, elide_above_bytes, "elide_above_bytes",
		.max = INT64_C(1) << 40, .fallback = "0", .unit = "B",
		.help = "writes of more bytes per device take their time (within 1 %: pieces end "
			"where data begin), but carry none, and what is read back is not compared; "
			"0: "
			"all data are real"),
};
static const struct schema model_schema =
	SCHEMA("model", struct model_keys, model_fields, .help = "how the machine is simulated");

static const struct schema_field limit_fields[] = {
	SCHEMA_INT(struct limit_keys, events, "events", .max = INT64_MAX, .fallback = "0",
		.help = "simulated events of a run; 0: any number"),
	SCHEMA_INT(struct limit_keys, simulated_ms, "simulated_ms", .max = 1000000, .fallback = "0",
		.unit = "ms", .help = "simulated time of a run; 0: any"),
	SCHEMA_INT(struct limit_keys, wall_s, "wall_s", .max = 1000000, .fallback = "0",
		.unit = "s", .help = "real time of a run; 0: any (natively 300 s)"),
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

const struct schema *scenario_schema(void)
{
	return &schema;
}
