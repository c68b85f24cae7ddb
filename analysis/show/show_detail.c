/* One run in detail: its threads, stages by role, links, queues that blocked, and host work.
 * Long lists are cut after the largest rows and say how many were left out. */
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
	const struct dataset *dataset, const char *column, struct arena *arena, uint64_t *count)
{
	struct ranked *ranked = arena_array(arena, dataset->row_count, sizeof(*ranked));

	*count = 0;
	for (uint64_t row = 0; row < dataset->row_count; row++) {
		double weight = dataset_real_of(dataset, column, row);
		if (weight > 0)
			ranked[(*count)++] = (struct ranked){row, weight};
	}
	qsort(ranked, *count, sizeof(*ranked), compare_ranked);
	return ranked;
}

/* A column of a table as it is shown. */
struct shown {
	const char *heading, *column;
	enum column_kind kind;
	int group;
};

/* The heaviest rows of `table` by `weight`. */
static void show_heaviest(const char *title, const struct dataset *dataset, const char *weight,
	const struct shown *shown, uint32_t shown_count, struct arena *arena,
	const struct show_page *page)
{
	uint64_t count;
	struct ranked *ranked = rank(dataset, weight, arena, &count);
	struct text_table *table = text_table_new(arena);

	if (count == 0)
		return;
	for (uint32_t i = 0; i < shown_count; i++)
		text_table_column(table, shown[i].heading, shown[i].kind, shown[i].group);
	for (uint64_t r = 0; r < count && r < ROWS_MAX; r++) {
		text_table_row(table);
		for (uint32_t i = 0; i < shown_count; i++)
			show_cell(table, dataset, dataset_column(dataset, shown[i].column),
				ranked[r].row);
	}
	fprintf(page->out, "\n%s\n", title);
	text_table_print_within(table, page->columns, page->out);
	if (count > ROWS_MAX)
		fprintf(page->out, "  and %llu more\n", (unsigned long long)count - ROWS_MAX);
}

static const struct shown thread_columns[] = {
	{"thread", "name", COLUMN_TEXT, 0},
	{"computing", "busy", COLUMN_TIME, 1},
	{"of it copying", "copying", COLUMN_TIME, 1},
	{"spinning", "spinning", COLUMN_TIME, 1},
	{"switching", "switching", COLUMN_TIME, 1},
	{"without a core", "waiting", COLUMN_TIME, 1},
	{"parked", "parked", COLUMN_TIME, 1},
	{"switches", "switches", COLUMN_COUNT, 0},
	{"hot wakes", "wakes_hot", COLUMN_COUNT, 0},
	{"idle wakes", "wakes_idle", COLUMN_COUNT, 0},
	{"polls", "polls", COLUMN_COUNT, 0},
};

static const struct shown link_columns[] = {
	{"link", "name", COLUMN_TEXT, 0},
	{"kind", "kind", COLUMN_TEXT, 0},
	{"busy", "utilization", COLUMN_SHARE, 0},
	{"bytes", "bytes", COLUMN_BYTES, 1},
	{"payload", "payload", COLUMN_BYTES, 1},
	{"messages", "messages", COLUMN_COUNT, 0},
	{"waited for it", "waited", COLUMN_TIME, 2},
	{"blocked behind it", "blocked", COLUMN_TIME, 2},
};

static const struct shown queue_columns[] = {
	{"queue", "name", COLUMN_TEXT, 0},
	{"capacity", "capacity", COLUMN_COUNT, 0},
	{"fullest", "high_water", COLUMN_COUNT, 0},
	{"taken", "taken", COLUMN_COUNT, 0},
	{"blocked", "blocked", COLUMN_COUNT, 0},
	{"blocked for", "blocked_time", COLUMN_TIME, 0},
};

static const struct shown work_columns[] = {
	{"work", "work", COLUMN_TEXT, 0},
	{"units", "units", COLUMN_COUNT, 0},
	{"one unit", "unit", COLUMN_TEXT, 0},
};

static void show_roles(
	const struct dataset *cores, struct arena *arena, const struct show_page *page)
{
	struct text_table *table = text_table_new(arena);
	uint32_t count;
	struct core_role *roles = core_roles(cores, arena, &count);

	if (count == 0)
		return;
	text_table_column(table, "stage", COLUMN_TEXT, 0);
	text_table_column(table, "processors", COLUMN_COUNT, 0);
	text_table_column(table, "steps", COLUMN_COUNT, 0);
	text_table_column(table, "busy, mean", COLUMN_TIME, 1);
	text_table_column(table, "busy, most", COLUMN_TIME, 1);
	text_table_column(table, "of the run", COLUMN_SHARE, 0);
	text_table_column(table, "on chip", COLUMN_COUNT, 0);
	text_table_column(table, "blocked, mean", COLUMN_TIME, 1);
	text_table_column(table, "blocked, most", COLUMN_TIME, 1);
	for (uint32_t i = 0; i < count; i++) {
		text_table_row(table);
		text_table_text(table, roles[i].name);
		text_table_number(table, (double)roles[i].count);
		text_table_number(table, roles[i].steps);
		text_table_number(table, roles[i].busy / (double)roles[i].count);
		text_table_number(table, roles[i].busy_most);
		text_table_number(table, roles[i].utilization_most);
		text_table_number(table, (double)roles[i].chip_most);
		text_table_number(table, roles[i].blocked / (double)roles[i].count);
		text_table_number(table, roles[i].blocked_most);
	}
	fputs("\nStages\n", page->out);
	text_table_print_within(table, page->columns, page->out);
}

#define COLUMNS(shown) shown, sizeof(shown) / sizeof((shown)[0])

void show_detail(const struct run_tables *run, struct arena *arena, const struct show_page *page)
{
	show_heaviest("Host threads by time on a core", &run->threads, "busy",
		COLUMNS(thread_columns), arena, page);
	show_heaviest("Host work", &run->work, "units", COLUMNS(work_columns), arena, page);
	show_roles(&run->cores, arena, page);
	show_heaviest("Links by share of time busy", &run->links, "utilization",
		COLUMNS(link_columns), arena, page);
	show_heaviest("Queues that blocked", &run->queues, "blocked_time", COLUMNS(queue_columns),
		arena, page);
}
