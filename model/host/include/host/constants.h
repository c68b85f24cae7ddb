/* Constants of the host model. The harness fills them from the platform file, which has all the
 * figures. Times are in ps, rates in bytes per second. */
#ifndef HOST_CONSTANTS_H
#define HOST_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/table/registry.h"
#include "platform/platform.h"
#include "world/world.h"

/* Random variation of a cost. A charge of n units has a gamma distribution with the mean n * cost
 * and the coefficient of variation `variation` / sqrt(n). So the total time varies equally much
 * whether work is charged at once or in several parts. In rare cases, a unit has an extra cost,
 * which is `tail_ps` on average. If all fields are zero, the cost does not vary. */
struct host_noise {
	double variation;	 /* standard deviation / mean of the cost of one unit, 0..1 */
	double tail_probability; /* probability that a unit has the extra cost, 0..1 */
	int64_t tail_ps;	 /* mean of the extra cost, which is uniform in [0, 2 * tail_ps) */
};

struct host_work_cost {
	int64_t cost_ps; /* mean cost of one unit, without the rare extra cost */
	struct host_noise noise;
};

/* The cost of copying from one kind of memory to another: what one core needs if no other core of
 * the socket copies at the same time. */
struct host_copy_cost {
	uint64_t bandwidth_bytes_per_s; /* greater than 0 */
	uint32_t traffic_percent; /* bytes that cross the socket's memory channels for each 100
				   * bytes that are copied; 0: copies of this kind do not share the
				   * channels with other copies */
};

/* Cost of encoding or decoding one command. */
struct host_coding_cost {
	int64_t command_ps;
	/* per 1,024 bytes; fewer bytes cost proportionally less */
	int64_t words_kib_ps, bytes_kib_ps;
};

struct host_constants {
	uint16_t sockets, cores_per_socket; /* core c is on socket c / cores_per_socket */
	/* bandwidth of a socket, which the copies on its cores share */
	uint64_t memory_bandwidth_bytes_per_s;
	uint64_t cache_bytes; /* user buffers larger than this are read and written in memory */
#define X(field, least, what) int64_t field;
#include "host/constants.def"
#undef X
	struct host_work_cost work[WORK_KIND_COUNT];
	struct host_copy_cost copy[MEMORY_KIND_COUNT][MEMORY_KIND_COUNT]; /* [from][to] */
	struct host_noise copy_noise; /* noise of copies; one unit is one work_copy() */
	/* for wake_hot_ps and wake_idle_ps; one unit is one wake-up */
	struct host_noise wake_noise;
	bool noise;	    /* false: every cost is exactly its mean, without tails */
	uint32_t scheduler; /* index of the scheduler in scheduler_registry */
};

/* The schedulers. "turns" gives cores to threads first come, first served, for a quantum each.
 * "fair" works like Linux: the thread that has had the least time on cores runs, and a woken thread
 * can preempt a thread that has had more time. */
REGISTRY_DECLARE_OF(scheduler, scheduler)

/* Returns false if threads would make no progress with these constants. This is the case if the
 * scheduler counts the time of a context switch as the thread's time, and a switch takes as long as
 * a quantum or longer. */
bool host_scheduler_gets_on(const struct host_constants *constants);

/* The table of the constants in struct host_constants, for platform_new() and platform_bind().
 * `noise` and `scheduler` are not in it. The names of the constants are host.quantum,
 * host.work.doorbell.cost, host.copy.cached.pinned.bandwidth, and so on. */
extern const struct constant_table host_constant_table;

/* One server of the platform. Both pointers are borrowed and must outlive the run. */
struct host_description {
	const char *name; /* name of the SimGrid host on which its threads run */
	const struct host_constants *constants;
	bool shares;   /* true: uses the machine and the cores of the host before it */
	bool bound;    /* true: all threads of the host can use only one core */
	uint16_t core; /* if `bound` is set: number of this core, modulo the number of cores */
};

#endif
