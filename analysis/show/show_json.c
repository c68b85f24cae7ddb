/* `meshsim show --json`: every figure of the tables, raw, in the units that the file says. Refuses
 * half a document: it is printed when it is complete. */
#include <string.h>

#include "base/json.h"
#include "show_private.h"

static void write_text(struct json *json, const char *key, const char *value)
{
	json_key(json, key);
	json_string(json, value);
}

static void write_value(struct json *json, const struct data_table *table,
	const struct data_column *column, uint64_t row)
{
	switch (column->type) {
	case DATA_TEXT:
		json_string(json, data_text(table, column, row));
		break;
	case DATA_REAL:
		json_real(json, data_real(table, column, row));
		break;
	case DATA_UNSIGNED:
		json_unsigned(json, (uint64_t)data_integer(table, column, row));
		break;
	case DATA_INTEGER:
		json_integer(json, data_integer(table, column, row));
		break;
	}
}

static void write_column(struct json *json, const char *key, const struct data_table *table,
	const struct data_column *column, uint64_t row)
{
	if (!column)
		return;
	json_key(json, key);
	write_value(json, table, column, row);
}

/* An array of all rows, each an object of all columns. */
static void write_table(struct json *json, const char *key, const struct data_table *table)
{
	json_key(json, key);
	json_array(json);
	for (uint64_t row = 0; row < table->row_count; row++) {
		json_object(json);
		for (uint32_t i = 0; i < table->column_count; i++)
			write_column(json, table->columns[i].name, table, &table->columns[i], row);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_kind(
	struct json *json, const struct view *view, const struct view_kind *kind, uint64_t row)
{
	const struct data_table *summary = &view->summary;

	json_key(json, kind->name);
	json_object(json);
	write_column(json, "count", summary, kind->count, row);
	write_column(json, "throughput", summary, kind->throughput, row);
	for (uint32_t m = 0; m < kind->metric_count; m++) {
		const struct view_metric *metric = &kind->metrics[m];
		if (data_integer(summary, metric->percentiles[0], row) < 0)
			continue;
		json_key(json, metric->name);
		json_object(json);
		for (int i = 0; i < VIEW_PERCENTILES; i++)
			write_column(json, view_percentile_names[i], summary,
				metric->percentiles[i], row);
		json_object_end(json);
	}
	json_object_end(json);
}

static void write_sums(struct json *json, const struct data_table *threads)
{
	json_key(json, "host");
	json_object(json);
	json_key(json, "threads");
	json_unsigned(json, threads->row_count);
	for (uint32_t i = 0; i < threads->column_count; i++) {
		const struct data_column *column = &threads->columns[i];
		if (column->type == DATA_TEXT || strcmp(column->name, "host") == 0 ||
			strcmp(column->name, "started") == 0 || strcmp(column->name, "ended") == 0)
			continue;
		json_key(json, column->name);
		json_real(json, view_sum(threads, column->name));
	}
	json_object_end(json);
}

/* The row of `table` with the largest `column`, whole. */
static void write_largest(
	struct json *json, const char *key, const struct data_table *table, const char *column)
{
	int64_t at = view_largest(table, column);

	json_key(json, key);
	if (at < 0) {
		json_null(json);
		return;
	}
	json_object(json);
	for (uint32_t i = 0; i < table->column_count; i++)
		write_column(json, table->columns[i].name, table, &table->columns[i], (uint64_t)at);
	json_object_end(json);
}

static void write_detail(struct json *json, const struct view_run *run)
{
	write_table(json, "threads", &run->threads);
	write_table(json, "work", &run->work);
	write_table(json, "stages", &run->cores);
	write_table(json, "links", &run->links);
	write_table(json, "queues", &run->queues);
}

static bool write_run(struct json *json, struct view *view, uint64_t row, struct text *why)
{
	const struct data_table *summary = &view->summary;
	struct arena arena;
	struct view_run run;
	bool good;

	arena_init(&arena);
	good = view_read_run(view, row, &arena, &run, why);
	json_object(json);
	write_column(json, "run", summary, view->run, row);
	write_column(json, "status", summary, view->status, row);
	write_text(json, "message", result_text(view->result, view_group(view, row), "message"));
	write_column(json, "seed", summary, view->seed, row);
	json_key(json, "keys");
	json_object(json);
	for (uint32_t i = 0; i < view->swept_count; i++) {
		const struct data_column *column = &summary->columns[view->swept_first + i];
		write_column(json, column->name, summary, column, row);
	}
	json_object_end(json);
	for (uint32_t i = 0; i < view->total_count; i++) {
		const struct data_column *column = &summary->columns[view->total_first + i];
		write_column(json, column->name, summary, column, row);
	}
	json_key(json, "operations");
	json_object(json);
	for (uint32_t k = 0; k < view->kind_count; k++)
		write_kind(json, view, &view->kinds[k], row);
	json_object_end(json);
	write_sums(json, &run.threads);
	write_largest(json, "busiest_link", &run.links, "utilization");
	write_largest(json, "busiest_stage", &run.cores, "busy");
	write_largest(json, "longest_blocked_stage", &run.cores, "blocked");
	write_largest(json, "fullest_queue", &run.queues, "blocked_time");
	if (summary->row_count == 1)
		write_detail(json, &run);
	json_object_end(json);
	arena_fini(&arena);
	return good;
}

static void write_units(struct json *json, const struct data_table *summary)
{
	json_key(json, "units");
	json_object(json);
	for (uint32_t i = 0; i < summary->column_count; i++)
		write_text(json, summary->columns[i].name, summary->columns[i].unit);
	json_object_end(json);
}

bool show_json(struct view *view, FILE *out, struct text *why)
{
	static const char *const facts[] = {"scenario_name", "scenario_description", "world",
		"meshsim_version", "git_commit", "build", "simgrid_version", "hdf5_version"};
	struct text text;
	struct json json;
	bool good = true;

	text_init(&text);
	json_start(&json, &text);
	json_object(&json);
	json_key(&json, "layout_version");
	json_unsigned(&json, result_number(view->result, "/", "layout_version"));
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		write_text(&json, facts[i], result_text(view->result, "/", facts[i]));
	write_units(&json, &view->summary);
	json_key(&json, "runs");
	json_array(&json);
	for (uint64_t row = 0; good && row < view->summary.row_count; row++)
		good = write_run(&json, view, row, why);
	json_array_end(&json);
	json_object_end(&json);
	json_end(&json);
	if (good)
		fputs(text_string(&text), out);
	text_fini(&text);
	return good;
}
