/* The log lines of runs (measure.log), and what steps saved. For each run, prints its lines in the
 * order of time, and how many were not kept. Leaves out runs without log lines. */
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

static void show_log_of_run(const struct summary *summary, uint64_t row,
	const struct run_tables *run, bool whole, struct arena *arena, const struct show_page *page)
{
	uint64_t shown = run->log.row_count;
	int64_t logged = dataset_integer_of(&run->log_counts, "logged", 0);
	int64_t beyond = logged - dataset_integer_of(&run->log_counts, "kept", 0);

	if (!whole && shown > ROWS_MAX)
		shown = ROWS_MAX;
	fprintf(page->out, "%sLog of run %lld: %lld lines\n", whole ? "" : "\n",
		(long long)dataset_integer(&summary->dataset, summary->run, row),
		(long long)logged);
	for (uint64_t line = 0; line < shown; line++)
		show_line(&run->log, line, arena, page);
	if (shown < run->log.row_count)
		fprintf(page->out, "  and %llu more (--log)\n",
			(unsigned long long)(run->log.row_count - shown));
	if (beyond > 0)
		fprintf(page->out, "  %lld were not kept (measure.log.lines)\n", (long long)beyond);
}

bool show_log(struct summary *summary, bool whole, const struct show_page *page, struct text *why)
{
	bool good = true, any = false;

	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++) {
		struct run_tables run;
		struct arena arena;

		arena_init(&arena);
		good = run_tables_read(summary, row, &arena, &run, why);
		if (good && run.log_counts.row_count > 0) {
			show_log_of_run(summary, row, &run, whole, &arena, page);
			any = true;
		}
		arena_fini(&arena);
	}
	if (good && whole && !any)
		fputs("no run has log lines (measure.log)\n", page->out);
	return good;
}

bool show_saved(struct summary *summary, const struct show_page *page, struct text *why)
{
	bool good = true;

	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++) {
		struct run_tables run;
		struct arena arena;

		arena_init(&arena);
		good = run_tables_read(summary, row, &arena, &run, why);
		if (good && run.saved.row_count > 0)
			fprintf(page->out, "\nSaved by run %lld\n",
				(long long)dataset_integer(&summary->dataset, summary->run, row));
		for (uint64_t i = 0; good && i < run.saved.row_count; i++)
			fprintf(page->out, "  %s/saved_%s: %s %s\n", summary_group(summary, row),
				dataset_text_of(&run.saved, "name", i),
				dataset_text_of(&run.saved, "element", i),
				dataset_text_of(&run.saved, "shape", i));
		arena_fini(&arena);
	}
	return good;
}
