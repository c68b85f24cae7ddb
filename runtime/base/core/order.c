/* Sorts values and finds percentiles (base/table/order.h). */
#include "base/table/order.h"

#include <stdlib.h>

static int order_integers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int order_reals(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void sort_integers(int64_t *values, size_t count)
{
	if (count > 0)
		qsort(values, count, sizeof *values, order_integers);
}

void sort_reals(double *values, size_t count)
{
	if (count > 0)
		qsort(values, count, sizeof *values, order_reals);
}

uint32_t rank_at(uint32_t count, uint32_t per_mille)
{
	uint64_t rank = ((uint64_t)count * per_mille + 999) / 1000;

	return rank ? (uint32_t)rank - 1 : 0;
}

double median_of(const double *sorted, uint32_t count)
{
	return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}
