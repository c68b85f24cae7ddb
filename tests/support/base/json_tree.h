/* JSON output of a program as a tree. Unexpected content fails the test. */
#ifndef TEST_JSON_TREE_H
#define TEST_JSON_TREE_H

#include "base/tree.h"

/* Reads JSON. Fails the test if this causes a message. Free the result with tree_free(). Frees
 * `text`. */
struct tree *json_tree(char *text);

/* Checks the value at a dotted path. */
void json_expect(const struct tree *tree, const char *path, const char *expected);

#endif
