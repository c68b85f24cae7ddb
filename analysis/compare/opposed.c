/* Describes the contexts whose result differs from that of the question's focus (comparison.h). */
#include <math.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "analysis/print/value_text.h"

const char *compare_by(double least, double most, struct arena *arena)
{
	const char *low = arena_printf(arena, "%.1f", 100 * least);
	const char *high = arena_printf(arena, "%.1f", 100 * most);

	if (most > least && most >= 1)
		return arena_printf(arena, "by factors of %s to %s", ratio_factor(1 + least, arena),
			ratio_factor(1 + most, arena));
	if (most >= 1)
		return arena_printf(arena, "by a factor of %s", ratio_factor(1 + most, arena));
	return strcmp(low, high) == 0 ? arena_printf(arena, "by %s %%", high)
				      : arena_printf(arena, "by %s to %s %%", low, high);
}

bool compare_is_saturated(const struct context *context)
{
	return context->count > 1 && context->tied > 1 &&
	       context->points[context->order[0]]->saturated;
}

/* True if two contexts other than the focus have the same result. There are three cases. First, the
 * same option wins in both contexts. Second, the same option is ahead in both contexts, but only as
 * a trade-off. Third, neither context has a winner, for the same reason: the best options are
 * saturated, or there are too few operations for a steady state, or the model's error may explain
 * the margin, or another reason. */
static bool opposed_alike(const struct context *a, const struct context *b)
{
	if (a->tied != 1 || b->tied != 1)
		return a->tied != 1 && b->tied != 1 &&
		       compare_is_saturated(a) == compare_is_saturated(b) &&
		       (a->needed > 0) == (b->needed > 0) &&
		       (a->doubt.family != NULL) == (b->doubt.family != NULL);
	return a->order[0] == b->order[0] && question_is_traded(a) == question_is_traded(b);
}

/* True if the result of a context differs from the result of the question's focus. A win and a
 * trade-off are different results, even if the same option is ahead. If the question is undecided,
 * true if a single option is ahead in the context. */
static bool is_opposed(const struct question *question, const struct context *context)
{
	const struct context *focus = &question->contexts[question->focus];
	bool clear = context->count > 1 && context->tied == 1;

	if (context->count < 2 || context == focus)
		return false;
	if (question->outcome == OUTCOME_UNDECIDED)
		return clear;
	return !clear || context->order[0] != focus->order[0] ||
	       question_is_traded(context) != question_is_traded(focus);
}

/* Returns a text with the result of the contexts in `alike`, which all have the same result: "8
 * wins by 2.1 to 4.0 %". */
static const char *opposed_text(
	const struct context *const *alike, uint32_t count, struct arena *arena)
{
	double least = INFINITY, most = 0;
	const char *by;

	if (compare_is_saturated(alike[0]))
		return alike[0]->count > 2 ? "undecided, since the best are saturated,"
					   : "undecided, since both are saturated,";
	if (alike[0]->tied != 1)
		return alike[0]->needed > 0
			       ? "undecided, since too few rounds show no steady state,"
		       : alike[0]->doubt.family ? "undecided, within the model's error,"
						: "undecided";
	for (uint32_t i = 0; i < count; i++) {
		double ratio = alike[i]->margins[alike[i]->order[1]].ratio;
		least = fmin(least, ratio);
		most = fmax(most, ratio);
	}
	by = compare_by(least, most, arena);
	return arena_printf(arena,
		question_is_traded(alike[0]) ? "%s is ahead %s, as a trade-off" : "%s wins %s",
		alike[0]->labels[alike[0]->order[0]], by);
}

uint32_t compare_opposed(
	const struct question *question, const char **texts, uint32_t most, struct arena *arena)
{
	const struct context **alike =
		arena_array(arena, question->context_count + 1, sizeof(*alike));
	uint32_t found = 0;

	for (uint32_t i = 0; i < question->context_count && found < most; i++) {
		const struct context *context = &question->contexts[i];
		const char *where = compare_where(context, arena);
		uint32_t count = 0, before = 0;
		while (before < i && !(is_opposed(question, &question->contexts[before]) &&
					     opposed_alike(&question->contexts[before], context)))
			before++;
		if (!is_opposed(question, context) || before < i)
			continue;
		alike[count++] = context;
		for (uint32_t k = i + 1; k < question->context_count; k++)
			if (is_opposed(question, &question->contexts[k]) &&
				opposed_alike(&question->contexts[k], context)) {
				alike[count++] = &question->contexts[k];
				where = arena_printf(
					arena, "%s or %s", where, question->contexts[k].label);
			}
		texts[found++] =
			arena_printf(arena, "%s%s", opposed_text(alike, count, arena), where);
	}
	return found;
}
