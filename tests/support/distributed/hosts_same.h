/* A device over several hosts is the mesh of one host: one random program, written against the
 * handle, and what it has read and left. */
#ifndef TEST_HOSTS_SAME_H
#define TEST_HOSTS_SAME_H

#include "hosts_counts.h"

enum { HOSTS_SAME_ROWS = 4, HOSTS_SAME_COLUMNS = 4 };

/* What a run leaves. */
struct hosts_outcome {
	uint64_t reads; /* hash of all that was read */
	uint64_t memory[HOSTS_SAME_ROWS * HOSTS_SAME_COLUMNS];
	struct launch_result results[HOSTS_SAME_ROWS * HOSTS_SAME_COLUMNS];
	struct hosts_counts counts; /* of several hosts alone */
};

/* Set-up of a group of tests; `state` is not used. */
int hosts_same_begin(void **state);

/* The program of this seed natively on one host, and on the hosts of a choice, which says nothing
 * of rows and columns. */
struct hosts_outcome hosts_same_one(uint64_t seed);
/* The same where one host allocates binaries as the choice has it: among the buffers, or apart. */
struct hosts_outcome hosts_same_one_for(struct hosts_choice choice, uint64_t seed);
struct hosts_outcome hosts_same_many(struct hosts_choice choice, uint64_t seed);

/* Fails unless they are the same; names the choice. */
void hosts_same_check(struct hosts_choice choice, const struct hosts_outcome *one,
	const struct hosts_outcome *many);

#endif
