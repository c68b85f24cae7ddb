/* Marks that several processes make on one row at once. No lock is taken: a process that is stopped
 * or killed in the middle of a mark delays no other process, and spoils at most that mark. */
#ifndef BENCH_RECORD_SHARED_MARKS_H
#define BENCH_RECORD_SHARED_MARKS_H

#include <stdint.h>

#include "bench/results/results.h"
#include "world/world.h"

/* The member of the row that holds the time spent on the way to this point of the host's work;
 * NULL: the point is none of these. */
int64_t *op_row_time(struct op_row *row, enum mark_point point);

/* Marks that the operation of this row passed `point` at `time_ps`. `reached` belongs to the row:
 * the latest time of its host's points so far, -1 before the first. */
void shared_mark(struct op_row *row, int64_t *reached, int64_t time_ps, enum mark_point point);

#endif
