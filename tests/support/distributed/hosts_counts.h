/* What the hosts of a distributed device have worked: messages and bytes of every end, what the
 * meshes have issued, and the units of work of all threads. The same in both worlds. */
#ifndef TEST_HOSTS_COUNTS_H
#define TEST_HOSTS_COUNTS_H

#include "hosts_case.h"

enum { HOSTS_COUNTS_MAX = 4 };

struct hosts_counts {
	struct channel_counts hub, ends[HOSTS_COUNTS_MAX]; /* when they were closed */
	struct mesh_counters mesh;			   /* of all hosts, while it is open */
	struct work_counts work; /* of all threads, when they have ended */
};

/* Has the ends of a case counted, after hosts_case_init(). One case at a time. */
void hosts_counts_init(struct hosts_case *hosts, struct hosts_counts *counts);

/* Fails unless both have worked the same; `what` says who they are. What depends on the schedule is
 * not compared: looks, waits, and turns of queues between threads. */
void hosts_counts_check(
	const char *what, const struct hosts_counts *seen, const struct hosts_counts *expected);

#endif
