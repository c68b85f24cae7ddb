/* Slices of a watched operation on each chip, from mark to mark. Marks of the host are ignored. */
#ifndef BENCH_OP_CHIPS_H
#define BENCH_OP_CHIPS_H

#include <stdint.h>

#include "world/world.h"

/* Call it when the operation, which was called at `called_ps`, passes a mark on a chip. Does
 * nothing if the operation is not watched. */
void op_chips_mark(uint32_t operation, int64_t called_ps, int64_t time_ps, enum mark_point point,
	uint32_t chip);

#endif
