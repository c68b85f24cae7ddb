/* The time on the critical paths of each step's operations, summed by metric and constant. */
#ifndef BENCH_RECORD_STEP_SUMS_H
#define BENCH_RECORD_STEP_SUMS_H

#include "bench/results/metrics.h"
#include "cause/path.h"

/* The number after the numbers of metrics stands for the time since the previous completion. */
enum { PATH_INTERVAL = METRIC_COUNT, PATHS };

struct step_sums; /* opaque */

/* `names` are the names of steps by number. They are borrowed. */
struct step_sums *step_sums_new(const struct step_names *names);

/* NULL is allowed. */
void step_sums_free(struct step_sums *sums);

/* Returns the number under which the sums of the operation's step are kept. Steps of one kind, name
 * and mesh share their sums. Allocates only for the first operation of a step. */
uint8_t step_sums_slot(struct step_sums *sums, const struct op_row *row);

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
