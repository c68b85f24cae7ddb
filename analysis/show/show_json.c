/* `meshsim show --json`: prints the numbers of all tables without rounding, in the units of the
 * file. Prints either a complete document or nothing. */
#include <string.h>

#include "base/json.h"
#include "show_private.h"

static void show_json_write_value(struct json *json, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row)
{
	switch (column->type) {
	case DATASET_TEXT:
		json_string(json, dataset_text(dataset, column, row));
		break;
	case DATASET_REAL:
		json_real(json, dataset_real(dataset, column, row));
		break;
	case DATASET_UNSIGNED:
		json_unsigned(json, (uint64_t)dataset_integer(dataset, column, row));
		break;
	case DATASET_INTEGER:
		json_integer(json, dataset_integer(dataset, column, row));
		break;
	}
}

static void show_json_write_column(struct json *json, const char *key,
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row)
{
	if (!column)
		return;
	json_key(json, key);
	show_json_write_value(json, dataset, column, row);
}

/* Writes a table as an array of rows, each an object of all columns. */
static void write_table(struct json *json, const char *key, const struct dataset *dataset)
{
	json_array_of(json, key);
	for (uint64_t row = 0; row < dataset->row_count; row++) {
		json_object(json);
		for (uint32_t i = 0; i < dataset->column_count; i++)
			show_json_write_column(
				json, dataset->columns[i].name, dataset, &dataset->columns[i], row);
		json_object_end(json);
	}
	json_array_end(json);
}

static void show_json_write_kind(struct json *json, const struct summary *summary,
	const struct summary_kind *kind, uint64_t row)
{
	const struct dataset *dataset = &summary->dataset;

	json_object_of(json, kind->name);
	show_json_write_column(json, "count", dataset, kind->count, row);
	show_json_write_column(json, "throughput", dataset, kind->throughput, row);
	show_json_write_column(json, "bandwidth", dataset, kind->bandwidth, row);
	for (uint32_t m = 0; m < kind->metric_count; m++) {
		const struct summary_metric *metric = &kind->metrics[m];
		if (dataset_integer(dataset, metric->percentiles[0], row) < 0)
			continue;
		json_object_of(json, metric->name);
		for (int i = 0; i < SUMMARY_PERCENTILES; i++)
			show_json_write_column(json, summary_percentile_names[i], dataset,
				metric->percentiles[i], row);
		json_object_end(json);
	}
	json_object_end(json);
}

static void show_json_write_sums(struct json *json, const struct dataset *threads)
{
	json_object_of(json, "host");
	json_unsigned_of(json, "threads", threads->row_count);
	for (uint32_t i = 0; i < threads->column_count; i++) {
		const struct dataset_column *column = &threads->columns[i];
		if (column->type == DATASET_TEXT || strcmp(column->name, "host") == 0 ||
			strcmp(column->name, "started") == 0 || strcmp(column->name, "ended") == 0)
			continue;
		json_real_of(json, column->name, dataset_sum(threads, column->name));
	}
	json_object_end(json);
}

/* Writes all columns of the row with the largest `column`. */
static void write_largest(
	struct json *json, const char *key, const struct dataset *dataset, const char *column)
{
	int64_t at = dataset_largest(dataset, column);

	json_key(json, key);
	if (at < 0) {
		json_null(json);
		return;
	}
	json_object(json);
	for (uint32_t i = 0; i < dataset->column_count; i++)
		show_json_write_column(json, dataset->columns[i].name, dataset,
			&dataset->columns[i], (uint64_t)at);
	json_object_end(json);
}

static void show_json_write_detail(struct json *json, const struct run_tables *run)
{
	write_table(json, "threads", &run->threads);
	write_table(json, "work", &run->work);
	write_table(json, "stages", &run->cores);
	write_table(json, "links", &run->links);
	write_table(json, "queues", &run->queues);
	write_table(json, "memory", &run->memory);
	if (run->models.row_count > 0)
		write_table(json, "models", &run->models);
}

static bool show_json_write_run(
	struct json *json, struct summary *summary, uint64_t row, struct text *why)
{
	const struct dataset *dataset = &summary->dataset;
	struct arena arena;
	struct run_tables run;
	bool good;

	arena_init(&arena);
	good = run_tables_read(summary, row, &arena, &run, why);
	json_object(json);
	show_json_write_column(json, "run", dataset, summary->run, row);
	show_json_write_column(json, "status", dataset, summary->status, row);
	json_text(json, "message",
		result_lines(summary->result, summary_group(summary, row), "message"));
	show_json_write_column(json, "seed", dataset, summary->seed, row);
	json_object_of(json, "keys");
	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const struct dataset_column *column = &dataset->columns[summary->swept_first + i];
		show_json_write_column(json, column->name, dataset, column, row);
	}
	json_object_end(json);
	for (uint32_t i = 0; i < summary->total_count; i++) {
		const struct dataset_column *column = &dataset->columns[summary->total_first + i];
		show_json_write_column(json, column->name, dataset, column, row);
	}
	json_object_of(json, "operations");
	for (uint32_t k = 0; k < summary->kind_count; k++)
		show_json_write_kind(json, summary, &summary->kinds[k], row);
	json_object_end(json);
	show_json_write_sums(json, &run.threads);
	write_largest(json, "busiest_link", &run.links, "utilization");
	write_largest(json, "busiest_stage", &run.cores, "busy");
	write_largest(json, "longest_blocked_stage", &run.cores, "blocked");
	write_largest(json, "fullest_queue", &run.queues, "blocked_time");
	write_table(json, "left", &run.left);
	write_table(json, "watcher", &run.watcher);
	write_table(json, "prints", &run.prints);
	if (run.saved.row_count > 0)
		write_table(json, "saved", &run.saved);
	if (run.log.row_count > 0)
		write_table(json, "log", &run.log);
	if (run.opening.row_count > 0)
		write_table(json, "opening", &run.opening);
	if (dataset->row_count == 1)
		show_json_write_detail(json, &run);
	json_object_end(json);
	arena_fini(&arena);
	return good;
}

static void write_units(struct json *json, const struct dataset *dataset)
{
	json_object_of(json, "units");
	for (uint32_t i = 0; i < dataset->column_count; i++)
		json_text(json, dataset->columns[i].name, dataset->columns[i].unit);
	json_object_end(json);
}

bool show_json(struct summary *summary, FILE *out, struct text *why)
{
	static const char *const facts[] = {"scenario_name", "scenario_description", "world",
		"meshsim_version", "git_commit", "build", "simgrid_version", "hdf5_version"};
	struct json json;
	bool good = true;

	json_start(&json, NULL);
	json_object(&json);
	json_unsigned_of(
		&json, "layout_version", result_number(summary->result, "/", "layout_version"));
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		json_text(&json, facts[i], result_lines(summary->result, "/", facts[i]));
	write_units(&json, &summary->dataset);
	json_array_of(&json, "runs");
	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++)
		good = show_json_write_run(&json, summary, row, why);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, good ? out : NULL);
	return good;
}
