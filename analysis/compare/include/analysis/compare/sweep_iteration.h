/* The iteration of a workload: one round of its outermost `repeat`. If several steps of a kind are
 * in it, and the host does not wait for each of them before it calls the next, then the time of a
 * step depends on when the steps before it were called. So a design can win a step only because it
 * calls the step later. The iteration has no such fault. */
#ifndef ANALYSIS_COMPARE_SWEEP_ITERATION_H
#define ANALYSIS_COMPARE_SWEEP_ITERATION_H

#include "analysis/metrics/completions.h"

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
};

/* Finds the iteration in the operations of a run. The anchor is a step that is called least often,
 * but twice or more; between two of its calls, each step of the iteration is called equally often,
 * by the same thread. Returns false if there is no anchor, if fewer than two steps of the kind are
 * in the iteration, or if operations arrive at a rate. */
bool sweep_iteration_find(
	const struct operations *operations, const char *kind, struct sweep_iteration *iteration);

#endif
