/* The values that kernels printed. For each run, prints the first values in the order of time, and
 * the total number of values. Runs whose kernels printed nothing are left out. */
#include "show_private.h"

enum { ROWS_MAX = 64 }; /* values printed for each run; the file may have more */

static const struct text_column columns[] = {
	{"time", COLUMN_TIME, 1, "time"},
	{"chip", COLUMN_COUNT, 0, "chip"},
	{"tile", COLUMN_COUNT, 0, "tile"},
	{"processor", COLUMN_TEXT, 0, "processor"},
	{"operation", COLUMN_COUNT, 0, "operation"},
	{"instruction", COLUMN_COUNT, 0, "instruction"},
	{"what", COLUMN_TEXT, 0, "what"},
	{"number", COLUMN_COUNT, 0, "number"},
	{"value", COLUMN_NUMBER, 0, "value"},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static void show_prints_show_rows(
	const struct dataset *rows, struct arena *arena, const struct show_page *page)
{
	struct text_table *table = text_table_new(arena);

	text_table_columns(table, columns, COLUMNS);
	for (uint64_t row = 0; row < rows->row_count && row < ROWS_MAX; row++) {
		text_table_row(table);
		for (int i = 0; i < COLUMNS; i++)
			show_cell(table, rows, dataset_column(rows, columns[i].source), row);
	}
	text_table_print_within(table, page->columns, page->out);
	if (rows->row_count > ROWS_MAX)
		fprintf(page->out, "  and %llu more\n",
			(unsigned long long)rows->row_count - ROWS_MAX);
}

static bool show_printing_run(const struct shown_run *run, const void *context)
{
	const struct dataset *counts = &run->tables->print_counts;
	int64_t printed, beyond;

	(void)context;
	if (counts->row_count == 0)
		return false;
	printed = dataset_integer_of(counts, "printed", 0);
	beyond = printed - dataset_integer_of(counts, "kept", 0);
	fprintf(run->page->out, "\nPrints of kernels, run %lld: %lld\n",
		(long long)dataset_integer(&run->summary->dataset, run->summary->run, run->row),
		(long long)printed);
	if (run->tables->prints.row_count > 0)
		show_prints_show_rows(&run->tables->prints, run->arena, run->page);
	if (beyond > 0)
		fprintf(run->page->out, "  %lld were not kept (measure.prints)\n",
			(long long)beyond);
	return true;
}

bool show_prints(struct summary *summary, const struct show_page *page, struct text *why)
{
	return show_each_run(summary, page, show_printing_run, NULL, NULL, why);
}
