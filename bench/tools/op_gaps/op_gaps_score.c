/* The formula of two lines, and the scores of gaps (op_gaps.h). */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "bench/tools/op_gaps/op_gaps.h"
#include "bench/tools/reference/validate.h"

/* A gap longer than host_bound_ns counts as caused by the host. A gap of pause_ns or more counts as
 * a pause of the application, and is not scored. */
static const double host_bound_ns = 2500, pause_ns = 100000;

static int compare_numbers(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static double quantile(double *values, uint32_t count, double share)
{
	uint32_t at = (uint32_t)(share * count);

	if (count == 0)
		return NAN;
	qsort(values, count, sizeof *values, compare_numbers);
	return values[at < count ? at : count - 1];
}

static double measured_of(const struct op_gap *gap)
{
	uint64_t ns = gap->entry->measured_gap_ns;

	return ns == OP_ABSENT ? NAN : (double)ns;
}

static enum op_class class_of(double gap_ns)
{
	return gap_ns > host_bound_ns ? OP_HOST_BOUND : OP_DEVICE_BOUND;
}

/* True if the gap follows from the design: the program was not compiled, and there was no pause. */
static bool is_steady(const struct op_gap *gap)
{
	return !gap->first_use && measured_of(gap) < pause_ns;
}

/* ---- the formula ---- */

/* Finds floor and lag (see op_gaps.h) from the first half of the report. The kernel times and
 * measured gaps before an operation sum to its start on the device's clock. */
static void fit(struct op_gaps *gaps)
{
	double *floors = allocate(gaps->from + 1u, sizeof *floors);
	double *lags = allocate(gaps->from + 1u, sizeof *lags), now = 0;
	uint32_t floor_count = 0, lag_count = 0;

	for (uint32_t i = 1; i < gaps->from; i++) {
		const struct op_gap *gap = &gaps->at[i];
		double measured = measured_of(gap);

		now += (double)gaps->at[i - 1].entry->kernel_ns + (isnan(measured) ? 0 : measured);
		if (!is_steady(gap))
			continue;
		if (class_of(measured) == OP_DEVICE_BOUND)
			floors[floor_count++] = measured;
		else if (gap->entry->host_start_ns != OP_ABSENT)
			lags[lag_count++] = now - (double)gap->entry->host_start_ns;
	}
	gaps->floor_ns = quantile(floors, floor_count, 0.5);
	gaps->lag_ns = quantile(lags, lag_count, 0.5);
	free(floors);
	free(lags);
}

void op_gaps_formula(struct op_gaps *gaps)
{
	double end = 0;

	gaps->from = gaps->count / 2;
	fit(gaps);
	for (uint32_t i = 0; i < gaps->count; i++) {
		struct op_gap *gap = &gaps->at[i];
		double start = end + (isnan(gaps->floor_ns) ? 0 : gaps->floor_ns);

		if (!isnan(gaps->lag_ns) && gap->entry->host_start_ns != OP_ABSENT)
			start = fmax(start, (double)gap->entry->host_start_ns + gaps->lag_ns);
		gap->formula = start - end;
		end = start + (double)gap->entry->kernel_ns;
	}
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
	double measured = measured_of(gap), predicted = formula ? gap->formula : gap->gap;
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

	for (uint32_t i = gaps->from; i < gaps->count; i++) {
		const struct op_gap *gap = &gaps->at[i];

		if (is_steady(gap) && !isnan(gap->gap) && class_of(measured_of(gap)) == which)
			scored_add(&scored, gap, formula);
	}
	score = (struct op_score){.rows = scored.count,
		.median_ns = quantile(scored.gaps, scored.count, 0.5),
		.p90_ns = quantile(scored.gaps, scored.count, 0.9),
		.ranking = ranking_of(&scored),
		.near = scored.count > 0 ? (double)scored.near / scored.count : NAN,
		.skew_median_ns = quantile(scored.skews, scored.skew_count, 0.5),
		.skew_p90_ns = quantile(scored.skews, scored.skew_count, 0.9)};
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

	for (uint32_t i = gaps->from; i < gaps->count; i++) {
		const struct op_gap *gap = &gaps->at[i];

		if (!is_steady(gap) || isnan(gap->gap))
			continue;
		count++;
		right += class_of(gap->gap) == class_of(measured_of(gap));
		predicted += gap->gap + gap->kernel;
		measured += measured_of(gap) + (double)gap->entry->kernel_ns;
	}
	*whole = measured > 0 ? predicted / measured - 1 : NAN;
	*told = count > 0 ? (double)right / count : NAN;
}
