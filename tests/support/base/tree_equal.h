/* Compares two trees literally. No schema is used, so a default that is given explicitly counts as
 * a difference. */
#ifndef TEST_TREE_EQUAL_H
#define TEST_TREE_EQUAL_H

#include "base/tree.h"

/* Returns true if both trees have the same kinds, types, texts and order of keys. Ignores locations
 * and styles. */
bool tree_equal(const struct tree_node *a, const struct tree_node *b);

#endif
