/* Properties of the fields of a schema: their names in messages, fallbacks and bounds. */
#include "schema_private.h"

#include <string.h>

#include "base/ensure.h"
#include "base/tree/tree_node.h"

const char *label_text(const struct label *label, char *out, size_t size)
{
	const struct label *named = label;
	const struct label *indices[TREE_DEPTH_MAX];
	unsigned count = 0;
	size_t length;

	while (named && !named->name && count < TREE_DEPTH_MAX) {
		indices[count++] = named;
		named = named->parent;
	}
	snprintf(out, size, "'%.256s", named ? named->name : "");
	while (count--) {
		length = strlen(out);
		snprintf(out + length, size - length, "[%u]", (unsigned)indices[count]->index);
	}
	length = strlen(out);
	snprintf(out + length, size - length, "'");
	return out;
}

const char *label_place(const struct label *label, char *out, size_t size)
{
	char name[LABEL_BYTES];

	snprintf(out, size, "%s%s", label ? " in " : "",
		label ? label_text(label, name, sizeof(name)) : "");
	return out;
}

void schema_refuse_type(const struct label *label, const struct tree_node *node, const char *what,
	const struct schema_context *context)
{
	char name[LABEL_BYTES], found[TREE_DESCRIBE_BYTES];

	tree_describe(node, found, sizeof(found));
	if (label)
		diag_error(context->diag, node->where, "%s: expected %s, found %s",
			label_text(label, name, sizeof(name)), what, found);
	else
		diag_error(context->diag, node->where, "expected %s, found %s", what, found);
}

const struct schema_field *schema_field_of(
	const struct schema_field *fields, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(fields[i].name, name) == 0)
			return &fields[i];
	}
	return NULL;
}

const struct tree_node *schema_empty_map(struct arena *arena, struct location where)
{
	return tree_new_map(arena, where, NULL, 0);
}

const struct tree_node *schema_fallback(
	const struct schema_field *field, struct arena *arena, struct diag *diag)
{
	const char *text = field->fallback;
	const struct tree_node *node;

	if (!text)
		return NULL;
	if (field->kind <= SCHEMA_KIND_ENUM)
		return tree_new_scalar(arena, (struct location){0}, text, strlen(text),
			field->kind == SCHEMA_KIND_STRING);
	node = tree_read_yaml(NULL, text, strlen(text), 0, arena, diag);
	ensure(node, "fallback of '%s' is not YAML: '%s'", field->name, text);
	return node;
}

bool schema_is_optional(const struct schema *schema)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct schema_field *field = &schema->fields[i];

		if (field->required || (field->kind == SCHEMA_KIND_MAP && !field->fallback &&
					       !schema_is_optional(field->schema)))
			return false;
	}
	return true;
}

void schema_length_bounds(const struct schema_field *field, uint64_t *min, uint64_t *max)
{
	ensure(field->element && field->element->size, "list '%s' has no element", field->name);
	*min = (uint64_t)field->min;
	*max = field->max ? (uint64_t)field->max : UINT32_MAX;
	if (field->kind == SCHEMA_KIND_ARRAY && field->max == 0) {
		*max = field->size / field->element->size;
		*min = field->min ? *min : *max;
	}
	ensure(field->kind != SCHEMA_KIND_ARRAY || *max * field->element->size <= field->size,
		"array '%s' of %zu bytes is too small", field->name, field->size);
}
