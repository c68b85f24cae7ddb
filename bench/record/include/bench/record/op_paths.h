/* The critical path of every operation: where the time of its metrics went, and how much time was
 * charged to each constant, from the causes that the simulation records (cause/cause.h). There are
 * no causes in native runs. */
#ifndef BENCH_OP_PATHS_H
#define BENCH_OP_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bench/results/results.h"

struct op_paths; /* opaque */

/* Makes room for `capacity` operations and starts the recording of causes. Call it once per
 * process. */
struct op_paths *op_paths_new(uint32_t capacity);

/* NULL is allowed. */
void op_paths_free(struct op_paths *paths);

/* op_paths_start(): a new operation with the next number. op_paths_mark(): it passes a mark, caused
 * by the current event. */
void op_paths_start(struct op_paths *paths, const struct op_row *row);
void op_paths_mark(struct op_paths *paths, const struct op_row *row, enum mark_point point);

/* Computes the paths of old operations, or of all of them, from `count` rows, by number from 1. */
void op_paths_take(struct op_paths *paths, const struct op_row *rows, uint32_t count, bool all);

/* The paths so far. Valid until the next call of op_paths_take(). */
const struct path_row *op_paths_rows(const struct op_paths *paths, uint32_t *count);

/* The charges so far, allocated in `arena`. */
struct charge_row *op_paths_charges(
	const struct op_paths *paths, struct arena *arena, uint32_t *count);

#endif
