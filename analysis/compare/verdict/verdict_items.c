/* Puts what a verdict says beside its sentence into words (verdict_items.h): what contradicts, what
 * fails, the mechanism, where it flips, and what it rests on. */
#include "analysis/compare/verdict_items.h"

#include <string.h>

#include "analysis/compare/best.h"
#include "analysis/compare/joint.h"
#include "analysis/print/time_text.h"
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
	int digits; /* with which the values of the focus look different */
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

/* Adds the contexts with a different result than the focus. */
static void add_opposed(struct printer *printer)
{
	struct verdict_item *item = &printer->items[ITEM_BUT];

	item->count =
		compare_opposed(printer->question, item->parts, VERDICT_PARTS_MAX, printer->arena);
}

/* Adds the figures in which the winner costs more than another option. If several options tie for
 * the best, adds the figures in which these options differ. */
static void add_sides(struct printer *printer)
{
	const struct context *focus = printer->focus;
	const struct contradiction *found = focus->tied > 1 ? focus->asides : focus->contradictions;
	uint32_t count = focus->tied > 1 ? focus->aside_count : focus->contradiction_count;

	for (uint32_t i = 0; i < count; i++)
		add_part(printer, ITEM_SIDES,
			compare_side(printer->question, focus, &found[i], printer->comparison));
}

/* Adds the options whose runs failed. How the winner of the focus ends is part of the verdict. */
static void add_ends(struct printer *printer)
{
	const struct question *question = printer->question;

	for (uint32_t i = 0; i < question->option_count && printer->focus->count > 1; i++) {
		const char *ends = compare_ends(question, i, printer->arena);

		if (ends && !(question->ended > 0 && i == printer->focus->order[0]))
			add_part(printer, ITEM_ENDS,
				arena_printf(printer->arena, "%s %s, which is no margin",
					question->options[i], ends));
	}
}

/* Adds a warning if there is only one seed. */
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

/* "+12 us of +15 us"; if the part is more than the whole, "+275.9 us, less 97.8 us of the others".
 */
static const char *part_text(double part, double whole, struct arena *arena)
{
	if (part > 1.0005 * whole)
		return arena_printf(arena, "%s, less %s of the others,", more_text(part, arena),
			compare_time_text(part - whole, arena));
	return arena_printf(arena, "%s of %s", more_text(part, arena), more_text(whole, arena));
}

static const char *more_text(double ps, struct arena *arena)
{
	return arena_printf(arena, "%s%s", ps < 0 ? "" : "+", compare_time_text(ps, arena));
}

/* Adds the mechanism of a question about host CPU: the activity of threads instead of stages. */
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
			printer->question->points->by_byte ? "by MiB" : "an operation"));
	return true;
}

static void add_mechanism(struct printer *printer)
{
	const struct sweep_point *pair[2];
	struct arena *arena = printer->arena;
	double whole = 0;

	if (!compare_pair(printer->question, pair) || add_host_mechanism(printer, pair))
		return;
	enum stage stage = compare_mechanism(pair);
	if (stage == STAGE_COUNT) {
		add_part(printer, ITEM_MECHANISM,
			printer->question->points->within
				? "not known of a repeat among other steps; its steps have theirs"
				: "not of the stages of one operation; explain another metric");
		return;
	}
	for (int s = 0; s < STAGE_COUNT; s++)
		whole += compare_stage(pair, s);
	add_part(printer, ITEM_MECHANISM,
		arena_printf(arena, "%s %s %s", stage_label(stage),
			part_text(compare_stage(pair, (int)stage), whole, arena),
			printer->question->points->by_byte ? "by MiB" : "on average"));
	for (int shown = 1; shown < STAGES_SHOWN; shown++) {
		static const char *const heads[] = {"", "then", "against it"};
		enum stage next = compare_next(pair, stage, shown == 2);
		if (next != STAGE_COUNT)
			add_part(printer, ITEM_MECHANISM,
				arena_printf(arena, "%s %s %s", heads[shown], stage_label(next),
					more_text(compare_stage(pair, (int)next), arena)));
	}
}

/* Adds the command that splits the margin into stages, also of an undecided verdict. There is
 * nothing to explain if the best two options differ by less than a margin that decides. */
static void add_explain(struct printer *printer)
{
	const struct context *focus = printer->focus;
	const struct sweep_point *pair[2];
	const char *command;

	if (focus->count < 2 || focus->margins[focus->order[1]].ratio < MARGIN_LEAST)
		return;
	for (int i = 0; i < 2; i++)
		pair[i] = focus->points[focus->order[i]];
	command = explain_command(printer->comparison, printer->question->points, pair);
	if (command)
		add_part(printer, ITEM_EXPLAIN, command);
}

/* The text of a crossover that cannot be interpolated because one option is saturated. */
static const char *saturated_text(
	const struct question *question, const struct crossover *crossover, struct arena *arena)
{
	return arena_printf(arena,
		"%s up to somewhere between %s = %.6g and %.6g, then %s (%s is saturated there; "
		"--refine says where)%s%s",
		question->options[crossover->below], crossover->name, crossover->low,
		crossover->high, question->options[crossover->above], crossover->saturated,
		crossover->context[0] ? " at " : "", crossover->context);
}

static void add_crossovers(struct printer *printer)
{
	const struct question *question = printer->question;

	if (question->hint) {
		const char *command = advice_seeds_command(printer->comparison);
		add_part(printer, ITEM_FLIPS,
			arena_printf(printer->arena, "%s; more seeds: %s", question->hint,
				command ? command : "measure.seeds"));
	}
	for (uint32_t i = 0; i < question->crossover_count; i++) {
		const struct crossover *crossover = &question->crossovers[i];
		if (crossover->saturated && !crossover->refined) {
			add_part(printer, ITEM_FLIPS,
				saturated_text(question, crossover, printer->arena));
			continue;
		}
		add_part(printer, ITEM_FLIPS,
			arena_printf(printer->arena,
				"%s up to %s = %.4g, then %s (%s %.6g and %.6g)%s%s",
				question->options[crossover->below],
				crossover->ends[0][0] == '['
					? arena_printf(
						  printer->arena, "product of %s", crossover->name)
					: crossover->name,
				crossover->at, question->options[crossover->above],
				crossover->refined ? "known between" : "interpolated between",
				crossover->low, crossover->high,
				crossover->context[0] ? " at " : "", crossover->context));
	}
}

static void add_front(struct printer *printer)
{
	const struct context *focus = printer->focus;
	uint32_t *options =
		arena_array(printer->arena, printer->question->option_count + 1, sizeof(*options));
	uint32_t count = compare_front(printer->question, options);

	for (uint32_t i = 0; sweep_has_host_cpu(printer->question->points) && i < count; i++) {
		const struct sweep_point *point = focus->points[options[i]];
		if (point->host_cpu <= 0)
			continue;
		add_part(printer, ITEM_FRONT,
			arena_printf(printer->arena, "%s (%s, CPU %s%s)", focus->labels[options[i]],
				value_text(printer, point),
				compare_time_text(sweep_point_cpu(point), printer->arena),
				printer->question->points->by_byte ? " by MiB" : ""));
	}
}

/* Adds the error of the model if it is larger than the margin of a winner. */
static void add_model(struct printer *printer)
{
	const struct context *focus = printer->focus;
	const struct margin *margin;
	const struct model_doubt *doubt = &focus->owed;

	if (printer->question->outcome == OUTCOME_UNDECIDED || focus->count < 2)
		return;
	margin = &focus->margins[focus->order[1]];
	if (doubt->most <= 0 || margin->ratio >= doubt->error)
		return;
	add_part(printer, ITEM_MODEL,
		arena_printf(printer->arena,
			"%s is less than the model's error of %s, which may move it by %s",
			compare_percent(margin->ratio, printer->arena),
			trust_error_text(doubt, printer->arena),
			compare_percent(doubt->most, printer->arena)));
}

static void add_rests(struct printer *printer)
{
	struct constants constants = compare_rests(printer->comparison, printer->question);
	struct verdict_item *item = &printer->items[ITEM_RESTS];
	const char *texts[VERDICT_PARTS_MAX];
	uint32_t count =
		verdict_rests_texts(&constants, true, texts, VERDICT_PARTS_MAX, printer->arena);

	item->count = verdict_rests_texts(
		&constants, false, item->parts, VERDICT_PARTS_MAX, printer->arena);
	if (count > 0)
		item->brief = paragraph_fit(
			texts, count, "; ", UINT32_MAX / 2, PIPE_COLUMNS, printer->arena);
}

/* Adds the unswept choices that the margin rests on. */
static void add_choices(struct printer *printer)
{
	const struct choices *choices = &printer->question->choices;

	for (uint32_t i = 0; i < choices->count; i++)
		add_part(printer, ITEM_CHOICES, choice_text(&choices->at[i], true, printer->arena));
}

/* Returns a text with the number of perturbations that were tried, and the number in which the
 * verdict held. The text also names the first perturbation that could not run. */
static const char *tried_text(const struct robustness *robust, struct arena *arena)
{
	const char *text = arena_printf(arena,
		"holds in %u of %u (costs -30 %% and +30 %%, networks; %u runs)", robust->held,
		robust->tried, robust->runs);

	if (robust->failed > 0)
		text = arena_printf(arena, "%s, %u could not run: %s", text, robust->failed,
			robust->failures[0]);
	if (robust->failed > 1)
		text = arena_printf(arena, "%s, and %u more", text, robust->failed - 1);
	return text;
}

static void add_robust(struct printer *printer)
{
	const struct robustness *robust = &printer->question->robust;
	struct arena *arena = printer->arena;

	if (!robust->tried_any)
		return;
	add_part(printer, ITEM_ROBUST, tried_text(robust, arena));
	for (uint32_t i = 0; i < robust->break_count; i++)
		add_part(printer, ITEM_ROBUST,
			arena_printf(arena, "%s%s", i ? "" : "not with ", robust->breaks[i]));
}

/* Adds the probability that the winner is the best if all costs are uncertain. */
static void add_joint(struct printer *printer)
{
	struct verdict_item *item = &printer->items[ITEM_JOINT];

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
