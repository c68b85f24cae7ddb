/* Takes figures from result files, see measurements.h. Refuses times that are not simulated. */
#include "measurements.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/operations/samples.h"

enum { PER_METRIC = 3 }; /* p50, p99, sum */

/* ---- keys ---- */

static const char *cell_text(const struct data_table *table, const struct data_column *column,
	uint64_t row, struct arena *arena)
{
	char spelling[40];

	if (column->type == DATA_TEXT)
		return data_text(table, column, row);
	if (column->type == DATA_INTEGER || column->type == DATA_UNSIGNED)
		return arena_printf(arena, "%lld", (long long)data_integer(table, column, row));
	for (int digits = 6; digits <= 17; digits++) {
		double value = data_real(table, column, row);
		snprintf(spelling, sizeof(spelling), "%.*g", digits, value);
		if (strtod(spelling, NULL) == value)
			break;
	}
	return arena_string(arena, spelling);
}

static void read_keys(
	const struct view *view, uint64_t row, struct arena *arena, struct figures_run *run)
{
	const struct data_table *summary = &view->summary;

	run->keys = arena_array(arena, view->swept_count + 1, sizeof(*run->keys));
	run->keys[run->key_count++] =
		(struct figures_key){"seed", cell_text(summary, view->seed, row, arena)};
	for (uint32_t i = 0; i < view->swept_count; i++) {
		const struct data_column *column = &summary->columns[view->swept_first + i];
		const char *value = cell_text(summary, column, row, arena);
		if (strcmp(value, "-") != 0)
			run->keys[run->key_count++] = (struct figures_key){column->name, value};
	}
}

const char *figures_label(const struct figures_run *run, bool with_seed, struct arena *arena)
{
	const char *label = "";

	for (uint32_t i = 0; i < run->key_count; i++)
		if (with_seed || strcmp(run->keys[i].name, "seed") != 0)
			label = arena_printf(arena, "%s%s%s=%s", label, label[0] ? " " : "",
				run->keys[i].name, run->keys[i].value);
	return label[0] ? label : "the run";
}

/* ---- figures ---- */

static void add_integer(
	struct figures_run *run, const char *name, const char *unit, int64_t integer)
{
	run->figures[run->figure_count++] =
		(struct figure){.name = name, .unit = unit, .integer = integer};
}

static void add_cell(struct figures_run *run, const char *name, const struct data_table *table,
	const struct data_column *column, uint64_t row)
{
	struct figure *figure = &run->figures[run->figure_count++];

	*figure = (struct figure){.name = name, .unit = column->unit};
	figure->is_real = column->type == DATA_REAL;
	if (figure->is_real)
		figure->real = data_real(table, column, row);
	else
		figure->integer = data_integer(table, column, row);
}

/* What the operations say of one metric: the sum, its stages, and percentiles unless the summary
 * has them. */
static void add_operations(struct figures_run *run, const char *kind, enum metric metric,
	const struct operations *operations, struct arena *arena)
{
	struct samples samples = samples_take(operations, kind, metric, arena);
	const char *name = arena_printf(arena, "%s.%s", kind, metric_names[metric]);
	struct split split;
	int64_t sum;

	if (samples.count == 0)
		return;
	if (metric == METRIC_ROUND) {
		add_integer(run, arena_printf(arena, "%s.p50", name), "ps",
			samples_at(&samples, 500)->value);
		add_integer(run, arena_printf(arena, "%s.p99", name), "ps",
			samples_at(&samples, 990)->value);
	}
	bool has_stages = samples_sum(operations, &samples, metric, &split, &sum);
	add_integer(run, arena_printf(arena, "%s.sum", name), "ps", sum);
	if (!has_stages)
		return;
	struct stage_sums *sums = &run->sums[run->sums_count++];
	sums->name = name;
	sums->count = samples.count;
	memcpy(sums->time, split.time, sizeof(sums->time));
}

static void add_kind(const struct view *view, const struct view_kind *kind, uint64_t row,
	const struct operations *operations, struct arena *arena, struct figures_run *run)
{
	static const int taken[] = {0, 2}; /* p50, p99 */
	const struct data_table *summary = &view->summary;

	if (data_integer(summary, kind->count, row) == 0)
		return;
	add_cell(run, kind->count->name, summary, kind->count, row);
	if (kind->throughput)
		add_cell(run, kind->throughput->name, summary, kind->throughput, row);
	for (uint32_t m = 0; m < kind->metric_count; m++) {
		const struct view_metric *metric = &kind->metrics[m];
		enum metric named = samples_metric_named(metric->name);
		if (data_integer(summary, metric->percentiles[0], row) < 0)
			continue;
		for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
			if (metric->percentiles[taken[i]])
				add_cell(run, metric->percentiles[taken[i]]->name, summary,
					metric->percentiles[taken[i]], row);
		if (named != METRIC_COUNT)
			add_operations(run, kind->name, named, operations, arena);
	}
	add_operations(run, kind->name, METRIC_ROUND, operations, arena);
}

static bool read_figures(struct view *view, uint64_t row, struct arena *arena,
	struct figures_run *run, struct text *why)
{
	const char *group = view_group(view, row);
	struct operations operations = {0};
	uint32_t metrics = 0;

	for (uint32_t k = 0; k < view->kind_count; k++)
		metrics += view->kinds[k].metric_count + 2;
	run->figures = arena_array(
		arena, view->total_count + PER_METRIC * (size_t)metrics, sizeof(*run->figures));
	run->sums = arena_array(arena, metrics, sizeof(*run->sums));
	if (result_has(view->result, arena_printf(arena, "%s/ops", group)) &&
		!operations_read(view, group, arena, &operations, why))
		return false;
	for (uint32_t i = 0; i < view->total_count; i++) {
		const struct data_column *column = &view->summary.columns[view->total_first + i];
		add_cell(run, column->name, &view->summary, column, row);
	}
	for (uint32_t k = 0; k < view->kind_count; k++)
		add_kind(view, &view->kinds[k], row, &operations, arena, run);
	return true;
}

static void read_labels(const struct view *view, struct arena *arena, struct figures *figures)
{
	bool seeds_differ = false;

	for (uint64_t row = 1; row < view->summary.row_count; row++)
		seeds_differ |= data_integer(&view->summary, view->seed, row) !=
				data_integer(&view->summary, view->seed, 0);
	for (uint32_t i = 0; i < figures->run_count; i++)
		figures->runs[i].label = figures_label(&figures->runs[i], seeds_differ, arena);
}

bool figures_read(struct view *view, struct arena *arena, struct figures *figures, struct text *why)
{
	uint64_t rows = view->summary.row_count;

	memset(figures, 0, sizeof(*figures));
	figures->scenario = result_text(view->result, "/", "scenario_name");
	if (strcmp(result_text(view->result, "/", "world"), "native") == 0) {
		text_append(why, "of the native world: its times are those of a machine, and "
				 "never the same twice; --wall compares such times");
		return false;
	}
	figures->runs = arena_array(arena, rows, sizeof(*figures->runs));
	figures->run_count = (uint32_t)rows;
	for (uint64_t row = 0; row < rows; row++) {
		struct figures_run *run = &figures->runs[row];
		read_keys(view, row, arena, run);
		run->status = data_text(&view->summary, view->status, row);
		if (strcmp(run->status, "ok") == 0 && !read_figures(view, row, arena, run, why))
			return false;
	}
	read_labels(view, arena, figures);
	return true;
}

/* ---- look-ups ---- */

const struct figure *figures_named(const struct figures_run *run, const char *name)
{
	for (uint32_t i = 0; i < run->figure_count; i++)
		if (strcmp(run->figures[i].name, name) == 0)
			return &run->figures[i];
	return NULL;
}

const struct stage_sums *figures_sums_named(const struct figures_run *run, const char *name)
{
	for (uint32_t i = 0; i < run->sums_count; i++)
		if (strcmp(run->sums[i].name, name) == 0)
			return &run->sums[i];
	return NULL;
}

/* Sums of `kind`.METRIC where kind has `length` letters. */
static const struct stage_sums *sums_of(
	const struct figures_run *run, const char *kind, size_t length, const char *metric)
{
	for (uint32_t i = 0; i < run->sums_count; i++) {
		const char *name = run->sums[i].name;
		if (strncmp(name, kind, length) == 0 && name[length] == '.' &&
			strcmp(name + length + 1, metric) == 0)
			return &run->sums[i];
	}
	return NULL;
}

const struct stage_sums *figures_sums(const struct figures_run *run, const char *figure)
{
	const char *metric = strchr(figure, '.'), *last = strrchr(figure, '.');
	const struct stage_sums *sums;
	size_t kind;

	if (!metric)
		return NULL;
	kind = (size_t)(metric - figure);
	for (uint32_t i = 0; metric != last && i < run->sums_count; i++)
		if (strncmp(run->sums[i].name, figure, (size_t)(last - figure)) == 0 &&
			run->sums[i].name[last - figure] == '\0')
			return &run->sums[i];
	if (metric != last && strncmp(metric, ".skew.", 6) == 0)
		return sums_of(run, figure, kind, "reach");
	sums = sums_of(run, figure, kind, "round");
	return sums ? sums : sums_of(run, figure, kind, "latency");
}

void figures_stage_key(enum stage stage, char *out, uint32_t size)
{
	const char *name = stage_name(stage);
	uint32_t i = 0;

	for (; name[i] && i + 1 < size; i++)
		out[i] = (char)tolower((unsigned char)name[i]);
	out[i] = '\0';
}
