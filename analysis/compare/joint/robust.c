/* Tests verdicts under other costs. Runs the winner, and every option that is close enough to
 * overtake it, with groups of costs at -30 % and +30 %, and with the other network models. First
 * estimates the effect of each group without a run. A group with a large effect is tried alone, and
 * then its constants one by one. All other groups are tried together, each cost changed in the
 * direction that is worse for the winner. If this reverses the verdict, each of these groups is
 * tried alone, too. Failed runs count neither for nor against the verdict. */
#include <math.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "base/tree.h"

enum { PERTURBATIONS_MAX = 128, BREAKS_MAX = 64, DESIGNS_MAX = 4 };

/* If the winner's margin over an option is larger than this, the option cannot overtake the winner,
 * not even if all costs of the option become 30 % smaller. */
#define OUT_OF_REACH (1 / 0.7 - 1)

static const double factors[] = {0.7, 1.3};

/* Limits for the relative change of the margin that a group of constants, or a constant, causes to
 * first order. Groups below MATTERS_ALONE are tried together, not one by one. Constants below
 * CONSTANT_MATTERS are not tried one by one. */
#define MATTERS_ALONE	 0.1
#define CONSTANT_MATTERS 0.03

struct scaled {
	const struct constant *constant; /* constant of the winner's platform */
	double factor;
};

/* A change that is made to the runs of all designs. A constant may have different values in the
 * designs, so the change multiplies constants by a factor, and does not set them to a value. */
struct perturbation {
	const char *label;
	int group; /* group of the constant; CONSTANT_GROUPS: several groups */
	double factor;
	struct scaled *scaled;
	uint32_t count;
	const char *network; /* name of another network; NULL: the network is unchanged */
};

/* The lead of the winner: the closest other option, and the winner's margin over this option. */
struct lead {
	bool known;
	double margin;
	const char *rival;
	const char *why; /* if `known` is false: the design that could not run, and why */
};

/* Effect of a group of constants on the margin. */
struct stirred {
	/* `moved`: the margin changes by a tenth or more; `broke`: the margin no longer decides */
	bool moved, broke;
};

struct trial {
	struct comparison *comparison;
	struct question *question;
	/* [design] the designs, the winner first */
	const struct sweep_point *points[DESIGNS_MAX];
	const char *names[DESIGNS_MAX], *scenarios[DESIGNS_MAX], *platforms[DESIGNS_MAX];
	uint32_t designs;
	/* own: [design] constants of the design; constants: those of the winner */
	struct constants own[DESIGNS_MAX], constants;
	struct perturbation *list;
	uint32_t count;
	uint32_t others; /* index of the perturbation of all other groups, + 1; 0: none */
	double nominal;	 /* the margin without perturbation */
	struct stirred stirred[CONSTANT_GROUPS][2]; /* [group][factor] */
	struct lead *singles;			    /* by constant, then by factor */
};

static void scale(struct perturbation *perturbation, const struct constant *constant)
{
	perturbation->scaled[perturbation->count++] =
		(struct scaled){constant, perturbation->factor};
}

/* Puts the changes of a perturbation into a rerun of a design. */
static void set_changes(struct trial *trial, const struct perturbation *perturbation,
	uint32_t design, struct compare_rerun *rerun)
{
	struct arena *arena = &trial->comparison->arena;
	struct compare_change *changes =
		arena_array(arena, perturbation->count + 3, sizeof(*changes));
	uint32_t count = 0;

	for (uint32_t i = 0; i < perturbation->count; i++) {
		const char *path = perturbation->scaled[i].constant->path;
		const struct constant *own = constant_at(&trial->own[design], path);
		if (own)
			changes[count++] =
				constant_change(own, perturbation->scaled[i].factor, arena);
	}
	if (perturbation->network) {
		changes[count++] = (struct compare_change){"model.network", perturbation->network};
		/* Not all networks support `model.cores: chip` and `model.noc: links`. So each core
		 * is simulated by itself, and the links within a chip are not modelled. */
		changes[count++] = (struct compare_change){"model.cores", "each"};
		changes[count++] = (struct compare_change){"model.noc", "interfaces"};
	}
	rerun->changes = changes;
	rerun->change_count = count;
}

static struct perturbation *robust_add(
	struct trial *trial, const char *name, double factor, int group)
{
	struct arena *arena = &trial->comparison->arena;
	struct perturbation *new = &trial->list[trial->count++];

	*new = (struct perturbation){.group = group, .factor = factor};
	new->label =
		factor == 0 ? name : arena_printf(arena, "%s %+.0f %%", name, 100 * (factor - 1));
	new->scaled = arena_array(arena, trial->constants.count + 1, sizeof(*new->scaled));
	return new;
}

/* Returns, to first order, the margin of the winner over a rival if all constants of a group are
 * multiplied by `factor` or, if `only` is not NULL, only this constant. */
static double foreseen(const struct trial *trial, uint32_t rival, int group,
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
		double moved = margin - foreseen(trial, rival, group, NULL, factor);
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
	double down = foreseen(trial, 1, CONSTANT_GROUPS, constant, factors[0]);

	return down < foreseen(trial, 1, CONSTANT_GROUPS, constant, factors[1]) ? factors[0]
										: factors[1];
}

static void add_group(struct trial *trial, int group, double factor)
{
	struct perturbation *new =
		robust_add(trial, constant_group_name((enum constant_group)group), factor, group);

	for (uint32_t i = 0; i < trial->constants.count; i++)
		if ((int)trial->constants.at[i].group == group)
			scale(new, &trial->constants.at[i]);
	if (new->count == 0)
		trial->count--;
}

/* Adds the perturbations that change groups of costs. A group that matters at one of the factors
 * gets a perturbation for each factor. All other groups share one perturbation. If `all` is set,
 * adds only perturbations of the other groups, and each of these gets one for each factor. */
static void add_groups(struct trial *trial, bool all)
{
	struct perturbation *others = NULL;
	bool alone[CONSTANT_GROUPS];

	for (int group = 0; group < CONSTANT_GROUPS; group++) {
		alone[group] =
			matters(trial, group, factors[0]) || matters(trial, group, factors[1]);
		for (int f = 0; f < 2; f++)
			if (alone[group] != all)
				add_group(trial, group, factors[f]);
	}
	if (all)
		return;
	others = robust_add(trial, "all other costs, against it", 0, CONSTANT_GROUPS);
	for (uint32_t i = 0; i < trial->constants.count; i++) {
		struct constant *constant = &trial->constants.at[i];
		others->factor = against(trial, constant);
		if (!alone[constant->group])
			scale(others, constant);
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

static void add_networks(struct trial *trial)
{
	struct arena *arena = &trial->comparison->arena;
	const char *own = network_of(trial->scenarios[0], arena);
	const struct registry *networks = trial->comparison->rerun_ops->networks;
	const char *name;

	for (size_t i = 0; networks && (name = registry_name(networks, i)) != NULL; i++)
		if (strcmp(name, own) != 0)
			robust_add(
				trial, arena_printf(arena, "network %s", name), 0, CONSTANT_GROUPS)
				->network = name;
}

/* Sets *value to the result of a design's run, and returns true. If the run failed, returns false,
 * and stores the reason in lead->why if no reason is stored there yet. */
static bool measure(struct trial *trial, struct compare_rerun *rerun, uint32_t design,
	double *value, struct lead *lead)
{
	bool good = compare_measure(trial->question->points, rerun, value);

	if (!good && !lead->why)
		lead->why = arena_printf(
			&trial->comparison->arena, "%s: %s", trial->names[design], rerun->why);
	return good;
}

/* Runs all designs under every perturbation. Returns the winner's lead for each. */
static struct lead *run_all(struct trial *trial)
{
	struct comparison *comparison = trial->comparison;
	struct arena *arena = &comparison->arena;
	uint32_t designs = trial->designs, runs = designs * trial->count;
	struct compare_rerun *reruns = arena_array(arena, runs + 1, sizeof(*reruns));
	struct lead *leads = arena_array(arena, trial->count + 1, sizeof(*leads));

	for (uint32_t i = 0; i < runs; i++) {
		reruns[i] = (struct compare_rerun){.scenario = trial->scenarios[i % designs],
			.platform = trial->platforms[i % designs]};
		set_changes(trial, &trial->list[i / designs], i % designs, &reruns[i]);
	}
	comparison->rerun_ops->run(comparison->rerun_ops->context, reruns, runs);
	trial->question->robust.runs += runs;
	for (uint32_t i = 0; i < trial->count; i++) {
		double winner = 0;
		leads[i].margin = INFINITY;
		leads[i].known = measure(trial, &reruns[designs * i], 0, &winner, &leads[i]);
		for (uint32_t d = 1; d < designs; d++) {
			double value = 0;
			leads[i].known &=
				measure(trial, &reruns[designs * i + d], d, &value, &leads[i]);
			if (!leads[i].known || winner <= 0 || value / winner - 1 >= leads[i].margin)
				continue;
			leads[i].margin = value / winner - 1;
			leads[i].rival = trial->names[d];
		}
	}
	return leads;
}

/* Returns true if a constant should be tried alone at factors[factor]. A constant is not tried if
 * its whole group did not change the margin at this factor. Unless the group reversed the verdict
 * at this factor, only guessed constants are tried. If the charges are known, two more rules
 * apply. First, a constant is not tried if it hardly matters. Second, if the group reversed the
 * verdict at neither factor, a constant is tried only at the factor at which it changes the margin
 * more. If the group reversed the verdict only at the other factor, no constant is tried at this
 * factor. */
static bool tries(const struct trial *trial, const struct constant *constant, int factor)
{
	const struct sweep_point *pair[2] = {trial->points[0], trial->points[1]};
	const struct stirred *stirred = trial->stirred[constant->group];
	bool known = pair[0]->charges.known && pair[1]->charges.known;
	double moved[2];

	if (!stirred[factor].moved || (!stirred[factor].broke && !constant_is_guess(constant)))
		return false;
	if (!known)
		return true;
	if (compare_effect(trial->question, pair, constant) < CONSTANT_MATTERS)
		return false;
	for (int f = 0; f < 2; f++)
		moved[f] = fabs(
			foreseen(trial, 1, CONSTANT_GROUPS, constant, factors[f]) - trial->nominal);
	return stirred[factor].broke ||
	       (!stirred[!factor].broke &&
		       (moved[factor] > moved[!factor] || !stirred[!factor].moved));
}

/* Adds a perturbation and its margin to the list of cases. */
static void add_case(
	struct robustness *robust, const char *label, const struct lead *lead, bool single)
{
	robust->cases[robust->case_count++] = (struct robust_case){
		label, single, lead->known, lead->margin, lead->rival, lead->why};
}

/* Tries single constants of the groups that moved the margin, and records the effect of each. */
static void run_singles(struct trial *trial)
{
	struct arena *arena = &trial->comparison->arena;
	struct robustness *robust = &trial->question->robust;
	uint32_t *constants =
		arena_array(arena, 2 * trial->constants.count + 1, sizeof(*constants));
	struct trial single = *trial;

	/* if the verdict has held so far, a run of the runner-up as the only rival is enough */
	single.designs = robust->held < robust->tried ? trial->designs : 2;
	single.list = arena_array(arena, 2 * trial->constants.count + 1, sizeof(*single.list));
	single.count = 0;
	trial->singles = arena_array(arena, 2 * trial->constants.count + 1, sizeof(struct lead));
	for (uint32_t i = 0; i < 2 * trial->constants.count; i++) {
		const struct constant *constant = &trial->constants.at[i / 2];
		if (!tries(trial, constant, i % 2))
			continue;
		constants[single.count] = i;
		scale(robust_add(&single, constant->path, factors[i % 2], (int)constant->group),
			constant);
	}
	struct lead *leads = run_all(&single);
	for (uint32_t i = 0; i < single.count; i++) {
		double *effect = &robust->effects[constants[i] / 2];
		trial->singles[constants[i]] = leads[i];
		add_case(robust, single.list[i].label, &leads[i], true);
		if (leads[i].known && trial->nominal > 0)
			*effect = fmax(
				*effect, fabs(leads[i].margin - trial->nominal) / trial->nominal);
	}
}

/* Returns a text with the constants of a group that break the verdict when they are tried alone,
 * separated by commas; "" if there are none. */
static const char *breaking(const struct trial *trial, const struct perturbation *broken)
{
	struct arena *arena = &trial->comparison->arena;
	const char *found = "";

	for (uint32_t i = 0; i < 2 * trial->constants.count; i++) {
		const struct lead *lead = &trial->singles[i];
		const struct constant *constant = &trial->constants.at[i / 2];
		if ((int)constant->group == broken->group && factors[i % 2] == broken->factor &&
			lead->known && lead->margin < MARGIN_LEAST)
			found = arena_printf(arena, "%s%s%s %+.0f %%", found, found[0] ? ", " : "",
				constant->path, 100 * (broken->factor - 1));
	}
	return found;
}

static const char *break_text(
	const char *label, const char *singles, const struct lead *lead, struct arena *arena)
{
	const char *head = singles[0] ? arena_printf(arena, "%s (%s)", label, singles) : label;

	if (lead->margin > -MARGIN_LEAST)
		return arena_printf(arena, "%s: %s within 1 %%", head, lead->rival);
	return arena_printf(arena, "%s: %s ahead by %.1f %%", head, lead->rival,
		100 * (1 / (1 + lead->margin) - 1));
}

/* Records the effects of the perturbations from `first` on. */
static void robust_take(struct trial *trial, uint32_t first, const struct lead *leads)
{
	struct robustness *robust = &trial->question->robust;

	for (uint32_t i = first; i < trial->count; i++) {
		const struct perturbation *perturbation = &trial->list[i];
		bool held = leads[i].margin >= MARGIN_LEAST;
		add_case(robust, perturbation->label, &leads[i], false);
		robust->tried += leads[i].known;
		if (!leads[i].known)
			robust->failures[robust->failed++] = arena_printf(&trial->comparison->arena,
				"%s, %s", perturbation->label, leads[i].why);
		robust->held += leads[i].known && held;
		if (leads[i].known && perturbation->group < CONSTANT_GROUPS)
			trial->stirred[perturbation->group][perturbation->factor > 1] =
				(struct stirred){.broke = !held,
					.moved = !held || fabs(leads[i].margin - trial->nominal) >=
								  0.1 * trial->nominal};
	}
}

/* A single perturbation changes at once all groups of constants that should not matter. If this
 * reverses the verdict, tries each of these groups by itself. Returns the leads of the winner in
 * all perturbations: those in `leads` and those of the new trials. */
static struct lead *try_others(struct trial *trial, struct lead *leads)
{
	uint32_t first = trial->count;
	struct trial more = *trial;
	struct lead *all;

	if (trial->others == 0 || !leads[trial->others - 1].known ||
		leads[trial->others - 1].margin >= MARGIN_LEAST)
		return leads;
	add_groups(trial, true);
	more.list = trial->list + first;
	more.count = trial->count - first;
	all = arena_array(&trial->comparison->arena, trial->count + 1, sizeof(*all));
	memcpy(all, leads, first * sizeof(*all));
	memcpy(all + first, run_all(&more), more.count * sizeof(*all));
	robust_take(trial, first, all);
	return all;
}

static void robust_judge(struct trial *trial, struct lead *leads)
{
	struct robustness *robust = &trial->question->robust;

	robust_take(trial, 0, leads);
	leads = try_others(trial, leads);
	run_singles(trial);
	for (uint32_t i = 0; i < trial->count && robust->break_count < BREAKS_MAX; i++)
		if (leads[i].known && leads[i].margin < MARGIN_LEAST)
			robust->breaks[robust->break_count++] =
				break_text(trial->list[i].label, breaking(trial, &trial->list[i]),
					&leads[i], &trial->comparison->arena);
	if (robust->held < robust->tried)
		trial->question->outcome = OUTCOME_FRAGILE;
}

/* Chooses the winner, the runner-up, and further options that may become the best. */
static void choose_designs(struct trial *trial)
{
	const struct context *focus = &trial->question->contexts[trial->question->focus];

	for (uint32_t i = 0; i < focus->count && trial->designs < DESIGNS_MAX; i++) {
		uint32_t option = focus->order[i];
		const struct sweep_point *point = focus->points[option];
		uint32_t d = trial->designs;
		if (i > 1 && focus->margins[option].ratio > OUT_OF_REACH)
			return;
		trial->points[d] = point;
		trial->names[d] = focus->labels[option];
		trial->scenarios[d] = compare_scenario(point, &trial->comparison->arena);
		trial->platforms[d] = compare_platform(point, &trial->comparison->arena);
		trial->own[d] = constants_read(trial->platforms[d], &trial->comparison->arena);
		trial->designs++;
	}
}

void compare_robust(struct comparison *comparison, struct question *question)
{
	struct arena *arena = &comparison->arena;
	struct trial trial = {.comparison = comparison, .question = question};
	const struct sweep_point *pair[2];

	if (!compare_pair(question, pair))
		return;
	question->robust.tried_any = true;
	question->robust.breaks = arena_array(arena, BREAKS_MAX, sizeof(*question->robust.breaks));
	choose_designs(&trial);
	trial.constants = trial.own[0];
	trial.list = arena_array(arena, PERTURBATIONS_MAX, sizeof(*trial.list));
	question->robust.failures =
		arena_array(arena, PERTURBATIONS_MAX, sizeof(*question->robust.failures));
	question->robust.cases = arena_array(arena, PERTURBATIONS_MAX + 2 * trial.constants.count,
		sizeof(*question->robust.cases));
	add_groups(&trial, false);
	add_networks(&trial);
	question->robust.effects =
		arena_array(arena, trial.constants.count + 1, sizeof(*question->robust.effects));
	for (uint32_t i = 0; i < trial.constants.count; i++)
		question->robust.effects[i] = -1;
	/* reruns use the first seed, so the margin of this seed is the reference */
	trial.nominal =
		pair[1]->runs[0].figures[FIGURE_METRIC] / pair[0]->runs[0].figures[FIGURE_METRIC] -
		1;
	robust_judge(&trial, run_all(&trial));
}
