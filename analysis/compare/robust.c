/* Tests verdicts under other costs: runs the winner, and every option close enough to overtake
 * it, with each group of costs at -30 % and +30 %, and with the other network models. Where a
 * group breaks the verdict, tries its constants one by one. Runs that failed count neither for
 * nor against. */
#include <math.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "base/tree.h"

enum { PERTURBATIONS_MAX = 128, BREAKS_MAX = 64, DESIGNS_MAX = 4 };

/* What is behind by more cannot be overtaken with by 30 % of all that it costs. */
#define OUT_OF_REACH (1 / 0.7 - 1)

static const double factors[] = {0.7, 1.3};

/* What is changed of all designs' runs. */
struct perturbation {
	const char *label;
	int group; /* CONSTANT_GROUPS: none */
	double factor;
	struct compare_change *changes;
	uint32_t count;
};

/* By how much the winner is ahead, and of whom. */
struct lead {
	bool known;
	double margin;
	const char *rival;
	const char *why; /* not known: which design could not run, and why */
};

/* What a group of constants did to the margin. */
struct stirred {
	bool moved, broke; /* by a tenth of it; below what decides */
};

struct trial {
	struct comparison *comparison;
	struct question *question;
	const struct sweep_point *points[DESIGNS_MAX]; /* the winner first */
	const char *names[DESIGNS_MAX], *scenarios[DESIGNS_MAX], *platforms[DESIGNS_MAX];
	uint32_t designs;
	struct constants constants;
	struct perturbation *list;
	uint32_t count;
	double nominal;				    /* margin as it stands */
	struct stirred stirred[CONSTANT_GROUPS][2]; /* by factor */
	struct lead *singles;			    /* by constant and factor */
};

static void scale(
	struct trial *trial, struct perturbation *perturbation, const struct constant *constant)
{
	struct arena *arena = &trial->comparison->arena;

	perturbation->changes[perturbation->count++] =
		(struct compare_change){arena_printf(arena, "platform.%s.value", constant->path),
			arena_printf(arena, "%.12g", constant->value * perturbation->factor)};
}

static struct perturbation *add(struct trial *trial, const char *name, double factor, int group)
{
	struct arena *arena = &trial->comparison->arena;
	struct perturbation *new = &trial->list[trial->count++];

	*new = (struct perturbation){.group = group, .factor = factor};
	new->label =
		factor == 0 ? name : arena_printf(arena, "%s %+.0f %%", name, 100 * (factor - 1));
	new->changes = arena_array(arena, trial->constants.count + 2, sizeof(*new->changes));
	return new;
}

static void add_groups(struct trial *trial)
{
	for (int group = 0; group < CONSTANT_GROUPS; group++)
		for (int f = 0; f < 2; f++) {
			struct perturbation *new = add(trial,
				constant_group_name((enum constant_group)group), factors[f], group);
			for (uint32_t i = 0; i < trial->constants.count; i++)
				if ((int)trial->constants.at[i].group == group)
					scale(trial, new, &trial->constants.at[i]);
			if (new->count == 0)
				trial->count--;
		}
}

/* Value of model.network in an effective scenario. */
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
	const char *const *networks = trial->comparison->runner->networks;

	for (; networks && *networks; networks++) {
		if (strcmp(*networks, own) == 0)
			continue;
		struct perturbation *new = add(
			trial, arena_printf(arena, "network %s", *networks), 0, CONSTANT_GROUPS);
		new->changes[new->count++] = (struct compare_change){"model.network", *networks};
		/* Closed forms of whole grids hold in some networks only, and equal this. */
		new->changes[new->count++] = (struct compare_change){"model.cores", "each"};
	}
}

/* The value of a design's run; or else the first of those that failed is taken down. */
static bool measure(struct trial *trial, struct compare_rerun *rerun, uint32_t design,
	double *value, struct lead *lead)
{
	bool good = compare_measure(trial->comparison, trial->question->points, rerun, value);

	if (!good && !lead->why)
		lead->why = arena_printf(
			&trial->comparison->arena, "%s: %s", trial->names[design], rerun->why);
	return good;
}

/* Runs all designs under every perturbation. */
static struct lead *run_all(struct trial *trial)
{
	struct comparison *comparison = trial->comparison;
	struct arena *arena = &comparison->arena;
	uint32_t designs = trial->designs, runs = designs * trial->count;
	struct compare_rerun *reruns = arena_array(arena, runs + 1, sizeof(*reruns));
	struct lead *leads = arena_array(arena, trial->count + 1, sizeof(*leads));

	for (uint32_t i = 0; i < runs; i++)
		reruns[i] = (struct compare_rerun){.scenario = trial->scenarios[i % designs],
			.platform = trial->platforms[i % designs],
			.changes = trial->list[i / designs].changes,
			.change_count = trial->list[i / designs].count};
	comparison->runner->run(comparison->runner->context, reruns, runs);
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

/* Tries the constants of the groups that matter one by one, and takes down what each does. */
static void run_singles(struct trial *trial)
{
	struct arena *arena = &trial->comparison->arena;
	struct robustness *robust = &trial->question->robust;
	uint32_t *constants =
		arena_array(arena, 2 * trial->constants.count + 1, sizeof(*constants));
	struct trial single = *trial;

	/* what holds is told by the next alone */
	single.designs = robust->held < robust->tried ? trial->designs : 2;
	single.list = arena_array(arena, 2 * trial->constants.count + 1, sizeof(*single.list));
	single.count = 0;
	trial->singles = arena_array(arena, 2 * trial->constants.count + 1, sizeof(struct lead));
	for (uint32_t i = 0; i < 2 * trial->constants.count; i++) {
		const struct constant *constant = &trial->constants.at[i / 2];
		const struct stirred *stirred = &trial->stirred[constant->group][i % 2];
		if (!stirred->moved || (!stirred->broke && !constant_is_guess(constant)))
			continue;
		constants[single.count] = i;
		scale(&single, add(&single, constant->path, factors[i % 2], (int)constant->group),
			constant);
	}
	struct lead *leads = run_all(&single);
	for (uint32_t i = 0; i < single.count; i++) {
		double *effect = &robust->effects[constants[i] / 2];
		trial->singles[constants[i]] = leads[i];
		if (leads[i].known && trial->nominal > 0)
			*effect = fmax(
				*effect, fabs(leads[i].margin - trial->nominal) / trial->nominal);
	}
}

/* The constants of a group that break the verdict alone, separated by commas; "" if none does. */
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

static void judge(struct trial *trial, const struct lead *leads)
{
	struct robustness *robust = &trial->question->robust;

	for (uint32_t i = 0; i < trial->count; i++) {
		const struct perturbation *perturbation = &trial->list[i];
		bool held = leads[i].margin >= MARGIN_LEAST;
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
	run_singles(trial);
	for (uint32_t i = 0; i < trial->count && robust->break_count < BREAKS_MAX; i++)
		if (leads[i].known && leads[i].margin < MARGIN_LEAST)
			robust->breaks[robust->break_count++] =
				break_text(trial->list[i].label, breaking(trial, &trial->list[i]),
					&leads[i], &trial->comparison->arena);
	if (robust->held < robust->tried)
		trial->question->outcome = OUTCOME_FRAGILE;
}

/* The winner, the next, and whoever else is within reach. */
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
		trial->scenarios[d] = compare_scenario(trial->comparison, point);
		trial->platforms[d] = compare_platform(trial->comparison, point);
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
	trial.constants = constants_read(trial.platforms[0], arena);
	trial.list = arena_array(arena, PERTURBATIONS_MAX, sizeof(*trial.list));
	question->robust.failures =
		arena_array(arena, PERTURBATIONS_MAX, sizeof(*question->robust.failures));
	add_groups(&trial);
	add_networks(&trial);
	question->robust.effects =
		arena_array(arena, trial.constants.count + 1, sizeof(*question->robust.effects));
	/* of the seed that is run again */
	trial.nominal =
		pair[1]->runs[0].figures[FIGURE_METRIC] / pair[0]->runs[0].figures[FIGURE_METRIC] -
		1;
	judge(&trial, run_all(&trial));
}
