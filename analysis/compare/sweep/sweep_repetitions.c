/* Margins between native designs that were run several times (sweep_points.h). Other programs use
 * the machine, too, and move its threads between cores. So the times of such runs do not have a
 * normal distribution: most are alike, some take twice as long, and a few much longer. The few slow
 * runs dominate the mean. Medians and intervals by ranks do not assume any distribution. */
#include <math.h>

#include "analysis/compare/sweep_points.h"
#include "base/table/order.h"

/* Limits for the number of repetitions. If there are more than MOST, only the first MOST are used.
 * With up to EXACT_MOST, the ends of the interval by signs (by_signs()) are measured values; with
 * more, they are between two values. With up to RANKS_MOST, a single slow run may be an end of the
 * interval by signs, so the interval by ranks (by_ranks()) is used as well. With more, the interval
 * by ranks is not used, because it is less reliable if the designs scatter differently. */
enum { MOST = 64, EXACT_MOST = 6, RANKS_MOST = 8 };

#define QUANTILE_95 1.95996
#define OUTSIDE	    0.05 /* share of all intervals that do not contain the true value */

/* Logarithms of a figure of two designs, in runs that follow each other. */
struct repetitions {
	double first[MOST], second[MOST], ratios[MOST];
	uint32_t count;
};

static void repetitions_of(const struct sweep_point *first, const struct sweep_point *second,
	enum figure figure, struct repetitions *found)
{
	found->count = 0;
	for (uint32_t i = 0; i < first->seeds && found->count < MOST; i++) {
		double a = first->runs[i].figures[figure], b = 0;

		for (uint32_t k = 0; k < second->seeds; k++)
			if (second->runs[k].seed == first->runs[i].seed)
				b = second->runs[k].figures[figure];
		if (a <= 0 || b <= 0)
			continue;
		found->first[found->count] = log(a);
		found->second[found->count] = log(b);
		found->ratios[found->count++] = log(b / a);
	}
}

/* Computes the interval of the median of the ratios by the sign test. An end of the interval can
 * lie between two ratios; it is then interpolated as by Hettmansperger and Sheather (1986). */
static void by_signs(struct repetitions *of, double *low, double *high)
{
	uint32_t count = of->count, place = 0;
	double part = 0;

	sort_reals(of->ratios, count);
	while (count > EXACT_MOST && signs_chance(count, place + 1) <= OUTSIDE)
		place++;
	if (count > EXACT_MOST) {
		double outer = signs_chance(count, place), inner = signs_chance(count, place + 1);
		double share = (OUTSIDE - outer) / (inner - outer), rank = place + 1;

		part = (count - rank) * share / (rank + (count - 2 * rank) * share);
	}
	*low = of->ratios[place] + part * (of->ratios[place + 1] - of->ratios[place]);
	*high = of->ratios[count - 1 - place] -
		part * (of->ratios[count - 1 - place] - of->ratios[count - 2 - place]);
}

/* Computes the interval of the difference between the designs with the rank test of Mann and
 * Whitney. This test does not compare runs in pairs. So if one run is slow because of other
 * programs, this spoils only one value, and not one of a few pairs. Returns the probability that
 * the ranks of equal designs differ by as much as here, or more. Both results are approximations by
 * the normal distribution. With few runs, the probability is a little too large. */
static double by_ranks(const struct repetitions *of, double *low, double *high)
{
	double differences[MOST * MOST], count = of->count, pairs = count * count;
	double error = sqrt(pairs * (2 * count + 1) / 12), faster = 0;
	uint32_t place = (uint32_t)fmax(round(pairs / 2 - QUANTILE_95 * error), 1), found = 0;

	for (uint32_t i = 0; i < of->count; i++)
		for (uint32_t k = 0; k < of->count; k++) {
			double difference = of->second[k] - of->first[i];
			faster += difference < 0 ? 1 : difference > 0 ? 0 : 0.5;
			differences[found++] = difference;
		}
	sort_reals(differences, found);
	*low = differences[place - 1];
	*high = differences[found - place];
	return normal_chance((pairs / 2 - faster - 0.5) / error);
}

static double middle(double *values, uint32_t count)
{
	sort_reals(values, count);
	return median_of(values, count);
}

bool sweep_is_repeated(const struct sweep_point *point)
{
	return point->native && point->seeds >= NATIVE_RUNS_LEAST;
}

double sweep_repetitions_value(const struct sweep_point *point)
{
	struct repetitions of;

	repetitions_of(point, point, FIGURE_METRIC, &of);
	return of.count ? exp(middle(of.first, of.count)) : 0;
}

bool sweep_repetitions(const struct sweep_point *first, const struct sweep_point *second,
	enum figure figure, struct margin *margin)
{
	struct repetitions of;
	double signs[2], ranks[2], ratio, chance;

	if (!sweep_is_repeated(first) || !sweep_is_repeated(second))
		return false;
	repetitions_of(first, second, figure, &of);
	if (of.count < NATIVE_RUNS_LEAST)
		return false;
	by_signs(&of, &signs[0], &signs[1]);
	chance = by_ranks(&of, &ranks[0], &ranks[1]);
	if (of.count > RANKS_MOST) {
		ranks[0] = signs[0];
		ranks[1] = signs[1];
	}
	ratio = middle(of.second, of.count) - middle(of.first, of.count);
	margin->ratio = expm1(ratio);
	margin->low = expm1(fmin(ratio, fmax(signs[0], ranks[0])));
	margin->high = expm1(fmax(ratio, fmin(signs[1], ranks[1])));
	margin->chance = fmin(margin->chance, chance);
	if (margin->low <= 0)
		margin->chance = fmax(margin->chance, OUTSIDE);
	return true;
}
