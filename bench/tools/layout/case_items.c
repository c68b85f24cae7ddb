/* Reads the members of cases, reports errors with their places in the file, and collects the
 * outcomes of cases (see parts.h). */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/ensure.h"
#include "base/nearest.h"
#include "parts.h"

static void case_items_add(struct shard_cases *cases, struct location where, enum outcome_kind kind,
	const char *label, const char *expected, const char *seen)
{
	if (cases->count == CASES_MAX) {
		diag_error(cases->diag, where, "more than %d cases", CASES_MAX);
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
	location_keep(&cases->arena, where);
	cases->outcomes[cases->count++] = (struct outcome){
		.kind = kind,
		.section = cases->section,
		.label = arena_string(&cases->arena, label),
		.expected = arena_string(&cases->arena, expected),
		.seen = arena_string(&cases->arena, seen),
		.where = where,
	};
}

void cases_add(struct shard_cases *cases, const struct tree_node *where, enum outcome_kind kind,
	const char *label, const char *expected, const char *seen)
{
	case_items_add(cases, where->where, kind, label, expected, seen);
}

/* ---- unknown names ---- */

void cases_add_unknown(struct shard_cases *cases, struct location where, const char *what,
	const char *name, const char *const *known)
{
	struct text label = {0};
	struct nearest nearest;

	nearest_start(&nearest, name);
	for (; *known; known++)
		nearest_offer(&nearest, *known);
	text_printf(&label, "unknown %s '%s'", what, name);
	if (nearest.best)
		text_printf(&label, ", did you mean '%s'?", nearest.best);
	case_items_add(cases, where, OUTCOME_DIFFERS, text_string(&label),
		arena_printf(&cases->arena, "a %s that is known here", what), "not tried");
	text_fini(&label);
}

static bool case_items_is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(name, *names) != 0)
		names++;
	return *names != NULL;
}

bool cases_known_keys(
	struct shard_cases *cases, const struct tree_node *node, const char *const *known)
{
	static const char *const anywhere[] = {
		"mesh", "mesh_shape", "name", "note", "notes", "comment", "source", "why", NULL};
	bool good = true;

	if (node->kind != TREE_MAP) {
		diag_error(cases->diag, node->where, "expected a case, a map");
		return false;
	}
	for (uint32_t i = 0; i < node->count; i++)
		if (!case_items_is_one_of(node->pairs[i].key, known) &&
			!case_items_is_one_of(node->pairs[i].key, anywhere)) {
			cases_add_unknown(
				cases, node->pairs[i].where, "key", node->pairs[i].key, known);
			good = false;
		}
	return good;
}

uint32_t cases_in(struct shard_cases *cases, const struct tree_node *section)
{
	if (section->kind == TREE_SEQUENCE)
		return section->count;
	diag_error(cases->diag, section->where, "expected a list of cases");
	return 0;
}

/* Returns true for texts such as "throw (does not divide)" and "TT_FATAL", and false for "ok (no
 * error)". */
static bool expects_refusal(const char *expected)
{
	static const char *const words[] = {
		"throw", "fatal", "assert", "error", "refus", "reject", "invalid", "unsupported"};
	bool refused = false;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		refused |= strcasestr(expected, words[i]) != NULL;
	return refused && strncasecmp(expected, "ok", 2) != 0;
}

void cases_add_verdict(struct shard_cases *cases, const struct tree_node *where, const char *label,
	const char *expected, bool refused, const char *why)
{
	bool agrees = expects_refusal(expected) == refused;
	struct text seen = {0};

	text_printf(&seen, refused ? "refused: %s" : "ok", why);
	cases_add(cases, where, agrees ? OUTCOME_AGREES : OUTCOME_DIFFERS, label, expected,
		text_string(&seen));
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

static bool read_numbers(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint64_t most, uint64_t *numbers, uint32_t count)
{
	const struct tree_node *member = key ? tree_get(node, key) : node;

	if (!member || member->kind != TREE_SEQUENCE || member->count != count) {
		diag_error(cases->diag, member ? member->where : node->where,
			"expected %s%s%u numbers", key ? key : "", key ? ": " : "", count);
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		numbers[i] = 0; /* null and 0 mean that the dimension is not split */
		if (!tree_is_null(member->items[i]) &&
			!cases_number(cases, member->items[i], most, &numbers[i]))
			return false;
	}
	return true;
}

bool cases_extents(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint64_t *extents, uint32_t count)
{
	return read_numbers(cases, node, key, LAYOUT_ELEMENTS_MAX, extents, count);
}

bool cases_numbers(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint32_t *numbers, uint32_t count)
{
	uint64_t read[LAYOUT_RANK_MAX];

	ensure(count <= LAYOUT_RANK_MAX, "%u numbers", count);
	if (!read_numbers(cases, node, key, UINT32_MAX, read, count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = (uint32_t)read[i];
	return true;
}

bool cases_element_bytes(struct shard_cases *cases, const struct tree_node *node, uint32_t *bytes)
{
	uint64_t datum = *bytes;

	if (!cases_optional_number(cases, node, "datum_B", &datum))
		return false;
	if (datum == 0 || datum > 1024) {
		diag_error(cases->diag, tree_get(node, "datum_B")->where,
			"datum_B of %llu, 1 to 1024 allowed", (unsigned long long)datum);
		return false;
	}
	*bytes = (uint32_t)datum;
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
		const char *text = cases_text(node, keys[i]);
		char rest;

		if (node->kind != TREE_MAP || !tree_get(node, keys[i]))
			continue;
		if ((!text || sscanf(text, "%4ux%4u%c", &extents[0], &extents[1], &rest) != 2) &&
			!cases_numbers(cases, node, keys[i], extents, 2))
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
	const char *scope = strstr(text, "::"); /* scope of a name in C++ */

	text = scope ? scope + 2 : text;
	*orientation = ORIENTATION_ROW_MAJOR;
	if (strcasecmp(text, "COL_MAJOR") == 0 || strcasecmp(text, "COLUMN_MAJOR") == 0)
		*orientation = ORIENTATION_COLUMN_MAJOR;
	else if (strcasecmp(text, "ROW_MAJOR") != 0) {
		diag_error(cases->diag, node->where, "expected ROW_MAJOR or COL_MAJOR");
		return false;
	}
	return true;
}

bool cases_layout(struct shard_cases *cases, const struct tree_node *node, uint32_t element_bytes,
	struct mesh_layout *layout)
{
	uint64_t global[2], shard[2];
	enum orientation orientation;
	uint64_t bytes;

	if (!cases_extents(cases, node, "global", global, 2) ||
		!cases_extents(cases, node, "shard", shard, 2) ||
		!cases_orientation(cases, tree_get(node, "orientation"), &orientation))
		return false;
	if (__builtin_mul_overflow(global[0], global[1], &bytes))
		bytes = UINT64_MAX;
	/* a size that is too large becomes 0, which mesh_spread_init() rejects */
	bytes = bytes > LAYOUT_ELEMENTS_MAX / element_bytes ? 0 : bytes * element_bytes;
	*layout = (struct mesh_layout){
		.sharded = true,
		.size_bytes = bytes,
		.global_height = global[0],
		.global_width = global[1],
		.shard_height = shard[0],
		.shard_width = shard[1],
		.orientation = orientation,
	};
	return true;
}
