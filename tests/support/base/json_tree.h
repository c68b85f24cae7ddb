/* JSON output of a program as a tree. Unexpected content fails the test. */
#ifndef TEST_JSON_TREE_H
#define TEST_JSON_TREE_H

#include "base/tree.h"

/* Reads the JSON in `text`, and frees `text`. Fails the test if reading gives an error or warning.
 * Free the result with tree_free(). */
struct tree *json_tree(char *text);

/* Checks the value at a dotted path. */
void json_expect(const struct tree *tree, const char *path, const char *expected);

#endif
