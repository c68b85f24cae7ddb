/* Totals of a run from the counters of its meshes. */
#ifndef BENCH_RUN_TOTALS_H
#define BENCH_RUN_TOTALS_H

#include "bench/client/client.h"
#include "bench/results/results.h"

/* Adds the counters of the command path of a mesh, over all its lives. With `asks`, the
 * devices may be queried; on a machine of several hosts these are on other hosts. */
void totals_add_commands(const struct client *client, bool asks, struct run_totals *totals);

/* Adds the counters that each mesh has at the end. */
void totals_add_meshes(struct client *first, struct run_totals *totals);

#endif
