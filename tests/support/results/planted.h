/* Result files with planted designs, written by the harness's own writer: a run has a design, a
 * size, and operations whose marks are spread over a path as asked. */
#ifndef TEST_PLANTED_H
#define TEST_PLANTED_H

#include <stdint.h>

enum { PLANTED_OPERATIONS = 40, PLANTED_RUNS_MAX = 64 };

struct planted_charge {
	const char *constant;
	int64_t each; /* ps of an operation */
};

struct planted_run {
	const char *design; /* value of the swept key runtime.design */
	int64_t size;	    /* value of the swept key workload.size */
	uint64_t seed;
	int64_t copy, dispatch;		 /* ps of the stages; the others take 1,000,000 each */
	int64_t spread;			 /* ps: the copy of operation i takes up to this more */
	uint32_t measured;		 /* operations that are no warm-up; 0: all but two */
	const char *status;		 /* NULL: ok */
	const char *scenario, *platform; /* NULL: short ones */
	const struct planted_charge *charges; /* NULL: nobody knows any */
	uint32_t charge_count;
	const char *model_errors; /* of the file, from its first run; NULL: none */
};

/* Writes the runs to `path`; `folder` is for temporary parts. */
void planted_write(
	const char *path, const char *folder, const struct planted_run *runs, uint32_t count);

/* What an operation of the run takes, but for the spread. */
int64_t planted_latency(const struct planted_run *run);

#endif
