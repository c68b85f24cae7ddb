/* Result files of planted loads: what each operation costs, how it is waited for, and what scatters
 * is said; the marks follow from that as those of a queue with one server. Written by the harness's
 * own writer. */
#ifndef TEST_PLANTED_LOAD_H
#define TEST_PLANTED_LOAD_H

#include <stdbool.h>
#include <stdint.h>

enum { LOAD_RUNS_MAX = 256, LOAD_OPERATIONS_MAX = 400 };

struct planted_load {
	const char *design; /* value of the swept key runtime.design */
	int64_t at;	    /* value of the swept key `key` */
	uint64_t seed;
	uint32_t operations;		/* of each program, none of them warm-up */
	bool in_flight;			/* nobody waits but for all at the end; else for each */
	int64_t copy, dispatch, worker; /* ps of an operation's stages; others take little */
	uint32_t tail_every; /* each so many-th operation takes `tail` more to dispatch */
	int64_t tail;
	double run_noise, own_noise, operation_noise; /* parts of all stages: of all designs alike
							 with one seed, of one design's run, of one
							 operation */
	int64_t busy;				      /* ps of host CPU by operation */
	int64_t spinning;			      /* of it */
	uint64_t bytes;				      /* > 0: writes of a buffer */
	int64_t other; /* > 0: a second program in turns, whose dispatch takes that */
	const char *scenario, *platform; /* NULL: short ones */
};

/* Writes the runs to `path`; `folder` is for temporary parts. */
void planted_load_write(const char *path, const char *folder, const char *key,
	const struct planted_load *loads, uint32_t count);

#endif
