/* Reads points, see sweep_points.h. Keeps no operations: a sweep may have a thousand runs. */
#include "analysis/compare/sweep_points.h"

#include <stdlib.h>
#include <string.h>

#include "base/tree.h"

enum { EXACT_BELOW = 16 }; /* samples below which it may matter */

static const char *key_text(
	const struct view *view, uint32_t index, uint64_t row, struct arena *arena)
{
	const struct data_column *column = &view->summary.columns[view->swept_first + index];

	if (column->type == DATA_TEXT)
		return data_text(&view->summary, column, row);
	if (column->type == DATA_REAL)
		return arena_printf(arena, "%.9g", data_real(&view->summary, column, row));
	return arena_printf(arena, "%lld", (long long)data_integer(&view->summary, column, row));
}

static bool same_keys(const char *const *a, const char *const *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

/* The point of a row, new or not. */
static struct point_of_sweep *point_of(
	struct points *points, const struct view *view, uint64_t row, struct arena *arena)
{
	const char **keys = arena_array(arena, view->swept_count + 1, sizeof(*keys));
	struct point_of_sweep *point;

	for (uint32_t i = 0; i < view->swept_count; i++)
		keys[i] = key_text(view, i, row, arena);
	for (uint32_t i = 0; i < points->count; i++)
		if (same_keys(points->at[i].keys, keys, view->swept_count))
			return &points->at[i];
	point = &points->at[points->count++];
	*point = (struct point_of_sweep){.keys = keys, .row = row, .good = true, .status = "ok"};
	point->stages.known = true;
	return point;
}

static int compare_values(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void add_samples(
	struct point_of_sweep *point, const struct samples *samples, struct arena *arena)
{
	uint32_t before = point->samples.count;
	int64_t *values = arena_array(arena, before + samples->count, sizeof(*values));

	if (before)
		memcpy(values, point->samples.at, before * sizeof(*values));
	for (uint32_t i = 0; i < samples->count; i++)
		values[before + i] = samples->at[i].value;
	qsort(values, before + samples->count, sizeof(*values), compare_values);
	point->samples = (struct sorted){values, before + samples->count};
}

/* Means weighted by samples, over the runs of a point. */
static void add_stages(struct point_of_sweep *point, const struct operations *operations,
	const struct samples *samples, enum metric metric)
{
	double before = point->samples.count, all = before + samples->count;
	struct split sum;
	int64_t total;

	if (all == 0 || !samples_sum(operations, samples, metric, &sum, &total)) {
		point->stages.known = false;
		return;
	}
	for (int s = 0; s < STAGE_COUNT; s++)
		point->stages.time[s] =
			(point->stages.time[s] * before + (double)sum.time[s]) / all;
}

static void add_figures(struct point_of_sweep *point, struct view *view, uint64_t row,
	const struct operations *operations, const struct points *points)
{
	const struct data_column *throughput = data_column(&view->summary,
		arena_printf(result_arena(view->result), "%s.throughput", points->kind));
	double busy = data_real_of(&view->summary, "host_busy", row);
	double seeds = point->seeds;
	uint64_t made = 0;

	for (uint32_t i = 0; i < operations->count; i++)
		made += strcmp(operations->at[i].kind, points->kind) == 0;
	point->operations += made;
	point->throughput =
		(point->throughput * seeds + data_real(&view->summary, throughput, row)) /
		(seeds + 1);
	if (made)
		point->host_cpu = (point->host_cpu * seeds + busy / (double)made) / (seeds + 1);
}

/* The kind of operation that a swept key is about, or NULL. */
static const char *kind_swept(const struct view *view, const struct operations *operations)
{
	for (uint32_t i = 0; i < view->swept_count; i++) {
		const char *name = view->summary.columns[view->swept_first + i].name;
		if (strncmp(name, "workload.", 9) != 0)
			continue;
		for (uint32_t j = 0; j < operations->count; j++) {
			const char *at = strstr(name, operations->at[j].kind);
			size_t length = strlen(operations->at[j].kind);
			if (!operations->at[j].warmup && at && at[-1] == '.' && at[length] == '.')
				return operations->at[j].kind;
		}
	}
	return NULL;
}

/* Unless told otherwise: what programs are run for, or what is swept, or what there is most of. */
static const char *choose_kind(const struct view *view, const struct operations *operations)
{
	const char *most = samples_kind(operations), *swept = kind_swept(view, operations);

	return swept && strcmp(most, "enqueue_workload") != 0 ? swept : most;
}

/* The run's noise is switched off. */
static bool is_exact(struct view *view, uint64_t row)
{
	struct arena *arena = result_arena(view->result);
	const char *text = result_document(
		view->result, arena_printf(arena, "%s/scenario", view_group(view, row)));
	struct diag *diag = diag_new();
	struct tree *tree = text ? tree_read_text("scenario", text, strlen(text), diag) : NULL;
	const struct tree_node *noise = tree ? tree_find(tree_root(tree), "model.noise") : NULL;
	bool exact = noise && noise->kind == TREE_SCALAR &&
		     (strcmp(noise->text, "off") == 0 || strcmp(noise->text, "false") == 0);

	tree_free(tree);
	diag_free(diag);
	return exact;
}

/* Adds a run to its point. */
static bool add_run(struct point_of_sweep *point, struct view *view, uint64_t row,
	struct points *points, struct arena *arena, struct text *why)
{
	const char *status = data_text(&view->summary, view->status, row);
	struct operations operations;
	struct samples samples;
	struct arena scratch;
	bool good = true;

	arena_init(&scratch);
	if (strcmp(status, "ok") != 0) {
		point->good = false;
		point->status = status;
		goto out;
	}
	good = operations_read(view, view_group(view, row), &scratch, &operations, why);
	if (!good)
		goto out;
	if (!points->kind)
		points->kind = arena_string(arena, choose_kind(view, &operations));
	if (points->metric == METRIC_COUNT)
		points->metric = samples_metric(&operations, points->kind);
	samples = samples_take(&operations, points->kind, points->metric, &scratch);
	add_stages(point, &operations, &samples, points->metric);
	add_figures(point, view, row, &operations, points);
	if (samples.count < EXACT_BELOW)
		point->exact = is_exact(view, row);
	add_samples(point, &samples, arena);
	point->seeds++;
	if (point->samples.count == 0) {
		point->good = false;
		point->status = "no samples";
	}
out:
	arena_fini(&scratch);
	return good;
}

/* "latency.p99" into metric and statistic. */
static bool parse_metric(const char *text, struct points *points, struct text *why)
{
	static const struct {
		const char *name;
		uint32_t which;
	} statistics[] = {{"", 500}, {".p50", 500}, {".p90", 900}, {".p99", 990}, {".p99_9", 999},
		{".p99.9", 999}, {".max", 1000}, {".mean", STATISTIC_MEAN}};

	points->metric = METRIC_COUNT;
	points->which = 500;
	if (!text)
		return true;
	for (int m = 0; m < METRIC_COUNT; m++) {
		size_t length = strlen(metric_names[m]);
		if (strncmp(text, metric_names[m], length) != 0)
			continue;
		for (size_t i = 0; i < sizeof(statistics) / sizeof(statistics[0]); i++) {
			if (strcmp(text + length, statistics[i].name) != 0)
				continue;
			points->metric = (enum metric)m;
			points->which = statistics[i].which;
			return true;
		}
	}
	text_printf(why,
		"no metric '%s': round, latency, host, reach, done or skew, with .p50 (default), "
		".p90, .p99, .p99_9, .max or .mean",
		text);
	return false;
}

bool points_read(struct view *view, const char *kind, const char *metric, struct arena *arena,
	struct points *points, struct text *why)
{
	bool any = false;

	memset(points, 0, sizeof(*points));
	points->at = arena_array(arena, view->summary.row_count, sizeof(*points->at));
	points->kind = kind;
	if (!parse_metric(metric, points, why))
		return false;
	for (uint64_t row = 0; row < view->summary.row_count; row++) {
		struct point_of_sweep *point = point_of(points, view, row, arena);
		if (!add_run(point, view, row, points, arena, why))
			return false;
		any |= point->good;
	}
	if (!any)
		text_printf(why, "no run has measured operations%s%s", kind ? " of kind " : "",
			kind ? kind : "");
	return any;
}

bool points_read_one(struct view *view, const struct points *like, struct arena *arena,
	struct point_of_sweep *point, struct text *why)
{
	struct points points = *like;

	*point = (struct point_of_sweep){.good = true, .status = "ok"};
	point->stages.known = true;
	return view->summary.row_count == 1 && add_run(point, view, 0, &points, arena, why);
}

double point_value(const struct points *points, const struct point_of_sweep *point)
{
	return statistic(&point->samples, points->which);
}
