/* The order in which native runs are made. */
#ifndef BENCH_RUN_NATIVE_ORDER_H
#define BENCH_RUN_NATIVE_ORDER_H

#include <stdint.h>

#include "bench/scenario/load.h"

/* Orders `count` runs of a scenario by seed instead of by point of the sweep. The speed of a
 * machine drifts during a sweep, so the runs of one seed should be close together in time. The
 * points of the first seed are in a random order, the points of the second seed are in the reverse
 * order, and so on for each pair of seeds. So over two seeds, each point runs as often before
 * another point as after it, and no point is always the first one. The order depends only on the
 * scenario. */
void native_order(const struct scenario_file *file, uint32_t *numbers, uint32_t count);

#endif
