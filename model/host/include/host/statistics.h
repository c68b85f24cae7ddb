/* Statistics of the host model per thread and per core, for results. They are valid until
 * sim_world_stop(). Times are in ps. The times of a thread (busy, spinning, switching, waiting and
 * parked) sum to the time from the thread's start to its end. */
#ifndef HOST_STATISTICS_H
#define HOST_STATISTICS_H

#include <stdint.h>

#include "world/world.h"

/* How a waiting thread came to run again. */
enum host_wake_kind {
	HOST_WAKE_SPIN,	  /* the thread was spinning */
	HOST_WAKE_HOT,	  /* the thread was parked; its core was active recently */
	HOST_WAKE_IDLE,	  /* the thread was parked; its core was in a deep idle state */
	HOST_WAKE_QUEUED, /* the thread was parked; it had to wait for a free core */
	HOST_WAKE_KIND_COUNT
};

struct host_thread_statistics {
	const char *name;
	uint16_t host;
	int64_t started_ps, ended_ps; /* ended_ps is -1 while the thread lives */
	int64_t busy_ps;	      /* time of computing, copies and stalls on loads */
	int64_t copying_ps;	      /* part of busy_ps: copies, with waits for bandwidth */
	int64_t spinning_ps;	      /* time of polling on a core */
	int64_t switching_ps;	      /* time on a core before the thread ran: switches, wake-ups */
	int64_t waiting_ps;	      /* time for which the thread could run, but had no core */
	int64_t parked_ps;	      /* time for which it was blocked or slept, without a core */
	uint64_t switches;    /* number of times that a core switched to it from another thread */
	uint64_t preemptions; /* number of times that it lost its core at the end of a quantum */
	uint64_t wakes[HOST_WAKE_KIND_COUNT];
	uint64_t settles; /* number of times that an account that was not empty was settled */
	struct work_counts work;
};

struct host_core_statistics {
	uint16_t host, core, socket;
	int64_t busy_ps, spinning_ps, switching_ps; /* sums over the threads that ran on the
						     * core; for all other time, the core was
						     * idle */
	uint64_t switches;
};

/* Number of threads that were ever started. Threads are in order of start; 0 is the main thread. */
uint32_t host_thread_count(void);
void host_thread_statistics(uint32_t index, struct host_thread_statistics *statistics);

/* Returns the time that all threads have spent on cores so far: computing, spinning and switching.
 * Costs in the account of the calling thread count as spent. */
int64_t host_cpu_ps(void);

/* Threads that serve one mesh are a family. A thread belongs to the family of the thread that
 * started it, or to the one that it entered last; 0 is the family of all other threads. */
enum { HOST_FAMILIES_MAX = 17 };

/* The calling thread enters a family (0 to HOST_FAMILIES_MAX - 1). Work that it has not paid for
 * yet counts for this family. */
void host_family_enter(uint32_t family);

/* Like host_cpu_ps(), but only of the threads of families other than 0 and `family`. */
int64_t host_cpu_of_others_ps(uint32_t family);

/* Shows the current activity of every live thread up to now (watch/watch.h). */
void host_threads_show(void);

/* Number of cores of all hosts. The cores of one host follow each other. */
uint32_t host_core_count(void);
void host_core_statistics(uint32_t index, struct host_core_statistics *statistics);

#endif
