/* Tests verdicts under other costs. Runs the winner, and every option that is close enough to
 * overtake it, with groups of costs at -30 % and +30 %, and with the other network models. First
 * estimates the effect of each group without a run. A group with a large effect is tried alone, and
 * then its constants one by one. All other groups are tried together, each cost changed in the
 * direction that is worse for the winner. If this reverses the verdict, each of these groups is
 * tried alone, too. Failed runs count neither for nor against the verdict. */
#include <math.h>
#include <string.h>

#include "robust_private.h"

/* If the winner's margin over an option is larger than this, the option cannot overtake the winner,
 * not even if all costs of the option become 30 % smaller. */
#define OUT_OF_REACH (1 / 0.7 - 1)

/* Constants that change the margin by less than this share, to first order, are not tried one by
 * one. */
#define CONSTANT_MATTERS 0.03

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
	struct compare_rerun *reruns =
		arena_array(arena, (size_t)trial->designs * trial->count + 1, sizeof(*reruns));
	struct lead *leads = arena_array(arena, trial->count + 1, sizeof(*leads));
	uint32_t runs = 0;

	for (uint32_t i = 0; i < trial->count; i++)
		for (uint32_t d = 0; d < trial->list[i].designs; d++) {
			reruns[runs] = (struct compare_rerun){
				.scenario = trial->scenarios[d], .platform = trial->platforms[d]};
			set_changes(trial, &trial->list[i], d, &reruns[runs++]);
		}
	comparison->rerun_ops->run(comparison->rerun_ops->context, reruns, runs);
	trial->question->robust.runs += runs;
	for (uint32_t i = 0; i < trial->count; i++) {
		double winner = 0;
		leads[i].margin = INFINITY;
		leads[i].known = measure(trial, reruns++, 0, &winner, &leads[i]);
		for (uint32_t d = 1; d < trial->list[i].designs; d++) {
			double value = 0;
			leads[i].known &= measure(trial, reruns++, d, &value, &leads[i]);
			if (!leads[i].known || winner <= 0 || value / winner - 1 >= leads[i].margin)
				continue;
			leads[i].margin = value / winner - 1;
			leads[i].rival = trial->names[d];
		}
	}
	return leads;
}

/* Returns true if a constant should be tried alone at robust_factors[factor]. A constant is not
 * tried if its whole group did not change the margin at this factor. Unless the group reversed the
 * verdict at this factor, only guessed constants are tried. If the charges are known, two more
 * rules apply. First, a constant is not tried if it hardly matters. Second, if the group reversed
 * the verdict at neither factor, a constant is tried only at the factor at which it changes the
 * margin more. If the group reversed the verdict only at the other factor, no constant is tried at
 * this factor. */
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
			robust_foreseen(trial, 1, CONSTANT_GROUPS, constant, robust_factors[f]) -
			trial->nominal);
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
		robust_scale(robust_add(&single, constant->path, robust_factors[i % 2],
				     (int)constant->group),
			constant);
	}
	uint32_t granted = afford(
		trial->comparison, AFFORD_SINGLE, trial->points, single.designs, single.count, 1);
	robust->untried += single.count - granted;
	single.count = granted;
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
		if ((int)constant->group == broken->group &&
			robust_factors[i % 2] == broken->factor && lead->known &&
			lead->margin < MARGIN_LEAST)
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
	robust_add_groups(trial, true);
	robust_keep(trial, first);
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
	/* reruns use the first seed, so the margin of this seed is the reference */
	trial.nominal =
		pair[1]->runs[0].figures[FIGURE_METRIC] / pair[0]->runs[0].figures[FIGURE_METRIC] -
		1;
	robust_add_groups(&trial, false);
	robust_keep(&trial, 0);
	robust_add_networks(&trial);
	question->robust.effects =
		arena_array(arena, trial.constants.count + 1, sizeof(*question->robust.effects));
	for (uint32_t i = 0; i < trial.constants.count; i++)
		question->robust.effects[i] = -1;
	robust_judge(&trial, run_all(&trial));
}
