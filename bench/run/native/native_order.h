/* The order in which native runs are made. */
#ifndef BENCH_RUN_NATIVE_ORDER_H
#define BENCH_RUN_NATIVE_ORDER_H

#include <stdint.h>

#include "bench/scenario/load.h"

/* Orders the `count` runs of a scenario by seed. The speed of a machine drifts during a sweep, so
 * the runs of one seed should follow each other closely. For the first seed, the points of the
 * sweep are in a random order; for the second seed, they are in the reverse order; and so on for
 * each pair of seeds. Over two seeds, each point thus runs as often before another point as after
 * it, and no point is always the first one. The order depends only on the scenario. */
void native_order(const struct scenario_file *file, uint32_t *numbers, uint32_t count);

#endif
