/* Margins between points, see sweep_points.h: pairs the seeds that both have, since the same seed
 * draws the same streams for the same roles in both designs. Says so where it cannot know. */
#include <math.h>

#include "analysis/compare/sweep_points.h"

enum { FEW = 3 };

/* What one run without an interval of its own may differ by through noise alone: a guess, taken
 * only where there is one seed. */
#define LONE_LEAST 0.03

/* 97.5 % quantile of Student's t. */
static double student(uint32_t freedom)
{
	static const double quantiles[] = {0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
		2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093,
		2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
	double n = freedom;

	if (freedom < sizeof(quantiles) / sizeof(quantiles[0]))
		return quantiles[freedom];
	return 1.95996 + 2.3723 / n + 2.8225 / (n * n);
}

static const struct point_run *run_of(const struct sweep_point *point, uint64_t seed)
{
	for (uint32_t i = 0; i < point->seeds; i++)
		if (point->runs[i].seed == seed)
			return &point->runs[i];
	return NULL;
}

/* The mean of the logarithms of ratios, and half the width of its interval; their number. */
static uint32_t paired(const struct sweep_point *first, const struct sweep_point *second,
	enum figure figure, double *mean, double *half)
{
	double sum = 0, squares = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < first->seeds; i++) {
		const struct point_run *a = &first->runs[i], *b = run_of(second, a->seed);
		if (!b || a->figures[figure] <= 0 || b->figures[figure] <= 0)
			continue;
		double ratio = log(b->figures[figure] / a->figures[figure]);
		sum += ratio;
		squares += ratio * ratio;
		count++;
	}
	*mean = count ? sum / count : 0;
	*half = 0;
	if (count > 1) {
		double variance = fmax(0, squares - sum * *mean) / (count - 1);
		*half = student(count - 1) * sqrt(variance / count);
	}
	return count;
}

static bool is_few(const struct sweep_point *point)
{
	return point->samples.count < FEW && !point->exact;
}

/* With one seed: figures of samples have an interval within the run; others have none, and must
 * differ by more than a run may by chance. */
static struct margin lone(const struct sweep_points *points, const struct sweep_point *first,
	const struct sweep_point *second, enum figure figure, double ratio)
{
	bool exact = first->exact && second->exact;
	double band = exact ? 0 : LONE_LEAST;
	uint32_t which = points->which;

	if (figure == FIGURE_P99)
		which = 990;
	else if (figure == FIGURE_MEAN)
		which = STATISTIC_MEAN;
	if ((figure > FIGURE_MEAN || (figure == FIGURE_METRIC && points->figure != FIGURE_METRIC)))
		return (struct margin){ratio, ratio - band, ratio + band, false};
	struct margin margin = margin_of(&first->samples, &second->samples, which);
	margin.few = is_few(first) || is_few(second);
	return margin;
}

struct margin sweep_margin(const struct sweep_points *points, const struct sweep_point *first,
	const struct sweep_point *second, enum figure figure)
{
	double mean, half, ratio;
	uint32_t seeds = paired(first, second, figure, &mean, &half);
	struct margin margin;

	ratio = exp(mean) - 1;
	if (seeds == 0)
		return (struct margin){0, 0, 0, true};
	if (seeds > 1)
		margin = (struct margin){ratio, exp(mean - half) - 1, exp(mean + half) - 1, false};
	else
		margin = lone(points, first, second, figure, ratio);
	if (figure == FIGURE_METRIC && (first->needed || second->needed))
		margin.few = true;
	return margin;
}

double sweep_point_value(const struct sweep_points *points, const struct sweep_point *point)
{
	double sum = 0;

	(void)points;
	for (uint32_t i = 0; i < point->seeds; i++)
		sum += log(fmax(point->runs[i].figures[FIGURE_METRIC], 1e-9));
	return point->seeds ? exp(sum / point->seeds) : 0;
}
