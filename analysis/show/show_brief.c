/* Prints the tables that `meshsim run` shows. Each kind of operation has a table, with a row for
 * each run and the metrics that decide between designs. A table of the runs' totals follows. Runs
 * that did not end well have no row; they are named above the tables. */
#include <string.h>

#include "analysis/print/wrap.h"
#include "show_private.h"

enum { GROUP_NONE };

enum { STEPS_SHOWN = 12 }; /* a kind with more steps has one table for all of them */

/* Columns that a table leaves out if it is too wide, in this order. */
static const char *const dispensable[] = {
	"skew p50", "latency p99", "host p50", "host_threads", "switches", "wakeups", NULL};

enum { PERCENTILE_P50 = 0, PERCENTILE_P99 = 2 };

/* The columns shown for a kind of operation: metric of the summary, heading, percentile. */
static const struct shown_metric {
	const char *metric, *heading;
	int percentile;
} shown_metrics[] = {
	{"host", "host p50", PERCENTILE_P50},
	{"reach", "reach p50", PERCENTILE_P50},
	{"skew", "skew p50", PERCENTILE_P50},
	{"latency", "latency p50", PERCENTILE_P50},
	{"latency", "latency p99", PERCENTILE_P99},
	{"round", "round p50", PERCENTILE_P50},
};

enum { SHOWN_METRICS = sizeof(shown_metrics) / sizeof(shown_metrics[0]) };

/* The totals that are shown, in this order. Totals with `is_modelled` may be unknown for native
 * runs: they are then 0 in the file, and their cells are left blank. */
static const struct shown_total {
	const char *name;
	bool is_modelled;
} totals[] = {
	{"simulated", false},
	{"host_busy", true},
	{"host_threads", true},
	{"switches", true},
	{"wakeups", true},
	{"events", true},
	{"verified", false},
};

enum { TOTALS = sizeof(totals) / sizeof(totals[0]) };

static const struct dataset_column *metric_column(
	const struct summary_kind *kind, const struct shown_metric *metric)
{
	for (uint32_t i = 0; i < kind->metric_count; i++)
		if (strcmp(kind->metrics[i].name, metric->metric) == 0)
			return kind->metrics[i].percentiles[metric->percentile];
	return NULL;
}

/* Fills the cell of a metric. If there is only one operation, percentiles other than p50 are left
 * blank, because they are equal to p50. */
static void show_metric(struct text_table *table, const struct dataset *dataset,
	const struct summary_kind *kind, const struct shown_metric *shown, uint64_t row)
{
	if (shown->percentile != PERCENTILE_P50 && dataset_integer(dataset, kind->count, row) < 2)
		text_table_blank(table);
	else
		show_cell(table, dataset, metric_column(kind, shown), row);
}

/* Prints a table so that it fits into the width of the page. If columns have to be left out for
 * this, also prints a line that lists them. */
static void show_fitted(struct text_table *table, struct arena *arena, const struct show_page *page)
{
	const char *left_out = text_table_fit(table, dispensable, page->columns);

	text_table_print_within(table, page->columns, page->out);
	if (left_out[0])
		wrap_hang(arena_printf(arena, "not shown: %s (--wide)", left_out), 2, 4,
			page->columns, "", page->out);
}

static void show_kind(struct summary *summary, const struct summary_kind *kind, struct arena *arena,
	const struct show_page *page)
{
	const struct dataset *dataset = &summary->dataset;
	struct text_table *table = text_table_new(arena);
	bool any = false;

	show_run_columns(summary, table);
	for (int i = 0; i < SHOWN_METRICS; i++)
		text_table_column(table, shown_metrics[i].heading, COLUMN_TIME, GROUP_NONE);
	text_table_column(table, "throughput", COLUMN_PER_S, GROUP_NONE);
	text_table_column(table, "bandwidth", COLUMN_RATE, GROUP_NONE);
	for (uint64_t row = 0; row < dataset->row_count; row++) {
		if (dataset_integer(dataset, kind->count, row) == 0 || !summary_is_ok(summary, row))
			continue;
		any = true;
		show_run_cells(summary, table, row);
		for (int i = 0; i < SHOWN_METRICS; i++)
			show_metric(table, dataset, kind, &shown_metrics[i], row);
		show_rate(table, dataset, kind->throughput, row);
		show_rate(table, dataset, kind->bandwidth, row);
	}
	if (!any)
		return;
	fprintf(page->out, "\n%s\n", kind->name);
	show_fitted(table, arena, page);
}

/* Prints a table for each kind. If a kind has few steps, prints a table for each step instead. */
static void show_kinds(struct summary *summary, struct arena *arena, const struct show_page *page)
{
	for (uint32_t i = 0; i < summary->kind_count; i++) {
		const struct summary_kind *kind = &summary->kinds[i];
		uint32_t steps = kind->whole ? kind->whole->step_count : kind->step_count;

		if ((kind->whole != NULL) == (steps > 0 && steps <= STEPS_SHOWN))
			show_kind(summary, kind, arena, page);
		if (kind->step_count > STEPS_SHOWN)
			wrap_hang(arena_printf(arena,
					  "%u steps together; apart: meshsim show, meshsim explain",
					  kind->step_count),
				2, 4, page->columns, "", page->out);
	}
}

static const struct dataset_column *total_column(const struct summary *summary, const char *name)
{
	for (uint32_t i = 0; i < summary->total_count; i++) {
		const struct dataset_column *column =
			&summary->dataset.columns[summary->total_first + i];
		if (strcmp(column->name, name) == 0)
			return column;
	}
	return NULL;
}

static const char *const legend[] = {
	"host: the call held its thread. reach: call to go on the last chip. skew: first to last "
	"chip.",
	"latency: call until the host saw it, or, if it never looks, until the last chip was done.",
	"round: call to the next call of the same step. throughput, bandwidth: of the steady "
	"state."};

static void show_legend(const struct show_page *page)
{
	fputc('\n', page->out);
	for (size_t i = 0; i < sizeof legend / sizeof legend[0]; i++)
		wrap_hang(legend[i], 2, 4, page->columns, "", page->out);
}

static void show_total(struct text_table *table, struct summary *summary,
	const struct shown_total *total, uint64_t row)
{
	const struct dataset_column *column = total_column(summary, total->name);

	if (column && total->is_modelled && summary_is_native(summary) &&
		dataset_integer(&summary->dataset, column, row) == 0)
		text_table_blank(table);
	else
		show_cell(table, &summary->dataset, column, row);
}

/* Prints the totals of the runs. Returns false if there is no run to show. */
static bool show_totals(struct summary *summary, struct arena *arena, const struct show_page *page)
{
	struct text_table *table = text_table_new(arena);
	bool any = false;

	show_run_columns(summary, table);
	for (int i = 0; i < TOTALS; i++) {
		const struct dataset_column *column = total_column(summary, totals[i].name);
		text_table_column(table, totals[i].name,
			column ? show_kind_of(column) : COLUMN_COUNT, GROUP_NONE);
	}
	for (uint64_t row = 0; row < summary->dataset.row_count; row++) {
		if (!summary_is_ok(summary, row))
			continue;
		any = true;
		show_run_cells(summary, table, row);
		for (int i = 0; i < TOTALS; i++)
			show_total(table, summary, &totals[i], row);
	}
	if (!any)
		return false;
	fputs("\nwhole run\n", page->out);
	show_fitted(table, arena, page);
	return true;
}

bool show_brief(struct summary *summary, const struct show_page *page, struct text *why)
{
	struct arena arena;
	bool good;

	arena_init(&arena);
	show_head(summary, page);
	show_failures(summary, false, page->out);
	show_kinds(summary, &arena, page);
	show_left_out(summary, &arena, page);
	if (show_totals(summary, &arena, page))
		show_legend(page);
	good = show_opening(summary, page, why);
	arena_fini(&arena);
	return good;
}
