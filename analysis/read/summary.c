/* Sorting of the summary's columns and sums over a run's tables, see summary.h. */
#include "analysis/read/summary.h"

#include <stdio.h>
#include <string.h>

const char *const view_percentile_names[VIEW_PERCENTILES] = {"p50", "p90", "p99", "p99.9", "max"};
static const char *const percentile_columns[VIEW_PERCENTILES] = {
	"p50", "p90", "p99", "p99_9", "max"};

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && strcmp(text + length - tail, end) == 0;
}

/* "KIND.METRIC.p50" gives a metric of `kind`, whose other percentiles are found by name. */
static void add_metric(struct view *view, struct view_kind *kind, const struct data_column *column)
{
	size_t prefix = strlen(kind->name) + 1;
	size_t length = strlen(column->name) - prefix - strlen(".p50");
	struct arena *arena = result_arena(view->result);
	struct view_metric *metric;

	if (kind->metric_count == VIEW_METRICS_MAX)
		return;
	metric = &kind->metrics[kind->metric_count++];
	metric->name = arena_copy(arena, column->name + prefix, length);
	for (int i = 0; i < VIEW_PERCENTILES; i++)
		metric->percentiles[i] =
			data_column(&view->summary, arena_printf(arena, "%s.%s.%s", kind->name,
							    metric->name, percentile_columns[i]));
}

static void add_kind(struct view *view, const struct data_column *column)
{
	struct arena *arena = result_arena(view->result);
	size_t length = strlen(column->name) - strlen(".count");
	struct view_kind *kind;

	if (view->kind_count == VIEW_KINDS_MAX)
		return;
	kind = &view->kinds[view->kind_count++];
	kind->name = arena_copy(arena, column->name, length);
	kind->count = column;
	kind->throughput =
		data_column(&view->summary, arena_printf(arena, "%s.throughput", kind->name));
	for (uint32_t i = 0; i < view->summary.column_count; i++) {
		const char *name = view->summary.columns[i].name;
		if (strncmp(name, kind->name, length) == 0 && name[length] == '.' &&
			ends_with(name, ".p50"))
			add_metric(view, kind, &view->summary.columns[i]);
	}
}

/* run, status, seed; swept keys; totals from `simulated` on; then kinds from the first .count on.
 */
static bool sort_columns(struct view *view, struct text *why)
{
	struct data_table *summary = &view->summary;
	const struct data_column *simulated = data_column(summary, "simulated");

	view->run = data_column(summary, "run");
	view->status = data_column(summary, "status");
	view->seed = data_column(summary, "seed");
	if (!view->run || !view->status || !view->seed || !simulated || simulated < view->seed) {
		text_append(why, "damaged: its summary lacks columns");
		return false;
	}
	view->swept_first = (uint32_t)(view->seed - summary->columns) + 1;
	view->total_first = (uint32_t)(simulated - summary->columns);
	view->swept_count = view->total_first - view->swept_first;
	for (uint32_t i = view->total_first; i < summary->column_count; i++) {
		if (ends_with(summary->columns[i].name, ".count"))
			add_kind(view, &summary->columns[i]);
		else if (view->kind_count == 0)
			view->total_count++;
	}
	return true;
}

bool view_open(struct view *view, const char *path, struct text *why)
{
	memset(view, 0, sizeof(*view));
	view->result = result_open(path, why);
	if (!view->result)
		return false;
	if (result_table(view->result, "/summary", &view->summary, why) == STATUS_OK &&
		sort_columns(view, why))
		return true;
	view_close(view);
	return false;
}

void view_close(struct view *view)
{
	result_close(view->result);
	view->result = NULL;
}

const char *view_group(struct view *view, uint64_t row)
{
	return arena_printf(result_arena(view->result), "/runs/%06lld",
		(long long)data_integer(&view->summary, view->run, row));
}

bool view_read_run(struct view *view, uint64_t row, struct arena *arena, struct view_run *run,
	struct text *why)
{
	const char *group = view_group(view, row);
	struct {
		const char *name;
		struct data_table *table;
	} tables[] = {
		{"threads", &run->threads},
		{"links", &run->links},
		{"cores", &run->cores},
		{"queues", &run->queues},
		{"work", &run->work},
	};

	memset(run, 0, sizeof(*run));
	if (!result_has(view->result, group)) {
		text_printf(why, "damaged: it has no '%s'", group);
		return false;
	}
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		const char *path = arena_printf(arena, "%s/%s", group, tables[i].name);
		enum status status =
			result_table_in(view->result, path, arena, tables[i].table, why);
		if (status != STATUS_OK && status != STATUS_NOT_FOUND)
			return false;
	}
	return true;
}

const char *view_short_name(const struct view *view, uint32_t index)
{
	const struct data_column *columns = &view->summary.columns[view->swept_first];
	const char *dot = strrchr(columns[index].name, '.');
	const char *name = dot ? dot + 1 : columns[index].name;

	for (uint32_t i = 0; i < view->swept_count; i++) {
		const char *other = strrchr(columns[i].name, '.');
		if (i != index && strcmp(other ? other + 1 : columns[i].name, name) == 0)
			return columns[index].name;
	}
	return name;
}

double view_sum(const struct data_table *table, const char *column)
{
	const struct data_column *found = data_column(table, column);
	double sum = 0;

	for (uint64_t row = 0; found && row < table->row_count; row++)
		sum += data_real(table, found, row);
	return sum;
}

int64_t view_largest(const struct data_table *table, const char *column)
{
	const struct data_column *found = data_column(table, column);
	double most = 0;
	int64_t at = -1;

	for (uint64_t row = 0; found && row < table->row_count; row++) {
		double value = data_real(table, found, row);
		if (value > most) {
			most = value;
			at = (int64_t)row;
		}
	}
	return at;
}

static struct view_role *role_of(struct view_role *roles, uint32_t *count, const char *name)
{
	for (uint32_t i = 0; i < *count; i++)
		if (strcmp(roles[i].name, name) == 0)
			return &roles[i];
	roles[*count] = (struct view_role){.name = name, .chip_most = -1};
	return &roles[(*count)++];
}

struct view_role *view_roles(
	const struct data_table *cores, struct arena *arena, uint32_t *role_count)
{
	enum { ROLES_MAX = 256 };
	struct view_role *roles = arena_array(arena, ROLES_MAX, sizeof(*roles));
	const struct data_column *name = data_column(cores, "role");

	*role_count = 0;
	for (uint64_t row = 0; row < cores->row_count && *role_count < ROLES_MAX; row++) {
		struct view_role *role = role_of(roles, role_count, data_text(cores, name, row));
		double busy = data_real_of(cores, "busy", row);
		double blocked = data_real_of(cores, "blocked", row);
		role->count++;
		role->steps += data_real_of(cores, "steps", row);
		role->busy += busy;
		role->blocked += blocked;
		if (blocked > role->blocked_most)
			role->blocked_most = blocked;
		if (role->chip_most >= 0 && busy <= role->busy_most)
			continue;
		role->busy_most = busy;
		role->chip_most = data_integer_of(cores, "chip", row);
		role->utilization_most = data_real_of(cores, "utilization", row);
	}
	return roles;
}
