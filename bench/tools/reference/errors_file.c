/* Reads and writes errors.yaml, see errors.h. */
#include "bench/tools/reference/errors.h"

#include <stdio.h>
#include <string.h>

#include "base/tree.h"
#include "bench/scenario/shipped.h"
#include "cause/path.h"

/* ---- making it ---- */

/* Sets shares[c] to the share of each charge c in a family. The fractions of a row's charged time
 * that are due to the single charges add up to 1. The share of c is the sum of its fractions over
 * all rows of the family, so a family of few rows has small shares. */
static void find_shares(const struct reference *reference, const struct prediction *predictions,
	const char *family, double *shares)
{
	memset(shares, 0, CHARGE_COUNT * sizeof *shares);
	for (uint32_t row = 0; row < reference->count; row++) {
		const double *own = predictions[row].shares;
		double sum = 0;

		if (!own || strcmp(reference->rows[row].family, family) != 0)
			continue;
		for (int charge = 0; charge < CHARGE_COUNT; charge++)
			sum += own[charge];
		for (int charge = 0; charge < CHARGE_COUNT && sum > 0; charge++)
			shares[charge] += own[charge] / sum;
	}
}

static void find_families(struct errors_file *file, const struct reference *reference,
	const struct prediction *predictions)
{
	double shares[CHARGE_COUNT], most[CHARGE_COUNT] = {0};

	for (uint32_t i = 0; i < file->family_count; i++) {
		find_shares(reference, predictions, file->families[i].name, shares);
		for (int charge = 0; charge < CHARGE_COUNT; charge++)
			if (shares[charge] > most[charge]) {
				most[charge] = shares[charge];
				file->family_of[charge] = (uint8_t)(i + 1);
			}
	}
}

void errors_file_make(struct errors_file *file, const struct reference *reference,
	const struct prediction *in_sample, const struct prediction *held_out,
	const struct folds *folds)
{
	const char *name;

	*file = (struct errors_file){
		.folds = folds->count, .groups = folds->groups, .alone = folds->alone};
	for (size_t i = 0; i < ERRORS_FAMILIES_MAX && (name = validate_family(reference, i)); i++) {
		struct family_validity *family = &file->families[file->family_count++];

		snprintf(family->name, sizeof family->name, "%s", name);
		family->held_out = validate_errors(reference, held_out, name);
		family->in_sample = validate_errors(reference, in_sample, name);
	}
	find_families(file, reference, in_sample);
}

/* ---- the file ---- */

static bool is_errors(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "meshsim_errors:");
}

const struct output_kind errors_output = {"error table of meshsim", false, is_errors};

static void errors_file_write_errors(
	struct text *text, const char *key, const struct family_errors *errors)
{
	text_printf(text,
		"    %s: {mean: %.4f, median: %.4f, p90: %.4f, worst: %.4f, ranking: %.3f}\n", key,
		errors->mean, errors->median, errors->p90, errors->worst, errors->ranking);
}

bool errors_file_write(const struct errors_file *file, const char *path)
{
	struct text text;
	bool good;

	text_init(&text);
	text_append(&text,
		"# How far simulated figures are off those of figures.csv, by family: where the "
		"row's group\n# was kept out of the fit, and where it was not. Of constants: the "
		"family whose rows together\n# spend most on it. Written by `meshsim "
		"calibrate --fit --folds N --errors FILE`.\n");
	text_printf(&text, "meshsim_errors: 1\nfolds: %u\ngroups: %u\nalone: %u\nfamilies:\n",
		file->folds, file->groups, file->alone);
	for (uint32_t i = 0; i < file->family_count; i++) {
		const struct family_validity *family = &file->families[i];

		text_printf(&text, "  %s:\n    rows: %u\n", family->name,
			family->held_out.rows - family->held_out.refused);
		errors_file_write_errors(&text, "held_out", &family->held_out);
		errors_file_write_errors(&text, "in_sample", &family->in_sample);
	}
	text_append(&text, "constants:\n");
	for (int charge = 0; charge < CHARGE_COUNT; charge++)
		if (file->family_of[charge] && charge_path((enum charge)charge)[0])
			text_printf(&text, "  %s: %s\n", charge_path((enum charge)charge),
				file->families[file->family_of[charge] - 1].name);
	good = output_write_or_say(path, &errors_output, &text);
	text_fini(&text);
	return good;
}

static double real_of(const struct tree_node *map, const char *key)
{
	const struct tree_node *node = map ? tree_get(map, key) : NULL;
	double value = 0;

	return node && tree_real(node, &value) == STATUS_OK ? value : 0;
}

static struct family_errors read_errors(const struct tree_node *family, const char *key)
{
	const struct tree_node *map = tree_get(family, key);

	return (struct family_errors){.rows = (uint32_t)real_of(family, "rows"),
		.mean = real_of(map, "mean"),
		.median = real_of(map, "median"),
		.p90 = real_of(map, "p90"),
		.worst = real_of(map, "worst"),
		.ranking = real_of(map, "ranking")};
}

static void read_constants(struct errors_file *file, const struct tree_node *constants)
{
	for (int charge = 0; constants && charge < CHARGE_COUNT; charge++) {
		const struct tree_node *node =
			tree_get(constants, charge_path((enum charge)charge));

		for (uint32_t i = 0; node && i < file->family_count; i++)
			if (strcmp(file->families[i].name, node->text) == 0)
				file->family_of[charge] = (uint8_t)(i + 1);
	}
}

static void read_root(struct errors_file *file, const struct tree_node *root)
{
	const struct tree_node *families = tree_get(root, "families");

	file->folds = (uint32_t)real_of(root, "folds");
	file->groups = (uint32_t)real_of(root, "groups");
	file->alone = (uint32_t)real_of(root, "alone");
	for (uint32_t i = 0; families && i < families->count && i < ERRORS_FAMILIES_MAX; i++) {
		const struct tree_pair *pair = &families->pairs[i];
		struct family_validity *family = &file->families[file->family_count++];

		snprintf(family->name, sizeof family->name, "%s", pair->key);
		family->held_out = read_errors(pair->value, "held_out");
		family->in_sample = read_errors(pair->value, "in_sample");
	}
	read_constants(file, tree_get(root, "constants"));
}

bool errors_file_read(struct errors_file *file)
{
	struct diag *diag = diag_new();
	struct tree *tree;
	bool good;

	*file = (struct errors_file){0};
	tree = tree_read_file(shipped_errors(), diag);
	good = tree && tree_root(tree)->kind == TREE_MAP;
	if (good)
		read_root(file, tree_root(tree));
	tree_free(tree);
	diag_free(diag);
	return good && file->family_count > 0;
}

const struct family_validity *errors_file_find(const struct errors_file *file, const char *family)
{
	for (uint32_t i = 0; i < file->family_count; i++)
		if (strcmp(file->families[i].name, family) == 0)
			return &file->families[i];
	return NULL;
}
