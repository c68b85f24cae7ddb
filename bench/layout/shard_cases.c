/* Cases about sharding: the file, its sections, and what came of them. */
#include "bench/layout/shard_cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/json.h"
#include "cases.h"

static const char *const outcome_names[] = {"agrees", "differs", "not-run"};

/* ---- sections ---- */

/* "... mesh shape 2x4 (T3K) throughout": the mesh of a file that has no key for it. */
static void mesh_of_source(struct shard_cases *cases, const char *source)
{
	const char *at = source ? strstr(source, "mesh shape ") : NULL;
	unsigned rows, columns;

	if (at && sscanf(at, "mesh shape %4ux%4u", &rows, &columns) == 2 && rows && columns &&
		rows <= 1024 && columns <= 1024)
		cases->mesh = (struct mapper_mesh){rows, columns};
}

/* Bytes of the elements that a section's name ends in. */
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

static void not_run(struct shard_cases *cases, const struct tree_node *section)
{
	uint32_t count = section->kind == TREE_SEQUENCE ? section->count : 1;

	for (uint32_t i = 0; i < count; i++) {
		const struct tree_node *item =
			section->kind == TREE_SEQUENCE ? section->items[i] : section;
		char text[TREE_DESCRIBE_BYTES];

		cases_add(cases, item, OUTCOME_NOT_RUN, "",
			item->kind == TREE_SCALAR ? item->text
						  : tree_describe(item, text, sizeof text),
			"a statement that is not tried here");
	}
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void try_section(
	struct shard_cases *cases, const struct tree_node *root, const struct tree_pair *pair)
{
	cases->section = pair->key;
	if (strcmp(pair->key, "source") == 0 || strcmp(pair->key, "placement_rule") == 0 ||
		strcmp(pair->key, "sweep_orientations") == 0 || strcmp(pair->key, "mesh") == 0 ||
		strcmp(pair->key, "mesh_shape") == 0)
		return;
	if (begins(pair->key, "config_validation"))
		cases_config(cases, pair->value);
	else if (begins(pair->key, "sweep_shard"))
		cases_round_trip(cases, pair->value, tree_get(root, "sweep_orientations"),
			element_of_name(pair->key));
	else if (begins(pair->key, "device_local_sharding"))
		cases_device(cases, pair->value);
	else if (begins(pair->key, "expected_placement"))
		cases_placement(cases, pair->value);
	else if (begins(pair->key, "mapper") || begins(pair->key, "lowering"))
		cases_mapper(cases, pair->value);
	else
		not_run(cases, pair->value);
}

struct shard_cases *shard_cases_run(
	const char *path, const struct mapper_mesh *mesh, struct diag *diag)
{
	struct shard_cases *cases = calloc(1, sizeof *cases);
	const struct tree_node *root;

	ensure(cases, "no memory for cases");
	cases->mesh = *mesh;
	cases->diag = diag;
	cases->tree = tree_read_file(path, diag);
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
	if (diag_errors(diag))
		goto bad;
	return cases;
bad:
	shard_cases_free(cases);
	return NULL;
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

uint32_t shard_cases_not_run(const struct shard_cases *cases)
{
	return count(cases, NULL, OUTCOME_NOT_RUN);
}

void shard_cases_print(const struct shard_cases *cases, FILE *out)
{
	const char *section = NULL;

	for (uint32_t i = 0; i < cases->count; i++) {
		const struct outcome *outcome = &cases->outcomes[i];
		uint32_t agree, differ, skipped;

		if (section && strcmp(section, outcome->section) == 0)
			continue;
		section = outcome->section;
		agree = count(cases, section, OUTCOME_AGREES);
		differ = count(cases, section, OUTCOME_DIFFERS);
		skipped = count(cases, section, OUTCOME_NOT_RUN);
		fprintf(out, "%-42s %5u agree", section, agree);
		if (differ)
			fprintf(out, "  %u differ", differ);
		if (skipped)
			fprintf(out, "  %u not tried", skipped);
		fputc('\n', out);
	}
	for (uint32_t i = 0; i < cases->count; i++) {
		const struct outcome *outcome = &cases->outcomes[i];
		char place[LOCATION_CITE_BYTES];

		if (outcome->kind == OUTCOME_DIFFERS)
			fprintf(out, "%s: %s differs: %s\n  expected %s\n  seen     %s\n",
				location_cite(outcome->where, place, sizeof place),
				outcome->section, outcome->label, outcome->expected, outcome->seen);
	}
}

void shard_cases_json(const struct shard_cases *cases, FILE *out)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_key(&json, "differ");
	json_unsigned(&json, shard_cases_differ(cases));
	json_key(&json, "cases");
	json_array(&json);
	for (uint32_t i = 0; i < cases->count; i++) {
		const struct outcome *outcome = &cases->outcomes[i];

		json_object(&json);
		json_text(&json, "section", outcome->section);
		json_key(&json, "line");
		json_unsigned(&json, outcome->where.line);
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
