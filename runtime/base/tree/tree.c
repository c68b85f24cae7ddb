/* Nodes of a located tree: builds, measures and finds nodes, and determines the types of scalars.
 * Nodes that exceed the bounds are rejected. */
#include "base/tree.h"

#include <errno.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "base/tree/tree_node.h"

const char *tree_measure(struct tree_node *node)
{
	uint64_t nodes = 1, bytes = node->kind == TREE_SCALAR ? node->count : 0;
	unsigned depth = 0;

	for (uint32_t i = 0; node->kind != TREE_SCALAR && i < node->count; i++) {
		const struct tree_node *child =
			node->kind == TREE_MAP ? node->pairs[i].value : node->items[i];

		nodes += child->nodes;
		bytes += child->bytes;
		bytes += node->kind == TREE_MAP ? strlen(node->pairs[i].key) : 0;
		depth = child->depth > depth ? child->depth : depth;
	}
	if (nodes > TREE_NODES_MAX)
		return "too many values: more than 1000000 with aliases expanded";
	if (bytes > TREE_EXPANDED_BYTES_MAX)
		return "too much text: more than 64 MiB with aliases expanded";
	if (depth + 1 > TREE_DEPTH_MAX)
		return "nested too deep: more than 64 levels with aliases expanded";
	node->nodes = (uint32_t)nodes;
	node->bytes = (uint32_t)bytes;
	node->depth = (uint16_t)(depth + 1);
	return NULL;
}

static const struct tree_node *new_node(struct arena *arena, const struct tree_node *from)
{
	struct tree_node *node = arena_alloc(arena, sizeof(*node));

	*node = *from;
	location_keep(arena, node->where);
	return tree_measure(node) ? NULL : node;
}

const struct tree_node *tree_new_scalar(
	struct arena *arena, struct location where, const char *text, size_t length, bool quoted)
{
	struct tree_node node = {.kind = TREE_SCALAR, .quoted = quoted, .where = where};

	if (length > TREE_EXPANDED_BYTES_MAX)
		return NULL;
	node.count = (uint32_t)length;
	node.text = arena_copy(arena, text, length);
	return new_node(arena, &node);
}

const struct tree_node *tree_new_sequence(struct arena *arena, struct location where,
	const struct tree_node *const *items, size_t count)
{
	struct tree_node node = {.kind = TREE_SEQUENCE, .where = where, .items = items};

	if (count > TREE_NODES_MAX)
		return NULL;
	node.count = (uint32_t)count;
	return new_node(arena, &node);
}

const struct tree_node *tree_new_map(
	struct arena *arena, struct location where, const struct tree_pair *pairs, size_t count)
{
	struct tree_node node = {.kind = TREE_MAP, .where = where, .pairs = pairs};

	if (count > TREE_NODES_MAX)
		return NULL;
	node.count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		location_keep(arena, pairs[i].where);
	return new_node(arena, &node);
}

const struct tree_pair *tree_get_pair(const struct tree_node *node, const char *key)
{
	if (!node || node->kind != TREE_MAP)
		return NULL;
	for (uint32_t i = 0; i < node->count; i++) {
		if (strcmp(node->pairs[i].key, key) == 0)
			return &node->pairs[i];
	}
	return NULL;
}

const struct tree_node *tree_get(const struct tree_node *node, const char *key)
{
	const struct tree_pair *pair = tree_get_pair(node, key);

	return pair ? pair->value : NULL;
}

bool tree_index(const char *key, uint32_t count, uint32_t *index)
{
	uint64_t value = 0;

	if (!*key || strlen(key) > 9 || (key[0] == '0' && key[1]))
		return false;
	for (; *key; key++) {
		if (*key < '0' || *key > '9')
			return false;
		value = 10 * value + (uint64_t)(*key - '0');
	}
	*index = (uint32_t)value;
	return value < count;
}

const struct tree_node *tree_find(const struct tree_node *node, const char *path)
{
	while (node && *path) {
		size_t length = strcspn(path, ".");
		char key[TREE_KEY_BYTES_MAX + 1];
		uint32_t index;

		if (length > TREE_KEY_BYTES_MAX)
			return NULL;
		memcpy(key, path, length);
		key[length] = '\0';
		path += length + (path[length] == '.');
		if (node->kind == TREE_SEQUENCE)
			node = tree_index(key, node->count, &index) ? node->items[index] : NULL;
		else
			node = tree_get(node, key);
	}
	return node;
}

struct location tree_where(const struct tree_node *node, const char *path)
{
	const struct tree_node *found = tree_find(node, path);

	return found ? found->where : (struct location){0};
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++) {
		if (strcmp(text, *words) == 0)
			return true;
	}
	return false;
}

enum tree_type tree_type(const struct tree_node *scalar)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
	static const char *const bools[] = {
		"true", "True", "TRUE", "false", "False", "FALSE", NULL};

	ensure(scalar->kind == TREE_SCALAR, "node kind %d", (int)scalar->kind);
	if (scalar->quoted)
		return TREE_STRING;
	if (is_one_of(scalar->text, nulls))
		return TREE_NULL;
	if (is_one_of(scalar->text, bools))
		return TREE_BOOL;
	if (number_is_integer(scalar->text))
		return TREE_INTEGER;
	return number_is_real(scalar->text) ? TREE_REAL : TREE_STRING;
}

bool tree_is_null(const struct tree_node *node)
{
	return node->kind == TREE_SCALAR && tree_type(node) == TREE_NULL;
}

enum status tree_integer(const struct tree_node *node, int64_t *out)
{
	long long value;

	if (node->kind != TREE_SCALAR || tree_type(node) != TREE_INTEGER)
		return STATUS_INVALID;
	errno = 0;
	value = strtoll(node->text, NULL, strncmp(node->text, "0x", 2) == 0 ? 16 : 10);
	if (errno == ERANGE)
		return STATUS_OUT_OF_RANGE;
	*out = value;
	return STATUS_OK;
}

enum status tree_real(const struct tree_node *node, double *out)
{
	if (node->kind != TREE_SCALAR ||
		(tree_type(node) != TREE_INTEGER && tree_type(node) != TREE_REAL))
		return STATUS_INVALID;
	return number_read_real(node->text, out) ? STATUS_OK : STATUS_OUT_OF_RANGE;
}

const char *tree_describe(const struct tree_node *node, char *out, size_t size)
{
	enum { SHOWN = 40 };
	static const char *const nouns[] = {[TREE_INTEGER] = "the integer ",
		[TREE_REAL] = "the number ",
		[TREE_BOOL] = "",
		[TREE_STRING] = "the string "};
	const char *quote, *dots;
	enum tree_type type;
	int length = SHOWN;

	if (node->kind != TREE_SCALAR) {
		snprintf(out, size, "%s", node->kind == TREE_MAP ? "a map" : "a list");
		return out;
	}
	type = tree_type(node);
	if (type == TREE_NULL) {
		snprintf(out, size, "null");
		return out;
	}
	quote = type == TREE_STRING ? "'" : "";
	dots = node->count > SHOWN ? "..." : "";
	/* Do not cut inside a code point. */
	while (node->count > SHOWN && length > 0 && (node->text[length] & 0xc0) == 0x80)
		length--;
	snprintf(out, size, "%s%s%.*s%s%s", nouns[type], quote, length, node->text, dots, quote);
	return out;
}
