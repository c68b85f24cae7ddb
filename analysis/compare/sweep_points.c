/* Reads sweep points, see sweep_points.h. Does not keep operations: a sweep may have a thousand
 * runs. */
#include "analysis/compare/sweep_points.h"

#include <stdlib.h>
#include <string.h>

#include "base/tree.h"

enum { EXACT_BELOW = 16 }; /* samples below which it may matter */

static bool same_keys(const char *const *a, const char *const *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

/* The point of a row, new or not. */
static struct sweep_point *point_of(struct sweep_points *points, const struct summary *summary,
	uint64_t row, struct arena *arena)
{
	const char **keys = arena_array(arena, summary->swept_count + 1, sizeof(*keys));
	struct sweep_point *point;

	for (uint32_t i = 0; i < summary->swept_count; i++)
		keys[i] = dataset_cell_text(&summary->dataset,
			&summary->dataset.columns[summary->swept_first + i], row, arena);
	for (uint32_t i = 0; i < points->count; i++)
		if (same_keys(points->at[i].keys, keys, summary->swept_count))
			return &points->at[i];
	point = &points->at[points->count++];
	*point = (struct sweep_point){.keys = keys, .row = row, .good = true, .status = "ok"};
	point->stages.known = true;
	return point;
}

static int compare_values(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void add_samples(
	struct sweep_point *point, const struct samples *samples, struct arena *arena)
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
static void add_stages(struct sweep_point *point, const struct operations *operations,
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

static void add_figures(struct sweep_point *point, struct summary *summary, uint64_t row,
	const struct operations *operations, const struct sweep_points *points)
{
	const struct dataset_column *throughput = dataset_column(&summary->dataset,
		arena_printf(result_arena(summary->result), "%s.throughput", points->kind));
	double busy = dataset_real_of(&summary->dataset, "host_busy", row);
	double seeds = point->seeds;
	uint64_t made = 0;

	for (uint32_t i = 0; i < operations->count; i++)
		made += strcmp(operations->at[i].kind, points->kind) == 0;
	point->operations += made;
	point->throughput =
		(point->throughput * seeds + dataset_real(&summary->dataset, throughput, row)) /
		(seeds + 1);
	if (made)
		point->host_cpu = (point->host_cpu * seeds + busy / (double)made) / (seeds + 1);
}

/* The kind of operation that a swept key is about, or NULL. */
static const char *kind_swept(const struct summary *summary, const struct operations *operations)
{
	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const char *name = summary->dataset.columns[summary->swept_first + i].name;
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
static const char *choose_kind(const struct summary *summary, const struct operations *operations)
{
	const char *most = samples_kind(operations), *swept = kind_swept(summary, operations);

	return swept && strcmp(most, "enqueue_workload") != 0 ? swept : most;
}

/* The run's noise is switched off. */
static bool is_exact(struct summary *summary, uint64_t row)
{
	struct arena *arena = result_arena(summary->result);
	const char *text = result_document(
		summary->result, arena_printf(arena, "%s/scenario", summary_group(summary, row)));
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
static bool add_run(struct sweep_point *point, struct summary *summary, uint64_t row,
	struct sweep_points *points, struct arena *arena, struct text *why)
{
	const char *status = dataset_text(&summary->dataset, summary->status, row);
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
	good = operations_read(summary, summary_group(summary, row), &scratch, &operations, why);
	if (!good)
		goto out;
	if (!points->kind)
		points->kind = arena_string(arena, choose_kind(summary, &operations));
	if (points->metric == METRIC_COUNT)
		points->metric = samples_metric(&operations, points->kind);
	samples = samples_take(&operations, points->kind, points->metric, &scratch);
	add_stages(point, &operations, &samples, points->metric);
	add_figures(point, summary, row, &operations, points);
	if (samples.count < EXACT_BELOW)
		point->exact = is_exact(summary, row);
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
static bool parse_metric(const char *text, struct sweep_points *points, struct text *why)
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
		"no metric '%s'; there are %s, with .p50 (default), .p90, .p99, .p99_9, .max or "
		".mean",
		text, metric_list);
	return false;
}

bool sweep_points_read(struct summary *summary, const char *kind, const char *metric,
	struct arena *arena, struct sweep_points *points, struct text *why)
{
	bool any = false;

	memset(points, 0, sizeof(*points));
	points->at = arena_array(arena, summary->dataset.row_count, sizeof(*points->at));
	points->kind = kind;
	if (!parse_metric(metric, points, why))
		return false;
	for (uint64_t row = 0; row < summary->dataset.row_count; row++) {
		struct sweep_point *point = point_of(points, summary, row, arena);
		if (!add_run(point, summary, row, points, arena, why))
			return false;
		any |= point->good;
	}
	if (!any)
		text_printf(why, "no run has measured operations%s%s", kind ? " of kind " : "",
			kind ? kind : "");
	return any;
}

bool sweep_point_read(struct summary *summary, const struct sweep_points *like, struct arena *arena,
	struct sweep_point *point, struct text *why)
{
	struct sweep_points points = *like;

	*point = (struct sweep_point){.good = true, .status = "ok"};
	point->stages.known = true;
	return summary->dataset.row_count == 1 && add_run(point, summary, 0, &points, arena, why);
}

double sweep_point_value(const struct sweep_points *points, const struct sweep_point *point)
{
	return statistic(&point->samples, points->which);
}
