/* Writes the head of a report's model, which is the data of the page as JSON, and the columns of
 * its runs (analysis/report.h). Figures of the summary are written without rounding. */
#include <math.h>
#include <string.h>

#include "report_private.h"

void report_short(struct json *json, double value)
{
	double scale;

	if (value == 0 || !isfinite(value)) {
		json_integer(json, 0);
		return;
	}
	scale = pow(10, 3 - floor(log10(fabs(value))));
	if (scale >= 1)
		json_real(json, round(value * scale) / scale);
	else
		json_real(json, round(value));
}

void report_cell(struct json *json, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row)
{
	bool is_time = column && strcmp(column->unit, "1") != 0;

	if (!column)
		json_null(json);
	else if (column->type == DATASET_TEXT)
		json_string(json, dataset_text(dataset, column, row));
	else if (is_time && dataset_real(dataset, column, row) < 0)
		json_null(json);
	else if (column->type == DATASET_REAL)
		json_real(json, dataset_real(dataset, column, row));
	else
		json_integer(json, dataset_integer(dataset, column, row));
}

uint32_t report_share(struct report_shared *shared, const char *text, struct arena *arena)
{
	const char **grown;

	for (uint32_t i = 0; i < shared->count; i++)
		if (strcmp(shared->at[i], text) == 0)
			return i;
	if ((shared->count & (shared->count + 1)) == 0) {
		grown = arena_array(arena, 2 * shared->count + 2, sizeof(*grown));
		if (shared->count)
			memcpy(grown, shared->at, shared->count * sizeof(*grown));
		shared->at = grown;
	}
	shared->at[shared->count] = arena_string(arena, text);
	return shared->count++;
}

void report_head(struct report *report, struct json *json)
{
	static const char *const attributes[] = {"meshsim_version", "git_commit", "build",
		"simgrid_version", "hdf5_version", "world"};
	struct result *result = report->comparison.summary.result;

	json_integer_of(json, "format", 1);
	json_object_of(json, "scenario");
	json_text(json, "name", result_text(result, "/", "scenario_name"));
	json_text(json, "description", result_lines(result, "/", "scenario_description"));
	json_object_end(json);
	json_object_of(json, "file");
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		json_text(json, attributes[i], result_text(result, "/", attributes[i]));
	json_integer_of(
		json, "layout_version", (int64_t)result_number(result, "/", "layout_version"));
	json_text(json, "scenario_hash",
		arena_printf(&report->comparison.arena, "%016llx",
			(unsigned long long)result_number(result, "/", "scenario_hash")));
	json_object_end(json);
	json_object_of(json, "writer");
	json_text(json, "version", report->options->writer_version);
	json_text(json, "commit", report->options->writer_commit);
	json_object_end(json);
}

static void report_model_write_column(struct json *json, const char *key,
	const struct dataset *dataset, const struct dataset_column *column)
{
	json_array_of(json, key);
	for (uint64_t row = 0; row < dataset->row_count; row++)
		report_cell(json, dataset, column, row);
	json_array_end(json);
}

/* Writes the values of a swept key as texts, in the spelling of `compare`: "0.5", "table", "-". */
static void write_key(
	struct json *json, const struct report *report, uint32_t index, struct arena *arena)
{
	const struct summary *summary = &report->comparison.summary;
	const struct dataset_column *column =
		&summary->dataset.columns[summary->swept_first + index];

	json_array(json);
	for (uint64_t row = 0; row < summary->dataset.row_count; row++) {
		if (column->type == DATASET_TEXT)
			json_string(json, dataset_text(&summary->dataset, column, row));
		else if (column->type == DATASET_REAL)
			json_string(json, arena_printf(arena, "%.9g",
						  dataset_real(&summary->dataset, column, row)));
		else
			json_string(json, arena_printf(arena, "%lld",
						  (long long)dataset_integer(
							  &summary->dataset, column, row)));
	}
	json_array_end(json);
}

static void write_messages(struct report *report, struct json *json)
{
	struct summary *summary = &report->comparison.summary;

	json_object_of(json, "messages");
	for (uint64_t row = 0; row < summary->dataset.row_count; row++) {
		if (strcmp(dataset_text(&summary->dataset, summary->status, row), "ok") == 0)
			continue;
		json_text(json,
			arena_printf(&report->comparison.arena, "%llu", (unsigned long long)row),
			result_lines(summary->result, summary_group(summary, row), "message"));
	}
	json_object_end(json);
}

static void report_model_write_kind(
	struct json *json, const struct dataset *dataset, const struct summary_kind *kind)
{
	json_object(json);
	json_text(json, "kind", kind->name);
	report_model_write_column(json, "count", dataset, kind->count);
	report_model_write_column(json, "throughput", dataset, kind->throughput);
	if (kind->bandwidth)
		report_model_write_column(json, "bandwidth", dataset, kind->bandwidth);
	json_array_of(json, "metrics");
	for (uint32_t m = 0; m < kind->metric_count; m++) {
		json_object(json);
		json_text(json, "metric", kind->metrics[m].name);
		for (int p = 0; p < SUMMARY_PERCENTILES; p++)
			report_model_write_column(json, summary_percentile_names[p], dataset,
				kind->metrics[m].percentiles[p]);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

void report_runs(struct report *report, struct json *json)
{
	const struct summary *summary = &report->comparison.summary;
	const struct dataset *dataset = &summary->dataset;

	json_array_of(json, "keys");
	for (uint32_t i = 0; i < summary->swept_count; i++)
		json_string(json, dataset->columns[summary->swept_first + i].name);
	json_array_end(json);
	json_array_of(json, "short_keys");
	for (uint32_t i = 0; i < summary->swept_count; i++)
		json_string(json, summary_short_name(summary, i));
	json_array_end(json);
	json_object_of(json, "runs");
	report_model_write_column(json, "run", dataset, summary->run);
	report_model_write_column(json, "status", dataset, summary->status);
	report_model_write_column(json, "seed", dataset, summary->seed);
	json_array_of(json, "keys");
	for (uint32_t i = 0; i < summary->swept_count; i++)
		write_key(json, report, i, &report->comparison.arena);
	json_array_end(json);
	json_array_of(json, "totals");
	for (uint32_t i = 0; i < summary->total_count; i++) {
		const struct dataset_column *column = &dataset->columns[summary->total_first + i];
		json_object(json);
		json_text(json, "name", column->name);
		json_text(json, "unit", column->unit);
		report_model_write_column(json, "values", dataset, column);
		json_object_end(json);
	}
	json_array_end(json);
	write_messages(report, json);
	json_object_end(json);
	json_array_of(json, "kinds");
	for (uint32_t k = 0; k < summary->kind_count; k++)
		report_model_write_kind(json, dataset, &summary->kinds[k]);
	json_array_end(json);
}
