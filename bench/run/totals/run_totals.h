/* Totals of a run that its meshes know. Refuses to count what the world does. */
#ifndef BENCH_RUN_TOTALS_H
#define BENCH_RUN_TOTALS_H

#include "bench/client/client.h"
#include "bench/results/results.h"

/* Adds what the command path of a mesh has carried, in all its lives; `asks`: the devices may be
 * asked, who are of other hosts if the machine has several. */
void totals_add_commands(const struct client *client, bool asks, struct run_totals *totals);

/* Adds what is known of each mesh at the end. */
void totals_add_meshes(struct client *first, struct run_totals *totals);

#endif
