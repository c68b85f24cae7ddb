/* Constants of the host model, an open value that the harness fills from the platform file. No
 * figure stands in code. Fields are ps and bytes per second. */
#ifndef HOST_CONSTANTS_H
#define HOST_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/platform.h"
#include "world/world.h"

/* How a cost scatters. A charge of n units has a gamma distribution with the mean n * cost and the
 * coefficient of variation `variation` / sqrt(n), so that cutting work into pieces changes nothing;
 * each unit has a rare extra on top, of `tail_ps` on average. All zeros: no scatter. */
struct host_noise {
	double variation;	 /* standard deviation / mean of one unit, 0..1 */
	double tail_probability; /* of the extra, per unit, 0..1 */
	int64_t tail_ps;	 /* mean size of the extra: uniform in [0, 2 * tail_ps) */
};

struct host_work_cost {
	int64_t cost_ps; /* mean per unit, without the tail */
	struct host_noise noise;
};

/* Copying from one kind of memory to another, by one core that has the socket for itself. */
struct host_copy_cost {
	uint64_t bandwidth_bytes_per_s; /* > 0 */
	uint32_t traffic_percent; /* bytes over the socket's memory channels per 100 bytes copied;
				     0: such copies do not compete with others */
};

/* A command that is written or read. */
struct host_coding_cost {
	int64_t command_ps;
	int64_t words_kib_ps, bytes_kib_ps; /* per 1,024 bytes, in parts of that too */
};

struct host_constants {
	uint16_t sockets, cores_per_socket;    /* > 0; core c is on socket c / cores_per_socket */
	uint64_t memory_bandwidth_bytes_per_s; /* of a socket, shared by the copies on its cores */
	uint64_t cache_bytes; /* users' data of more bytes come from memory and go there */
#define X(field, least, what) int64_t field;
#include "host/constants.def"
#undef X
	struct host_work_cost work[WORK_KIND_COUNT];
	struct host_copy_cost copy[MEMORY_KIND_COUNT][MEMORY_KIND_COUNT]; /* [from][to] */
	struct host_noise copy_noise; /* one unit is one work_copy() */
	struct host_noise wake_noise; /* of wake_hot_ps and wake_idle_ps; one unit is one wake-up */
	bool noise;		      /* off: every cost is exactly its mean, without tails */
	uint32_t scheduler;	      /* row of who has a core when more threads want one */
};

/* Names of the rows: "turns" (who came first, for a quantum), "fair" (who has had least, as Linux
 * does it: a woken thread takes the core from one that has had more). NULL past the last. */
const char *host_scheduler_name(uint32_t index);

/* All of the above but `noise` and `scheduler`, for platform_new() and platform_bind():
 * host.quantum, host.work.doorbell.cost, host.copy.cached.pinned.bandwidth, and so on. */
extern const struct constant_table host_constant_table;

/* One server of the platform. Both pointers are borrowed and must outlive the run. */
struct host_description {
	const char *name; /* of the SimGrid host that its threads run on */
	const struct host_constants *constants;
	bool shares; /* cores and memory of the one before it: another process of its machine */
	bool bound;  /* all its threads to one core, the only one that they know of */
	uint16_t core; /* that one, modulo how many there are */
};

#endif
