/* Reads and writes errors.yaml, see errors.h. */
#include "bench/tools/reference/errors.h"

#include <stdio.h>
#include <string.h>

#include "base/tree.h"
#include "bench/scenario/load.h"
#include "cause/cause.h"

static const char *const ways[FOLDS_WAYS] = {
	[FOLDS_HELD_OUT] = "held_out",
	[FOLDS_IN_SAMPLE] = "in_sample",
	[FOLDS_OTHER_MACHINES] = "other_machines",
};

static const struct machine_validity *find_machine(
	const struct family_validity *family, const char *machine)
{
	for (uint32_t i = 0; i < family->machine_count; i++)
		if (strcmp(family->machines[i].name, machine) == 0)
			return &family->machines[i];
	return NULL;
}

/* ---- making it ---- */

/* Computes how much time the rows of a family spend on each charge. The weight of a charge in a row
 * is the fraction of the row's charged time, so the weights in a row add up to 1. shares[c] is the
 * sum of the weights of charge c over all rows of the family, so a family with few rows has small
 * shares. */
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

/* Adds the errors of a family for each machine. The machines are in the order in which they first
 * occur in the rows. */
static void add_machines(struct family_validity *family, const struct reference *reference,
	struct prediction *const predictions[FOLDS_WAYS])
{
	for (uint32_t row = 0; row < reference->count; row++) {
		const char *system = reference->rows[row].system;
		struct machine_validity *machine = &family->machines[family->machine_count];

		if (strcmp(reference->rows[row].family, family->name) != 0 ||
			find_machine(family, system) ||
			family->machine_count == ERRORS_MACHINES_MAX)
			continue;
		snprintf(machine->name, sizeof machine->name, "%s", system);
		for (int way = 0; way < FOLDS_WAYS; way++)
			machine->errors.by[way] = validate_system_errors(
				reference, predictions[way], family->name, system);
		family->machine_count++;
	}
}

void errors_file_make(struct errors_file *file, const struct reference *reference,
	struct prediction *const predictions[FOLDS_WAYS], const struct folds *folds)
{
	const char *name;

	*file = (struct errors_file){.folds = folds->count,
		.groups = folds->groups,
		.alone = folds->alone,
		.machines_alone = folds->machines_alone};
	for (size_t i = 0; i < ERRORS_FAMILIES_MAX && (name = validate_family(reference, i)); i++) {
		struct family_validity *family = &file->families[file->family_count++];

		snprintf(family->name, sizeof family->name, "%s", name);
		for (int way = 0; way < FOLDS_WAYS; way++)
			family->errors.by[way] = validate_errors(reference, predictions[way], name);
		add_machines(family, reference, predictions);
	}
	file->other_machines = validate_errors(reference, predictions[FOLDS_OTHER_MACHINES], NULL);
	find_families(file, reference, predictions[FOLDS_IN_SAMPLE]);
}

/* ---- the file ---- */

static bool is_errors(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "meshsim_errors:");
}

const struct output_kind errors_output = {"error table of meshsim", false, is_errors};

static void write_way(
	struct text *text, const char *indent, const char *way, const struct family_errors *errors)
{
	if (errors->rows > errors->refused)
		text_printf(text,
			"%s%s: {mean: %.4f, median: %.4f, p90: %.4f, worst: %.4f, ranking: "
			"%.3f}\n",
			indent, way, errors->mean, errors->median, errors->p90, errors->worst,
			errors->ranking);
}

static void errors_file_write_errors(
	struct text *text, const char *indent, const struct validity *validity)
{
	const struct family_errors *first = &validity->by[FOLDS_HELD_OUT];

	text_printf(text, "%srows: %u\n", indent, first->rows - first->refused);
	for (int way = 0; way < FOLDS_WAYS; way++)
		write_way(text, indent, ways[way], &validity->by[way]);
}

static void errors_file_write_family(struct text *text, const struct family_validity *family)
{
	text_printf(text, "  %s:\n", family->name);
	errors_file_write_errors(text, "    ", &family->errors);
	text_append(text, "    machines:\n");
	for (uint32_t i = 0; i < family->machine_count; i++) {
		text_printf(text, "      %s:\n", family->machines[i].name);
		errors_file_write_errors(text, "        ", &family->machines[i].errors);
	}
}

bool errors_file_write(const struct errors_file *file, const char *path)
{
	struct text text;
	bool good;

	text_init(&text);
	text_append(&text,
		"# How far simulated figures are off those of figures.csv, by family and machine: "
		"where the row's\n# group was kept out of the fit, where it was not, and where the "
		"constants were fitted to\n# other machines only. Of constants: the family whose "
		"rows together spend most on it. Written\n# by `meshsim calibrate --fit --folds N "
		"--errors FILE`.\n");
	text_printf(&text,
		"meshsim_errors: 1\nfolds: %u\ngroups: %u\nalone: %u\nmachines_alone: %u\n",
		file->folds, file->groups, file->alone, file->machines_alone);
	write_way(&text, "", ways[FOLDS_OTHER_MACHINES], &file->other_machines);
	text_append(&text, "families:\n");
	for (uint32_t i = 0; i < file->family_count; i++)
		errors_file_write_family(&text, &file->families[i]);
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

/* Reads the errors of a family or a machine from `node`. `way` (enum folds_way) says with which
 * constants the rows were predicted. If the node has no such errors, returns errors with 0 rows. */
static struct family_errors read_way(const struct tree_node *node, enum folds_way way)
{
	const struct tree_node *map = tree_get(node, ways[way]);

	if (!map)
		return (struct family_errors){.rows = 0};
	return (struct family_errors){.rows = (uint32_t)real_of(node, "rows"),
		.mean = real_of(map, "mean"),
		.median = real_of(map, "median"),
		.p90 = real_of(map, "p90"),
		.worst = real_of(map, "worst"),
		.ranking = real_of(map, "ranking")};
}

static void read_errors(const struct tree_node *node, struct validity *validity)
{
	for (int way = 0; way < FOLDS_WAYS; way++)
		validity->by[way] = read_way(node, (enum folds_way)way);
}

static void errors_file_read_family(const struct tree_node *node, struct family_validity *family)
{
	const struct tree_node *machines = tree_get(node, "machines");

	read_errors(node, &family->errors);
	for (uint32_t i = 0; machines && i < machines->count && i < ERRORS_MACHINES_MAX; i++) {
		struct machine_validity *machine = &family->machines[family->machine_count++];

		snprintf(machine->name, sizeof machine->name, "%s", machines->pairs[i].key);
		read_errors(machines->pairs[i].value, &machine->errors);
	}
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
	file->machines_alone = (uint32_t)real_of(root, "machines_alone");
	file->other_machines = read_way(root, FOLDS_OTHER_MACHINES);
	for (uint32_t i = 0; families && i < families->count && i < ERRORS_FAMILIES_MAX; i++) {
		const struct tree_pair *pair = &families->pairs[i];
		struct family_validity *family = &file->families[file->family_count++];

		snprintf(family->name, sizeof family->name, "%s", pair->key);
		errors_file_read_family(pair->value, family);
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

const struct validity *errors_file_find(
	const struct errors_file *file, const char *family, const char *machine)
{
	const struct machine_validity *found;

	for (uint32_t i = 0; i < file->family_count; i++) {
		if (strcmp(file->families[i].name, family) != 0)
			continue;
		if (!machine)
			return &file->families[i].errors;
		found = find_machine(&file->families[i], machine);
		return found ? &found->errors : NULL;
	}
	return NULL;
}
