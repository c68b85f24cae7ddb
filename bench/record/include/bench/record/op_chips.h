/* What each chip does of an operation that is watched, from mark to mark. Refuses marks of the
 * host: they are of no chip. */
#ifndef BENCH_OP_CHIPS_H
#define BENCH_OP_CHIPS_H

#include <stdint.h>

#include "world/world.h"

/* The operation, called at `called_ps`, passed a mark on a chip. Nothing if it is not watched. */
void op_chips_mark(uint32_t operation, int64_t called_ps, int64_t time_ps, enum mark_point point,
	uint32_t chip);

#endif
