/* Finds the values of swept keys in the runs of a file (sweep_points.h). If two files are compared,
 * a key may be swept only by the other file; its value is then taken from the scenario or the
 * platform of the run. */
#include <string.h>

#include "base/tree.h"
#include "analysis/compare/sweep_points.h"

uint32_t sweep_key_count(const struct sweep_source *source)
{
	return source->names ? source->count : source->summary->swept_count;
}

/* Returns the value of a key in a document of a run, as the document has it; NULL if the document
 * does not have the key. */
static const char *value_in(struct summary *summary, const char *document, const char *key,
	uint64_t row, struct arena *arena)
{
	struct arena scratch = {0};
	const char *text = result_document(summary->result,
		arena_printf(&scratch, "%s/%s", summary_group(summary, row), document), &scratch);
	struct diag *diag = diag_new();
	struct tree *tree = text ? tree_read_text(document, text, strlen(text), diag) : NULL;
	const struct tree_node *node = tree ? tree_find(tree_root(tree), key) : NULL;
	const char *value = NULL;

	if (node && node->kind == TREE_SCALAR)
		value = arena_string(arena, node->text);
	tree_free(tree);
	diag_free(diag);
	arena_fini(&scratch);
	return value;
}

static const char *key_text(
	const struct sweep_source *source, const char *name, uint64_t row, struct arena *arena)
{
	static const char platform[] = "platform.";
	struct summary *summary = source->summary;
	const char *value;

	if (strcmp(name, SWEEP_FILE) == 0)
		return source->file;
	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const struct dataset_column *column =
			&summary->dataset.columns[summary->swept_first + i];
		if (strcmp(column->name, name) == 0)
			return dataset_cell_text(&summary->dataset, column, row, arena);
	}
	if (strncmp(name, platform, strlen(platform)) == 0)
		value = value_in(summary, "platform", name + strlen(platform), row, arena);
	else
		value = value_in(summary, "scenario", name, row, arena);
	return value ? value : "-";
}

const char **sweep_key_texts(const struct sweep_source *source, uint64_t row, struct arena *arena)
{
	const struct summary *summary = source->summary;
	uint32_t count = sweep_key_count(source);
	const char **keys = arena_array(arena, count + 1, sizeof(*keys));

	for (uint32_t i = 0; i < count; i++)
		keys[i] = source->names
				  ? key_text(source, source->names[i], row, arena)
				  : dataset_cell_text(&summary->dataset,
					    &summary->dataset.columns[summary->swept_first + i],
					    row, arena);
	return keys;
}
