/* Conservation laws that hold after every simulated run: no server was busy for longer than the
 * time that passed, everything that was sent arrived, no event was lost. A violation is a bug of
 * the model. */
#ifndef BENCH_CONSERVATION_H
#define BENCH_CONSERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct cluster;

/* A server that does one thing at a time. */
struct conserved_server {
	char name[64];
	int64_t busy_ps, passed_ps;
};

/* A lossless flow. */
struct conserved_flow {
	char name[64];
	uint64_t in, out;
};

/* The servers and flows to check. All zeros is empty. */
struct conservation {
	struct conserved_server *servers;
	struct conserved_flow *flows;
	uint32_t server_count, server_capacity, flow_count, flow_capacity;
};

/* Append an entry; `name` is a printf format. */
void conservation_server(struct conservation *conservation, int64_t busy_ps, int64_t passed_ps,
	const char *name, ...) __attribute__((format(printf, 4, 5)));
void conservation_flow(struct conservation *conservation, uint64_t in, uint64_t out,
	const char *name, ...) __attribute__((format(printf, 4, 5)));

/* True if all laws hold; otherwise `why` gets a line for each violation. */
bool conservation_judge(const struct conservation *conservation, struct text *why);

void conservation_fini(struct conservation *conservation);

/* Collects the counters of all models after a run has ended and nothing is in flight. Without
 * `contention`, links between chips, NIUs and PCIe may do several things at a time and are left
 * out. Clusters are those of hosts 0..count-1. `networked` is the number of hosts on the network,
 * which must still be open; 0: none. */
void conservation_collect(struct cluster *const *clusters, uint32_t count, bool contention,
	uint32_t networked, struct conservation *conservation);

#endif
