/* Tagged maps: finds the variant whose name is a key of the map. It is an error if no key or
 * several keys name a variant, or if a key does not belong to the variant. */
#include <string.h>

#include "base/ensure.h"
#include "base/nearest.h"
#include "schema_private.h"

static const struct schema_variant *variant_of(
	const struct schema_variants *variants, const char *name)
{
	for (size_t i = 0; i < variants->variant_count; i++) {
		if (strcmp(variants->variants[i].field.name, name) == 0)
			return &variants->variants[i];
	}
	return NULL;
}

static bool goes_with(const struct schema_variants *variants, const struct schema_variant *variant,
	const char *key)
{
	return schema_field_of(variant->siblings, variant->sibling_count, key) ||
	       schema_field_of(variants->common, variants->common_count, key);
}

/* Returns the first variant that allows `key` beside it, or NULL. */
static const struct schema_variant *taker_of(
	const struct schema_variants *variants, const char *key)
{
	for (size_t i = 0; i < variants->variant_count; i++) {
		if (goes_with(variants, &variants->variants[i], key))
			return &variants->variants[i];
	}
	return NULL;
}

/* Reports that `name`, written at `where`, is not a variant. */
static void schema_variant_refuse_name(const struct schema_variants *variants, const char *name,
	struct location where, const struct schema_context *context)
{
	struct nearest nearest;
	struct text hint;

	text_init(&hint);
	nearest_start(&nearest, name);
	for (size_t i = 0; i < variants->variant_count; i++)
		nearest_offer(&nearest, variants->variants[i].field.name);
	if (nearest.best)
		text_printf(&hint, ", did you mean '%s'?", nearest.best);
	for (size_t i = 0;
		variants->variant_count <= LISTED_NAMES_MAX && i < variants->variant_count; i++)
		text_printf(
			&hint, "%s%s", i ? ", " : " (valid: ", variants->variants[i].field.name);
	if (variants->variant_count <= LISTED_NAMES_MAX)
		text_append_char(&hint, ')');
	diag_error(context->diag, where, "unknown %s '%.64s'%s", variants->name, name,
		text_string(&hint));
	text_fini(&hint);
}

/* Reports a key that is not allowed beside `variant`. */
static void schema_variant_refuse_key(const struct schema_variants *variants,
	const struct schema_variant *variant, const struct tree_pair *pair,
	const struct schema_context *context)
{
	const struct schema_variant *taker = taker_of(variants, pair->key);
	struct nearest nearest;

	nearest_start(&nearest, pair->key);
	for (size_t i = 0; i < variant->sibling_count; i++)
		nearest_offer(&nearest, variant->siblings[i].name);
	for (size_t i = 0; i < variants->common_count; i++)
		nearest_offer(&nearest, variants->common[i].name);
	if (variant_of(variants, pair->key))
		diag_error(context->diag, pair->where,
			"'%s' and '%s' in one %s: give each an item of its own",
			variant->field.name, pair->key, variants->name);
	else if (taker)
		diag_error(context->diag, pair->where, "key '%s' goes with '%s', not with '%s'",
			pair->key, taker->field.name, variant->field.name);
	else if (nearest.best)
		diag_error(context->diag, pair->where, "unknown key '%s', did you mean '%s'?",
			pair->key, nearest.best);
	else
		diag_error(context->diag, pair->where, "unknown key '%s' beside '%s'", pair->key,
			variant->field.name);
}

/* Returns the variant that the map `node` names, or NULL after an error. */
static const struct schema_variant *find_variant(const struct schema_variants *variants,
	const struct tree_node *node, const struct schema_context *context)
{
	const struct schema_variant *variant = NULL;

	for (uint32_t i = 0; i < node->count && !variant; i++)
		variant = variant_of(variants, node->pairs[i].key);
	if (variant)
		return variant;
	for (uint32_t i = 0; i < node->count; i++) {
		if (!taker_of(variants, node->pairs[i].key)) {
			schema_variant_refuse_name(
				variants, node->pairs[i].key, node->pairs[i].where, context);
			return NULL;
		}
	}
	diag_error(context->diag, node->where, "%s without a key that says which", variants->name);
	return NULL;
}

const struct tree_node *schema_variant_map(
	const struct schema_variants *variants, const struct tree_node *node, struct arena *arena)
{
	const struct schema_variant *variant;
	struct tree_pair *pair;

	if (node->kind != TREE_SCALAR || tree_type(node) != TREE_STRING)
		return node;
	variant = variant_of(variants, node->text);
	if (!variant || variant->field.kind != SCHEMA_KIND_MAP)
		return node;
	pair = arena_alloc(arena, sizeof(*pair));
	*pair = (struct tree_pair){
		variant->field.name, node->where, schema_empty_map(arena, node->where)};
	return tree_new_map(arena, node->where, pair, 1);
}

const struct schema_variant *schema_variant_find(const struct label *label,
	const struct schema_variants *variants, const struct tree_node *node,
	const struct schema_context *context)
{
	const struct schema_variant *variant;

	if (node->kind == TREE_SCALAR && tree_type(node) == TREE_STRING &&
		!variant_of(variants, node->text)) {
		schema_variant_refuse_name(variants, node->text, node->where, context);
		return NULL;
	}
	if (node->kind != TREE_MAP) {
		schema_refuse_type(label, node,
			arena_printf(context->arena, "a %s, which is a map", variants->name),
			context);
		return NULL;
	}
	variant = find_variant(variants, node, context);
	if (!variant)
		return NULL;
	for (uint32_t i = 0; i < node->count; i++) {
		const char *key = node->pairs[i].key;

		if (strcmp(key, variant->field.name) != 0 && !goes_with(variants, variant, key))
			schema_variant_refuse_key(variants, variant, &node->pairs[i], context);
	}
	return variant;
}
