/* Compares trees (see tree_equal.h). */
#include "tree_equal.h"

#include <string.h>

static bool scalars_equal(const struct tree_node *a, const struct tree_node *b)
{
	enum tree_type type = tree_type(a);

	return type == tree_type(b) && (type == TREE_NULL || strcmp(a->text, b->text) == 0);
}

bool tree_equal(const struct tree_node *a, const struct tree_node *b)
{
	if (a == b)
		return true;
	if (a->kind != b->kind)
		return false;
	if (a->kind == TREE_SCALAR)
		return scalars_equal(a, b);
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		if (a->kind == TREE_SEQUENCE && !tree_equal(a->items[i], b->items[i]))
			return false;
		if (a->kind == TREE_MAP &&
			(strcmp(a->pairs[i].key, b->pairs[i].key) != 0 ||
				!tree_equal(a->pairs[i].value, b->pairs[i].value)))
			return false;
	}
	return true;
}
