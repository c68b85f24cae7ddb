/* Percentiles, means and the bootstrap, see statistics.h. Results are deterministic. */
#include "analysis/operations/statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/table/order.h"
#include "base/stream.h"

enum { RESAMPLES = 1000, EXACT_MAX = 256 };

/* The quantile of the normal distribution that leaves 1 % above it. */
#define NORMAL_98 2.32635 /* standard errors */

static double mean_of(const struct sorted *samples, double *deviation)
{
	double sum = 0, squares = 0, mean;

	for (uint32_t i = 0; i < samples->count; i++)
		sum += (double)samples->at[i];
	mean = sum / samples->count;
	for (uint32_t i = 0; i < samples->count; i++)
		squares += ((double)samples->at[i] - mean) * ((double)samples->at[i] - mean);
	*deviation = samples->count > 1 ? sqrt(squares / (samples->count - 1)) : 0;
	return mean;
}

double statistic(const struct sorted *samples, uint32_t which)
{
	double deviation;

	if (samples->count == 0)
		return 0;
	if (which == STATISTIC_MEAN)
		return mean_of(samples, &deviation);
	return (double)samples->at[rank_at(samples->count, which)];
}

double statistic_variance(const struct sorted *samples, uint32_t which)
{
	double part = which / 1000.0, sigma = sqrt(samples->count * part * (1 - part));
	double weights = 0, sum = 0, squares = 0, rank;
	uint32_t first, last;

	if (samples->count < 2 || sigma <= 0 || samples->at[0] <= 0)
		return 0;
	rank = rank_at(samples->count, which);
	first = (uint32_t)fmax(rank - ceil(4 * sigma), 0);
	last = (uint32_t)fmin(rank + ceil(4 * sigma), samples->count - 1.0);
	for (uint32_t i = first; i <= last; i++) {
		double away = (i - rank) / sigma, weight = exp(-away * away / 2);
		double value = log((double)samples->at[i] / (double)samples->at[first]);
		weights += weight;
		sum += weight * value;
		squares += weight * value * value;
	}
	sum /= weights;
	return fmax(0, squares / weights - sum * sum);
}

/* Resamples a small set exactly: draws as many samples as the set has, with replacement, and
 * returns their percentile or mean. Because the set is sorted, it only counts how often each sample
 * is drawn, and need not sort the draws. */
static double draw_exact(const struct sorted *samples, uint32_t which, struct stream *stream)
{
	uint32_t counts[EXACT_MAX], rank = rank_at(samples->count, which), place = 0;
	double sum = 0;

	memset(counts, 0, samples->count * sizeof(*counts));

	for (uint32_t i = 0; i < samples->count; i++) {
		uint32_t drawn = (uint32_t)stream_below(stream, samples->count);
		counts[drawn]++;
		sum += (double)samples->at[drawn];
	}
	if (which == STATISTIC_MEAN)
		return sum / samples->count;
	for (uint32_t passed = counts[0]; passed <= rank; passed += counts[place])
		place++;
	return (double)samples->at[place];
}

/* Resamples a large set approximately, with a single normal random number instead of one draw for
 * each sample. The mean of the draws has nearly a normal distribution. So has the place of their
 * percentile among the sorted samples. */
static double draw_normal(const struct sorted *samples, uint32_t which, struct stream *stream)
{
	double part = which / 1000.0, count = samples->count, place, deviation, mean;

	if (which == STATISTIC_MEAN) {
		mean = mean_of(samples, &deviation);
		return mean + stream_normal(stream) * deviation / sqrt(count);
	}
	place = count * part + stream_normal(stream) * sqrt(count * part * (1 - part));
	place = fmin(fmax(place, 1), count);
	return (double)samples->at[(uint32_t)ceil(place) - 1];
}

static double draw(const struct sorted *samples, uint32_t which, struct stream *stream)
{
	return samples->count <= EXACT_MAX ? draw_exact(samples, which, stream)
					   : draw_normal(samples, which, stream);
}

static double ratio_of(double first, double second)
{
	return first > 0 ? second / first - 1 : 0;
}

/* Returns the value that a sort would put at index `place` (quickselect). Reorders the values. */
static double at_place(double *values, uint32_t count, uint32_t place)
{
	uint32_t low = 0, high = count - 1;

	while (low < high) {
		double pivot = values[low + (high - low) / 2];
		uint32_t i = low, j = high;
		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i >= j)
				break;
			double other = values[i];
			values[i++] = values[j];
			values[j--] = other;
		}
		if (place <= j)
			high = j;
		else
			low = j + 1;
	}
	return values[place];
}

struct margin margin_of(const struct sorted *first, const struct sorted *second, uint32_t which)
{
	double ratios[RESAMPLES], ratio, least;
	struct stream stream;

	ensure(first->count > 0 && second->count > 0, "margin of nothing");
	stream_init(&stream, 1, "analysis/bootstrap");
	for (int i = 0; i < RESAMPLES; i++) {
		double a = draw(first, which, &stream), b = draw(second, which, &stream);
		ratios[i] = ratio_of(a, b);
	}
	ratio = ratio_of(statistic(first, which), statistic(second, which));
	least = at_place(ratios, RESAMPLES, RESAMPLES * 10 / 1000);
	return (struct margin){.ratio = ratio,
		.low = at_place(ratios, RESAMPLES, RESAMPLES * 25 / 1000),
		.high = at_place(ratios, RESAMPLES, RESAMPLES * 975 / 1000 - 1),
		/* There are too few resamples to compute quantiles below 1 %. So the distribution
		 * is assumed to be normal there. */
		.chance = ratio > 0 ? normal_chance(ratio / fmax(ratio - least, 0) * NORMAL_98) : 1,
		.level = MARGIN_CHANCE,
		.kind = MARGIN_RUN};
}

bool margin_may_decide(const struct margin *margin)
{
	if (margin->few)
		return margin->ratio > 0;
	return fmax(margin->high, margin->ratio) >= MARGIN_LEAST;
}

bool margin_decides(const struct margin *margin)
{
	return !margin->few && margin->chance <= margin->level && margin->ratio >= MARGIN_LEAST;
}

static int by_chance(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double margins_level(double *chances, uint32_t count)
{
	qsort(chances, count, sizeof *chances, by_chance);
	for (uint32_t i = count; i > 0; i--)
		if (chances[i - 1] <= MARGIN_CHANCE / (count - i + 1))
			return MARGIN_CHANCE / (count - i + 1);
	return MARGIN_CHANCE / (count ? count : 1);
}

double normal_chance(double errors)
{
	return errors > 0 ? 2 * gsl_cdf_ugaussian_Q(errors) : 1;
}

double signs_chance(uint32_t count, uint32_t place)
{
	return 2 * gsl_cdf_binomial_P(place, 0.5, count);
}

double student_chance(double errors, uint32_t freedom)
{
	return errors > 0 ? 2 * gsl_cdf_tdist_Q(errors, freedom) : 1;
}

/* Quantiles of Student's t that leave 2.5 % above them, by degrees of freedom. */
static const double bounds_95[] = {0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
	2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080,
	2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

enum { FREEDOM_MOST = sizeof(bounds_95) / sizeof(bounds_95[0]) - 1 };

/* Returns the quantile of Student's t that 2.5 % of all values exceed, for `freedom` degrees of
 * freedom. Beyond the end of the table, interpolates between the table's last entry and the
 * quantile of the normal distribution; these two differ little. */
double student_95(uint32_t freedom)
{
	double normal = 1.95996, end = bounds_95[FREEDOM_MOST];

	if (freedom <= FREEDOM_MOST)
		return bounds_95[freedom];
	return normal + (end - normal) * FREEDOM_MOST / freedom;
}

/* If several entries have the same statistic, the first one gives its names. */
static const struct statistic_names statistics[] = {
	{"", 500, "p50", "at the median"},
	{".p50", 500, "p50", "at the median"},
	{".p90", 900, "p90", "at p90"},
	{".p99", 990, "p99", "at p99"},
	{".p99_9", 999, "p99.9", "at p99.9"},
	{".p99.9", 999, "p99.9", "at p99.9"},
	{".max", 1000, "slowest", "at the maximum"},
	{".mean", STATISTIC_MEAN, "mean", "on average"},
};

enum { STATISTICS = sizeof statistics / sizeof *statistics };

const struct statistic_names *statistic_suffixed(const char *suffix)
{
	for (int i = 0; i < STATISTICS; i++)
		if (strcmp(statistics[i].suffix, suffix) == 0)
			return &statistics[i];
	return NULL;
}

const struct statistic_names *statistic_names(uint32_t which)
{
	int i = 0;

	while (i + 1 < STATISTICS && statistics[i].which != which)
		i++;
	return &statistics[i];
}
