/* Prints an advice as one page (advise.h). */
#include <stdio.h>
#include <string.h>

#include "advise.h"
#include "analysis/print/text_table.h"
#include "analysis/print/value_text.h"
#include "analysis/print/wrap.h"

enum { STEPS_SHOWN = 6, TIME_DIGITS = 4 };

/* The scratch memory and the output of a page. */
struct page {
	const struct advice *advice;
	struct arena *arena;
	uint32_t columns;
	FILE *out;
};

static void say(const struct page *page, const char *head, const char *text)
{
	wrap_print(head, text, 2, PARAGRAPH_INDENT, page->columns, page->out);
}

static const char *page_time(const struct page *page, double ps)
{
	return time_text(ps, TIME_DIGITS, false, page->arena);
}

/* The rate of iterations or tokens, for the time of an iteration. */
static double rate(const struct advice *advice, double ps)
{
	return ps > 0 ? 1e12 / ps * (advice->request->tokens ? advice->request->tokens : 1) : 0;
}

static const char *unit(const struct advice *advice)
{
	return advice->request->tokens ? "tokens/s" : "iterations/s";
}

static const char *page_rate(const struct page *page, double ps)
{
	return arena_printf(page->arena, "%.4g %s", rate(page->advice, ps), unit(page->advice));
}

/* ---- idle time ---- */

static void page_idle(const struct page *page)
{
	const struct advice *advice = page->advice;
	const char *text = "";
	double whole = 0;

	for (int cause = 0; cause < IDLE_CAUSES; cause++) {
		double share = advice_idle_share(advice, cause);

		whole += share;
		text = arena_printf(page->arena, "%s%s %s%s", text, idle_cause_name(cause),
			ratio_percent(share, page->arena), cause + 1 < IDLE_CAUSES ? ", " : "");
	}
	say(page, "idle",
		arena_printf(page->arena, "devices run no kernel in %s of the time: %s",
			ratio_percent(whole, page->arena), text));
}

static void page_bound(const struct page *page)
{
	const struct advise_idle *idle = &page->advice->idle;
	const char *text = arena_printf(page->arena,
		"%llu of %llu launches run shorter than the idle time before them",
		(unsigned long long)idle->bound, (unsigned long long)idle->launches);
	uint32_t shown = 0;

	for (uint32_t i = 0; i < idle->step_count && shown < STEPS_SHOWN; i++) {
		const struct advise_step *step = &idle->steps[i];

		if (step->idle <= step->kernel)
			continue;
		text = arena_printf(page->arena, "%s%s %s (%s, before it %s: %s)", text,
			shown++ ? "," : ":", step->name, page_time(page, step->kernel),
			page_time(page, step->idle), idle_cause_name(step->cause));
	}
	say(page, "bound", text);
}

/* ---- changes ---- */

/* True if the change is a row of the table; the others are listed below. */
static bool is_row(const struct advise_design *design)
{
	return !design->refused && design->verdict.outcome != ADVISE_EQUAL;
}

static void add_row(const struct page *page, struct text_table *table, const char *name,
	const struct advise_verdict *verdict)
{
	text_table_row(table);
	text_table_text(table, name);
	text_table_number(table, rate(page->advice, verdict->after));
	text_table_text(table, ratio_change(verdict->gain, page->arena));
	text_table_text(table, verdict->has_interval
				       ? ratio_range(verdict->low, verdict->high, page->arena)
				       : "-");
	text_table_text(table, advise_outcome_name(verdict->outcome));
}

static void page_table(const struct page *page)
{
	const struct advice *advice = page->advice;
	struct text_table *table = text_table_new(page->arena);

	text_table_column(table, "change", COLUMN_TEXT, 0);
	text_table_column(table, unit(advice), COLUMN_NUMBER, 0);
	text_table_column(table, "gain", COLUMN_TEXT, 0);
	text_table_column(table, "95 %", COLUMN_TEXT, 0);
	text_table_column(table, "outcome", COLUMN_TEXT, 0);
	text_table_row(table);
	text_table_text(table, "today");
	text_table_number(table, rate(advice, advice->iteration));
	for (uint32_t i = 0; i < advice->count; i++)
		if (is_row(&advice->designs[i]))
			add_row(page, table, advice->designs[i].name, &advice->designs[i].verdict);
	text_table_print_within(table, page->columns, page->out);
	fputc('\n', page->out);
}

/* Prints what a change with a decided outcome does, what it needs, and what its figures rest on. */
static void page_why(const struct page *page, const struct advise_design *design)
{
	const struct advise_verdict *verdict = &design->verdict;
	const char *text = design->rewrite ? design->rewrite->words : "";

	if (design->rewrite && design->rewrite->needs[0])
		text = arena_printf(page->arena, "%s (if %s)", text, design->rewrite->needs);
	if (verdict->mechanism[0])
		text = arena_printf(
			page->arena, "%s%s%s", text, text[0] ? "; " : "", verdict->mechanism);
	if (verdict->rests_on[0] && verdict->outcome != ADVISE_LOSES)
		text = arena_printf(page->arena, "%s%srests on %s", text, text[0] ? "; " : "",
			verdict->rests_on);
	if (verdict->chance >= 0)
		text = arena_printf(page->arena, "%s%s%s in %s of draws of all costs", text,
			text[0] ? "; " : "", verdict->gain < 0 ? "worse" : "better",
			ratio_percent(verdict->gain < 0 ? 1 - verdict->chance : verdict->chance,
				page->arena));
	if (verdict->doubt[0] && verdict->outcome != ADVISE_LOSES)
		text = arena_printf(page->arena, "%s; %s", text, verdict->doubt);
	say(page, design->name, text);
}

/* Lists the changes that make no difference. */
static void page_equal(const struct page *page)
{
	const struct advice *advice = page->advice;
	const char *text = "";

	for (uint32_t i = 0; i < advice->count; i++) {
		const struct advise_design *design = &advice->designs[i];

		if (!design->refused && design->verdict.outcome == ADVISE_EQUAL)
			text = arena_printf(
				page->arena, "%s%s%s", text, text[0] ? ", " : "", design->name);
	}
	if (text[0])
		say(page, "equal", arena_printf(page->arena, "no difference by %s", text));
}

static void page_refused(const struct page *page)
{
	const struct advice *advice = page->advice;

	for (uint32_t i = 0; i < advice->count; i++)
		if (advice->designs[i].refused)
			say(page, "not tried",
				arena_printf(page->arena, "%s: %s", advice->designs[i].name,
					advice->designs[i].refused));
}

static void page_pair(const struct page *page)
{
	const struct advise_design *pair = page->advice->pair, *single = page->advice->designs;
	const struct advise_verdict *verdict = &page->advice->pair_verdict;
	bool gains = single->verdict.outcome == ADVISE_GAINS;
	const char *range = "";

	if (!pair) {
		say(page, "best pair",
			page->advice->busy ? "none gives more than today's design"
					   : "no two changes run together");
		return;
	}
	if (verdict->has_interval)
		range = arena_printf(page->arena, " (95 %%: %s)",
			ratio_range(pair->verdict.low, pair->verdict.high, page->arena));
	if (verdict->outcome == ADVISE_EQUAL || verdict->gain <= 0) {
		say(page, "best pair",
			gains ? arena_printf(
					page->arena, "none gives more than %s alone", single->name)
			      : "none gives more than today's design");
		return;
	}
	say(page, "best pair",
		arena_printf(page->arena, "%s: %s, %s%s; against %s alone %s, %s", pair->name,
			page_rate(page, pair->verdict.after),
			ratio_change(pair->verdict.gain, page->arena), range, single->name,
			ratio_change(verdict->gain, page->arena),
			advise_outcome_name(verdict->outcome)));
}

static void page_notes(const struct page *page)
{
	const char *notes =
		page->advice->base.notes.length > 0 ? text_string(&page->advice->base.notes) : "";

	while (*notes) {
		size_t length = strcspn(notes, "\n");

		say(page, "note", arena_copy(page->arena, notes, length));
		notes += length + (notes[length] == '\n');
	}
}

void advise_write_page(const struct advice *advice, FILE *out)
{
	struct arena arena = {0};
	struct page page = {advice, &arena, answer_columns(out), out};
	double left = advice_free_time(advice);

	wrap_hang(arena_printf(&arena, "%s on %s: today an iteration takes %s, %s",
			  advice->base.name, advice->base.machine,
			  page_time(&page, advice->iteration), page_rate(&page, advice->iteration)),
		0, 2, page.columns, "", out);
	fputc('\n', out);
	page_idle(&page);
	page_bound(&page);
	if (left > 0)
		say(&page, "remains",
			arena_printf(&arena,
				"without host, dispatch and waits, kernels and transfers take %s: "
				"%s, %s",
				page_time(&page, left), page_rate(&page, left),
				ratio_change(advice->iteration / left - 1, &arena)));
	fputc('\n', out);
	page_table(&page);
	for (uint32_t i = 0; i < advice->count; i++)
		if (is_row(&advice->designs[i]))
			page_why(&page, &advice->designs[i]);
	page_equal(&page);
	page_refused(&page);
	page_pair(&page);
	page_notes(&page);
	arena_fini(&arena);
}
