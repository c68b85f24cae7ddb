/* Builds the sentences of a verdict and its contradictions, with the numbers in them. */
#include <math.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "analysis/print/value_text.h"

/* If both ends of an interval differ from the ratio by less than this, the interval counts as
 * having no width. */
#define INTERVAL_LEAST 1e-7

const char *compare_time_text(double ps, struct arena *arena)
{
	return time_text(ps, DIGITS_LEAST, false, arena);
}

/* Converts the value of a point to the figure that texts show: to GB/s for transfers, and to
 * operations per second for throughput. All other values stay in ps. */
static double shown_value(const struct sweep_points *points, double value)
{
	if (points->mode == MEASURE_TRANSFER && value > 0)
		return MEASURE_BYTES * 1e3 / value;
	if (points->figure == FIGURE_THROUGHPUT && value > 0)
		return 1e12 / value;
	return value;
}

int compare_value_digits(const struct sweep_points *points, const double *values, uint32_t count,
	struct arena *arena)
{
	double *shown = arena_array(arena, count + 1, sizeof(*shown));

	for (uint32_t i = 0; i < count; i++)
		shown[i] = shown_value(points, values[i]);
	return digits_apart(shown, count);
}

const char *compare_value_text(
	const struct sweep_points *points, double value, int digits, struct arena *arena)
{
	double shown = shown_value(points, value);

	if (points->mode == MEASURE_TRANSFER && value > 0)
		return arena_printf(arena, "%.*g GB/s", digits, shown);
	if (points->figure == FIGURE_THROUGHPUT && value > 0)
		return arena_printf(arena, "%.*g /s", digits < 6 ? 6 : digits, shown);
	return time_text(shown, digits, false, arena);
}

const char *compare_percent(double part, struct arena *arena)
{
	return ratio_percent(part, arena);
}

const char *compare_times(double ratio, struct arena *arena)
{
	return ratio_times(ratio, arena);
}

const char *compare_more(double ratio, const char *more, const char *times, struct arena *arena)
{
	return ratio_more(ratio, more, times, arena);
}

/* Returns how far the ends of an interval are from the ratio. */
static double half_of(const struct margin *margin)
{
	return fmax(margin->high - margin->ratio, margin->ratio - margin->low);
}

/* Returns the text of an interval, such as " (95 %: 1.0 to 2.0 %)". If both ends have the same
 * digits, gives the half width instead: " (95 %: ± 0.003 %)". If one seed gives no interval, or
 * `exact` is set and the interval has no width, the text says so. For any other interval without
 * width, it is "". */
static const char *interval_text(
	const struct margin *margin, bool exact, int digits, struct arena *arena)
{
	static const char *const heads[] = {
		[MARGIN_SEEDS] = "95 %", [MARGIN_RUN] = "95 % within one seed"};
	bool times = margin->ratio >= 1;
	double half = half_of(margin);
	const char *ends[2];

	if (margin->kind == MARGIN_NONE)
		return " (one seed: no interval)";
	if (half < INTERVAL_LEAST)
		return exact ? " (exact: no noise)" : "";
	for (int i = 0; i < 2; i++) {
		double end = i ? margin->high : margin->low;
		ends[i] = times ? ratio_factor(1 + end, arena)
				: arena_printf(arena, "%.*f", digits, 100 * end);
	}
	if (strcmp(ends[0], ends[1]) == 0)
		return arena_printf(arena, times ? " (%s: ± %.1g times)" : " (%s: ± %.1g %%)",
			heads[margin->kind], times ? half : 100 * half);
	return arena_printf(arena, " (%s: %s to %s %s)", heads[margin->kind], ends[0], ends[1],
		times ? "times" : "%");
}

const char *compare_longer(const struct sweep_points *points, double ratio, struct arena *arena)
{
	bool byte = points->mode == MEASURE_TRANSFER, cpu = points->figure == FIGURE_HOST_CPU;
	const char *times = cpu ? "as much host CPU" : byte ? "as long by byte" : "as long";
	const char *more = cpu ? "more host CPU" : byte ? "longer by byte" : "longer";

	return ratio >= 1 ? arena_printf(arena, "%s %s", compare_times(ratio, arena), times)
			  : arena_printf(arena, "%.1f %% %s", 100 * ratio, more);
}

const char *compare_margin_words(
	const struct sweep_points *points, const struct margin *margin, struct arena *arena)
{
	return arena_printf(arena, "%s%s", compare_longer(points, margin->ratio, arena),
		interval_text(margin, false, 1, arena));
}

/* Returns a text that says how much longer the second-best option takes than the best one, with the
 * interval of this margin. If the second-best option is saturated, the text says only this. */
static const char *margin_text(
	const struct question *question, const struct context *focus, struct arena *arena)
{
	uint32_t next = focus->order[1];
	const struct margin *margin = &focus->margins[next];
	const struct sweep_points *points = question->points;
	const char *interval =
		interval_text(margin, focus->points[focus->order[0]]->exact, 1, arena);

	if (focus->unbounded && points->figure == FIGURE_METRIC)
		return arena_printf(arena,
			"%s is saturated: it falls behind for as long as it runs",
			focus->labels[next]);
	return arena_printf(arena, "%s takes %s%s", focus->labels[next],
		compare_longer(points, margin->ratio, arena), interval);
}

/* Says in which way the best option is better than the others on the metric. */
static const char *ahead(const struct sweep_points *points)
{
	if (points->figure == FIGURE_HOST_CPU)
		return "costs the host less";
	return points->mode == MEASURE_TRANSFER ? "is faster" : "is sooner";
}

/* Returns a part of a sentence that says why one cannot decide between the tied options. */
static const char *lacking(const struct context *focus, struct arena *arena)
{
	const struct sweep_point *best = focus->points[focus->order[0]];
	const struct margin *margin = &focus->margins[focus->order[focus->tied - 1]];

	if (best->saturated)
		return arena_printf(arena,
			", but %s saturated, so their times grow with the length of the run; offer "
			"less",
			focus->tied > 2 ? "all of them are" : "both are");
	if (margin->few && best->native && best->seeds == 1)
		return ", but a native run may differ from the next by more; ask with "
		       "measure.seeds";
	if (margin->few)
		return ", but there are too few operations to tell that from noise";
	if (margin->ratio < COMPARE_EQUAL && !best->exact && best->seeds > 1)
		return arena_printf(arena, " in all %u seeds", best->seeds);
	return arena_printf(arena, "%s%s", interval_text(margin, best->exact, 2, arena),
		margin->ratio >= MARGIN_LEAST && seeds_are_few(best)
			? "; more seeds may decide it: measure.seeds"
		: margin->chance <= margin->level && margin->ratio < MARGIN_LEAST
			? "; less than 1 % decides nothing"
			: "");
}

/* Says from which measured figures an error of the model was computed. */
static const char *basis_text(const struct model_doubt *doubt, struct arena *arena)
{
	if (doubt->basis == MODEL_WHOLE_FAMILY)
		return "";
	if (doubt->basis == MODEL_OWN)
		return arena_printf(arena, " on %s", doubt->machine);
	return arena_printf(arena,
		" (%s was never measured: error of predicting a machine from the others%s)",
		doubt->machine, doubt->basis == MODEL_ALL_FAMILIES ? ", in all families" : "");
}

/* Says that options differ by no more than the model's error. */
static const char *doubted_text(
	const struct question *question, const struct context *focus, struct arena *arena)
{
	const struct model_doubt *doubt = &focus->doubt;
	uint32_t last = focus->order[focus->tied - 1];

	return arena_printf(arena,
		"undecided: within the model's error of %s: %s takes %s than %s%s, and %s "
		"of the time differs in constants of %s, whose figures are within %s%s",
		compare_percent(doubt->most, arena), focus->labels[last],
		compare_longer(question->points, focus->margins[last].ratio, arena),
		focus->labels[focus->order[0]], compare_where(focus, arena),
		compare_percent(doubt->part, arena), doubt->family,
		compare_percent(doubt->error, arena), basis_text(doubt, arena));
}

/* True if a context other than the focus has a sole best option. */
static bool is_decided_elsewhere(const struct question *question)
{
	for (uint32_t i = 0; i < question->context_count; i++)
		if (i != question->focus && question->contexts[i].count > 1 &&
			question->contexts[i].tied == 1)
			return true;
	return false;
}

/* Begins the sentence: "undecided at size=4:". */
static const char *undecided_text(
	const struct question *question, const struct context *focus, struct arena *arena)
{
	const char *where = compare_where(focus, arena);

	return is_decided_elsewhere(question)
		       ? arena_printf(arena,
				 "undecided where the best is%s%s:", where[0] ? "," : "", where)
		       : arena_printf(arena, "undecided%s:", where);
}

/* Says by how much the options that share the first place differ: "differ by 0.30 %". */
static const char *differ_text(const struct context *focus, struct arena *arena)
{
	double ratio = focus->margins[focus->order[focus->tied - 1]].ratio;

	if (ratio < COMPARE_EQUAL)
		return "are equal";
	return ratio >= 1 ? arena_printf(arena, "differ by a factor of %s",
				    ratio_factor(1 + ratio, arena))
			  : arena_printf(arena, "differ by %.2f %%", 100 * ratio);
}

/* Names the first options of a context: "a, b and c". */
static const char *names_text(const struct context *focus, uint32_t count, struct arena *arena)
{
	const char *text = focus->labels[focus->order[0]];

	for (uint32_t i = 1; i < count; i++)
		text = arena_printf(arena, "%s%s %s", text, i + 1 < count ? "," : " and",
			focus->labels[focus->order[i]]);
	return text;
}

/* Returns the number of options whose values are equal to the value of the best option, including
 * the best option itself. Returns 1 if there are too few operations or seeds to know which are
 * equal, or if the best option is saturated. */
static uint32_t count_equal(const struct context *focus)
{
	uint32_t equal = 1;

	if (focus->points[focus->order[0]]->saturated)
		return 1;
	for (uint32_t i = 1; i < focus->tied; i++) {
		const struct margin *margin = &focus->margins[focus->order[i]];
		if (margin->few)
			return 1;
		equal += margin->ratio < COMPARE_EQUAL;
	}
	return equal;
}

/* Returns a text about the options that are tied for the best. The text names the options that are
 * equal to the best one, and says by how much each of the other tied options is worse than the best
 * one. */
static const char *equal_text(const struct question *question, const struct context *focus,
	uint32_t equal, struct arena *arena)
{
	const struct sweep_point *best = focus->points[focus->order[0]];
	const char *text = arena_printf(arena, "%s are equal", names_text(focus, equal, arena));

	text = best->exact || best->seeds < 2
		       ? arena_printf(arena, "%s%s", text, best->exact ? " (exact: no noise)" : "")
		       : arena_printf(arena, "%s in all %u seeds", text, best->seeds);
	for (uint32_t i = equal; i < focus->tied; i++) {
		const struct margin *margin = &focus->margins[focus->order[i]];
		text = arena_printf(arena, "%s; %s takes %s%s, undecided", text,
			focus->labels[focus->order[i]],
			compare_longer(question->points, margin->ratio, arena),
			interval_text(margin, best->exact, 1, arena));
	}
	return text;
}

/* Names the options that share the first place, and the next one after them. */
static const char *tie_text(
	const struct question *question, const struct context *focus, struct arena *arena)
{
	const char *text;
	uint32_t equal;

	if (focus->count < 2)
		return compare_alone(question, arena);
	if (focus->doubt.family)
		return doubted_text(question, focus, arena);
	if (focus->needed)
		return arena_printf(arena,
			"%s so few operations in flight show no steady state; about %u would",
			undecided_text(question, focus, arena), focus->needed);
	equal = count_equal(focus);
	text = equal > 1 && equal < focus->tied
		       ? equal_text(question, focus, equal, arena)
		       : arena_printf(arena, "%s %s%s", names_text(focus, focus->tied, arena),
				 differ_text(focus, arena), lacking(focus, arena));
	text = arena_printf(arena, "%s %s", undecided_text(question, focus, arena), text);
	if (focus->tied < focus->count)
		text = arena_printf(arena, "%s; next, %s takes %s", text,
			focus->labels[focus->order[focus->tied]],
			compare_longer(question->points,
				focus->margins[focus->order[focus->tied]].ratio, arena));
	return text;
}

/* Returns the range of the winner's margins, such as " by 4.3 to 55.2 %". Only contexts that the
 * winner wins count, and not those in which it is ahead as a trade-off. In some contexts, the
 * margin has no bound because the second-best option is saturated. They are left out of the range,
 * and the text gives their number. */
static const char *range_text(const struct question *question, struct arena *arena)
{
	uint32_t winner = question->contexts[question->focus].order[0], unbounded = 0;
	double least = INFINITY, most = 0;
	const char *range = "";

	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		double margin;
		if (context->count < 2 || context->tied > 1 || context->order[0] != winner ||
			question_is_traded(context))
			continue;
		unbounded += context->unbounded;
		if (context->unbounded)
			continue;
		margin = context->margins[context->order[1]].ratio;
		least = fmin(least, margin);
		most = fmax(most, margin);
	}
	if (most > least)
		range = arena_printf(arena, " %s", compare_by(least, most, arena));
	if (unbounded)
		range = arena_printf(arena, "%s (in %u the next is saturated)", range, unbounded);
	return range;
}

/* Returns the sentence for a trade-off, in which another figure contradicts the metric. If this
 * contradiction is not certain, the sentence says that the verdict is undecided. */
static const char *traded_text(
	const struct question *question, const struct context *focus, struct arena *arena)
{
	const char *winner = focus->labels[focus->order[0]];
	const char *margin = margin_text(question, focus, arena);
	const char *where = compare_where(focus, arena);

	if (question->outcome == OUTCOME_TRADE_OFF)
		return arena_printf(arena, "trade-off: %s %s, %s%s", winner,
			ahead(question->points), margin, where);
	return arena_printf(arena,
		"undecided: %s %s, %s%s, but a figure below says the opposite by more than that, "
		"and there are too few operations to tell it from noise",
		winner, ahead(question->points), margin, where);
}

/* The number of contexts that are undecided because their best options are saturated. */
static uint32_t saturated_contexts(const struct question *question)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < question->context_count; i++)
		count += compare_is_saturated(&question->contexts[i]);
	return count;
}

/* Returns a text that says in how many contexts `winner` wins, and the range of its margins there.
 * The text also says in how many contexts `winner` leads only as a trade-off, and how many contexts
 * are undecided because their best options are saturated. */
static const char *wins_text(
	const struct question *question, const char *winner, struct arena *arena)
{
	uint32_t saturated = saturated_contexts(question);
	const char *text =
		question->wins > 0
			? arena_printf(arena, "%s wins in %u of %u contexts%s", winner,
				  question->wins, question->asked, range_text(question, arena))
			: arena_printf(
				  arena, "%s wins in none of %u contexts", winner, question->asked);

	if (question->traded > 0)
		text = arena_printf(arena, "%s, is a trade-off in %u", text, question->traded);
	if (saturated > 0)
		text = arena_printf(arena, "%s; in %u %s saturated", text, saturated,
			question->option_count > 2 ? "the best are" : "both are");
	return text;
}

/* Returns the sentence for a question whose winner depends on the context, or whose best option has
 * failed runs in some contexts. */
static const char *depends_text(
	const struct question *question, const struct context *focus, struct arena *arena)
{
	const char *winner = focus->labels[focus->order[0]];
	const char *margin = margin_text(question, focus, arena);
	const char *ends = compare_ends(question, focus->order[0], arena), *wins;

	wins = wins_text(question, winner, arena);
	if (ends && question->wins == question->asked)
		wins = arena_printf(arena, "%s wins where it survives (%u of %u contexts)", winner,
			question->context_count - question->ended, question->context_count);
	return arena_printf(arena, "depends: %s%s%s; %s%s", wins, ends ? ", and " : "",
		ends ? ends : "", margin, compare_where(focus, arena));
}

/* Returns the statement whose truth --robust tests with reruns. It is "X is ahead" if X is the best
 * only as a trade-off. Otherwise it is "X wins", with the number of contexts if there are
 * several. */
static const char *stands_text(
	const struct question *question, const char *winner, struct arena *arena)
{
	const struct context *focus = &question->contexts[question->focus];
	const char *ends = compare_ends(question, focus->order[0], arena);

	if (question_is_traded(focus))
		return arena_printf(arena, "a trade-off as it stands%s: %s %s,",
			question->asked > 1 ? arena_printf(arena, " in %u of %u contexts",
						      question->traded, question->asked)
					    : "",
			winner, ahead(question->points));
	if (question->asked < 2)
		return arena_printf(arena, "%s wins as it stands,", winner);
	return arena_printf(arena, "as it stands, %s%s%s;", wins_text(question, winner, arena),
		ends ? ", and " : "", ends ? ends : "");
}

/* Adds to the sentence about equal options the choices with whose other values they differ. */
static const char *equal_for_text(
	const struct question *question, const char *text, struct arena *arena)
{
	const struct context *focus = &question->contexts[question->focus];
	const char *breaking = choices_breaking(&question->choices, arena);

	if (!question->equal || !breaking[0])
		return text;
	return arena_printf(arena, "%s; %s for %s", text,
		focus->margins[focus->order[1]].ratio < MARGIN_LEAST ? "equal" : "undecided",
		breaking);
}

const char *compare_verdict(const struct question *question, struct arena *arena)
{
	const struct context *focus = &question->contexts[question->focus];
	const char *winner, *margin;

	if (question->outcome == OUTCOME_TRADE_OFF || question->doubted)
		return traded_text(question, focus, arena);
	if (question->outcome == OUTCOME_UNDECIDED)
		return equal_for_text(question, tie_text(question, focus, arena), arena);
	winner = focus->labels[focus->order[0]];
	margin = margin_text(question, focus, arena);
	if (question->outcome == OUTCOME_CONDITIONAL)
		return arena_printf(arena, "decided for %s: %s %s%s",
			choices_breaking(&question->choices, arena),
			stands_text(question, winner, arena), margin, compare_where(focus, arena));
	if (question->outcome == OUTCOME_FRAGILE)
		return arena_printf(arena, "undecided (fragile): %s %s%s",
			stands_text(question, winner, arena), margin, compare_where(focus, arena));
	if (question->outcome == OUTCOME_DEPENDS)
		return depends_text(question, focus, arena);
	if (question->asked > 1)
		return arena_printf(arena, "%s; %s%s", wins_text(question, winner, arena), margin,
			compare_where(focus, arena));
	return arena_printf(arena, "%s wins; %s%s", winner, margin, compare_where(focus, arena));
}
