/* Kernels whose instructions are in the scenario file. Binds their keys, and reports errors in
 * their texts with locations in the file. */
#include <string.h>

#include "check.h"
#include "command/kernel_text.h"
#include "programs/library.h"

static const char *const processor_names[] = {
	"brisc", "ncrisc", "trisc0", "trisc1", "trisc2", NULL};
_Static_assert(sizeof processor_names / sizeof *processor_names == PROCESSOR_COUNT + 1,
	"every processor of a worker has a name");

/* core | N */
static void bind_argument(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	static const struct schema_field number =
		SCHEMA_ITEM_INT(uint32_t, .name = "argument", .min = 0, .max = UINT32_MAX);
	struct argument_keys *argument = member;

	(void)field;
	argument->core = node->kind == TREE_SCALAR && strcmp(node->text, "core") == 0;
	if (!argument->core)
		schema_bind_value(&number, node, &argument->value, context);
}

static const struct schema_field argument_item =
	SCHEMA_ITEM_CUSTOM(struct argument_keys, bind_argument,
		.json = "{\"oneOf\": [{\"const\": \"core\"}, {\"type\": \"integer\", \"minimum\": "
			"0}]}");

static const struct schema_field kernel_fields[] = {
	SCHEMA_ENUM(struct kernel_keys, processor, "processor", processor_names,
		.fallback = "brisc", .help = "RISC-V processor of a worker that runs it"),
	SCHEMA_STRING(struct kernel_keys, text, "text", .required = true,
		.help = "its instructions, one a line (runtime/command/instructions.def)",
		SCHEMA_WHERE(struct kernel_keys, text_where)),
	SCHEMA_LIST(struct kernel_keys, arguments, argument_count, "arguments", &argument_item,
		.max = BOUND_ARGUMENTS,
		.help = "what `argument` gives, from 0 on: numbers, or `core`, that of the core "
			"among the program's"),
};
static const struct schema kernel_schema = SCHEMA("kernel", struct kernel_keys, kernel_fields,
	.help = "a kernel that acts", SCHEMA_WHERE(struct kernel_keys, where));
const struct schema_field step_kernel_item = SCHEMA_ITEM_MAP(struct kernel_keys, &kernel_schema);

struct told {
	const struct kernel_keys *kernel;
	struct diag *diag;
};

/* Reports an error. The lines of a block text are below its key and indented. For other texts, only
 * the line of the key is known. */
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

void check_kernel_texts(const struct check *check, const struct program_keys *program)
{
	for (uint32_t i = 0; i < program->kernel_count; i++) {
		const struct kernel_keys *kernel = &program->kernels[i];
		struct kernel_text text;

		for (uint32_t k = 0; k < i; k++)
			if (program->kernels[k].processor == kernel->processor)
				diag_error(check->diag, kernel->where,
					"%s of this program has a kernel already",
					processor_names[kernel->processor]);
		(void)program_kernel_text(program, kernel, NULL, check->diag, &text);
		kernel_text_fini(&text);
	}
}
