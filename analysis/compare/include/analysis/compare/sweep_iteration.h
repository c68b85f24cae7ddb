/* The iteration of a workload: one round of its outermost `repeat`, or of the one with most
 * operations of the kind if there are several. If several steps of a kind are in it, and the host
 * does not wait for each of them before it calls the next, then the time of a step depends on when
 * the steps before it were called. So a design can win a step only because it calls the step later.
 * The iteration has no such fault. */
#ifndef ANALYSIS_COMPARE_SWEEP_ITERATION_H
#define ANALYSIS_COMPARE_SWEEP_ITERATION_H

#include "analysis/metrics/completions.h"
#include "analysis/read/summary.h"

enum { SWEEP_ITERATION_STEPS_MAX = 16 };

struct sweep_iteration_step {
	const char *name;
	bool together; /* in flight together with another one, more than one time of ten */
};

struct sweep_iteration {
	/* An operation of the step that begins the rounds. A round lasts from one of its calls to
	 * the next. */
	const struct operation *anchor;
	struct sweep_iteration_step steps[SWEEP_ITERATION_STEPS_MAX]; /* of the kind */
	uint32_t step_count;
	/* Steps of the kind outside of the rounds that are called more than once, such as those of
	 * another loop. */
	struct sweep_iteration_step others[SWEEP_ITERATION_STEPS_MAX];
	uint32_t other_count;
};

/* The names of the steps of a repeat. */
struct sweep_within {
	const char **names;
	uint32_t count; /* 0: any step */
};

/* Finds the iteration in the operations of a run. The anchor is called twice or more; between two
 * of its calls, each step of the iteration is called equally often, by the same thread. Of all such
 * steps it is one whose rounds hold most calls of the kind, and of these one that is called least
 * often. If `within` has names, only steps of these names are in rounds. Returns false if there is
 * no anchor, if no step of the kind is in the iteration and there are no names, or if operations
 * arrive at a rate. */
bool sweep_iteration_find(const struct operations *operations, const char *kind,
	const struct sweep_within *within, struct sweep_iteration *iteration);

/* Lists the names of the steps below the repeat or trace that the scenario of a run calls `name`.
 * Returns their number; 0 if there is no such repeat. */
uint32_t sweep_repeat_steps(struct summary *summary, uint64_t row, const char *name,
	const char ***names, struct arena *arena);

#endif
