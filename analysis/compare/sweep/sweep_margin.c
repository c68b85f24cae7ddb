/* Margins between points (sweep_points.h). If two points have runs with the same seed, these two
 * runs form a pair: both designs then use the same streams of random numbers. */
#include <math.h>

#include "analysis/compare/sweep_points.h"

/* A percentile, in per mille: the value of the slowest operation. */
enum { THE_SLOWEST = 1000 };

/* If there is only one seed, some figures have no interval. Such a figure decides only if the two
 * points differ by more than the share LONE_LEAST. This share is a guess. It assumes that noise
 * alone causes a larger difference in one of fifty comparisons. */
#define LONE_LEAST  0.03    /* a share; not a bound of an interval */
#define LONE_ERRORS 2.32635 /* standard errors that noise exceeds in one of fifty runs */

static const struct point_run *run_of(const struct sweep_point *point, uint64_t seed)
{
	for (uint32_t i = 0; i < point->seeds; i++)
		if (point->runs[i].seed == seed)
			return &point->runs[i];
	return NULL;
}

/* Pairs the runs of two points that have the same seed, and computes for each pair the logarithm of
 * the ratio of the figure in the two runs. Sets *mean to the mean of these logarithms. Estimates
 * the standard error of this mean in two ways: *error from the spread between seeds, *within from
 * the operations of the runs. Returns the number of pairs. */
static uint32_t paired(const struct sweep_point *first, const struct sweep_point *second,
	enum figure figure, double *mean, double *error, double *within)
{
	double sum = 0, squares = 0, own = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < first->seeds; i++) {
		const struct point_run *a = &first->runs[i], *b = run_of(second, a->seed);
		if (!b || a->figures[figure] <= 0 || b->figures[figure] <= 0)
			continue;
		double ratio = log(b->figures[figure] / a->figures[figure]);
		sum += ratio;
		squares += ratio * ratio;
		own += a->variances[figure] + b->variances[figure];
		count++;
	}
	*mean = count ? sum / count : 0;
	*error = 0;
	*within = count && !(first->exact && second->exact) ? sqrt(own) / count : 0;
	if (count > 1) {
		double variance = fmax(0, squares - sum * *mean) / (count - 1);
		*error = sqrt(variance / count);
	}
	return count;
}

static bool is_few(const struct sweep_point *point)
{
	return point->samples.count < MARGIN_SAMPLES_LEAST && !point->exact;
}

/* Returns the statistic that computes a figure from the samples of a run. */
static uint32_t statistic_of(const struct sweep_points *points, enum figure figure)
{
	if (figure == FIGURE_METRIC)
		return points->which;
	return figure == FIGURE_P99 ? 990 : STATISTIC_MEAN;
}

/* Returns true if a run has too few samples for a percentile: for the p99, fewer than a hundred.
 * The percentile is then the slowest sample of the run. A few seeds do not show how much the
 * slowest sample varies between runs. */
static bool is_slowest(const struct sweep_point *point, uint32_t which)
{
	uint64_t beyond = (uint64_t)point->samples.count * (1000 - which);

	return which > 500 && which < 1000 && !point->exact &&
	       beyond < 1000 * (uint64_t)point->seeds;
}

/* Returns the margin for points with one seed. Without noise, all seeds give the same times, so the
 * interval has no width. With noise, the interval of a figure that is computed from samples follows
 * from the operations of the run. All other figures, and the slowest sample, have no interval. They
 * decide only if the points differ by more than LONE_LEAST. One native run of each design decides
 * nothing. */
static struct margin lone(const struct sweep_points *points, const struct sweep_point *first,
	const struct sweep_point *second, enum figure figure, double ratio)
{
	bool exact = first->exact && second->exact, native = first->native || second->native;
	bool lone =
		figure > FIGURE_MEAN ||
		(figure == FIGURE_METRIC && (points->figure != FIGURE_METRIC ||
						    points->which == THE_SLOWEST || points->run));
	struct margin margin = {.ratio = ratio,
		.low = ratio,
		.high = ratio,
		.chance =
			normal_chance(exact ? ratio * INFINITY : ratio / LONE_LEAST * LONE_ERRORS),
		.level = MARGIN_CHANCE,
		.kind = MARGIN_NONE};

	if (native) {
		margin.few = true;
	} else if (!lone && !exact) {
		margin = margin_of(&first->samples, &second->samples, statistic_of(points, figure));
		margin.few = is_few(first) || is_few(second);
	}
	if (exact)
		margin.kind = MARGIN_SEEDS;
	return margin;
}

/* With this many seeds, more seeds would not make intervals much narrower: the quantile of
 * Student's distribution is less than 1.4 times that of the normal distribution */
enum { SEEDS_ENOUGH = 7 };

bool seeds_are_few(const struct sweep_point *point)
{
	return point->seeds > 1 && point->seeds < SEEDS_ENOUGH && !point->exact;
}

/* The distance of a mean from 0 in standard errors. */
static double errors_of(double mean, double error)
{
	return mean > 0 && error <= 0 ? INFINITY : mean / error;
}

struct margin sweep_margin(const struct sweep_points *points, const struct sweep_point *first,
	const struct sweep_point *second, enum figure figure)
{
	double mean, error, within, ratio;
	uint32_t which = statistic_of(points, figure);
	uint32_t seeds = paired(first, second, figure, &mean, &error, &within);
	struct margin margin;

	ratio = exp(mean) - 1;
	if (seeds == 0)
		return (struct margin){.few = true};
	if (seeds > 1) {
		/* The times of a few seeds may agree by chance, which makes their interval too
		 * narrow. So a second interval is computed from the operations of the runs, and the
		 * wider one is used. */
		double half = fmax(student_95(seeds - 1) * error, 1.95996 * within);
		margin = (struct margin){.ratio = ratio,
			.low = exp(mean - half) - 1,
			.high = exp(mean + half) - 1,
			.chance = fmax(student_chance(errors_of(mean, error), seeds - 1),
				normal_chance(errors_of(mean, within))),
			.level = MARGIN_CHANCE};
		sweep_repetitions(first, second, figure, &margin);
	} else {
		margin = lone(points, first, second, figure, ratio);
	}
	if (is_slowest(first, which) || is_slowest(second, which))
		margin.few = true;
	/* Latencies of saturated points grow with the length of the run. */
	if (figure == FIGURE_METRIC && first->saturated && second->saturated)
		margin.few = true;
	if (figure == FIGURE_METRIC && (first->needed || second->needed))
		margin.few = true;
	return margin;
}

double sweep_point_value(const struct sweep_points *points, const struct sweep_point *point)
{
	double sum = 0;

	(void)points;
	if (sweep_is_repeated(point))
		return sweep_repetitions_value(point);
	for (uint32_t i = 0; i < point->seeds; i++)
		sum += log(fmax(point->runs[i].figures[FIGURE_METRIC], 1e-9));
	return point->seeds ? exp(sum / point->seeds) : 0;
}

bool sweep_point_is_steady(const struct sweep_point *point)
{
	return point->needed == 0;
}

double sweep_point_cpu(const struct sweep_point *point)
{
	return point->host_cpu * point->fair;
}
