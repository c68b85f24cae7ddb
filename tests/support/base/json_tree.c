/* See json_tree.h. Reads JSON as YAML, of which it is a subset. */
#include "test.h"

#include "json_tree.h"

#include <stdlib.h>
#include <string.h>

#include "diag_text.h"

struct tree *json_tree(char *text)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("json", text, strlen(text), diag);

	assert_diag_prints(diag, "");
	assert_non_null(tree);
	diag_free(diag);
	free(text);
	return tree;
}

void json_expect(const struct tree *tree, const char *path, const char *expected)
{
	const struct tree_node *node = tree_find(tree_root(tree), path);

	if (!node)
		fail_msg("no '%s'", path);
	assert_string_equal(node->text, expected);
}
