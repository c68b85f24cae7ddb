/* The text output of `meshsim check`, and its Markdown output for the summary of a pull request.
 * The text shows the worst changes of each cause. Tables in Markdown have at most MARKDOWN_ROWS
 * rows, because web sites cut off long summaries. */
#include <string.h>

#include "analysis/print/wrap.h"
#include "base/text.h"
#include "check_private.h"

enum { MARKDOWN_ROWS = 60, OTHERS_MOST = 8 };

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

/* Prints the changes of one verdict that are not changes of figures, such as missing runs. */
static void print_others(const struct check_print *print, enum verdict verdict, FILE *out)
{
	uint32_t count = 0;

	for (uint32_t p = 0; p < print->count; p++) {
		const struct check_part *part = &print->parts[p];
		for (uint32_t i = 0; i < part->changes.count; i++) {
			const struct change *change = &part->changes.at[i];
			struct filed filed = {part, change, 0};
			if (change->verdict != verdict || change->difference == DIFFERENCE_FIGURE)
				continue;
			if (count++ == 0)
				fprintf(out,
					"runs and figures that are missing, extra or end "
					"otherwise: "
					"%s\n",
					verdict_names[verdict]);
			if (print->rows || count <= OTHERS_MOST)
				check_rows_print(print, &filed, 1, out);
		}
	}
	if (!print->rows && count > OTHERS_MOST)
		fprintf(out, "    %u more (--rows)\n", count - OTHERS_MOST);
	if (count > 0)
		fputc('\n', out);
}

/* Prints the changes within tolerance, which are listed only with --rows. */
static void print_tolerated(const struct check_print *print, FILE *out)
{
	uint32_t count = 0;

	for (uint32_t p = 0; p < print->count; p++)
		for (uint32_t i = 0; i < print->parts[p].changes.count; i++) {
			struct filed filed = {&print->parts[p], &print->parts[p].changes.at[i], 0};
			if (filed.change->verdict != VERDICT_TOLERATED)
				continue;
			if (count++ == 0)
				fputs("within tolerance\n", out);
			check_rows_print(print, &filed, 1, out);
		}
	if (count > 0)
		fputc('\n', out);
}

/* Prints the command that accepts the changes. */
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
	if (markdown) {
		fprintf(out, "%s: %s\n", why, text_string(&text));
	} else {
		fprintf(out, "%s:\n", why);
		wrap_hang(text_plain(command, false, print->arena), 2, 4, answer_columns(out),
			" \\", out);
	}
	text_fini(&text);
}

void check_text(const struct check_print *print, FILE *out)
{
	print_others(print, VERDICT_WORSE, out);
	check_causes(print, false, out);
	print_others(print, VERDICT_BETTER, out);
	if (print->rows)
		print_tolerated(print, out);
	for (uint32_t p = 0; p < print->count; p++) {
		const struct check_part *part = &print->parts[p];
		wrap_hang(arena_printf(print->arena, "%s: %s",
				  text_plain(part->changes.scenario, false, print->arena),
				  summary_text(print, &part->changes)),
			0, 2, answer_columns(out), "", out);
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
		print_cell(change_metric(change, arena), arena, out);
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
		check_causes(print, true, out);
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
		check_causes(print, true, out);
	for (uint32_t p = 0; p < print->count; p++)
		print_part(print, &print->parts[p], out);
}
