/* Reading of model files (model.h). */
#include "bench/tools/models/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model_private.h"

/* Reports an error if two operations of a model have the same name. Results are split by these
 * names. */
static void model_check_names(const struct model_keys_file *keys, struct diag *diag)
{
	const struct operations *const lists[] = {&keys->before, &keys->layer, &keys->after};
	const struct operation *seen[3 * MODEL_OPERATIONS_MAX];
	uint32_t count = 0;

	for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
		for (uint32_t i = 0; i < lists[list]->count; i++) {
			const struct operation *operation = &lists[list]->at[i];

			for (uint32_t j = 0; j < count; j++)
				if (strcmp(operation_name(seen[j]), operation_name(operation)) == 0)
					diag_error(diag, operation->where,
						"two operations are called '%s'",
						operation_name(operation));
			seen[count++] = operation;
		}
	for (uint32_t i = 0; i < keys->phase_count; i++)
		for (uint32_t j = 0; j < i; j++)
			if (strcmp(keys->phases[i].name, keys->phases[j].name) == 0)
				diag_error(diag, keys->phases[i].where,
					"two phases are called '%s'", keys->phases[i].name);
}

/* Reports sections that are no maps, which the scenario could not contain. */
static void model_check_sections(const struct model_keys_file *keys, struct diag *diag)
{
	const struct tree_node *const nodes[] = {
		keys->runtime, keys->model, keys->sweep, keys->measure};
	char described[TREE_DESCRIBE_BYTES];

	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
		if (nodes[i] && (nodes[i]->kind != TREE_MAP || nodes[i]->count == 0))
			diag_error(diag, nodes[i]->where,
				"a section of the scenario must be a map with keys, not %s",
				tree_describe(nodes[i], described, sizeof described));
}

/* Binds a tree, which then belongs to the model. */
static struct model *model_bind(struct tree *tree, size_t errors, struct diag *diag)
{
	struct model *model;

	if (!tree)
		return NULL;
	model = allocate(1, sizeof *model);
	model->tree = tree;
	arena_init(&model->arena);
	if (schema_bind(&model_schema, tree_root(tree), &model->keys, &model->arena, diag)) {
		model_check_names(&model->keys, diag);
		model_check_sections(&model->keys, diag);
	}
	if (diag_errors(diag) == errors)
		return model;
	model_free(model);
	return NULL;
}

struct model *model_read(const char *path, struct diag *diag)
{
	size_t errors = diag_errors(diag);

	return model_bind(tree_read_file(path, diag), errors, diag);
}

struct model *model_read_text(const char *name, const char *text, size_t length, struct diag *diag)
{
	size_t errors = diag_errors(diag);

	return model_bind(tree_read_text(name, text, length, diag), errors, diag);
}

void model_free(struct model *model)
{
	if (!model)
		return;
	tree_free(model->tree);
	arena_fini(&model->arena);
	free(model);
}

const char *model_platform(const struct model *model)
{
	return model->keys.platform;
}

void model_append_schema(struct text *out)
{
	schema_append_json(&model_schema, out);
}
