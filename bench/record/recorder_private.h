/* Functions that files of the recorder share: marks that several processes make on one row, and
 * slices of watched operations on chips. */
#ifndef BENCH_RECORD_RECORDER_PRIVATE_H
#define BENCH_RECORD_RECORDER_PRIVATE_H

#include <stdint.h>

#include "bench/results/results.h"
#include "world/world.h"

/* Marks of several processes take no lock: a process that is stopped or killed in the middle of a
 * mark delays no other process, and spoils at most that mark. */

/* The member of the row that holds the time spent on the way to this point of the host's work;
 * NULL: the point is none of these. */
int64_t *op_row_time(struct op_row *row, enum mark_point point);

/* Marks that the operation of this row passed `point` at `time_ps`. `reached` belongs to the row:
 * the latest time of its host's points so far, -1 before the first. */
void shared_mark(struct op_row *row, int64_t *reached, int64_t time_ps, enum mark_point point);

/* Slices of a watched operation on each chip, from mark to mark. Marks of the host are ignored. */

/* Call it when the operation, which was called at `called_ps`, passes a mark on a chip. Does
 * nothing if the operation is not watched. */
void op_chips_mark(uint32_t operation, int64_t called_ps, int64_t time_ps, enum mark_point point,
	uint32_t chip);

#endif
