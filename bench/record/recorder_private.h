/* Functions that the files of the recorder share. shared_mark() sets a mark of an operation that
 * several processes may mark at the same time. op_chips_mark() adds a slice to the timeline of a
 * watched operation on a chip. */
#ifndef BENCH_RECORD_RECORDER_PRIVATE_H
#define BENCH_RECORD_RECORDER_PRIVATE_H

#include <stdint.h>

#include "bench/results/results.h"
#include "world/world.h"

/* shared_mark() takes no lock. If a process is stopped or killed in the middle of a mark, other
 * processes are not delayed, and only this one mark may be wrong. */

/* Returns the row's sum of the host work that ends at `point`, such as `build_time` for MARK_BUILT.
 * Returns NULL if no host work ends at `point`. */
int64_t *op_row_time(struct op_row *row, enum mark_point point);

/* Sets the mark `point` of the row's operation to `time_ps`. *reached is the latest time at which
 * host work of this operation ended, or -1 if none has ended yet. */
void shared_mark(struct op_row *row, int64_t *reached, int64_t time_ps, enum mark_point point);

/* Call it when an operation passes a mark on chip `chip`. Adds the slice from the operation's
 * previous mark on this chip to this mark. The first slice begins at `called_ps`, the time at which
 * the operation was called. Does nothing if the operation is not watched, or if `point` is a mark
 * of the host. */
void op_chips_mark(uint32_t operation, int64_t called_ps, int64_t time_ps, enum mark_point point,
	uint32_t chip);

#endif
