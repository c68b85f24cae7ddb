/* Counts the work of the hosts of a distributed device: the messages and bytes of every end, the
 * counters of the meshes, and the units of work of all threads. Both worlds must count the same. */
#ifndef TEST_HOSTS_COUNTS_H
#define TEST_HOSTS_COUNTS_H

#include "hosts_case.h"

enum { HOSTS_COUNTS_MAX = 4 };

struct hosts_counts {
	struct channel_counts hub, ends[HOSTS_COUNTS_MAX]; /* when they were closed */
	struct mesh_counters mesh;			   /* of all hosts, while it is open */
	struct work_counts work; /* of all threads, after they have ended */
};

/* Makes the ends of a case keep their counters in `counts`. Call it after hosts_case_init(). Only
 * one case at a time may do this. */
void hosts_counts_init(struct hosts_case *hosts, struct hosts_counts *counts);

/* Fails unless both runs have done the same work; `what` names them in messages. Counts that depend
 * on the schedule are not compared: polls, waits, and queue operations between threads. */
void hosts_counts_check(
	const char *what, const struct hosts_counts *seen, const struct hosts_counts *expected);

#endif
