/* JSON that a program printed, as a tree. Fails the test where it is not what was expected. */
#ifndef TEST_JSON_TREE_H
#define TEST_JSON_TREE_H

#include "base/tree.h"

/* Reads it, which must go without a message; tree_free() when done. Frees `text`. */
struct tree *json_tree(char *text);

/* The value at a dotted path. */
void json_expect(const struct tree *tree, const char *path, const char *expected);

#endif
