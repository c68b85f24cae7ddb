/* Functions that the files of the recorder share. They set marks of one operation from several
 * processes, and make slices of watched operations on chips. */
#ifndef BENCH_RECORD_RECORDER_PRIVATE_H
#define BENCH_RECORD_RECORDER_PRIVATE_H

#include <stdint.h>

#include "bench/results/results.h"
#include "world/world.h"

/* Processes that mark operations at the same time take no lock. So if a process is stopped or
 * killed in the middle of a mark, it does not delay other processes, and only this one mark may be
 * wrong. */

/* Returns the member of the row that has the time of the host's work which ends at `point`. Returns
 * NULL if there is no such member. */
int64_t *op_row_time(struct op_row *row, enum mark_point point);

/* Sets the mark `point` of the row's operation to `time_ps`. *reached belongs to this row. It is
 * the latest time at which a point of the host's work was marked, or -1 before the first such
 * point. */
void shared_mark(struct op_row *row, int64_t *reached, int64_t time_ps, enum mark_point point);

/* Slices of a watched operation on each chip, from mark to mark. Marks of the host are ignored. */

/* Call it when an operation passes a mark on chip `chip`. `called_ps` is the time at which the
 * operation was called. Does nothing if the operation is not watched. */
void op_chips_mark(uint32_t operation, int64_t called_ps, int64_t time_ps, enum mark_point point,
	uint32_t chip);

#endif
