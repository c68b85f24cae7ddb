/* Runs designs, and compares them with today's design (advise.h). */
#include <stdio.h>
#include <string.h>

#include "advise.h"
#include "bench/tools/rerun/rerun.h"

/* Returns the tree of a design, or NULL with the reason in `why`. */
static struct tree *design_tree(
	const struct advise_design *design, const struct tree *base, struct text *why)
{
	struct tree *tree, *further;
	struct diag *diag;

	if (design->rewrite)
		return design->rewrite->apply(base, why);
	if (design->parts[0]) {
		tree = design_tree(design->parts[0], base, why);
		further = tree ? design_tree(design->parts[1], tree, why) : NULL;
		tree_free(tree);
		return further;
	}
	tree = tree_copy(base);
	diag = diag_new();
	if (design->choice.key &&
		!tree_set(tree, design->choice.key, design->choice.value, "advise", diag)) {
		text_append(why, "the key cannot be set");
		tree_free(tree);
		tree = NULL;
	}
	diag_free(diag);
	return tree;
}

/* Appends the scenario of a design. Returns false with the reason in `why`. */
static bool design_scenario(const struct advise_design *design, const struct advise_base *base,
	struct text *scenario, struct text *why)
{
	struct tree *tree = design_tree(design, base->tree, why);

	if (tree)
		tree_write(tree_root(tree), scenario);
	tree_free(tree);
	return tree != NULL;
}

static void advice_judge(struct advice *advice, struct advise_design *design)
{
	struct text why = {0};

	if (design->refused || advise_judge(advice->today, design->file, &advice->base.mark,
				       &advice->arena, &design->verdict, &why)) {
		text_fini(&why);
		return;
	}
	design->refused = arena_string(&advice->arena, text_string(&why));
	text_fini(&why);
}

void advice_run(
	struct advice *advice, struct rerun *rerun, struct advise_design *designs, uint32_t count)
{
	struct compare_rerun *reruns = arena_array(&advice->arena, count + 1u, sizeof *reruns);
	struct text *scenarios = arena_array(&advice->arena, count + 1u, sizeof *scenarios);
	uint32_t *places = arena_array(&advice->arena, count + 1u, sizeof *places), ready = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct text why = {0};

		if (design_scenario(&designs[i], &advice->base, &scenarios[ready], &why)) {
			reruns[ready] = (struct compare_rerun){
				.scenario = text_string(&scenarios[ready]),
				.path_step = advice->base.mark.step,
				.path_kind = advice->base.mark.kind,
				.path_latency = !advice->today[0]}; /* its idle time is asked */
			places[ready++] = i;
		} else {
			designs[i].refused = arena_string(&advice->arena, text_string(&why));
		}
		text_fini(&why);
	}
	rerun->rerun_ops->run(rerun->rerun_ops->context, reruns, ready);
	for (uint32_t i = 0; i < ready; i++) {
		struct advise_design *design = &designs[places[i]];

		if (reruns[i].good)
			snprintf(design->file, sizeof design->file, "%s", reruns[i].result);
		else
			design->refused = arena_string(&advice->arena, reruns[i].why);
		text_fini(&scenarios[i]);
		if (advice->today[0])
			advice_judge(advice, design);
	}
}
