/* Prints one run in detail: its threads, host work, stages by role, links, queues that blocked, and
 * memory. A long list has only the rows with the largest values, and a line that says how many rows
 * are left out. */
#include <stdlib.h>
#include <string.h>

#include "show_private.h"

enum { ROWS_MAX = 16 };

/* A row of a table, and the value by which rows are sorted. */
struct ranked {
	uint64_t row;
	double weight;
};

/* Sorts rows by value, the largest first. Rows with equal values are in the order of the table. */
static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	if (left->weight != right->weight)
		return left->weight < right->weight ? 1 : -1;
	return left->row < right->row ? -1 : left->row > right->row;
}

/* Returns the rows whose value in `column` is above 0, the largest value first, and sets *count to
 * the number of rows. */
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

/* A table of the rows that have the largest values in the column `weight`. The names of the rows
 * are in the column `name`; `what` is the heading of this column. */
struct heaviest {
	const char *title, *weight, *what, *name;
	const struct text_column *columns;
	size_t column_count;
};

static void show_heaviest(const struct heaviest *heaviest, const struct dataset *dataset,
	struct arena *arena, const struct show_page *page)
{
	uint64_t count;
	struct ranked *ranked = rank(dataset, heaviest->weight, arena, &count);
	struct text_table *table = text_table_new(arena);

	if (count == 0)
		return;
	text_table_column(table, heaviest->what, COLUMN_TEXT, 0);
	text_table_columns(table, heaviest->columns, heaviest->column_count);
	for (uint64_t r = 0; r < count && r < ROWS_MAX; r++) {
		text_table_row(table);
		text_table_text(table, dataset_text_of(dataset, heaviest->name, ranked[r].row));
		for (size_t i = 0; i < heaviest->column_count; i++)
			show_cell(table, dataset,
				dataset_column(dataset, heaviest->columns[i].source),
				ranked[r].row);
	}
	fprintf(page->out, "\n%s\n", heaviest->title);
	text_table_print_within(table, page->columns, page->out);
	if (count > ROWS_MAX)
		fprintf(page->out, "  and %llu more\n", (unsigned long long)count - ROWS_MAX);
}

static const struct text_column link_columns[] = {
	{"kind", COLUMN_TEXT, 0, "kind"},
	{"busy", COLUMN_SHARE, 0, "utilization"},
	{"bytes", COLUMN_BYTES, 1, "bytes"},
	{"payload", COLUMN_BYTES, 1, "payload"},
	{"messages", COLUMN_COUNT, 0, "messages"},
	{"waited for it", COLUMN_TIME, 2, "waited"},
	{"blocked behind it", COLUMN_TIME, 2, "blocked"},
};

static const struct text_column queue_columns[] = {
	{"capacity", COLUMN_COUNT, 0, "capacity"},
	{"fullest", COLUMN_COUNT, 0, "high_water"},
	{"taken", COLUMN_COUNT, 0, "taken"},
	{"blocked", COLUMN_COUNT, 0, "blocked"},
	{"blocked for", COLUMN_TIME, 0, "blocked_time"},
};

static const struct text_column memory_columns[] = {
	{"size B", COLUMN_COUNT, 0, "total"},
	{"taken B", COLUMN_COUNT, 0, "taken"},
	{"at most B", COLUMN_COUNT, 0, "peak"},
	{"blocks", COLUMN_COUNT, 0, "allocations"},
	{"free B", COLUMN_COUNT, 0, "free"},
	{"largest free B", COLUMN_COUNT, 0, "largest_free"},
	{"free blocks", COLUMN_COUNT, 0, "free_blocks"},
	{"fragmented", COLUMN_SHARE, 0, "fragmentation"},
};

static const struct text_column model_columns[] = {
	{"runs", COLUMN_COUNT, 0, "runs"},
	{"operations", COLUMN_COUNT, 0, "operations"},
	{"conversions", COLUMN_COUNT, 0, "conversions"},
	{"hits", COLUMN_COUNT, 0, "program_hits"},
	{"misses", COLUMN_COUNT, 0, "program_misses"},
	{"evictions", COLUMN_COUNT, 0, "program_evictions"},
	{"replays", COLUMN_COUNT, 0, "replays"},
	{"waits", COLUMN_COUNT, 0, "window_waits"},
	{"compared", COLUMN_COUNT, 0, "outputs_compared"},
	{"pool B", COLUMN_COUNT, 0, "pool"},
	{"at most B", COLUMN_COUNT, 0, "pool_peak"},
	{"tensors B", COLUMN_COUNT, 0, "pool_tensors"},
	{"fragmented", COLUMN_SHARE, 0, "fragmentation"},
};

static const struct text_column work_columns[] = {
	{"units", COLUMN_COUNT, 0, "units"},
	{"one unit", COLUMN_TEXT, 0, "unit"},
};

static const struct text_column role_columns[] = {
	{"stage", COLUMN_TEXT, 0, NULL},
	{"processors", COLUMN_COUNT, 0, NULL},
	{"steps", COLUMN_COUNT, 0, NULL},
	{"busy, mean", COLUMN_TIME, 1, NULL},
	{"busy, most", COLUMN_TIME, 1, NULL},
	{"of the run", COLUMN_SHARE, 0, NULL},
	{"on chip", COLUMN_COUNT, 0, NULL},
	{"blocked, mean", COLUMN_TIME, 1, NULL},
	{"blocked, most", COLUMN_TIME, 1, NULL},
};

#define COLUMNS(list) list, sizeof(list) / sizeof((list)[0])

static void show_roles(
	const struct dataset *cores, struct arena *arena, const struct show_page *page)
{
	struct text_table *table = text_table_new(arena);
	uint32_t count;
	struct core_role *roles = core_roles(cores, arena, &count);

	if (count == 0)
		return;
	text_table_columns(table, COLUMNS(role_columns));
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

static const struct heaviest threads = {"Host threads by time on a core", "busy", "thread", "name",
	show_thread_columns, SHOW_THREAD_COLUMNS};
static const struct heaviest work = {"Host work", "units", "work", "work", COLUMNS(work_columns)};
static const struct heaviest links = {
	"Links by share of time busy", "utilization", "link", "name", COLUMNS(link_columns)};
static const struct heaviest memory = {"Memory of every bank or worker, at the end of the steps",
	"peak", "memory", "name", COLUMNS(memory_columns)};
static const struct heaviest models = {
	"Model binaries: programs that were kept, and the tensor pool", "operations", "model",
	"name", COLUMNS(model_columns)};
static const struct heaviest queues = {
	"Queues that blocked", "blocked_time", "queue", "name", COLUMNS(queue_columns)};

static const struct text_column left_columns[] = {
	{"what", COLUMN_TEXT, 0, "kind"},
	{"name", COLUMN_TEXT, 0, "name"},
	{"mesh", COLUMN_TEXT, 0, "mesh"},
	{"made at", COLUMN_TEXT, 0, "place"},
	{"taken B", COLUMN_COUNT, 0, "bytes"},
};

/* Prints the objects that the program has not freed. They are not reported as errors, because
 * closing a mesh frees its objects. */
static void show_left(const struct dataset *left, struct arena *arena, const struct show_page *page)
{
	struct text_table *table = text_table_new(arena);

	if (left->row_count == 0)
		return;
	text_table_columns(table, COLUMNS(left_columns));
	for (uint64_t row = 0; row < left->row_count && row < ROWS_MAX; row++) {
		text_table_row(table);
		for (size_t i = 0; i < sizeof left_columns / sizeof *left_columns; i++)
			show_cell(table, left, dataset_column(left, left_columns[i].source), row);
	}
	fprintf(page->out, "\nNot released before the mesh was closed: %llu\n",
		(unsigned long long)left->row_count);
	text_table_print_within(table, page->columns, page->out);
	if (left->row_count > ROWS_MAX)
		fprintf(page->out, "  and %llu more\n",
			(unsigned long long)left->row_count - ROWS_MAX);
}

void show_detail(const struct run_tables *run, struct arena *arena, const struct show_page *page)
{
	enum { NARROW = 80 };
	struct show_page narrow = *page; /* its table is in blocks even if the output is a pipe */

	if (!page->wide && narrow.columns > NARROW)
		narrow.columns = NARROW;
	show_heaviest(&threads, &run->threads, arena, page);
	show_heaviest(&work, &run->work, arena, page);
	show_roles(&run->cores, arena, page);
	show_heaviest(&links, &run->links, arena, page);
	show_heaviest(&queues, &run->queues, arena, page);
	show_heaviest(&memory, &run->memory, arena, page);
	show_heaviest(&models, &run->models, arena, &narrow);
	show_left(&run->left, arena, page);
}
