/* What must hold after every simulated run, whatever was simulated: nothing is busy for longer than
 * time has passed, what went in came out, no event was lost. A run that breaks it is a bug of the
 * model, not a result. */
#ifndef BENCH_CONSERVATION_H
#define BENCH_CONSERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct cluster;

/* Something that does one thing at a time. */
struct conserved_server {
	char name[64];
	int64_t busy_ps, passed_ps;
};

/* Something that loses nothing. */
struct conserved_flow {
	char name[64];
	uint64_t in, out;
};

/* A list of each, to be judged. Open value; grows as it needs to. */
struct conservation {
	struct conserved_server *servers;
	struct conserved_flow *flows;
	uint32_t server_count, server_capacity, flow_count, flow_capacity;
};

/* Appends; `name` as in printf. */
void conservation_server(struct conservation *conservation, int64_t busy_ps, int64_t passed_ps,
	const char *name, ...) __attribute__((format(printf, 4, 5)));
void conservation_flow(struct conservation *conservation, uint64_t in, uint64_t out,
	const char *name, ...) __attribute__((format(printf, 4, 5)));

/* True if all holds; else a line in `why` for each that does not. */
bool conservation_judge(const struct conservation *conservation, struct text *why);

void conservation_fini(struct conservation *conservation);

/* Everything that the models count of the run that has just ended, when nothing is under way.
 * `contention`: flows wait for each other; otherwise the links between chips, the NIUs and PCIe
 * may do several things at a time, and are left out. Clusters are those of hosts 0..count-1;
 * `networked` hosts are joined by a network that is still open, 0: none. */
void conservation_collect(struct cluster *const *clusters, uint32_t count, bool contention,
	uint32_t networked, struct conservation *conservation);

#endif
