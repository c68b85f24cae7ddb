/* Prints the log lines of runs (measure.log), and where steps saved data. For each run, prints its
 * log lines in the order of time, and how many further lines are not in the file. Runs without log
 * lines are left out. */
#include "show_private.h"

#include "analysis/print/wrap.h"

enum { ROWS_MAX = 64, INDENT = 4 }; /* lines shown per run; the file may have more */

static void show_line(
	const struct dataset *log, uint64_t row, struct arena *arena, const struct show_page *page)
{
	const char *line = arena_printf(arena, "%.3f us, host %lld, %s: %s %s: %s",
		(double)dataset_integer_of(log, "time", row) / 1e6,
		(long long)dataset_integer_of(log, "host", row),
		dataset_text_of(log, "thread", row), dataset_text_of(log, "type", row),
		dataset_text_of(log, "level", row), dataset_text_of(log, "text", row));

	wrap_hang(line, 2, INDENT, page->columns, "", page->out);
}

static bool show_logging_run(const struct shown_run *run, const void *context)
{
	const bool *whole = context;
	const struct dataset *log = &run->tables->log, *counts = &run->tables->log_counts;
	FILE *out = run->page->out;
	uint64_t shown = log->row_count;
	int64_t logged, beyond;

	if (counts->row_count == 0)
		return false;
	logged = dataset_integer_of(counts, "logged", 0);
	beyond = logged - dataset_integer_of(counts, "kept", 0);
	if (!*whole && shown > ROWS_MAX)
		shown = ROWS_MAX;
	fprintf(out, "%sLog of run %lld: %lld lines\n", *whole ? "" : "\n",
		(long long)dataset_integer(&run->summary->dataset, run->summary->run, run->row),
		(long long)logged);
	for (uint64_t line = 0; line < shown; line++)
		show_line(log, line, run->arena, run->page);
	if (shown < log->row_count)
		fprintf(out, "  and %llu more (--log)\n",
			(unsigned long long)(log->row_count - shown));
	if (beyond > 0)
		fprintf(out, "  %lld were not kept (measure.log.lines)\n", (long long)beyond);
	return true;
}

bool show_log(struct summary *summary, bool whole, const struct show_page *page, struct text *why)
{
	bool any, good = show_each_run(summary, page, show_logging_run, &whole, &any, why);

	if (good && whole && !any)
		fputs("no run has log lines (measure.log)\n", page->out);
	return good;
}

static bool show_saving_run(const struct shown_run *run, const void *context)
{
	const struct dataset *saved = &run->tables->saved;

	(void)context;
	if (saved->row_count == 0)
		return false;
	fprintf(run->page->out, "\nSaved by run %lld\n",
		(long long)dataset_integer(&run->summary->dataset, run->summary->run, run->row));
	for (uint64_t i = 0; i < saved->row_count; i++)
		fprintf(run->page->out, "  saved_%s: %s %s\n", dataset_text_of(saved, "name", i),
			dataset_text_of(saved, "element", i), dataset_text_of(saved, "shape", i));
	return true;
}

bool show_saved(struct summary *summary, const struct show_page *page, struct text *why)
{
	return show_each_run(summary, page, show_saving_run, NULL, NULL, why);
}
