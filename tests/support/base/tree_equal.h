/* Compares two trees literally: there is no schema, so an explicit default is a difference. */
#ifndef TEST_TREE_EQUAL_H
#define TEST_TREE_EQUAL_H

#include "base/tree.h"

/* Returns true if both trees have the same kinds, types, texts and order of keys. Locations and
 * styles are ignored. */
bool tree_equal(const struct tree_node *a, const struct tree_node *b);

#endif
