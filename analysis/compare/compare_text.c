/* `meshsim compare` for people: the table of points, then each question (compare_question.c). */
#include "analysis/compare/comparison.h"
#include "analysis/print/text_table.h"

static void print_points(struct comparison *comparison, FILE *out)
{
	const struct view *view = &comparison->view;
	const struct points *points = &comparison->points;
	struct grid *grid = grid_new(&comparison->arena);

	grid_column(grid, "run", GRID_COUNT, 0);
	for (uint32_t i = 0; i < view->swept_count; i++)
		grid_column(grid, view_short_name(view, i), GRID_TEXT, 0);
	grid_column(grid, "seeds", GRID_COUNT, 0);
	grid_column(grid, "count", GRID_COUNT, 0);
	grid_column(grid, "p50", GRID_TIME, 1);
	grid_column(grid, "p90", GRID_TIME, 1);
	grid_column(grid, "p99", GRID_TIME, 1);
	grid_column(grid, "throughput", GRID_PER_S, 0);
	grid_column(grid, "host CPU", GRID_TIME, 2);
	grid_column(grid, "", GRID_TEXT, 0);
	for (uint32_t i = 0; i < points->count; i++) {
		const struct point_of_sweep *point = &points->at[i];
		grid_row(grid);
		grid_number(grid, (double)data_integer(&view->summary, view->run, point->row));
		for (uint32_t k = 0; k < view->swept_count; k++)
			grid_text(grid, point->keys[k]);
		if (!point->good) {
			for (int k = 0; k < 7; k++)
				grid_blank(grid);
			grid_text(grid,
				arena_printf(&comparison->arena, "left out: %s", point->status));
			continue;
		}
		grid_number(grid, point->seeds);
		grid_number(grid, point->samples.count);
		grid_number(grid, statistic(&point->samples, 500));
		grid_number(grid, statistic(&point->samples, 900));
		grid_number(grid, statistic(&point->samples, 990));
		grid_number(grid, point->throughput);
		grid_number(grid, point->host_cpu);
	}
	grid_print(grid, out);
}

void compare_text(struct comparison *comparison, FILE *out)
{
	const struct points *points = &comparison->points;

	fprintf(out, "%s: %s of %s%s; host CPU by operation\n\n",
		result_text(comparison->view.result, "/", "scenario_name"),
		metric_names[points->metric], points->kind,
		points->metric == METRIC_ROUND ? ", from a call to the next of the same step" : "");
	print_points(comparison, out);
	for (uint32_t i = 0; i < comparison->questions.count; i++)
		compare_question(comparison, &comparison->questions.at[i], out);
}
