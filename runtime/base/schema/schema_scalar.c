/* Binds scalars: bools, numbers, strings and enums. Also contains the table of keys for constants
 * of the modelled machine. Types are not converted: a number is not accepted as a string, and a
 * real number is not accepted as an integer. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/ensure.h"
#include "base/nearest.h"
#include "schema_private.h"

static const char *const constant_kinds[] = {[CONSTANT_PUBLISHED] = "published",
	[CONSTANT_MEASURED] = "measured",
	[CONSTANT_FITTED] = "fitted",
	[CONSTANT_ASSUMED] = "assumed",
	[CONSTANT_KINDS] = NULL};

static const struct schema_field constant_fields[] = {
	SCHEMA_REAL(struct constant, value, "value", .required = true, .real_min = -DBL_MAX,
		.real_max = DBL_MAX, .help = "the number"),
	SCHEMA_STRING(struct constant, unit, "unit", .required = true, .help = "its unit"),
	SCHEMA_STRING(struct constant, source, "source", .required = true,
		.help = "where the number comes from"),
	SCHEMA_ENUM(struct constant, kind, "kind", constant_kinds, .required = true,
		.help = "how the number was got"),
	SCHEMA_STRING(struct constant, note, "note", .help = "what else there is to say"),
};

const struct schema schema_of_constant = SCHEMA("constant", struct constant, constant_fields,
	.help = "a constant of the machine with unit and source",
	SCHEMA_WHERE(struct constant, where));

const char *constant_kind_name(enum constant_kind kind)
{
	ensure(kind < CONSTANT_KINDS, "constant kind %d", (int)kind);
	return constant_kinds[kind];
}

const char *schema_value_name(const struct schema_field *field, size_t index)
{
	if (field->registry)
		return registry_name(field->registry, index);
	ensure(field->names || field->name_at, "enum '%s' has no names", field->name);
	return field->names ? field->names[index] : field->name_at(index);
}

void schema_store_integer(void *member, size_t size, int64_t value)
{
	switch (size) {
	case 1:
		*(uint8_t *)member = (uint8_t)value;
		break;
	case 2:
		*(uint16_t *)member = (uint16_t)value;
		break;
	case 4:
		*(uint32_t *)member = (uint32_t)value;
		break;
	case 8:
		*(uint64_t *)member = (uint64_t)value;
		break;
	default:
		ensure(false, "integer member of %zu bytes", size);
	}
}

void schema_int_bounds(const struct schema_field *field, int64_t *min, int64_t *max)
{
	unsigned bits = (unsigned)field->size * 8 - field->is_signed;
	int64_t largest = bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1;
	int64_t smallest = field->is_signed ? -largest - 1 : 0;

	ensure(field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8,
		"'%s' has %zu bytes", field->name, field->size);
	*min = field->min;
	*max = field->min == 0 && field->max == 0 ? largest : field->max;
	ensure(*min >= smallest && *max <= largest && *min <= *max,
		"bounds of '%s' do not fit its member of %zu bytes", field->name, field->size);
}

void schema_real_bounds(const struct schema_field *field, double *min, double *max)
{
	*min = field->real_min;
	*max = field->real_max;
	if (*max == 0.0 && *min >= 0.0)
		*max = HUGE_VAL;
	if (*min == -DBL_MAX)
		*min = -HUGE_VAL;
	if (*max == DBL_MAX)
		*max = HUGE_VAL;
	ensure(*min <= *max, "bounds of '%s': %g to %g", field->name, *min, *max);
}

static void bind_int(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	enum status status;
	int64_t value = 0, min, max;
	char name[LABEL_BYTES];

	schema_int_bounds(field, &min, &max);
	label_text(label, name, sizeof(name));
	status = schema_read_integer(field, node, name, context->diag, &value);
	if (status == STATUS_UNSUPPORTED)
		return;
	if (status == STATUS_INVALID) {
		schema_refuse_type(label, node, schema_integer_wanted(field), context);
		return;
	}
	if (status == STATUS_OK && value >= min && value <= max) {
		schema_store_integer(member, field->size, value);
		return;
	}
	if (field->max)
		diag_error(context->diag, node->where, "%s: %.40s is out of range %lld to %lld",
			name, node->text, (long long)min, (long long)max);
	else if (node->text[0] == '-')
		diag_error(context->diag, node->where, "%s: %.40s is too small, at least %lld",
			name, node->text, (long long)min);
	else
		diag_error(context->diag, node->where, "%s: %.40s is too big, at most %lld", name,
			node->text, (long long)max);
}

bool schema_check_real(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, double value, const struct schema_context *context)
{
	double min, max;
	char name[LABEL_BYTES];

	schema_real_bounds(field, &min, &max);
	if (value >= min && value <= max)
		return true;
	label_text(label, name, sizeof(name));
	if (isfinite(min) && isfinite(max))
		diag_error(context->diag, node->where, "%s: %.40s is out of range %g to %g", name,
			node->text, min, max);
	else if (value < min)
		diag_error(context->diag, node->where, "%s: %.40s is too small, at least %g", name,
			node->text, min);
	else
		diag_error(context->diag, node->where, "%s: %.40s is too big, at most %g", name,
			node->text, max);
	return false;
}

static void bind_real(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	char name[LABEL_BYTES];
	double value;

	switch (tree_real(node, &value)) {
	case STATUS_OK:
		if (schema_check_real(label, field, node, value, context))
			*(double *)member = value;
		break;
	case STATUS_OUT_OF_RANGE:
		diag_error(context->diag, node->where, "%s: %.40s is too big for a number",
			label_text(label, name, sizeof(name)), node->text);
		break;
	default:
		schema_refuse_type(label, node, "a number", context);
	}
}

/* Returns the reason why a string cannot be a file name, or NULL if it can. Paths are printed
 * unchanged, so they must not contain characters that text_plain() replaces. */
static const char *file_name_fault(const char *name, struct arena *arena)
{
	if (name[0] == '.')
		return "begins with '.'";
	if (strchr(name, '/'))
		return "has a '/'";
	if (strlen(name) > SCHEMA_FILE_NAME_MAX)
		return "has more than 128 bytes";
	if (!text_is_plain(name))
		return "has a control character";
	if (strcmp(text_plain(name, false, arena), name) != 0)
		return "has '::' before a word, or '#' twice before '[': a command in logs of "
		       "GitHub";
	return NULL;
}
_Static_assert(SCHEMA_FILE_NAME_MAX == 128, "said in file_name_fault()");

static void bind_string(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	char name[LABEL_BYTES], found[TREE_DESCRIBE_BYTES];
	enum tree_type type = node->kind == TREE_SCALAR ? tree_type(node) : TREE_NULL;
	const char *fault = field->is_file_name && type == TREE_STRING
				    ? file_name_fault(node->text, context->arena)
				    : NULL;

	if (type == TREE_NULL) {
		schema_refuse_type(label, node, "a string", context);
		return;
	}
	label_text(label, name, sizeof(name));
	if (type != TREE_STRING)
		diag_error(context->diag, node->where,
			"%s: expected a string, found %s: put it in quotes", name,
			tree_describe(node, found, sizeof(found)));
	else if (node->count == 0 && !field->allow_empty)
		diag_error(context->diag, node->where, "%s: the string is empty", name);
	else if (fault)
		diag_error(context->diag, node->where, "%s: files are named after it, and it %s",
			name, fault);
	else
		*(const char **)member = arena_copy(context->arena, node->text, node->count);
}

int64_t schema_name_index(const struct schema_field *field, const char *text)
{
	for (const struct schema_alias *alias = field->aliases; alias && alias->alias; alias++) {
		if (strcmp(alias->alias, text) == 0)
			text = alias->name;
	}
	for (size_t i = 0; schema_value_name(field, i); i++) {
		if (strcmp(schema_value_name(field, i), text) == 0)
			return (int64_t)i;
	}
	return -1;
}

/* Appends "a, b, c", the names of an ENUM. Appends nothing if there are too many names. */
static void list_names(const struct schema_field *field, struct text *out)
{
	const struct schema_alias *alias = field->aliases;

	for (size_t i = 0; schema_value_name(field, i); i++) {
		if (i == LISTED_NAMES_MAX) {
			text_clear(out);
			return;
		}
		text_printf(out, "%s%s", i ? ", " : "", schema_value_name(field, i));
	}
	for (; alias && alias->alias; alias++)
		text_printf(out, ", %s", alias->alias);
}

/* Reports a name that is not in the enum, and suggests the nearest one. */
static void schema_scalar_refuse_name(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, const char *valid, const struct schema_context *context)
{
	struct nearest nearest;
	char name[LABEL_BYTES];
	struct text hint;

	text_init(&hint);
	nearest_start(&nearest, node->text);
	for (size_t i = 0; schema_value_name(field, i); i++)
		nearest_offer(&nearest, schema_value_name(field, i));
	for (const struct schema_alias *alias = field->aliases; alias && alias->alias; alias++)
		nearest_offer(&nearest, alias->alias);
	if (nearest.best)
		text_printf(&hint, ", did you mean '%s'?", nearest.best);
	if (*valid)
		text_printf(&hint, " (valid: %s)", valid);
	diag_error(context->diag, node->where, "%s: unknown value '%.64s'%s",
		label_text(label, name, sizeof(name)), node->text, text_string(&hint));
	text_fini(&hint);
}

static void bind_enum(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	int64_t index = node->kind == TREE_SCALAR ? schema_name_index(field, node->text) : -1;
	struct text valid;

	if (index >= 0) {
		schema_store_integer(member, field->size, index);
		return;
	}
	text_init(&valid);
	list_names(field, &valid);
	if (node->kind == TREE_SCALAR && !tree_is_null(node))
		schema_scalar_refuse_name(label, field, node, text_string(&valid), context);
	else
		schema_refuse_type(label, node,
			arena_printf(context->arena, "one of %s",
				valid.length ? text_string(&valid) : "many names"),
			context);
	text_fini(&valid);
}

static void bind_bool(const struct label *label, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	if (node->kind == TREE_SCALAR && tree_type(node) == TREE_BOOL)
		*(bool *)member = node->text[0] == 't' || node->text[0] == 'T';
	else
		schema_refuse_type(label, node, "true or false", context);
}

void schema_bind_scalar(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	switch (field->kind) {
	case SCHEMA_KIND_BOOL:
		bind_bool(label, node, member, context);
		break;
	case SCHEMA_KIND_INT:
		bind_int(label, field, node, member, context);
		break;
	case SCHEMA_KIND_REAL:
		bind_real(label, field, node, member, context);
		break;
	case SCHEMA_KIND_STRING:
		bind_string(label, field, node, member, context);
		break;
	case SCHEMA_KIND_ENUM:
		bind_enum(label, field, node, member, context);
		break;
	default:
		ensure(false, "kind %d is no scalar", (int)field->kind);
	}
}
