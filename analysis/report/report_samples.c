/* Writes the distributions and critical paths of a report's runs (analysis/report.h). The
 * operations of each run are read once. The more runs there are, the fewer samples of each run are
 * written. */
#include <stdlib.h>
#include <string.h>

#include "report_private.h"

enum { SERIES_MAX = 64, SAMPLES_LEAST = 12, SAMPLES_MOST = 240, TAIL = 10, PATHS = 3 };

/* One kind and metric, with the samples of all runs. */
struct series {
	const char *kind;
	enum metric metric;
	struct text values; /* as JSON, one value per run */
	bool any;
	/* Critical paths by row, if has_paths is set. */
	bool has_paths;
	int64_t (*paths)[PATHS][STAGE_COUNT];
	bool *known;
	bool used[STAGE_COUNT];
};

struct collection {
	struct series at[SERIES_MAX];
	uint32_t count, samples_most;
};

static void add_series(struct collection *all, const char *kind, enum metric metric, bool has_paths,
	uint64_t rows, struct arena *arena)
{
	struct series *series = &all->at[all->count];

	if (all->count == SERIES_MAX)
		return;
	all->count++;
	*series = (struct series){.kind = kind, .metric = metric, .has_paths = has_paths};
	if (!has_paths)
		return;
	series->paths = arena_array(arena, rows, sizeof(*series->paths));
	series->known = arena_array(arena, rows, sizeof(*series->known));
}

/* Chooses the series that are written. A series has the samples of one kind of operation and one
 * metric. Three series of the kind that the page shows first are always chosen: the metric that the
 * page shows first, latency, and host. All other series are chosen only if all series together fit
 * into REPORT_DISTRIBUTION_NUMBERS. */
static void choose_series(struct report *report, struct collection *all)
{
	const struct summary *summary = &report->comparison.summary;
	struct arena *arena = &report->comparison.arena;
	uint64_t rows = summary->dataset.row_count;
	uint64_t series = (uint64_t)summary->kind_count * METRIC_COUNT;
	bool few = rows * series * SAMPLES_LEAST <= REPORT_DISTRIBUTION_NUMBERS;

	add_series(
		all, report->kind, report->metric, metric_has_stages(report->metric), rows, arena);
	for (int m = 0; m < METRIC_COUNT; m++)
		if (m != (int)report->metric && (few || m == METRIC_LATENCY || m == METRIC_HOST))
			add_series(all, report->kind, (enum metric)m, m == METRIC_LATENCY && few,
				rows, arena);
	for (uint32_t k = 0; few && k < summary->kind_count; k++)
		for (int m = 0; m < METRIC_COUNT; m++)
			if (strcmp(summary->kinds[k].name, report->kind) != 0)
				add_series(all, summary->kinds[k].name, (enum metric)m,
					m == METRIC_LATENCY, rows, arena);
	all->samples_most = (uint32_t)(REPORT_DISTRIBUTION_NUMBERS / (rows * all->count + 1));
	if (all->samples_most < SAMPLES_LEAST)
		all->samples_most = SAMPLES_LEAST;
	if (all->samples_most > SAMPLES_MOST)
		all->samples_most = SAMPLES_MOST;
}

static void start_run(struct series *series, uint64_t row)
{
	text_append(&series->values, row ? ", " : "");
}

static int compare_ranks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Chooses at most `most` of the ranks 1 to `count`, writes them to `ranks` in ascending order, and
 * returns how many were chosen. The chosen ranks are equally spaced. A few more are added near the
 * last rank, to draw the tail of the distribution. */
static uint32_t choose_ranks(uint32_t count, uint32_t most, uint32_t *ranks)
{
	uint32_t chosen = 0, spaced = most > 2 * TAIL ? most - TAIL : most / 2 + 1, kept = 0;

	for (uint32_t i = 0; i < spaced; i++)
		ranks[chosen++] = 1 + (uint32_t)((uint64_t)(count - 1) * i / (spaced - 1));
	for (uint32_t left = count / 8; left > 0 && chosen < most; left /= 2)
		ranks[chosen++] = count - left;
	qsort(ranks, chosen, sizeof(*ranks), compare_ranks);
	for (uint32_t i = 0; i < chosen; i++)
		if (kept == 0 || ranks[i] != ranks[kept - 1])
			ranks[kept++] = ranks[i];
	return kept;
}

static void write_values(struct series *series, const struct samples *samples, uint32_t most)
{
	uint32_t ranks[SAMPLES_MOST], count = samples->count;
	bool all = count <= most;

	if (count == 0) {
		text_append(&series->values, "null");
		return;
	}
	series->any = true;
	if (!all)
		count = choose_ranks(count, most, ranks);
	text_printf(&series->values, "{\"n\":%u,\"v\":[", samples->count);
	for (uint32_t i = 0; i < count; i++)
		text_printf(&series->values, "%s%lld", i ? "," : "",
			(long long)samples->at[all ? i : ranks[i] - 1].value);
	for (uint32_t i = 0; !all && i < count; i++)
		text_printf(&series->values, "%s%u", i ? "," : "],\"r\":[", ranks[i]);
	text_append(&series->values, "]}");
}

static void take_paths(struct series *series, const struct operations *operations,
	const struct samples *samples, uint64_t row)
{
	static const uint32_t per_mille[] = {500, 990};
	struct split split;
	int64_t total;
	bool good = true;

	if (samples->count == 0)
		return;
	for (int p = 0; p < PATHS && good; p++) {
		if (p < 2)
			good = path_split(operations, samples_at(samples, per_mille[p])->index,
				series->metric, &split);
		else
			good = samples_sum(operations, samples, series->metric, &split, &total);
		for (int s = 0; good && s < STAGE_COUNT; s++) {
			int64_t time = p < 2 ? split.time[s] : split.time[s] / samples->count;
			series->paths[row][p][s] = time;
			series->used[s] |= time != 0;
		}
	}
	series->known[row] = good;
}

static bool read_row(struct report *report, uint64_t row, struct collection *all)
{
	struct summary *summary = &report->comparison.summary;
	const char *group = summary_group(summary, row);
	bool ok = strcmp(dataset_text(&summary->dataset, summary->status, row), "ok") == 0;
	const struct operations *operations = NULL;
	struct arena arena;
	bool good;

	arena_init(&arena);
	ok = ok && operations_recorded(summary, group);
	if (ok)
		operations = operations_of(summary, group, true, &report->why);
	good = !ok || operations;
	for (uint32_t i = 0; good && i < all->count; i++) {
		struct series *series = &all->at[i];
		struct samples samples = {NULL, 0};
		if (ok)
			samples = samples_take(operations, series->kind, series->metric, &arena);
		start_run(series, row);
		write_values(series, &samples, all->samples_most);
		if (series->has_paths)
			take_paths(series, operations, &samples, row);
	}
	arena_fini(&arena);
	return good;
}

/* Opens an object for `series`, and in it the array `of`. */
static void open_series(struct json *json, const struct series *series, const char *of)
{
	json_object(json);
	json_text(json, "kind", series->kind);
	json_text(json, "metric", metric_names[series->metric]);
	json_array_of(json, of);
}

static void write_distributions(const struct collection *all, struct json *json)
{
	json_array_of(json, "distributions");
	for (uint32_t i = 0; i < all->count; i++) {
		const struct series *series = &all->at[i];
		if (!series->any)
			continue;
		open_series(json, series, "runs");
		json_raw(json, text_string(&series->values));
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_path_run(const struct series *series, uint64_t row, struct json *json)
{
	static const char *const names[PATHS] = {"p50", "p99", "mean"};

	if (!series->known[row]) {
		json_null(json);
		return;
	}
	json_object(json);
	for (int p = 0; p < PATHS; p++) {
		json_array_of(json, names[p]);
		for (int s = 0; s < STAGE_COUNT; s++)
			if (series->used[s])
				json_integer(json, series->paths[row][p][s]);
		json_array_end(json);
	}
	json_object_end(json);
}

static void write_paths(const struct collection *all, uint64_t rows, struct json *json)
{
	json_array_of(json, "paths");
	for (uint32_t i = 0; i < all->count; i++) {
		const struct series *series = &all->at[i];
		if (!series->has_paths || !series->any)
			continue;
		open_series(json, series, "stages");
		for (int s = 0; s < STAGE_COUNT; s++)
			if (series->used[s])
				json_string(json, stage_label((enum stage)s));
		json_array_end(json);
		json_array_of(json, "runs");
		for (uint64_t row = 0; row < rows; row++)
			write_path_run(series, row, json);
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
}

bool report_samples(struct report *report, struct json *json)
{
	struct collection *all = arena_alloc(&report->comparison.arena, sizeof(*all));
	uint64_t rows = report->comparison.summary.dataset.row_count;
	bool good = true;

	choose_series(report, all);
	for (uint64_t row = 0; row < rows && good; row++)
		good = read_row(report, row, all);
	if (good) {
		write_distributions(all, json);
		write_paths(all, rows, json);
	}
	for (uint32_t i = 0; i < all->count; i++)
		text_fini(&all->at[i].values);
	return good;
}
