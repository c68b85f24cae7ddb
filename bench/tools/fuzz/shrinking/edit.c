/* Edits of a scenario (see trial.h). All possible edits are numbered in the order of a walk over
 * the tree. To count them, the code walks over the whole tree. To make edit n, it walks again until
 * it reaches edit n. */
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/ensure.h"

struct walk {
	const char *const *machines;
	uint32_t left; /* number of edits before the requested edit */
	bool done;
	struct arena *arena;
};

/* Counts an edit. Returns true if it is the requested edit. */
static bool is_turn(struct walk *walk)
{
	if (walk->done || walk->left-- > 0)
		return false;
	walk->done = true;
	return true;
}

static const struct tree_node *scalar(
	struct walk *walk, const struct tree_node *like, const char *text)
{
	return tree_new_scalar(walk->arena, like->where, text, strlen(text), false);
}

/* Replaces a number by a smaller one. There is one edit for each candidate: 0, 1, and then 1/2, 3/4
 * and 7/8 of the number. */
static const struct tree_node *less(struct walk *walk, const struct tree_node *node)
{
	int64_t number;
	char text[32];

	if (tree_integer(node, &number) != STATUS_OK || number < 1)
		return node;

	const int64_t smaller[] = {0, 1, number / 2, number - number / 4, number - number / 8};

	for (size_t i = 0; i < sizeof smaller / sizeof smaller[0]; i++) {
		if (smaller[i] >= number || (i > 1 && smaller[i] < 2) || !is_turn(walk))
			continue;
		snprintf(text, sizeof text, "%" PRId64, smaller[i]);
		return scalar(walk, node, text);
	}
	return node;
}

static bool stays(const char *path)
{
	static const char *const keys[] = {"meshsim", "name", "platform", "workload", NULL};

	for (int i = 0; keys[i]; i++)
		if (strcmp(keys[i], path) == 0)
			return true;
	return false;
}

static const struct tree_node *visit(
	struct walk *walk, const struct tree_node *node, const char *key, uint32_t depth);

static const struct tree_node *visit_map(
	struct walk *walk, const struct tree_node *node, uint32_t depth)
{
	struct tree_pair *pairs = arena_array(walk->arena, node->count + 1, sizeof *pairs);
	uint32_t count = 0;

	for (uint32_t i = 0; i < node->count; i++) {
		const struct tree_pair *pair = &node->pairs[i];

		if (!(depth == 0 && stays(pair->key)) && is_turn(walk))
			continue;
		pairs[count] = *pair;
		pairs[count++].value = visit(walk, pair->value, pair->key, depth + 1);
	}
	return tree_new_map(walk->arena, node->where, pairs, count);
}

/* Edits the items of a list. An item may be removed, or replaced by the steps in its `do`. */
static const struct tree_node *visit_items(
	struct walk *walk, const struct tree_node *node, uint32_t depth)
{
	struct arena *arena = walk->arena;
	const struct tree_node **items = arena_array(arena, node->nodes + 1, sizeof *items);
	uint32_t count = 0;

	for (uint32_t i = 0; i < node->count; i++) {
		const struct tree_node *item = node->items[i], *body = tree_get(item, "do");

		if (is_turn(walk))
			continue;
		if (body && body->kind == TREE_SEQUENCE && is_turn(walk))
			for (uint32_t k = 0; k < body->count; k++)
				items[count++] = body->items[k];
		else
			items[count++] = visit(walk, item, "", depth + 1);
	}
	return tree_new_sequence(arena, node->where, items, count);
}

static const struct tree_node *visit_platform(struct walk *walk, const struct tree_node *node)
{
	for (int i = 0; walk->machines[i]; i++) {
		if (node->kind == TREE_SCALAR && strcmp(node->text, walk->machines[i]) == 0)
			break;
		if (is_turn(walk))
			return scalar(walk, node, walk->machines[i]);
	}
	return node->kind == TREE_MAP ? visit_map(walk, node, 1) : node;
}

static const struct tree_node *visit(
	struct walk *walk, const struct tree_node *node, const char *key, uint32_t depth)
{
	if (walk->done)
		return node;
	if (depth == 1 && strcmp(key, "platform") == 0)
		return visit_platform(walk, node);
	if (depth == 1 && (strcmp(key, "meshsim") == 0 || strcmp(key, "name") == 0))
		return node;
	if (node->kind == TREE_MAP)
		return visit_map(walk, node, depth);
	if (node->kind == TREE_SEQUENCE)
		return visit_items(walk, node, depth);
	return less(walk, node);
}

uint32_t edit_count(const struct tree_node *root, const char *const *machines)
{
	struct arena arena;
	struct walk walk = {machines, UINT32_MAX, false, &arena};

	arena_init(&arena);
	visit(&walk, root, "", 0);
	arena_fini(&arena);
	return UINT32_MAX - walk.left;
}

const struct tree_node *edit_apply(const struct tree_node *root, const char *const *machines,
	uint32_t number, struct arena *arena)
{
	struct walk walk = {machines, number, false, arena};
	const struct tree_node *edited = visit(&walk, root, "", 0);

	ensure(walk.done, "edit %u of %u", number, edit_count(root, machines));
	return edited;
}

const struct tree_node *edit_cut(
	const struct tree_node *root, uint32_t from, uint32_t count, struct arena *arena)
{
	const struct tree_node *steps = tree_get(root, "workload"), *left;
	struct tree_pair *pairs = arena_array(arena, root->count, sizeof *pairs);
	const struct tree_node **items;

	ensure(steps && from + count <= steps->count && count < steps->count,
		"%u steps from step %u on", count, from);
	items = arena_array(arena, steps->count, sizeof *items);
	memcpy(items, steps->items, from * sizeof *items);
	memcpy(items + from, steps->items + from + count,
		(steps->count - from - count) * sizeof *items);
	left = tree_new_sequence(arena, steps->where, items, steps->count - count);
	for (uint32_t i = 0; i < root->count; i++) {
		pairs[i] = root->pairs[i];
		if (strcmp(pairs[i].key, "workload") == 0)
			pairs[i].value = left;
	}
	return tree_new_map(arena, root->where, pairs, root->count);
}
