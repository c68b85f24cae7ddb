/* The values that kernels printed. For each run, prints the first values in the order of time, and
 * the total number. Leaves out runs whose kernels printed nothing. */
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

static void show_run(const struct summary *summary, uint64_t row, const struct run_tables *run,
	struct arena *arena, const struct show_page *page)
{
	int64_t printed = dataset_integer_of(&run->print_counts, "printed", 0);
	int64_t beyond = printed - dataset_integer_of(&run->print_counts, "kept", 0);

	fprintf(page->out, "\nPrints of kernels, run %lld: %lld\n",
		(long long)dataset_integer(&summary->dataset, summary->run, row),
		(long long)printed);
	if (run->prints.row_count > 0)
		show_prints_show_rows(&run->prints, arena, page);
	if (beyond > 0)
		fprintf(page->out, "  %lld were not kept (measure.prints)\n", (long long)beyond);
}

bool show_prints(struct summary *summary, const struct show_page *page, struct text *why)
{
	bool good = true;

	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++) {
		struct run_tables run;
		struct arena arena;

		arena_init(&arena);
		good = run_tables_read(summary, row, &arena, &run, why);
		if (good && run.print_counts.row_count > 0)
			show_run(summary, row, &run, &arena, page);
		arena_fini(&arena);
	}
	return good;
}
