/* The iterations of a workload. An iteration is one round of a loop, that is, of a `repeat` that
 * stands in no other one. If the host does not wait for a step before it calls the next one, then
 * the time of a step depends on when the steps before it were called. So a design can win a step
 * only because it calls the step later. The iteration has no such fault. */
#ifndef ANALYSIS_COMPARE_SWEEP_ITERATION_H
#define ANALYSIS_COMPARE_SWEEP_ITERATION_H

#include "analysis/metrics/completions.h"
#include "analysis/operations/path.h"
#include "analysis/read/summary.h"

enum { SWEEP_ITERATION_STEPS_MAX = 16, SWEEP_ITERATIONS_MAX = 8 };

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
	/* A step of the kind is called while work of another kind is in flight, more than one time
	 * of ten. So its time depends on when that work was called. */
	bool behind;
};

struct sweep_iterations {
	struct sweep_iteration at[SWEEP_ITERATIONS_MAX]; /* in the order of their first calls */
	uint32_t count;
	/* Steps of the kind in no iteration that are called more than once. */
	struct sweep_iteration_step others[SWEEP_ITERATION_STEPS_MAX];
	uint32_t other_count;
};

/* The names of the steps of a repeat. */
struct sweep_within {
	const char **names;
	uint32_t count; /* 0: any step */
};

/* True if a step of this name is of the repeat. */
bool sweep_within_has(const struct sweep_within *within, const char *name);

/* Finds the iterations in the operations of a run. The anchor of an iteration is called twice or
 * more; between two of its calls, each step of the iteration is called equally often, by the same
 * thread. Of all such steps it is one whose rounds hold most calls of the kind, and of these one
 * that is called least often. If `within` has names, only steps of these names are in rounds, and
 * an iteration may have no step of the kind. Returns false if there is no iteration, or if
 * operations arrive at a rate. */
bool sweep_iterations_find(const struct operations *operations, const char *kind,
	const struct sweep_within *within, struct sweep_iterations *found);

/* Lists the names of the steps below the repeat or trace that the scenario of a run calls `name`.
 * Returns their number; 0 if there is no such repeat. */
uint32_t sweep_repeat_steps(struct summary *summary, uint64_t row, const char *name,
	const char ***names, struct arena *arena);

/* Returns the name that the scenario of a run gives to the loop in which a step stands, in `arena`.
 * Returns NULL if it gives none. */
const char *sweep_repeat_of(
	struct summary *summary, uint64_t row, const char *step, struct arena *arena);

/* The mean times of a round of a repeat that stands among other steps of a loop. */
struct sweep_spans {
	int64_t *at; /* of each time that the workload came to the repeat, ps */
	uint32_t count;
	uint32_t behind;    /* those that begin while work of other steps is in flight */
	uint64_t rounds;    /* of all spans */
	double cpu;	    /* time on cores during all spans, ps; 0 if it is unknown */
	bool splits;	    /* all spans can be split into stages: */
	struct split split; /* their sums */
};

/* Finds the spans of a repeat, whose steps are `within`, in `arena`. A span begins with its first
 * call and ends when all its operations are complete, as far as the host knows. The rounds of a
 * span are its calls of the step `anchor`, "KIND/NAME"; if `anchor` is NULL, a span is one round.
 * Spans with a warm-up are left out. */
struct sweep_spans sweep_spans_find(const struct operations *operations,
	const struct sweep_within *within, const char *anchor, struct arena *arena);

#endif
