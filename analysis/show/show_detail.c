/* One run in detail: its threads, stages by role, links, queues that blocked, and host work. Long
 * lists are cut after the heaviest rows, and say how many are left out. */
#include <stdlib.h>
#include <string.h>

#include "show_private.h"

enum { ROWS_MAX = 16 };

/* A row of a table and what it is sorted by. */
struct ranked {
	uint64_t row;
	double weight;
};

/* Heaviest first; of equal weight, the first row first. */
static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	if (left->weight != right->weight)
		return left->weight < right->weight ? 1 : -1;
	return left->row < right->row ? -1 : left->row > right->row;
}

/* Rows with a weight above 0, in order of weight; *count of them. */
static struct ranked *rank(
	const struct data_table *table, const char *column, struct arena *arena, uint64_t *count)
{
	struct ranked *ranked = arena_array(arena, table->row_count, sizeof(*ranked));

	*count = 0;
	for (uint64_t row = 0; row < table->row_count; row++) {
		double weight = data_real_of(table, column, row);
		if (weight > 0)
			ranked[(*count)++] = (struct ranked){row, weight};
	}
	qsort(ranked, *count, sizeof(*ranked), compare_ranked);
	return ranked;
}

/* A column of a table as it is shown. */
struct shown {
	const char *heading, *column;
	enum grid_kind kind;
	int group;
};

/* The heaviest rows of `table` by `weight`. */
static void show_heaviest(const char *title, const struct data_table *table, const char *weight,
	const struct shown *shown, uint32_t shown_count, struct arena *arena, FILE *out)
{
	uint64_t count;
	struct ranked *ranked = rank(table, weight, arena, &count);
	struct grid *grid = grid_new(arena);

	if (count == 0)
		return;
	for (uint32_t i = 0; i < shown_count; i++)
		grid_column(grid, shown[i].heading, shown[i].kind, shown[i].group);
	for (uint64_t r = 0; r < count && r < ROWS_MAX; r++) {
		grid_row(grid);
		for (uint32_t i = 0; i < shown_count; i++)
			show_cell(grid, table, data_column(table, shown[i].column), ranked[r].row);
	}
	fprintf(out, "\n%s\n", title);
	grid_print(grid, out);
	if (count > ROWS_MAX)
		fprintf(out, "  and %llu more\n", (unsigned long long)count - ROWS_MAX);
}

static const struct shown thread_columns[] = {
	{"thread", "name", GRID_TEXT, 0},
	{"computing", "busy", GRID_TIME, 1},
	{"of it copying", "copying", GRID_TIME, 1},
	{"spinning", "spinning", GRID_TIME, 1},
	{"switching", "switching", GRID_TIME, 1},
	{"without a core", "waiting", GRID_TIME, 1},
	{"parked", "parked", GRID_TIME, 1},
	{"switches", "switches", GRID_COUNT, 0},
	{"hot wakes", "wakes_hot", GRID_COUNT, 0},
	{"idle wakes", "wakes_idle", GRID_COUNT, 0},
	{"polls", "polls", GRID_COUNT, 0},
};

static const struct shown link_columns[] = {
	{"link", "name", GRID_TEXT, 0},
	{"kind", "kind", GRID_TEXT, 0},
	{"busy", "utilization", GRID_SHARE, 0},
	{"bytes", "bytes", GRID_BYTES, 1},
	{"payload", "payload", GRID_BYTES, 1},
	{"messages", "messages", GRID_COUNT, 0},
	{"waited for it", "waited", GRID_TIME, 2},
	{"blocked behind it", "blocked", GRID_TIME, 2},
};

static const struct shown queue_columns[] = {
	{"queue", "name", GRID_TEXT, 0},
	{"capacity", "capacity", GRID_COUNT, 0},
	{"fullest", "high_water", GRID_COUNT, 0},
	{"taken", "taken", GRID_COUNT, 0},
	{"blocked", "blocked", GRID_COUNT, 0},
	{"blocked for", "blocked_time", GRID_TIME, 0},
};

static const struct shown work_columns[] = {
	{"work", "work", GRID_TEXT, 0},
	{"units", "units", GRID_COUNT, 0},
	{"one unit", "unit", GRID_TEXT, 0},
};

static void show_roles(const struct data_table *cores, struct arena *arena, FILE *out)
{
	struct grid *grid = grid_new(arena);
	uint32_t count;
	struct view_role *roles = view_roles(cores, arena, &count);

	if (count == 0)
		return;
	grid_column(grid, "stage", GRID_TEXT, 0);
	grid_column(grid, "processors", GRID_COUNT, 0);
	grid_column(grid, "steps", GRID_COUNT, 0);
	grid_column(grid, "busy, mean", GRID_TIME, 1);
	grid_column(grid, "busy, most", GRID_TIME, 1);
	grid_column(grid, "of the run", GRID_SHARE, 0);
	grid_column(grid, "on chip", GRID_COUNT, 0);
	grid_column(grid, "blocked, mean", GRID_TIME, 1);
	grid_column(grid, "blocked, most", GRID_TIME, 1);
	for (uint32_t i = 0; i < count; i++) {
		grid_row(grid);
		grid_text(grid, roles[i].name);
		grid_number(grid, (double)roles[i].count);
		grid_number(grid, roles[i].steps);
		grid_number(grid, roles[i].busy / (double)roles[i].count);
		grid_number(grid, roles[i].busy_most);
		grid_number(grid, roles[i].utilization_most);
		grid_number(grid, (double)roles[i].chip_most);
		grid_number(grid, roles[i].blocked / (double)roles[i].count);
		grid_number(grid, roles[i].blocked_most);
	}
	fputs("\nStages\n", out);
	grid_print(grid, out);
}

#define COLUMNS(shown) shown, sizeof(shown) / sizeof((shown)[0])

void show_detail(const struct view_run *run, struct arena *arena, FILE *out)
{
	show_heaviest("Host threads by time on a core", &run->threads, "busy",
		COLUMNS(thread_columns), arena, out);
	show_heaviest("Host work", &run->work, "units", COLUMNS(work_columns), arena, out);
	show_roles(&run->cores, arena, out);
	show_heaviest("Links by share of time busy", &run->links, "utilization",
		COLUMNS(link_columns), arena, out);
	show_heaviest("Queues that blocked", &run->queues, "blocked_time", COLUMNS(queue_columns),
		arena, out);
}
