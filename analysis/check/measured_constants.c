/* Finds and compares the constants of platforms, and prints them as texts (see measurements.h). */
#include "measurements.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/operations/charges.h"
#include "base/tree.h"

enum { CONSTANTS_MAX = 4096 };

static const struct {
	const char *path;
	enum stage stage;
} charged[] = {
#define X(NAME, path, stage) {path, STAGE_##stage},
#include "lists/charge.def"
#undef X
};

/* ---- reading ---- */

/* Returns the text of a member of a map, or "" if there is no such member or it is not a scalar. */
static const char *measured_constants_text_of(const struct tree_node *map, const char *key)
{
	const struct tree_node *node = tree_get(map, key);

	return node && node->kind == TREE_SCALAR ? node->text : "";
}

static void measured_constants_collect(struct measured_constants *constants,
	const struct tree_node *node, const char *path, struct arena *arena)
{
	const char *value, *unit;

	if (node->kind != TREE_MAP)
		return;
	value = measured_constants_text_of(node, "value");
	if (value[0]) {
		unit = measured_constants_text_of(node, "unit");
		if (constants->count < CONSTANTS_MAX)
			constants->at[constants->count++] = (struct measured_constant){
				path, arena_printf(arena, "%s%s%s", value,
					      unit[0] && strcmp(unit, "1") != 0 ? " " : "",
					      strcmp(unit, "1") != 0 ? unit : "")};
		return;
	}
	for (uint32_t i = 0; i < node->count; i++) {
		const struct tree_pair *pair = &node->pairs[i];
		const char *key = path[0] ? arena_printf(arena, "%s.%s", path, pair->key)
					  : arena_string(arena, pair->key);
		measured_constants_collect(constants, pair->value, key, arena);
	}
}

static int measured_constants_by_path(const void *a, const void *b)
{
	const struct measured_constant *x = a, *y = b;

	return strcmp(x->path, y->path);
}

void measured_constants_sort(struct measured_constants *constants)
{
	qsort(constants->at, constants->count, sizeof(*constants->at), measured_constants_by_path);
}

struct measured_constants measured_constants_read(const char *platform, struct arena *arena)
{
	struct measured_constants all, constants = {0};
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("platform", platform, strlen(platform), diag);
	struct arena scratch;

	arena_init(&scratch);
	all = (struct measured_constants){arena_array(&scratch, CONSTANTS_MAX, sizeof(*all.at)), 0};
	if (tree)
		measured_constants_collect(&all, tree_root(tree), "", arena);
	tree_free(tree);
	diag_free(diag);
	if (all.count > 0) {
		constants.count = all.count;
		constants.at = arena_array(arena, all.count, sizeof(*all.at));
		memcpy(constants.at, all.at, all.count * sizeof(*all.at));
		measured_constants_sort(&constants);
	}
	arena_fini(&scratch);
	return constants;
}

const char *measured_constant(const struct measured_constants *constants, const char *path)
{
	const struct measured_constant wanted = {path, NULL}, *found;

	if (constants->count == 0)
		return NULL;
	found = bsearch(&wanted, constants->at, constants->count, sizeof(wanted),
		measured_constants_by_path);
	return found ? found->value : NULL;
}

/* ---- comparing ---- */

static bool differ(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) != 0 : a != b;
}

struct constant_moves constant_moves_find(const struct measured_constants *old,
	const struct measured_constants *new, struct arena *arena)
{
	struct constant_moves moves = {
		arena_array(arena, (size_t)old->count + new->count, sizeof(*moves.at)), 0};

	for (uint32_t i = 0, j = 0; i < old->count || j < new->count;) {
		int order = i == old->count ? 1
			    : j == new->count
				    ? -1
				    : measured_constants_by_path(&old->at[i], &new->at[j]);
		const struct measured_constant *before = order <= 0 ? &old->at[i++] : NULL;
		const struct measured_constant *after = order >= 0 ? &new->at[j++] : NULL;
		struct constant_move move = {before ? before->path : after->path,
			before ? before->value : NULL, after ? after->value : NULL};
		if (differ(move.old, move.new))
			moves.at[moves.count++] = move;
	}
	return moves;
}

/* Splits the text of a value into a number and the unit after it. Returns false unless the text is
 * a number, alone or with a space after it. */
static bool number_of(const char *value, double *number, const char **unit)
{
	char *end;

	if (!value)
		return false;
	*number = strtod(value, &end);
	*unit = *end == ' ' ? end + 1 : end;
	return end != value && (*end == ' ' || *end == '\0');
}

const char *constant_move_text(const struct constant_move *move, struct arena *arena)
{
	const char *old = move->old ? move->old : "none", *new = move->new ? move->new : "none";
	const char *units[2];
	double a, b;

	if (!number_of(move->old, &a, &units[0]) || !number_of(move->new, &b, &units[1]) ||
		strcmp(units[0], units[1]) != 0)
		return arena_printf(arena, "%s -> %s", old, new);
	return arena_printf(arena, "%.9g -> %s", a, new);
}

double constant_move_growth(const struct constant_move *move)
{
	const char *units[2];
	double a, b;

	if (!number_of(move->old, &a, &units[0]) || !number_of(move->new, &b, &units[1]) ||
		strcmp(units[0], units[1]) != 0 || a <= 0 || b <= 0)
		return 1;
	return charge_growth(units[0], b / a);
}

enum stage constant_stage(const char *path)
{
	const char *dot = strrchr(path, '.');
	bool is_work = strncmp(path, "host.work.", 10) == 0 && dot;
	size_t length = is_work ? (size_t)(dot - path) : strlen(path);

	for (size_t i = 0; i < sizeof(charged) / sizeof(charged[0]); i++)
		if ((strncmp(charged[i].path, path, length) == 0 &&
			    strcmp(charged[i].path + length, is_work ? ".cost" : "") == 0) ||
			/* a path may have wildcards: "transports.*.hand_off" */
			fnmatch(charged[i].path, path, 0) == 0)
			return length ? charged[i].stage : STAGE_COUNT;
	return STAGE_COUNT;
}
