/* Reads operations, see operations.h. Refuses nothing that the reader of tables lets through. */
#include "analysis/operations/operations.h"

#include <string.h>

static const char *const point_names[POINT_COUNT] = {
	[POINT_CALLED] = "called",
	[POINT_BUILT] = "built",
	[POINT_EXPECTED] = "expected",
	[POINT_COPIED] = "copied",
	[POINT_DOORBELL] = "doorbell",
	[POINT_FETCHED] = "fetched",
	[POINT_FORWARDED] = "forwarded",
	[POINT_SENT] = "sent",
	[POINT_RECEIVED] = "received",
	[POINT_PREFETCHED] = "prefetched",
	[POINT_DISPATCHED] = "dispatched",
	[POINT_GO] = "go",
	[POINT_WORKERS_DONE] = "workers_done",
	[POINT_ANSWERED] = "answered",
	[POINT_GATHERED] = "gathered",
	[POINT_NOTIFIED] = "notified",
	[POINT_POLLED] = "polled",
	[POINT_SEEN] = "seen",
	[POINT_RETURNED] = "returned",
};

struct columns {
	const struct data_column *kind, *thread, *step, *iteration, *warmup;
	const struct data_column *built, *told, *copied, *rung;
	const struct data_column *first[POINT_COUNT], *last[POINT_COUNT];
};

static void find_columns(
	const struct data_table *table, struct arena *arena, struct columns *columns)
{
	columns->kind = data_column(table, "kind");
	columns->thread = data_column(table, "thread");
	columns->step = data_column(table, "step");
	columns->iteration = data_column(table, "iteration");
	columns->warmup = data_column(table, "warmup");
	columns->built = data_column(table, "build_time");
	columns->told = data_column(table, "expect_time");
	columns->copied = data_column(table, "copy_time");
	columns->rung = data_column(table, "doorbell_time");
	for (int i = 0; i < POINT_COUNT; i++) {
		columns->first[i] =
			data_column(table, arena_printf(arena, "%s_first", point_names[i]));
		columns->last[i] =
			data_column(table, arena_printf(arena, "%s_last", point_names[i]));
	}
}

static int64_t time_of(
	const struct data_table *table, const struct data_column *column, uint32_t row)
{
	return column ? data_integer(table, column, row) : -1;
}

static void read_operation(const struct data_table *table, const struct columns *columns,
	uint32_t row, struct operation *out)
{
	out->kind = data_text(table, columns->kind, row);
	out->thread = data_text(table, columns->thread, row);
	out->step = (uint32_t)data_integer(table, columns->step, row);
	out->iteration = (uint32_t)data_integer(table, columns->iteration, row);
	out->warmup = data_integer(table, columns->warmup, row) != 0;
	out->built = time_of(table, columns->built, row);
	out->told = time_of(table, columns->told, row);
	out->copied = time_of(table, columns->copied, row);
	out->rung = time_of(table, columns->rung, row);
	for (int i = 0; i < POINT_COUNT; i++) {
		out->first[i] = time_of(table, columns->first[i], row);
		out->last[i] = time_of(table, columns->last[i], row);
	}
}

/* Steps are few and numbered from 0; those of a damaged file may be anything, and have no next. */
enum { STEPS_MAX = 65536 };

void operations_link(struct operations *operations, struct arena *arena)
{
	uint32_t *after = arena_array(arena, STEPS_MAX, sizeof(*after));

	operations->next = arena_array(arena, operations->count + 1, sizeof(*operations->next));
	for (uint32_t i = 0; i < STEPS_MAX; i++)
		after[i] = operations->count;
	for (uint32_t i = operations->count; i-- > 0;) {
		uint32_t step = operations->at[i].step;
		operations->next[i] = step < STEPS_MAX ? after[step] : operations->count;
		if (step < STEPS_MAX)
			after[step] = i;
	}
}

bool operations_read(struct view *view, const char *group, struct arena *arena,
	struct operations *operations, struct text *why)
{
	struct data_table table;
	struct columns columns;
	enum status status;

	memset(operations, 0, sizeof(*operations));
	status = result_table_in(
		view->result, arena_printf(arena, "%s/ops", group), arena, &table, why);
	if (status != STATUS_OK) {
		if (status == STATUS_NOT_FOUND)
			text_printf(why, "'%s' has no operations", group);
		return false;
	}
	find_columns(&table, arena, &columns);
	operations->count = (uint32_t)table.row_count;
	operations->at = arena_array(arena, operations->count, sizeof(*operations->at));
	for (uint32_t i = 0; i < operations->count; i++)
		read_operation(&table, &columns, i, &operations->at[i]);
	operations_link(operations, arena);
	return true;
}
