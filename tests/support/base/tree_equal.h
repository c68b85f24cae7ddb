/* Compares two trees node by node. No schema is used, so default values are not known: if one tree
 * has a key with its default value, and the other tree does not have the key, the trees differ. */
#ifndef TEST_TREE_EQUAL_H
#define TEST_TREE_EQUAL_H

#include "base/tree.h"

/* Returns true if all nodes of the two trees have the same kind, type and text, and the same keys
 * in the same order. Ignores locations in the file and quoting styles. */
bool tree_equal(const struct tree_node *a, const struct tree_node *b);

#endif
