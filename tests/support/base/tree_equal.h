/* Whether two trees say the same. Knows no schema: a default that is said is a difference. */
#ifndef TEST_TREE_EQUAL_H
#define TEST_TREE_EQUAL_H

#include "base/tree.h"

/* Same kinds, types, texts and order of keys; locations and styles do not count. */
bool tree_equal(const struct tree_node *a, const struct tree_node *b);

#endif
