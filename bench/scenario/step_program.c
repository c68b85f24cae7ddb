/* Schemas of the steps that launch programs, and checks of keys that contradict each other. The
 * rehearsal makes the programs, and so finds programs that devices cannot run. */
#include <string.h>

#include "base/nearest.h"
#include "programs/library.h"
#include "scenario_private.h"
#include "step_check.h"
#include "steps/check.h"
#include "world/bounds.h"

static const char *const arguments_names[] = {"fresh", "kept", NULL};
static const char *const arguments_per_names[] = {"program", "row", "column", "device", NULL};
static const char *const processor_names[] = {
	"brisc", "ncrisc", "trisc0", "trisc1", "trisc2", "ethernet", NULL};

static const struct schema_field extent_item =
	SCHEMA_ITEM_INT(uint16_t, .min = 1, .max = BOUND_EXTENT);
static const struct schema_field place_item =
	SCHEMA_ITEM_INT(uint16_t, .min = 0, .max = BOUND_EXTENT - 1);

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

/* Returns the number of a processor, or -1 after an error at `where`. */
static int processor_named(const char *name, struct location where, struct diag *diag)
{
	struct nearest nearest;

	nearest_start(&nearest, name);
	for (int i = 0; processor_names[i]; i++) {
		nearest_offer(&nearest, processor_names[i]);
		if (strcmp(name, processor_names[i]) == 0)
			return i;
	}
	if (nearest.best)
		diag_error(diag, where, "unknown processor '%s', did you mean '%s'?", name,
			nearest.best);
	else
		diag_error(diag, where,
			"unknown processor '%s': all, brisc, ncrisc, trisc0, trisc1, trisc2 or "
			"ethernet",
			name);
	return -1;
}

static void bind_processor(const struct tree_node *node, bool *processors, struct diag *diag)
{
	char described[TREE_DESCRIBE_BYTES];
	int number;

	if (node->kind != TREE_SCALAR) {
		diag_error(diag, node->where, "a processor must be a name, not %s",
			tree_describe(node, described, sizeof described));
		return;
	}
	number = processor_named(node->text, node->where, diag);
	if (number >= 0 && processors[number])
		diag_error(diag, node->where, "processor '%s' is named twice", node->text);
	else if (number >= 0)
		processors[number] = true;
}

/* processor_bytes: {NAME: bytes, ...} */
static void bind_processor_bytes(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	static const struct schema_field bytes = SCHEMA_ITEM_INT(
		uint32_t, .name = "processor_bytes", .min = 16, .max = UINT32_MAX, .unit = "B");
	char described[TREE_DESCRIBE_BYTES];

	(void)field;
	if (node->kind != TREE_MAP)
		diag_error(context->diag, node->where,
			"processor_bytes must be {PROCESSOR: bytes, ...}, not %s",
			tree_describe(node, described, sizeof described));
	for (uint32_t i = 0; node->kind == TREE_MAP && i < node->count; i++) {
		const struct tree_pair *pair = &node->pairs[i];
		int number = processor_named(pair->key, pair->where, context->diag);

		if (number >= 0)
			schema_bind_value(
				&bytes, pair->value, (uint32_t *)member + number, context);
	}
}

/* processors: all | NAME | [NAME, ...]; `all` means all processors of a worker */
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
		SCHEMA_COUNT(struct devices_keys, offset_count), .min = 2, .max = 3,
		.fallback = "[0, 0]", .help = "[row, column] in the virtual mesh"),
	SCHEMA_ARRAY(struct devices_keys, shape, "shape", &extent_item,
		SCHEMA_COUNT(struct devices_keys, shape_count), .min = 2, .max = 3,
		.required = true, .help = "[rows, columns], or [rows, columns, 1]"),
};
const struct schema devices_schema = SCHEMA("devices", struct devices_keys, devices_fields,
	.help = "a rectangle of devices; all of them if left out");

static const char *step_library_name(size_t index)
{
	return index > 0 ? library_name(index - 1) : "none";
}

const char *step_element_name(size_t index)
{
	return index < ELEMENT_COUNT ? element_name((enum element)index) : NULL;
}

static const struct schema_field tiles_item = SCHEMA_ITEM_INT(uint32_t, .min = 1, .max = 65536);

static const struct schema_field pixels_item = SCHEMA_ITEM_INT(uint32_t, .min = 1, .max = 65536);
static const struct schema_field taps_item = SCHEMA_ITEM_INT(uint32_t, .min = 1, .max = 256);
static const struct schema_field padding_item = SCHEMA_ITEM_INT(uint32_t, .min = 0, .max = 255);
static const struct schema_field image_fields[] = {
	SCHEMA_ARRAY(struct image_keys, size, "size", &pixels_item,
		SCHEMA_COUNT(struct image_keys, size_count), .min = 2, .max = 2,
		.help = "[height, width] of an image in pixels; left out: that of a tensor of "
			"images"),
	SCHEMA_ARRAY(struct image_keys, kernel, "kernel", &taps_item,
		SCHEMA_COUNT(struct image_keys, kernel_count), .min = 2, .max = 2, .required = true,
		.help = "[height, width] of the kernel"),
	SCHEMA_ARRAY(struct image_keys, stride, "stride", &taps_item,
		SCHEMA_COUNT(struct image_keys, stride_count), .min = 2, .max = 2,
		.fallback = "[1, 1]",
		.help = "pixels from one place of the kernel to the next, down and right"),
	SCHEMA_ARRAY(struct image_keys, padding, "padding", &padding_item,
		SCHEMA_COUNT(struct image_keys, padding_count), .min = 2, .max = 2,
		.fallback = "[0, 0]", .help = "zeros above and below an image, and at its sides"),
	SCHEMA_ARRAY(struct image_keys, dilation, "dilation", &taps_item,
		SCHEMA_COUNT(struct image_keys, dilation_count), .min = 2, .max = 2,
		.fallback = "[1, 1]",
		.help = "pixels from one tap of the kernel to the next, down and right"),
	SCHEMA_INT(struct image_keys, groups, "groups", .min = 1, .max = 65535, .fallback = "1",
		.help = "parts of the channels: each channel of the result is of those of the "
			"image in its part"),
};
static const struct schema image_schema = SCHEMA("image", struct image_keys, image_fields,
	.help = "the images that a convolution takes, and its kernel");

static const struct schema_field slice_item = SCHEMA_ITEM_INT(uint32_t, .min = 0, .max = 65536);

static const struct schema_field port_item =
	SCHEMA_ITEM_STRING(.offset = offsetof(struct port_keys, buffer),
		SCHEMA_WHERE(struct port_keys, where));

static const struct schema program_schema;
static const struct schema_field program_item =
	SCHEMA_ITEM_MAP(struct program_keys, &program_schema);

/* The keys of an enqueue_workload step. The keys that a program in a list also has come first, so
 * that the first part of this array is the schema of such a program. */
static const struct schema_field workload_fields[] = {
	SCHEMA_STRING(struct program_keys, program, "program", .fallback = "program",
		.help = "a name; it keys the generated binaries"),
	SCHEMA_CUSTOM(struct program_keys, cores, "cores", bind_cores, .fallback = "all",
		.help = "`all`, the first N, or [columns, rows] of the worker grid",
		.json = "{\"oneOf\": [{\"const\": \"all\"}, {\"type\": \"integer\", \"minimum\": "
			"1}, {\"type\": \"array\", \"items\": {\"type\": \"integer\", "
			"\"minimum\": 1}, \"minItems\": 2, \"maxItems\": 2}]}",
		SCHEMA_WHERE(struct program_keys, cores_where)),
	SCHEMA_STRING(struct program_keys, sub_device, "sub_device",
		.help = "which of runtime.sub_devices `cores` counts in: `all` of it, or [columns, "
			"rows]; left out: they count in the worker grid",
		SCHEMA_WHERE(struct program_keys, sub_device_where)),
	SCHEMA_MAP_PTR(struct program_keys, devices, "devices", &devices_schema,
		SCHEMA_WHERE(struct program_keys, devices_where)),
	SCHEMA_CUSTOM(struct program_keys, processors, "processors", bind_processors,
		.fallback = "brisc",
		.help = "RISC-V processors of a core that run a kernel; `all` are those of a "
			"worker, ethernet is that of Ethernet cores",
		.json = "{\"oneOf\": [{\"enum\": [\"all\", \"brisc\", \"ncrisc\", \"trisc0\", "
			"\"trisc1\", \"trisc2\", \"ethernet\"]}, {\"type\": \"array\", "
			"\"minItems\": 1, "
			"\"items\": {\"enum\": [\"brisc\", \"ncrisc\", \"trisc0\", \"trisc1\", "
			"\"trisc2\", \"ethernet\"]}}]}",
		SCHEMA_WHERE(struct program_keys, processors_where)),
	SCHEMA_CUSTOM(struct program_keys, ethernet_cores, "ethernet_cores", bind_ethernet_cores,
		.fallback = "all",
		.help = "`all` Ethernet cores that links and dispatch leave, or the first N of "
			"them, if `processors` names ethernet",
		.json = "{\"oneOf\": [{\"const\": \"all\"}, {\"type\": \"integer\", \"minimum\": "
			"1}]}",
		SCHEMA_WHERE(struct program_keys, ethernet_cores_where)),
	SCHEMA_INT(struct program_keys, kernel_bytes, "kernel_bytes", .min = 16, .max = UINT32_MAX,
		.fallback = "1024", .unit = "B", .help = "binary of each processor",
		SCHEMA_WHERE(struct program_keys, kernel_bytes_where)),
	SCHEMA_CUSTOM(struct program_keys, processor_bytes, "processor_bytes", bind_processor_bytes,
		.help = "{brisc: 1452, trisc0: 1356}: binaries of single processors, in place of "
			"kernel_bytes",
		.json = "{\"type\": \"object\", \"minProperties\": 1, \"propertyNames\": "
			"{\"enum\": "
			"[\"brisc\", \"ncrisc\", \"trisc0\", \"trisc1\", \"trisc2\", "
			"\"ethernet\"]}, "
			"\"additionalProperties\": {\"type\": \"integer\", \"minimum\": 16}}",
		SCHEMA_WHERE(struct program_keys, processor_bytes_where)),
	SCHEMA_INT(struct program_keys, kernel_groups, "kernel_groups", .min = 1, .max = 256,
		.fallback = "1",
		.help = "groups of columns of the cores, each with kernels of its own",
		SCHEMA_WHERE(struct program_keys, kernel_groups_where)),
	SCHEMA_INT(struct program_keys, runtime_args, "runtime_args", .max = BOUND_ARGUMENTS,
		.fallback = "0",
		.help = "unique arguments of 4 B per core and kernel; the three TRISCs run one",
		SCHEMA_WHERE(struct program_keys, runtime_args_where)),
	SCHEMA_INT(struct program_keys, common_runtime_args, "common_runtime_args",
		.max = BOUND_ARGUMENTS, .fallback = "0",
		.help = "arguments of 4 B that all cores share, per kernel; with runtime_args at "
			"most 341 together"),
	SCHEMA_ENUM(struct program_keys, arguments, "arguments", arguments_names,
		.fallback = "fresh",
		.help = "other values of all arguments at every enqueue, or those of the first"),
	SCHEMA_ENUM(struct program_keys, arguments_per, "arguments_per", arguments_per_names,
		.fallback = "program",
		.help = "which of the program's devices have the same arguments: all, or those of "
			"a row, of a column, or none; others are sent apart from all else"),
	SCHEMA_INT(struct program_keys, circular_buffers, "circular_buffers", .max = 32,
		.fallback = "0", .help = "circular buffers of every core",
		SCHEMA_WHERE(struct program_keys, circular_buffers_where)),
	SCHEMA_INT(struct program_keys, circular_buffer_bytes, "circular_buffer_bytes", .min = 16,
		.max = 1 << 21, .fallback = "2048", .unit = "B", .help = "size of a page of each"),
	SCHEMA_INT(struct program_keys, circular_buffer_pages, "circular_buffer_pages", .min = 0,
		.max = UINT16_MAX, .fallback = "0",
		.help = "pages of that size in each; in every further group one more. Kernels of "
			"a pipeline go ahead of each other by as many: 1 is single buffering. 0: "
			"of a pipeline what the platform says (double buffering), else 1"),
	SCHEMA_INT(struct program_keys, circular_buffer_groups, "circular_buffer_groups", .min = 1,
		.max = 256, .fallback = "1",
		.help = "groups of columns of the cores, each with circular buffers of another "
			"size",
		SCHEMA_WHERE(struct program_keys, circular_buffer_groups_where)),
	SCHEMA_INT(struct program_keys, semaphores, "semaphores", .max = 16, .fallback = "0",
		.help = "semaphores of every core"),
	SCHEMA_INT(struct program_keys, pages, "pages", .min = 1, .max = UINT16_MAX,
		.fallback = "1",
		.help = "more than one: the kernels of a core form a pipeline over this many "
			"pages"),
	SCHEMA_INT(struct program_keys, run_ns, "run_ns", .max = 1000000000, .fallback = "1000",
		.unit = "ns", .help = "time that a kernel runs once started, per page"),
	SCHEMA_REAL(struct program_keys, imbalance, "imbalance", .real_max = 0.999, .fallback = "0",
		.help = "run_ns is the time from the first start of a core to the end of core 0, "
			"which is the last; each other one ends earlier, the earliest by this "
			"fraction of it; 0: each core runs for run_ns",
		SCHEMA_WHERE(struct program_keys, imbalance_where)),
	SCHEMA_REGISTRY(struct program_keys, library, "library", step_library_name,
		.fallback = "none",
		.help = "a program of the library, whose kernels act on `buffers`, in place of "
			"filler; what it leaves there is known, and compared when it is read",
		SCHEMA_WHERE(struct program_keys, library_where)),
	SCHEMA_REGISTRY(struct program_keys, element, "element", step_element_name,
		.fallback = "f32", .help = "type of the values, of programs that compute them",
		SCHEMA_WHERE(struct program_keys, element_where)),
	SCHEMA_ARRAY(struct program_keys, tiles, "tiles", &tiles_item,
		SCHEMA_COUNT(struct program_keys, tiles_count), .min = 2, .max = 3,
		.help = "[rows, columns] of a matrix in tiles of 32x32, or [rows, columns, inner] "
			"of a product",
		SCHEMA_WHERE(struct program_keys, tiles_where)),
	SCHEMA_ARRAY(struct program_keys, slice, "slice", &slice_item,
		SCHEMA_COUNT(struct program_keys, slice_count), .min = 4, .max = 4,
		.help = "[first row, first column, rows, columns] of a slice, in tiles",
		SCHEMA_WHERE(struct program_keys, slice_where)),
	SCHEMA_MAP_PTR(struct program_keys, image, "image", &image_schema,
		SCHEMA_WHERE(struct program_keys, image_where)),
	SCHEMA_DICT(struct program_keys, buffers, buffer_count, "buffers", &port_item,
		struct port_keys, port, .min = 1, .max = LIBRARY_PORTS_MAX,
		.help = "which buffer of an earlier write_buffer step each of the program's is, by "
			"its name there (`meshsim list`), or that in `kernels`"),
	SCHEMA_LIST(struct program_keys, kernels, kernel_count, "kernels", &step_kernel_item,
		.min = 1, .max = BOUND_PROCESSORS * BOUND_CORES,
		.help = "kernels whose instructions are given here, in place of filler; the "
			"contents "
			"that they leave in `buffers` are not checked"),
	SCHEMA_LIST(struct workload_step, programs, program_count, "programs", &program_item,
		.min = 1, .max = BOUND_PROGRAMS,
		.help = "several programs, each on devices of its own, in place of the one that "
			"the other keys describe"),
	SCHEMA_STRING(struct workload_step, identity, "identity",
		.help = "a name of this workload. Later steps with this identity run it again, as "
			"a program cache does: they have no keys of programs but run_ns and "
			"imbalance",
		SCHEMA_WHERE(struct workload_step, identity_where)),
	QUEUE_FIELD(struct workload_step),
	BLOCKING_FIELD(struct workload_step),
};
enum { PROGRAM_FIELDS = sizeof(workload_fields) / sizeof(*workload_fields) - 4 };
_Static_assert(offsetof(struct workload_step, own) == 0, "keys of the one program are the step's");

static const struct schema program_schema = {
	.name = "program",
	.help = "a program of a workload",
	.size = sizeof(struct program_keys),
	.fields = workload_fields,
	.field_count = PROGRAM_FIELDS,
	SCHEMA_WHERE(struct program_keys, where),
};
const struct schema workload_schema = SCHEMA("enqueue_workload", struct workload_step,
	workload_fields, .help = "runs a program on devices of the mesh, or several side by side");

struct device_range devices_range(const struct devices_keys *keys, struct mesh_shape shape)
{
	if (!keys)
		return device_range_all(shape);
	return (struct device_range){keys->offset[0], keys->offset[1],
		(uint16_t)(keys->offset[0] + keys->shape[0] - 1),
		(uint16_t)(keys->offset[1] + keys->shape[1] - 1)};
}

const struct program_keys *step_programs(const struct step *step, uint32_t *count)
{
	const struct workload_step *workload =
		step->workload.maker ? &step->workload.maker->workload : &step->workload;

	*count = workload->program_count > 0 ? workload->program_count : 1;
	return workload->program_count > 0 ? workload->programs : &workload->own;
}

/* ---- conditions ---- */

/* Checks keys of Ethernet cores; the rehearsal checks their number. */
static void check_ethernet(const struct program_keys *program, struct diag *diag)
{
	bool workers = false;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		workers |= program->processors[i];
	/* `all` is allowed, since effective scenarios always contain it */
	if (!program->processors[STEP_ETHERNET] && program->ethernet_cores.kind == CORES_COUNT)
		diag_error(diag, program->ethernet_cores_where,
			"ethernet_cores: `processors` does not name ethernet");
	if (program->processors[STEP_ETHERNET] && !workers && program->circular_buffers > 0)
		diag_error(diag, program->circular_buffers_where,
			"circular buffers of a program without workers");
}

void check_layers(struct diag *diag, struct location where, const char *what,
	const uint16_t shape[3], uint32_t shape_count, const uint16_t offset[3])
{
	uint32_t layers = (shape_count > 2 ? shape[2] : 1u) + offset[2];

	if (layers > 1)
		diag_error(diag, where,
			"%s of %u layers of devices, but a mesh has one: chips that Z links join "
			"are meshes of their own (runtime.meshes)",
			what, layers);
}

void check_devices(const struct mesh_config *config, struct diag *diag,
	const struct devices_keys *devices, struct location where)
{
	struct mesh_shape shape = config->shape;

	if (devices)
		check_layers(diag, where, "a range", devices->shape, devices->shape_count,
			devices->offset);
	if (devices && (devices->offset[0] + devices->shape[0] > shape.rows ||
			       devices->offset[1] + devices->shape[1] > shape.columns))
		diag_error(diag, where, "devices reach outside the mesh of %u x %u", shape.rows,
			shape.columns);
}

static void check_processor_bytes(const struct program_keys *program, struct diag *diag)
{
	for (int i = 0; i < STEP_PROCESSOR_COUNT; i++)
		if (program->processor_bytes[i] > 0 && !program->processors[i])
			diag_error(diag, program->processor_bytes_where,
				"processor_bytes: `processors` does not name %s",
				processor_names[i]);
}

static void step_program_check_program(const struct program_keys *program, struct diag *diag)
{
	check_ethernet(program, diag);
	check_processor_bytes(program, diag);
	if (program->imbalance > 0 && program->pages > 1)
		diag_error(diag, program->imbalance_where,
			"imbalance of a pipeline: its cores end together (pages: 1)");
	if (program->devices)
		check_layers(diag, program->devices_where, "a range", program->devices->shape,
			program->devices->shape_count, program->devices->offset);
	if (program->circular_buffer_groups > 1 && program->circular_buffers == 0)
		diag_error(diag, program->circular_buffer_groups_where,
			"circular buffer groups of a program without circular buffers");
}

static bool is_default(const struct tree_node *keys, const struct schema_field *field)
{
	const struct tree_node *node = keys ? tree_get(keys, field->name) : NULL;

	return !node || (node->kind == TREE_SCALAR && field->fallback &&
				strcmp(node->text, field->fallback) == 0);
}

bool program_key_is_default(const struct tree_node *keys, const char *name)
{
	uint32_t i = 0;

	while (strcmp(workload_fields[i].name, name) != 0)
		i++;
	return is_default(keys, &workload_fields[i]);
}

/* Reports an error for each key of a program that a step has besides its list of programs. */
static void step_program_check_lonely(const struct tree_node *keys, struct diag *diag)
{
	for (uint32_t i = 0; i < PROGRAM_FIELDS; i++)
		if (!is_default(keys, &workload_fields[i]))
			diag_error(diag, tree_where(keys, workload_fields[i].name),
				"%s beside `programs`, each of which has keys of its own",
				workload_fields[i].name);
}

void check_programs(const struct tree_node *keys, const struct step *step, struct diag *diag)
{
	const struct tree_node *items = keys ? tree_get(keys, "programs") : NULL;
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);

	if (items)
		step_program_check_lonely(keys, diag);
	for (uint32_t i = 0; i < count; i++)
		step_program_check_program(&programs[i], diag);
}
