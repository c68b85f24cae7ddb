/* Prints the state of the cores in runs that did not finish. Each such run has a table with groups
 * of cores in the same state, as the watcher recorded them. If there is no such run, prints a line
 * that says so. */
#include <string.h>

#include "show_private.h"

static const struct text_column columns[] = {
	{"cores", COLUMN_COUNT, 0, "cores"},
	{"chips", COLUMN_TEXT, 0, "chips"},
	{"tiles", COLUMN_TEXT, 0, "tiles"},
	{"processor", COLUMN_TEXT, 0, "processor"},
	{"state", COLUMN_TEXT, 0, "state"},
	{"number", COLUMN_COUNT, 0, "instruction"},
	{"instruction", COLUMN_TEXT, 0, "at"},
	{"waypoint", COLUMN_COUNT, 0, "waypoint"},
	{"waits for", COLUMN_TEXT, 0, "waits"},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* Returns true if a cell must be left blank because its value has no meaning: the processor is not
 * executing a kernel with instructions, or it has passed no waypoint. */
static bool is_blank(const struct dataset *rows, int column, uint64_t row)
{
	const char *source = columns[column].source;

	if (strcmp(source, "waypoint") == 0)
		return dataset_integer_of(rows, source, row) == 0;
	return strcmp(source, "instruction") == 0 && dataset_integer_of(rows, source, row) < 0;
}

static void show_watcher_show_rows(
	const struct dataset *rows, struct arena *arena, const struct show_page *page)
{
	struct text_table *table = text_table_new(arena);

	text_table_columns(table, columns, COLUMNS);
	for (uint64_t row = 0; row < rows->row_count; row++) {
		text_table_row(table);
		for (int i = 0; i < COLUMNS; i++)
			show_cell(table, rows,
				is_blank(rows, i, row) ? NULL
						       : dataset_column(rows, columns[i].source),
				row);
	}
	text_table_print_within(table, page->columns, page->out);
}

static bool show_watched_run(const struct shown_run *run, const void *context)
{
	(void)context;
	if (run->tables->watcher.row_count == 0)
		return false;
	fprintf(run->page->out, "\nWatcher: what cores were at when run %lld was over\n",
		(long long)dataset_integer(&run->summary->dataset, run->summary->run, run->row));
	show_watcher_show_rows(&run->tables->watcher, run->arena, run->page);
	return true;
}

bool show_watcher(struct summary *summary, const struct show_page *page, struct text *why)
{
	bool any, good = show_each_run(summary, page, show_watched_run, NULL, &any, why);

	if (good && !any)
		fputs("\nWatcher: none, no run left cores waiting\n", page->out);
	return good;
}
