/* The way of every operation: where the time of its metrics went, and what every constant was
 * charged for, from the causes that the simulation records (cause/cause.h). Knows nothing natively,
 * where there are no causes. */
#ifndef BENCH_OP_PATHS_H
#define BENCH_OP_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bench/results/results.h"

struct op_paths; /* opaque */

/* Room for `capacity` operations. From now on causes are recorded: once per process. */
struct op_paths *op_paths_new(uint32_t capacity);

/* NULL is allowed. */
void op_paths_free(struct op_paths *paths);

/* A new operation, the next number; and its passage through a mark, because of what happens now. */
void op_paths_start(struct op_paths *paths, const struct op_row *row);
void op_paths_mark(struct op_paths *paths, const struct op_row *row, enum mark_point point);

/* Takes the ways of old operations, or of all, out of `count` rows, by number from 1. */
void op_paths_take(struct op_paths *paths, const struct op_row *rows, uint32_t count, bool all);

/* Ways so far; valid until the next call that takes. */
const struct path_row *op_paths_rows(const struct op_paths *paths, uint32_t *count);

/* What was charged so far; in `arena`. */
struct charge_row *op_paths_charges(
	const struct op_paths *paths, struct arena *arena, uint32_t *count);

#endif
