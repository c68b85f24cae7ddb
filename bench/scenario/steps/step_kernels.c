/* Kernels whose instructions are in the scenario file. Reads their keys, and reports errors in the
 * instructions with their places in the file. */
#include <string.h>

#include "check.h"
#include "command/kernel_text.h"
#include "programs/library.h"
#include "world/bounds.h"

static const char *const processor_names[] = {
	"brisc", "ncrisc", "trisc0", "trisc1", "trisc2", NULL};
_Static_assert(sizeof processor_names / sizeof *processor_names == PROCESSOR_COUNT + 1,
	"every processor of a worker has a name");

static const struct schema_field device_item = SCHEMA_ITEM_INT(uint32_t, .max = BOUND_CHIPS - 1);

static const struct schema_field route_fields[] = {
	SCHEMA_LIST(struct route_keys, devices, count, "route", &device_item, .required = true,
		.min = 2, .max = BOUND_CHIPS),
	SCHEMA_INT(struct route_keys, link, "link", .max = 15, .fallback = "0"),
	SCHEMA_BOOL(struct route_keys, each, "each", .fallback = "false"),
	SCHEMA_BOOL(struct route_keys, ring, "ring", .fallback = "false"),
};
static const struct schema route_schema = SCHEMA("route", struct route_keys, route_fields);
static const struct schema_field route_item = SCHEMA_ITEM_MAP(struct route_keys, &route_schema);

/* core | N | {route: [N, ...], link: N, each: BOOL, ring: BOOL} */
static void bind_argument(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	static const struct schema_field number =
		SCHEMA_ITEM_INT(uint32_t, .name = "argument", .min = 0, .max = UINT32_MAX);
	struct argument_keys *argument = member;

	(void)field;
	argument->where = node->where;
	argument->core = node->kind == TREE_SCALAR && strcmp(node->text, "core") == 0;
	if (node->kind == TREE_MAP)
		schema_bind_value(&route_item, node, &argument->route, context);
	else if (!argument->core)
		schema_bind_value(&number, node, &argument->value, context);
}

static const struct schema_field argument_item =
	SCHEMA_ITEM_CUSTOM(struct argument_keys, bind_argument,
		.json = "{\"oneOf\": [{\"const\": \"core\"}, {\"type\": \"integer\", \"minimum\": "
			"0}, {\"type\": \"object\", \"required\": [\"route\"], "
			"\"additionalProperties\": false, \"properties\": {\"route\": {\"type\": "
			"\"array\", \"minItems\": 2, \"items\": {\"type\": \"integer\", "
			"\"minimum\": 0}}, \"link\": {\"type\": \"integer\", \"minimum\": 0, "
			"\"maximum\": 15}, \"each\": {\"type\": \"boolean\"}, \"ring\": "
			"{\"type\": \"boolean\"}}}]}");

static const struct schema_field coordinate_item =
	SCHEMA_ITEM_INT(uint8_t, .min = 0, .max = UINT8_MAX);

static const struct schema_field kernel_fields[] = {
	SCHEMA_ENUM(struct kernel_keys, processor, "processor", processor_names,
		.fallback = "brisc", .help = "RISC-V processor of a worker that runs it"),
	SCHEMA_STRING(struct kernel_keys, text, "text", .required = true,
		.help = "its instructions, one a line (runtime/command/instructions.def)",
		SCHEMA_WHERE(struct kernel_keys, text_where)),
	SCHEMA_LIST(struct kernel_keys, arguments, argument_count, "arguments", &argument_item,
		.max = BOUND_ARGUMENTS,
		.help = "what `argument` gives, from 0 on: numbers; `core`, that of the core "
			"among the program's; or {route: [device, ...], link: 0, each: false, "
			"ring: false}, the number of a route over the fabric from the program's "
			"only device to the last of these neighbours, or to each"),
	SCHEMA_ARRAY(struct kernel_keys, core, "core", &coordinate_item,
		SCHEMA_COUNT(struct kernel_keys, core_count), .min = 2,
		.help = "[column, row] in the worker grid of the one core that runs it; left out: "
			"all cores of the program do",
		SCHEMA_WHERE(struct kernel_keys, core_where)),
};
static const struct schema kernel_schema = SCHEMA("kernel", struct kernel_keys, kernel_fields,
	.help = "a kernel that acts", SCHEMA_WHERE(struct kernel_keys, where));
const struct schema_field step_kernel_item = SCHEMA_ITEM_MAP(struct kernel_keys, &kernel_schema);

struct told {
	const struct kernel_keys *kernel;
	struct diag *diag;
};

/* Reports an error in line `line` of a kernel's instructions. If the instructions are a YAML block,
 * the error cites this line of the file; otherwise, it cites the key. */
static void step_kernels_tell(void *context, uint32_t line, uint32_t column, const char *message)
{
	const struct told *told = context;
	const char *begin = told->kernel->text;
	struct location where;
	size_t length;

	for (uint32_t i = 1; i < line; i++)
		begin += strcspn(begin, "\n") + 1;
	length = strcspn(begin, "\n");
	where = location_in_block(told->kernel->text_where, line, begin, length, column);
	if (where.line == told->kernel->text_where.line)
		diag_error(told->diag, where, "line %u of the text: %s", line, message);
	else
		diag_error(told->diag, where, "%s", message);
}

bool program_kernel_text(const struct program_keys *program, const struct kernel_keys *kernel,
	const uint32_t *at, struct diag *diag, struct kernel_text *text)
{
	struct kernel_symbol symbols[LIBRARY_PORTS_MAX];
	struct told told = {kernel, diag};
	struct kernel_mistakes mistakes = {&told, step_kernels_tell};

	for (uint32_t i = 0; i < program->buffer_count; i++)
		symbols[i] = (struct kernel_symbol){program->buffers[i].port, at ? at[i] : 0};
	kernel_text_init(text);
	return kernel_assemble(kernel->text, symbols, program->buffer_count, &mistakes, text);
}

bool cores_have(const struct cores *cores, uint32_t columns, uint32_t core)
{
	uint32_t column = core % columns, row = core / columns;

	if (cores->kind == CORES_COUNT)
		return core < cores->count;
	return cores->kind == CORES_ALL ||
	       (column >= cores->rect.column0 && column <= cores->rect.column1 &&
		       row >= cores->rect.row0 && row <= cores->rect.row1);
}

bool kernel_runs_on(const struct program_keys *program, const struct kernel_keys *kernel,
	uint32_t columns, uint32_t core)
{
	if (kernel->core_count > 0 && core != kernel->core[1] * columns + kernel->core[0])
		return false;
	return cores_have(&program->cores, columns, core);
}

void check_kernel_texts(const struct check *check, const struct program_keys *program)
{
	for (uint32_t i = 0; i < program->kernel_count; i++) {
		struct kernel_text text;

		(void)program_kernel_text(program, &program->kernels[i], NULL, check->diag, &text);
		kernel_text_fini(&text);
	}
}
