/* Builds the nodes of rewritten workloads (advise.h). */
#include "advise.h"

#include <string.h>

#include "base/ensure.h"

void node_list_add(struct node_list *list, const struct tree_node *node)
{
	if (list->count == list->room) {
		uint32_t room = list->room > 0 ? 2 * list->room : 16;
		const struct tree_node **at = arena_array(list->arena, room, sizeof(*at));

		if (list->count > 0)
			memcpy(at, list->at, list->count * sizeof(*at));
		list->at = at;
		list->room = room;
	}
	list->at[list->count++] = node;
}

const struct tree_node *node_list_end(const struct node_list *list)
{
	struct location nowhere = {NULL, 0, 0};

	return tree_new_sequence(list->arena, nowhere, list->at, list->count);
}

const struct tree_node *node_text(struct arena *arena, const char *text)
{
	struct location nowhere = {NULL, 0, 0};

	return tree_new_scalar(arena, nowhere, text, strlen(text), false);
}

static const struct tree_node *copy_map(struct arena *arena, const struct tree_node *map,
	const char *key, const struct tree_node *value)
{
	struct location nowhere = {NULL, 0, 0};
	struct tree_pair *pairs = arena_array(arena, map->count + 1u, sizeof *pairs);
	uint32_t count = 0;
	bool placed = value == NULL;

	for (uint32_t i = 0; i < map->count; i++) {
		bool same = strcmp(map->pairs[i].key, key) == 0;

		if (same && !value)
			continue;
		pairs[count] = map->pairs[i];
		if (same)
			pairs[count].value = value;
		placed |= same;
		count++;
	}
	if (!placed)
		pairs[count++] = (struct tree_pair){arena_string(arena, key), nowhere, value};
	return tree_new_map(arena, map->where, pairs, count);
}

const struct tree_node *node_with(struct arena *arena, const struct tree_node *map, const char *key,
	const struct tree_node *value)
{
	return copy_map(arena, map, key, value);
}

const struct tree_node *node_without(
	struct arena *arena, const struct tree_node *map, const char *key)
{
	return copy_map(arena, map, key, NULL);
}

/* Copies a node into another arena. */
static const struct tree_node *copy_node(struct arena *arena, const struct tree_node *node)
{
	struct location nowhere = {NULL, 0, 0};
	const struct tree_node **items;
	struct tree_pair *pairs;

	switch (node->kind) {
	case TREE_SCALAR:
		return tree_new_scalar(arena, nowhere, node->text, node->count, node->quoted);
	case TREE_SEQUENCE:
		items = arena_array(arena, node->count + 1u, sizeof(*items));
		for (uint32_t i = 0; i < node->count; i++)
			items[i] = copy_node(arena, node->items[i]);
		return tree_new_sequence(arena, nowhere, items, node->count);
	default:
		pairs = arena_array(arena, node->count + 1u, sizeof *pairs);
		for (uint32_t i = 0; i < node->count; i++)
			pairs[i] = (struct tree_pair){arena_string(arena, node->pairs[i].key),
				nowhere, copy_node(arena, node->pairs[i].value)};
		return tree_new_map(arena, nowhere, pairs, node->count);
	}
}

const struct tree_node *node_read(struct arena *arena, const char *yaml)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("advise", yaml, strlen(yaml), diag);
	const struct tree_node *node;

	ensure(tree != NULL, "a step that advise inserts is YAML");
	node = copy_node(arena, tree_root(tree));
	tree_free(tree);
	diag_free(diag);
	return node;
}

bool node_is(const struct tree_node *step, const char *kind)
{
	if (step->kind == TREE_SCALAR)
		return strcmp(step->text, kind) == 0;
	return step->kind == TREE_MAP && tree_get(step, kind) != NULL;
}

const struct tree_node *node_body(const struct tree_node *step)
{
	const struct tree_node *body = NULL;

	if (step->kind == TREE_MAP && tree_get(step, "repeat"))
		body = tree_get(step, "do");
	return body && body->kind == TREE_SEQUENCE ? body : NULL;
}

const struct tree_node *node_keys(const struct tree_node *step, const char *kind)
{
	const struct tree_node *keys = step->kind == TREE_MAP ? tree_get(step, kind) : NULL;

	return keys && keys->kind == TREE_MAP ? keys : NULL;
}

const char *node_get(const struct tree_node *map, const char *key, const char *otherwise)
{
	const struct tree_node *node = map && map->kind == TREE_MAP ? tree_get(map, key) : NULL;

	return node && node->kind == TREE_SCALAR ? node->text : otherwise;
}

uint64_t node_number(const struct tree_node *node, uint64_t otherwise)
{
	int64_t value;

	return node && node->kind == TREE_SCALAR && tree_integer(node, &value) == STATUS_OK &&
			       value >= 0
		       ? (uint64_t)value
		       : otherwise;
}
