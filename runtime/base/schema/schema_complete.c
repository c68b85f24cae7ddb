/* Computes the completed form of a valid tree, in which every missing key with a fallback is filled
 * in. */
#include <string.h>

#include "base/ensure.h"
#include "schema_private.h"

static const struct tree_node *complete_value(
	const struct schema_field *field, const struct tree_node *node, struct arena *arena);

/* Returns the completed value of one key, or NULL if the key is missing and has no fallback. */
static const struct tree_node *complete_field(
	const struct schema_field *field, const struct tree_node *map, struct arena *arena)
{
	const struct tree_node *node = tree_get(map, field->name);
	struct diag *diag;

	if (node && field->allow_null && tree_is_null(node))
		node = NULL;
	if (!node && field->fallback) {
		diag = diag_new();
		node = schema_fallback(field, arena, diag);
		diag_free(diag);
	}
	if (!node && field->kind == SCHEMA_KIND_MAP) {
		node = complete_value(field, schema_empty_map(arena, (struct location){0}), arena);
		return node->count ? node : NULL;
	}
	return node ? complete_value(field, node, arena) : NULL;
}

/* Stores the completed keys of `fields` in `pairs`, which has room for all of them. Returns their
 * number. */
static size_t complete_fields(const struct schema_field *fields, size_t count,
	const struct tree_node *map, struct tree_pair *pairs, struct arena *arena)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		const struct tree_pair *written = tree_get_pair(map, fields[i].name);
		const struct tree_node *value = complete_field(&fields[i], map, arena);

		if (value)
			pairs[used++] = (struct tree_pair){
				fields[i].name, written ? written->where : value->where, value};
	}
	return used;
}

static const struct tree_node *new_map(
	const struct tree_node *from, struct tree_pair *pairs, size_t count, struct arena *arena)
{
	const struct tree_node *map = tree_new_map(arena, from->where, pairs, count);

	/* NULL: the tree exceeds its bounds. A map has few fallbacks, and these contain no maps. So
	 * this happens only if the tree was already near its bounds. */
	return map ? map : from;
}

static const struct tree_node *complete_map(
	const struct schema *schema, const struct tree_node *node, struct arena *arena)
{
	struct tree_pair *pairs = arena_array(arena, schema->field_count, sizeof(*pairs));
	size_t count = complete_fields(schema->fields, schema->field_count, node, pairs, arena);

	return new_map(node, pairs, count, arena);
}

static const struct tree_node *complete_variant(
	const struct schema_variants *variants, const struct tree_node *node, struct arena *arena)
{
	const struct tree_node *map = schema_variant_map(variants, node, arena);
	const struct schema_variant *variant = NULL;
	struct tree_pair *pairs;
	size_t count = 0;

	for (size_t i = 0; i < variants->variant_count && !variant; i++) {
		if (tree_get(map, variants->variants[i].field.name))
			variant = &variants->variants[i];
	}
	if (!variant)
		return node;
	pairs = arena_array(
		arena, 1 + variant->sibling_count + variants->common_count, sizeof(*pairs));
	count += complete_fields(&variant->field, 1, map, pairs, arena);
	count += complete_fields(
		variant->siblings, variant->sibling_count, map, pairs + count, arena);
	count += complete_fields(
		variants->common, variants->common_count, map, pairs + count, arena);
	return new_map(map, pairs, count, arena);
}

static const struct tree_node *complete_items(
	const struct schema_field *field, const struct tree_node *node, struct arena *arena)
{
	const struct tree_node **items, *list;

	if (node->kind != TREE_SEQUENCE)
		return node;
	items = arena_array(arena, node->count, sizeof(*items));
	for (uint32_t i = 0; i < node->count; i++)
		items[i] = complete_value(field->element, node->items[i], arena);
	list = tree_new_sequence(arena, node->where, items, node->count);
	return list ? list : node;
}

static const struct tree_node *complete_dict(
	const struct schema_field *field, const struct tree_node *node, struct arena *arena)
{
	struct tree_pair *pairs;

	if (node->kind != TREE_MAP)
		return node;
	pairs = arena_array(arena, node->count, sizeof(*pairs));
	for (uint32_t i = 0; i < node->count; i++)
		pairs[i] = (struct tree_pair){node->pairs[i].key, node->pairs[i].where,
			complete_value(field->element, node->pairs[i].value, arena)};
	return new_map(node, pairs, node->count, arena);
}

/* If `node` is a size or time with a unit, returns it as an integer in the key's unit. Otherwise
 * returns NULL. */
static const char *plain_integer(
	const struct schema_field *field, const struct tree_node *node, struct arena *arena)
{
	const char *text = NULL;
	struct diag *diag;
	int64_t value;

	if (!schema_takes_quantity(field) || tree_type(node) != TREE_STRING)
		return NULL;
	diag = diag_new();
	if (schema_read_integer(field, node, "", diag, &value) == STATUS_OK)
		text = arena_printf(arena, "%lld", (long long)value);
	diag_free(diag);
	return text;
}

static const struct tree_node *complete_scalar(
	const struct schema_field *field, const struct tree_node *node, struct arena *arena)
{
	const char *text = NULL;
	int64_t index;

	if (node->kind != TREE_SCALAR)
		return node;
	if (field->kind == SCHEMA_KIND_ENUM) {
		index = schema_name_index(field, node->text);
		text = index < 0 ? NULL : schema_value_name(field, (size_t)index);
	} else {
		text = plain_integer(field, node, arena);
	}
	if (!text || strcmp(text, node->text) == 0)
		return node;
	return tree_new_scalar(arena, node->where, text, strlen(text), false);
}

static const struct tree_node *complete_value(
	const struct schema_field *field, const struct tree_node *node, struct arena *arena)
{
	switch (field->kind) {
	case SCHEMA_KIND_INT:
	case SCHEMA_KIND_ENUM:
		return complete_scalar(field, node, arena);
	case SCHEMA_KIND_MAP:
	case SCHEMA_KIND_MAP_PTR:
		return complete_map(field->schema, node, arena);
	case SCHEMA_KIND_ARRAY:
	case SCHEMA_KIND_LIST:
		return complete_items(field, node, arena);
	case SCHEMA_KIND_DICT:
		return complete_dict(field, node, arena);
	case SCHEMA_KIND_VARIANT:
		return complete_variant(field->variants, node, arena);
	default:
		return node;
	}
}

const struct tree_node *schema_complete(
	const struct schema *schema, const struct tree_node *node, struct arena *arena)
{
	return complete_map(schema, node, arena);
}

const struct tree_node *schema_complete_at(const struct schema *schema, const char *path,
	const struct tree_node *node, struct arena *arena)
{
	const struct schema_field *field = schema_find(schema, path);

	return field ? complete_value(field, node, arena) : node;
}
