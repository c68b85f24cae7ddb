/* What `meshsim run` prints: for every kind of operation a row per run with its swept keys, the
 * figures that decisions are made of, and what the runs cost. Refuses to explain: `show` has all.
 */
#include <string.h>

#include "show_private.h"

enum { GROUP_NONE, GROUP_TIMES };

enum { PERCENTILE_P50 = 0, PERCENTILE_P99 = 2 };

/* What is shown of an operation: metric of the summary, percentile, heading. */
static const struct figure {
	const char *metric, *heading;
	int percentile;
} figures[] = {
	{"host", "host p50", PERCENTILE_P50},
	{"reach", "reach p50", PERCENTILE_P50},
	{"skew", "skew p50", PERCENTILE_P50},
	{"latency", "latency p50", PERCENTILE_P50},
	{"latency", "latency p99", PERCENTILE_P99},
};

enum { FIGURES = sizeof(figures) / sizeof(figures[0]) };

/* Totals of the summary, in this order. */
static const char *const totals[] = {
	"simulated", "host_busy", "host_threads", "switches", "wakeups", "events", "verified"};

enum { TOTALS = sizeof(totals) / sizeof(totals[0]) };

static void key_columns(const struct view *view, struct grid *grid)
{
	grid_column(grid, "run", GRID_COUNT, GROUP_NONE);
	for (uint32_t i = 0; i < view->swept_count; i++)
		grid_column(grid, view_short_name(view, i),
			show_kind_of(&view->summary.columns[view->swept_first + i]), GROUP_NONE);
}

static void key_cells(const struct view *view, struct grid *grid, uint64_t row)
{
	grid_row(grid);
	show_cell(grid, &view->summary, view->run, row);
	for (uint32_t i = 0; i < view->swept_count; i++)
		show_cell(grid, &view->summary, &view->summary.columns[view->swept_first + i], row);
}

static const struct data_column *figure_column(
	const struct view_kind *kind, const struct figure *figure)
{
	for (uint32_t i = 0; i < kind->metric_count; i++)
		if (strcmp(kind->metrics[i].name, figure->metric) == 0)
			return kind->metrics[i].percentiles[figure->percentile];
	return NULL;
}

static void show_kind(
	struct view *view, const struct view_kind *kind, struct arena *arena, FILE *out)
{
	const struct data_table *summary = &view->summary;
	struct grid *grid = grid_new(arena);

	key_columns(view, grid);
	for (int i = 0; i < FIGURES; i++)
		grid_column(grid, figures[i].heading, GRID_TIME, GROUP_TIMES);
	grid_column(grid, "throughput", GRID_PER_S, GROUP_NONE);
	for (uint64_t row = 0; row < summary->row_count; row++) {
		if (data_integer(summary, kind->count, row) == 0)
			continue;
		key_cells(view, grid, row);
		for (int i = 0; i < FIGURES; i++)
			show_cell(grid, summary, figure_column(kind, &figures[i]), row);
		show_cell(grid, summary, kind->throughput, row);
	}
	fprintf(out, "\n%s\n", kind->name);
	grid_print(grid, out);
}

static const struct data_column *total_column(const struct view *view, const char *name)
{
	for (uint32_t i = 0; i < view->total_count; i++) {
		const struct data_column *column = &view->summary.columns[view->total_first + i];
		if (strcmp(column->name, name) == 0)
			return column;
	}
	return NULL;
}

static void show_totals(struct view *view, struct arena *arena, FILE *out)
{
	struct grid *grid = grid_new(arena);

	key_columns(view, grid);
	for (int i = 0; i < TOTALS; i++) {
		const struct data_column *column = total_column(view, totals[i]);
		grid_column(
			grid, totals[i], column ? show_kind_of(column) : GRID_COUNT, GROUP_NONE);
	}
	for (uint64_t row = 0; row < view->summary.row_count; row++) {
		key_cells(view, grid, row);
		for (int i = 0; i < TOTALS; i++)
			show_cell(grid, &view->summary, total_column(view, totals[i]), row);
	}
	fputs("\nwhole run\n", out);
	grid_print(grid, out);
}

bool show_brief(struct view *view, FILE *out, struct text *why)
{
	struct arena arena;

	(void)why;
	arena_init(&arena);
	show_head(view, out);
	for (uint32_t i = 0; i < view->kind_count; i++)
		show_kind(view, &view->kinds[i], &arena, out);
	show_totals(view, &arena, out);
	show_failures(view, out);
	fputs("\n  host: the call held its thread. reach: call to go on the last chip. skew: first "
	      "to "
	      "last chip.\n  latency: call until the host saw it, or, if it never looks, until the "
	      "last chip was done.\n",
		out);
	arena_fini(&arena);
	return true;
}
