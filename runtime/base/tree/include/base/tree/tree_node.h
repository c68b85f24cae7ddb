/* What the files of the tree share. Private to base. */
#ifndef BASE_TREE_TREE_NODE_H
#define BASE_TREE_TREE_NODE_H

#include "base/tree.h"

struct tree {
	struct arena arena;
	const struct tree_node *root;
};

/* Fills depth, nodes and bytes of a node from its children. NULL, or the bound that it breaks as a
 * sentence for a message. */
const char *tree_measure(struct tree_node *node);

/* True if `key` is a decimal index below `count`, which goes to `index`. */
bool tree_index(const char *key, uint32_t count, uint32_t *index);

/* Reads one YAML document from a registered source, of which `text` is the end; columns of its
 * first line are shifted by `shift`. NULL after errors. */
const struct tree_node *tree_read_yaml(const struct source *source, const char *text, size_t length,
	uint32_t shift, struct arena *arena, struct diag *diag);

/* The same from protobuf's text format. */
const struct tree_node *tree_read_fields(const struct source *source, const char *text,
	size_t length, struct arena *arena, struct diag *diag);

/* Refuses bytes that are not text, and what makes libyaml slow. False after an error. */
bool tree_check_text(const struct source *source, const char *text, size_t length, uint32_t shift,
	struct diag *diag);

/* How many bytes of a scalar are text: `length`, or those before the first control character
 * (text_is_control(); "\n" and "\t" are allowed where `lines`) after an error. An escape of YAML or
 * of the text format puts into a value what tree_check_text() keeps out of the file. */
size_t tree_check_scalar(
	struct location where, const char *text, size_t length, bool lines, struct diag *diag);

#endif
