/* Computes the errors of predictions, and how well their ranking agrees with that of the measured
 * figures (see validate.h). Rows that did not run are left out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/table/order.h"
#include "bench/tools/reference/validate.h"

static bool same_thing(const struct reference_row *a, const struct reference_row *b)
{
	return strcmp(a->family, b->family) == 0 && strcmp(a->metric, b->metric) == 0;
}

static int sign(double value)
{
	return (value > 0) - (value < 0);
}

/* Returns Kendall's tau-b: the number of pairs of rows in the same order in both rankings, minus
 * the number of pairs in opposite order, relative to all pairs and corrected for ties. */
static double ranking(const struct reference *reference, const struct prediction *predictions,
	const uint32_t *groups, uint32_t group)
{
	double agree = 0, measured = 0, predicted = 0;

	for (uint32_t i = 0; i < reference->count; i++) {
		if (!predictions[i].ran || groups[i] != group)
			continue;
		for (uint32_t j = 0; j < i; j++) {
			int x, y;

			if (!predictions[j].ran || groups[j] != group ||
				!same_thing(&reference->rows[i], &reference->rows[j]))
				continue;
			x = sign(reference->rows[i].value - reference->rows[j].value);
			y = sign(predictions[i].value - predictions[j].value);
			agree += x * y;
			measured += x != 0;
			predicted += y != 0;
		}
	}
	return measured > 0 && predicted > 0 ? agree / sqrt(measured * predicted) : 1;
}

static void count_spread(const struct reference_row *row, const struct prediction *prediction,
	struct family_errors *errors)
{
	if (!row->has_range)
		return;
	errors->with_spread++;
	errors->within_spread += prediction->value >= row->least && prediction->value <= row->most;
}

struct family_errors validate_group_errors(const struct reference *reference,
	const struct prediction *predictions, const uint32_t *groups, uint32_t group)
{
	double *errors = allocate(reference->count + 1u, sizeof *errors);
	struct family_errors result = {.ranking = 1};
	uint32_t count = 0;

	for (uint32_t row = 0; row < reference->count; row++) {
		if (groups[row] != group)
			continue;
		result.rows++;
		if (!predictions[row].ran) {
			result.refused++;
			continue;
		}
		errors[count++] = predictions[row].error;
		result.mean += predictions[row].error;
		if (predictions[row].error >= result.worst) {
			result.worst = predictions[row].error;
			result.worst_row = row;
		}
		count_spread(&reference->rows[row], &predictions[row], &result);
	}
	if (count > 0) {
		sort_reals(errors, count);
		result.mean /= count;
		result.median = median_of(errors, count);
		result.p90 = errors[rank_at(count, 900)];
		result.ranking = ranking(reference, predictions, groups, group);
	}
	free(errors);
	return result;
}

struct family_errors validate_system_errors(const struct reference *reference,
	const struct prediction *predictions, const char *family, const char *system)
{
	uint32_t *groups = allocate(reference->count + 1u, sizeof *groups);
	struct family_errors errors;

	for (uint32_t row = 0; row < reference->count; row++)
		groups[row] = strcmp(reference->rows[row].family, family) == 0 &&
			      strcmp(reference->rows[row].system, system) == 0;
	errors = validate_group_errors(reference, predictions, groups, 1);
	free(groups);
	return errors;
}

struct family_errors validate_errors(
	const struct reference *reference, const struct prediction *predictions, const char *family)
{
	uint32_t *groups = allocate(reference->count + 1u, sizeof *groups);
	struct family_errors errors;

	for (uint32_t row = 0; row < reference->count; row++)
		groups[row] = !family || strcmp(reference->rows[row].family, family) == 0;
	errors = validate_group_errors(reference, predictions, groups, 1);
	free(groups);
	return errors;
}
