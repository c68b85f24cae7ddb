/* Statistics of a simulated run, as tables of bench/results/results.h (collect_sim.c). */
#ifndef BENCH_RUN_SIM_H
#define BENCH_RUN_SIM_H

#include "base/arena.h"
#include "bench/results/results.h"
#include "bench/client/client.h"

void collect_links(const struct client *client, struct run_record *record, struct arena *arena);
void collect_deliveries(const struct client *client, struct run_record *record);
void collect_threads(struct run_record *record, struct arena *arena);
void collect_queues(const struct client *client, struct run_record *record, struct arena *arena);
void collect_cores(const struct client *client, struct run_record *record, struct arena *arena);

#endif
