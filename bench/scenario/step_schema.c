/* Tables of the workload steps. Refuses steps that this version does not have. */
#include <string.h>

#include "base/ensure.h"
#include "base/nearest.h"
#include "bench/scenario/scenario.h"
#include "mesh/trace.h"

static const char *const memory_names[] = {"dram", "l1", NULL};
static const char *const spread_names[] = {"replicated", "sharded", NULL};
static const char *const arguments_names[] = {"fresh", "kept", NULL};
static const char *const arrivals_names[] = {"constant", "poisson", NULL};
static const char *const layout_names[] = {"interleaved", "sharded", NULL};
static const char *const processor_names[] = {
	"brisc", "ncrisc", "trisc0", "trisc1", "trisc2", "ethernet", NULL};

static const struct schema_field step_item = SCHEMA_ITEM_VARIANT(struct step, &step_variants);
static const struct schema_field extent_item = SCHEMA_ITEM_INT(uint16_t, .min = 1, .max = 1024);
static const struct schema_field place_item = SCHEMA_ITEM_INT(uint16_t, .min = 0, .max = 1023);

#define EVENT_FIELD(type)                                                                          \
	SCHEMA_STRING(type, event, "event", .fallback = "event", .help = "its name",               \
		SCHEMA_WHERE(type, event_where))
#define QUEUE_FIELD(type)                                                                          \
	SCHEMA_INT(type, queue, "queue", .max = MESH_COMMAND_QUEUES_MAX - 1, .fallback = "0",      \
		.help = "virtual command queue; events and finishes order what several queues do " \
			"to a buffer")
#define BLOCKING_FIELD(type)                                                                       \
	SCHEMA_BOOL(type, blocking, "blocking", .fallback = "false",                               \
		.help = "return when the operation is complete")

static const struct schema_field write_fields[] = {
	SCHEMA_STRING(struct write_step, buffer, "buffer", .fallback = "buffer",
		.help = "its name; the first step that names it makes it",
		SCHEMA_WHERE(struct write_step, buffer_where)),
	SCHEMA_INT(struct write_step, bytes, "bytes", .min = 4, .max = (int64_t)1 << 40,
		.unit = "B", .help = "size of a replica, or of all shards together",
		SCHEMA_WHERE(struct write_step, bytes_where)),
	SCHEMA_INT(struct write_step, page_bytes, "page_bytes", .min = 4, .max = 1 << 20,
		.fallback = "2048", .unit = "B", .help = "size of a page"),
	SCHEMA_ENUM(struct write_step, memory, "memory", memory_names, .fallback = "dram",
		.help = "where its pages lie"),
	SCHEMA_ENUM(struct write_step, spread, "spread", spread_names, .fallback = "replicated",
		.help = "all of it on every device, or a part on each"),
	SCHEMA_ENUM(struct write_step, layout, "layout", layout_names, .fallback = "interleaved",
		.help = "how a device's pages go to its DRAM banks or cores: one by one, or in "
			"shards of consecutive pages, dealt in walk order"),
	SCHEMA_INT(struct write_step, contiguous_pages, "contiguous_pages", .max = UINT32_MAX,
		.fallback = "0",
		.help = "pages of a shard of a sharded layout; 0: one shard for each bank or core"),
	SCHEMA_BOOL(struct write_step, pinned, "pinned", .fallback = "false",
		.help = "the data lie in host memory that is mapped for the devices, which read it "
			"themselves"),
	QUEUE_FIELD(struct write_step),
	BLOCKING_FIELD(struct write_step),
};
static const struct schema write_schema = SCHEMA("write_buffer", struct write_step, write_fields,
	.help = "writes data of the host into a mesh buffer");

static const struct schema_field read_fields[] = {
	SCHEMA_STRING(struct read_step, buffer, "buffer", .fallback = "buffer",
		.help = "name of a buffer that a write_buffer step makes",
		SCHEMA_WHERE(struct read_step, buffer_where)),
	SCHEMA_BOOL(struct read_step, pinned, "pinned", .fallback = "false",
		.help = "into host memory that is mapped for the devices, which write it "
			"themselves"),
	QUEUE_FIELD(struct read_step),
	BLOCKING_FIELD(struct read_step),
};
static const struct schema read_schema = SCHEMA("read_buffer", struct read_step, read_fields,
	.help = "reads a mesh buffer back, and compares it with what was written");

static const struct schema_field write_tensor_fields[] = {
	SCHEMA_STRING(struct tensor_step, tensor, "tensor", .fallback = "tensor",
		.help = "its name; the first step that names it makes it",
		SCHEMA_WHERE(struct tensor_step, tensor_where)),
	SCHEMA_STRING(struct tensor_step, layout, "layout",
		.help = "shape and layout, as `meshsim layout` prints them: tensor<64x128xbf16, "
			"#tt.layout<...>>; leading dimensions of its grid are devices, a grid of "
			"two is on every device",
		SCHEMA_WHERE(struct tensor_step, layout_where)),
	QUEUE_FIELD(struct tensor_step),
};
static const struct schema write_tensor_schema = SCHEMA("write_tensor", struct tensor_step,
	write_tensor_fields,
	.help = "cuts a tensor on the host into shards, tilizes them, writes them to the devices, "
		"and waits");

static const struct schema_field read_tensor_fields[] = {
	SCHEMA_STRING(struct tensor_step, tensor, "tensor", .fallback = "tensor",
		.help = "name of a tensor that a write_tensor step makes",
		SCHEMA_WHERE(struct tensor_step, tensor_where)),
	QUEUE_FIELD(struct tensor_step),
};
static const struct schema read_tensor_schema =
	SCHEMA("read_tensor", struct tensor_step, read_tensor_fields,
		.help = "reads a tensor back whole, and compares it with what was written");

static void bind_core_rectangle(
	const struct tree_node *node, struct cores *cores, const struct schema_context *context)
{
	int64_t columns = 0, rows = 0;

	if (node->count != 2 || tree_integer(node->items[0], &columns) != STATUS_OK ||
		tree_integer(node->items[1], &rows) != STATUS_OK || columns < 1 || rows < 1 ||
		columns > UINT8_MAX || rows > UINT8_MAX) {
		diag_error(context->diag, node->where,
			"a rectangle of cores is [columns, rows], each from 1 to 255");
		return;
	}
	cores->kind = CORES_RECTANGLE;
	cores->rect = (struct worker_rect){0, 0, (uint8_t)(columns - 1), (uint8_t)(rows - 1)};
}

/* cores: all | N | [columns, rows] */
static void bind_cores(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	struct cores *cores = member;
	char described[TREE_DESCRIBE_BYTES];
	int64_t count;

	(void)field;
	if (node->kind == TREE_SEQUENCE) {
		bind_core_rectangle(node, cores, context);
	} else if (node->kind == TREE_SCALAR && strcmp(node->text, "all") == 0) {
		cores->kind = CORES_ALL;
	} else if (node->kind == TREE_SCALAR && tree_integer(node, &count) == STATUS_OK) {
		if (count < 1 || count > UINT16_MAX)
			diag_error(context->diag, node->where,
				"cores: %lld: a program runs on 1 or more cores", (long long)count);
		cores->kind = CORES_COUNT;
		cores->count = (uint32_t)count;
	} else {
		diag_error(context->diag, node->where,
			"cores must be `all`, a number, or [columns, rows], not %s",
			tree_describe(node, described, sizeof described));
	}
}

/* ethernet_cores: all | N */
static void bind_ethernet_cores(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	struct cores *cores = member;
	char described[TREE_DESCRIBE_BYTES];

	if (node->kind == TREE_SCALAR) {
		bind_cores(field, node, member, context);
		cores->ethernet = true;
		return;
	}
	diag_error(context->diag, node->where, "ethernet_cores must be `all` or a number, not %s",
		tree_describe(node, described, sizeof described));
}

static void bind_processor(const struct tree_node *node, bool *processors, struct diag *diag)
{
	struct nearest nearest;
	char described[TREE_DESCRIBE_BYTES];

	if (node->kind != TREE_SCALAR) {
		diag_error(diag, node->where, "a processor must be a name, not %s",
			tree_describe(node, described, sizeof described));
		return;
	}
	nearest_start(&nearest, node->text);
	for (int i = 0; processor_names[i]; i++) {
		nearest_offer(&nearest, processor_names[i]);
		if (strcmp(node->text, processor_names[i]) != 0)
			continue;
		if (processors[i])
			diag_error(diag, node->where, "processor '%s' is named twice", node->text);
		processors[i] = true;
		return;
	}
	if (nearest.best)
		diag_error(diag, node->where, "unknown processor '%s', did you mean '%s'?",
			node->text, nearest.best);
	else
		diag_error(diag, node->where,
			"unknown processor '%s': all, brisc, ncrisc, trisc0, trisc1, trisc2 or "
			"ethernet",
			node->text);
}

/* processors: all | NAME | [NAME, ...]; all: of a worker */
static void bind_processors(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	bool *processors = member;

	(void)field;
	if (node->kind == TREE_SCALAR && strcmp(node->text, "all") == 0) {
		for (int i = 0; i < PROCESSOR_COUNT; i++)
			processors[i] = true;
	} else if (node->kind == TREE_SEQUENCE && node->count > 0) {
		for (uint32_t i = 0; i < node->count; i++)
			bind_processor(node->items[i], processors, context->diag);
	} else if (node->kind == TREE_SEQUENCE) {
		diag_error(context->diag, node->where, "a program needs at least one processor");
	} else {
		bind_processor(node, processors, context->diag);
	}
}

static const struct schema_field devices_fields[] = {
	SCHEMA_ARRAY(struct devices_keys, offset, "offset", &place_item,
		SCHEMA_COUNT(struct devices_keys, offset_count), .fallback = "[0, 0]",
		.help = "[row, column] in the virtual mesh"),
	SCHEMA_ARRAY(struct devices_keys, shape, "shape", &extent_item,
		SCHEMA_COUNT(struct devices_keys, shape_count), .required = true,
		.help = "[rows, columns]"),
};
static const struct schema devices_schema = SCHEMA("devices", struct devices_keys, devices_fields,
	.help = "a rectangle of devices; all of them if left out");

static const struct schema_field workload_fields[] = {
	SCHEMA_STRING(struct workload_step, program, "program", .fallback = "program",
		.help = "a name; it keys the generated binaries"),
	SCHEMA_CUSTOM(struct workload_step, cores, "cores", bind_cores, .fallback = "all",
		.help = "`all`, the first N, or [columns, rows] of the worker grid",
		.json = "{\"oneOf\": [{\"const\": \"all\"}, {\"type\": \"integer\", \"minimum\": "
			"1}, {\"type\": \"array\", \"items\": {\"type\": \"integer\", "
			"\"minimum\": 1}, \"minItems\": 2, \"maxItems\": 2}]}",
		SCHEMA_WHERE(struct workload_step, cores_where)),
	SCHEMA_MAP_PTR(struct workload_step, devices, "devices", &devices_schema,
		SCHEMA_WHERE(struct workload_step, devices_where)),
	SCHEMA_CUSTOM(struct workload_step, processors, "processors", bind_processors,
		.fallback = "brisc",
		.help = "RISC-V processors of a core that run a kernel; `all` are those of a "
			"worker, ethernet is that of Ethernet cores",
		.json = "{\"oneOf\": [{\"enum\": [\"all\", \"brisc\", \"ncrisc\", \"trisc0\", "
			"\"trisc1\", \"trisc2\", \"ethernet\"]}, {\"type\": \"array\", "
			"\"minItems\": 1, "
			"\"items\": {\"enum\": [\"brisc\", \"ncrisc\", \"trisc0\", \"trisc1\", "
			"\"trisc2\", \"ethernet\"]}}]}"),
	SCHEMA_CUSTOM(struct workload_step, ethernet_cores, "ethernet_cores", bind_ethernet_cores,
		.fallback = "all",
		.help = "`all` Ethernet cores that links and dispatch leave, or the first N of "
			"them, if `processors` names ethernet",
		.json = "{\"oneOf\": [{\"const\": \"all\"}, {\"type\": \"integer\", \"minimum\": "
			"1}]}"),
	SCHEMA_INT(struct workload_step, kernel_bytes, "kernel_bytes", .min = 16, .max = UINT32_MAX,
		.fallback = "1024", .unit = "B", .help = "binary of each processor",
		SCHEMA_WHERE(struct workload_step, kernel_bytes_where)),
	SCHEMA_INT(struct workload_step, kernel_groups, "kernel_groups", .min = 1, .max = 256,
		.fallback = "1",
		.help = "groups of columns of the cores, each with kernels of its own",
		SCHEMA_WHERE(struct workload_step, kernel_groups_where)),
	SCHEMA_INT(struct workload_step, runtime_args, "runtime_args", .max = 341, .fallback = "0",
		.help = "unique arguments of 4 B per core and kernel; the three TRISCs run one",
		SCHEMA_WHERE(struct workload_step, runtime_args_where)),
	SCHEMA_INT(struct workload_step, common_runtime_args, "common_runtime_args", .max = 341,
		.fallback = "0", .help = "arguments of 4 B that all cores share, per kernel"),
	SCHEMA_ENUM(struct workload_step, arguments, "arguments", arguments_names,
		.fallback = "fresh",
		.help = "other values of all arguments at every enqueue, or those of the first"),
	SCHEMA_INT(struct workload_step, circular_buffers, "circular_buffers", .max = 32,
		.fallback = "0", .help = "circular buffers of every core",
		SCHEMA_WHERE(struct workload_step, circular_buffers_where)),
	SCHEMA_INT(struct workload_step, circular_buffer_bytes, "circular_buffer_bytes", .min = 16,
		.max = 1 << 21, .fallback = "2048", .unit = "B", .help = "size of each"),
	SCHEMA_INT(struct workload_step, circular_buffer_groups, "circular_buffer_groups", .min = 1,
		.max = 256, .fallback = "1",
		.help = "groups of columns of the cores, each with circular buffers of another "
			"size",
		SCHEMA_WHERE(struct workload_step, circular_buffer_groups_where)),
	SCHEMA_INT(struct workload_step, semaphores, "semaphores", .max = 16, .fallback = "0",
		.help = "semaphores of every core"),
	SCHEMA_INT(struct workload_step, pages, "pages", .min = 1, .max = UINT16_MAX,
		.fallback = "1",
		.help = "more than one: the kernels of a core form a pipeline over this many "
			"pages"),
	SCHEMA_INT(struct workload_step, run_ns, "run_ns", .max = 1000000000, .fallback = "1000",
		.unit = "ns", .help = "time that a kernel runs once started, per page"),
	QUEUE_FIELD(struct workload_step),
	BLOCKING_FIELD(struct workload_step),
};
static const struct schema workload_schema = SCHEMA("enqueue_workload", struct workload_step,
	workload_fields, .help = "runs one program on devices of the mesh");

static const struct schema_field record_fields[] = {
	EVENT_FIELD(struct record_step),
	SCHEMA_BOOL(struct record_step, to_host, "to_host", .fallback = "false",
		.help = "notify the host as well"),
	QUEUE_FIELD(struct record_step),
};
static const struct schema record_schema = SCHEMA("record_event", struct record_step, record_fields,
	.help = "records an event behind everything enqueued so far");

static const struct schema_field wait_fields[] = {
	EVENT_FIELD(struct wait_step),
	SCHEMA_BOOL(struct wait_step, host, "host", .fallback = "false",
		.help = "the host thread waits, in place of the queue"),
	QUEUE_FIELD(struct wait_step),
};
static const struct schema wait_schema = SCHEMA("wait_event", struct wait_step, wait_fields,
	.help = "makes a queue, or the host, wait for an event");

/* queue: all | N */
static void bind_finish_queue(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	static const struct schema_field number = SCHEMA_ITEM_INT(
		uint32_t, .name = "queue", .min = 0, .max = MESH_COMMAND_QUEUES_MAX - 1);

	(void)field;
	if (node->kind == TREE_SCALAR && strcmp(node->text, "all") == 0)
		*(uint32_t *)member = UINT32_MAX;
	else
		schema_bind_value(&number, node, member, context);
}

static const struct schema_field finish_fields[] = {
	SCHEMA_CUSTOM(struct finish_step, queue, "queue", bind_finish_queue, .fallback = "all",
		.help = "`all`, or a virtual command queue",
		.json = "{\"oneOf\": [{\"const\": \"all\"}, {\"type\": \"integer\", \"minimum\": "
			"0, "
			"\"maximum\": 1}]}"),
};
static const struct schema finish_schema = SCHEMA("finish", struct finish_step, finish_fields,
	.help = "waits until everything enqueued is complete");

static const struct schema_field repeat_siblings[] = {
	SCHEMA_LIST(struct step, repeat.steps, repeat.step_count, "do", &step_item,
		.required = true, .min = 1, .max = SCENARIO_STEPS_MAX,
		.help = "the steps to repeat"),
	SCHEMA_REAL(struct step, repeat.rate_per_s, "rate_per_s", .real_max = 1e9, .fallback = "0",
		.help = "iterations that arrive in a second, whether those before are complete or "
			"not: times count from when one should have begun; 0: as fast as it goes"),
	SCHEMA_ENUM(struct step, repeat.arrivals, "arrivals", arrivals_names,
		.fallback = "constant", .help = "equally spaced, or at random, as the seed says"),
};

static const struct schema_field trace_siblings[] = {
	SCHEMA_LIST(struct step, trace.body.steps, trace.body.step_count, "do", &step_item,
		.required = true, .min = 1, .max = SCENARIO_STEPS_MAX,
		.help = "the steps to capture: enqueue_workload, and repeat of them"),
	SCHEMA_INT(struct step, trace.replays, "replays", .min = 1, .max = SCENARIO_OPERATIONS_MAX,
		.fallback = "1",
		.help = "how often the trace is replayed each time that the step is reached; it is "
			"captured the first time"),
	SCHEMA_INT(struct step, trace.queue, "queue", .max = MESH_COMMAND_QUEUES_MAX - 1,
		.fallback = "0", .help = "virtual command queue that captures and replays"),
	SCHEMA_BOOL(struct step, trace.blocking, "blocking", .fallback = "false",
		.help = "return from every replay when it is complete"),
};

static const struct schema_variant variants[] = {
	[STEP_REPEAT] = {.field = SCHEMA_INT(struct step, repeat.times, "repeat", .min = 1,
				 .max = SCENARIO_OPERATIONS_MAX,
				 .help = "does the steps under `do` this often"),
		SCHEMA_SIBLINGS(repeat_siblings)},
	[STEP_WRITE_BUFFER] = {.field = SCHEMA_MAP(
				       struct step, write, "write_buffer", &write_schema)},
	[STEP_READ_BUFFER] = {.field = SCHEMA_MAP(struct step, read, "read_buffer", &read_schema)},
	[STEP_ENQUEUE_WORKLOAD] = {.field = SCHEMA_MAP(struct step, workload, "enqueue_workload",
					   &workload_schema)},
	[STEP_RECORD_EVENT] = {.field = SCHEMA_MAP(
				       struct step, record, "record_event", &record_schema)},
	[STEP_WAIT_EVENT] = {.field = SCHEMA_MAP(struct step, wait, "wait_event", &wait_schema)},
	[STEP_FINISH] = {.field = SCHEMA_MAP(struct step, finish, "finish", &finish_schema)},
	[STEP_TRACE] = {.field = SCHEMA_INT(struct step, trace.body.times, "trace", .min = 1,
				.max = TRACE_LAUNCHES_MAX,
				.help = "captures the workloads under `do`, this often behind each "
					"other, into a trace in the devices' DRAM, and replays it"),
		SCHEMA_SIBLINGS(trace_siblings)},
	[STEP_FABRIC_PING] = {.field = SCHEMA_MAP(struct step, ping, "fabric_ping", &ping_schema)},
	[STEP_FABRIC_TRAFFIC] = {.field = SCHEMA_MAP(
					 struct step, traffic, "fabric_traffic", &traffic_schema)},
	[STEP_WRITE_TENSOR] = {.field = SCHEMA_MAP(
				       struct step, tensor, "write_tensor", &write_tensor_schema)},
	[STEP_READ_TENSOR] = {.field = SCHEMA_MAP(
				      struct step, tensor, "read_tensor", &read_tensor_schema)},
};

static const struct schema_field common_fields[] = {
	SCHEMA_STRING(struct step, as, "as", .is_file_name = true,
		.help = "what the step is called in results and questions; its program or place "
			"if left out"),
};

const struct schema_variants step_variants = {
	.name = "step",
	.help = "one step of the workload",
	.size = sizeof(struct step),
	.tag_offset = offsetof(struct step, kind),
	SCHEMA_WHERE(struct step, where),
	.variants = variants,
	.variant_count = STEP_KIND_COUNT,
	.common = common_fields,
	.common_count = sizeof(common_fields) / sizeof(common_fields[0]),
};

const char *step_name(enum step_kind kind)
{
	ensure(kind < STEP_KIND_COUNT, "kind of step %d", kind);
	return variants[kind].field.name;
}

const struct repeat_step *step_body(const struct step *step)
{
	if (step->kind == STEP_TRACE)
		return &step->trace.body;
	return step->kind == STEP_REPEAT ? &step->repeat : NULL;
}

static uint64_t body_operations(const struct repeat_step *body)
{
	return body->times * steps_operations(body->steps, body->step_count);
}

bool steps_use_ethernet(const struct step *steps, uint32_t count)
{
	bool use = false;

	for (uint32_t i = 0; i < count && !use; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		use = body ? steps_use_ethernet(body->steps, body->step_count)
			   : steps[i].kind == STEP_ENQUEUE_WORKLOAD &&
				      steps[i].workload.processors[STEP_ETHERNET];
	}
	return use;
}

uint64_t steps_operations(const struct step *steps, uint32_t count)
{
	uint64_t operations = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];

		if (step->kind == STEP_REPEAT)
			operations += body_operations(&step->repeat);
		else if (step->kind == STEP_TRACE)
			operations +=
				step->trace.replays * (body_operations(&step->trace.body) + 1);
		else if (step->kind == STEP_FINISH && step->finish.queue == UINT32_MAX)
			operations += MESH_COMMAND_QUEUES_MAX;
		else if (step->kind == STEP_FABRIC_PING)
			operations += step->ping.samples;
		else
			operations++;
		if (operations > SCENARIO_OPERATIONS_MAX)
			return (uint64_t)SCENARIO_OPERATIONS_MAX + 1;
	}
	return operations;
}
