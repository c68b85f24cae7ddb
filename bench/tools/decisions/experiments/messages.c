/* Experiments on messages between processes of one host, with different transports and codecs of
 * commands. All other work of the runtime takes no time in them, so only the cost of the transport
 * library or codec remains. */
#include "decision.h"

enum { EXCHANGES = 40, MESSAGES = 1000, COMMANDS = 300, ARGUMENTS = 32 };

static const char free_runtime[] =
	"{extends: loopback, hosts: {count: 1}, topology: {mesh: [1, 1]},\n  host: {work: "
	"{api_call: &free {cost: {value: 0}}, build_command: *free,\n    build_bytes: *free, "
	"cache_lookup: *free, patch_argument: *free, reserve: *free,\n    doorbell: *free, poll: "
	"*free, launch: *free, allocate: *free, complete: *free}";

/* Returns the time from the call until the other process has the message. */
static int64_t one_way(const struct op_row *op)
{
	return op->marks[MARK_DOORBELL].first - op->marks[MARK_CALLED].first;
}

/* ---- transports ---- */

const struct experiment_param decision_transport_params[] = {
	{"transport", "tcp|unix|zeromq|zeromq-router|nng|ucx-tcp|ucx-shm|grpc|mpi", "tcp"},
	{"pattern", "ping_pong|stream", "stream"},
	{"message_bytes", "#", "64"},
	{0},
};

/* In a stream, the sender does not wait, because its window never fills. */
void decision_transport_scenario(const struct reference_row *row, struct text *yaml)
{
	bool stream = experiment_is(row, "pattern", "stream", "stream");
	unsigned bytes = (unsigned)(experiment_number(row, "message_bytes", 64) + 3) / 4 * 4;
	struct text platform = {0};

	text_printf(&platform, "%s}}", free_runtime);
	experiment_head(yaml, row->family, text_string(&platform));
	text_printf(yaml,
		"runtime: {distributed: {transport: %s, wait: park, pipeline: main, window: "
		"8192}}\n"
		"measure: {verify: false}\nworkload:\n  - repeat: %d\n    do:\n"
		"      - write_buffer: {bytes: %u, page_bytes: %u}\n%s  - finish\n",
		reference_text(row, "transport", "tcp"), stream ? MESSAGES : EXCHANGES, bytes,
		bytes, stream ? "" : "      - finish\n");
	text_fini(&platform);
}

double decision_transport_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	if (experiment_is(row, "pattern", "stream", "stream"))
		return experiments_period_us(ops, count, "write_buffer");
	return 2 * experiments_median_us(ops, count, "write_buffer", one_way);
}

/* ---- codecs ---- */

const struct experiment_param decision_codec_params[] = {
	{"codec", "packed|flatbuffers|protobuf|msgpack", "packed"},
	{"side", "serialize|deserialize", "serialize"},
	{0},
};

/* The scenario sends commands with 32 numbers each. For `serialize`, the figure is the sender's
 * time per command. For `deserialize`, encoding and sending take no time, and the figure is the
 * time until the other process has the command. */
void decision_codec_scenario(const struct reference_row *row, struct text *yaml)
{
	bool reads = experiment_is(row, "side", "deserialize", "serialize");
	const char *codec = reference_text(row, "codec", "packed");
	struct text platform = {0};

	text_printf(&platform,
		"%s,\n    wake_hot: &none {value: 0}, wake_call: *none, spin_see: *none, switch: "
		"*none},\n"
		"  transports: {tcp: {send_message: *none, send_kib: *none, peer_message: *none,\n"
		"    peer_kib: *none, receive_message: *none, receive_kib: *none}}",
		free_runtime);
	if (reads)
		text_printf(&platform,
			",\n  codecs: {%s: {encode_message: *none, encode_kib: *none, "
			"encode_argument_kib: *none}}",
			codec);
	text_append(&platform, "}");
	experiment_head(yaml, row->family, text_string(&platform));
	text_printf(yaml,
		"runtime: {distributed: {transport: tcp, codec: %s, wait: spin, pipeline: main, "
		"window: 8192}}\n"
		"measure: {verify: false}\nworkload:\n  - repeat: %d\n    do:\n"
		"      - enqueue_workload: {cores: 1, processors: brisc, kernel_bytes: 256, "
		"runtime_args: %d, run_ns: 0}\n%s  - finish\n",
		codec, reads ? EXCHANGES : COMMANDS, ARGUMENTS, reads ? "      - finish\n" : "");
	text_fini(&platform);
}

double decision_codec_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	if (experiment_is(row, "side", "serialize", "serialize"))
		return experiments_period_us(ops, count, "enqueue_workload");
	return experiments_median_us(ops, count, "enqueue_workload", one_way);
}
