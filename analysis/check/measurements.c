/* Reads measurements from result files, see measurements.h. */
#include "measurements.h"

#include <ctype.h>
#include <string.h>

#include "analysis/operations/measure.h"

enum { PER_METRIC = 3 }; /* p50, p99, sum */

/* ---- keys ---- */

static void measurements_read_keys(
	const struct summary *summary, uint64_t row, struct arena *arena, struct measured_run *run)
{
	const struct dataset *dataset = &summary->dataset;

	run->keys = arena_array(arena, summary->swept_count + 1, sizeof(*run->keys));
	run->keys[run->key_count++] = (struct measured_key){
		"seed", dataset_cell_text(dataset, summary->seed, row, arena)};
	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const struct dataset_column *column = &dataset->columns[summary->swept_first + i];
		const char *value = dataset_cell_text(dataset, column, row, arena);
		if (strcmp(value, "-") != 0)
			run->keys[run->key_count++] = (struct measured_key){column->name, value};
	}
}

const char *measured_label(const struct measured_run *run, bool with_seed, struct arena *arena)
{
	const char *label = "";

	for (uint32_t i = 0; i < run->key_count; i++)
		if (with_seed || strcmp(run->keys[i].name, "seed") != 0)
			label = arena_printf(arena, "%s%s%s=%s", label, label[0] ? " " : "",
				run->keys[i].name, run->keys[i].value);
	return label[0] ? label : "the run";
}

/* Returns the beginning of the last `parts` components of a dotted name that has `length` bytes. */
static const char *end_of(const char *name, size_t length, unsigned parts)
{
	const char *at = name + length;

	while (at > name && (at[-1] != '.' || --parts > 0))
		at--;
	return at;
}

static size_t name_length(const char *name)
{
	size_t length = strlen(name);
	bool is_value = length > 6 && strcmp(name + length - 6, ".value") == 0;

	return is_value ? length - 6 : length;
}

/* True if the name of another key of the run also ends in `end`. */
static bool key_is_shared(
	const struct measured_run *run, uint32_t key, const char *end, size_t bytes)
{
	for (uint32_t i = 0; i < run->key_count; i++) {
		const char *name = run->keys[i].name;
		size_t length = name_length(name);
		if (i != key && length >= bytes &&
			strncmp(name + length - bytes, end, bytes) == 0 &&
			(length == bytes || name[length - bytes - 1] == '.'))
			return true;
	}
	return false;
}

const char *measured_where(const struct measured_run *run, struct arena *arena)
{
	const char *where = "";

	for (uint32_t i = 0; i < run->key_count; i++) {
		const struct measured_key *key = &run->keys[i];
		size_t length = name_length(key->name);
		const char *end = key->name;
		if (strcmp(key->name, "seed") == 0)
			continue;
		for (unsigned parts = 1; parts < 9; parts++) {
			end = end_of(key->name, length, parts);
			if (!key_is_shared(run, i, end, (size_t)(key->name + length - end)))
				break;
		}
		where = arena_printf(arena, "%s%s%.*s=%s", where, where[0] ? ", " : "",
			(int)(key->name + length - end), end, key->value);
	}
	return where;
}

/* ---- figures ---- */

static void add_integer(
	struct measured_run *run, const char *name, const char *unit, int64_t integer)
{
	run->measurements[run->measurement_count++] =
		(struct measurement){.name = name, .unit = unit, .integer = integer};
}

static void add_cell(struct measured_run *run, const char *name, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row)
{
	struct measurement *measurement = &run->measurements[run->measurement_count++];

	*measurement = (struct measurement){.name = name, .unit = column->unit};
	measurement->is_real = column->type == DATASET_REAL;
	if (measurement->is_real)
		measurement->real = dataset_real(dataset, column, row);
	else
		measurement->integer = dataset_integer(dataset, column, row);
}

/* Adds figures of one metric that are computed from the operations: the sum of the metric over all
 * operations, and the sums of its stages. If the metric is the round and the summary does not have
 * it, also adds the p50 and the p99. */
static void measurements_add_operations(struct measured_run *run, const char *kind,
	enum metric metric, bool in_summary, const struct operations *operations,
	struct arena *arena)
{
	struct samples samples = samples_take(operations, kind, metric, arena);
	const char *name = arena_printf(arena, "%s.%s", kind, metric_names[metric]);
	struct split split;
	int64_t sum;

	if (samples.count == 0)
		return;
	if (metric == METRIC_ROUND && !in_summary) {
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

static bool has_metric(const struct summary_kind *kind, const char *name)
{
	for (uint32_t m = 0; m < kind->metric_count; m++)
		if (strcmp(kind->metrics[m].name, name) == 0)
			return true;
	return false;
}

static void measurements_add_kind(const struct summary *summary, const struct summary_kind *kind,
	uint64_t row, const struct operations *operations, struct arena *arena,
	struct measured_run *run)
{
	static const int taken[] = {0, 2}; /* p50, p99 */
	const struct dataset *dataset = &summary->dataset;

	if (dataset_integer(dataset, kind->count, row) == 0)
		return;
	add_cell(run, kind->count->name, dataset, kind->count, row);
	if (kind->throughput)
		add_cell(run, kind->throughput->name, dataset, kind->throughput, row);
	if (kind->bandwidth && dataset_real(dataset, kind->bandwidth, row) > 0)
		add_cell(run, kind->bandwidth->name, dataset, kind->bandwidth, row);
	for (uint32_t m = 0; m < kind->metric_count; m++) {
		const struct summary_metric *metric = &kind->metrics[m];
		enum metric named = metric_named(metric->name);
		if (dataset_integer(dataset, metric->percentiles[0], row) < 0)
			continue;
		for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
			if (metric->percentiles[taken[i]])
				add_cell(run, metric->percentiles[taken[i]]->name, dataset,
					metric->percentiles[taken[i]], row);
		if (named != METRIC_COUNT)
			measurements_add_operations(
				run, kind->name, named, true, operations, arena);
	}
	if (!has_metric(kind, "round"))
		measurements_add_operations(
			run, kind->name, METRIC_ROUND, false, operations, arena);
}

static bool read_figures(struct summary *summary, uint64_t row, struct arena *arena,
	struct measured_run *run, struct text *why)
{
	const char *group = summary_group(summary, row);
	struct operations operations = {0};
	uint32_t metrics = 0;

	for (uint32_t k = 0; k < summary->kind_count; k++)
		metrics += summary->kinds[k].metric_count + 3;
	run->measurements = arena_array(arena, summary->total_count + PER_METRIC * (size_t)metrics,
		sizeof(*run->measurements));
	run->sums = arena_array(arena, metrics, sizeof(*run->sums));
	if (operations_recorded(summary, group) &&
		!operations_read(summary, group, arena, &operations, why))
		return false;
	for (uint32_t i = 0; i < summary->total_count; i++) {
		const struct dataset_column *column =
			&summary->dataset.columns[summary->total_first + i];
		add_cell(run, column->name, &summary->dataset, column, row);
	}
	for (uint32_t k = 0; k < summary->kind_count; k++)
		measurements_add_kind(summary, &summary->kinds[k], row, &operations, arena, run);
	run->charges = (struct charges){.known = true};
	return charges_add(&run->charges, summary, group, NULL, NULL, arena, why);
}

/* Reads the constants of each run. Adjacent runs with the same platform share one list. */
static void measurements_read_constants(
	struct summary *summary, struct measured_runs *measured, struct arena *arena)
{
	struct arena scratch[2] = {
		{0}, {0}}; /* one has the document of run i, the other the last one */
	const char *last = NULL;

	for (uint32_t i = 0; i < measured->run_count; i++) {
		struct arena *own = &scratch[i % 2];
		const char *platform;
		struct measured_constants *constants;
		arena_fini(own);
		platform = result_document(summary->result,
			arena_printf(own, "%s/platform", summary_group(summary, i)), own);
		if (last && strcmp(platform, last) == 0) {
			measured->runs[i].constants = measured->runs[i - 1].constants;
			last = platform;
			continue;
		}
		last = platform;
		constants = arena_alloc(arena, sizeof(*constants));
		*constants = measured_constants_read(platform, arena);
		measured->runs[i].constants = constants;
	}
	arena_fini(&scratch[0]);
	arena_fini(&scratch[1]);
}

static void read_labels(
	const struct summary *summary, struct arena *arena, struct measured_runs *measured)
{
	bool seeds_differ = false;

	for (uint64_t row = 1; row < summary->dataset.row_count; row++)
		seeds_differ |= dataset_integer(&summary->dataset, summary->seed, row) !=
				dataset_integer(&summary->dataset, summary->seed, 0);
	for (uint32_t i = 0; i < measured->run_count; i++) {
		measured->runs[i].label = measured_label(&measured->runs[i], seeds_differ, arena);
		measured->runs[i].where = measured_where(&measured->runs[i], arena);
	}
}

bool measurements_read(struct summary *summary, struct arena *arena, struct measured_runs *measured,
	struct text *why)
{
	uint64_t rows = summary->dataset.row_count;

	memset(measured, 0, sizeof(*measured));
	measured->scenario = result_text(summary->result, "/", "scenario_name");
	if (summary_is_native(summary)) {
		text_append(why, "of the native world: its times are those of a machine, and "
				 "never the same twice; --wall compares such times");
		return false;
	}
	measured->runs = arena_array(arena, rows, sizeof(*measured->runs));
	measured->run_count = (uint32_t)rows;
	for (uint64_t row = 0; row < rows; row++) {
		struct measured_run *run = &measured->runs[row];
		measurements_read_keys(summary, row, arena, run);
		run->status = dataset_text(&summary->dataset, summary->status, row);
		if (strcmp(run->status, "ok") == 0 && !read_figures(summary, row, arena, run, why))
			return false;
	}
	measurements_read_constants(summary, measured, arena);
	read_labels(summary, arena, measured);
	return true;
}

/* ---- look-ups ---- */

double measurement_value(const struct measurement *measurement)
{
	return measurement->is_real ? measurement->real : (double)measurement->integer;
}

const struct measurement *measurement_named(const struct measured_run *run, const char *name)
{
	for (uint32_t i = 0; i < run->measurement_count; i++)
		if (strcmp(run->measurements[i].name, name) == 0)
			return &run->measurements[i];
	return NULL;
}

const struct stage_sums *measured_sums_named(const struct measured_run *run, const char *name)
{
	for (uint32_t i = 0; i < run->sums_count; i++)
		if (strcmp(run->sums[i].name, name) == 0)
			return &run->sums[i];
	return NULL;
}

/* Finds the sums named KIND.METRIC, where KIND is the first `length` letters of `kind`. */
static const struct stage_sums *sums_of(
	const struct measured_run *run, const char *kind, size_t length, const char *metric)
{
	for (uint32_t i = 0; i < run->sums_count; i++) {
		const char *name = run->sums[i].name;
		if (strncmp(name, kind, length) == 0 && name[length] == '.' &&
			strcmp(name + length + 1, metric) == 0)
			return &run->sums[i];
	}
	return NULL;
}

const struct stage_sums *measured_sums(const struct measured_run *run, const char *measurement)
{
	const char *metric = strchr(measurement, '.'), *last = strrchr(measurement, '.');
	const struct stage_sums *sums;
	size_t kind;

	if (!metric)
		return NULL;
	kind = (size_t)(metric - measurement);
	for (uint32_t i = 0; metric != last && i < run->sums_count; i++)
		if (strncmp(run->sums[i].name, measurement, (size_t)(last - measurement)) == 0 &&
			run->sums[i].name[last - measurement] == '\0')
			return &run->sums[i];
	if (metric != last && strncmp(metric, ".skew.", 6) == 0)
		return sums_of(run, measurement, kind, "reach");
	sums = sums_of(run, measurement, kind, "round");
	return sums ? sums : sums_of(run, measurement, kind, "latency");
}

void stage_key(enum stage stage, char *out, uint32_t size)
{
	const char *name = stage_name(stage);
	uint32_t i = 0;

	for (; name[i] && i + 1 < size; i++)
		out[i] = (char)tolower((unsigned char)name[i]);
	out[i] = '\0';
}
