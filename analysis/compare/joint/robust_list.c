/* Lists the changes to costs and networks that `compare --robust` tries (robust_private.h). */
#include <math.h>
#include <string.h>

#include "base/tree.h"
#include "robust_private.h"

/* Limit for the relative change of the margin that a group of constants causes to first order.
 * Groups below it are tried together, not one by one. */
#define MATTERS_ALONE 0.1

const double robust_factors[2] = {0.7, 1.3};

void robust_scale(struct perturbation *perturbation, const struct constant *constant)
{
	perturbation->scaled[perturbation->count++] =
		(struct scaled){constant, perturbation->factor};
}

struct perturbation *robust_add(struct trial *trial, const char *name, double factor, int group)
{
	struct arena *arena = &trial->comparison->arena;
	struct perturbation *new = &trial->list[trial->count++];

	*new = (struct perturbation){.group = group, .factor = factor, .designs = trial->designs};
	new->label =
		factor == 0 ? name : arena_printf(arena, "%s %+.0f %%", name, 100 * (factor - 1));
	new->scaled = arena_array(arena, trial->constants.count + 1, sizeof(*new->scaled));
	return new;
}

double robust_foreseen(const struct trial *trial, uint32_t rival, int group,
	const struct constant *only, double factor)
{
	const struct sweep_point *pair[2] = {trial->points[0], trial->points[rival]};
	double more[2] = {0, 0};

	for (uint32_t i = 0; i < trial->constants.count; i++) {
		const struct constant *constant = &trial->constants.at[i];
		if (only ? constant == only : (int)constant->group == group)
			compare_charge(pair, constant, factor, more);
	}
	return compare_margin(trial->question, pair, more);
}

/* Returns true if a group of costs, changed by `factor`, matters for the margin over any rival. The
 * change of the margin is estimated to first order. The group matters in two cases: if this change
 * is at least MATTERS_ALONE of the margin, or if twice this change would leave less than
 * MARGIN_LEAST. If charges are unknown, every group matters. */
static bool matters(const struct trial *trial, int group, double factor)
{
	for (uint32_t rival = 1; rival < trial->designs; rival++) {
		static const double none[2] = {0, 0};
		const struct sweep_point *pair[2] = {trial->points[0], trial->points[rival]};
		double margin = compare_margin(trial->question, pair, none);
		double moved = margin - robust_foreseen(trial, rival, group, NULL, factor);
		if (!pair[0]->charges.known || !pair[1]->charges.known)
			return true;
		if (fabs(moved) >= MATTERS_ALONE * margin || margin - 2 * moved < MARGIN_LEAST)
			return true;
	}
	return false;
}

/* Returns which of the two factors leaves the smaller margin over the runner-up. */
static double against(const struct trial *trial, const struct constant *constant)
{
	double down = robust_foreseen(trial, 1, CONSTANT_GROUPS, constant, robust_factors[0]);

	return down < robust_foreseen(trial, 1, CONSTANT_GROUPS, constant, robust_factors[1])
		       ? robust_factors[0]
		       : robust_factors[1];
}

static void add_group(struct trial *trial, int group, double factor)
{
	struct perturbation *new =
		robust_add(trial, constant_group_name((enum constant_group)group), factor, group);

	for (uint32_t i = 0; i < trial->constants.count; i++)
		if ((int)trial->constants.at[i].group == group)
			robust_scale(new, &trial->constants.at[i]);
	if (new->count == 0)
		trial->count--;
}

void robust_add_groups(struct trial *trial, bool all)
{
	struct perturbation *others = NULL;
	bool alone[CONSTANT_GROUPS];

	for (int group = 0; group < CONSTANT_GROUPS; group++) {
		alone[group] = matters(trial, group, robust_factors[0]) ||
			       matters(trial, group, robust_factors[1]);
		for (int f = 0; f < 2; f++)
			if (alone[group] != all)
				add_group(trial, group, robust_factors[f]);
	}
	if (all)
		return;
	others = robust_add(trial, "all other costs, against it", 0, CONSTANT_GROUPS);
	for (uint32_t i = 0; i < trial->constants.count; i++) {
		struct constant *constant = &trial->constants.at[i];
		others->factor = against(trial, constant);
		if (!alone[constant->group])
			robust_scale(others, constant);
	}
	others->factor = 0;
	if (others->count == 0)
		trial->count--;
	else
		trial->others = trial->count;
}

/* Returns the value of model.network in an effective scenario. */
static const char *network_of(const char *scenario, struct arena *arena)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("scenario", scenario, strlen(scenario), diag);
	const struct tree_node *node = tree ? tree_find(tree_root(tree), "model.network") : NULL;
	const char *network =
		node && node->kind == TREE_SCALAR ? arena_string(arena, node->text) : "";

	tree_free(tree);
	diag_free(diag);
	return network;
}

void robust_add_networks(struct trial *trial)
{
	struct arena *arena = &trial->comparison->arena;
	const char *own = network_of(trial->scenarios[0], arena);
	const struct compare_rerun_ops *ops = trial->comparison->rerun_ops;
	const char *name;

	for (size_t i = 0; ops->networks && (name = registry_name(ops->networks, i)) != NULL; i++) {
		double slowness = ops->slowness ? ops->slowness(name) / ops->slowness(own) : 1;
		uint32_t designs = slowness > 1 ? 2 : trial->designs;
		struct perturbation *new;
		if (strcmp(name, own) == 0)
			continue;
		if (afford(trial->comparison, AFFORD_NETWORK, trial->points, designs, 1,
			    slowness) == 0) {
			trial->question->robust.untried++;
			continue;
		}
		new = robust_add(
			trial, arena_printf(arena, "network %s", name), 0, CONSTANT_GROUPS);
		new->network = name;
		new->designs = designs;
	}
}

/* Returns how much a perturbation of a group moves the margin over the runner-up, to first order.
 */
static double robust_weight(const struct trial *trial, const struct perturbation *perturbation)
{
	if (perturbation->group == CONSTANT_GROUPS)
		return INFINITY; /* all groups that do not matter */
	return fabs(robust_foreseen(trial, 1, perturbation->group, NULL, perturbation->factor) -
		    trial->nominal);
}

void robust_keep(struct trial *trial, uint32_t first)
{
	uint32_t wanted = trial->count - first;
	uint32_t granted =
		afford(trial->comparison, AFFORD_COSTS, trial->points, trial->designs, wanted, 1);

	if (granted == wanted)
		return;
	for (uint32_t i = first + 1; i < trial->count; i++) {
		struct perturbation moved = trial->list[i];
		uint32_t place = i;
		for (; place > first && robust_weight(trial, &trial->list[place - 1]) <
						robust_weight(trial, &moved);
			place--)
			trial->list[place] = trial->list[place - 1];
		trial->list[place] = moved;
	}
	trial->count = first + granted;
	trial->question->robust.untried += wanted - granted;
	if (first == 0 && trial->others > 0)
		trial->others = granted > 0;
}
