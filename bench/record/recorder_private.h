/* Functions that the files of the recorder share. shared_mark() sets a mark of an operation that
 * several processes may mark at the same time. op_chips_mark() adds a slice to the timeline of a
 * watched operation on a chip. */
#ifndef BENCH_RECORD_RECORDER_PRIVATE_H
#define BENCH_RECORD_RECORDER_PRIVATE_H

#include <stdint.h>

#include "bench/results/metrics.h"
#include "bench/results/results.h"
#include "cause/cause.h"
#include "world/world.h"

/* shared_mark() takes no lock. If a process is stopped or killed in the middle of a mark, other
 * processes are not delayed, and only this one mark may be wrong. */

/* Returns the address of the row's member with the time of the host work that ends at `point`, such
 * as `build_time` for MARK_BUILT. Returns NULL if no host work ends at `point`. */
int64_t *op_row_time(struct op_row *row, enum mark_point point);

/* Records that the row's operation passed the mark `point` at `time_ps`. *reached is the latest
 * time at which host work of this operation ended, or -1 if none has ended yet. */
void shared_mark(struct op_row *row, int64_t *reached, int64_t time_ps, enum mark_point point);

/* Call it when an operation passes a mark on chip `chip`. Records a slice of the timeline. The
 * slice begins at the operation's previous mark on this chip and ends at this mark. The first slice
 * begins at `called_ps`, the time at which the operation was called. Does nothing if the operation
 * is not watched, or if `point` is a mark of the host. */
void op_chips_mark(uint32_t operation, int64_t called_ps, int64_t time_ps, enum mark_point point,
	uint32_t chip);

/* The time on the critical paths of each step's operations, summed by metric and constant. */

/* The number after the numbers of metrics stands for the time since the previous completion. */
enum { PATH_INTERVAL = METRIC_COUNT, PATHS };

struct step_sums; /* opaque */

/* `names` are the names of steps by number. They are borrowed. */
struct step_sums *step_sums_new(const struct step_names *names);

/* NULL is allowed. */
void step_sums_free(struct step_sums *sums);

/* Returns the number of the slot that stores the sums of the operation's step. Steps with the same
 * kind, name and mesh share a slot. Allocates memory only for the first operation of a step. */
uint8_t step_sums_slot(struct step_sums *sums, const struct op_row *row);

/* Returns the name of the operation's step; "": it has none. */
const char *step_sums_name(const struct step_sums *sums, const struct op_row *row);

/* Adds a path of `ps` picoseconds to the sums of metric `metric`. Returns this metric's sums for
 * each constant (enum charge), to which the caller adds the charges of the path. Allocates only for
 * the first path of a metric. */
struct charge_total *step_sums_walked(
	struct step_sums *sums, uint8_t slot, uint32_t metric, int64_t ps);

/* step_sums_rows() writes the sums as rows of the table `charges`, starting with row *count, and
 * adds the number of rows to *count. There are at most step_sums_rows_most() rows. */
size_t step_sums_rows_most(const struct step_sums *sums);
void step_sums_rows(const struct step_sums *sums, struct charge_row *rows, uint32_t *count);

struct charge_key {
	const char *kind, *step, *metric, *constant;
};

/* Adds a row, unless its count is 0. The constant "" stands for whole paths. */
void charge_row_add(struct charge_row *rows, uint32_t *count, const struct charge_key *key,
	const struct charge_total *total);

#endif
