/* `meshsim show` for people: tables of runs, of operations, of the host's time, and of what was
 * busiest. Refuses to print a figure that the file does not hold. */
#include <string.h>

#include "show_private.h"

enum { GROUP_NONE, GROUP_PERCENTILES, GROUP_HOST };

enum grid_kind show_kind_of(const struct data_column *column)
{
	if (column->type == DATA_TEXT)
		return GRID_TEXT;
	if (strcmp(column->unit, "ps") == 0)
		return GRID_TIME;
	if (strcmp(column->unit, "B") == 0)
		return GRID_BYTES;
	if (strcmp(column->unit, "B/s") == 0)
		return GRID_RATE;
	if (strcmp(column->unit, "1/s") == 0)
		return GRID_PER_S;
	return column->type == DATA_REAL ? GRID_NUMBER : GRID_COUNT;
}

void show_cell(struct grid *grid, const struct data_table *table, const struct data_column *column,
	uint64_t row)
{
	if (!column)
		grid_blank(grid);
	else if (column->type == DATA_TEXT)
		grid_text(grid, data_text(table, column, row));
	else if (show_kind_of(column) != GRID_NUMBER && data_real(table, column, row) < 0 &&
		 strcmp(column->unit, "1") != 0)
		grid_blank(grid);
	else
		grid_number(grid, data_real(table, column, row));
}

/* Columns and cells that say which run a row is about. */
static void run_columns(const struct view *view, struct grid *grid)
{
	grid_column(grid, "run", GRID_COUNT, GROUP_NONE);
	for (uint32_t i = 0; i < view->swept_count; i++) {
		const struct data_column *column = &view->summary.columns[view->swept_first + i];
		grid_column(grid, column->name, show_kind_of(column), GROUP_NONE);
	}
}

static void run_cells(const struct view *view, struct grid *grid, uint64_t row)
{
	grid_row(grid);
	show_cell(grid, &view->summary, view->run, row);
	for (uint32_t i = 0; i < view->swept_count; i++)
		show_cell(grid, &view->summary, &view->summary.columns[view->swept_first + i], row);
}

void show_head(struct view *view, FILE *out)
{
	struct result *result = view->result;
	const char *description = result_text(result, "/", "scenario_description");
	const char *world = result_text(result, "/", "world");

	fprintf(out, "%s\n", result_text(result, "/", "scenario_name"));
	if (description[0])
		fprintf(out, "  %s\n", description);
	fprintf(out, "  %llu run%s; meshsim %s (%s, %s), SimGrid %s\n",
		(unsigned long long)view->summary.row_count,
		view->summary.row_count == 1 ? "" : "s",
		result_text(result, "/", "meshsim_version"), result_text(result, "/", "git_commit"),
		result_text(result, "/", "build"), result_text(result, "/", "simgrid_version"));
	if (strcmp(world, "native") == 0)
		fputs("  native: functional; times are those of the machine that ran it, not of "
		      "the "
		      "platform\n",
			out);
}

void show_failures(struct view *view, FILE *out)
{
	const struct data_table *summary = &view->summary;

	for (uint64_t row = 0; row < summary->row_count; row++) {
		const char *status = data_text(summary, view->status, row);
		const char *message = result_text(view->result, view_group(view, row), "message");
		if (strcmp(status, "ok") != 0)
			fprintf(out, "  run %lld %s: %s\n",
				(long long)data_integer(summary, view->run, row), status,
				message[0] ? message : "no message");
	}
}

static void show_runs(struct view *view, struct arena *arena, FILE *out)
{
	const struct data_table *summary = &view->summary;
	struct grid *grid = grid_new(arena);

	run_columns(view, grid);
	grid_column(grid, "status", GRID_TEXT, GROUP_NONE);
	grid_column(grid, "seed", GRID_COUNT, GROUP_NONE);
	for (uint32_t i = 0; i < view->total_count; i++) {
		const struct data_column *column = &summary->columns[view->total_first + i];
		grid_column(grid, column->name, show_kind_of(column), GROUP_NONE);
	}
	for (uint64_t row = 0; row < summary->row_count; row++) {
		run_cells(view, grid, row);
		show_cell(grid, summary, view->status, row);
		show_cell(grid, summary, view->seed, row);
		for (uint32_t i = 0; i < view->total_count; i++)
			show_cell(grid, summary, &summary->columns[view->total_first + i], row);
	}
	fputs("\nRuns\n", out);
	grid_print(grid, out);
	show_failures(view, out);
}

static void metric_rows(
	struct view *view, struct grid *grid, const struct view_kind *kind, uint32_t index)
{
	const struct view_metric *metric = &kind->metrics[index];
	const struct data_table *summary = &view->summary;

	for (uint64_t row = 0; row < summary->row_count; row++) {
		if (data_integer(summary, kind->count, row) == 0 ||
			data_integer(summary, metric->percentiles[0], row) < 0)
			continue;
		run_cells(view, grid, row);
		grid_text(grid, metric->name);
		show_cell(grid, summary, kind->count, row);
		for (int i = 0; i < VIEW_PERCENTILES; i++)
			show_cell(grid, summary, metric->percentiles[i], row);
		show_cell(grid, summary, kind->throughput, row);
	}
}

static void show_operations(struct view *view, struct arena *arena, FILE *out)
{
	for (uint32_t k = 0; k < view->kind_count; k++) {
		const struct view_kind *kind = &view->kinds[k];
		struct grid *grid = grid_new(arena);
		run_columns(view, grid);
		grid_column(grid, "metric", GRID_TEXT, GROUP_NONE);
		grid_column(grid, "count", GRID_COUNT, GROUP_NONE);
		for (int i = 0; i < VIEW_PERCENTILES; i++)
			grid_column(grid, view_percentile_names[i], GRID_TIME, GROUP_PERCENTILES);
		grid_column(grid, "throughput", GRID_PER_S, GROUP_NONE);
		for (uint32_t m = 0; m < kind->metric_count; m++)
			metric_rows(view, grid, kind, m);
		fprintf(out, "\nOperation %s\n", kind->name);
		grid_print(grid, out);
	}
}

/* Sums over the threads of a run. */
static const struct {
	const char *heading, *column;
	enum grid_kind kind;
} host_sums[] = {
	{"computing", "busy", GRID_TIME},
	{"of it copying", "copying", GRID_TIME},
	{"spinning", "spinning", GRID_TIME},
	{"switching", "switching", GRID_TIME},
	{"without a core", "waiting", GRID_TIME},
	{"parked", "parked", GRID_TIME},
	{"switches", "switches", GRID_COUNT},
	{"preemptions", "preemptions", GRID_COUNT},
	{"hot wakes", "wakes_hot", GRID_COUNT},
	{"idle wakes", "wakes_idle", GRID_COUNT},
	{"queued wakes", "wakes_queued", GRID_COUNT},
	{"polls", "polls", GRID_COUNT},
};

enum { HOST_SUMS = sizeof(host_sums) / sizeof(host_sums[0]) };

static struct grid *host_grid(const struct view *view, struct arena *arena)
{
	struct grid *grid = grid_new(arena);

	run_columns(view, grid);
	grid_column(grid, "threads", GRID_COUNT, GROUP_NONE);
	for (int i = 0; i < HOST_SUMS; i++)
		grid_column(grid, host_sums[i].heading, host_sums[i].kind, GROUP_HOST);
	return grid;
}

static void host_row(
	const struct view *view, struct grid *grid, uint64_t row, const struct data_table *threads)
{
	run_cells(view, grid, row);
	grid_number(grid, (double)threads->row_count);
	for (int i = 0; i < HOST_SUMS; i++)
		grid_number(grid, view_sum(threads, host_sums[i].column));
}

static struct grid *busiest_grid(const struct view *view, struct arena *arena)
{
	struct grid *grid = grid_new(arena);

	run_columns(view, grid);
	grid_column(grid, "busiest link", GRID_TEXT, GROUP_NONE);
	grid_column(grid, "busy", GRID_SHARE, GROUP_NONE);
	grid_column(grid, "busiest stage", GRID_TEXT, GROUP_NONE);
	grid_column(grid, "busy", GRID_SHARE, GROUP_NONE);
	grid_column(grid, "longest blocked stage", GRID_TEXT, GROUP_NONE);
	grid_column(grid, "for", GRID_TIME, GROUP_NONE);
	grid_column(grid, "fullest queue", GRID_TEXT, GROUP_NONE);
	grid_column(grid, "blocked for", GRID_TIME, GROUP_NONE);
	return grid;
}

/* The stage with the largest `column`: its name and where it stands; then `value` of it. */
static void stage_cells(struct grid *grid, const struct data_table *cores, const char *column,
	const char *value, struct arena *arena)
{
	int64_t at = view_largest(cores, column);

	if (at < 0) {
		grid_blank(grid);
		grid_blank(grid);
		return;
	}
	grid_text(grid,
		arena_printf(arena, "%s on chip %lld", data_text_of(cores, "role", (uint64_t)at),
			(long long)data_integer_of(cores, "chip", (uint64_t)at)));
	grid_number(grid, data_real_of(cores, value, (uint64_t)at));
}

static void named_cells(struct grid *grid, const struct data_table *table, const char *column)
{
	int64_t at = view_largest(table, column);

	if (at < 0) {
		grid_blank(grid);
		grid_blank(grid);
		return;
	}
	grid_text(grid, data_text_of(table, "name", (uint64_t)at));
	grid_number(grid, data_real_of(table, column, (uint64_t)at));
}

static void busiest_row(const struct view *view, struct grid *grid, uint64_t row,
	const struct view_run *run, struct arena *arena)
{
	run_cells(view, grid, row);
	named_cells(grid, &run->links, "utilization");
	stage_cells(grid, &run->cores, "busy", "utilization", arena);
	stage_cells(grid, &run->cores, "blocked", "blocked", arena);
	named_cells(grid, &run->queues, "blocked_time");
}

bool show_text(struct view *view, FILE *out, struct text *why)
{
	struct arena arena;
	bool good = true;

	arena_init(&arena);
	struct grid *host = host_grid(view, &arena), *busiest = busiest_grid(view, &arena);
	show_head(view, out);
	show_runs(view, &arena, out);
	show_operations(view, &arena, out);
	for (uint64_t row = 0; good && row < view->summary.row_count; row++) {
		struct arena scratch;
		struct view_run run;
		arena_init(&scratch);
		good = view_read_run(view, row, &scratch, &run, why);
		if (good) {
			host_row(view, host, row, &run.threads);
			busiest_row(view, busiest, row, &run, &arena);
		}
		arena_fini(&scratch);
	}
	if (good) {
		fputs("\nHost threads, sums per run\n", out);
		grid_print(host, out);
		fputs("\nBusiest and blocked, one of each per run\n", out);
		grid_print(busiest, out);
	}
	if (good && view->summary.row_count == 1) {
		struct view_run run;
		good = view_read_run(view, 0, &arena, &run, why);
		if (good)
			show_detail(&run, &arena, out);
	}
	arena_fini(&arena);
	return good;
}
