/* Runs the designs of a question again, with other values of the choices that its margin rests on
 * (choices.h). Each value is tried for all designs, so that no design has an advantage. */
#include "analysis/compare/choices.h"

#include <math.h>
#include <string.h>

#include "analysis/compare/comparison.h"

/* Limits on the number of runs. Only the best three options are run again: the winner and the next
 * two. At most 12 values of choices are tried in total, and twice as many if the options are equal;
 * if there are more, those of the last choices are left out. */
enum { DESIGNS_MAX = 3, TRIALS_MAX = 12, TRIALS_EQUAL_MAX = 24 };

/* The third option is not run again if its margin to the winner is larger than this, that is, if it
 * takes more than 5 times as long. Another value of a choice will hardly make such an option better
 * than the winner. */
#define OUT_OF_REACH 4.0

struct designs {
	struct comparison *comparison;
	const struct question *question;
	const struct sweep_point *points[DESIGNS_MAX]; /* points of the designs, the winner first */
	const char *names[DESIGNS_MAX];
	uint32_t count;
};

static void trials_choose_designs(struct designs *designs)
{
	const struct context *focus = &designs->question->contexts[designs->question->focus];

	for (uint32_t i = 0; i < focus->count && designs->count < DESIGNS_MAX; i++) {
		uint32_t option = focus->order[i];
		if (designs->question->equal ? i >= focus->tied
					     : i > 1 && focus->margins[option].ratio > OUT_OF_REACH)
			return;
		designs->points[designs->count] = focus->points[option];
		designs->names[designs->count++] = focus->labels[option];
	}
}

/* True if a run has no use for a key that the question is about. */
static bool has_idle_key(const struct designs *designs, const struct compare_rerun *rerun)
{
	const struct summary *summary = &designs->comparison->summary;
	bool idle = false;

	for (uint32_t i = 0; i < summary->swept_count && !idle; i++)
		idle = designs->question->is_option[i] &&
		       strstr(rerun->idle, arena_printf(&designs->comparison->arena, " %s ",
						   swept_key(summary, i)));
	return idle;
}

/* Returns the margin that equal designs must have in a trial to differ. Their margin as they stand
 * varies by chance within its interval, so the margin in the trial must be larger than twice this.
 */
static double choice_trials_least(const struct question *question)
{
	const struct context *focus = &question->contexts[question->focus];
	const struct margin *margin = &focus->margins[focus->order[1]];
	double half = fmax(margin->high - margin->ratio, margin->ratio - margin->low);

	return fmax(fmax(2 * half, focus->doubt.most), MARGIN_LEAST);
}

/* Fills in the margin of a trial of equal designs: the best design is the rival, and the margin is
 * negative. If several are the best, and another one takes longer, this one is `behind`. */
static void judge_equal(
	const struct designs *designs, const double *values, struct choice_trial *trial)
{
	uint32_t best = 0, worst = 0;
	double next = INFINITY;

	for (uint32_t d = 1; d < designs->count; d++) {
		best = values[d] < values[best] ? d : best;
		worst = values[d] > values[worst] ? d : worst;
	}
	for (uint32_t d = 0; d < designs->count; d++)
		if (d != best && values[d] < next)
			next = values[d];
	trial->rival = designs->names[best];
	trial->margin = values[best] / next - 1;
	if (choice_trial_breaks(trial))
		return;
	trial->margin = values[best] / values[worst] - 1;
	if (choice_trial_breaks(trial))
		trial->behind = designs->names[worst];
}

/* Fills in the trial of one value from its reruns, one for each design. */
static void judge(
	const struct designs *designs, struct compare_rerun *reruns, struct choice_trial *trial)
{
	const struct sweep_points *points = designs->question->points;
	double winner = 0, values[DESIGNS_MAX];

	trial->margin = INFINITY;
	trial->same = true;
	trial->equal = designs->question->equal;
	trial->least = trial->equal ? choice_trials_least(designs->question) : MARGIN_LEAST;
	for (uint32_t d = 0; d < designs->count; d++) {
		double value = 0;
		bool good = compare_measure(points, &reruns[d], &value) && value > 0;
		if (!good && !trial->why)
			trial->why = arena_printf(&designs->comparison->arena, "%s: %s",
				designs->names[d], reruns[d].why);
		trial->same &= d == 0 || value == winner;
		trial->idle |= has_idle_key(designs, &reruns[d]);
		values[d] = value;
		if (d == 0)
			winner = value;
		else if (!trial->why && value / winner - 1 < trial->margin) {
			trial->margin = value / winner - 1;
			trial->rival = designs->names[d];
		}
	}
	trial->idle &= trial->same;
	if (trial->equal && !trial->why)
		judge_equal(designs, values, trial);
}

/* Lists the trials of all choices, at most `most`, and the runs that they need. Returns the
 * number of trials. */
static uint32_t list_trials(const struct designs *designs, struct choices *choices, uint32_t most,
	struct choice_trial **trials, struct compare_rerun *reruns)
{
	struct comparison *comparison = designs->comparison;
	uint32_t count = 0;

	for (uint32_t c = 0; c < choices->count; c++) {
		struct design_choice *choice = &choices->at[c];
		for (uint32_t i = 0; i < choice->other_count && count < most; i++) {
			struct choice_trial *trial = &choice->trials[choice->trial_count++];
			struct compare_change *change =
				arena_array(&comparison->arena, 1, sizeof(*change));
			*trial = (struct choice_trial){.value = choice->others[i]};
			*change = (struct compare_change){choice->key, choice->others[i]};
			for (uint32_t d = 0; d < designs->count; d++)
				reruns[count * designs->count + d] = (struct compare_rerun){
					.scenario = compare_scenario(
						designs->points[d], &comparison->arena),
					.platform = compare_platform(
						designs->points[d], &comparison->arena),
					.changes = change,
					.change_count = 1};
			trials[count++] = trial;
		}
	}
	return count;
}

void choices_try(struct comparison *comparison, struct question *question)
{
	struct designs designs = {.comparison = comparison, .question = question};
	struct choice_trial *trials[TRIALS_EQUAL_MAX];
	uint32_t most = question->equal ? TRIALS_EQUAL_MAX : TRIALS_MAX, count;
	struct compare_rerun *reruns =
		arena_array(&comparison->arena, (size_t)most * DESIGNS_MAX, sizeof(*reruns));

	trials_choose_designs(&designs);
	if (question->choices.count == 0 || designs.count < 2)
		return;
	most = afford(comparison, AFFORD_CHOICES, designs.points, designs.count, most, 1);
	count = list_trials(&designs, &question->choices, most, trials, reruns);
	comparison->rerun_ops->run(comparison->rerun_ops->context, reruns, count * designs.count);
	question->robust.runs += count * designs.count;
	for (uint32_t i = 0; i < count; i++) {
		judge(&designs, &reruns[i * designs.count], trials[i]);
		if (choice_trial_breaks(trials[i]) && !question->equal &&
			question->outcome != OUTCOME_FRAGILE)
			question->outcome = OUTCOME_CONDITIONAL;
	}
}
