/* Reads a file of cases about sharding, runs its sections, and prints the outcomes. */
#include "bench/tools/layout/layout_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/json.h"
#include "parts.h"

static const char *const outcome_names[] = {"agrees", "differs", "by-design", "not-run"};

/* ---- sections ---- */

/* Reads the shape of the mesh from the text of the key `source`, like "... mesh shape 2x4 (T3K)
 * throughout". This is for files that have no key for the mesh. */
static void mesh_of_source(struct shard_cases *cases, const char *source)
{
	const char *at = source ? strstr(source, "mesh shape ") : NULL;
	unsigned rows, columns;

	if (at && sscanf(at, "mesh shape %4ux%4u", &rows, &columns) == 2 && rows && columns &&
		rows <= 1024 && columns <= 1024)
		cases->mesh = (struct mapper_mesh){rows, columns};
}

/* Returns the size of an element, in bytes, for the type that occurs in a section's name. Returns 4
 * if the name contains no type. */
static uint32_t element_of_name(const char *name)
{
	static const struct {
		const char *word;
		uint32_t bytes;
	} words[] = {{"uint8", 1}, {"uint16", 2}, {"bfloat16", 2}, {"bf16", 2}, {"uint32", 4},
		{"float32", 4}};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(name, words[i].word))
			return words[i].bytes;
	return 4;
}

/* The functions that try sections. The beginning of a section's name selects the function. */
static const struct {
	const char *begin;
	void (*run)(struct shard_cases *cases, const struct tree_node *section);
} sections[] = {
	{"config_validation", cases_config},
	{"device_local_sharding", cases_device},
	{"expected_placement", cases_placement},
	{"mapper", cases_mapper},
	{"lowering", cases_mapper},
	{"behaviour", cases_behaviour},
};

/* True for keys of a file that are not sections of cases. */
static bool is_beside(const char *key)
{
	static const char *const keys[] = {"source", "placement_rule", "sweep_orientations", "mesh",
		"mesh_shape", "note", "notes", "comment"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void try_section(
	struct shard_cases *cases, const struct tree_node *root, const struct tree_pair *pair)
{
	static const char *const names[] = {"config_validation",
		"sweep_shard_and_concat_uint32_roundtrip", "device_local_sharding_sweep",
		"expected_placement_derived_from_rule", "mapper", "lowering", "behaviour",
		"sweep_orientations", "placement_rule", "source", "mesh", NULL};

	cases->section = pair->key;
	if (is_beside(pair->key))
		return;
	if (begins(pair->key, "sweep_shard")) {
		cases_round_trip(cases, pair->value, tree_get(root, "sweep_orientations"),
			element_of_name(pair->key));
		return;
	}
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (begins(pair->key, sections[i].begin)) {
			sections[i].run(cases, pair->value);
			return;
		}
	cases_add_unknown(cases, pair->where, "section", pair->key, names);
}

/* Runs all cases of `tree`. Takes ownership of `tree`. */
static struct shard_cases *layout_shard_cases_run(
	struct tree *tree, const struct mapper_mesh *mesh, struct diag *diag)
{
	struct shard_cases *cases = allocate(1, sizeof *cases);
	const struct tree_node *root;

	cases->mesh = *mesh;
	cases->diag = diag;
	cases->tree = tree;
	if (!cases->tree || diag_errors(diag))
		goto bad;
	root = tree_root(cases->tree);
	if (root->kind != TREE_MAP) {
		diag_error(diag, root->where, "expected a map of sections");
		goto bad;
	}
	mesh_of_source(cases, cases_text(root, "source"));
	if (!cases_mesh(cases, root, &cases->mesh))
		goto bad;
	for (uint32_t i = 0; i < root->count; i++)
		try_section(cases, root, &root->pairs[i]);
	if (cases->count == 0 && diag_errors(diag) == 0)
		diag_error(diag, root->where, "no cases");
	if (diag_errors(diag))
		goto bad;
	return cases;
bad:
	shard_cases_free(cases);
	return NULL;
}

struct shard_cases *shard_cases_run(
	const char *path, const struct mapper_mesh *mesh, struct diag *diag)
{
	return layout_shard_cases_run(tree_read_file(path, diag), mesh, diag);
}

struct shard_cases *shard_cases_run_text(const char *name, const char *text, size_t length,
	const struct mapper_mesh *mesh, struct diag *diag)
{
	return layout_shard_cases_run(tree_read_text(name, text, length, diag), mesh, diag);
}

void shard_cases_free(struct shard_cases *cases)
{
	if (!cases)
		return;
	tree_free(cases->tree);
	arena_fini(&cases->arena);
	free(cases);
}

/* ---- outcomes ---- */

static uint32_t count(const struct shard_cases *cases, const char *section, enum outcome_kind kind)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < cases->count; i++)
		found += cases->outcomes[i].kind == kind &&
			 (!section || strcmp(cases->outcomes[i].section, section) == 0);
	return found;
}

uint32_t shard_cases_differ(const struct shard_cases *cases)
{
	return count(cases, NULL, OUTCOME_DIFFERS);
}

/* Prints a case, unless its outcome is the expected outcome. */
static void print_outcome(const struct outcome *outcome, FILE *out)
{
	static const char *const verdicts[] = {[OUTCOME_DIFFERS] = "differs",
		[OUTCOME_BY_DESIGN] = "is otherwise by design",
		[OUTCOME_NOT_RUN] = "is not tried"};
	char place[LOCATION_CITE_BYTES];

	if (outcome->kind == OUTCOME_AGREES)
		return;
	fprintf(out, "%s: %s %s%s%s\n", location_cite(outcome->where, place, sizeof place),
		outcome->section, verdicts[outcome->kind], *outcome->label ? ": " : "",
		outcome->label);
	fprintf(out, "  expected %s\n  seen     %s\n", outcome->expected, outcome->seen);
}

void shard_cases_print(const struct shard_cases *cases, FILE *out)
{
	const char *section = NULL;

	for (uint32_t i = 0; i < cases->count; i++) {
		const struct outcome *outcome = &cases->outcomes[i];
		uint32_t agree, differ, design, skipped;

		if (section && strcmp(section, outcome->section) == 0)
			continue;
		section = outcome->section;
		agree = count(cases, section, OUTCOME_AGREES);
		differ = count(cases, section, OUTCOME_DIFFERS);
		design = count(cases, section, OUTCOME_BY_DESIGN);
		skipped = count(cases, section, OUTCOME_NOT_RUN);
		fprintf(out, "%-42s %5u agree", section, agree);
		if (differ)
			fprintf(out, "  %u differ", differ);
		if (design)
			fprintf(out, "  %u otherwise by design", design);
		if (skipped)
			fprintf(out, "  %u not tried", skipped);
		fputc('\n', out);
	}
	for (uint32_t i = 0; i < cases->count; i++)
		print_outcome(&cases->outcomes[i], out);
}

void shard_cases_json(const struct shard_cases *cases, FILE *out)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_unsigned_of(&json, "differ", shard_cases_differ(cases));
	json_array_of(&json, "cases");
	for (uint32_t i = 0; i < cases->count; i++) {
		const struct outcome *outcome = &cases->outcomes[i];

		json_object(&json);
		json_text(&json, "section", outcome->section);
		json_unsigned_of(&json, "line", outcome->where.line);
		json_text(&json, "outcome", outcome_names[outcome->kind]);
		json_text(&json, "case", outcome->label);
		json_text(&json, "expected", outcome->expected);
		json_text(&json, "seen", outcome->seen);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, out);
}
