/* `meshsim explain` for people: waterfalls, loads, queues. Refuses colours but on a terminal. */
#include <math.h>
#include <string.h>

#include "analysis/print/text_table.h"
#include "explain_private.h"

enum { BAR_WIDTH = 30, GROUP_TIMES = 1 };

static const char *bar(double part, double most, struct arena *arena)
{
	char text[BAR_WIDTH + 1];
	int length = most > 0 ? (int)lround(fabs(part) / most * BAR_WIDTH) : 0;

	memset(text, part < 0 ? '-' : '+', sizeof(text));
	text[length < BAR_WIDTH ? length : BAR_WIDTH] = '\0';
	return arena_string(arena, text);
}

/* Value of one side: of the mean, the sum by the count. */
static double side(const struct path_pair *path, int64_t time, int which)
{
	return (double)time / path->count[which];
}

static double stage_difference(const struct path_pair *path, int stage)
{
	return side(path, path->split[1].time[stage], 1) -
	       side(path, path->split[0].time[stage], 0);
}

static void path_columns(struct grid *grid)
{
	grid_column(grid, "stage", GRID_TEXT, 0);
	grid_column(grid, "first", GRID_TIME, GROUP_TIMES);
	grid_column(grid, "second", GRID_TIME, GROUP_TIMES);
	grid_column(grid, "difference", GRID_TIME, GROUP_TIMES);
	grid_column(grid, "share", GRID_SHARE, 0);
	grid_column(grid, "", GRID_TEXT, 0);
}

static void path_row(struct grid *grid, const char *label, double first, double second,
	double whole, const char *drawn)
{
	grid_row(grid);
	grid_text(grid, label);
	grid_number(grid, first);
	grid_number(grid, second);
	grid_number(grid, second - first);
	if (whole != 0)
		grid_number(grid, (second - first) / whole);
	else
		grid_blank(grid);
	grid_text(grid, drawn);
}

static void print_path(const struct explanation *explanation, int which, FILE *out)
{
	const struct path_pair *path = &explanation->paths[which];
	double first = side(path, path->value[0], 0), second = side(path, path->value[1], 1);
	double most = 0;
	struct arena arena;

	arena_init(&arena);
	struct grid *grid = grid_new(&arena);
	path_columns(grid);
	for (int s = 0; s < STAGE_COUNT; s++)
		most = fmax(most, fabs(stage_difference(path, s)));
	for (int s = 0; explanation->has_stages && s < STAGE_COUNT; s++) {
		if (path->split[0].time[s] == 0 && path->split[1].time[s] == 0)
			continue;
		path_row(grid, stage_label((enum stage)s), side(path, path->split[0].time[s], 0),
			side(path, path->split[1].time[s], 1), second - first,
			bar(stage_difference(path, s), most, &arena));
	}
	path_row(grid, "whole", first, second, second - first, "");
	fprintf(out, "\n%s of %s, operation %s\n", explain_path_names[which],
		metric_names[explanation->metric], explanation->kind);
	grid_print(grid, out);
	arena_fini(&arena);
}

static void print_loads(const char *title, const struct loads *loads, FILE *out)
{
	struct arena arena;

	if (loads->count == 0) {
		fprintf(out, "\n%s: no difference\n", title);
		return;
	}
	arena_init(&arena);
	struct grid *grid = grid_new(&arena);
	grid_column(grid, "busy", GRID_TEXT, 0);
	grid_column(grid, "first", GRID_TIME, GROUP_TIMES);
	grid_column(grid, "second", GRID_TIME, GROUP_TIMES);
	grid_column(grid, "difference", GRID_TIME, GROUP_TIMES);
	for (uint32_t i = 0; i < loads->count; i++) {
		const struct load *load = &loads->at[i];
		grid_row(grid);
		grid_text(grid, load->name);
		grid_number(grid, load->busy[0]);
		grid_number(grid, load->busy[1]);
		grid_number(grid, load->busy[1] - load->busy[0]);
	}
	fprintf(out, "\n%s, largest differences first\n", title);
	grid_print(grid, out);
	arena_fini(&arena);
}

static void print_queues(const struct loads *queues, FILE *out)
{
	struct arena arena;

	if (queues->count == 0)
		return;
	arena_init(&arena);
	struct grid *grid = grid_new(&arena);
	grid_column(grid, "queue", GRID_TEXT, 0);
	grid_column(grid, "deepest", GRID_COUNT, 0);
	grid_column(grid, "of", GRID_COUNT, 0);
	grid_column(grid, "blocked", GRID_TIME, GROUP_TIMES);
	grid_column(grid, "second: deepest", GRID_COUNT, 0);
	grid_column(grid, "of", GRID_COUNT, 0);
	grid_column(grid, "blocked", GRID_TIME, GROUP_TIMES);
	for (uint32_t i = 0; i < queues->count; i++) {
		grid_row(grid);
		grid_text(grid, queues->at[i].name);
		for (int s = 0; s < 2; s++) {
			grid_number(grid, (double)queues->at[i].high_water[s]);
			grid_number(grid, (double)queues->at[i].capacity[s]);
			grid_number(grid, queues->at[i].blocked[s]);
		}
	}
	fputs("\nDeepest queues, those that blocked longest first\n", out);
	grid_print(grid, out);
	arena_fini(&arena);
}

void explain_text(const struct explanation *explanation, bool color, FILE *out)
{
	const struct view *view = &explanation->view;
	struct arena arena;

	arena_init(&arena);
	for (int i = 0; i < 2; i++)
		fprintf(out, "%s%s run %lld%s: %s (%u operations)\n", color ? "\033[1m" : "",
			i == 0 ? "first, " : "second,",
			(long long)data_integer(&view->summary, view->run, explanation->rows[i]),
			color ? "\033[0m" : "", explain_keys(view, explanation->rows[i], &arena),
			explanation->samples[i].count);
	for (int p = 0; p < PATH_COUNT; p++)
		print_path(explanation, p, out);
	print_loads("Links", &explanation->links, out);
	print_loads("Cores", &explanation->cores, out);
	print_queues(&explanation->queues, out);
	fputs("\nNot told apart\n", out);
	for (int i = 0; explain_not_apart[i]; i++)
		fprintf(out, "  %s\n", explain_not_apart[i]);
	arena_fini(&arena);
}
