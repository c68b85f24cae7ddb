/* Sweeps (load.h). In the order of points, the first key of the file varies slowest. */
#include "bench/scenario/load.h"

#include <stdio.h>
#include <string.h>

#include "base/ensure.h"
#include "platform/platform.h"
#include "scenario_private.h"

bool sweep_overlap(const char *a, const char *b)
{
	size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);

	return strncmp(a, b, length) == 0 && (a[length] == '\0' || a[length] == '.') &&
	       (b[length] == '\0' || b[length] == '.');
}

static bool check_axis(const struct sweep *sweep, const struct sweep_axis *axis, struct diag *diag)
{
	char described[TREE_DESCRIBE_BYTES];

	if (axis->values->kind != TREE_SEQUENCE || axis->values->count == 0) {
		diag_error(diag, axis->values->where,
			"a swept key needs a list of one or more values, not %s",
			axis->values->kind == TREE_SEQUENCE
				? "an empty list"
				: tree_describe(axis->values, described, sizeof described));
		return false;
	}
	for (size_t i = 0; sweep_refused[i]; i++) {
		if (sweep_overlap(axis->path, sweep_refused[i])) {
			diag_error(diag, axis->where, "'%s' cannot be swept", axis->path);
			return false;
		}
	}
	for (uint32_t i = 0; i < sweep->axis_count; i++) {
		if (sweep_overlap(axis->path, sweep->axes[i].path)) {
			diag_error(diag, axis->where, "'%s' overlaps '%s', which is swept too",
				axis->path, sweep->axes[i].path);
			return false;
		}
	}
	return true;
}

bool sweep_read(struct sweep *sweep, const struct tree_node *root, uint32_t seeds,
	struct arena *arena, struct diag *diag)
{
	const struct tree_node *node = tree_get(root, "sweep");
	uint64_t points = 1;
	bool good = true;

	*sweep = (struct sweep){.points = 1};
	if (!node || tree_is_null(node))
		return true;
	if (node->kind != TREE_MAP) {
		diag_error(diag, node->where, "sweep must be a map from keys to lists of values");
		return false;
	}
	sweep->axes = arena_array(arena, node->count, sizeof *sweep->axes);
	for (uint32_t i = 0; i < node->count; i++) {
		struct sweep_axis axis = {
			node->pairs[i].key, node->pairs[i].where, node->pairs[i].value};

		if (!check_axis(sweep, &axis, diag)) {
			good = false;
			continue;
		}
		sweep->axes[sweep->axis_count++] = axis;
		if (points <= UINT32_MAX)
			points *= axis.values->count;
	}
	if (points > UINT32_MAX || points * seeds > SCENARIO_RUNS_MAX) {
		diag_error(diag, node->where, "%s%llu runs, but a scenario has at most %d",
			points > UINT32_MAX ? "more than " : "",
			(unsigned long long)(points > UINT32_MAX ? UINT32_MAX : points * seeds),
			SCENARIO_RUNS_MAX);
		return false;
	}
	sweep->points = (uint32_t)points;
	return good;
}

const struct tree_node *sweep_value(const struct sweep *sweep, uint32_t axis, uint32_t point)
{
	ensure(axis < sweep->axis_count && point < sweep->points, "axis %u, point %u", axis, point);
	for (uint32_t i = sweep->axis_count; i-- > axis + 1;)
		point /= sweep->axes[i].values->count;
	return sweep->axes[axis].values->items[point % sweep->axes[axis].values->count];
}

/* Puts `value` at `path`. If `value` is a map, merges it key by key with the map in the tree, whose
 * other keys are kept. The only exception is the map of a platform, which replaces the old map.
 * Returns false after errors. */
static bool put(struct tree *tree, const char *path, struct location where,
	const struct tree_node *value, struct diag *diag)
{
	char below[TREE_PATH_BYTES_MAX];

	if (value->kind != TREE_MAP || strcmp(path, "platform") == 0)
		return tree_put(tree, path, where, value, diag);
	for (uint32_t i = 0; i < value->count; i++) {
		const struct tree_pair *pair = &value->pairs[i];

		if (snprintf(below, sizeof below, "%s.%s", path, pair->key) >= (int)sizeof below) {
			diag_error(diag, pair->where, "path too long");
			return false;
		}
		if (!put(tree, below, pair->where, pair->value, diag))
			return false;
	}
	return true;
}

bool sweep_apply(const struct sweep *sweep, uint32_t point, struct tree *tree, struct diag *diag)
{
	bool good = true;

	for (uint32_t i = 0; i < sweep->axis_count; i++) {
		const struct sweep_axis *axis = &sweep->axes[i];
		bool ready = strncmp(axis->path, "platform.", 9) != 0 ||
			     platform_prepare(tree, "platform", diag);

		good &= ready &&
			put(tree, axis->path, axis->where, sweep_value(sweep, i, point), diag);
	}
	return good;
}

static void drop_axis(
	struct tree *tree, const struct tree_node *sweep, uint32_t index, struct diag *diag)
{
	struct arena *arena = tree_arena(tree);
	struct tree_pair *pairs = arena_array(arena, sweep->count, sizeof *pairs);
	uint32_t count = 0;

	for (uint32_t i = 0; i < sweep->count; i++)
		if (i != index)
			pairs[count++] = sweep->pairs[i];
	tree_put(
		tree, "sweep", sweep->where, tree_new_map(arena, sweep->where, pairs, count), diag);
}

/* Returns true if put() with the path `axis` and this value would set the key `path`, a key above
 * it or a key below it. */
static bool sets(const struct tree_node *value, const char *axis, const char *path)
{
	char below[TREE_PATH_BYTES_MAX];

	if (value->kind != TREE_MAP || strcmp(axis, "platform") == 0)
		return sweep_overlap(axis, path);
	for (uint32_t i = 0; i < value->count; i++) {
		snprintf(below, sizeof below, "%s.%s", axis, value->pairs[i].key);
		if (sets(value->pairs[i].value, below, path))
			return true;
	}
	return false;
}

static bool any_sets(const struct tree_node *values, const char *axis, const char *path)
{
	for (uint32_t i = 0; values->kind == TREE_SEQUENCE && i < values->count; i++)
		if (sets(values->items[i], axis, path))
			return true;
	return false;
}

bool sweep_unset(struct tree *tree, const char *path, struct location where, struct diag *diag)
{
	const struct tree_node *sweep = tree_get(tree_root(tree), "sweep");

	if (!sweep || sweep->kind != TREE_MAP)
		return true;
	for (uint32_t i = 0; i < sweep->count; i++) {
		const char *axis = sweep->pairs[i].key;
		char cited[LOCATION_CITE_BYTES];

		if (strcmp(axis, path) == 0) {
			drop_axis(tree, sweep, i, diag);
			return true;
		}
		if (!any_sets(sweep->pairs[i].value, axis, path))
			continue;
		diag_error(diag, where,
			"'%s' would have no effect: the sweep of '%s' at %s sets it", path, axis,
			location_cite(sweep->pairs[i].where, cited, sizeof cited));
		return false;
	}
	return true;
}

struct column_list {
	const char **names;
	uint32_t count, capacity;
	struct arena *arena;
};

static void add_column(struct column_list *list, const char *name)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (strcmp(list->names[i], name) == 0)
			return;
	if (list->count == list->capacity) {
		const char **names =
			arena_array(list->arena, 2 * (size_t)list->capacity + 8, sizeof *names);

		if (list->count)
			memcpy(names, list->names, list->count * sizeof *names);
		list->names = names;
		list->capacity = 2 * list->capacity + 8;
	}
	list->names[list->count++] = name;
}

static void add_leaves(struct column_list *list, const char *path, const struct tree_node *value)
{
	if (value->kind != TREE_MAP) {
		add_column(list, path);
		return;
	}
	for (uint32_t i = 0; i < value->count; i++)
		add_leaves(list, arena_printf(list->arena, "%s.%s", path, value->pairs[i].key),
			value->pairs[i].value);
}

uint32_t sweep_columns(const struct sweep *sweep, struct arena *arena, const char ***names)
{
	struct column_list list = {.arena = arena};

	for (uint32_t i = 0; i < sweep->axis_count; i++)
		for (uint32_t v = 0; v < sweep->axes[i].values->count; v++)
			add_leaves(&list, sweep->axes[i].path, sweep->axes[i].values->items[v]);
	*names = list.names;
	return list.count;
}

/* The value of column `name` in its effective form, on one line. */
static const char *cell_text(const char *name, const struct tree_node *node, struct arena *arena)
{
	struct text text;
	const char *cell;

	node = schema_complete_at(scenario_schema(), name, node, arena);
	if (node->kind == TREE_SCALAR)
		return node->text;
	text_init(&text);
	tree_write_json(node, &text);
	cell = arena_string(arena, text_string(&text));
	text_fini(&text);
	return cell;
}

const char *sweep_cell(
	const struct sweep *sweep, const char *name, uint32_t point, struct arena *arena)
{
	for (uint32_t i = 0; i < sweep->axis_count; i++) {
		const char *path = sweep->axes[i].path;
		const struct tree_node *value = sweep_value(sweep, i, point);
		size_t length = strlen(path);

		if (strcmp(path, name) == 0)
			return value->kind == TREE_MAP ? "-" : cell_text(name, value, arena);
		if (strncmp(name, path, length) != 0 || name[length] != '.')
			continue;
		value = tree_find(value, name + length + 1);
		if (value && value->kind != TREE_MAP)
			return cell_text(name, value, arena);
	}
	return "-";
}
