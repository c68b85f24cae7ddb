/* Tries verdicts: the winner and the runner-up of a question's focus run again with every group of
 * costs at -30 % and +30 %, and with the other network models. Where a group breaks the verdict,
 * its constants are tried one by one. Refuses to count runs that could not be made. */
#include <math.h>
#include <string.h>

#include "base/tree.h"
#include "compare_private.h"

enum { PERTURBATIONS_MAX = 128, SINGLES_MAX = 24, BREAKS_MAX = 64 };

/* What is changed of both runs. */
struct perturbation {
	const char *label;
	int group; /* CONSTANT_GROUPS: none */
	double factor;
	struct compare_change *changes;
	uint32_t count;
};

struct trial {
	struct comparison *comparison;
	struct question *question;
	const struct point_of_sweep *pair[2];
	const char *scenarios[2], *platforms[2];
	struct constants constants;
	struct perturbation *list;
	uint32_t count;
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
	new->changes = arena_array(arena, trial->constants.count + 1, sizeof(*new->changes));
	return new;
}

static void add_groups(struct trial *trial)
{
	static const double factors[] = {0.7, 1.3};

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
	}
}

/* Runs both designs under every perturbation. Margins by perturbation; NAN where one did not run.
 */
static double *run_all(struct trial *trial)
{
	struct comparison *comparison = trial->comparison;
	struct arena *arena = &comparison->arena;
	struct compare_rerun *reruns = arena_array(arena, 2 * trial->count + 1, sizeof(*reruns));
	double *margins = arena_array(arena, trial->count + 1, sizeof(*margins));

	for (uint32_t i = 0; i < 2 * trial->count; i++)
		reruns[i] = (struct compare_rerun){.scenario = trial->scenarios[i % 2],
			.platform = trial->platforms[i % 2],
			.changes = trial->list[i / 2].changes,
			.change_count = trial->list[i / 2].count};
	comparison->runner->run(comparison->runner->context, reruns, 2 * trial->count);
	trial->question->robust.runs += 2 * trial->count;
	for (uint32_t i = 0; i < trial->count; i++) {
		double first, second;
		bool good = compare_measure(comparison, &reruns[2 * i], &first);
		good = compare_measure(comparison, &reruns[2 * i + 1], &second) && good;
		margins[i] = good && first > 0 ? second / first - 1 : NAN;
	}
	return margins;
}

/* The constants of a group that break the verdict alone, separated by commas; "" if none does. */
static const char *try_singles(struct trial *trial, const struct perturbation *broken)
{
	struct arena *arena = &trial->comparison->arena;
	struct trial single = *trial;
	const char *found = "";

	single.list = arena_array(arena, SINGLES_MAX, sizeof(*single.list));
	single.count = 0;
	for (uint32_t i = 0; i < trial->constants.count && single.count < SINGLES_MAX; i++)
		if ((int)trial->constants.at[i].group == broken->group)
			scale(&single,
				add(&single, trial->constants.at[i].path, broken->factor,
					broken->group),
				&trial->constants.at[i]);
	double *margins = run_all(&single);
	for (uint32_t i = 0; i < single.count; i++)
		if (!isnan(margins[i]) && margins[i] < MARGIN_LEAST)
			found = arena_printf(
				arena, "%s%s%s", found, found[0] ? ", " : "", single.list[i].label);
	return found;
}

static void judge(struct trial *trial, const double *margins, double nominal)
{
	struct robustness *robust = &trial->question->robust;
	struct arena *arena = &trial->comparison->arena;

	for (uint32_t i = 0; i < trial->count; i++) {
		const struct perturbation *perturbation = &trial->list[i];
		const char *label = perturbation->label, *singles = "";
		if (isnan(margins[i])) {
			robust->failed++;
			continue;
		}
		robust->tried++;
		if (perturbation->group < CONSTANT_GROUPS &&
			fabs(margins[i] - nominal) >= 0.1 * nominal)
			robust->matters[perturbation->group] = true;
		if (margins[i] >= MARGIN_LEAST) {
			robust->held++;
			continue;
		}
		if (perturbation->group < CONSTANT_GROUPS)
			singles = try_singles(trial, perturbation);
		if (robust->break_count < BREAKS_MAX)
			robust->breaks[robust->break_count++] = arena_printf(arena,
				"%s%s%s%s: margin %+.1f %%", label, singles[0] ? " (" : "", singles,
				singles[0] ? ")" : "", 100 * margins[i]);
	}
	if (robust->held < robust->tried)
		trial->question->outcome = OUTCOME_FRAGILE;
}

void compare_robust(struct comparison *comparison, struct question *question)
{
	struct arena *arena = &comparison->arena;
	struct trial trial = {.comparison = comparison, .question = question};
	double nominal;

	if (!compare_pair(question, trial.pair))
		return;
	question->robust.tried_any = true;
	question->robust.matters = arena_array(arena, CONSTANT_GROUPS + 1, sizeof(bool));
	question->robust.breaks = arena_array(arena, BREAKS_MAX, sizeof(*question->robust.breaks));
	for (int i = 0; i < 2; i++) {
		trial.scenarios[i] = compare_scenario(comparison, trial.pair[i]);
		trial.platforms[i] = compare_platform(comparison, trial.pair[i]);
	}
	trial.constants = constants_read(trial.platforms[0], arena);
	trial.list = arena_array(arena, PERTURBATIONS_MAX, sizeof(*trial.list));
	add_groups(&trial);
	add_networks(&trial);
	nominal = point_value(&comparison->points, trial.pair[1]) /
			  point_value(&comparison->points, trial.pair[0]) -
		  1;
	judge(&trial, run_all(&trial), nominal);
}
