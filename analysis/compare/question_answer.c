/* Answers questions (question.h): ranks the options within each context, finds contradictions, and
 * determines the verdict. */
#include "analysis/compare/question.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/compare/sweep_points.h"

/* ---- labels ---- */

static const char *keys_label(const struct summary *summary, const char *const *keys,
	const bool *in, bool brief, struct arena *arena)
{
	const char *label = "";
	uint32_t count = 0;

	for (uint32_t i = 0; i < summary->swept_count; i++)
		count += in[i];
	for (uint32_t i = 0; i < summary->swept_count; i++) {
		if (!in[i] || strcmp(keys[i], "-") == 0)
			continue;
		label = brief && count == 1 ? keys[i]
					    : arena_printf(arena, "%s%s%s=%s", label,
						      label[0] ? (brief ? " " : ", ") : "",
						      summary_short_name(summary, i), keys[i]);
	}
	return label[0] || count == 0 ? label : "-";
}

/* Returns the label of a question. If the names of all its columns begin with the same two or more
 * components, the label is these common components. Otherwise the label lists all names. */
static const char *question_label(
	const struct summary *summary, const bool *in, struct arena *arena)
{
	const char *first = NULL, *label = "";
	size_t common = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const char *name = swept_key(summary, i);
		size_t length = 0;
		if (!in[i])
			continue;
		label = count++ ? arena_printf(arena, "%s, %s", label, name) : name;
		if (!first) {
			first = name;
			common = strlen(name);
			continue;
		}
		while (length < common && name[length] == first[length])
			length++;
		common = length;
	}
	if (count < 2)
		return label;
	while (common > 0 && first[common] != '.')
		common--;
	return common && memchr(first, '.', common) ? arena_copy(arena, first, common) : label;
}

/* ---- options and contexts ---- */

static bool question_answer_same(
	const struct summary *summary, const char *const *a, const char *const *b, const bool *in)
{
	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (in[i] && strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

static uint32_t option_of(struct question *question, const struct summary *summary,
	const struct sweep_point *point, struct arena *arena)
{
	uint32_t i = 0;

	while (i < question->option_count &&
		!question_answer_same(
			summary, question->option_keys[i], point->keys, question->is_option))
		i++;
	if (i == question->option_count) {
		question->option_keys[i] = point->keys;
		question->options[i] =
			keys_label(summary, point->keys, question->is_option, true, arena);
		question->option_count++;
	}
	return i;
}

static struct context *context_of(struct question *question, const struct summary *summary,
	const struct sweep_points *points, const struct sweep_point *point, const bool *fixed,
	struct arena *arena)
{
	struct context *context;

	for (uint32_t i = 0; i < question->context_count; i++)
		if (question_answer_same(summary, question->contexts[i].keys, point->keys, fixed))
			return &question->contexts[i];
	context = &question->contexts[question->context_count++];
	context->keys = point->keys;
	context->label = keys_label(summary, point->keys, fixed, false, arena);
	context->points = arena_array(arena, points->count, sizeof(*context->points));
	context->failed = arena_array(arena, points->count, sizeof(*context->failed));
	context->labels = arena_array(arena, points->count, sizeof(*context->labels));
	return context;
}

/* Returns true if the question can be asked about a point. If only some points have the keys of the
 * question, these are the points that have all of them. Otherwise, these are all points. */
static bool has_options(const struct question *question, const struct summary *summary,
	const struct sweep_point *point)
{
	for (uint32_t i = 0; question->is_part && i < summary->swept_count; i++)
		if (question->is_option[i] && strcmp(point->keys[i], "-") == 0)
			return false;
	return true;
}

/* Labels the options of a context with the best values of their other keys. */
static void label_options(struct question *question, const struct summary *summary,
	const struct context *context, struct arena *arena)
{
	for (uint32_t i = 0; i < question->option_count; i++) {
		const char *best = "";
		for (uint32_t k = 0; context->points[i] && k < summary->swept_count; k++)
			if (question->is_free[k] && strcmp(context->points[i]->keys[k], "-") != 0)
				best = arena_printf(arena, "%s%s%s=%s", best, best[0] ? " " : "",
					summary_short_name(summary, k),
					context->points[i]->keys[k]);
		context->labels[i] =
			best[0] ? arena_printf(arena, "%s (%s)", question->options[i], best)
				: question->options[i];
	}
}

static void place_points(struct question *question, const struct summary *summary,
	const struct sweep_points *points, struct arena *arena)
{
	bool *fixed = arena_array(arena, summary->swept_count + 1, sizeof(*fixed));

	question->options = arena_array(arena, points->count, sizeof(*question->options));
	question->option_keys = arena_array(arena, points->count, sizeof(*question->option_keys));
	question->contexts = arena_array(arena, points->count, sizeof(*question->contexts));
	for (uint32_t i = 0; i < summary->swept_count; i++)
		fixed[i] = !question->is_option[i] && !question->is_free[i];
	for (uint32_t i = 0; i < points->count; i++) {
		const struct sweep_point *point = &points->at[i];
		if (!has_options(question, summary, point))
			continue;
		uint32_t option = option_of(question, summary, point, arena);
		struct context *context =
			context_of(question, summary, points, point, fixed, arena);
		const struct sweep_point **slot = &context->points[option];
		if (point->failed)
			context->failed[option] = point;
		if (point->good && (!*slot || sweep_point_value(points, point) <
						      sweep_point_value(points, *slot)))
			*slot = point;
	}
	for (uint32_t i = 0; i < question->context_count; i++) {
		struct context *context = &question->contexts[i];
		for (uint32_t k = 0; k < question->option_count; k++)
			if (context->points[k])
				context->failed[k] = NULL;
		label_options(question, summary, context, arena);
	}
}

bool question_beats(const struct sweep_points *points, const struct sweep_point *const pair[2],
	const struct margin *margin, struct model_doubt *doubt)
{
	*doubt = (struct model_doubt){0};
	if (!margin_decides(margin))
		return false;
	*doubt = model_doubt(points->errors,
		&(struct model_design){&pair[0]->charges, pair[0]->machine},
		&(struct model_design){&pair[1]->charges, pair[1]->machine}, margin->ratio);
	return margin->ratio > doubt->most;
}

/* Sorts a context's options by value. */
static void rank_context(struct context *context, const struct question *question,
	const struct sweep_points *points, struct arena *arena)
{
	context->order = arena_array(arena, question->option_count, sizeof(*context->order));
	context->margins = arena_array(arena, question->option_count, sizeof(*context->margins));
	context->count = 0;
	for (uint32_t i = 0; i < question->option_count; i++) {
		uint32_t place = context->count;
		if (!context->points[i])
			continue;
		double value = sweep_point_value(points, context->points[i]);
		for (; place > 0 && value < sweep_point_value(points,
						    context->points[context->order[place - 1]]);
			place--)
			context->order[place] = context->order[place - 1];
		context->order[place] = i;
		context->count++;
	}
	for (uint32_t i = 0; i < context->count; i++) {
		uint32_t option = context->order[i];
		context->margins[option] = sweep_margin(points, context->points[context->order[0]],
			context->points[option], FIGURE_METRIC);
		if (context->points[option]->needed > context->needed)
			context->needed = context->points[option]->needed;
	}
	context->unbounded = context->count > 1 && context->points[context->order[1]]->saturated &&
			     !context->points[context->order[0]]->saturated;
}

/* Sets the significance level of all margins. With many contexts, a fixed level would let chance
 * decide some of those whose options are equal. So margins_level() computes the level from one
 * probability of each context: the probability that chance alone gives the context's result. A
 * context is decided only if its best option beats every other option. So the probability of a
 * context is the largest of the probabilities of its margins. */
static void set_level(struct question *question, struct arena *arena)
{
	double *chances = arena_array(arena, question->context_count + 1, sizeof *chances), level;
	uint32_t count = 0;

	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		bool few = context->count < 2;
		for (uint32_t k = 1; k < context->count; k++) {
			const struct margin *margin = &context->margins[context->order[k]];
			few |= margin->few;
			if (chances[count] < margin->chance)
				chances[count] = margin->chance;
		}
		if (few)
			chances[count] = 0;
		else
			count++;
	}
	level = margins_level(chances, count);
	for (uint32_t i = 0; i < question->context_count; i++)
		for (uint32_t k = 0; k < question->contexts[i].count; k++)
			question->contexts[i].margins[question->contexts[i].order[k]].level = level;
}

/* Counts the options of a context that tie for the first place. */
static void count_tied(struct context *context, const struct sweep_points *points)
{
	struct model_doubt doubt;

	context->tied = 0;
	context->doubt = context->owed = (struct model_doubt){0};
	for (uint32_t i = 0; i < context->count; i++) {
		uint32_t option = context->order[i];
		const struct sweep_point *pair[2] = {
			context->points[context->order[0]], context->points[option]};
		if (i > 0 && question_beats(points, pair, &context->margins[option], &doubt)) {
			if (i == 1)
				context->owed = doubt;
			continue;
		}
		context->tied = i + 1;
		if (i > 0)
			context->doubt = doubt;
	}
}

/* ---- figures beside the metric ---- */

/* The margin of a contradiction must be at least this part of the margin on the metric. */
#define WEIGHS 0.1

/* Compares the best option with another option in all figures that may contradict. */
static void compare_figures(
	struct context *context, const struct sweep_points *points, uint32_t other, bool tied)
{
	const struct sweep_point *best = context->points[context->order[0]];
	double margin = context->margins[other].ratio;

	for (int f = FIGURE_P99; f < FIGURE_COUNT; f++) {
		struct contradiction found = {
			.option = other, .than = context->order[0], .figure = (enum figure)f};
		if (!points->witness[f])
			continue;
		if (context->doubt.family && f != FIGURE_HOST_CPU)
			continue; /* the model's error may explain this figure, too */
		found.margin = sweep_margin(points, context->points[other], best, (enum figure)f);
		found.sure = margin_decides(&found.margin) && found.margin.ratio >= WEIGHS * margin;
		if (tied && found.sure)
			context->asides[context->aside_count++] = found;
		else if (!tied && (found.sure || (f <= FIGURE_MEAN && !found.margin.few &&
							 found.margin.ratio > margin &&
							 found.margin.ratio >= MARGIN_LEAST)))
			context->contradictions[context->contradiction_count++] = found;
		if (!tied || found.sure)
			continue;
		found.option = context->order[0];
		found.than = other;
		found.margin = sweep_margin(points, best, context->points[other], (enum figure)f);
		found.sure = margin_decides(&found.margin);
		if (found.sure)
			context->asides[context->aside_count++] = found;
	}
}

static int by_certainty(const void *a, const void *b)
{
	const struct contradiction *x = a, *y = b;

	if (x->sure != y->sure)
		return x->sure ? -1 : 1;
	return (x->margin.ratio < y->margin.ratio) - (x->margin.ratio > y->margin.ratio);
}

static void find_contradictions(
	struct context *context, const struct sweep_points *points, struct arena *arena)
{
	size_t most = (size_t)context->count * FIGURE_COUNT;

	context->contradictions = arena_array(arena, most + 1, sizeof(struct contradiction));
	context->asides = arena_array(arena, most + 1, sizeof(struct contradiction));
	context->contradiction_count = context->aside_count = 0;
	for (uint32_t i = 1; i < context->count; i++)
		if (context->tied == 1 || i < context->tied)
			compare_figures(context, points, context->order[i], context->tied > 1);
	qsort(context->contradictions, context->contradiction_count, sizeof(struct contradiction),
		by_certainty);
	qsort(context->asides, context->aside_count, sizeof(struct contradiction), by_certainty);
}

/* ---- the verdict ---- */

/* An option still wins if at most one in this number of contexts is undecided. */
enum { CONTEXTS_MANY = 20 };

static double best_value(const struct context *context, const struct sweep_points *points)
{
	return sweep_point_value(points, context->points[context->order[0]]);
}

/* True if there are at least two options, and one of them wins alone. */
static bool is_clear(const struct context *context)
{
	return context->count > 1 && context->tied == 1;
}

/* Returns true if two contexts belong to one design: they differ only in conditions such as the
 * workload. If the question is which of two files is better, all contexts belong to one design. */
static bool same_design(const struct question *question, const struct summary *summary,
	const struct context *a, const struct context *b)
{
	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (question->is_option[i] && strcmp(swept_key(summary, i), SWEEP_FILE) == 0)
			return true;
	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (!question->is_option[i] && !question->is_free[i] &&
			!key_is_condition(swept_key(summary, i)) &&
			strcmp(a->keys[i], b->keys[i]) != 0)
			return false;
	return true;
}

/* Returns true if `context` is a better example for the sentence about a verdict than `focus`. A
 * context with a single winner is better than one without. If this does not decide, a context with
 * a bounded margin is better than a context without. If this does not decide either, the context
 * with the smaller time is better. */
static bool is_better_focus(const struct context *context, const struct context *focus,
	const struct sweep_points *points)
{
	if (is_clear(context) != is_clear(focus))
		return is_clear(context);
	if (context->unbounded != focus->unbounded)
		return focus->unbounded;
	return best_value(context, points) < best_value(focus, points);
}

/* Considers the contexts that have a single winner. Returns the one that is the best example
 * (is_better_focus()), or NULL if there is none. */
static struct context *clear_elsewhere(
	const struct question *question, const struct sweep_points *points)
{
	struct context *found = NULL;

	for (uint32_t i = 0; i < question->context_count; i++) {
		struct context *context = &question->contexts[i];
		if (is_clear(context) && (!found || is_better_focus(context, found, points)))
			found = context;
	}
	return found;
}

/* Chooses the focus: the context in which the verdict is explained. First finds the design that has
 * the best value in any context. Then takes the best example (is_better_focus()) among the contexts
 * of this design. If this context has no single winner, but a context of another design has one,
 * takes the best example among all contexts with a single winner. */
static void choose_focus(
	struct question *question, const struct summary *summary, const struct sweep_points *points)
{
	const struct context *best = NULL;
	struct context *focus = NULL, *elsewhere;

	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		if (context->count > 1 &&
			(!best || best_value(context, points) < best_value(best, points)))
			best = context;
	}
	for (uint32_t i = 0; best && i < question->context_count; i++) {
		struct context *context = &question->contexts[i];
		if (context->count < 2 || !same_design(question, summary, context, best))
			continue;
		if (!focus || is_better_focus(context, focus, points))
			focus = context;
	}
	elsewhere = focus && !is_clear(focus) ? clear_elsewhere(question, points) : NULL;
	if (elsewhere)
		focus = elsewhere;
	question->focus = focus ? (uint32_t)(focus - question->contexts) : 0;
}

/* True if a context has a sole best option on the metric, but another figure surely contradicts. */
bool question_is_traded(const struct context *context)
{
	return is_clear(context) && context->contradiction_count > 0 &&
	       context->contradictions[0].sure;
}

/* Returns the outcome of a question whose focus has a single best option. If contexts have
 * different best options, the outcome is OUTCOME_DEPENDS, or OUTCOME_TRADE_OFF if other figures
 * contradict the best option of every context. If all contexts have the same best option, the
 * outcome is still OUTCOME_DEPENDS if too many contexts are undecided or if runs of the winner
 * failed. Otherwise, it is OUTCOME_TRADE_OFF if other figures contradict the winner in the focus,
 * or in more contexts than not. */
static enum outcome outcome_of(const struct question *question)
{
	const struct context *focus = &question->contexts[question->focus];
	uint32_t open = question->asked - question->wins - question->traded;
	bool other = false, won = false;

	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		if (!is_clear(context))
			continue;
		other |= context->order[0] != focus->order[0];
		won |= !question_is_traded(context);
	}
	if (other)
		return won ? OUTCOME_DEPENDS : OUTCOME_TRADE_OFF;
	if (open > question->asked / CONTEXTS_MANY || question->ended > 0)
		return OUTCOME_DEPENDS;
	if (question->traded > question->wins || question_is_traded(focus))
		return OUTCOME_TRADE_OFF;
	return focus->contradiction_count > 0 ? OUTCOME_UNDECIDED : OUTCOME_WINS;
}

static void decide(
	struct question *question, const struct summary *summary, const struct sweep_points *points)
{
	const struct context *focus;

	choose_focus(question, summary, points);
	focus = &question->contexts[question->focus];
	for (uint32_t i = 0; i < question->context_count; i++)
		question->asked += question->contexts[i].count > 1;
	question->outcome = OUTCOME_UNDECIDED;
	if (!is_clear(focus))
		return;
	for (uint32_t i = 0; i < question->context_count; i++)
		question->ended += question->contexts[i].failed[focus->order[0]] != NULL;
	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		if (!is_clear(context) || context->order[0] != focus->order[0])
			continue;
		question->traded += question_is_traded(context);
		question->wins += !question_is_traded(context);
	}
	question->outcome = outcome_of(question);
	question->doubted = question->outcome == OUTCOME_UNDECIDED;
}

void question_answer(struct question *question, const struct summary *summary,
	const struct sweep_points *points, struct arena *arena)
{
	question->points = points;
	question->label = question_label(summary, question->is_option, arena);
	place_points(question, summary, points, arena);
	for (uint32_t i = 0; i < question->context_count; i++)
		rank_context(&question->contexts[i], question, points, arena);
	set_level(question, arena);
	for (uint32_t i = 0; i < question->context_count; i++)
		count_tied(&question->contexts[i], points);
	for (uint32_t i = 0; i < question->context_count; i++)
		find_contradictions(&question->contexts[i], points, arena);
	decide(question, summary, points);
	crossovers_find(question, summary, points, arena);
}
