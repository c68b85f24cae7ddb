/* Prints the verdict on one question in fewer than ten lines; the least important items are cut
 * or dropped. Uses colours on terminals only. */
#include <math.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "analysis/print/paragraph.h"

enum { LINES_MAX = 9, PARTS_MAX = 64, STAGES_SHOWN = 3 };

enum item_kind {
	ITEM_VERDICT,
	ITEM_BUT,
	ITEM_RANKING,
	ITEM_MECHANISM,
	ITEM_FLIPS,
	ITEM_FRONT,
	ITEM_ROBUST,
	ITEM_RESTS,
	ITEM_COUNT
};

static const char *const item_names[ITEM_COUNT] = {
	"verdict", "but", "ranking", "mechanism", "flips", "front", "robust", "rests on"};

/* What goes first where there is no room. */
static const enum item_kind dispensable[] = {
	ITEM_RANKING, ITEM_RESTS, ITEM_FRONT, ITEM_BUT, ITEM_FLIPS};

/* What gets the lines that are left. */
static const enum item_kind wanting[] = {
	ITEM_ROBUST, ITEM_BUT, ITEM_FLIPS, ITEM_MECHANISM, ITEM_RANKING, ITEM_RESTS, ITEM_FRONT};

struct item {
	const char *parts[PARTS_MAX];
	uint32_t count, lines;
	const char *separator;
};

struct printer {
	struct comparison *comparison;
	const struct question *question;
	const struct context *focus;
	struct arena *arena;
	struct item items[ITEM_COUNT];
};

static const char *time_text(double ps, struct arena *arena)
{
	static const struct {
		double factor;
		const char *unit;
	} scales[] = {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}, {1, "ps"}};
	size_t i = 0;

	while (i < 4 && fabs(ps) < scales[i].factor)
		i++;
	return arena_printf(arena, "%.4g %s", ps / scales[i].factor, scales[i].unit);
}

static double value(const struct printer *printer, const struct sweep_point *point)
{
	return sweep_point_value(&printer->comparison->points, point);
}

static long long number(const struct printer *printer, const struct sweep_point *point)
{
	const struct summary *summary = &printer->comparison->summary;

	return (long long)dataset_integer(&summary->dataset, summary->run, point->row);
}

static void add(struct printer *printer, enum item_kind kind, const char *part)
{
	struct item *item = &printer->items[kind];

	if (item->count < PARTS_MAX)
		item->parts[item->count++] = part;
}

static const char *where(const struct context *context, struct arena *arena)
{
	return context->label[0] ? arena_printf(arena, " at %s", context->label) : "";
}

/* ---- the verdict ---- */

static uint32_t comparable(const struct question *question)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < question->context_count; i++)
		count += question->contexts[i].count > 1;
	return count;
}

static const char *margin_text(const struct context *focus, struct arena *arena)
{
	uint32_t next = focus->order[1];
	const struct margin *margin = &focus->margins[next];

	return arena_printf(arena, "%s takes %.1f %% longer (95 %%: %.1f to %.1f %%)",
		focus->labels[next], 100 * margin->ratio, 100 * margin->low, 100 * margin->high);
}

/* Options that share the first place, and what comes behind them. */
static const char *tie_text(const struct context *focus, struct arena *arena)
{
	const struct margin *margin;
	const char *text = "undecided:";

	if (focus->count < 2)
		return "undecided: nothing to compare, no two runs of one context are good";
	for (uint32_t i = 0; i < focus->tied; i++)
		text = arena_printf(arena, "%s%s %s", text,
			i ? (i + 1 < focus->tied ? "," : " and") : "",
			focus->labels[focus->order[i]]);
	margin = &focus->margins[focus->order[focus->tied - 1]];
	text = arena_printf(arena, "%s differ by %.2f %%", text, 100 * margin->ratio);
	if (margin->few)
		text = arena_printf(arena,
			"%s, but there are too few operations to tell that "
			"from noise",
			text);
	else
		text = arena_printf(arena, "%s (95 %%: %.2f to %.2f %%)", text, 100 * margin->low,
			100 * margin->high);
	if (focus->tied < focus->count)
		text = arena_printf(arena, "%s; next, %s takes %.1f %% longer", text,
			focus->labels[focus->order[focus->tied]],
			100 * focus->margins[focus->order[focus->tied]].ratio);
	return arena_printf(arena, "%s%s", text, where(focus, arena));
}

/* " by 4.3 to 55.2 %": margins of the contexts that the winner wins. */
static const char *range_text(const struct question *question, struct arena *arena)
{
	uint32_t winner = question->contexts[question->focus].order[0];
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		double margin;
		if (context->count < 2 || context->tied > 1 || context->order[0] != winner)
			continue;
		margin = context->margins[context->order[1]].ratio;
		least = fmin(least, margin);
		most = fmax(most, margin);
	}
	return most > least ? arena_printf(arena, " by %.1f to %.1f %%", 100 * least, 100 * most)
			    : "";
}

const char *compare_verdict(const struct question *question, struct arena *arena)
{
	const struct context *focus = &question->contexts[question->focus];
	uint32_t contexts = comparable(question);
	const char *winner, *margin;

	if (question->outcome == OUTCOME_UNDECIDED)
		return tie_text(focus, arena);
	winner = focus->labels[focus->order[0]];
	margin = margin_text(focus, arena);
	if (question->outcome == OUTCOME_FRAGILE)
		return arena_printf(arena, "undecided (fragile): %s wins as it stands, %s%s",
			winner, margin, where(focus, arena));
	if (question->outcome == OUTCOME_DEPENDS)
		return arena_printf(arena, "depends: %s wins in %u of %u contexts; %s%s", winner,
			question->wins, contexts, margin, where(focus, arena));
	if (contexts > 1)
		return arena_printf(arena, "%s wins in %u of %u contexts%s; %s%s", winner,
			question->wins, contexts, range_text(question, arena), margin,
			where(focus, arena));
	return arena_printf(arena, "%s wins; %s%s", winner, margin, where(focus, arena));
}

/* Contexts in which it comes out otherwise. */
static void add_opposed(struct printer *printer)
{
	const struct question *question = printer->question;
	struct arena *arena = printer->arena;
	bool undecided = question->outcome == OUTCOME_UNDECIDED;

	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		bool clear = context->tied == 1;
		if (context->count < 2 || context == printer->focus ||
			(undecided ? !clear
				   : clear && context->order[0] == printer->focus->order[0]))
			continue;
		if (clear)
			add(printer, ITEM_BUT,
				arena_printf(arena, "%s wins by %.1f %%%s",
					context->labels[context->order[0]],
					100 * context->margins[context->order[1]].ratio,
					where(context, arena)));
		else
			add(printer, ITEM_BUT,
				arena_printf(arena, "undecided%s", where(context, arena)));
	}
}

/* ---- what stands behind it ---- */

static void add_ranking(struct printer *printer)
{
	const struct context *focus = printer->focus;

	for (uint32_t i = 0; focus->count > 2 && i < focus->count; i++)
		add(printer, ITEM_RANKING,
			arena_printf(printer->arena, "%s %s", focus->labels[focus->order[i]],
				time_text(value(printer, focus->points[focus->order[i]]),
					printer->arena)));
}

static void add_mechanism(struct printer *printer)
{
	const struct sweep_point *pair[2];
	struct arena *arena = printer->arena;
	double whole = 0;

	if (!compare_pair(printer->question, pair))
		return;
	enum stage stage = compare_mechanism(pair);
	if (stage == STAGE_COUNT) {
		add(printer, ITEM_MECHANISM, "this metric has no stages; explain another");
		return;
	}
	for (int s = 0; s < STAGE_COUNT; s++)
		whole += compare_stage(pair, s);
	add(printer, ITEM_MECHANISM,
		arena_printf(arena,
			"%s %+.3g us of %+.3g us on average; runs %lld and %lld to explain",
			stage_label(stage), compare_stage(pair, (int)stage) * 1e-6, whole * 1e-6,
			number(printer, pair[0]), number(printer, pair[1])));
	for (int shown = 1; shown < STAGES_SHOWN; shown++) {
		static const char *const heads[] = {"", "then", "against it"};
		enum stage next = compare_next(pair, stage, shown == 2);
		if (next != STAGE_COUNT)
			add(printer, ITEM_MECHANISM,
				arena_printf(arena, "%s %s %+.3g us", heads[shown],
					stage_label(next), compare_stage(pair, (int)next) * 1e-6));
	}
}

static void add_crossovers(struct printer *printer)
{
	const struct question *question = printer->question;

	for (uint32_t i = 0; i < question->crossover_count; i++) {
		const struct crossover *crossover = &question->crossovers[i];
		add(printer, ITEM_FLIPS,
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

	for (uint32_t i = 0; i < count; i++) {
		const struct sweep_point *point = focus->points[options[i]];
		add(printer, ITEM_FRONT,
			arena_printf(printer->arena, "%s (%s, CPU %s)", focus->labels[options[i]],
				time_text(value(printer, point), printer->arena),
				time_text(point->host_cpu, printer->arena)));
	}
}

static void add_rests(struct printer *printer)
{
	struct constants constants = compare_rests(printer->comparison, printer->question);

	for (uint32_t i = 0; i < constants.count; i++) {
		const struct constant *constant = &constants.at[i];
		const char *text = arena_printf(printer->arena, "%s %g %s (%s", constant->path,
			constant->value, constant->unit, constant->kind);
		if (constant->effect > 0)
			text = arena_printf(printer->arena, "%s, moves the margin by %.2g %%", text,
				100 * constant->effect);
		add(printer, ITEM_RESTS, arena_printf(printer->arena, "%s)", text));
	}
}

/* What was tried, and by name the first of what could not be. */
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
	add(printer, ITEM_ROBUST, tried_text(robust, arena));
	for (uint32_t i = 0; i < robust->break_count; i++)
		add(printer, ITEM_ROBUST,
			arena_printf(arena, "%s%s", i ? "" : "not with ", robust->breaks[i]));
}

/* ---- room ---- */

static const char *item_text(const struct printer *printer, const struct item *item)
{
	return paragraph_fit(
		item->parts, item->count, item->separator, item->lines, printer->arena);
}

static uint32_t lines_of(const struct printer *printer)
{
	uint32_t lines = 1; /* the heading */

	for (int i = 0; i < ITEM_COUNT; i++)
		lines += paragraph_lines(item_text(printer, &printer->items[i]));
	return lines;
}

static void make_room(struct printer *printer)
{
	for (size_t i = 0; i < sizeof(dispensable) / sizeof(*dispensable); i++)
		if (lines_of(printer) > LINES_MAX)
			printer->items[dispensable[i]].count = 0;
	for (size_t i = 0; i < sizeof(wanting) / sizeof(*wanting); i++) {
		printer->items[wanting[i]].lines++;
		if (lines_of(printer) > LINES_MAX)
			printer->items[wanting[i]].lines--;
	}
}

void compare_question(struct comparison *comparison, const struct question *question, FILE *out)
{
	struct printer printer = {.comparison = comparison,
		.question = question,
		.focus = &question->contexts[question->focus],
		.arena = &comparison->arena};
	bool color = comparison->options->color;
	const char *paint = question->outcome == OUTCOME_WINS ? "\033[32m" : "\033[33m";

	for (int i = 0; i < ITEM_COUNT; i++) {
		printer.items[i].lines = 1;
		printer.items[i].separator =
			i == ITEM_RANKING || i == ITEM_FRONT || i == ITEM_RESTS ? ", " : "; ";
	}
	add(&printer, ITEM_VERDICT, compare_verdict(question, &comparison->arena));
	add_opposed(&printer);
	add_ranking(&printer);
	add_mechanism(&printer);
	add_crossovers(&printer);
	add_front(&printer);
	add_robust(&printer);
	add_rests(&printer);
	make_room(&printer);
	fprintf(out, "\n%sQuestion %s%s\n", color ? "\033[1m" : "", question->label,
		color ? "\033[0m" : "");
	for (int i = 0; i < ITEM_COUNT; i++)
		paragraph_print(item_names[i], item_text(&printer, &printer.items[i]),
			color && i == ITEM_VERDICT ? paint : "",
			color && i == ITEM_VERDICT ? "\033[0m" : "", out);
}
