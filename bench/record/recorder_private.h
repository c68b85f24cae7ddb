/* Functions that the files of the recorder share. They set marks of one operation from several
 * processes, and make slices of watched operations on chips. */
#ifndef BENCH_RECORD_RECORDER_PRIVATE_H
#define BENCH_RECORD_RECORDER_PRIVATE_H

#include <stdint.h>

#include "bench/results/results.h"
#include "world/world.h"

/* Marks of several processes take no lock. So a process that is stopped or killed in the middle of
 * a mark does not delay other processes, and only that mark may be wrong. */

/* Returns the member of the row for the time that the host spent on its work before `point`.
 * Returns NULL if there is no such member. */
int64_t *op_row_time(struct op_row *row, enum mark_point point);

/* Sets the mark `point` of the row's operation to `time_ps`. *reached belongs to this row. It is
 * the latest time so far of a point of the host's work, or -1 before the first such point. */
void shared_mark(struct op_row *row, int64_t *reached, int64_t time_ps, enum mark_point point);

/* Slices of a watched operation on each chip, from mark to mark. Marks of the host are ignored. */

/* Call it when an operation passes a mark on chip `chip`. `called_ps` is the time at which the
 * operation was called. Does nothing if the operation is not watched. */
void op_chips_mark(uint32_t operation, int64_t called_ps, int64_t time_ps, enum mark_point point,
	uint32_t chip);

#endif
