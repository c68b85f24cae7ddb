/* Conservation laws, which hold after every simulated run: no server was busy for longer than the
 * time that passed, everything that was sent has arrived, and no event was lost. If a law does not
 * hold, the model has a bug. */
#ifndef BENCH_CONSERVATION_H
#define BENCH_CONSERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bench/results/results.h"

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

/* The servers and flows that violate their law. All zeros means that there are none. */
struct conservation {
	bool keeps_all; /* keep entries that obey their law, too; costs a fifth of a short run */
	struct conserved_server *servers;
	struct conserved_flow *flows;
	uint32_t server_count, server_capacity, flow_count, flow_capacity;
};

/* Append an entry if it violates its law (or if keeps_all is set). `name` is a printf format. */
void conservation_server(struct conservation *conservation, int64_t busy_ps, int64_t passed_ps,
	const char *name, ...) __attribute__((format(printf, 4, 5)));
void conservation_flow(struct conservation *conservation, uint64_t in, uint64_t out,
	const char *name, ...) __attribute__((format(printf, 4, 5)));

/* Returns true if all laws hold. Otherwise appends a line for each violation to `why`. */
bool conservation_judge(const struct conservation *conservation, struct text *why);

void conservation_fini(struct conservation *conservation);

/* Collects the counters of all models into *conservation. The run must have ended, and no message
 * may be in flight. `clusters` are the clusters of hosts 0 to count - 1. If `contention` is false,
 * links between chips, NIUs and PCIe may serve several messages at a time, so they are left out.
 * `networked` is the number of hosts on the network, which must still be open; it is 0 without a
 * network. */
void conservation_collect(struct cluster *const *clusters, uint32_t count, bool contention,
	uint32_t networked, struct conservation *conservation);

/* Finds calls that returned too early, that is, before the work was done for which they should
 * wait. Only times are checked: the marks that the run has recorded for each operation. The client
 * compares the data (bench/client). */

/* Checks `ops`, which are all operations of a finished run, sorted by number. The host must see the
 * end of an operation only after the operation's devices have answered and its workers are done. An
 * event or a finish completes after all earlier operations of its queue (spec 3.5), so the host
 * must see its end only after the workers of these operations are done. If `marks_at_once` is
 * false, devices may set their marks late. Then only the marks of workers are checked, because
 * workers set their marks before they report. Returns false at the first violation, with a sentence
 * in `why`. */
bool promises_kept(const struct op_row *ops, uint32_t count, bool marks_at_once, struct text *why);

#endif
