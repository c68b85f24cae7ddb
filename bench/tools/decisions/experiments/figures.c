/* Figures that several experiments of decisions have (see decision.h). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/table/order.h"
#include "decision.h"

double experiments_median_us(const struct op_row *ops, uint32_t count, const char *kind,
	int64_t (*value)(const struct op_row *op))
{
	int64_t *times_ps = allocate(count + 1u, sizeof *times_ps);
	uint32_t calls = 0, kept = 0;
	double median;

	for (uint32_t i = 0; i < count; i++)
		if (strcmp(ops[i].kind, kind) == 0 && calls++ >= EXPERIMENTS_WARM)
			times_ps[kept++] = value(&ops[i]);
	sort_integers(times_ps, kept);
	median = kept ? (double)times_ps[rank_at(kept, 500)] * 1e-6 : 0;
	free(times_ps);
	return median;
}

double experiments_period_us(const struct op_row *ops, uint32_t count, const char *kind)
{
	int64_t from_ps = 0, to_ps = 0;
	uint32_t calls = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(ops[i].kind, kind) != 0)
			continue;
		to_ps = ops[i].marks[MARK_RETURNED].last;
		if (++calls == EXPERIMENTS_WARM)
			from_ps = to_ps;
	}
	return calls > EXPERIMENTS_WARM
		       ? (double)(to_ps - from_ps) * 1e-6 / (calls - EXPERIMENTS_WARM)
		       : 0;
}

int64_t experiments_host_time(const struct op_row *op)
{
	return op->marks[MARK_RETURNED].last - op->marks[MARK_CALLED].first;
}

int64_t experiments_doorbell_skew(const struct op_row *op)
{
	return op->marks[MARK_DOORBELL].last - op->marks[MARK_DOORBELL].first;
}
