/* Reads graph files (bench/tools/models/graph.h). */
#include "bench/tools/models/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "graph_private.h"

/* Binds a tree, which then belongs to the graph. */
static struct graph *graph_bind(
	struct tree *tree, const char *text, size_t length, size_t errors, struct diag *diag)
{
	struct graph *graph;

	if (!tree)
		return NULL;
	graph = allocate(1, sizeof *graph);
	graph->tree = tree;
	arena_init(&graph->arena);
	graph->text = arena_copy(&graph->arena, text, length);
	(void)schema_bind(&graph_schema, tree_root(tree), &graph->keys, &graph->arena, diag);
	if (diag_errors(diag) == errors)
		return graph;
	graph_free(graph);
	return NULL;
}

struct graph *graph_read_text(const char *name, const char *text, size_t length, struct diag *diag)
{
	size_t errors = diag_errors(diag);

	return graph_bind(tree_read_text(name, text, length, diag), text, length, errors, diag);
}

struct graph *graph_read(const char *path, struct diag *diag)
{
	struct text text = {0};
	struct graph *graph = NULL;

	if (file_read_or_say(path, MODEL_BINARY_SOURCE_BYTES_MAX, &text, diag))
		graph = graph_read_text(path, text_string(&text), text.length, diag);
	text_fini(&text);
	return graph;
}

void graph_free(struct graph *graph)
{
	if (!graph)
		return;
	tree_free(graph->tree);
	arena_fini(&graph->arena);
	free(graph);
}

const char *graph_platform(const struct graph *graph)
{
	return graph->keys.platform;
}

void graph_append_schema(struct text *out)
{
	schema_append_json(&graph_schema, out);
}
