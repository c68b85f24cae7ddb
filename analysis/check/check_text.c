/* The text output of `meshsim check`, and its Markdown output for the summary of a pull request.
 * The text lists every change. Tables of the Markdown have at most MARKDOWN_ROWS rows, because
 * sites cut off long summaries. */
#include <string.h>

#include "analysis/print/text_table.h"
#include "base/text/escape.h"
#include "check_private.h"

enum { MARKDOWN_ROWS = 60 };

/* Returns a summary such as "3 worse, 1 better, 0 within tolerance; 460 figures of 10 runs", in the
 * arena of `print`. */
static const char *summary_text(const struct check_print *print, const struct changes *changes)
{

	return arena_printf(print->arena,
		"%u worse, %u better, %u within tolerance; %u figures of %u run%s",
		changes->counts[VERDICT_WORSE], changes->counts[VERDICT_BETTER],
		changes->counts[VERDICT_TOLERATED], changes->measurement_count, changes->run_count,
		changes->run_count == 1 ? "" : "s");
}

const char *check_metric(const struct change *change, struct arena *arena)
{
	const char *what = "";

	if (change->difference == DIFFERENCE_MISSING)
		what = "missing";
	else if (change->difference == DIFFERENCE_EXTRA)
		what = "extra, not in the baseline";
	else if (change->difference == DIFFERENCE_STATUS)
		return "status";
	if (!change->metric)
		return arena_printf(arena, "run %s", what);
	return what[0] ? arena_printf(arena, "%s (%s)", change->metric, what) : change->metric;
}

static void check_text_add_row(const struct check_print *print, const struct check_part *part,
	const struct change *change, struct text_table *table)
{
	struct arena *arena = print->arena;

	text_table_row(table);
	text_table_text(table, part->changes.scenario);
	text_table_text(table, change->run->label);
	text_table_text(table, check_metric(change, arena));
	text_table_text(table, change_old(change, arena));
	text_table_text(table, change_new(change, arena));
	text_table_text(table, change_text(change, arena));
	text_table_text(table, change_percent(change, arena));
	text_table_text(table, change_stage(change, arena));
}

static void print_changes(const struct check_print *print, enum verdict verdict, FILE *out)
{
	static const char *const headings[] = {
		"scenario", "run", "metric", "old", "new", "change", "", "stage"};
	struct text_table *table = text_table_new(print->arena);
	uint32_t rows = 0;

	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		text_table_column(table, headings[i], COLUMN_TEXT, 0);
	for (uint32_t p = 0; p < print->count; p++) {
		const struct changes *changes = &print->parts[p].changes;
		rows += changes->counts[verdict];
		for (uint32_t i = 0; i < changes->count; i++)
			if (changes->at[i].verdict == verdict)
				check_text_add_row(print, &print->parts[p], &changes->at[i], table);
	}
	if (rows == 0)
		return;
	fprintf(out, "%s\n", verdict_names[verdict]);
	text_table_print(table, out);
	fputc('\n', out);
}

/* Prints the command that would accept the changes. */
static void print_hint(
	const struct check_print *print, const struct check_part *part, bool markdown, FILE *out)
{
	const struct changes *changes = &part->changes;
	const char *why = "intended? consider a new baseline", *command;
	struct text text = {0};

	if (changes->count == 0)
		return;
	if (changes->counts[VERDICT_WORSE] == 0 && !print->exact)
		why = changes->counts[VERDICT_BETTER] ? "better: consider a new baseline"
						      : "within tolerance; a new baseline is";
	command = arena_printf(
		print->arena, "meshsim check %s --baseline %s --update", part->file, part->path);
	if (markdown)
		text_append_markdown_code(&text, command);
	fprintf(out, "%s: %s\n", why,
		markdown ? text_string(&text) : text_plain(command, false, print->arena));
	text_fini(&text);
}

void check_text(const struct check_print *print, FILE *out)
{
	check_causes(print, "", out);
	for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
		print_changes(print, (enum verdict)verdict, out);
	for (uint32_t p = 0; p < print->count; p++) {
		const struct check_part *part = &print->parts[p];
		fprintf(out, "%s: %s\n", text_plain(part->changes.scenario, false, print->arena),
			summary_text(print, &part->changes));
		print_hint(print, part, false, out);
	}
}

/* ---- Markdown ---- */

static void print_cell(const char *text, struct arena *arena, FILE *out)
{
	fprintf(out, " %s |", change_markdown(text, arena));
}

static void print_table(const struct check_print *print, const struct changes *changes,
	enum verdict verdict, FILE *out)
{
	struct arena *arena = print->arena;
	uint32_t rows = 0;

	fputs("| run | metric | old | new | change | | stage |\n"
	      "|---|---|--:|--:|--:|--:|---|\n",
		out);
	for (uint32_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->at[i];
		if (change->verdict != verdict || rows++ >= MARKDOWN_ROWS)
			continue;
		fputc('|', out);
		print_cell(change->run->label, arena, out);
		print_cell(check_metric(change, arena), arena, out);
		print_cell(change_old(change, arena), arena, out);
		print_cell(change_new(change, arena), arena, out);
		print_cell(change_text(change, arena), arena, out);
		print_cell(change_percent(change, arena), arena, out);
		print_cell(change_stage(change, arena), arena, out);
		fputc('\n', out);
	}
	if (rows > MARKDOWN_ROWS)
		fprintf(out, "\n%u more rows\n", rows - MARKDOWN_ROWS);
}

static void print_part(const struct check_print *print, const struct check_part *part, FILE *out)
{
	const struct changes *changes = &part->changes;
	const char *outcome = changes->counts[VERDICT_WORSE] ? "is worse" : "passes";

	if (print->exact && changes->count > 0)
		outcome = "differs";
	fprintf(out, "### meshsim check: %s %s\n\n%s\n\n",
		change_markdown(changes->scenario, print->arena), outcome,
		summary_text(print, changes));
	if (print->count == 1)
		check_causes(print, "- ", out);
	for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
		bool folded = verdict != VERDICT_WORSE;
		if (changes->counts[verdict] == 0)
			continue;
		if (folded)
			fprintf(out, "<details><summary>%s: %u</summary>\n\n",
				verdict_names[verdict], changes->counts[verdict]);
		print_table(print, changes, (enum verdict)verdict, out);
		fputs(folded ? "\n</details>\n\n" : "\n", out);
	}
	print_hint(print, part, true, out);
}

void check_markdown(const struct check_print *print, FILE *out)
{
	if (print->count > 1)
		check_causes(print, "- ", out);
	for (uint32_t p = 0; p < print->count; p++)
		print_part(print, &print->parts[p], out);
}
