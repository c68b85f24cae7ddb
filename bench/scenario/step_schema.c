/* Schemas of the workload steps. */
#include <string.h>

#include "base/ensure.h"
#include "layout/mapper.h"
#include "mesh/trace.h"
#include "programs/gather.h"
#include "scenario_private.h"

static const char *const memory_names[] = {"dram", "l1", "l1-small", "trace", "system", NULL};
static const char *const spread_names[] = {
	"replicated", "sharded", "per-row", "per-column", "matrix", "mapper", NULL};
static const char *const arrivals_names[] = {"constant", "poisson", NULL};
static const char *const layout_names[] = {
	"interleaved", "sharded", "height-sharded", "width-sharded", "block-sharded", NULL};
static const char *const orientation_names[] = {"row-major", "column-major", NULL};

static const struct schema_field step_item = SCHEMA_ITEM_VARIANT(struct step, &step_variants);

#define EVENT_FIELD(type)                                                                          \
	SCHEMA_STRING(type, event, "event", .fallback = "event", .help = "its name",               \
		SCHEMA_WHERE(type, event_where))

static const struct schema_field pages_item = SCHEMA_ITEM_INT(uint32_t, .min = 1, .max = 1 << 30);
static const struct schema_field cores_item = SCHEMA_ITEM_INT(uint8_t, .min = 1, .max = UINT8_MAX);

static const struct schema_field coordinate_item = SCHEMA_ITEM_INT(uint16_t, .max = UINT16_MAX);

static const struct schema_field extent_item =
	SCHEMA_ITEM_INT(uint64_t, .min = 0, .max = (int64_t)1 << 40);

/* none | N */
static void bind_dimension(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	static const struct schema_field number = SCHEMA_ITEM_INT(
		int32_t, .name = "dimension", .min = -LAYOUT_RANK_MAX, .max = LAYOUT_RANK_MAX - 1);

	(void)field;
	if (node->kind == TREE_SCALAR && strcmp(node->text, "none") == 0)
		*(int32_t *)member = MAPPER_REPLICATE;
	else
		schema_bind_value(&number, node, member, context);
}

static const struct schema_field dimension_item = SCHEMA_ITEM_CUSTOM(int32_t, bind_dimension,
	.json = "{\"oneOf\": [{\"const\": \"none\"}, {\"type\": \"integer\", \"minimum\": -8, "
		"\"maximum\": 7}]}");

#define SHARD_FIELD(type)                                                                          \
	SCHEMA_ARRAY(type, shard, "shard", &coordinate_item, SCHEMA_COUNT(type, shard_count),      \
		.help = "[row, column] of a device: its part alone; all if left out")

static const struct schema_field range_item = SCHEMA_ITEM_INT(uint32_t, .max = UINT32_MAX);
#define PAGES_FIELD(type)                                                                          \
	SCHEMA_ARRAY(type, pages, "pages", &range_item, SCHEMA_COUNT(type, pages_count),           \
		.help = "[first, count] of pages of each device's part; all if left out")

static const char *const values_names[] = {"bits", "f32", "bf16", "bfp_bf8", "bfp_bf4", NULL};

static const struct schema_field tensor_item =
	SCHEMA_ITEM_INT(uint64_t, .min = 1, .max = LAYOUT_ELEMENTS_MAX);

static const struct schema_field write_fields[] = {
	SCHEMA_STRING(struct write_step, buffer, "buffer", .fallback = "buffer",
		.help = "its name; the first step that names it makes it",
		SCHEMA_WHERE(struct write_step, buffer_where)),
	SCHEMA_INT(struct write_step, bytes, "bytes", .min = 4, .max = (int64_t)1 << 40,
		.unit = "B", .help = "size of a replica, or of all shards together",
		SCHEMA_WHERE(struct write_step, bytes_where)),
	SCHEMA_INT(struct write_step, page_bytes, "page_bytes", .min = 4, .max = PAGE_BYTES_MAX,
		.fallback = "2048", .unit = "B", .help = "size of a page"),
	SCHEMA_LIST(struct write_step, shape, shape_rank, "shape", &tensor_item, .min = 1,
		.max = LAYOUT_RANK_MAX,
		.help = "dimensions of a tensor, outermost first: of its size, and of programs",
		SCHEMA_WHERE(struct write_step, shape_where)),
	SCHEMA_REGISTRY(struct write_step, element, "element", step_element_name, .fallback = "f32",
		.help = "type of the values of a tensor"),
	SCHEMA_BOOL(struct write_step, tiled, "tiled", .fallback = "true",
		.help = "a page of a tensor is a tile of 32x32; otherwise a row"),
	SCHEMA_ENUM(struct write_step, memory, "memory", memory_names, .fallback = "dram",
		.help = "where its pages lie; l1-small, trace and system (the host's memory, "
			"mapped "
			"for the devices) are regions that runtime.sizes sets aside: "
			"l1_small_bytes, trace_region_bytes, system_memory_bytes"),
	SCHEMA_ENUM(struct write_step, spread, "spread", spread_names, .fallback = "replicated",
		.help = "all of it on every device; a part on each; a part for each row or "
			"column of devices, replicated along it; shards of shard_shape of a matrix "
			"of global_shape; or parts of tensor_shape, as a mapper says"),
	SCHEMA_ENUM(struct write_step, spread_order, "spread_order", orientation_names,
		.fallback = "row-major",
		.help = "whether the parts of spread: sharded or matrix go to devices row by row "
			"or column by column"),
	SCHEMA_ARRAY(struct write_step, global_shape, "global_shape", &extent_item,
		SCHEMA_COUNT(struct write_step, global_shape_count),
		.help = "[high, wide] of the buffer with spread: matrix, in elements"),
	SCHEMA_ARRAY(struct write_step, shard_shape, "shard_shape", &extent_item,
		SCHEMA_COUNT(struct write_step, shard_shape_count),
		.help = "[high, wide] of a shard with spread: matrix, in elements. 0: all of this "
			"extent; then the shards lie along one direction of the mesh, as "
			"spread_order says, and are replicated along the other"),
	SCHEMA_LIST(struct write_step, tensor_shape, tensor_rank, "tensor_shape", &extent_item,
		.min = 1, .max = LAYOUT_RANK_MAX,
		.help = "dimensions of the buffer with spread: mapper, outermost first"),
	SCHEMA_LIST(struct write_step, mapper, mapper_count, "mapper", &dimension_item, .min = 1,
		.max = 2,
		.help = "[dimension]: split over all devices, as ShardTensorToMesh does; or [over "
			"rows, over columns], as ShardTensor2DMesh does, where none is "
			"replicated; a negative one counts from the end"),
	SCHEMA_ENUM(struct write_step, layout, "layout", layout_names, .fallback = "interleaved",
		.help = "how a device's pages go to its DRAM banks or cores: one by one; in "
			"shards of consecutive pages; or as a matrix that is cut into rows, "
			"columns or blocks. Shards are dealt in walk order, again and again"),
	SCHEMA_INT(struct write_step, contiguous_pages, "contiguous_pages", .max = UINT32_MAX,
		.fallback = "0",
		.help = "pages of a shard of a sharded layout; 0: one shard for each bank or core"),
	SCHEMA_ARRAY(struct write_step, page_matrix, "page_matrix", &pages_item,
		SCHEMA_COUNT(struct write_step, page_matrix_count),
		.help = "[high, wide]: a device's pages as a matrix, row by row; left out: all "
			"above each other, or beside each other if width-sharded"),
	SCHEMA_ARRAY(struct write_step, shard_pages, "shard_pages", &pages_item,
		SCHEMA_COUNT(struct write_step, shard_pages_count),
		.help = "[high, wide]: pages of a shard of that matrix, the last ones may have "
			"fewer; left out: as many as give each bank or core one"),
	SCHEMA_ARRAY(struct write_step, shard_cores, "shard_cores", &cores_item,
		SCHEMA_COUNT(struct write_step, shard_cores_count),
		.help = "[columns, rows] of the worker grid that take shards in L1; all if left "
			"out"),
	SCHEMA_ENUM(struct write_step, orientation, "orientation", orientation_names,
		.fallback = "row-major",
		.help = "whether shards go to cores row by row or column by column"),
	SCHEMA_BOOL(struct write_step, bottom_up, "bottom_up", .fallback = "false",
		.help = "take the lowest address of the free block that fits best, not the "
			"highest"),
	SCHEMA_STRING(struct write_step, sub_device, "sub_device",
		.help = "which of runtime.sub_devices has it in its L1: writes and reads wait for "
			"no other; left out: that of all workers",
		SCHEMA_WHERE(struct write_step, sub_device_where)),
	SCHEMA_BOOL(struct write_step, pinned, "pinned", .fallback = "false",
		.help = "the data lie in host memory that is mapped for the devices, which read it "
			"themselves"),
	SCHEMA_BOOL(struct write_step, stored, "stored", .fallback = "false",
		.help = "the data are in storage of hosts, which read them first, as "
			"runtime.distributed.loading says; on machines of several hosts"),
	SCHEMA_ENUM(struct write_step, values, "values", values_names, .fallback = "bits",
		.help = "what the data are: any bits, which as numbers are of all sizes, or "
			"numbers of a type, for programs that compute: below 2, of either sign"),
	SCHEMA_STRING(struct write_step, from, "from",
		.help = "a buffer: the data are those that the last read_buffer step above has "
			"read from it, which has to block (spec 3.7)",
		SCHEMA_WHERE(struct write_step, from_where)),
	SCHEMA_STRING(struct write_step, from_mesh, "from_mesh",
		.help = "the mesh of that buffer; that of the step if left out",
		SCHEMA_WHERE(struct write_step, from_mesh_where)),
	SHARD_FIELD(struct write_step),
	PAGES_FIELD(struct write_step),
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
	SCHEMA_STRING(struct read_step, save, "save",
		.help = "keeps what was read in the result file, as table saved_NAME of the run: "
			"a value for each element of the buffer's `values`, or for each byte; the "
			"last read, if there are several"),
	SHARD_FIELD(struct read_step),
	PAGES_FIELD(struct read_step),
	QUEUE_FIELD(struct read_step),
	BLOCKING_FIELD(struct read_step),
};
static const struct schema read_schema = SCHEMA("read_buffer", struct read_step, read_fields,
	.help = "reads a mesh buffer back, and compares it with what was written");

static const struct schema_field free_fields[] = {
	SCHEMA_STRING(struct free_step, buffer, "buffer", .fallback = "buffer",
		.help = "name of a buffer that a write_buffer step makes",
		SCHEMA_WHERE(struct free_step, buffer_where)),
};
static const struct schema free_schema = SCHEMA("free_buffer", struct free_step, free_fields,
	.help = "waits until everything enqueued on the mesh is complete, then gives the memory of "
		"a buffer back. Buffers that are made behind such a step take their memory when it "
		"is their turn, not at the start");

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
	SCHEMA_STRING(struct tensor_step, save, "save",
		.help = "keeps what was read in the result file, as table saved_NAME of the run: "
			"a value for each element; the last read, if there are several"),
	QUEUE_FIELD(struct tensor_step),
};
static const struct schema read_tensor_schema =
	SCHEMA("read_tensor", struct tensor_step, read_tensor_fields,
		.help = "reads a tensor back whole, and compares it with what was written");

static const struct schema_field record_fields[] = {
	EVENT_FIELD(struct record_step),
	SCHEMA_MAP_PTR(struct record_step, devices, "devices", &devices_schema,
		SCHEMA_WHERE(struct record_step, devices_where)),
	SCHEMA_BOOL(struct record_step, to_host, "to_host", .fallback = "false",
		.help = "notify the host as well"),
	SCHEMA_BOOL(struct record_step, to_executors, "to_executors", .fallback = "false",
		.help = "notify the hosts of the devices, and not the controller (spec 4.5); on "
			"machines of several hosts"),
	QUEUE_FIELD(struct record_step),
};
static const struct schema record_schema = SCHEMA("record_event", struct record_step, record_fields,
	.help = "records an event behind everything enqueued so far on these devices, which are "
		"those that wait for it");

static const struct schema_field wait_fields[] = {
	EVENT_FIELD(struct wait_step),
	SCHEMA_BOOL(struct wait_step, host, "host", .fallback = "false",
		.help = "the host thread waits, in place of the queue"),
	SCHEMA_BOOL(struct wait_step, executors, "executors", .fallback = "false",
		.help = "the hosts of the devices wait, in place of the queue, before they go on "
			"with any command; the controller goes on (spec 4.5)"),
	QUEUE_FIELD(struct wait_step),
};
static const struct schema wait_schema = SCHEMA("wait_event", struct wait_step, wait_fields,
	.help = "makes a queue, or the host, wait for an event");

/* queue: N, or `word`, which stands for UINT32_MAX */
static void bind_queue_or(const char *word, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	static const struct schema_field number = SCHEMA_ITEM_INT(
		uint32_t, .name = "queue", .min = 0, .max = MESH_COMMAND_QUEUES_MAX - 1);

	if (node->kind == TREE_SCALAR && strcmp(node->text, word) == 0)
		*(uint32_t *)member = UINT32_MAX;
	else
		schema_bind_value(&number, node, member, context);
}

#define QUEUE_OR(word)                                                                             \
	"{\"oneOf\": [{\"const\": \"" word "\"}, {\"type\": \"integer\", \"minimum\": 0, "         \
	"\"maximum\": 1}]}"

static void bind_finish_queue(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	(void)field;
	bind_queue_or("all", node, member, context);
}

static void bind_replay_queue(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	(void)field;
	bind_queue_or("captured", node, member, context);
}

static const struct schema_field finish_fields[] = {
	SCHEMA_CUSTOM(struct finish_step, queue, "queue", bind_finish_queue, .fallback = "all",
		.help = "`all`, or a virtual command queue", .json = QUEUE_OR("all")),
	SCHEMA_STRING(struct finish_step, sub_device, "sub_device",
		.help = "which of runtime.sub_devices has to be idle; all if left out",
		SCHEMA_WHERE(struct finish_step, sub_device_where)),
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
		.help = "the steps to capture: enqueue_workload, write_buffer, read_buffer, "
			"record_event, wait_event, none of which may block, and repeat of them"),
	SCHEMA_STRING(struct step, trace.name, "name", .help = "for replay_trace and release_trace",
		SCHEMA_WHERE(struct step, trace.name_where)),
	SCHEMA_INT(struct step, trace.replays, "replays", .min = 0, .max = SCENARIO_OPERATIONS_MAX,
		.fallback = "1",
		.help = "how often the trace is replayed each time that the step is reached; it is "
			"captured the first time; 0: only by replay_trace"),
	SCHEMA_INT(struct step, trace.queue, "queue", .max = MESH_COMMAND_QUEUES_MAX - 1,
		.fallback = "0", .help = "virtual command queue that captures and replays"),
	SCHEMA_BOOL(struct step, trace.blocking, "blocking", .fallback = "false",
		.help = "return from every replay when it is complete"),
};

#define TRACE_FIELD(type)                                                                          \
	SCHEMA_STRING(type, trace, "trace", .required = true,                                      \
		.help = "`name` of a trace step before this one", SCHEMA_WHERE(type, trace_where))

static const struct schema_field replay_fields[] = {
	TRACE_FIELD(struct replay_step),
	SCHEMA_INT(struct replay_step, times, "times", .min = 1, .max = SCENARIO_OPERATIONS_MAX,
		.fallback = "1", .help = "how often"),
	SCHEMA_CUSTOM(struct replay_step, queue, "queue", bind_replay_queue, .fallback = "captured",
		.help = "`captured`: that of the trace step; or a virtual command queue. Traces "
			"with events are replayed through their own alone",
		.json = QUEUE_OR("captured")),
	SCHEMA_BOOL(struct replay_step, blocking, "blocking", .fallback = "false",
		.help = "return from every replay when it is complete"),
};
static const struct schema replay_schema = SCHEMA("replay_trace", struct replay_step, replay_fields,
	.help = "replays a trace that a trace step has captured");

static const struct schema_field release_fields[] = {TRACE_FIELD(struct release_step)};
static const struct schema release_schema =
	SCHEMA("release_trace", struct release_step, release_fields,
		.help = "gives the memory of a trace back, when what was enqueued is complete");

static const struct schema_variant variants[] = {
	[STEP_REPEAT] = {.field = SCHEMA_INT(struct step, repeat.times, "repeat", .min = 1,
				 .max = SCENARIO_OPERATIONS_MAX,
				 .help = "does the steps under `do` this often"),
		SCHEMA_SIBLINGS(repeat_siblings)},
	[STEP_WRITE_BUFFER] = {.field = SCHEMA_MAP(
				       struct step, write, "write_buffer", &write_schema)},
	[STEP_READ_BUFFER] = {.field = SCHEMA_MAP(struct step, read, "read_buffer", &read_schema)},
	[STEP_FREE_BUFFER] = {.field = SCHEMA_MAP(struct step, free, "free_buffer", &free_schema)},
	[STEP_THINK] = {.field = SCHEMA_MAP(struct step, think, "think", &think_schema)},
	[STEP_ENQUEUE_WORKLOAD] = {.field = SCHEMA_MAP(struct step, workload, "enqueue_workload",
					   &workload_schema)},
	[STEP_RECORD_EVENT] = {.field = SCHEMA_MAP(
				       struct step, record, "record_event", &record_schema)},
	[STEP_WAIT_EVENT] = {.field = SCHEMA_MAP(struct step, wait, "wait_event", &wait_schema)},
	[STEP_FINISH] = {.field = SCHEMA_MAP(struct step, finish, "finish", &finish_schema)},
	[STEP_TRACE] = {.field = SCHEMA_INT(struct step, trace.body.times, "trace", .min = 1,
				.max = TRACE_LAUNCHES_MAX,
				.help = "captures the steps under `do`, this often behind each "
					"other, into a trace in the devices' DRAM, and replays it"),
		SCHEMA_SIBLINGS(trace_siblings)},
	[STEP_REPLAY_TRACE] = {.field = SCHEMA_MAP(
				       struct step, replay, "replay_trace", &replay_schema)},
	[STEP_RELEASE_TRACE] = {.field = SCHEMA_MAP(
					struct step, release, "release_trace", &release_schema)},
	[STEP_FABRIC_PING] = {.field = SCHEMA_MAP(struct step, ping, "fabric_ping", &ping_schema)},
	[STEP_FABRIC_TRAFFIC] = {.field = SCHEMA_MAP(
					 struct step, traffic, "fabric_traffic", &traffic_schema)},
	[STEP_WRITE_TENSOR] = {.field = SCHEMA_MAP(
				       struct step, tensor, "write_tensor", &write_tensor_schema)},
	[STEP_CLOSE_MESH] = {.field = SCHEMA_MAP(struct step, turn, "close_mesh", &close_schema)},
	[STEP_OPEN_MESH] = {.field = SCHEMA_MAP(struct step, turn, "open_mesh", &open_schema)},
	[STEP_LOAD_SUB_DEVICES] = {.field = SCHEMA_STRING(struct step, load.name,
					   "load_sub_devices",
					   .help = "waits for all queues, then divides the mesh "
						   "as one of runtime.divisions; `initial`: as "
						   "runtime.sub_devices")},
	[STEP_CLEAR_SUB_DEVICES] = {.field = SCHEMA_MAP(
					    struct step, load, "clear_sub_devices", &clear_schema)},
	[STEP_BRING_UP] = {.field =
				   SCHEMA_MAP(struct step, bring_up, "bring_up", &bring_up_schema)},
	[STEP_RUN_MODEL] = {.field =
				    SCHEMA_MAP(struct step, model, "run_model", &run_model_schema)},
	[STEP_READ_TENSOR] = {.field = SCHEMA_MAP(
				      struct step, tensor, "read_tensor", &read_tensor_schema)},
	[STEP_COLLECTIVE] = {.field = SCHEMA_MAP(
				     struct step, collective, "collective", &collective_schema)},
};

static const struct schema_field common_fields[] = {
	SCHEMA_STRING(struct step, as, "as", .is_file_name = true,
		.help = "what the step is called in results and questions; its program or place "
			"if left out"),
	SCHEMA_STRING(struct step, mesh_name, "mesh",
		.help = "which of runtime.meshes it is of, with all steps below it; a finish that "
			"does not say is of all",
		SCHEMA_WHERE(struct step, mesh_where)),
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

uint32_t step_times(const struct step *step)
{
	if (step->kind == STEP_TRACE)
		return step->trace.replays;
	if (step->kind == STEP_RUN_MODEL)
		return step->model.times;
	return step->kind == STEP_REPLAY_TRACE ? step->replay.times : 1;
}

static uint64_t steps_operations(const struct step *steps, uint32_t count, uint32_t rounds);

static uint64_t body_operations(const struct repeat_step *body, uint32_t rounds)
{
	return body->times * steps_operations(body->steps, body->step_count, rounds);
}

/* Returns the number of operations that the steps enqueue. A read counts as 1 + `rounds`
 * operations, because up to `rounds` further operations gather its data on the devices. */
static uint64_t steps_operations(const struct step *steps, uint32_t count, uint32_t rounds)
{
	uint64_t operations = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];

		if (step->kind == STEP_REPEAT)
			operations += body_operations(&step->repeat, rounds);
		else if (step->kind == STEP_TRACE)
			operations += 1 + step->trace.replays *
						  (body_operations(&step->trace.body, rounds) + 1);
		else if (step->kind == STEP_REPLAY_TRACE && step->replay.captured)
			operations +=
				step->replay.times *
				(body_operations(&step->replay.captured->trace.body, rounds) + 1);
		else if (step->kind == STEP_FINISH)
			operations +=
				(uint64_t)step->finish.meshes *
				(step->finish.queue == UINT32_MAX ? MESH_COMMAND_QUEUES_MAX : 1);
		else if (step->kind == STEP_FABRIC_PING)
			operations += step->ping.samples;
		else if (step->kind == STEP_READ_BUFFER)
			operations += 1 + rounds;
		else if (step->kind == STEP_RUN_MODEL)
			operations += model_operations(&step->model);
		else
			operations += step->kind != STEP_THINK;
		if (operations > SCENARIO_OPERATIONS_MAX)
			return (uint64_t)SCENARIO_OPERATIONS_MAX + 1;
	}
	return operations;
}

uint64_t scenario_operations(const struct scenario *scenario)
{
	bool rounds = gather_row(scenario->runtime.gather)->on_devices;

	return steps_operations(
		scenario->steps, scenario->step_count, rounds ? GATHER_ROUNDS_MAX : 0);
}
