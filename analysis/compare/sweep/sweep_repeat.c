/* Finds the steps of a repeat that the scenario names (sweep_iteration.h). */
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/sweep_iteration.h"
#include "base/tree.h"

enum { NAMES_MAX = 256 };

/* Names that a file gives to the operations of steps: see `as` in docs/scenarios.md. */
struct repeat_names {
	const char **at;
	uint32_t count;
	struct arena *arena;
};

static void sweep_repeat_add(struct repeat_names *names, const char *name)
{
	if (name && name[0] && names->count < NAMES_MAX)
		names->at[names->count++] = arena_string(names->arena, name);
}

static const char *scalar_of(const struct tree_node *map, const char *key)
{
	const struct tree_node *node = map ? tree_get(map, key) : NULL;

	return node && node->kind == TREE_SCALAR ? node->text : NULL;
}

/* Adds the names of a step and of all steps inside it. The name of a step is the value of its key
 * `as`. Without this key, both the step's place in the scenario and the name of its program are
 * added. */
static void add_step(struct repeat_names *names, const struct tree_node *step, const char *path)
{
	const struct tree_node *body;
	const char *as;

	if (step->kind != TREE_MAP) {
		sweep_repeat_add(names, path);
		return;
	}
	body = tree_get(step, "do");
	as = scalar_of(step, "as");
	for (uint32_t i = 0; body && body->kind == TREE_SEQUENCE && i < body->count; i++)
		add_step(names, body->items[i], arena_printf(names->arena, "%s/do/%u", path, i));
	sweep_repeat_add(names, as ? as : path);
	if (!as)
		sweep_repeat_add(names, scalar_of(tree_get(step, "enqueue_workload"), "program"));
}

/* Looks for a repeat or trace of this name among the steps at `path`. */
static bool find_repeat(struct repeat_names *names, const struct tree_node *steps, const char *path,
	const char *name)
{
	for (uint32_t i = 0; steps && steps->kind == TREE_SEQUENCE && i < steps->count; i++) {
		const struct tree_node *step = steps->items[i], *body;
		const char *at = arena_printf(names->arena, "%s/%u", path, i), *as;

		if (step->kind != TREE_MAP)
			continue;
		body = tree_get(step, "do");
		as = scalar_of(step, "as");
		if (body && as && strcmp(as, name) == 0) {
			add_step(names, step, at);
			return true;
		}
		if (body && find_repeat(names, body, arena_printf(names->arena, "%s/do", at), name))
			return true;
	}
	return false;
}

static struct tree *repeat_scenario(struct summary *summary, uint64_t row)
{
	struct arena scratch = {0};
	const char *text = result_document(summary->result,
		arena_printf(&scratch, "%s/scenario", summary_group(summary, row)), &scratch);
	struct diag *diag = diag_new();
	struct tree *tree = text ? tree_read_text("scenario", text, strlen(text), diag) : NULL;

	diag_free(diag);
	arena_fini(&scratch);
	return tree;
}

uint32_t sweep_repeat_steps(struct summary *summary, uint64_t row, const char *name,
	const char ***names, struct arena *arena)
{
	struct repeat_names found = {arena_array(arena, NAMES_MAX, sizeof(*found.at)), 0, arena};
	struct tree *tree = repeat_scenario(summary, row);

	if (tree)
		find_repeat(&found, tree_get(tree_root(tree), "workload"), "workload", name);
	tree_free(tree);
	*names = found.at;
	return found.count;
}

const char *sweep_repeat_of(
	struct summary *summary, uint64_t row, const char *step, struct arena *arena)
{
	struct tree *tree = repeat_scenario(summary, row);
	const struct tree_node *steps = tree ? tree_get(tree_root(tree), "workload") : NULL;
	const char *name = NULL;

	for (uint32_t i = 0; steps && steps->kind == TREE_SEQUENCE && i < steps->count; i++) {
		struct repeat_names below = {
			arena_array(arena, NAMES_MAX, sizeof(*below.at)), 0, arena};
		const struct tree_node *loop = steps->items[i];
		const char *as = loop->kind == TREE_MAP && tree_get(loop, "do")
					 ? scalar_of(loop, "as")
					 : NULL;

		if (as)
			add_step(&below, loop, arena_printf(arena, "workload/%u", i));
		for (uint32_t k = 0; k < below.count && !name; k++)
			if (strcmp(below.at[k], step) == 0)
				name = arena_string(arena, as);
	}
	tree_free(tree);
	return name;
}

/* Returns the number of rounds of a loop, and sets *key to the key that gives this number. Returns
 * 0 if the scenario does not give it. */
static uint32_t rounds_of(const struct tree_node *loop, const char **key)
{
	const char *rounds = scalar_of(loop, "replays");

	*key = rounds ? "replays" : "repeat";
	rounds = rounds ? rounds : scalar_of(loop, *key);
	return rounds ? (uint32_t)strtoul(rounds, NULL, 10) : 0;
}

uint32_t sweep_repeat_around(struct summary *summary, uint64_t row, const char *step,
	const char ***names, struct arena *arena)
{
	struct tree *tree = repeat_scenario(summary, row);
	const struct tree_node *steps = tree ? tree_get(tree_root(tree), "workload") : NULL;
	uint32_t count = 0;

	*names = NULL;
	for (uint32_t i = 0; steps && steps->kind == TREE_SEQUENCE && i < steps->count; i++) {
		struct repeat_names below = {
			arena_array(arena, NAMES_MAX, sizeof(*below.at)), 0, arena};
		const struct tree_node *loop = steps->items[i];
		bool has = false;

		if (loop->kind != TREE_MAP || !tree_get(loop, "do"))
			continue;
		add_step(&below, loop, arena_printf(arena, "workload/%u", i));
		for (uint32_t k = 0; k < below.count && !has; k++)
			has = strcmp(below.at[k], step) == 0;
		if (!has || below.count == NAMES_MAX)
			continue;
		*names = below.at;
		count = below.count;
	}
	tree_free(tree);
	return count;
}

uint32_t sweep_repeat_rounds(struct summary *summary, uint64_t row, const char *step,
	const char **path, struct arena *arena)
{
	struct tree *tree = repeat_scenario(summary, row);
	const struct tree_node *steps = tree ? tree_get(tree_root(tree), "workload") : NULL;
	uint32_t rounds = 0, loops = 0;

	for (uint32_t i = 0; steps && steps->kind == TREE_SEQUENCE && i < steps->count; i++) {
		struct repeat_names below = {
			arena_array(arena, NAMES_MAX, sizeof(*below.at)), 0, arena};
		const struct tree_node *loop = steps->items[i];
		bool has = step == NULL;
		const char *key;

		if (loop->kind != TREE_MAP || !tree_get(loop, "do"))
			continue;
		add_step(&below, loop, arena_printf(arena, "workload/%u", i));
		for (uint32_t k = 0; k < below.count && !has; k++)
			has = strcmp(below.at[k], step) == 0;
		if (!has)
			continue;
		loops++;
		rounds = rounds_of(loop, &key);
		*path = arena_printf(arena, "workload.%u.%s", i, key);
	}
	tree_free(tree);
	return loops == 1 ? rounds : 0;
}
