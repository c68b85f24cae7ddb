/* Judges the decisions of a file. Groups the rows of each decision into comparisons, and compares
 * the predicted order and ratio of the options with the measured ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "decision.h"

/* Limits on the ratio of the larger to the smaller of two costs. Two measured costs count as equal
 * if their ratio is at most measured_tie. For equal measured costs, the prediction is right if the
 * predicted ratio is below tied_most. For different measured costs, the prediction is undecided if
 * the predicted ratio is below `undecided`. If there is only one cost, its prediction is right if
 * the relative error is at most lone_most. */
static const double measured_tie = 1.02, undecided = 1.01, tied_most = 1.1, lone_most = 0.3;

double decision_predicted_cost(const struct decisions *decisions, uint32_t row)
{
	uint32_t run = decisions->rows[row].run;
	const struct prediction *prediction = run == NO_RUN ? NULL : &decisions->predictions[run];
	struct measure measure;

	if (!prediction || !prediction->ran)
		return 0;
	measure_find(prediction->experiment->unit, "", &measure);
	return measure.more_is_better ? 1 / prediction->value : prediction->value;
}

static double measured_cost(const struct decision_row *row)
{
	double value = row->value * row->measure.scale;

	return row->measure.more_is_better ? 1 / value : value;
}

/* ---- comparisons ---- */

static bool comparable(const struct decision_row *a, const struct decision_row *b, bool by_load)
{
	return a->subject == b->subject && strcasecmp(a->metric, b->metric) == 0 &&
	       (a->verdict != VERDICT_NONE || b->verdict != VERDICT_NONE ||
		       strcmp(a->measure.base, b->measure.base) == 0) &&
	       (!by_load || strcmp(a->load, b->load) == 0);
}

/* Divides the rows of a decision into groups of rows that can be compared with each other. Returns
 * the number of rows that are not alone in their group. */
static uint32_t group(struct decisions *decisions, struct decision *decision, bool by_load)
{
	uint32_t together = 0;

	decision->comparisons =
		arena_array(decisions->arena, decision->row_count, sizeof *decision->comparisons);
	decision->comparison_count = 0;
	for (uint32_t i = 0; i < decision->row_count; i++) {
		uint32_t row = decision->first_row + i, c = 0;
		struct comparison *comparison;

		if (decisions->rows[row].run == NO_RUN)
			continue;
		while (c < decision->comparison_count &&
			!comparable(&decisions->rows[decision->comparisons[c].rows[0]],
				&decisions->rows[row], by_load))
			c++;
		comparison = &decision->comparisons[c];
		if (c == decision->comparison_count) {
			decision->comparison_count++;
			comparison->rows = arena_array(
				decisions->arena, decision->row_count, sizeof *comparison->rows);
			comparison->load = by_load ? decisions->rows[row].load : "";
		}
		comparison->rows[comparison->count++] = row;
		together += comparison->count == 2 ? 2 : comparison->count > 2;
	}
	return together;
}

/* ---- outcomes ---- */

/* Returns +1 if a was measured to cost more than b, -1 if it costs less, 0 if they are equal. */
static int measured_order(const struct decision_row *a, const struct decision_row *b)
{
	double ratio;

	if (a->verdict != VERDICT_NONE)
		return a->verdict == VERDICT_BETTER ? -1 : a->verdict == VERDICT_WORSE;
	if (b->verdict != VERDICT_NONE)
		return -measured_order(b, a);
	ratio = measured_cost(a) / measured_cost(b);
	return ratio > measured_tie ? 1 : -(ratio < 1 / measured_tie);
}

static enum outcome judge_pair(int order, double ratio)
{
	if (order == 0)
		return ratio < tied_most && ratio > 1 / tied_most ? OUTCOME_RIGHT : OUTCOME_WRONG;
	if (ratio < undecided && ratio > 1 / undecided)
		return OUTCOME_UNDECIDED;
	return (ratio > 1) == (order > 0) ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

static enum outcome worse_of(enum outcome a, enum outcome b)
{
	if (a == OUTCOME_NOT_ASKED || b == OUTCOME_NOT_ASKED)
		return a == OUTCOME_NOT_ASKED ? b : a;
	if (a == OUTCOME_WRONG || b == OUTCOME_WRONG)
		return OUTCOME_WRONG;
	return a == OUTCOME_UNDECIDED ? a : b;
}

/* Keeps the pair with the largest measured difference. */
static void keep_extreme(
	const struct decisions *decisions, struct comparison *comparison, uint32_t a, uint32_t b)
{
	const struct decision_row *one = &decisions->rows[a], *other = &decisions->rows[b];
	bool numbers = one->verdict == VERDICT_NONE && other->verdict == VERDICT_NONE;
	double ratio = numbers ? measured_cost(one) / measured_cost(other) : 1;
	bool first = comparison->pairs == 1;

	if (numbers ? ratio < 1 : measured_order(one, other) < 0) {
		uint32_t swapped = a;

		a = b;
		b = swapped;
		ratio = 1 / ratio;
	}
	if (!first && (!numbers || ratio <= comparison->measured))
		return;
	comparison->slow = a;
	comparison->fast = b;
	comparison->has_ratio = numbers;
	comparison->measured = ratio;
	comparison->predicted =
		decision_predicted_cost(decisions, a) / decision_predicted_cost(decisions, b);
}

/* Returns true if no other row was measured to be better than this row. */
static bool is_best(
	const struct decisions *decisions, const struct comparison *comparison, uint32_t row)
{
	for (uint32_t i = 0; i < comparison->count; i++)
		if (measured_order(&decisions->rows[row], &decisions->rows[comparison->rows[i]]) >
			0)
			return false;
	return true;
}

/* The outcome depends only on pairs with the best option: it must be predicted to be the best. */
static void judge_pairs(struct decisions *decisions, struct comparison *comparison)
{
	for (uint32_t i = 0; i < comparison->count; i++)
		for (uint32_t j = 0; j < i; j++) {
			uint32_t a = comparison->rows[i], b = comparison->rows[j];
			double x = decision_predicted_cost(decisions, a);
			double y = decision_predicted_cost(decisions, b);
			int order = measured_order(&decisions->rows[a], &decisions->rows[b]);
			enum outcome outcome = judge_pair(order, x / y);

			comparison->pairs++;
			comparison->agree += outcome == OUTCOME_RIGHT;
			if (is_best(decisions, comparison, a) || is_best(decisions, comparison, b))
				comparison->outcome = worse_of(comparison->outcome, outcome);
			keep_extreme(decisions, comparison, a, b);
		}
}

/* Judges a comparison that has only one measured figure, and so no order. Compares this figure with
 * the predicted one. */
static void judge_alone(const struct decisions *decisions, struct comparison *comparison)
{
	uint32_t row = comparison->rows[0];
	const struct decision_row *alone = &decisions->rows[row];
	const struct prediction *prediction = &decisions->predictions[alone->run];
	struct measure measure;

	if (alone->verdict != VERDICT_NONE || strcmp(alone->kind, "absolute") != 0)
		return;
	measure_find(prediction->experiment->unit, "", &measure);
	if (strcmp(measure.base, alone->measure.base) != 0)
		return;
	comparison->slow = comparison->fast = row;
	comparison->has_ratio = true;
	comparison->measured = alone->value;
	comparison->predicted = prediction->value * measure.scale / alone->measure.scale;
	comparison->outcome = fabs(comparison->predicted / comparison->measured - 1) <= lone_most
				      ? OUTCOME_RIGHT
				      : OUTCOME_WRONG;
}

/* Removes rows that did not run, with a reason. */
static void drop_failed(
	struct decisions *decisions, struct decision *decision, struct comparison *comparison)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < comparison->count; i++) {
		struct decision_row *row = &decisions->rows[comparison->rows[i]];
		const struct prediction *prediction = &decisions->predictions[row->run];

		if (prediction->ran) {
			comparison->rows[kept++] = comparison->rows[i];
			continue;
		}
		row->reason = arena_string(decisions->arena, text_string(&prediction->reason));
		decision->reason = row->reason;
	}
	comparison->count = kept;
}

/* Returns false with a reason if two options have the same scenario but different measurements. */
static bool is_told_apart(
	struct decisions *decisions, struct decision *decision, const struct comparison *comparison)
{
	for (uint32_t i = 0; i < comparison->count; i++)
		for (uint32_t j = 0; j < i; j++) {
			const struct decision_row *a = &decisions->rows[comparison->rows[i]];
			const struct decision_row *b = &decisions->rows[comparison->rows[j]];

			if (a->run == b->run && measured_order(a, b) != 0) {
				decision->reason = arena_printf(decisions->arena,
					"no choice tells '%s' from '%s'", b->option, a->option);
				return false;
			}
		}
	return true;
}

static void judge_comparison(
	struct decisions *decisions, struct decision *decision, struct comparison *comparison)
{
	drop_failed(decisions, decision, comparison);
	if (comparison->count == 0 || !is_told_apart(decisions, decision, comparison))
		return;
	if (comparison->count == 1)
		judge_alone(decisions, comparison);
	else
		judge_pairs(decisions, comparison);
	if (comparison->outcome != OUTCOME_NOT_ASKED && comparison->count > 1)
		comparison->rests_on =
			decision_rests_on(decisions, comparison->slow, comparison->fast);
	decision->outcome = worse_of(decision->outcome, comparison->outcome);
}

static void judge(struct decisions *decisions, struct decision *decision)
{
	if (group(decisions, decision, true) == 0)
		group(decisions, decision, false);
	for (uint32_t c = 0; c < decision->comparison_count; c++)
		judge_comparison(decisions, decision, &decision->comparisons[c]);
	if (decision->outcome != OUTCOME_NOT_ASKED)
		return;
	for (uint32_t i = 0; i < decision->row_count && !decision->reason; i++)
		decision->reason = decisions->rows[decision->first_row + i].reason;
	if (!decision->reason)
		decision->reason = "only one of its options is a scenario";
}

void decision_judge(struct decisions *decisions)
{
	decisions->decisions =
		arena_array(decisions->arena, decisions->row_count, sizeof *decisions->decisions);
	for (uint32_t i = 0; i < decisions->row_count; i++) {
		if (i == 0 || strcmp(decisions->rows[i].id, decisions->rows[i - 1].id) != 0)
			decisions->decisions[decisions->count++].first_row = i;
		decisions->decisions[decisions->count - 1].row_count++;
	}
	for (uint32_t d = 0; d < decisions->count; d++)
		judge(decisions, &decisions->decisions[d]);
}
