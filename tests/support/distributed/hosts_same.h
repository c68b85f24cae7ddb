/* Checks that a device over several hosts behaves like a mesh on one host. Runs the same random
 * program on both, and compares all data that were read, and the contents of memory at the end. The
 * program uses the device handle, which is the interface of both kinds of device. */
#ifndef TEST_HOSTS_SAME_H
#define TEST_HOSTS_SAME_H

#include "hosts_counts.h"

enum { HOSTS_SAME_ROWS = 4, HOSTS_SAME_COLUMNS = 4 };

/* The outcome of a run. */
struct hosts_outcome {
	uint64_t reads; /* hash of all data that the program has read */
	uint64_t memory[HOSTS_SAME_ROWS * HOSTS_SAME_COLUMNS];
	struct launch_result results[HOSTS_SAME_ROWS * HOSTS_SAME_COLUMNS];
	struct hosts_counts counts; /* set only if there are several hosts */
};

/* Setup of a group of tests; `state` is not used. */
int hosts_same_begin(void **state);

/* Runs the program of this seed natively on one host. */
struct hosts_outcome hosts_same_one(uint64_t seed);
/* hosts_same_one_for() runs the program in the native world on one host. `choice` selects where
 * binaries are allocated: in the same memory as buffers, or in a separate region. hosts_same_many()
 * runs the program on the hosts of `choice`. The mesh always has HOSTS_SAME_ROWS x
 * HOSTS_SAME_COLUMNS devices. */
struct hosts_outcome hosts_same_one_for(struct hosts_choice choice, uint64_t seed);
struct hosts_outcome hosts_same_many(struct hosts_choice choice, uint64_t seed);

/* Fails unless both outcomes are equal. Messages contain the choice. */
void hosts_same_check(struct hosts_choice choice, const struct hosts_outcome *one,
	const struct hosts_outcome *many);

#endif
