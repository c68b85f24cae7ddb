/* Compares margins with the error of the model (charges.h). All figures come from the result
 * file. */
#include "analysis/operations/charges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/read/result.h"
#include "base/tree.h"

/* Returns the 90th percentile at a path, or 0. */
static double read_p90(const struct tree_node *node, const char *path)
{
	const struct tree_node *found = tree_find(node, path);
	double error;

	return found && tree_real(found, &error) == STATUS_OK && error > 0 ? error : 0;
}

/* Returns the number of figures of a family, or of a machine in a family; 0 if the table does not
 * have the family or machine. */
static uint32_t model_error_read_rows(const struct tree_node *node)
{
	const struct tree_node *found = tree_find(node, "rows");
	double rows;

	return found && tree_real(found, &rows) == STATUS_OK && rows > 0 ? (uint32_t)rows : 0;
}

static void model_error_read_machines(
	struct model_family *family, const struct tree_node *machines, struct arena *arena)
{
	for (uint32_t i = 0; i < machines->count && i < MODEL_MACHINES_MAX; i++)
		family->machines[family->machine_count++] =
			(struct model_machine){arena_string(arena, machines->pairs[i].key),
				read_p90(machines->pairs[i].value, "held_out.p90"),
				model_error_read_rows(machines->pairs[i].value)};
}

static void read_families(
	struct model_errors *errors, const struct tree_node *families, struct arena *arena)
{
	for (uint32_t i = 0; i < families->count && i < MODEL_FAMILIES_MAX; i++) {
		const struct tree_pair *pair = &families->pairs[i];
		const struct tree_node *machines = tree_find(pair->value, "machines");
		struct model_family *family = &errors->families[errors->family_count++];

		family->name = arena_string(arena, pair->key);
		family->whole = read_p90(pair->value, "held_out.p90");
		family->rows = model_error_read_rows(pair->value);
		family->others = read_p90(pair->value, "other_machines.p90");
		if (machines && machines->kind == TREE_MAP)
			model_error_read_machines(family, machines, arena);
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
	const char *text = result_document(result, "/model_errors", arena);
	struct diag *diag = diag_new();
	struct tree *tree =
		text[0] ? tree_read_text("model_errors", text, strlen(text), diag) : NULL;
	const struct tree_node *families = tree ? tree_find(tree_root(tree), "families") : NULL;
	const struct tree_node *constants = tree ? tree_find(tree_root(tree), "constants") : NULL;

	*errors = (struct model_errors){0};
	if (tree)
		errors->others = read_p90(tree_root(tree), "other_machines.p90");
	if (families && families->kind == TREE_MAP)
		read_families(errors, families, arena);
	if (constants && constants->kind == TREE_MAP)
		model_error_read_constants(errors, constants, arena);
	tree_free(tree);
	diag_free(diag);
}

/* Finds the model's error in a family of figures on a machine. Sets the error, the figures on which
 * it is based (doubt->basis), and their number. Figures of the machine "any" count for every
 * machine. */
static void find_error(const struct model_errors *errors, const struct model_family *family,
	const char *machine, struct model_doubt *doubt)
{
	doubt->family = family->name;
	doubt->machine = machine;
	for (uint32_t i = 0; i < family->machine_count; i++)
		if (family->machines[i].error > 0 &&
			(strcmp(family->machines[i].name, machine) == 0 ||
				strcmp(family->machines[i].name, "any") == 0)) {
			doubt->basis = MODEL_OWN;
			doubt->error = family->machines[i].error;
			doubt->rows = family->machines[i].rows;
			return;
		}
	doubt->rows = family->rows;
	if (family->machine_count == 0 || errors->others <= 0) {
		doubt->basis = MODEL_WHOLE_FAMILY;
		doubt->error = family->whole;
		return;
	}
	doubt->basis = family->others > 0 ? MODEL_OTHERS : MODEL_ALL_FAMILIES;
	doubt->error = family->others > 0 ? family->others : errors->others;
}

double model_error_of(const struct model_errors *errors, const char *path, const char *machine)
{
	struct model_doubt doubt = {.error = 0};

	for (uint32_t i = 0; i < errors->constant_count; i++)
		if (strcmp(errors->constants[i].path, path) == 0)
			find_error(errors, &errors->families[errors->constants[i].family], machine,
				&doubt);
	return doubt.error;
}

uint32_t model_figures(const struct model_errors *errors, const char *machine)
{
	uint32_t rows = 0;

	for (uint32_t f = 0; f < errors->family_count; f++)
		for (uint32_t i = 0; i < errors->families[f].machine_count; i++)
			if (strcmp(errors->families[f].machines[i].name, machine) == 0)
				rows += errors->families[f].machines[i].rows;
	return rows;
}

static int by_most(const void *a, const void *b)
{
	const struct model_doubt *x = a, *y = b;

	return x->most != y->most ? (x->most > y->most ? -1 : 1) : strcmp(x->family, y->family);
}

uint32_t model_doubts(const struct model_errors *errors, const struct model_design *first,
	const struct model_design *second, double ratio, struct model_doubt *doubts)
{
	const struct model_design *designs[] = {first, second};
	double parts[MODEL_FAMILIES_MAX] = {0};
	uint32_t count = 0;

	if (!first->charges->known || !second->charges->known || first->charges->whole <= 0 ||
		second->charges->whole <= 0)
		return 0;
	for (uint32_t i = 0; i < errors->constant_count; i++) {
		const struct model_constant *constant = &errors->constants[i];
		double a = charges_of(first->charges, constant->path) / first->charges->whole;
		double b = charges_of(second->charges, constant->path) / second->charges->whole *
			   (1 + ratio);

		parts[constant->family] += fabs(b - a);
	}
	for (uint32_t f = 0; f < errors->family_count; f++) {
		struct model_doubt *worst = &doubts[count];

		*worst = (struct model_doubt){0};
		for (int d = 0; d < 2; d++) {
			struct model_doubt found = {.part = parts[f]};

			find_error(errors, &errors->families[f], designs[d]->machine, &found);
			found.most = found.error * parts[f];
			if (found.most > worst->most)
				*worst = found;
		}
		count += worst->most > 0;
	}
	if (count > 0)
		qsort(doubts, count, sizeof(*doubts), by_most);
	return count;
}

struct model_doubt model_doubt(const struct model_errors *errors, const struct model_design *first,
	const struct model_design *second, double ratio)
{
	struct model_doubt doubts[MODEL_FAMILIES_MAX];

	if (model_doubts(errors, first, second, ratio, doubts) == 0)
		return (struct model_doubt){0};
	return doubts[0];
}

const char *model_basis_key(enum model_basis basis)
{
	static const char *const keys[MODEL_BASES] = {
		[MODEL_OWN] = "own",
		[MODEL_OTHERS] = "other machines",
		[MODEL_ALL_FAMILIES] = "other machines, all families",
		[MODEL_WHOLE_FAMILY] = "family",
	};

	return keys[basis];
}
