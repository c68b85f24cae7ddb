/* Describes the JSON that list, platform show, validate, layout, shard and calibrate print (see
 * output_schema.h). */
#include "shapes.h"

/* ---- list ---- */

static const struct shape list_members[] = {
	TEXT("key", .help = "of the scenario"),
	TEXT("name", .help = "its value"),
	TEXT("section", .help = "of the specification"),
	TEXT("resources", .help = "what it takes"),
	TEXT("description"),
};

static const struct shape list = {.name = "list",
	.help = "meshsim list --json: design choices, and what else scenarios may name",
	.list = true,
	SHAPE_INNER(list_members)};

/* ---- platform show ---- */

static const struct shape constants[] = {
	TEXT("name", .help = "path below the platform"),
	NUMBER("value"),
	TEXT("unit"),
	TEXT("kind", .choices = "published measured fitted assumed"),
	BOOL("borrowed", .help = "measured, or fitted to figures, of other machines"),
	TEXT("source"),
	TEXT("what"),
};

static const struct shape platform_members[] = {
	TEXT("name"),
	TEXT("description"),
	TEXT("measured_on", .help = "platforms, by commas, that constants are borrowed from"),
	INTEGER("mesh", .list = true, .length = 2, .help = "rows, columns"),
	INTEGER("chips", .help = "gateways included"),
	INTEGER("chips_with_pcie"),
	INTEGER("workers", .list = true, .length = 2, .help = "of a chip: columns, rows"),
	INTEGER("dispatch_tiles", .help = "of a chip"),
	INTEGER("idle_ethernet_tiles"),
	INTEGER("tensix_tiles"),
	INTEGER("connections", .help = "Ethernet links between chips"),
	INTEGER("hosts", .optional = true, .help = "of a machine of several hosts, as all below"),
	INTEGER("mesh_of_hosts", .optional = true, .list = true, .length = 2,
		.help = "rows, columns of the chips of all hosts"),
	BOOL("one_machine", .optional = true, .help = "the hosts are processes of one machine"),
	INTEGER("host_links", .optional = true,
		.help = "links from each chip at the end of a host's part to the next host"),
	BOOL("hosts_wrap", .optional = true, .help = "links join the last host to the first, too"),
	{.name = "constants", .list = true, SHAPE_INNER(constants)},
};

static const struct shape platform = {.name = "platform-show",
	.help = "meshsim platform show NAME --json",
	SHAPE_INNER(platform_members)};

/* ---- validate ---- */

static const struct shape family[] = {
	INTEGER("n", .help = "rows that ran"),
	INTEGER("not_run"),
	NUMBER("mean", .help = "of relative errors"),
	NUMBER("median"),
	NUMBER("p90"),
	NUMBER("worst"),
	NUMBER("ranking", .help = "Kendall's tau-b"),
	INTEGER("with_spread", .help = "rows that say how far measurements scatter"),
	INTEGER("within_spread", .help = "of these, predicted within it"),
};

static const struct shape rows[] = {
	TEXT("family"),
	TEXT("system"),
	TEXT("params"),
	TEXT("metric"),
	TEXT("unit"),
	NUMBER("reference", .help = "measured on hardware"),
	NUMBER("predicted", .nullable = true),
	NUMBER("error", .optional = true, .help = "relative"),
	TEXT("reason", .optional = true, .help = "why it did not run"),
};

static const struct shape validate_members[] = {
	{.name = "families", .by_name = true, SHAPE_INNER(family)},
	{.name = "by",
		.list = true,
		.optional = true,
		.open = true,
		.help = "with --by: rows that have the same values of these keys",
		SHAPE_INNER(family)},
	{.name = "rows", .list = true, .optional = true, .help = "with --rows", SHAPE_INNER(rows)},
};

static const struct shape validate = {
	.name = "validate", .help = "meshsim validate --json", SHAPE_INNER(validate_members)};

static const struct shape replay_ways[] = {
	TEXT("name", .help = "a value of model.noc, or the plain formula"),
	NUMBER("median", .nullable = true, .help = "of relative errors of kernel times"),
	NUMBER("p90", .nullable = true),
	NUMBER("worst", .nullable = true),
	NUMBER("ranking", .nullable = true, .help = "Kendall's tau-b"),
	NUMBER("wait_median", .nullable = true,
		.help = "of relative errors of the mean wait at a barrier"),
};

static const struct shape replay_traces[] = {
	TEXT("name"),
	INTEGER("transfers"),
	INTEGER("skipped", .help = "events that are no transfer"),
	INTEGER("cycles", .help = "recorded: from the first begin of a kernel to the last event"),
	NUMBER("wait_cycles", .help = "recorded: mean wait at a barrier"),
	TEXT("reason", .nullable = true, .help = "why it did not run"),
	NUMBER("predicted_cycles", .list = true, .help = "in the order of `ways`"),
	NUMBER("predicted_wait_cycles", .list = true),
};

static const struct shape replay_members[] = {
	TEXT("platform"),
	{.name = "ways", .list = true, SHAPE_INNER(replay_ways)},
	{.name = "traces", .list = true, SHAPE_INNER(replay_traces)},
};

static const struct shape replay = {.name = "noc-traces",
	.help = "meshsim validate --noc-traces PATH --json",
	SHAPE_INNER(replay_members)};

static const struct shape gap_scores[] = {
	TEXT("class", .choices = "device-bound host-bound"),
	TEXT("by", .choices = "meshsim formula"),
	INTEGER("rows"),
	NUMBER("median", .nullable = true, .help = "of the errors of gaps, in ns"),
	NUMBER("p90", .nullable = true),
	NUMBER("ranking", .nullable = true, .help = "Kendall's tau-b"),
	NUMBER("within_30", .nullable = true, .help = "share of gaps within 30 %"),
	NUMBER("skew_median", .nullable = true, .help = "of first to last start of cores, in ns"),
	NUMBER("skew_p90", .nullable = true),
};

static const struct shape gap_members[] = {
	TEXT("family", .choices = "op_gaps"),
	TEXT("unit", .choices = "ns"),
	TEXT("platform"),
	INTEGER("operations", .help = "calls; one of several devices is one"),
	INTEGER("devices"),
	INTEGER("fitted_programs", .help = "whose runtime arguments were fitted to the first half"),
	INTEGER("scored_from", .help = "first operation that is scored, from 1"),
	NUMBER("whole", .nullable = true, .help = "error of the time of all scored operations"),
	NUMBER("told_apart", .nullable = true, .help = "share whose class is predicted"),
	NUMBER("formula_floor", .nullable = true, .help = "ns, fitted to the first half"),
	{.name = "scores", .list = true, SHAPE_INNER(gap_scores)},
};

static const struct shape gaps = {.name = "op-gaps",
	.help = "meshsim validate --op-report REPORT.csv --json",
	SHAPE_INNER(gap_members)};

static const struct shape decision_comparisons[] = {
	TEXT("outcome", .choices = "right wrong undecided"),
	TEXT("slow", .help = "the worst option, as measured"),
	TEXT("fast", .help = "the best"),
	TEXT("metric"),
	TEXT("load", .help = "parameters that all options have"),
	NUMBER("measured", .nullable = true, .help = "cost of the worst by that of the best"),
	NUMBER("predicted"),
	INTEGER("pairs"),
	INTEGER("agree", .help = "pairs in the measured order"),
	TEXT("rests_on", .nullable = true, .help = "the mechanism"),
};

static const struct shape decision_options[] = {
	TEXT("option"),
	TEXT("family", .nullable = true, .help = "of its experiment"),
	TEXT("system", .nullable = true, .help = "that it is simulated on"),
	TEXT("params", .nullable = true),
	TEXT("unit", .nullable = true, .help = "of the prediction"),
	NUMBER("predicted", .nullable = true),
};

static const struct shape decision_list[] = {
	TEXT("id"),
	TEXT("kind"),
	TEXT("outcome"),
	TEXT("reason", .nullable = true, .help = "why it is not asked"),
	{.name = "comparisons", .list = true, SHAPE_INNER(decision_comparisons)},
	{.name = "options", .list = true, SHAPE_INNER(decision_options)},
};

static const struct shape decision_members[] = {
	INTEGER("right"),
	INTEGER("wrong"),
	INTEGER("undecided"),
	INTEGER("not_asked"),
	{.name = "decisions", .list = true, SHAPE_INNER(decision_list)},
};

static const struct shape decisions = {.name = "validate-decisions",
	.help = "meshsim validate --decisions --json",
	SHAPE_INNER(decision_members)};

/* ---- layout ---- */

#define NUMBERS(n, ...) INTEGER(n, .list = true, __VA_ARGS__)

static const struct shape layout_ttnn[] = {
	NUMBERS("mesh", .help = "leading grid dimensions, sliced over devices"),
	NUMBERS("shape"),
	NUMBERS("stride"),
	NUMBERS("physical_shape", .length = 2),
	NUMBERS("shard_shape", .length = 2),
	NUMBERS("physical_shard_shape", .length = 2),
	NUMBERS("tile_shape", .length = 2),
	NUMBERS("grid_shape", .length = 2),
};

static const struct shape layout_shards[] = {
	NUMBERS("shard", .help = "on the virtual grid"),
	NUMBERS("device", .length = 2, .optional = true),
	NUMBERS("core", .length = 2, .optional = true),
	INTEGER("bank", .optional = true),
	INTEGER("address", .help = "B from the buffer's"),
	INTEGER("data", .help = "places that hold elements"),
	INTEGER("gap"),
	INTEGER("grid"),
	INTEGER("tile"),
};

static const struct shape layout_located[] = {
	NUMBERS("index"),
	NUMBERS("physical"),
	NUMBERS("shard"),
	NUMBERS("local"),
	NUMBERS("device", .length = 2, .optional = true),
	NUMBERS("core", .length = 2, .optional = true),
	INTEGER("bank", .optional = true),
	INTEGER("byte", .help = "from the buffer's address"),
};

static const struct shape layout_members[] = {
	TEXT("text", .help = "the tensor with its layout"),
	TEXT("map"),
	NUMBERS("tensor"),
	TEXT("tensor_element"),
	NUMBERS("physical"),
	NUMBERS("grid"),
	NUMBERS("shard"),
	NUMBERS("memref"),
	NUMBERS("tile", .help = "empty for scalars"),
	TEXT("element"),
	TEXT("fill", .choices = "undef zero one inf neginf"),
	TEXT("space", .choices = "system mmio dram l1"),
	INTEGER("shard_bytes"),
	INTEGER("padding", .help = "places of all shards without elements"),
	{.name = "ttnn", .nullable = true, SHAPE_INNER(layout_ttnn)},
	TEXT("ttnn_refused", .optional = true, .help = "why TTNN cannot express it"),
	{.name = "shards", .list = true, .help = "the first 65536", SHAPE_INNER(layout_shards)},
	INTEGER("shard_count"),
	{.name = "located", .optional = true, .help = "with --index", SHAPE_INNER(layout_located)},
};

static const struct shape layout = {
	.name = "layout", .help = "meshsim layout --json", SHAPE_INNER(layout_members)};

/* ---- shard ---- */

static const struct shape shard_config[] = {
	BOOL("sharded", .help = "false: replicated on every device"),
	NUMBERS("global", .length = 2, .help = "height (y), width (x)"),
	NUMBERS("shard", .length = 2, .help = "0: replicated in that direction"),
	TEXT("orientation", .choices = "ROW_MAJOR COL_MAJOR"),
	INTEGER("size_bytes"),
	INTEGER("device_bytes"),
	NUMBERS("device_shape", .help = "the tensor on each device"),
	BOOL("packed"),
	INTEGER("copied_bytes", .help = "that the host reads and writes to pack"),
};

static const struct shape shard_devices[] = {
	NUMBERS("device", .length = 2),
	NUMBERS("shard", .length = 2, .optional = true, .help = "absent: none"),
	NUMBERS("first", .length = 2, .optional = true, .help = "its first row and column"),
};

static const struct shape shard_cases[] = {
	TEXT("section"),
	INTEGER("line"),
	TEXT("outcome", .choices = "agrees differs not-run"),
	TEXT("case"),
	TEXT("expected"),
	TEXT("seen"),
};

static const struct shape shard_members[] = {
	TEXT("mapper", .help = "as TTNN writes it"),
	NUMBERS("shape"),
	INTEGER("element_bytes"),
	NUMBERS("mesh", .length = 2),
	TEXT("refused", .nullable = true, .help = "name of what cannot be done"),
	TEXT("why", .optional = true),
	{.name = "config", .optional = true, SHAPE_INNER(shard_config)},
	{.name = "devices", .list = true, .optional = true, SHAPE_INNER(shard_devices)},
};

static const struct shape shard = {
	.name = "shard", .help = "meshsim shard --json", SHAPE_INNER(shard_members)};

static const struct shape shard_cases_members[] = {
	INTEGER("differ"),
	{.name = "cases", .list = true, SHAPE_INNER(shard_cases)},
};

static const struct shape shard_cases_output = {.name = "shard-cases",
	.help = "meshsim shard --cases FILE --json",
	SHAPE_INNER(shard_cases_members)};

/* ---- calibrate --host ---- */

static const struct shape measured_machine[] = {
	TEXT("processor"),
	TEXT("kernel"),
	INTEGER("cores", .help = "that the process may use"),
	TEXT("date"),
};

static const struct shape measured_figures[] = {
	TEXT("name", .help = "of the constant in a platform, or as it would be called"),
	TEXT("probe", .help = "that made it"),
	TEXT("how", .help = "what was run and counted"),
	TEXT("refused", .nullable = true, .help = "why there is no value; null: there is one"),
	NUMBER("value", .optional = true),
	TEXT("unit", .optional = true, .choices = "ps B B/s count ratio"),
	NUMBER("spread", .optional = true, .help = "half the distance between the quartiles"),
	NUMBER("p50", .optional = true, .help = "of repeated measurements"),
	NUMBER("p90", .optional = true),
	NUMBER("p99", .optional = true),
	INTEGER("repetitions", .optional = true),
	NUMBER("error", .optional = true, .help = "of fits: median of relative errors"),
	NUMBER("worst", .optional = true, .help = "of fits: largest error of a point's median"),
};

static const struct shape measured_quantiles[] = {
	NUMBER("p50"), NUMBER("p90"), NUMBER("p99"), NUMBER("least"), NUMBER("spread")};

static const struct shape measured_messages[] = {
	TEXT("transport"),
	TEXT("cores", .choices = "one others", .help = "all on one, or members on others"),
	INTEGER("members"),
	INTEGER("bytes"),
	INTEGER("repetitions"),
	{.name = "round_ns", .help = "until all have answered", SHAPE_INNER(measured_quantiles)},
	{.name = "send_ns", .help = "the call", SHAPE_INNER(measured_quantiles)},
	{.name = "one_way_ns", .help = "until the last has it", SHAPE_INNER(measured_quantiles)},
	NUMBER("send_cpu_ns", .help = "CPU time a message of bursts: of the thread that sends"),
	NUMBER("send_library_cpu_ns", .help = "of the sender's other threads"),
	NUMBER("receive_cpu_ns"),
	NUMBER("receive_library_cpu_ns"),
};

static const struct shape measured_commands[] = {
	TEXT("codec"),
	TEXT("command"),
	INTEGER("arguments", .help = "of 4 B"),
	INTEGER("data_bytes"),
	INTEGER("frame_bytes"),
	{.name = "encode_ns", SHAPE_INNER(measured_quantiles)},
	{.name = "decode_ns", SHAPE_INNER(measured_quantiles)},
};

static const struct shape calibrate_members[] = {
	{.name = "machine", SHAPE_INNER(measured_machine)},
	BOOL("quick", .help = "few repetitions"),
	{.name = "figures", .list = true, SHAPE_INNER(measured_figures)},
	{.name = "messages", .list = true, SHAPE_INNER(measured_messages)},
	{.name = "commands", .list = true, SHAPE_INNER(measured_commands)},
};

static const struct shape calibrate = {.name = "calibrate",
	.help = "meshsim calibrate --host --json",
	SHAPE_INNER(calibrate_members)};

const struct shape *const table_outputs[] = {&list, &platform, &validate, &replay, &gaps,
	&decisions, &layout, &shard, &shard_cases_output, &calibrate, NULL};
