/* Fills in C structs from a tree, as a table of fields prescribes. This file handles maps, lists,
 * tagged maps and constants; schema_scalar.c handles scalars. All unknown, missing and mistyped
 * values are reported in one pass. */
#include "base/schema.h"

#include <string.h>

#include "base/ensure.h"
#include "base/nearest.h"
#include "schema_private.h"

static void bind_value(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context);
static void bind_map(const struct label *label, const struct schema *schema,
	const struct tree_node *node, struct location where, void *object,
	const struct schema_context *context);

/* Stores a location in an object, and makes the arena keep its source. */
static void put_where(
	void *object, size_t offset, struct location where, const struct schema_context *context)
{
	*(struct location *)((char *)object + offset) = where;
	location_keep(context->arena, where);
}

/* Returns the struct to which the field's offsets refer. */
static char *base_of(const struct schema_field *field, void *member)
{
	return (char *)member - field->offset;
}

/* Returns true if the list has an allowed number of items. Otherwise reports an error. */
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

/* Returns a list whose only item is `node`. */
static const struct tree_node *one_item(
	const struct tree_node *node, const struct schema_context *context)
{
	const struct tree_node **items = arena_array(context->arena, 1, sizeof(*items));
	const struct tree_node *list;

	items[0] = node;
	list = tree_new_sequence(context->arena, node->where, items, 1);
	return list ? list : node;
}

/* Binds ARRAY, LIST and DICT, item by item. */
static void bind_items(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	bool is_dict = field->kind == SCHEMA_KIND_DICT;
	bool is_array = field->kind == SCHEMA_KIND_ARRAY;
	size_t stride = is_array ? field->element->size : field->size;
	char *items = member;

	if (!is_dict && node->kind != TREE_SEQUENCE && context->tolerance & SCHEMA_ONE_IS_LIST)
		node = one_item(node, context);
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
		bind_value(&item, field->element, is_dict ? node->pairs[i].value : node->items[i],
			base + field->element->offset, context);
	}
	if (field->has_count)
		*(uint32_t *)(base_of(field, member) + field->count_offset) = node->count;
}

/* Binds one key of a map. If the key is missing, binds its default, or reports an error if the key
 * is required. */
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
		bind_value(&label, field, node, member, context);
	else if (field->kind == SCHEMA_KIND_MAP)
		bind_map(&label, field->schema,
			schema_empty_map(context->arena, (struct location){0}), where, member,
			context);
}

static void bind_fields(const struct label *label, const struct schema_field *fields, size_t count,
	const struct tree_node *node, struct location where, void *object,
	const struct schema_context *context)
{
	for (size_t i = 0; i < count; i++)
		bind_field(label, &fields[i], node, where, object, context);
}

/* Returns true if the map is the payload of an item and `key` belongs beside the payload. */
static bool goes_beside(
	const struct label *label, const char *key, const struct schema_context *context)
{
	const struct schema_variants *variants = context->beside;

	return variants && label && label->name && label->parent && !label->parent->name &&
	       schema_field_of(variants->common, variants->common_count, key);
}

/* Reports an unknown key. */
static void schema_refuse_key(const struct label *label, const struct schema *schema,
	const struct tree_pair *pair, const struct schema_context *context)
{
	void (*report)(struct diag *, struct location, const char *, ...) =
		context->tolerance & SCHEMA_UNKNOWN_WARNS ? diag_warning : diag_error;
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
	if (goes_beside(label, pair->key, context))
		report(context->diag, pair->where, "'%s' stands beside '%s', not in it", pair->key,
			label->name);
	else if (nearest.best)
		report(context->diag, pair->where, "unknown key '%s', did you mean '%s'?",
			pair->key, nearest.best);
	else
		report(context->diag, pair->where, "unknown key '%s'%s%s%s", pair->key,
			label_place(label, place, sizeof(place)), text_string(&valid),
			valid.length ? ")" : "");
	text_fini(&valid);
}

static void bind_map(const struct label *label, const struct schema *schema,
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
		put_where(object, schema->where_offset, node->where, context);
	for (uint32_t i = 0; i < node->count; i++) {
		if (!schema_field_of(schema->fields, schema->field_count, node->pairs[i].key))
			schema_refuse_key(label, schema, &node->pairs[i], context);
	}
	bind_fields(label, schema->fields, schema->field_count, node, where, object, context);
	if (schema->check && diag_errors(context->diag) == errors)
		schema->check(object, node, context);
}

static void bind_constant(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	struct constant *constant = member;
	size_t errors = diag_errors(context->diag);
	char name[LABEL_BYTES];

	ensure(field->unit, "constant '%s' has no unit", field->name);
	label_text(label, name, sizeof(name));
	if (node->kind != TREE_MAP) {
		bool is_value = node->kind == TREE_SCALAR && !tree_is_null(node);

		diag_error(context->diag, node->where,
			"%s: a constant needs its source: {value: %.40s, unit: %s, source: "
			"\"...\", "
			"kind: published, measured, fitted or assumed}",
			name, is_value ? node->text : "...", field->unit);
		return;
	}
	bind_map(label, &schema_of_constant, node, node->where, constant, context);
	if (constant->unit && strcmp(constant->unit, field->unit) != 0)
		diag_error(context->diag, tree_where(node, "unit"),
			"%s: the unit is '%s', found '%.40s'", name, field->unit, constant->unit);
	if (diag_errors(context->diag) == errors)
		schema_check_real(label, field, tree_get(node, "value"), constant->value, context);
}

/* Binds a tagged map: its tag, the key that names the variant, and the keys beside that key. */
static void bind_variant(const struct label *label, const struct schema_variants *variants,
	const struct tree_node *node, void *object, const struct schema_context *context)
{
	const struct tree_node *map = schema_variant_map(variants, node, context->arena);
	const struct schema_variant *variant = schema_variant_find(label, variants, map, context);
	struct schema_context inside = *context;
	int tag;

	if (!variant)
		return;
	tag = (int)(variant - variants->variants);
	memcpy((char *)object + variants->tag_offset, &tag, sizeof(tag));
	if (variants->has_where)
		put_where(object, variants->where_offset, map->where, context);
	inside.beside = variants;
	bind_fields(label, &variant->field, 1, map, map->where, object, &inside);
	bind_fields(
		label, variant->siblings, variant->sibling_count, map, map->where, object, context);
	bind_fields(
		label, variants->common, variants->common_count, map, map->where, object, context);
}

static void bind_value(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context)
{
	void *object;

	if (field->has_where)
		put_where(base_of(field, member), field->where_offset, node->where, context);
	switch (field->kind) {
	case SCHEMA_KIND_MAP:
		bind_map(label, field->schema, node, node->where, member, context);
		break;
	case SCHEMA_KIND_MAP_PTR:
		object = arena_alloc(context->arena, field->schema->size);
		bind_map(label, field->schema, node, node->where, object, context);
		memcpy(member, &object, sizeof(object));
		break;
	case SCHEMA_KIND_ARRAY:
	case SCHEMA_KIND_LIST:
	case SCHEMA_KIND_DICT:
		bind_items(label, field, node, member, context);
		break;
	case SCHEMA_KIND_VARIANT:
		bind_variant(label, field->variants, node, member, context);
		break;
	case SCHEMA_KIND_CONSTANT:
		bind_constant(label, field, node, member, context);
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

bool schema_bind_foreign(const struct schema *schema, const struct tree_node *node, void *object,
	struct arena *arena, struct diag *diag, void *user, unsigned tolerance)
{
	const struct schema_context context = {arena, diag, user, tolerance, NULL};
	size_t errors = diag_errors(diag);

	memset(object, 0, schema->size);
	bind_map(NULL, schema, node, node->where, object, &context);
	return diag_errors(diag) == errors;
}

bool schema_bind_user(const struct schema *schema, const struct tree_node *node, void *object,
	struct arena *arena, struct diag *diag, void *user)
{
	return schema_bind_foreign(schema, node, object, arena, diag, user, 0);
}

bool schema_bind(const struct schema *schema, const struct tree_node *node, void *object,
	struct arena *arena, struct diag *diag)
{
	return schema_bind_user(schema, node, object, arena, diag, NULL);
}

void schema_bind_value(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	const struct label label = {NULL, field->name ? field->name : "value", 0};

	bind_value(&label, field, node, member, context);
}
