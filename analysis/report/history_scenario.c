/* Reads one scenario's figures from all result files that have the scenario, and writes them as
 * JSON (history_scenario() in report_private.h). The chart shows only the first HISTORY_RUNS_MAX
 * runs; further runs are only counted. */
#include <math.h>
#include <string.h>

#include "report_private.h"

/* Relative changes below this are ignored. */
#define MOVED_LEAST 1e-4

enum { FIGURES = 3 };
static const char *const figure_names[FIGURES] = {"p50", "p99", "throughput"};

/* A kind of operation and the metric whose p50 and p99 are drawn, beside its throughput. */
struct drawn {
	const char *kind, *metric;
};

struct line {
	const char *label;
	uint64_t row;	/* row of the run in the file `before` */
	int64_t before; /* index of the last file so far that has the run; -1: none */
	double *values; /* [figure][drawn][file] */
};

struct lines {
	struct line at[HISTORY_RUNS_MAX];
	uint32_t count;
	struct drawn drawn[SUMMARY_KINDS_MAX];
	uint32_t drawn_count, file_count;
	uint32_t more; /* number of runs that are not drawn */
};

static const char *label_of(const struct summary *summary, uint64_t row, struct arena *arena)
{
	const char *label = "";

	for (uint32_t i = 0; i < summary->swept_count; i++)
		label = arena_printf(arena, "%s%s%s=%s", label, i ? ", " : "",
			summary_short_name(summary, i),
			dataset_cell_text(&summary->dataset,
				&summary->dataset.columns[summary->swept_first + i], row, arena));
	if (!label[0])
		label = "the run";
	return arena_printf(arena, "%s, seed %lld", label,
		(long long)dataset_integer(&summary->dataset, summary->seed, row));
}

/* Returns the metric that is drawn for a kind of operation. This is the metric with the name
 * `wanted`. If `wanted` is NULL, it is completion; if the kind does not have this metric, it is
 * latency, or else host. Returns NULL if the kind has no such metric. */
static const struct summary_metric *history_scenario_metric_of(
	const struct summary_kind *kind, const char *wanted)
{
	static const char *const preferred[] = {"completion", "latency", "host"};

	for (uint32_t p = 0; p < 3; p++)
		for (uint32_t m = 0; m < kind->metric_count; m++)
			if (strcmp(kind->metrics[m].name, wanted ? wanted : preferred[p]) == 0)
				return &kind->metrics[m];
	return NULL;
}

/* Adds to lines->drawn the kinds of operations of a file that are not there yet, each with its
 * metric. */
static void find_drawn(struct lines *lines, const struct summary *summary, struct arena *arena)
{
	for (uint32_t k = 0; k < summary->kind_count; k++) {
		const struct summary_metric *metric =
			history_scenario_metric_of(&summary->kinds[k], NULL);
		uint32_t i = 0;
		while (i < lines->drawn_count &&
			strcmp(lines->drawn[i].kind, summary->kinds[k].name) != 0)
			i++;
		if (!metric || i < lines->drawn_count || summary->kinds[k].step_count > 0 ||
			i == SUMMARY_KINDS_MAX)
			continue;
		lines->drawn[lines->drawn_count++] =
			(struct drawn){arena_string(arena, summary->kinds[k].name),
				arena_string(arena, metric->name)};
	}
}

static struct line *line_of(struct lines *lines, const char *label, struct arena *arena)
{
	size_t most = (size_t)FIGURES * SUMMARY_KINDS_MAX * lines->file_count;
	struct line *line;

	for (uint32_t i = 0; i < lines->count; i++)
		if (strcmp(lines->at[i].label, label) == 0)
			return &lines->at[i];
	if (lines->count == HISTORY_RUNS_MAX) {
		lines->more++;
		return NULL;
	}
	line = &lines->at[lines->count++];
	*line = (struct line){.label = label, .before = -1};
	line->values = arena_array(arena, most, sizeof(*line->values));
	return line;
}

static double *value_at(const struct lines *lines, const struct line *line, uint32_t figure,
	uint32_t drawn, uint32_t file)
{
	return &line->values[((size_t)figure * SUMMARY_KINDS_MAX + drawn) * lines->file_count +
			     file];
}

static double figure_of(
	const struct summary *summary, const struct drawn *drawn, int figure, uint64_t row)
{
	for (uint32_t k = 0; k < summary->kind_count; k++) {
		const struct summary_kind *kind = &summary->kinds[k];
		const struct summary_metric *metric;
		if (strcmp(kind->name, drawn->kind) != 0)
			continue;
		if (figure == 2)
			return dataset_real(&summary->dataset, kind->throughput, row);
		metric = history_scenario_metric_of(kind, drawn->metric);
		return metric ? dataset_real(
					&summary->dataset, metric->percentiles[figure ? 2 : 0], row)
			      : 0;
	}
	return 0;
}

/* Adds the figures of a run to its line. If the previous file has the same run, also adds a step to
 * the history for each figure that changed between the two files. */
static bool history_scenario_add_run(struct history *history, struct lines *lines,
	struct line *line, struct summary *both[2], uint64_t row, uint32_t first, uint32_t file,
	struct text *why)
{
	bool good = true;

	for (uint32_t d = 0; d < lines->drawn_count; d++)
		for (uint32_t f = 0; f < FIGURES; f++) {
			double now = figure_of(both[1], &lines->drawn[d], (int)f, row), before = 0;
			*value_at(lines, line, f, d, file) = now;
			if (line->before >= 0 && line->before == (int64_t)file - 1)
				before = *value_at(lines, line, f, d, file - 1);
			if (f == 2 || !(before > 0) || !(now > 0) ||
				fabs(now / before - 1) < MOVED_LEAST)
				continue;
			const struct history_step step = {.from = first + file - 1,
				.to = first + file,
				.run = line->label,
				.kind = lines->drawn[d].kind,
				.metric = lines->drawn[d].metric,
				.statistic = figure_names[f],
				.old = before,
				.new = now};
			const uint64_t rows[2] = {line->row, row};
			good &= history_step_add(history, both, rows, &step, why);
		}
	line->row = row;
	line->before = file;
	return good;
}

static bool add_file(struct history *history, struct lines *lines, struct summary *both[2],
	uint32_t first, uint32_t file, struct text *why)
{
	struct summary *summary = both[1];
	bool good = true;

	find_drawn(lines, summary, &history->arena);
	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++) {
		struct line *line;
		if (strcmp(dataset_text(&summary->dataset, summary->status, row), "ok") != 0)
			continue;
		line = line_of(lines, label_of(summary, row, &history->arena), &history->arena);
		good = !line ||
		       history_scenario_add_run(history, lines, line, both, row, first, file, why);
	}
	return good;
}

static void write_chart(
	struct json *json, const struct lines *lines, uint32_t drawn, uint32_t figure)
{
	json_object(json);
	json_text(json, "kind", lines->drawn[drawn].kind);
	json_text(json, "metric", lines->drawn[drawn].metric);
	json_text(json, "figure", figure_names[figure]);
	json_array_of(json, "values");
	for (uint32_t i = 0; i < lines->count; i++) {
		json_array(json);
		for (uint32_t f = 0; f < lines->file_count; f++) {
			double value = *value_at(lines, &lines->at[i], figure, drawn, f);
			if (value > 0)
				report_short(json, value);
			else
				json_null(json);
		}
		json_array_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void write_scenario(
	const struct history *history, const struct lines *lines, uint32_t first, struct json *json)
{
	json_object(json);
	json_text(json, "scenario", history->files[first].scenario);
	json_integer_of(json, "first", first);
	json_integer_of(json, "files", lines->file_count);
	json_integer_of(json, "more_runs", lines->more);
	json_array_of(json, "runs");
	for (uint32_t i = 0; i < lines->count; i++)
		json_string(json, lines->at[i].label);
	json_array_end(json);
	json_array_of(json, "charts");
	for (uint32_t d = 0; d < lines->drawn_count; d++)
		for (uint32_t f = 0; f < FIGURES; f++)
			write_chart(json, lines, d, f);
	json_array_end(json);
	json_object_end(json);
}

bool history_scenario(struct history *history, uint32_t first, uint32_t count, struct json *json,
	struct text *why)
{
	struct lines *lines = arena_array(&history->arena, 1, sizeof(*lines));
	struct summary opened[2], *both[2] = {NULL, NULL};
	bool good = true;

	memset(lines, 0, sizeof(*lines));
	lines->file_count = count;
	for (uint32_t file = 0; good && file < count; file++) {
		struct summary *next = &opened[file % 2];
		good = summary_open(next, history->files[first + file].path, why);
		if (!good)
			break;
		both[0] = both[1];
		both[1] = next;
		good = add_file(history, lines, both, first, file, why);
		if (both[0])
			summary_close(both[0]);
	}
	if (both[1])
		summary_close(both[1]);
	if (good)
		write_scenario(history, lines, first, json);
	return good;
}
