/* `meshsim compare` for people: the table of points, then each question in under ten lines. Refuses
 * colours but on a terminal. */
#include <math.h>
#include <string.h>

#include "compare_private.h"
#include "grid.h"

enum { OPPOSED_SHOWN = 3, CONSTANTS_SHOWN = 4, BREAKS_SHOWN = 3, RANKED_SHOWN = 6 };

struct printer {
	struct comparison *comparison;
	struct arena *arena;
	FILE *out;
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

static double value(const struct printer *printer, const struct point_of_sweep *point)
{
	return point_value(&printer->comparison->points, point);
}

/* ---- the table ---- */

static void print_points(const struct printer *printer)
{
	const struct view *view = &printer->comparison->view;
	const struct points *points = &printer->comparison->points;
	struct grid *grid = grid_new(printer->arena);

	grid_column(grid, "run", GRID_COUNT, 0);
	for (uint32_t i = 0; i < view->swept_count; i++)
		grid_column(grid, view->summary.columns[view->swept_first + i].name, GRID_TEXT, 0);
	grid_column(grid, "seeds", GRID_COUNT, 0);
	grid_column(grid, "count", GRID_COUNT, 0);
	grid_column(grid, "p50", GRID_TIME, 1);
	grid_column(grid, "p90", GRID_TIME, 1);
	grid_column(grid, "p99", GRID_TIME, 1);
	grid_column(grid, "throughput", GRID_PER_S, 0);
	grid_column(grid, "host CPU each", GRID_TIME, 2);
	grid_column(grid, "", GRID_TEXT, 0);
	for (uint32_t i = 0; i < points->count; i++) {
		const struct point_of_sweep *point = &points->at[i];
		grid_row(grid);
		grid_number(grid, (double)data_integer(&view->summary, view->run, point->row));
		for (uint32_t k = 0; k < view->swept_count; k++)
			grid_text(grid, point->keys[k]);
		if (!point->good) {
			for (int k = 0; k < 7; k++)
				grid_blank(grid);
			grid_text(
				grid, arena_printf(printer->arena, "left out: %s", point->status));
			continue;
		}
		grid_number(grid, point->seeds);
		grid_number(grid, point->samples.count);
		grid_number(grid, statistic(&point->samples, 500));
		grid_number(grid, statistic(&point->samples, 900));
		grid_number(grid, statistic(&point->samples, 990));
		grid_number(grid, point->throughput);
		grid_number(grid, point->host_cpu);
	}
	grid_print(grid, printer->out);
}

/* ---- one question ---- */

static void line(const struct printer *printer, const char *head, const char *text)
{
	fprintf(printer->out, "  %-10s %s\n", head, text);
}

static const char *where(const struct context *context, struct arena *arena)
{
	return context->label[0] ? arena_printf(arena, " at %s", context->label) : "";
}

static const char *margin_text(
	const struct context *focus, const struct question *question, struct arena *arena)
{
	uint32_t next = focus->order[1];
	const struct margin *margin = &focus->margins[next];

	return arena_printf(arena, "%s takes %.1f %% longer (95 %%: %.1f to %.1f %%)",
		question->options[next], 100 * margin->ratio, 100 * margin->low,
		100 * margin->high);
}

static uint32_t comparable(const struct question *question)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < question->context_count; i++)
		count += question->contexts[i].count > 1;
	return count;
}

/* Options that share the first place of the focus, and what comes behind them. */
static const char *tie_text(const struct question *question, struct arena *arena)
{
	const struct context *focus = &question->contexts[question->focus];
	const char *text = "undecided:";

	if (focus->count < 2)
		return "undecided: nothing to compare, no two runs of one context are good";
	for (uint32_t i = 0; i < focus->tied; i++)
		text = arena_printf(arena, "%s%s %s", text,
			i ? (i + 1 < focus->tied ? "," : " and") : "",
			question->options[focus->order[i]]);
	text = arena_printf(arena, "%s differ by %.2f %% (95 %%: %.2f to %.2f %%)", text,
		100 * focus->margins[focus->order[focus->tied - 1]].ratio,
		100 * focus->margins[focus->order[focus->tied - 1]].low,
		100 * focus->margins[focus->order[focus->tied - 1]].high);
	if (focus->tied < focus->count)
		text = arena_printf(arena, "%s; next, %s takes %.1f %% longer", text,
			question->options[focus->order[focus->tied]],
			100 * focus->margins[focus->order[focus->tied]].ratio);
	return arena_printf(arena, "%s%s", text, where(focus, arena));
}

const char *compare_verdict(const struct question *question, struct arena *arena)
{
	const struct context *focus = &question->contexts[question->focus];
	uint32_t contexts = comparable(question);
	const char *winner, *margin;

	if (question->outcome == OUTCOME_UNDECIDED)
		return tie_text(question, arena);
	winner = question->options[focus->order[0]];
	margin = margin_text(focus, question, arena);
	if (question->outcome == OUTCOME_FRAGILE)
		return arena_printf(arena, "undecided (fragile): %s wins as it stands, %s%s",
			winner, margin, where(focus, arena));
	if (question->outcome == OUTCOME_DEPENDS)
		return arena_printf(arena, "depends: %s wins in %u of %u contexts; %s%s", winner,
			question->wins, contexts, margin, where(focus, arena));
	if (contexts > 1)
		return arena_printf(arena, "%s wins in %u of %u contexts%s; %s%s", winner,
			question->wins, contexts,
			question->wins < contexts ? ", others undecided" : "", margin,
			where(focus, arena));
	return arena_printf(arena, "%s wins: %s%s", winner, margin, where(focus, arena));
}

static void print_ranking(const struct printer *printer, const struct question *question)
{
	const struct context *focus = &question->contexts[question->focus];
	const char *text = "";

	for (uint32_t i = 0; i < focus->count && i < RANKED_SHOWN; i++)
		text = arena_printf(printer->arena, "%s%s%s %s", text, i ? ", " : "",
			question->options[focus->order[i]],
			time_text(value(printer, focus->points[focus->order[i]]), printer->arena));
	if (focus->count > RANKED_SHOWN)
		text = arena_printf(
			printer->arena, "%s, %u more", text, focus->count - RANKED_SHOWN);
	line(printer, "ranking", text);
}

/* Contexts in which somebody else wins. */
static void print_opposed(const struct printer *printer, const struct question *question)
{
	uint32_t winner = question->contexts[question->focus].order[0], count = 0;
	const char *text = "";

	if (question->outcome != OUTCOME_DEPENDS)
		return;
	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		if (context->count < 2 || context->tied > 1 || context->order[0] == winner)
			continue;
		if (count++ < OPPOSED_SHOWN)
			text = arena_printf(printer->arena, "%s%s%s%s (+%.1f %%)", text,
				text[0] ? "; " : "", question->options[context->order[0]],
				where(context, printer->arena),
				100 * context->margins[context->order[1]].ratio);
	}
	if (count > OPPOSED_SHOWN)
		text = arena_printf(printer->arena, "%s; %u more", text, count - OPPOSED_SHOWN);
	line(printer, "but", text);
}

static void print_mechanism(const struct printer *printer, const struct question *question)
{
	const struct point_of_sweep *pair[2];
	struct arena *arena = printer->arena;
	double whole;

	if (!compare_pair(question, pair))
		return;
	enum stage stage = compare_mechanism(pair);
	if (stage == STAGE_COUNT) {
		line(printer, "mechanism", "this metric has no stages; explain another");
		return;
	}
	whole = value(printer, pair[1]) - value(printer, pair[0]);
	line(printer, "mechanism",
		arena_printf(arena, "%s: %s of %s; runs %lld and %lld to explain",
			stage_label(stage), time_text(compare_stage(pair, (int)stage), arena),
			time_text(whole, arena),
			(long long)data_integer(&printer->comparison->view.summary,
				printer->comparison->view.run, pair[0]->row),
			(long long)data_integer(&printer->comparison->view.summary,
				printer->comparison->view.run, pair[1]->row)));
}

static void print_crossovers(const struct printer *printer, const struct question *question)
{
	for (uint32_t i = 0; i < question->crossover_count && i < OPPOSED_SHOWN; i++) {
		const struct crossover *crossover = &question->crossovers[i];
		line(printer, "flips",
			arena_printf(printer->arena,
				"%s up to %s = %.4g, then %s (%s %.6g and %.6g)%s%s",
				question->options[crossover->below], crossover->key, crossover->at,
				question->options[crossover->above],
				crossover->refined ? "known between" : "interpolated between",
				crossover->low, crossover->high,
				crossover->context[0] ? " at " : "", crossover->context));
	}
}

static void print_front(const struct printer *printer, const struct question *question)
{
	const struct context *focus = &question->contexts[question->focus];
	uint32_t *options =
		arena_array(printer->arena, question->option_count + 1, sizeof(*options));
	uint32_t count = compare_front(printer->comparison, question, options);
	const char *text = "";

	for (uint32_t i = 0; i < count && i < RANKED_SHOWN; i++) {
		const struct point_of_sweep *point = focus->points[options[i]];
		text = arena_printf(printer->arena, "%s%s%s (%s, CPU %s)", text, i ? ", " : "",
			question->options[options[i]],
			time_text(value(printer, point), printer->arena),
			time_text(point->host_cpu, printer->arena));
	}
	if (count > 0)
		line(printer, "front", text);
}

static void print_rests(const struct printer *printer, const struct question *question)
{
	struct constants constants = compare_rests(printer->comparison, question);
	struct arena *arena = printer->arena;
	const char *text = "";

	for (uint32_t i = 0; i < constants.count && i < CONSTANTS_SHOWN; i++)
		text = arena_printf(arena, "%s%s%s %g %s (%s)", text, i ? ", " : "",
			constants.at[i].path, constants.at[i].value, constants.at[i].unit,
			constants.at[i].kind);
	if (constants.count > CONSTANTS_SHOWN)
		text = arena_printf(arena, "%s, %u more", text, constants.count - CONSTANTS_SHOWN);
	if (constants.count > 0)
		line(printer, "rests on", text);
}

static void print_robust(const struct printer *printer, const struct question *question)
{
	const struct robustness *robust = &question->robust;
	struct arena *arena = printer->arena;
	const char *text;

	if (!robust->tried_any)
		return;
	text = arena_printf(arena, "holds in %u of %u (costs -30 %% and +30 %%, networks; %u runs)",
		robust->held, robust->tried, robust->runs);
	if (robust->failed)
		text = arena_printf(arena, "%s; %u could not run", text, robust->failed);
	for (uint32_t i = 0; i < robust->break_count && i < BREAKS_SHOWN; i++)
		text = arena_printf(
			arena, "%s%s%s", text, i ? "; " : "; not with ", robust->breaks[i]);
	if (robust->break_count > BREAKS_SHOWN)
		text = arena_printf(arena, "%s; %u more", text, robust->break_count - BREAKS_SHOWN);
	line(printer, "robust", text);
}

static void print_question(const struct printer *printer, const struct question *question)
{
	bool color = printer->comparison->options->color;
	const char *paint = question->outcome == OUTCOME_WINS ? "\033[32m" : "\033[33m";

	fprintf(printer->out, "\n%sQuestion %s%s\n", color ? "\033[1m" : "", question->label,
		color ? "\033[0m" : "");
	fprintf(printer->out, "  %-10s %s%s%s\n", "verdict", color ? paint : "",
		compare_verdict(question, printer->arena), color ? "\033[0m" : "");
	print_opposed(printer, question);
	if (question->contexts[question->focus].count > 2)
		print_ranking(printer, question);
	print_mechanism(printer, question);
	print_crossovers(printer, question);
	print_front(printer, question);
	print_rests(printer, question);
	print_robust(printer, question);
}

void compare_text(struct comparison *comparison, FILE *out)
{
	struct printer printer = {comparison, &comparison->arena, out};
	const struct points *points = &comparison->points;

	fprintf(out, "%s: %s of %s%s\n\n",
		result_text(comparison->view.result, "/", "scenario_name"),
		metric_names[points->metric], points->kind,
		points->metric == METRIC_ROUND ? ", from a call to the next of the same step" : "");
	print_points(&printer);
	for (uint32_t i = 0; i < comparison->questions.count; i++)
		print_question(&printer, &comparison->questions.at[i]);
}
