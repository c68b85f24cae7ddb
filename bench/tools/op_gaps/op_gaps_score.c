/* The formula of two lines, and the scores of gaps (op_gaps.h). */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "bench/tools/op_gaps/op_gaps.h"
#include "op_gaps_fit.h"
#include "bench/tools/reference/validate.h"

/* A gap longer than host_bound_ns counts as caused by the host. A gap of pause_ns or more counts as
 * a pause of the application, and is not scored. */
static const double host_bound_ns = 2500, pause_ns = 100000;

static int compare_numbers(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

double op_gaps_quantile(double *values, uint32_t count, double share)
{
	uint32_t at = (uint32_t)(share * count);

	if (count == 0)
		return NAN;
	qsort(values, count, sizeof *values, compare_numbers);
	return values[at < count ? at : count - 1];
}

double op_gaps_measured(const struct op_gap *gap)
{
	uint64_t ns = gap->entry->measured_gap_ns;

	return ns == OP_ABSENT ? NAN : (double)ns;
}

static enum op_class class_of(double gap_ns)
{
	return gap_ns > host_bound_ns ? OP_HOST_BOUND : OP_DEVICE_BOUND;
}

bool op_gaps_is_long(double gap_ns)
{
	return class_of(gap_ns) == OP_HOST_BOUND;
}

bool op_gaps_is_steady(const struct op_gap *gap)
{
	return !gap->first_use && op_gaps_measured(gap) < pause_ns;
}

/* ---- the formula ---- */

/* The clock of a device begins at 0 with its first operation. A start is the sum of the kernel
 * times and measured gaps before it. */
double *op_gaps_measured_starts(const struct op_gaps *gaps)
{
	double *starts = allocate(gaps->count + 1u, sizeof *starts);
	double *ends = allocate(gaps->report->device_count + 1u, sizeof *ends);

	for (uint32_t i = 0; i < gaps->count; i++) {
		const struct op_gap *gap = &gaps->at[i];
		double *end = &ends[gap->entry->device], measured = op_gaps_measured(gap);

		starts[i] = *end + (isnan(measured) ? 0 : measured);
		*end = starts[i] + (double)gap->entry->kernel_ns;
	}
	free(ends);
	return starts;
}

/* True if the formula may learn from the operation. */
static bool is_known(const struct op_gaps *gaps, const struct op_gap *gap)
{
	return gap->call < gaps->from && gap->call > 0 && op_gaps_is_steady(gap);
}

/* Finds floor and lag (see op_gaps.h) from the first half of the report. */
static void fit(struct op_gaps *gaps)
{
	double *found = allocate(gaps->count + 1u, sizeof *found);
	double *starts = op_gaps_measured_starts(gaps);
	uint32_t count = 0;

	for (uint32_t i = 0; i < gaps->count; i++)
		if (is_known(gaps, &gaps->at[i]) &&
			class_of(op_gaps_measured(&gaps->at[i])) == OP_DEVICE_BOUND)
			found[count++] = op_gaps_measured(&gaps->at[i]);
	gaps->floor_ns = op_gaps_quantile(found, count, 0.5);
	for (uint32_t d = 0; d < gaps->report->device_count; d++) {
		count = 0;
		for (uint32_t i = 0; i < gaps->count; i++) {
			const struct op_gap *gap = &gaps->at[i];

			if (gap->entry->device == d && is_known(gaps, gap) &&
				class_of(op_gaps_measured(gap)) == OP_HOST_BOUND &&
				gap->entry->host_start_ns != OP_ABSENT)
				found[count++] = starts[i] - (double)gap->entry->host_start_ns;
		}
		gaps->lag_ns[d] = op_gaps_quantile(found, count, 0.5);
	}
	free(found);
	free(starts);
}

void op_gaps_formula(struct op_gaps *gaps, struct arena *arena)
{
	double *ends = allocate(gaps->report->device_count + 1u, sizeof *ends);

	gaps->lag_ns = arena_array(arena, gaps->report->device_count + 1u, sizeof *gaps->lag_ns);
	fit(gaps);
	for (uint32_t i = 0; i < gaps->count; i++) {
		struct op_gap *gap = &gaps->at[i];
		double *end = &ends[gap->entry->device], lag = gaps->lag_ns[gap->entry->device];
		double start = *end + (isnan(gaps->floor_ns) ? 0 : gaps->floor_ns);

		if (!isnan(lag) && gap->entry->host_start_ns != OP_ABSENT)
			start = fmax(start, (double)gap->entry->host_start_ns + lag);
		gap->formula = start - *end;
		*end = start + (double)gap->entry->kernel_ns;
	}
	free(ends);
}

/* ---- scores ---- */

/* The predictions of a class, and their errors in ns. */
struct scored {
	struct reference_row *rows;
	struct prediction *predictions;
	double *gaps, *skews;
	uint32_t count, skew_count, near;
};

static void scored_add(struct scored *scored, const struct op_gap *gap, bool formula)
{
	double measured = op_gaps_measured(gap), predicted = formula ? gap->formula : gap->gap;
	double error = fabs(predicted - measured);
	uint32_t at = scored->count++;

	scored->rows[at] = (struct reference_row){
		.family = "op_gaps", .system = "", .metric = "", .value = measured};
	scored->predictions[at] = (struct prediction){
		.ran = true, .value = predicted, .error = measured > 0 ? error / measured : 0};
	scored->gaps[at] = error;
	scored->near += error <= 0.3 * measured;
	if (gap->entry->measured_skew_ns != OP_ABSENT)
		scored->skews[scored->skew_count++] =
			fabs(gap->skew - (double)gap->entry->measured_skew_ns);
}

/* Returns the rank correlation. Returns NAN if all predictions are equal, because they give no
 * ranks. */
static double ranking_of(const struct scored *scored)
{
	const struct reference reference = {scored->rows, scored->count};
	bool differ = false;

	for (uint32_t i = 1; i < scored->count; i++)
		differ |= fabs(scored->predictions[i].value - scored->predictions[0].value) > 1e-3;
	return differ ? validate_errors(&reference, scored->predictions, "op_gaps").ranking : NAN;
}

struct op_score op_gaps_score(const struct op_gaps *gaps, enum op_class which, bool formula)
{
	struct scored scored = {.rows = allocate(gaps->count + 1u, sizeof *scored.rows),
		.predictions = allocate(gaps->count + 1u, sizeof *scored.predictions),
		.gaps = allocate(gaps->count + 1u, sizeof *scored.gaps),
		.skews = allocate(gaps->count + 1u, sizeof *scored.skews)};
	struct op_score score;

	for (uint32_t i = 0; i < gaps->count; i++) {
		const struct op_gap *gap = &gaps->at[i];

		if (gap->call >= gaps->from && op_gaps_is_steady(gap) && !isnan(gap->gap) &&
			class_of(op_gaps_measured(gap)) == which)
			scored_add(&scored, gap, formula);
	}
	score = (struct op_score){.rows = scored.count,
		.median_ns = op_gaps_quantile(scored.gaps, scored.count, 0.5),
		.p90_ns = op_gaps_quantile(scored.gaps, scored.count, 0.9),
		.ranking = ranking_of(&scored),
		.near = scored.count > 0 ? (double)scored.near / scored.count : NAN,
		.skew_median_ns = op_gaps_quantile(scored.skews, scored.skew_count, 0.5),
		.skew_p90_ns = op_gaps_quantile(scored.skews, scored.skew_count, 0.9)};
	free(scored.rows);
	free(scored.predictions);
	free(scored.gaps);
	free(scored.skews);
	return score;
}

void op_gaps_whole(const struct op_gaps *gaps, double *whole, double *told)
{
	double predicted = 0, measured = 0;
	uint32_t count = 0, right = 0;

	for (uint32_t i = 0; i < gaps->count; i++) {
		const struct op_gap *gap = &gaps->at[i];

		if (gap->call < gaps->from || !op_gaps_is_steady(gap) || isnan(gap->gap))
			continue;
		count++;
		right += class_of(gap->gap) == class_of(op_gaps_measured(gap));
		predicted += gap->gap + gap->kernel;
		measured += op_gaps_measured(gap) + (double)gap->entry->kernel_ns;
	}
	*whole = measured > 0 ? predicted / measured - 1 : NAN;
	*told = count > 0 ? (double)right / count : NAN;
}
