/* The Mann-Whitney rank test, see check_private.h. */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/table/order.h"

static double *sorted(const double *values, uint32_t count)
{
	double *copy = malloc(count * sizeof(*copy));

	ensure(copy && count, "sorting %u values", count);
	memcpy(copy, values, count * sizeof(*copy));
	sort_reals(copy, count);
	return copy;
}

/* Sum of t^3 - t over the groups of equal values in both sets. */
static double tie_term(const double *a, uint32_t a_count, const double *b, uint32_t b_count)
{
	double sum = 0;

	for (uint32_t i = 0, j = 0; i < a_count || j < b_count;) {
		double value = j == b_count || (i < a_count && a[i] <= b[j]) ? a[i] : b[j],
		       size = 0;
		for (; i < a_count && a[i] == value; i++)
			size++;
		for (; j < b_count && b[j] == value; j++)
			size++;
		sum += size * size * size - size;
	}
	return sum;
}

/* Upper tail of the normal distribution. */
static double tail(double z)
{
	return 0.5 * erfc(z / sqrt(2));
}

struct rank_test rank_test(
	const double *first, uint32_t first_count, const double *second, uint32_t second_count)
{
	double *a = sorted(first, first_count), *b = sorted(second, second_count);
	double m = first_count, n = second_count, all = m + n, deviation;
	struct rank_test ranks = {
		.median = {median_of(a, first_count), median_of(b, second_count)}};

	for (uint32_t i = 0; i < first_count; i++)
		for (uint32_t j = 0; j < second_count; j++)
			ranks.u += b[j] > a[i] ? 1 : b[j] == a[i] ? 0.5 : 0;
	deviation = sqrt(m * n / 12 *
			 (all + 1 - tie_term(a, first_count, b, second_count) / (all * (all - 1))));
	ranks.effect = ranks.u / (m * n);
	/* 0.5 is the continuity correction; a deviation of 0 means that all values are equal */
	ranks.greater = deviation > 0 ? tail((ranks.u - m * n / 2 - 0.5) / deviation) : 1;
	ranks.less = deviation > 0 ? tail((m * n / 2 - ranks.u - 0.5) / deviation) : 1;
	free(a);
	free(b);
	return ranks;
}
