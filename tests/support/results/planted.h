/* Writes result files whose contents a test chooses. A planted run has a design, a size, and
 * operations whose marks have a given distribution. The files are written with the code that writes
 * real results. */
#ifndef TEST_PLANTED_H
#define TEST_PLANTED_H

#include <stdint.h>

enum { PLANTED_OPERATIONS = 40, PLANTED_RUNS_MAX = 64 };

struct planted_charge {
	const char *constant;
	int64_t each; /* time per operation, ps */
};

struct planted_run {
	const char *design; /* value of the swept key runtime.design */
	int64_t size;	    /* value of the swept key workload.size */
	uint64_t seed;
	int64_t copy, dispatch;		 /* ps of these stages; all other stages take 1,000,000 */
	int64_t spread;			 /* largest additional time of a copy, ps */
	uint32_t measured;		 /* operations without warm-up; 0: all but two */
	int64_t host_cpu;		 /* time of one operation, ps; 0: known only for the run */
	const char *status;		 /* NULL: "ok" */
	const char *scenario, *platform; /* NULL: short default texts */
	const struct planted_charge *charges; /* NULL: no charges are recorded */
	uint32_t charge_count;
	const char *model_errors; /* written from the first run only; NULL: none */
};

/* Writes the runs to `path`. Temporary parts are in `folder`. */
void planted_write(
	const char *path, const char *folder, const struct planted_run *runs, uint32_t count);

/* Returns the latency of an operation of the run, without the spread. */
int64_t planted_latency(const struct planted_run *run);

#endif
