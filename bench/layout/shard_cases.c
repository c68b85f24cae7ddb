/* Cases about sharding: the file, its sections, and what came of them. */
#include "bench/layout/shard_cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/json.h"
#include "cases.h"

static const char *const outcome_names[] = {"agrees", "differs", "not-run"};

void cases_add(struct shard_cases *cases, const struct tree_node *where, enum outcome_kind kind,
	const char *label, const char *expected, const char *seen)
{
	if (cases->count == CASES_MAX) {
		diag_error(cases->diag, where->where, "more than %d cases", CASES_MAX);
		return;
	}
	if (cases->count == cases->capacity) {
		struct outcome *outcomes;

		cases->capacity = cases->capacity ? 2 * cases->capacity : 64;
		outcomes = arena_array(&cases->arena, cases->capacity, sizeof *outcomes);
		if (cases->count)
			memcpy(outcomes, cases->outcomes, cases->count * sizeof *outcomes);
		cases->outcomes = outcomes;
	}
	cases->outcomes[cases->count++] = (struct outcome){
		.kind = kind,
		.section = cases->section,
		.label = arena_string(&cases->arena, label),
		.expected = arena_string(&cases->arena, expected),
		.seen = arena_string(&cases->arena, seen),
		.where = where->where,
	};
}

void cases_add_verdict(struct shard_cases *cases, const struct tree_node *where, const char *label,
	const char *expected, bool refused, const char *why)
{
	bool expects_ok = strncmp(expected, "ok", 2) == 0;
	struct text seen = {0};

	text_printf(&seen, refused ? "refused: %s" : "ok", why);
	cases_add(cases, where, expects_ok == !refused ? OUTCOME_AGREES : OUTCOME_DIFFERS, label,
		expected, text_string(&seen));
	text_fini(&seen);
}

/* ---- members ---- */

const char *cases_text(const struct tree_node *node, const char *key)
{
	const struct tree_node *member = tree_get(node, key);

	return member && member->kind == TREE_SCALAR ? member->text : NULL;
}

bool cases_number(
	struct shard_cases *cases, const struct tree_node *node, uint64_t most, uint64_t *number)
{
	int64_t value;

	if (node->kind != TREE_SCALAR || tree_integer(node, &value) != STATUS_OK || value < 0 ||
		(uint64_t)value > most) {
		diag_error(cases->diag, node->where, "expected a whole number from 0 to %llu",
			(unsigned long long)most);
		return false;
	}
	*number = (uint64_t)value;
	return true;
}

bool cases_numbers(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint32_t *numbers, uint32_t count)
{
	const struct tree_node *member = key ? tree_get(node, key) : node;

	if (!member || member->kind != TREE_SEQUENCE || member->count != count) {
		diag_error(cases->diag, member ? member->where : node->where,
			"expected %s%s%u numbers", key ? key : "", key ? ": " : "", count);
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint64_t number;

		if (!cases_number(cases, member->items[i], UINT32_MAX, &number))
			return false;
		numbers[i] = (uint32_t)number;
	}
	return true;
}

bool cases_optional_number(
	struct shard_cases *cases, const struct tree_node *node, const char *key, uint64_t *number)
{
	const struct tree_node *member = tree_get(node, key);

	return !member || cases_number(cases, member, LAYOUT_ELEMENTS_MAX, number);
}

bool cases_mesh(struct shard_cases *cases, const struct tree_node *node, struct mapper_mesh *mesh)
{
	const char *const keys[] = {"mesh", "mesh_shape"};
	uint32_t extents[2];

	*mesh = cases->mesh;
	for (int i = 0; i < 2; i++) {
		if (node->kind != TREE_MAP || !tree_get(node, keys[i]))
			continue;
		if (!cases_numbers(cases, node, keys[i], extents, 2))
			return false;
		if (extents[0] == 0 || extents[1] == 0 || extents[0] > 1024 || extents[1] > 1024) {
			diag_error(cases->diag, tree_get(node, keys[i])->where,
				"mesh of %u x %u, 1 to 1024 each", extents[0], extents[1]);
			return false;
		}
		*mesh = (struct mapper_mesh){extents[0], extents[1]};
	}
	return true;
}

bool cases_orientation(
	struct shard_cases *cases, const struct tree_node *node, enum orientation *orientation)
{
	const char *text = node && node->kind == TREE_SCALAR ? node->text : "ROW_MAJOR";

	*orientation = ORIENTATION_ROW_MAJOR;
	if (strcmp(text, "COL_MAJOR") == 0 || strcmp(text, "COLUMN_MAJOR") == 0)
		*orientation = ORIENTATION_COLUMN_MAJOR;
	else if (strcmp(text, "ROW_MAJOR") != 0) {
		diag_error(cases->diag, node->where, "expected ROW_MAJOR or COL_MAJOR");
		return false;
	}
	return true;
}

bool cases_layout(struct shard_cases *cases, const struct tree_node *node, uint32_t element_bytes,
	struct mesh_layout *layout)
{
	uint32_t global[2], shard[2];
	enum orientation orientation;
	uint64_t bytes;

	if (!cases_numbers(cases, node, "global", global, 2) ||
		!cases_numbers(cases, node, "shard", shard, 2) ||
		!cases_orientation(cases, tree_get(node, "orientation"), &orientation))
		return false;
	bytes = (uint64_t)global[0] * global[1];
	if (bytes > LAYOUT_ELEMENTS_MAX / element_bytes) {
		diag_error(cases->diag, node->where, "global buffer of %u x %u is too large",
			global[0], global[1]);
		return false;
	}
	*layout = (struct mesh_layout){
		.sharded = true,
		.size_bytes = bytes * element_bytes,
		.global_height = global[0],
		.global_width = global[1],
		.shard_height = shard[0],
		.shard_width = shard[1],
		.orientation = orientation,
	};
	return true;
}

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
	else if (begins(pair->key, "mapper"))
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
