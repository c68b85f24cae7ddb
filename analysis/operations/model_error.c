/* Compares margins with the error of the model (charges.h). All figures come from the result
 * file. */
#include "analysis/operations/charges.h"

#include <math.h>
#include <string.h>

#include "analysis/read/result.h"
#include "base/tree.h"

static void read_families(
	struct model_errors *errors, const struct tree_node *families, struct arena *arena)
{
	for (uint32_t i = 0; i < families->count && i < MODEL_FAMILIES_MAX; i++) {
		const struct tree_pair *pair = &families->pairs[i];
		const struct tree_node *error = tree_find(pair->value, "held_out.p90");
		struct model_family *family = &errors->families[errors->family_count++];

		family->name = arena_string(arena, pair->key);
		if (!error || tree_real(error, &family->error) != STATUS_OK)
			family->error = 0;
	}
}

static void model_error_read_constants(
	struct model_errors *errors, const struct tree_node *constants, struct arena *arena)
{
	errors->constants = arena_array(arena, constants->count + 1, sizeof(*errors->constants));
	for (uint32_t i = 0; i < constants->count; i++) {
		const struct tree_pair *pair = &constants->pairs[i];

		for (uint32_t f = 0; f < errors->family_count; f++)
			if (pair->value->kind == TREE_SCALAR &&
				strcmp(errors->families[f].name, pair->value->text) == 0)
				errors->constants[errors->constant_count++] =
					(struct model_constant){arena_string(arena, pair->key), f};
	}
}

void model_errors_read(struct model_errors *errors, struct result *result, struct arena *arena)
{
	const char *text = result_document(result, "/model_errors");
	struct diag *diag = diag_new();
	struct tree *tree =
		text[0] ? tree_read_text("model_errors", text, strlen(text), diag) : NULL;
	const struct tree_node *families = tree ? tree_find(tree_root(tree), "families") : NULL;
	const struct tree_node *constants = tree ? tree_find(tree_root(tree), "constants") : NULL;

	*errors = (struct model_errors){0};
	if (families && families->kind == TREE_MAP)
		read_families(errors, families, arena);
	if (constants && constants->kind == TREE_MAP)
		model_error_read_constants(errors, constants, arena);
	tree_free(tree);
	diag_free(diag);
}

struct model_doubt model_doubt(const struct model_errors *errors, const struct charges *first,
	const struct charges *second, double ratio)
{
	double parts[MODEL_FAMILIES_MAX] = {0};
	struct model_doubt doubt = {NULL, 0, 0, 0};

	if (!first->known || !second->known || first->whole <= 0 || second->whole <= 0)
		return doubt;
	for (uint32_t i = 0; i < errors->constant_count; i++) {
		const struct model_constant *constant = &errors->constants[i];
		double a = charges_of(first, constant->path) / first->whole;
		double b = charges_of(second, constant->path) / second->whole * (1 + ratio);

		parts[constant->family] += fabs(b - a);
	}
	for (uint32_t f = 0; f < errors->family_count; f++)
		if (errors->families[f].error * parts[f] > doubt.most)
			doubt = (struct model_doubt){errors->families[f].name,
				errors->families[f].error, parts[f],
				errors->families[f].error * parts[f]};
	return doubt;
}
