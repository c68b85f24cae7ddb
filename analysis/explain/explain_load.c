/* Loads of links, cores and queues of two runs, matched by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain_private.h"

/* Returns the name of a row: the column `name`, or for a core, the role and position. */
static const char *name_of(const struct dataset *dataset, uint64_t row, struct arena *arena)
{
	if (dataset_column(dataset, "name"))
		return dataset_text_of(dataset, "name", row);
	return arena_printf(arena, "%s, chip %lld, tile %lld.%lld",
		dataset_text_of(dataset, "role", row),
		(long long)dataset_integer_of(dataset, "chip", row),
		(long long)dataset_integer_of(dataset, "tile", row),
		(long long)dataset_integer_of(dataset, "processor", row));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct load *)a)->name, ((const struct load *)b)->name);
}

static int64_t depth(const struct load *load)
{
	return load->high_water[0] > load->high_water[1] ? load->high_water[0]
							 : load->high_water[1];
}

static int explain_load_by_difference(const void *a, const void *b)
{
	const struct load *x = a, *y = b;
	double dx = fabs(x->busy[1] - x->busy[0]), dy = fabs(y->busy[1] - y->busy[0]);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return by_name(a, b);
}

static int explain_load_by_time(const void *a, const void *b)
{
	const struct load *x = a, *y = b;

	if (x->busy[0] != y->busy[0])
		return x->busy[0] > y->busy[0] ? -1 : 1;
	return by_name(a, b);
}

static int explain_load_by_depth(const void *a, const void *b)
{
	const struct load *x = a, *y = b;
	double bx = x->blocked[0] + x->blocked[1], by = y->blocked[0] + y->blocked[1];

	if (bx != by)
		return bx > by ? -1 : 1;
	if (depth(x) != depth(y))
		return depth(x) > depth(y) ? -1 : 1;
	return by_name(a, b);
}

static void add_rows(
	struct loads *loads, const struct dataset *dataset, int side, struct arena *arena)
{
	const struct dataset_column *busy = dataset_column(dataset, "busy");
	const struct dataset_column *high_water = dataset_column(dataset, "high_water");
	const struct dataset_column *capacity = dataset_column(dataset, "capacity");
	const struct dataset_column *blocked = dataset_column(dataset, "blocked_time");

	for (uint64_t row = 0; row < dataset->row_count; row++) {
		struct load *load = &loads->at[loads->count++];
		load->name = name_of(dataset, row, arena);
		load->busy[side] = dataset_real(dataset, busy, row);
		load->high_water[side] = dataset_integer(dataset, high_water, row);
		load->capacity[side] = dataset_integer(dataset, capacity, row);
		load->blocked[side] = dataset_real(dataset, blocked, row);
	}
}

/* Merges rows with the same name. If one run has several such rows, adds them up. */
static void explain_load_merge(struct loads *loads)
{
	uint32_t kept = 0;

	qsort(loads->at, loads->count, sizeof(*loads->at), by_name);
	for (uint32_t i = 0; i < loads->count; i++) {
		struct load *load = &loads->at[i], *last = &loads->at[kept ? kept - 1 : 0];
		if (kept == 0 || strcmp(last->name, load->name) != 0) {
			loads->at[kept++] = *load;
			continue;
		}
		for (int side = 0; side < 2; side++) {
			last->busy[side] += load->busy[side];
			last->blocked[side] += load->blocked[side];
			last->high_water[side] += load->high_water[side];
			last->capacity[side] += load->capacity[side];
		}
	}
	loads->count = kept;
}

/* Returns the loads of both runs, sorted. Leaves out queues that were always empty. For a single
 * run, also leaves out resources that were idle. For two runs, also leaves out those with the same
 * load in both runs. */
static struct loads loads_of(const struct dataset *first, const struct dataset *second, bool queues,
	bool single, struct arena *arena)
{
	struct loads loads = {.count = 0};
	uint32_t kept = 0;

	loads.at = arena_array(arena, first->row_count + second->row_count, sizeof(*loads.at));
	add_rows(&loads, first, 0, arena);
	add_rows(&loads, second, 1, arena);
	explain_load_merge(&loads);
	qsort(loads.at, loads.count, sizeof(*loads.at),
		queues	 ? explain_load_by_depth
		: single ? explain_load_by_time
			 : explain_load_by_difference);
	while (kept < loads.count &&
		(queues		 ? depth(&loads.at[kept]) > 0
			: single ? loads.at[kept].busy[0] > 0
				 : loads.at[kept].busy[0] != loads.at[kept].busy[1]))
		kept++;
	loads.count = kept;
	return loads;
}

bool explain_loads(struct explanation *explanation, struct text *why)
{
	struct arena *arena = &explanation->arena;
	struct run_tables runs[2];

	for (int i = 0; i < 2; i++)
		if (!run_tables_read(
			    explanation->summaries[i], explanation->rows[i], arena, &runs[i], why))
			return false;
	explanation->links =
		loads_of(&runs[0].links, &runs[1].links, false, explanation->single, arena);
	explanation->cores =
		loads_of(&runs[0].cores, &runs[1].cores, false, explanation->single, arena);
	explanation->queues =
		loads_of(&runs[0].queues, &runs[1].queues, true, explanation->single, arena);
	return true;
}
