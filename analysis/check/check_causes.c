/* Prints the causes that causes.c finds, a sentence for each, as text or as Markdown. */
#include "check_private.h"

#include <math.h>
#include <string.h>

#include "analysis/print/value_text.h"
#include "analysis/print/wrap.h"
#include "base/text.h"

/* IDLE_MOST: at most this many constants that explain no figure are printed; ROWS_MOST: at most
 * this many figures of a cause. If there are more, the others are only counted. */
enum { IDLE_MOST = 5, ROWS_MOST = 4 };

static uint32_t figures_of(const struct check_print *print)
{
	uint32_t figures = 0;

	for (uint32_t p = 0; p < print->count; p++)
		figures += print->parts[p].changes.measurement_count;
	return figures;
}

static const char *percent(double share, struct arena *arena)
{
	return arena_printf(arena, share < 0.1 ? "%.2g" : "%.0f", 100 * share);
}

/* Finds the smallest and the largest change of the figures with cause `id` and verdict `verdict`.
 * If `felt` is set, considers only times and rates; otherwise, only counts. If no figure fits,
 * sets *most to 0. */
static void causes_bounds(const struct causes *causes, uint32_t id, enum verdict verdict, bool felt,
	double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (uint32_t i = 0; i < causes->filed_count; i++) {
		const struct change *change = causes->filed[i].change;
		if (causes->filed[i].cause != id || change->verdict != verdict ||
			change_ratio(change) == 0 || change_is_felt(change) != felt)
			continue;
		*least = fmin(*least, change_size(change));
		*most = fmax(*most, change_size(change));
	}
}

/* Returns a text with the range of the changes of all figures that have this verdict, such as " by
 * 0.3 to 4.1 %" or " by up to a factor of 10". If times or rates changed, the range covers only
 * these. Otherwise it covers the changes of counts. Shares below 0.001 % are not printed as
 * numbers. */
static const char *causes_range(
	const struct causes *causes, uint32_t id, enum verdict verdict, struct arena *arena)
{
	const char *low, *high;
	double least, most;

	causes_bounds(causes, id, verdict, true, &least, &most);
	if (most == 0)
		causes_bounds(causes, id, verdict, false, &least, &most);
	if (most == 0)
		return "";
	if (most < 1e-5)
		return " by less than 0.001 %";
	if (most >= 1)
		return arena_printf(arena, " by %sa factor of %.3g",
			least > 0.999 * most ? "" : "up to ", 1 + most);
	low = percent(least, arena);
	high = percent(most, arena);
	if (least < 1e-5)
		return arena_printf(arena, " by up to %s %%", high);
	if (strcmp(low, high) == 0)
		return arena_printf(arena, " by %s %%", high);
	return arena_printf(arena, " by %s to %s %%", low, high);
}

/* Returns a text such as "9 of 30 figures worse by 0.3 to 4.1 %, and 2 better by 1 %". */
static const char *effect_text(
	const struct check_print *print, const struct causes *causes, const struct cause *cause)
{
	uint32_t worse = cause->counts[VERDICT_WORSE], better = cause->counts[VERDICT_BETTER];
	struct arena *arena = print->arena;
	const char *text = arena_printf(arena, "%u of %u figures %s%s", worse ? worse : better,
		figures_of(print), worse ? "worse" : "better",
		causes_range(causes, cause->id, worse ? VERDICT_WORSE : VERDICT_BETTER, arena));

	if (worse && better)
		text = arena_printf(arena, "%s, and %u better%s", text, better,
			causes_range(causes, cause->id, VERDICT_BETTER, arena));
	if (print->count > 1)
		text = arena_printf(arena, "%s, in %u of %u scenarios", text,
			cause->explained.scenarios, print->count);
	return text;
}

/* Returns ", through dispatch (+1 ns an operation)", or "" if no stage moved. */
static const char *stage_text(const struct cause *cause, struct arena *arena)
{
	const struct stage_move *move = cause->stages[0].largest;

	if (cause->stages[0].explained.figures == 0)
		return "";
	return arena_printf(arena, ", through %s (%s an operation)", stage_label(move->stage),
		change_time(move->new - move->old, arena));
}

/* If no critical path is charged for the constant, says how sure it is that it is the cause. */
static const char *causes_basis_text(const struct cause *cause)
{
	switch (cause->basis) {
	case BASIS_WAITS:
		return "; no critical path is charged for it, so it is too small to see to first "
		       "order: it makes others wait";
	case BASIS_ONLY:
		return "; no stage that is charged for it moved, but it is the only changed "
		       "constant that can be the cause";
	default:
		return "";
	}
}

static const char *constant_text(const struct cause *cause, struct arena *arena)
{
	return arena_printf(
		arena, "%s %s", cause->constant->path, constant_move_text(cause->constant, arena));
}

static const char *cause_text(
	const struct check_print *print, const struct causes *causes, const struct cause *cause)
{
	const char *effect = effect_text(print, causes, cause);
	const char *stage = stage_text(cause, print->arena);
	const char *why = causes->count > 1 ? "to first order no changed constant explains them"
			  : causes->constants_known
				  ? "no constant changed"
				  : "the baseline holds no constants, a new one (--update) will";

	if (cause->constant)
		return arena_printf(print->arena, "%s makes %s%s%s",
			constant_text(cause, print->arena), effect, stage,
			causes_basis_text(cause));
	return arena_printf(print->arena, "%s%s; %s", effect, stage, why);
}

/* Returns a sentence about a constant that changed but explains no changed figure. The sentence
 * also says by how much the change of the constant should change critical paths. */
static const char *idle_text(const struct cause *cause, struct arena *arena)
{
	const char *text =
		arena_printf(arena, "%s explains no changed figure", constant_text(cause, arena));

	if (!cause->charges_known || constant_stage(cause->constant->path) == STAGE_COUNT)
		return text;
	if (cause->first_order == 0)
		return arena_printf(arena, "%s: no critical path is charged for it", text);
	if (cause->first_order >= 1)
		return arena_printf(arena, "%s: to first order critical paths take %s as long",
			text, ratio_times(cause->first_order, arena));
	return arena_printf(arena, "%s: to first order it moves critical paths by %s", text,
		ratio_change(cause->first_order, arena));
}

static void causes_print_line(const char *text, bool markdown, struct arena *arena, FILE *out)
{
	if (markdown)
		fprintf(out, "- %s\n", change_markdown(text, arena));
	else
		wrap_hang(text_plain(text, false, arena), 0, 2, answer_columns(out), "", out);
}

static void print_rows(
	const struct check_print *print, const struct check_row *rows, uint32_t count, FILE *out)
{
	uint32_t most = count == ROWS_MOST + 1 ? count : ROWS_MOST; /* never "1 more" */

	for (uint32_t i = 0; i < count && i < most; i++)
		check_row_print(rows[i].filed, rows[i].ratio,
			check_row_text(&rows[i], print->count > 1, print->arena), print->arena,
			out);
	if (count > most)
		fprintf(out, "    %u more figures (--rows)\n", count - most);
}

static void print_cause(const struct check_print *print, const struct causes *causes,
	const struct cause *cause, bool markdown, FILE *out)
{
	struct arena *arena = print->arena;
	const char *text = cause_text(print, causes, cause);
	struct check_row *rows;
	uint32_t count = check_rows_find(print, causes, cause->id, &rows);

	text = arena_printf(arena, "%s; %s: %s", text,
		cause->counts[VERDICT_WORSE] ? "worst" : "most",
		check_row_text(&rows[0], print->count > 1, arena));
	causes_print_line(text, markdown, arena, out);
	if (markdown)
		return;
	if (!print->rows) {
		print_rows(print, rows + 1, count - 1, out);
	} else {
		for (uint32_t i = 0; i < causes->filed_count; i++)
			if (causes->filed[i].cause == cause->id)
				check_rows_print(print, &causes->filed[i], 1, out);
	}
	fputc('\n', out);
}

void check_causes(const struct check_print *print, bool markdown, FILE *out)
{
	struct causes causes = causes_find(print);
	uint32_t idle = 0;

	if (causes.filed_count == 0 && causes.count == 1)
		return;
	for (uint32_t i = 0; i < causes.count; i++)
		if (causes.at[i].explained.figures > 0)
			print_cause(print, &causes, &causes.at[i], markdown, out);
	for (uint32_t i = 0; i < causes.count; i++)
		if (causes.at[i].constant && causes.at[i].explained.figures == 0 &&
			++idle <= IDLE_MOST)
			causes_print_line(idle_text(&causes.at[i], print->arena), markdown,
				print->arena, out);
	if (idle > IDLE_MOST)
		causes_print_line(arena_printf(print->arena,
					  "%u more changed constants explain no changed figure",
					  idle - IDLE_MOST),
			markdown, print->arena, out);
	if (idle > 0 || markdown)
		fputc('\n', out);
}
