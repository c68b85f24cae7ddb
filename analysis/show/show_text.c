/* The text output of `meshsim show`: tables of runs, of operations, of the host's time, and of the
 * busiest links, stages and queues. */
#include <string.h>

#include "show_private.h"

enum { GROUP_NONE };

/* Prints a table with a row per run and the given columns of the summary. */
static void show_columns(struct summary *summary, const char *title,
	const struct dataset_column *const *columns, uint32_t count, struct arena *arena,
	const struct show_page *page)
{
	const struct dataset *dataset = &summary->dataset;
	struct text_table *table = text_table_new(arena);

	show_run_columns(summary, table);
	for (uint32_t i = 0; i < count; i++)
		text_table_column(table, columns[i]->name, show_kind_of(columns[i]), GROUP_NONE);
	for (uint64_t row = 0; row < dataset->row_count; row++) {
		show_run_cells(summary, table, row);
		for (uint32_t i = 0; i < count; i++)
			show_cell(table, dataset, columns[i], row);
	}
	fprintf(page->out, "\n%s\n", title);
	text_table_print_within(table, page->columns, page->out);
}

/* Totals from this column on belong to the command path (bench/results/total.def). */
static const char command_totals[] = "issued_bytes";

static void show_runs(struct summary *summary, struct arena *arena, const struct show_page *page)
{
	const struct dataset_column *totals = &summary->dataset.columns[summary->total_first];
	const struct dataset_column **columns =
		arena_array(arena, summary->total_count + 2, sizeof(*columns));
	uint32_t first = 0, count = 0;

	if (summary->all_ok) /* else the columns that identify a run have the status already */
		columns[count++] = summary->status;
	columns[count++] = summary->seed;
	for (; first < summary->total_count && strcmp(totals[first].name, command_totals) != 0;
		first++)
		columns[count++] = &totals[first];
	show_columns(summary, "Runs", columns, count, arena, page);
	show_failures(summary, true, page->out);
	if (!summary->all_ok)
		fputs("  Figures of a run that is not ok are those until it failed: not results.\n",
			page->out);
	for (count = 0; first < summary->total_count; first++)
		columns[count++] = &totals[first];
	if (count > 0)
		show_columns(summary, "Commands and their bytes", columns, count, arena, page);
}

static void metric_rows(struct summary *summary, struct text_table *table,
	const struct summary_kind *kind, uint32_t index)
{
	const struct summary_metric *metric = &kind->metrics[index];
	const struct dataset *dataset = &summary->dataset;

	for (uint64_t row = 0; row < dataset->row_count; row++) {
		if (dataset_integer(dataset, kind->count, row) == 0 ||
			dataset_integer(dataset, metric->percentiles[0], row) < 0)
			continue;
		show_run_cells(summary, table, row);
		text_table_text(table, metric->name);
		show_cell(table, dataset, kind->count, row);
		for (int i = 0; i < SUMMARY_PERCENTILES; i++)
			if (i > 0 && dataset_integer(dataset, kind->count, row) < 2)
				/* one operation: all percentiles are equal */
				text_table_blank(table);
			else
				show_cell(table, dataset, metric->percentiles[i], row);
		show_rate(table, dataset, kind->throughput, row);
		show_rate(table, dataset, kind->bandwidth, row);
	}
}

static void show_operations(
	struct summary *summary, struct arena *arena, const struct show_page *page)
{
	for (uint32_t k = 0; k < summary->kind_count; k++) {
		const struct summary_kind *kind = &summary->kinds[k];
		struct text_table *table = text_table_new(arena);
		if (kind->step_count > 0)
			continue;
		show_run_columns(summary, table);
		text_table_column(table, "metric", COLUMN_TEXT, GROUP_NONE);
		text_table_column(table, "count", COLUMN_COUNT, GROUP_NONE);
		for (int i = 0; i < SUMMARY_PERCENTILES; i++)
			text_table_column(
				table, summary_percentile_names[i], COLUMN_TIME, GROUP_NONE);
		text_table_column(table, "throughput", COLUMN_PER_S, GROUP_NONE);
		text_table_column(table, "bandwidth", COLUMN_RATE, GROUP_NONE);
		for (uint32_t m = 0; m < kind->metric_count; m++)
			metric_rows(summary, table, kind, m);
		fprintf(page->out, "\nOperation %s\n", kind->name);
		text_table_print_within(table, page->columns, page->out);
	}
}

static struct text_table *host_table(const struct summary *summary, struct arena *arena)
{
	struct text_table *table = text_table_new(arena);

	show_run_columns(summary, table);
	text_table_column(table, "threads", COLUMN_COUNT, GROUP_NONE);
	text_table_columns(table, show_thread_columns, SHOW_THREAD_COLUMNS);
	return table;
}

static void host_row(const struct summary *summary, struct text_table *table, uint64_t row,
	const struct dataset *threads)
{
	show_run_cells(summary, table, row);
	text_table_number(table, (double)threads->row_count);
	for (int i = 0; i < SHOW_THREAD_COLUMNS; i++)
		text_table_number(table, dataset_sum(threads, show_thread_columns[i].source));
}

static const struct text_column busiest_columns[] = {
	{"busiest link", COLUMN_TEXT, GROUP_NONE, NULL},
	{"link busy", COLUMN_SHARE, GROUP_NONE, NULL},
	{"busiest stage", COLUMN_TEXT, GROUP_NONE, NULL},
	{"stage busy", COLUMN_SHARE, GROUP_NONE, NULL},
	{"longest blocked stage", COLUMN_TEXT, GROUP_NONE, NULL},
	{"stage blocked", COLUMN_TIME, GROUP_NONE, NULL},
	{"fullest queue", COLUMN_TEXT, GROUP_NONE, NULL},
	{"queue blocked", COLUMN_TIME, GROUP_NONE, NULL},
};

static struct text_table *busiest_table(const struct summary *summary, struct arena *arena)
{
	struct text_table *table = text_table_new(arena);

	show_run_columns(summary, table);
	text_table_columns(
		table, busiest_columns, sizeof busiest_columns / sizeof *busiest_columns);
	return table;
}

/* Fills two cells of the stage with the largest `column`: its name and chip, and its `value`. */
static void stage_cells(struct text_table *table, const struct dataset *cores, const char *column,
	const char *value, struct arena *arena)
{
	int64_t at = dataset_largest(cores, column);

	if (at < 0) {
		text_table_blank(table);
		text_table_blank(table);
		return;
	}
	text_table_text(table,
		arena_printf(arena, "%s on chip %lld", dataset_text_of(cores, "role", (uint64_t)at),
			(long long)dataset_integer_of(cores, "chip", (uint64_t)at)));
	text_table_number(table, dataset_real_of(cores, value, (uint64_t)at));
}

static void named_cells(struct text_table *table, const struct dataset *dataset, const char *column)
{
	int64_t at = dataset_largest(dataset, column);

	if (at < 0) {
		text_table_blank(table);
		text_table_blank(table);
		return;
	}
	text_table_text(table, dataset_text_of(dataset, "name", (uint64_t)at));
	text_table_number(table, dataset_real_of(dataset, column, (uint64_t)at));
}

static void busiest_row(const struct summary *summary, struct text_table *table, uint64_t row,
	const struct run_tables *run, struct arena *arena)
{
	show_run_cells(summary, table, row);
	named_cells(table, &run->links, "utilization");
	stage_cells(table, &run->cores, "busy", "utilization", arena);
	stage_cells(table, &run->cores, "blocked", "blocked", arena);
	named_cells(table, &run->queues, "blocked_time");
}

bool show_text(struct summary *summary, const struct show_page *page, struct text *why)
{
	struct arena arena;
	bool good = true;

	arena_init(&arena);
	struct text_table *host = host_table(summary, &arena),
			  *busiest = busiest_table(summary, &arena);
	show_head(summary, page);
	show_runs(summary, &arena, page);
	show_operations(summary, &arena, page);
	show_left_out(summary, &arena, page);
	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++) {
		struct arena scratch;
		struct run_tables run;
		arena_init(&scratch);
		good = run_tables_read(summary, row, &scratch, &run, why);
		if (good) {
			host_row(summary, host, row, &run.threads);
			busiest_row(summary, busiest, row, &run, &arena);
		}
		arena_fini(&scratch);
	}
	if (good) {
		fputs("\nHost threads, sums per run\n", page->out);
		text_table_print_within(host, page->columns, page->out);
		fputs("\nBusiest and blocked, one of each per run\n", page->out);
		text_table_print_within(busiest, page->columns, page->out);
	}
	if (good && summary->dataset.row_count == 1) {
		struct run_tables run;
		good = run_tables_read(summary, 0, &arena, &run, why);
		if (good)
			show_detail(&run, &arena, page);
	}
	good = good && show_opening(summary, page, why) && show_prints(summary, page, why) &&
	       show_saved(summary, page, why) && show_log(summary, false, page, why) &&
	       show_watcher(summary, page, why);
	arena_fini(&arena);
	return good;
}
