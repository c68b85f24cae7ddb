/* Statistics of a simulated run, as tables of bench/results/results.h (collect_sim.c). */
#ifndef BENCH_RUN_SIM_H
#define BENCH_RUN_SIM_H

#include "base/arena.h"
#include "bench/results/results.h"
#include "bench/client/client.h"

/* Rows of NoC links per chip: only the busiest are kept. */
enum { NOC_LINK_ROWS = 16 };

struct noc_link_rate {
	uint64_t bytes_per_s, simulated_ps;
};

/* Fills rows for a chip of a host whose first chip has number `first`. Returns their number; 0
 * unless `model.noc: links`. */
uint32_t collect_noc_links(const struct cluster *cluster, uint16_t chip, uint32_t first,
	struct noc_link_rate rate, struct link_row rows[NOC_LINK_ROWS]);

void collect_links(const struct client *client, struct run_record *record, struct arena *arena);
void collect_deliveries(const struct client *client, struct run_record *record);
void collect_threads(struct run_record *record, struct arena *arena);
void collect_queues(const struct client *client, struct run_record *record, struct arena *arena);
void collect_cores(const struct client *client, struct run_record *record, struct arena *arena);

#endif
