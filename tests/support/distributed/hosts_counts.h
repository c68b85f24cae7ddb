/* Counts the work of the hosts of a distributed device: the messages and bytes that each host sends
 * and receives, the counters of the meshes, and the work of all threads. A native run and a
 * simulated run of the same program must have the same counts. */
#ifndef TEST_HOSTS_COUNTS_H
#define TEST_HOSTS_COUNTS_H

#include "hosts_case.h"

enum { HOSTS_COUNTS_MAX = 4 };

struct hosts_counts {
	struct channel_counts hub, ends[HOSTS_COUNTS_MAX]; /* counters at the time of closing */
	struct mesh_counters mesh;			   /* counters of all hosts while open */
	struct work_counts work;			   /* work of all threads after their end */
};

/* Makes the controller and the executors of a case store their counters in `counts`. Call it after
 * hosts_case_init(). Only one case at a time may use this function. */
void hosts_counts_init(struct hosts_case *hosts, struct hosts_counts *counts);

/* Fails the test unless `seen` and `expected` can be the counts of two runs of the same program.
 * `what` is the name of the runs in messages. Counts that depend on the schedule are not compared:
 * polls, waits, and queue operations between threads. */
void hosts_counts_check(
	const char *what, const struct hosts_counts *seen, const struct hosts_counts *expected);

#endif
