/* Sets marks of operations that several processes may mark at the same time. Uses atomic operations
 * (recorder_private.h). */
#include "recorder_private.h"

#include <stddef.h>

int64_t *op_row_time(struct op_row *row, enum mark_point point)
{
	switch (point) {
	case MARK_BUILT:
		return &row->build_time;
	case MARK_EXPECTED:
		return &row->expect_time;
	case MARK_COPIED:
		return &row->copy_time;
	case MARK_DOORBELL:
		return &row->doorbell_time;
	default:
		return NULL;
	}
}

/* Lowers *value to `time_ps`. If *value is -1, it has no value yet, and gets `time_ps`. */
static void lower_to(int64_t *value, int64_t time_ps)
{
	int64_t seen = __atomic_load_n(value, __ATOMIC_RELAXED);

	while ((seen < 0 || time_ps < seen) && !__atomic_compare_exchange_n(value, &seen, time_ps,
						       true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		continue;
}

/* Raises *value to `time_ps`. Returns the previous value. */
static int64_t raise_to(int64_t *value, int64_t time_ps)
{
	int64_t seen = __atomic_load_n(value, __ATOMIC_RELAXED);

	while (time_ps > seen && !__atomic_compare_exchange_n(value, &seen, time_ps, true,
					 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		continue;
	return seen;
}

/* Adds the time since the latest point of the host's work to the sum of this point. */
static void spend_shared(
	struct op_row *row, int64_t *reached, int64_t time_ps, enum mark_point point)
{
	int64_t *time = op_row_time(row, point);
	int64_t before;

	if (time == NULL && point != MARK_CALLED)
		return;
	before = raise_to(reached, time_ps);
	if (time != NULL && time_ps > before)
		__atomic_fetch_add(time, time_ps - before, __ATOMIC_RELAXED);
}

void shared_mark(struct op_row *row, int64_t *reached, int64_t time_ps, enum mark_point point)
{
	struct op_mark *mark = &row->marks[point];

	if (point == MARK_CALLED && __atomic_load_n(&mark->count, __ATOMIC_RELAXED) > 0)
		return; /* a call within the call, which began before */
	lower_to(&mark->first, time_ps);
	raise_to(&mark->last, time_ps);
	spend_shared(row, reached, time_ps, point);
	__atomic_fetch_add(&mark->count, 1, __ATOMIC_RELEASE);
}
