/* Finds the differences between two result files that are not differences of figures: other
 * programs, other keys of the scenario, and other constants of the platform (comparison.h). */
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "analysis/compare/comparison.h"

enum { LEAVES_MAX = 65536 };

struct leaf {
	const char *path, *text;
};

struct leaves {
	struct leaf *at;
	uint32_t count;
	struct arena *arena;
};

static const struct pair_difference *pair_differ_find(
	const struct file_pair *pair, const char *what)
{
	for (uint32_t i = 0; i < pair->difference_count; i++)
		if (strcmp(pair->differences[i].what, what) == 0)
			return &pair->differences[i];
	return NULL;
}

static void pair_differ_add(
	struct comparison *comparison, const char *what, const char *first, const char *second)
{
	struct file_pair *pair = comparison->pair;

	if (strcmp(first, second) == 0 || pair_differ_find(pair, what))
		return;
	if (pair->difference_count < PAIR_DIFFERENCES_MAX)
		pair->differences[pair->difference_count++] =
			(struct pair_difference){what, first, second};
	else
		pair->more = true;
}

/* ---- documents ---- */

static void flatten(struct leaves *leaves, const struct tree_node *node, const char *path)
{
	const char *dot = path[0] ? "." : "";

	if (leaves->count == LEAVES_MAX)
		return;
	if (node->kind == TREE_SCALAR)
		leaves->at[leaves->count++] =
			(struct leaf){path, arena_string(leaves->arena, node->text)};
	for (uint32_t i = 0; node->kind == TREE_SEQUENCE && i < node->count; i++)
		flatten(leaves, node->items[i],
			arena_printf(leaves->arena, "%s%s%u", path, dot, i));
	for (uint32_t i = 0; node->kind == TREE_MAP && i < node->count; i++)
		flatten(leaves, node->pairs[i].value,
			arena_printf(leaves->arena, "%s%s%s", path, dot, node->pairs[i].key));
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct leaf *)a)->path, ((const struct leaf *)b)->path);
}

static struct leaves leaves_of(const char *text, struct arena *arena)
{
	struct leaves leaves = {.arena = arena};
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("document", text, strlen(text), diag);

	leaves.at = arena_array(arena, LEAVES_MAX, sizeof(*leaves.at));
	if (tree)
		flatten(&leaves, tree_root(tree), "");
	qsort(leaves.at, leaves.count, sizeof(*leaves.at), by_path);
	tree_free(tree);
	diag_free(diag);
	return leaves;
}

/* Returns true if the value at a path is not compared. `source`, `kind` and `description` of a
 * value have no effect on a run. The platform inside a scenario is compared elsewhere. */
static bool is_said(const char *path, const char *prefix)
{
	const char *dot = strrchr(path, '.'), *last = dot ? dot + 1 : path;

	if (!prefix[0] && strncmp(path, "platform", 8) == 0 && (path[8] == '.' || !path[8]))
		return true;
	return strcmp(last, "source") == 0 || strcmp(last, "kind") == 0 ||
	       strcmp(last, "description") == 0;
}

static void compare_documents(struct comparison *comparison, const char *prefix, const char *first,
	const char *second, const char *const *swept, uint32_t swept_count)
{
	struct arena *arena = &comparison->arena, scratch;
	struct leaves a, b;

	if (strcmp(first, second) == 0)
		return;
	arena_init(&scratch);
	a = leaves_of(first, &scratch);
	b = leaves_of(second, &scratch);
	for (uint32_t i = 0, j = 0; i < a.count || j < b.count;) {
		int order = i == a.count ? 1 : j == b.count ? -1 : by_path(&a.at[i], &b.at[j]);
		const struct leaf *left = order <= 0 ? &a.at[i++] : NULL;
		const struct leaf *right = order >= 0 ? &b.at[j++] : NULL;
		const char *path =
			arena_printf(arena, "%s%s", prefix, left ? left->path : right->path);
		bool known = is_said(path, prefix);
		for (uint32_t k = 0; k < swept_count; k++)
			known |= strcmp(swept[k], path) == 0;
		if (!known)
			pair_differ_add(comparison, path,
				left ? arena_string(arena, left->text) : "-",
				right ? arena_string(arena, right->text) : "-");
	}
	arena_fini(&scratch);
}

void pair_differ(struct comparison *comparison, const struct sweep_point *first,
	const struct sweep_point *second)
{
	struct file_pair *pair = comparison->pair;
	const char *platforms[2] = {compare_platform(first, &comparison->arena),
		compare_platform(second, &comparison->arena)};

	if (pair->compared == PAIR_COMPARED_MAX) {
		pair->more = true;
		return;
	}
	pair->compared++;
	compare_documents(comparison, "", compare_scenario(first, &comparison->arena),
		compare_scenario(second, &comparison->arena), pair->names, pair->name_count);
	if (pair->platforms[0] && strcmp(platforms[0], pair->platforms[0]) == 0 &&
		strcmp(platforms[1], pair->platforms[1]) == 0)
		return;
	memcpy(pair->platforms, platforms, sizeof(platforms));
	compare_documents(
		comparison, "platform.", platforms[0], platforms[1], pair->names, pair->name_count);
}

void pair_differ_files(struct comparison *comparison)
{
	static const struct {
		const char *what, *attribute;
	} about[] = {{"program", "meshsim_version"}, {"commit", "git_commit"}, {"build", "build"},
		{"SimGrid", "simgrid_version"}, {"world", "world"}};
	struct file_pair *pair = comparison->pair;

	for (size_t i = 0; i < sizeof(about) / sizeof(about[0]); i++)
		pair_differ_add(comparison, about[i].what,
			result_text(pair->summaries[0].result, "/", about[i].attribute),
			result_text(pair->summaries[1].result, "/", about[i].attribute));
}
