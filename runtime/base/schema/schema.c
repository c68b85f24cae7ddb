/* Binding of maps and lists by a table: finds what is unknown, missing or of the wrong kind, and
 * hands scalars and tagged maps on. Refuses to stop at the first problem. */
#include "base/schema.h"

#include <string.h>

#include "base/ensure.h"
#include "base/nearest.h"
#include "base/tree/tree_node.h"
#include "schema_private.h"

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

/* The struct that a field's offsets count from. */
static char *base_of(const struct schema_field *field, void *member)
{
	return (char *)member - field->offset;
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

/* Reports a wrong number of items; true if it is right. */
static bool check_length(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, const struct schema_context *context)
{
	char name[LABEL_BYTES], bounds[64];
	uint64_t min, max;

	schema_length_bounds(field, &min, &max);
	if (node->count >= min && node->count <= max)
		return true;
	if (min == max)
		snprintf(bounds, sizeof(bounds), "%llu", (unsigned long long)min);
	else if (max == UINT32_MAX)
		snprintf(bounds, sizeof(bounds), "at least %llu", (unsigned long long)min);
	else
		snprintf(bounds, sizeof(bounds), "%llu to %llu", (unsigned long long)min,
			(unsigned long long)max);
	diag_error(context->diag, node->where, "%s: expected %s items, found %u",
		label_text(label, name, sizeof(name)), bounds, (unsigned)node->count);
	return false;
}

/* Binds ARRAY, LIST and DICT: item by item. */
static void bind_items(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	bool is_dict = field->kind == SCHEMA_KIND_DICT;
	bool is_array = field->kind == SCHEMA_KIND_ARRAY;
	size_t stride = is_array ? field->element->size : field->size;
	char *items = member;

	if (node->kind != (is_dict ? TREE_MAP : TREE_SEQUENCE)) {
		schema_refuse_type(label, node, is_dict ? "a map" : "a list", context);
		return;
	}
	if (!check_length(label, field, node, context))
		return;
	if (!is_array) {
		items = arena_array(context->arena, node->count, stride);
		memcpy(member, &items, sizeof(items));
	}
	for (uint32_t i = 0; i < node->count; i++) {
		const struct label item = {label, is_dict ? node->pairs[i].key : NULL, i};
		char *base = items + i * stride;

		if (is_dict) {
			const char *key = arena_string(context->arena, node->pairs[i].key);

			memcpy(base + field->key_offset, &key, sizeof(key));
		}
		schema_bind_labelled(&item, field->element,
			is_dict ? node->pairs[i].value : node->items[i],
			base + field->element->offset, context);
	}
	if (field->has_count)
		*(uint32_t *)(base_of(field, member) + field->count_offset) = node->count;
}

void schema_bind_labelled(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	void *object;

	if (field->has_where)
		*(struct location *)(base_of(field, member) + field->where_offset) = node->where;
	switch (field->kind) {
	case SCHEMA_KIND_MAP:
		schema_bind_map(label, field->schema, node, node->where, member, context);
		break;
	case SCHEMA_KIND_MAP_PTR:
		object = arena_alloc(context->arena, field->schema->size);
		schema_bind_map(label, field->schema, node, node->where, object, context);
		memcpy(member, &object, sizeof(object));
		break;
	case SCHEMA_KIND_ARRAY:
	case SCHEMA_KIND_LIST:
	case SCHEMA_KIND_DICT:
		bind_items(label, field, node, member, context);
		break;
	case SCHEMA_KIND_VARIANT:
		schema_bind_variant(label, field->variants, node, member, context);
		break;
	case SCHEMA_KIND_CONSTANT:
		schema_bind_constant(label, field, node, member, context);
		break;
	case SCHEMA_KIND_NODE:
		*(const struct tree_node **)member = node;
		break;
	case SCHEMA_KIND_CUSTOM:
		field->bind(field, node, member, context);
		break;
	default:
		schema_bind_scalar(label, field, node, member, context);
	}
}

/* Binds one key of a map, or what stands for a missing one. */
static void bind_field(const struct label *parent, const struct schema_field *field,
	const struct tree_node *map, struct location where, char *object,
	const struct schema_context *context)
{
	const struct label label = {parent, field->name, 0};
	const struct tree_node *node = tree_get(map, field->name);
	void *member = object + field->offset;
	char place[LABEL_BYTES + 8];

	if (node && field->allow_null && tree_is_null(node))
		node = NULL;
	if (!node && field->required) {
		diag_error(context->diag, where, "missing key '%s'%s", field->name,
			label_place(parent, place, sizeof(place)));
		return;
	}
	if (!node)
		node = schema_fallback(field, context->arena, context->diag);
	if (node)
		schema_bind_labelled(&label, field, node, member, context);
	else if (field->kind == SCHEMA_KIND_MAP)
		schema_bind_map(&label, field->schema,
			schema_empty_map(context->arena, (struct location){0}), where, member,
			context);
}

void schema_bind_fields(const struct label *label, const struct schema_field *fields, size_t count,
	const struct tree_node *node, struct location where, void *object,
	const struct schema_context *context)
{
	for (size_t i = 0; i < count; i++)
		bind_field(label, &fields[i], node, where, object, context);
}

/* Reports a key that the schema does not have. */
static void refuse_key(const struct label *label, const struct schema *schema,
	const struct tree_pair *pair, const struct schema_context *context)
{
	char place[LABEL_BYTES + 8];
	struct nearest nearest;
	struct text valid;

	text_init(&valid);
	nearest_start(&nearest, pair->key);
	for (size_t i = 0; i < schema->field_count; i++) {
		nearest_offer(&nearest, schema->fields[i].name);
		if (schema->field_count <= LISTED_NAMES_MAX)
			text_printf(&valid, "%s%s", i ? ", " : " (valid: ", schema->fields[i].name);
	}
	if (nearest.best)
		diag_error(context->diag, pair->where, "unknown key '%s', did you mean '%s'?",
			pair->key, nearest.best);
	else
		diag_error(context->diag, pair->where, "unknown key '%s'%s%s%s", pair->key,
			label_place(label, place, sizeof(place)), text_string(&valid),
			valid.length ? ")" : "");
	text_fini(&valid);
}

void schema_bind_map(const struct label *label, const struct schema *schema,
	const struct tree_node *node, struct location where, void *object,
	const struct schema_context *context)
{
	size_t errors = diag_errors(context->diag);

	if (node->kind == TREE_SCALAR && tree_is_null(node) && label)
		node = schema_empty_map(context->arena, node->where);
	if (node->kind != TREE_MAP) {
		schema_refuse_type(label, node, "a map", context);
		return;
	}
	if (schema->has_where)
		*(struct location *)((char *)object + schema->where_offset) = node->where;
	for (uint32_t i = 0; i < node->count; i++) {
		if (!schema_field_of(schema->fields, schema->field_count, node->pairs[i].key))
			refuse_key(label, schema, &node->pairs[i], context);
	}
	schema_bind_fields(
		label, schema->fields, schema->field_count, node, where, object, context);
	if (schema->check && diag_errors(context->diag) == errors)
		schema->check(object, node, context);
}

bool schema_bind_user(const struct schema *schema, const struct tree_node *node, void *object,
	struct arena *arena, struct diag *diag, void *user)
{
	const struct schema_context context = {arena, diag, user};
	size_t errors = diag_errors(diag);

	memset(object, 0, schema->size);
	schema_bind_map(NULL, schema, node, node->where, object, &context);
	return diag_errors(diag) == errors;
}

bool schema_bind(const struct schema *schema, const struct tree_node *node, void *object,
	struct arena *arena, struct diag *diag)
{
	return schema_bind_user(schema, node, object, arena, diag, NULL);
}

void schema_bind_defaults(const struct schema *schema, void *object, struct arena *arena)
{
	struct diag *diag = diag_new();
	bool good = schema_bind(
		schema, schema_empty_map(arena, (struct location){0}), object, arena, diag);

	if (!good)
		diag_print(diag, stderr);
	ensure(good, "the defaults of '%s' are not valid", schema->name);
	diag_free(diag);
}

void schema_bind_value(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	const struct label label = {NULL, field->name ? field->name : "value", 0};

	schema_bind_labelled(&label, field, node, member, context);
}
