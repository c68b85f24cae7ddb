/* Writes result files without a simulation. A test chooses the cost of each operation, the noise,
 * and whether callers wait after each operation. The marks are computed as in a queue with one
 * server. The files are written with the code that writes real results. */
#ifndef TEST_PLANTED_LOAD_H
#define TEST_PLANTED_LOAD_H

#include <stdbool.h>
#include <stdint.h>

enum { LOAD_RUNS_MAX = 256, LOAD_OPERATIONS_MAX = 400 };

struct planted_load {
	const char *design; /* value of the swept key runtime.design */
	int64_t at;	    /* value of the swept key `key` */
	uint64_t seed;
	uint32_t operations;		/* number of operations of each program, without warm-up */
	bool in_flight;			/* true: callers wait only at the end; false: they wait
					 * after each operation */
	int64_t copy, dispatch, worker; /* ps of an operation's stages; other stages are short */
	uint32_t tail_every; /* every this many operations, one dispatch takes `tail` longer */
	int64_t tail;
	double run_noise, own_noise, operation_noise; /* standard deviations of the noise,
						       * relative to the mean time. run_noise is
						       * drawn once for each seed, and is the
						       * same for all designs. own_noise is drawn
						       * for each run, and operation_noise for
						       * each operation */
	int64_t busy;				      /* host CPU time per operation, ps */
	int64_t spinning;			      /* part of `busy` in which the host polls */
	uint64_t bytes;				      /* if above 0, operations write a buffer of
						       * this size */
	int64_t other; /* if above 0, launches of two programs alternate, and this is the dispatch
			* time of the second */
	const char *scenario, *platform; /* NULL: short default texts */
	const char *status;		 /* NULL: "ok" */
};

/* Writes the runs to `path`. Temporary parts are in `folder`. */
void planted_load_write(const char *path, const char *folder, const char *key,
	const struct planted_load *loads, uint32_t count);

#endif
