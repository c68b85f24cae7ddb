/* Fuzzes the YAML reader and the schema. Any input gives either errors with their places, or a
 * tree. Such a tree can be written, read, changed, completed with defaults, and bound to a struct.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/tree.h"
#include "toy_schema.h"
#include "tree_equal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_quietly(const struct diag *diag)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	ensure(out, "open_memstream");
	diag_print(diag, out);
	fclose(out);
	ensure(diag_errors(diag) == 0 || length > 0, "%zu errors printed nothing",
		diag_errors(diag));
	free(text);
}

/* The written text must parse to the same tree, and be written identically again. */
static void check_round_trip(const struct tree_node *node, struct diag *diag)
{
	struct text once = {0}, twice = {0};
	struct tree *tree;

	tree_write(node, &once);
	if (once.length <= TREE_BYTES_MAX) {
		tree = tree_read_text("written", text_string(&once), once.length, diag);
		if (!tree) {
			diag_print(diag, stderr);
			fputs(text_string(&once), stderr);
		}
		ensure(tree, "%zu bytes written cannot be read", once.length);
		ensure(tree_equal(node, tree_root(tree)), "written: %s", text_string(&once));
		tree_write(tree_root(tree), &twice);
		ensure(strcmp(text_string(&once), text_string(&twice)) == 0, "written twice: %s",
			text_string(&twice));
		tree_free(tree);
	}
	text_clear(&once);
	tree_write_json(node, &once);
	if (once.length <= TREE_BYTES_MAX) {
		tree = tree_read_text("json", text_string(&once), once.length, diag);
		ensure(tree, "%zu bytes of JSON cannot be read: %s", once.length,
			text_string(&once));
		tree_free(tree);
	}
	text_fini(&once);
	text_fini(&twice);
}

/* A tree that binds must also bind in its effective form. */
static void check_schema(const struct tree_node *node, struct diag *diag)
{
	struct arena arena = {0};
	struct toy toy;

	if (schema_bind(&toy_schema, node, &toy, &arena, diag)) {
		const struct tree_node *complete = schema_complete(&toy_schema, node, &arena);

		if (!schema_bind(&toy_schema, complete, &toy, &arena, diag)) {
			diag_print(diag, stderr);
			ensure(false, "the effective form does not bind");
		}
		ensure(tree_equal(complete, schema_complete(&toy_schema, complete, &arena)),
			"the effective form is not complete");
	}
	arena_fini(&arena);
}

/* Uses the first line as "path=value" of --set. */
static void check_set(struct tree *tree, const uint8_t *data, size_t size, struct diag *diag)
{
	const uint8_t *end = memchr(data, '\n', size);
	char *line = strndup((const char *)data, end ? (size_t)(end - data) : size);
	char *value = strchr(line, ':');
	struct tree *copy = tree_copy(tree);

	ensure(tree_equal(tree_root(tree), tree_root(copy)), "a copy differs");
	if (value) {
		*value++ = '\0';
		if (tree_set(copy, line, value, "--set", diag)) {
			ensure(tree_find(tree_root(copy), line), "'%s' was set", line);
			check_round_trip(tree_root(copy), diag);
		}
	}
	tree_free(copy);
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("fuzz", (const char *)data, size, diag);

	ensure(tree || diag_errors(diag) > 0, "neither a tree nor an error");
	if (tree) {
		check_round_trip(tree_root(tree), diag);
		check_schema(tree_root(tree), diag);
		check_set(tree, data, size, diag);
	}
	print_quietly(diag);
	tree_free(tree);
	diag_free(diag);
	return 0;
}
