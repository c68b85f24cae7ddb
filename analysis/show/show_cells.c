/* Code that all tables of `show` share: the head of the file, the columns that identify a run,
 * cells, and failed runs. */
#include <string.h>

#include "analysis/print/wrap.h"
#include "show_private.h"

const struct text_column show_thread_columns[SHOW_THREAD_COLUMNS] = {
	{"computing", COLUMN_TIME, 1, "busy"},
	{"of it copying", COLUMN_TIME, 1, "copying"},
	{"spinning", COLUMN_TIME, 1, "spinning"},
	{"switching", COLUMN_TIME, 1, "switching"},
	{"without a core", COLUMN_TIME, 1, "waiting"},
	{"parked", COLUMN_TIME, 1, "parked"},
	{"switches", COLUMN_COUNT, 0, "switches"},
	{"preemptions", COLUMN_COUNT, 0, "preemptions"},
	{"hot wakes", COLUMN_COUNT, 0, "wakes_hot"},
	{"idle wakes", COLUMN_COUNT, 0, "wakes_idle"},
	{"queued wakes", COLUMN_COUNT, 0, "wakes_queued"},
	{"polls", COLUMN_COUNT, 0, "polls"},
};

enum column_kind show_kind_of(const struct dataset_column *column)
{
	if (column->type == DATASET_TEXT)
		return COLUMN_TEXT;
	if (strcmp(column->unit, "ps") == 0)
		return COLUMN_TIME;
	if (strcmp(column->unit, "B") == 0)
		return COLUMN_BYTES;
	if (strcmp(column->unit, "B/s") == 0)
		return COLUMN_RATE;
	if (strcmp(column->unit, "1/s") == 0)
		return COLUMN_PER_S;
	return column->type == DATASET_REAL ? COLUMN_NUMBER : COLUMN_COUNT;
}

void show_cell(struct text_table *table, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row)
{
	if (!column)
		text_table_blank(table);
	else if (column->type == DATASET_TEXT)
		text_table_text(table, dataset_text(dataset, column, row));
	else if (show_kind_of(column) != COLUMN_NUMBER && dataset_real(dataset, column, row) < 0 &&
		 strcmp(column->unit, "1") != 0)
		text_table_blank(table);
	else
		text_table_number(table, dataset_real(dataset, column, row));
}

void show_rate(struct text_table *table, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row)
{
	if (column && dataset_real(dataset, column, row) > 0)
		show_cell(table, dataset, column, row);
	else
		text_table_blank(table);
}

void show_run_columns(const struct summary *summary, struct text_table *table)
{
	text_table_column(table, "run", COLUMN_COUNT, 0);
	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const struct dataset_column *column =
			&summary->dataset.columns[summary->swept_first + i];
		text_table_column(table, summary_short_name(summary, i), show_kind_of(column), 0);
	}
	if (!summary->all_ok)
		text_table_column(table, "status", COLUMN_TEXT, 0);
	text_table_keys(table, 1 + summary->swept_count + !summary->all_ok);
}

void show_run_cells(const struct summary *summary, struct text_table *table, uint64_t row)
{
	text_table_row(table);
	show_cell(table, &summary->dataset, summary->run, row);
	for (uint32_t i = 0; i < summary->swept_count; i++)
		show_cell(table, &summary->dataset,
			&summary->dataset.columns[summary->swept_first + i], row);
	if (!summary->all_ok)
		show_cell(table, &summary->dataset, summary->status, row);
}

/* Prints a text wrapped to the page, keeping its own line ends. */
static void show_paragraph(const char *text, struct arena *arena, const struct show_page *page)
{
	uint32_t columns = page->columns < WRAP_COLUMNS ? page->columns : WRAP_COLUMNS;

	while (*text) {
		size_t length = strcspn(text, "\n");

		wrap_print("", arena_copy(arena, text, length), 0, 2, columns, page->out);
		text += length + (text[length] == '\n');
	}
}

void show_head(struct summary *summary, const struct show_page *page)
{
	FILE *out = page->out;
	struct result *result = summary->result;
	const char *description = result_lines(result, "/", "scenario_description");

	fprintf(out, "%s\n", result_text(result, "/", "scenario_name"));
	show_paragraph(description, result_arena(result), page);
	show_paragraph(
		arena_printf(result_arena(result), "%llu run%s; meshsim %s (%s, %s), SimGrid %s",
			(unsigned long long)summary->dataset.row_count,
			summary->dataset.row_count == 1 ? "" : "s",
			result_text(result, "/", "meshsim_version"),
			result_text(result, "/", "git_commit"), result_text(result, "/", "build"),
			result_text(result, "/", "simgrid_version")),
		result_arena(result), page);
	if (summary_is_native(summary))
		show_paragraph(
			"native: functional; times are those of the machine that ran it, not "
			"of the platform",
			result_arena(result), page);
}

/* Prints a head, and below it a message, of which each line is wrapped. */
static void print_message(const char *head, const char *message, struct arena *arena, FILE *out)
{
	uint32_t margin = 2;

	for (const char *line = message; *line; margin = 4) {
		size_t length = strcspn(line, "\n");
		wrap_hang(arena_printf(arena, "%s%.*s", margin == 2 ? head : "", (int)length, line),
			margin, 4, answer_columns(out), "", out);
		line += length + (line[length] == '\n');
	}
}

void show_failures(struct summary *summary, bool whole, FILE *out)
{
	const struct dataset *dataset = &summary->dataset;
	struct arena *arena = result_arena(summary->result);

	for (uint64_t row = 0; row < dataset->row_count; row++) {
		const char *message =
			result_lines(summary->result, summary_group(summary, row), "message");

		if (summary_is_ok(summary, row))
			continue;
		if (!whole)
			message = arena_copy(arena, message, strcspn(message, "\n"));
		print_message(arena_printf(arena, "run %lld %s: ",
				      (long long)dataset_integer(dataset, summary->run, row),
				      dataset_text(dataset, summary->status, row)),
			message[0] ? message : "no message", arena, out);
	}
}

bool show_each_run(struct summary *summary, const struct show_page *page,
	bool (*show)(const struct shown_run *run, const void *context), const void *context,
	bool *any, struct text *why)
{
	bool good = true, printed = false;

	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++) {
		struct run_tables tables;
		struct arena arena;

		arena_init(&arena);
		good = run_tables_read(summary, row, &arena, &tables, why);
		if (good)
			printed |= show(
				&(struct shown_run){summary, row, &tables, &arena, page}, context);
		arena_fini(&arena);
	}
	if (any)
		*any = printed;
	return good;
}
