/* Computes the figure that is explained, for each run: a percentile or the mean of a metric, the
 * interval between completions, or the time per byte. Also computes the margin of this figure over
 * all seeds. `compare` uses the same figures. */
#include <math.h>
#include <string.h>

#include "analysis/operations/statistics.h"
#include "base/table/order.h"
#include "explain_private.h"

bool explain_ask(struct explained *asked, const char *text)
{
	for (int m = 0; m < METRIC_COUNT; m++) {
		size_t length = strlen(metric_names[m]);
		const struct statistic_names *found = strncmp(text, metric_names[m], length) == 0
							      ? statistic_suffixed(text + length)
							      : NULL;

		if (found) {
			*asked = (struct explained){MEASURE_ASKED, (enum metric)m, found->which};
			return true;
		}
	}
	*asked = (struct explained){MEASURE_FLIGHT, METRIC_LATENCY, STATISTIC_MEAN};
	if (strcmp(text, "bandwidth") == 0)
		asked->mode = MEASURE_TRANSFER;
	if (strcmp(text, measure_name(MEASURE_RUN, METRIC_LATENCY)) == 0)
		asked->mode = MEASURE_RUN;
	return asked->mode != MEASURE_FLIGHT || strcmp(text, "interval") == 0;
}

const char *explain_statistic(const struct explained *asked)
{
	return statistic_names(asked->which)->name;
}

const char *explain_statistic_words(const struct explained *asked)
{
	return statistic_names(asked->which)->words;
}

const char *explain_metric_name(const struct explained *asked)
{
	return measure_name(asked->mode, asked->metric);
}

/* Rounds the mean times of stages to whole ps so that their sum is `value`. To make the sum exact,
 * the rounding error is added to the largest stage. */
static void round_stages(const double *stages, double factor, int64_t value, struct split *split)
{
	int64_t sum = 0;
	int largest = 0;

	for (int s = 0; s < STAGE_COUNT; s++) {
		split->time[s] = llround(stages[s] * factor);
		sum += split->time[s];
		largest = stages[s] > stages[largest] ? s : largest;
	}
	split->time[largest] += value - sum;
}

/* Fills the path of the mean operation: the sums over all operations, divided by their number. */
static void take_mean(const struct path_pair *mean, int side, struct path_pair *path)
{
	double stages[STAGE_COUNT], count = mean->count[side];

	path->value[side] = llround((double)mean->value[side] / count);
	for (int s = 0; s < STAGE_COUNT; s++)
		stages[s] = (double)mean->split[side].time[s];
	round_stages(stages, 1 / count, path->value[side], &path->split[side]);
}

/* Fills in *path for one of three figures: the interval between completions, the time per byte, or
 * the makespan. The stages in `measured` are times of one operation or of the whole run.
 * Multiplies them by a factor that makes their sum equal to `value`. */
static bool take_measured(
	const struct measured *measured, double value, int side, struct path_pair *path)
{
	double whole = 0;

	path->value[side] = llround(value);
	for (int s = 0; s < STAGE_COUNT; s++)
		whole += measured->stages[s];
	if (!measured->has_stages || whole <= 0)
		return false;
	round_stages(measured->stages, value / whole, path->value[side], &path->split[side]);
	return true;
}

bool explain_take(struct explanation *explanation, int side)
{
	const struct explained *asked = &explanation->asked;
	const struct operations *operations = &explanation->operations[side];
	struct path_pair *path = &explanation->paths[PATH_ASKED];
	const struct sample *sample;

	path->count[side] = 1;
	if (asked->mode != MEASURE_ASKED)
		return take_measured(
			&explanation->measured[side], explanation->value[side], side, path);
	if (asked->which == STATISTIC_MEAN) {
		take_mean(&explanation->paths[PATH_MEAN], side, path);
		return metric_has_stages(asked->metric);
	}
	sample = samples_at(&explanation->samples[side], asked->which);
	path->value[side] = sample->value;
	return path_split(operations, sample->index, asked->metric, &path->split[side]);
}

struct run_makespan explain_makespan(
	const char *kind, const struct operations *operations, struct arena *arena)
{
	const struct run_choice choice = {.kind = kind};

	return run_measure(operations, &choice, arena);
}

double explain_value(const struct explained *asked, const char *kind,
	const struct operations *operations, struct arena *arena)
{
	struct measured measured;

	if (asked->mode == MEASURE_RUN)
		return (double)explain_makespan(kind, operations, arena).time;
	measure_take(operations, kind, asked->mode, asked->metric, arena, &measured);
	return statistic(&measured.values, asked->which);
}

/* ---- all seeds ---- */

static int64_t seed_of(const struct summary *summary, uint64_t row)
{
	return dataset_integer(&summary->dataset, summary->seed, row);
}

/* Sets *value to the figure of the run in row `row`, or to 0 if the run did not end well or does
 * not have the figure. Returns false, with a sentence in `why`, if the run cannot be read. */
static bool value_of(
	struct explanation *explanation, int side, uint64_t row, double *value, struct text *why)
{
	struct summary *summary = explanation->summaries[side];
	struct operations operations;
	struct arena arena;
	bool good = true;

	*value = 0;
	if (row == explanation->rows[side]) {
		*value = explanation->value[side];
		return true;
	}
	if (strcmp(dataset_text(&summary->dataset, summary->status, row), "ok") != 0)
		return true;
	arena_init(&arena);
	good = operations_survey(summary, summary_group(summary, row), &arena, &operations, why);
	if (good)
		*value = explain_value(&explanation->asked, explanation->kind, &operations, &arena);
	arena_fini(&arena);
	return good;
}

/* Finds the run of one side that has this seed and the keys of the explained run. */
static bool find_seed(struct explanation *explanation, int side, int64_t seed, uint64_t *row)
{
	struct summary *summary = explanation->summaries[side];
	struct arena *arena = &explanation->arena;
	const char *keys = explain_keys(summary, explanation->rows[side], arena);

	for (*row = 0; *row < summary->dataset.row_count; ++*row)
		if (seed_of(summary, *row) == seed &&
			strcmp(explain_keys(summary, *row, arena), keys) == 0)
			return true;
	return false;
}

static bool is_same_design(struct explanation *explanation)
{
	struct arena *arena = &explanation->arena;

	return explanation->summaries[0] == explanation->summaries[1] &&
	       strcmp(explain_keys(explanation->summaries[0], explanation->rows[0], arena),
		       explain_keys(explanation->summaries[1], explanation->rows[1], arena)) == 0;
}

/* The logarithms of a figure of two designs, for each seed with which both designs were run. */
struct seed_values {
	double *at[2];
	uint32_t count;
};

/* Returns the same margin as `compare` (docs/verdicts.md). It is computed from the means of the
 * logarithms, or from their medians if the runs are native and were repeated often enough. */
static double margin_of_seeds(const struct explanation *explanation, struct seed_values *seeds)
{
	bool medians = explanation->operations[0].measured && seeds->count >= NATIVE_RUNS_LEAST;
	double logs[2] = {0, 0};

	for (int side = 0; side < 2; side++) {
		if (medians)
			sort_reals(seeds->at[side], seeds->count);
		for (uint32_t i = 0; i < seeds->count; i++)
			logs[side] += seeds->at[side][i] / seeds->count;
		if (medians)
			logs[side] = median_of(seeds->at[side], seeds->count);
	}
	return expm1(logs[1] - logs[0]);
}

bool explain_seeds(struct explanation *explanation, struct text *why)
{
	struct summary *summary = explanation->summaries[0];
	struct seed_values seeds = {.count = 0};

	explanation->seeds = 1;
	explanation->margin = explanation->value[1] / explanation->value[0] - 1;
	if (is_same_design(explanation))
		return true;
	for (int side = 0; side < 2; side++)
		seeds.at[side] = arena_array(
			&explanation->arena, summary->dataset.row_count + 1, sizeof(double));
	for (uint64_t row = 0; row < summary->dataset.row_count; row++) {
		int64_t seed = seed_of(summary, row);
		double values[2];
		uint64_t first, second;
		if (!find_seed(explanation, 0, seed, &first) || first != row ||
			!find_seed(explanation, 1, seed, &second))
			continue;
		if (!value_of(explanation, 0, first, &values[0], why) ||
			!value_of(explanation, 1, second, &values[1], why))
			return false;
		if (values[0] <= 0 || values[1] <= 0)
			continue;
		for (int side = 0; side < 2; side++)
			seeds.at[side][seeds.count] = log(values[side]);
		seeds.count++;
	}
	explanation->seeds = seeds.count;
	if (seeds.count > 0)
		explanation->margin = margin_of_seeds(explanation, &seeds);
	return true;
}
