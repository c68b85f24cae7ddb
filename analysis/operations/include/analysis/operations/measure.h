/* What is measured of the operations of a run, chosen by a rule from how its workload waits for
 * them (analysis/README.md): call to completion where each is waited for, the steady interval
 * between completions where several are in flight, time by byte of transfers. Refuses a steady
 * state where there is none, and says how many operations would show one. */
#ifndef ANALYSIS_OPERATIONS_MEASURE_H
#define ANALYSIS_OPERATIONS_MEASURE_H

#include "analysis/operations/samples.h"
#include "analysis/operations/statistics.h"

enum measure_mode {
	MEASURE_EACH,	  /* waited for one by one: METRIC_COMPLETION */
	MEASURE_FLIGHT,	  /* in flight: interval between completions */
	MEASURE_TRANSFER, /* moves data: time by MEASURE_BYTES */
	MEASURE_OPEN,	  /* arrives at a rate, and is not waited for: METRIC_LATENCY */
	MEASURE_ASKED,	  /* whatever metric was asked for */
};

/* Times of transfers are those of so many bytes, so that whole picoseconds are exact enough. */
#define MEASURE_BYTES (UINT64_C(1) << 20)

struct measured {
	uint32_t operations;  /* that count: no warm-up */
	uint64_t bytes;	      /* of them */
	uint32_t in_flight;   /* most that were under way at once */
	struct sorted values; /* of the mode, ps: of an operation, or of a batch of them */
	double interval;      /* steady, between completions, or all that is known; 0: nothing */
	int64_t makespan;     /* first call, or end of the warm-up behind which it waits, to last
				 completion; -1: nobody knows */
	double offered;	      /* interval between arrivals of an open loop, ps; 0: closed */
	bool saturated;	      /* completions are slower than arrivals */
	uint32_t needed;      /* operations that a steady state would need; 0: it has one */
	bool has_stages;
	double stages[STAGE_COUNT]; /* mean of an operation, ps */
};

/* How the operations of `subject` are waited for. */
enum measure_mode measure_mode_of(const struct operations *operations, const char *subject);

/* Measures them in that mode; `metric` is what MEASURE_ASKED takes. All in `arena`. */
void measure_take(const struct operations *operations, const char *subject, enum measure_mode mode,
	enum metric metric, struct arena *arena, struct measured *measured);

/* "completion", "interval", "transfer": what the mode measures. */
const char *measure_name(enum measure_mode mode, enum metric metric);

#endif
