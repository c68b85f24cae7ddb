/* Writes the items of a verdict in words (verdict_items.h): contradictions, failed runs, the
 * mechanism, where the verdict flips, and what it rests on. */
#include "analysis/compare/verdict_items.h"

#include <math.h>
#include <string.h>

#include "analysis/compare/best.h"
#include "analysis/compare/joint.h"
#include "analysis/print/value_text.h"
#include "analysis/print/wrap.h"

enum { STAGES_SHOWN = 3 };

static const char *const item_names[ITEM_COUNT] = {"verdict", "but then", "fails", "seeds", "but",
	"ranking", "mechanism", "explain", "flips", "front", "robust", "joint", "for", "model",
	"rests on"};

struct printer {
	struct comparison *comparison;
	const struct question *question;
	const struct context *focus;
	struct arena *arena;
	struct verdict_item *items;
	int digits; /* digits that make different values of the focus look different */
};

static const char *value_text(const struct printer *printer, const struct sweep_point *point)
{
	const struct sweep_points *points = printer->question->points;

	return compare_value_text(
		points, sweep_point_value(points, point), printer->digits, printer->arena);
}

static void add_part(struct printer *printer, enum verdict_item_kind kind, const char *part)
{
	struct verdict_item *item = &printer->items[kind];

	if (item->count < VERDICT_PARTS_MAX)
		item->parts[item->count++] = part;
}

/* Adds the contexts whose result differs from the result of the focus. */
static void add_opposed(struct printer *printer)
{
	struct verdict_item *item = &printer->items[ITEM_BUT];

	item->count =
		compare_opposed(printer->question, item->parts, VERDICT_PARTS_MAX, printer->arena);
}

static void add_side_list(
	struct printer *printer, const struct contradiction *found, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		add_part(printer, ITEM_SIDES,
			compare_side(
				printer->question, printer->focus, &found[i], printer->comparison));
}

/* Adds the figures in which the winner costs more than another option. If several options tie for
 * the best, adds the figures in which one of them certainly costs less than another. */
static void add_sides(struct printer *printer)
{
	const struct context *focus = printer->focus;

	if (focus->tied <= 1)
		add_side_list(printer, focus->contradictions, focus->contradiction_count);
	add_side_list(printer, focus->asides, focus->aside_count);
}

/* Adds the options with failed runs. Leaves out the winner, because another sentence of the verdict
 * says how its runs failed. */
static void add_ends(struct printer *printer)
{
	const struct question *question = printer->question;

	for (uint32_t i = 0; i < question->option_count && printer->focus->count > 1; i++) {
		const char *ends = compare_ends(question, i, printer->arena);

		if (ends && !(question->ended > 0 && i == printer->focus->order[0]))
			add_part(printer, ITEM_ENDS,
				arena_printf(printer->arena, "%s %s: no margin there",
					question->options[i], ends));
	}
}

/* Adds a warning if there is only one seed. Adds none if the question is undecided, or if the
 * winner's figure is exact. */
static void add_seeds(struct printer *printer)
{
	const struct sweep_points *points = printer->question->points;
	const struct context *focus = printer->focus;

	if (focus->count < 2 || points->seeds > 1 || focus->points[focus->order[0]]->exact ||
		printer->question->outcome == OUTCOME_UNDECIDED)
		return;
	if (focus->margins[focus->order[1]].kind == MARGIN_NONE)
		add_part(printer, ITEM_SEEDS,
			"one, which has one such figure: others may differ by anything; ask with "
			"measure.seeds");
	else
		add_part(printer, ITEM_SEEDS,
			"one: the interval is of operations within it, and others may differ by "
			"more; ask with measure.seeds");
}

/* ---- the facts behind the verdict ---- */

static void add_ranking(struct printer *printer)
{
	const struct context *focus = printer->focus;

	for (uint32_t i = 0; focus->count > 2 && i < focus->count; i++)
		add_part(printer, ITEM_RANKING,
			arena_printf(printer->arena, "%s %s", focus->labels[focus->order[i]],
				value_text(printer, focus->points[focus->order[i]])));
}

static const char *more_text(double ps, struct arena *arena);

/* Returns a text about a part of a whole difference, such as "+12 us of +15 us". If the part is
 * larger than the whole, the text is "+275.9 us, less 97.8 us of the others". */
static const char *part_text(double part, double whole, struct arena *arena)
{
	if (part > 1.0005 * whole)
		return arena_printf(arena, "%s, less %s of the others,", more_text(part, arena),
			compare_time_text(part - whole, arena));
	return arena_printf(
		arena, "%s of %s", more_text(fmin(part, whole), arena), more_text(whole, arena));
}

static const char *more_text(double ps, struct arena *arena)
{
	return arena_printf(arena, "%s%s", ps < 0 ? "" : "+", compare_time_text(ps, arena));
}

/* For a question about host CPU, adds the mechanism. It names activities of threads instead of
 * stages. */
static bool add_host_mechanism(struct printer *printer, const struct sweep_point *const pair[2])
{
	struct arena *arena = printer->arena;
	double more[HOST_PARTS], whole = 0;
	enum host_part most;

	if (!compare_host_pair(printer->question, pair, more))
		return false;
	for (int i = 0; i < HOST_PARTS; i++)
		whole += more[i];
	most = compare_host_most(more);
	add_part(printer, ITEM_MECHANISM,
		arena_printf(arena, "%s %s of host CPU %s", compare_host_words(most),
			part_text(more[most], whole, arena),
			printer->question->points->by_byte ? "per MiB" : "an operation"));
	return true;
}

/* Returns a text that says why no stage is the mechanism. Stages are means over all operations.
 * But the metric may be a median, or may come from the steady part of a run. So the sum of the
 * differences of the stages may even have another sign than the difference in the metric. */
static const char *no_mechanism_text(
	const struct printer *printer, const struct sweep_point *const pair[2])
{
	const struct context *focus = printer->focus;
	double whole = 0;

	if (printer->question->points->within)
		return "not known of a repeat among other steps; its steps have theirs";
	if (printer->question->points->whole && (!pair[0]->stages.known || !pair[1]->stages.known))
		return "not known: now one thread is last, now another";
	if (!pair[0]->stages.known || !pair[1]->stages.known)
		return "not known: these runs have no stages";
	for (int s = 0; s < STAGE_COUNT; s++)
		whole += compare_stage(pair, s);
	if (whole == 0)
		return "not of the stages, which are equal on average";
	return arena_printf(printer->arena,
		"the stages go the other way: over all operations, %s takes %s less than %s on "
		"average",
		focus->labels[focus->order[1]], compare_time_text(-whole, printer->arena),
		focus->labels[focus->order[0]]);
}

static void add_mechanism(struct printer *printer)
{
	const struct sweep_point *pair[2];
	struct arena *arena = printer->arena;
	double whole = 0;

	if (!compare_pair(printer->question, pair) || add_host_mechanism(printer, pair))
		return;
	if (printer->question->points->figure == FIGURE_HOST_CPU) {
		add_part(printer, ITEM_MECHANISM, "not known: other work takes part of these runs");
		return;
	}
	enum stage stage = compare_mechanism(pair);
	if (stage == STAGE_COUNT) {
		add_part(printer, ITEM_MECHANISM, no_mechanism_text(printer, pair));
		return;
	}
	for (int s = 0; s < STAGE_COUNT; s++)
		whole += compare_stage(pair, s);
	add_part(printer, ITEM_MECHANISM,
		arena_printf(arena, "%s %s %s", stage_label(stage),
			part_text(compare_stage(pair, (int)stage), whole, arena),
			printer->question->points->by_byte ? "per MiB" : "on average"));
	for (int shown = 1; shown < STAGES_SHOWN; shown++) {
		static const char *const heads[] = {"", "then", "against it"};
		enum stage next = compare_next(pair, stage, shown == 2);
		if (next != STAGE_COUNT)
			add_part(printer, ITEM_MECHANISM,
				arena_printf(arena, "%s %s %s", heads[shown], stage_label(next),
					more_text(compare_stage(pair, (int)next), arena)));
	}
}

/* Adds the command that splits the margin of the best two options into stages, even if the verdict
 * is undecided. Adds nothing if this margin is below MARGIN_LEAST, if the stages of one of the two
 * options are unknown, or if the figure of the verdict has no stages. */
static void add_explain(struct printer *printer)
{
	const struct context *focus = printer->focus;
	const struct sweep_point *pair[2];
	const char *command;

	if (focus->count < 2 || focus->margins[focus->order[1]].ratio < MARGIN_LEAST)
		return;
	for (int i = 0; i < 2; i++)
		pair[i] = focus->points[focus->order[i]];
	if (!pair[0]->stages.known || !pair[1]->stages.known)
		return;
	command = explain_command(printer->comparison, printer->question->points, pair);
	if (command)
		add_part(printer, ITEM_EXPLAIN, command);
}

/* True if the key of a crossover is the shape of a mesh. The value of such a key is the product of
 * the shape's numbers, which is a number of chips. */
static bool is_shape(const struct crossover *crossover)
{
	size_t length = strlen(crossover->name), tail = strlen("shape");

	return crossover->ends[0][0] == '[' && length >= tail &&
	       strcmp(crossover->name + length - tail, "shape") == 0;
}

/* Returns where the verdict flips, such as "bytes = 1234" or "6.889 chips". */
static const char *crossing_text(const struct crossover *crossover, struct arena *arena)
{
	if (is_shape(crossover))
		return arena_printf(arena, "%.4g chips", crossover->at);
	return arena_printf(arena, "%s%s = %.4g", crossover->ends[0][0] == '[' ? "product of " : "",
		crossover->name, crossover->at);
}

/* Returns a text for a crossover without interpolation, because one option is saturated. */
static const char *saturated_text(
	const struct question *question, const struct crossover *crossover, struct arena *arena)
{
	return arena_printf(arena,
		"%s up to somewhere between %s%s%.6g and %.6g%s, then %s (%s is saturated there; "
		"--refine says where)%s%s",
		question->options[crossover->below], is_shape(crossover) ? "" : crossover->name,
		is_shape(crossover) ? "" : " = ", crossover->low, crossover->high,
		is_shape(crossover) ? " chips" : "", question->options[crossover->above],
		crossover->saturated, crossover->context[0] ? " at " : "", crossover->context);
}

static void add_crossovers(struct printer *printer)
{
	const struct question *question = printer->question;

	if (question->hint)
		add_part(printer, ITEM_FLIPS,
			arena_printf(printer->arena, "%s; ask with measure.seeds", question->hint));
	for (uint32_t i = 0; i < question->crossover_count; i++) {
		const struct crossover *crossover = &question->crossovers[i];
		if (crossover->saturated && !crossover->refined) {
			add_part(printer, ITEM_FLIPS,
				saturated_text(question, crossover, printer->arena));
			continue;
		}
		add_part(printer, ITEM_FLIPS,
			arena_printf(printer->arena, "%s up to %s, then %s (%s %.6g and %.6g)%s%s",
				question->options[crossover->below],
				crossing_text(crossover, printer->arena),
				question->options[crossover->above],
				crossover->refined ? "known between" : "interpolated between",
				crossover->low, crossover->high,
				crossover->context[0] ? " at " : "", crossover->context));
	}
}

/* Adds the options that no other option beats in both the metric and host CPU. If host CPU itself
 * is the metric, there is only one figure, and no options are added. */
static void add_front(struct printer *printer)
{
	const struct sweep_points *points = printer->question->points;
	const struct context *focus = printer->focus;
	bool two = sweep_has_host_cpu(points) && points->figure != FIGURE_HOST_CPU;
	uint32_t *options =
		arena_array(printer->arena, printer->question->option_count + 1, sizeof(*options));
	uint32_t count = compare_front(printer->question, options);

	for (uint32_t i = 0; two && i < count; i++) {
		const struct sweep_point *point = focus->points[options[i]];
		if (point->host_cpu <= 0)
			continue;
		add_part(printer, ITEM_FRONT,
			arena_printf(printer->arena, "%s (%s, CPU %s%s)", focus->labels[options[i]],
				value_text(printer, point),
				compare_time_text(sweep_point_cpu(point), printer->arena),
				printer->question->points->by_byte ? " per MiB" : ""));
	}
}

static void add_model(struct printer *printer)
{
	const char *text = verdict_model_text(printer->question, printer->arena);

	if (text)
		add_part(printer, ITEM_MODEL, text);
}

static void add_rests(struct printer *printer)
{
	struct constants constants = compare_rests(printer->comparison, printer->question);
	struct verdict_item *item = &printer->items[ITEM_RESTS];
	const char *texts[VERDICT_PARTS_MAX];
	const char *stead = verdict_stead_text(printer->comparison, printer->question);
	uint32_t count =
		verdict_rests_texts(&constants, true, texts, VERDICT_PARTS_MAX, printer->arena);

	item->count = verdict_rests_texts(
		&constants, false, item->parts, VERDICT_PARTS_MAX, printer->arena);
	if (stead && count < VERDICT_PARTS_MAX)
		texts[count++] = item->parts[item->count++] = stead;
	if (count > 0)
		item->brief = paragraph_fit(texts, count, "; ", 1, verdict_item_noun(ITEM_RESTS),
			UINT32_MAX / 2, PIPE_COLUMNS, printer->arena);
}

/* Returns true if a question is undecided, but could be decided if the true margin were the upper
 * end of its interval. Then sets pair[] to the two best points, which this margin compares. Always
 * returns false for questions about host CPU. */
static bool may_decide(const struct printer *printer, const struct sweep_point *pair[2])
{
	const struct context *focus = printer->focus;
	const struct margin *margin;

	if (printer->question->outcome != OUTCOME_UNDECIDED || focus->count < 2 ||
		printer->question->points->figure == FIGURE_HOST_CPU)
		return false;
	margin = &focus->margins[focus->order[1]];
	for (int i = 0; i < 2; i++)
		pair[i] = focus->points[focus->order[i]];
	return fmax(margin->ratio, margin->high) >= MARGIN_LEAST;
}

/* Adds the design choices that were not swept and on which the margin depends. If the verdict is
 * undecided, adds them only if may_decide() is true. Choices with a value that breaks or reverses
 * the verdict come first, and are always printed. */
static void add_choices(struct printer *printer)
{
	struct choices choices = printer->question->choices;
	const struct sweep_point *pair[2];

	if (printer->question->equal && choices.count > 0) {
		struct verdict_item *item = &printer->items[ITEM_CHOICES];
		item->count = verdict_equal_texts(
			&choices, item->parts, VERDICT_PARTS_MAX, &item->least, printer->arena);
		return;
	}
	if (may_decide(printer, pair))
		choices = choices_between(printer->comparison, pair);
	for (uint32_t i = 0; i < 2 * choices.count; i++) {
		const struct design_choice *choice = &choices.at[i % choices.count];
		bool breaks = choice_breaks(choice);

		if (breaks != (i < choices.count))
			continue;
		add_part(printer, ITEM_CHOICES, choice_text(choice, true, printer->arena));
		printer->items[ITEM_CHOICES].least += breaks;
	}
}

static void add_robust(struct printer *printer)
{
	struct verdict_item *item = &printer->items[ITEM_ROBUST];

	item->count = verdict_robust_texts(
		printer->question, item->parts, VERDICT_PARTS_MAX, printer->arena);
}

/* Adds the probability that the winner is the best if all costs are uncertain. Adds nothing if the
 * best two options are equal. */
static void add_joint(struct printer *printer)
{
	struct verdict_item *item = &printer->items[ITEM_JOINT];
	const struct context *focus = printer->focus;

	if (focus->count > 1 && focus->margins[focus->order[1]].ratio < COMPARE_EQUAL)
		return;
	item->count = compare_joint_texts(
		printer->question, item->parts, VERDICT_PARTS_MAX, printer->arena);
}

static int focus_digits(const struct printer *printer)
{
	const struct sweep_points *points = printer->question->points;
	const struct context *focus = printer->focus;
	double *values = arena_array(printer->arena, focus->count + 1, sizeof(*values));

	for (uint32_t i = 0; i < focus->count; i++)
		values[i] = sweep_point_value(points, focus->points[focus->order[i]]);
	return compare_value_digits(points, values, focus->count, printer->arena);
}

void verdict_items_find(struct comparison *comparison, const struct question *question,
	struct verdict_item items[ITEM_COUNT])
{
	struct printer printer = {.comparison = comparison,
		.question = question,
		.focus = &question->contexts[question->focus],
		.arena = &comparison->arena,
		.items = items};

	memset(items, 0, ITEM_COUNT * sizeof(*items));
	printer.digits = focus_digits(&printer);
	add_part(&printer, ITEM_VERDICT, compare_verdict(question, &comparison->arena));
	add_sides(&printer);
	add_ends(&printer);
	add_seeds(&printer);
	add_opposed(&printer);
	add_ranking(&printer);
	add_mechanism(&printer);
	add_explain(&printer);
	add_crossovers(&printer);
	add_front(&printer);
	add_robust(&printer);
	add_joint(&printer);
	add_choices(&printer);
	add_model(&printer);
	add_rests(&printer);
}

const char *verdict_item_name(enum verdict_item_kind kind, const struct question *question)
{
	return kind == ITEM_BUT && question->outcome == OUTCOME_UNDECIDED ? "elsewhere"
									  : item_names[kind];
}

const char *verdict_item_noun(enum verdict_item_kind kind)
{
	static const char *const nouns[ITEM_COUNT] = {[ITEM_SIDES] = "figure",
		[ITEM_ENDS] = "option",
		[ITEM_BUT] = "result",
		[ITEM_RANKING] = "option",
		[ITEM_MECHANISM] = "stage",
		[ITEM_FLIPS] = "crossover",
		[ITEM_FRONT] = "option",
		[ITEM_ROBUST] = "finding",
		[ITEM_JOINT] = "finding",
		[ITEM_CHOICES] = "choice",
		[ITEM_RESTS] = "kind"};

	return nouns[kind] ? nouns[kind] : "part";
}

const char *verdict_item_separator(enum verdict_item_kind kind)
{
	return kind == ITEM_RANKING || kind == ITEM_FRONT || kind == ITEM_CHOICES ? ", " : "; ";
}

void verdict_items_json(
	struct comparison *comparison, const struct question *question, struct json *json)
{
	struct verdict_item items[ITEM_COUNT];

	verdict_items_find(comparison, question, items);
	json_array_of(json, "items");
	for (int i = ITEM_VERDICT + 1; i < ITEM_COUNT; i++) {
		if (items[i].count == 0)
			continue;
		json_object(json);
		json_text(json, "item", verdict_item_name((enum verdict_item_kind)i, question));
		json_array_of(json, "parts");
		for (uint32_t k = 0; k < items[i].count; k++)
			json_string(json, items[i].parts[k]);
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
}
