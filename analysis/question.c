/* Makes and answers questions, see question.h. Refuses to compare across contexts. */
#include "question.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/nearest.h"

static const char *column_name(const struct view *view, uint32_t column)
{
	return view->summary.columns[view->swept_first + column].name;
}

bool key_number(const char *text, double *number)
{
	double product = 1;
	bool list = text[0] == '[';
	char *end;

	if (list)
		text++;
	do {
		*number = strtod(text, &end);
		if (end == text)
			return false;
		product *= *number;
		text = end + strspn(end, list ? ", " : "");
	} while (list && *text != ']' && *text);
	*number = product;
	return list ? strcmp(text, "]") == 0 : *text == '\0';
}

/* ---- columns that belong together ---- */

static int compare_pairs(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	int order = strcmp(x[0], y[0]);

	return order ? order : strcmp(x[1], y[1]);
}

/* Different pairs of values of two columns. */
static uint32_t distinct(const struct points *points, uint32_t a, uint32_t b)
{
	const char *(*pairs)[2] = calloc(points->count, sizeof(*pairs));
	uint32_t count = 0;

	ensure(pairs, "no memory for %u pairs", points->count);
	for (uint32_t i = 0; i < points->count; i++) {
		pairs[i][0] = points->at[i].keys[a];
		pairs[i][1] = points->at[i].keys[b];
	}
	qsort(pairs, points->count, sizeof(*pairs), compare_pairs);
	for (uint32_t i = 0; i < points->count; i++)
		count += i == 0 || compare_pairs(pairs[i], pairs[i - 1]) != 0;
	free(pairs);
	return count;
}

/* Swept by maps: not every value of one is combined with every value of the other. */
static bool together(const struct points *points, uint32_t a, uint32_t b)
{
	return distinct(points, a, b) < (uint64_t)distinct(points, a, a) * distinct(points, b, b);
}

static void find_together(const struct view *view, const struct points *points, uint32_t *leader)
{
	for (uint32_t i = 0; i < view->swept_count; i++)
		leader[i] = i;
	for (uint32_t i = 0; i < view->swept_count; i++)
		for (uint32_t j = 0; j < i; j++) {
			uint32_t from = leader[i], to = leader[j];
			if (from == to || !together(points, j, i))
				continue;
			for (uint32_t k = 0; k < view->swept_count; k++)
				leader[k] = leader[k] == from ? to : leader[k];
		}
}

/* ---- labels ---- */

static const char *short_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

static const char *keys_label(const struct view *view, const char *const *keys, const bool *in,
	bool brief, struct arena *arena)
{
	const char *label = "";
	uint32_t count = 0;

	for (uint32_t i = 0; i < view->swept_count; i++)
		count += in[i];
	for (uint32_t i = 0; i < view->swept_count; i++) {
		const char *name = column_name(view, i);
		if (!in[i] || strcmp(keys[i], "-") == 0)
			continue;
		label = brief && count == 1 ? keys[i]
					    : arena_printf(arena, "%s%s%s=%s", label,
						      label[0] ? (brief ? " " : ", ") : "",
						      brief ? short_name(name) : name, keys[i]);
	}
	return label[0] || count == 0 ? label : "-";
}

/* What the names of a question's columns have in common, or all of them. */
static const char *question_label(const struct view *view, const bool *in, struct arena *arena)
{
	const char *first = NULL, *label = "";
	size_t common = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < view->swept_count; i++) {
		const char *name = column_name(view, i);
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
	return common ? arena_copy(arena, first, common) : label;
}

/* ---- options and contexts ---- */

static bool same(
	const struct view *view, const char *const *a, const char *const *b, const bool *in)
{
	for (uint32_t i = 0; i < view->swept_count; i++)
		if (in[i] && strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

static uint32_t option_of(struct question *question, const struct view *view,
	const struct point_of_sweep *point, struct arena *arena)
{
	uint32_t i = 0;

	while (i < question->option_count &&
		!same(view, question->option_keys[i], point->keys, question->is_option))
		i++;
	if (i == question->option_count) {
		question->option_keys[i] = point->keys;
		question->options[i] =
			keys_label(view, point->keys, question->is_option, true, arena);
		question->option_count++;
	}
	return i;
}

static struct context *context_of(struct question *question, const struct view *view,
	const struct points *points, const struct point_of_sweep *point, const bool *fixed,
	struct arena *arena)
{
	struct context *context;

	for (uint32_t i = 0; i < question->context_count; i++)
		if (same(view, question->contexts[i].keys, point->keys, fixed))
			return &question->contexts[i];
	context = &question->contexts[question->context_count++];
	context->keys = point->keys;
	context->label = keys_label(view, point->keys, fixed, false, arena);
	context->points = arena_array(arena, points->count, sizeof(*context->points));
	return context;
}

static void place_points(struct question *question, const struct view *view,
	const struct points *points, struct arena *arena)
{
	bool *fixed = arena_array(arena, view->swept_count + 1, sizeof(*fixed));

	question->options = arena_array(arena, points->count, sizeof(*question->options));
	question->option_keys = arena_array(arena, points->count, sizeof(*question->option_keys));
	question->contexts = arena_array(arena, points->count, sizeof(*question->contexts));
	for (uint32_t i = 0; i < view->swept_count; i++)
		fixed[i] = !question->is_option[i] && !question->is_free[i];
	for (uint32_t i = 0; i < points->count; i++) {
		const struct point_of_sweep *point = &points->at[i];
		uint32_t option = option_of(question, view, point, arena);
		struct context *context = context_of(question, view, points, point, fixed, arena);
		const struct point_of_sweep **slot = &context->points[option];
		if (point->good &&
			(!*slot || point_value(points, point) < point_value(points, *slot)))
			*slot = point;
	}
}

void context_rank(struct context *context, const struct question *question,
	const struct points *points, struct arena *arena)
{
	context->order = arena_array(arena, question->option_count, sizeof(*context->order));
	context->margins = arena_array(arena, question->option_count, sizeof(*context->margins));
	context->count = context->tied = 0;
	for (uint32_t i = 0; i < question->option_count; i++) {
		uint32_t place = context->count;
		if (!context->points[i])
			continue;
		double value = point_value(points, context->points[i]);
		for (; place > 0 &&
			value < point_value(points, context->points[context->order[place - 1]]);
			place--)
			context->order[place] = context->order[place - 1];
		context->order[place] = i;
		context->count++;
	}
	for (uint32_t i = 0; i < context->count; i++) {
		uint32_t option = context->order[i];
		context->margins[option] = margin_of(&context->points[context->order[0]]->samples,
			&context->points[option]->samples, points->which);
		if (i == 0 || !margin_decides(&context->margins[option]))
			context->tied = i + 1;
	}
}

/* ---- the verdict ---- */

static double best_value(const struct context *context, const struct points *points)
{
	return point_value(points, context->points[context->order[0]]);
}

/* Somebody wins alone; a context with one option asks nothing. */
static bool is_clear(const struct context *context)
{
	return context->count > 1 && context->tied == 1;
}

static void choose_focus(struct question *question, const struct points *points)
{
	bool found = false;

	for (uint32_t i = 0; i < question->context_count; i++) {
		struct context *context = &question->contexts[i];
		struct context *focus = &question->contexts[question->focus];
		if (context->count < 2)
			continue;
		if (!found || (is_clear(context) && !is_clear(focus)) ||
			(is_clear(context) == is_clear(focus) &&
				best_value(context, points) < best_value(focus, points)))
			question->focus = i;
		found = true;
	}
}

static void decide(struct question *question, const struct points *points)
{
	const struct context *focus;

	choose_focus(question, points);
	focus = &question->contexts[question->focus];
	question->outcome = is_clear(focus) ? OUTCOME_WINS : OUTCOME_UNDECIDED;
	if (question->outcome == OUTCOME_UNDECIDED)
		return;
	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		if (!is_clear(context))
			continue;
		if (context->order[0] == focus->order[0])
			question->wins++;
		else
			question->outcome = OUTCOME_DEPENDS;
	}
}

static void answer(struct question *question, const struct view *view, const struct points *points,
	struct arena *arena)
{
	question->label = question_label(view, question->is_option, arena);
	place_points(question, view, points, arena);
	for (uint32_t i = 0; i < question->context_count; i++)
		context_rank(&question->contexts[i], question, points, arena);
	decide(question, points);
	crossovers_find(question, view, points, arena);
}

/* ---- which questions ---- */

static bool starts(const char *name, const char *key)
{
	size_t length = strlen(key);

	return strncmp(name, key, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

static bool is_condition(const char *name)
{
	static const char *const conditions[] = {
		"workload", "platform", "model", "runtime.mesh", "measure", "limits"};

	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
		if (starts(name, conditions[i]))
			return true;
	return false;
}

static struct question *new_question(
	struct questions *questions, const struct view *view, struct arena *arena)
{
	struct question *question = &questions->at[questions->count++];

	question->is_option = arena_array(arena, view->swept_count + 1, sizeof(bool));
	question->is_free = arena_array(arena, view->swept_count + 1, sizeof(bool));
	return question;
}

static bool ask(struct questions *questions, const struct view *view, const uint32_t *leader,
	const char *key, struct arena *arena, struct text *why)
{
	struct question *question = new_question(questions, view, arena);
	struct nearest nearest;
	bool any = false;

	nearest_start(&nearest, key);
	for (uint32_t i = 0; i < view->swept_count; i++) {
		question->is_option[i] = starts(column_name(view, i), key);
		any |= question->is_option[i];
		nearest_offer(&nearest, column_name(view, i));
	}
	for (uint32_t i = 0; i < view->swept_count; i++)
		for (uint32_t j = 0; j < view->swept_count; j++)
			question->is_free[i] |= !question->is_option[i] && question->is_option[j] &&
						leader[i] == leader[j];
	if (!any) {
		text_printf(why, "'%s' is not swept in it", key);
		if (nearest.best)
			text_printf(why, ", did you mean '%s'?", nearest.best);
	}
	return any;
}

/* A question for each group of columns; of conditions only if `conditions`. */
static void ask_all(struct questions *questions, const struct view *view, const uint32_t *leader,
	bool conditions, struct arena *arena)
{
	for (uint32_t i = 0; i < view->swept_count; i++) {
		struct question *question;
		if (leader[i] != i || is_condition(column_name(view, i)) != conditions)
			continue;
		question = new_question(questions, view, arena);
		for (uint32_t j = 0; j < view->swept_count; j++)
			question->is_option[j] = leader[j] == i;
	}
}

bool questions_make(const struct view *view, const struct points *points, const char *const *by,
	uint32_t by_count, struct arena *arena, struct questions *questions, struct text *why)
{
	uint32_t *leader = arena_array(arena, view->swept_count + 1, sizeof(*leader));

	questions->at =
		arena_array(arena, view->swept_count + by_count + 1, sizeof(*questions->at));
	questions->count = 0;
	find_together(view, points, leader);
	for (uint32_t i = 0; i < by_count; i++)
		if (!ask(questions, view, leader, by[i], arena, why))
			return false;
	if (by_count == 0)
		ask_all(questions, view, leader, false, arena);
	if (questions->count == 0)
		ask_all(questions, view, leader, true, arena);
	if (questions->count == 0) {
		text_append(why, "nothing is swept in it, so there is nothing to compare");
		return false;
	}
	for (uint32_t i = 0; i < questions->count; i++)
		answer(&questions->at[i], view, points, arena);
	return true;
}
