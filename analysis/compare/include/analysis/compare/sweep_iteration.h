/* The iterations of a workload. An iteration is one round of an outermost `repeat`. If the host
 * does not wait for a step before it calls the next one, the time of a step depends on the calls
 * before it. So a step may seem faster in a design only because the design calls it later. The time
 * of a whole iteration does not have this error. */
#ifndef ANALYSIS_COMPARE_SWEEP_ITERATION_H
#define ANALYSIS_COMPARE_SWEEP_ITERATION_H

#include "analysis/metrics/completions.h"
#include "analysis/operations/path.h"
#include "analysis/read/summary.h"

enum { SWEEP_ITERATION_STEPS_MAX = 16, SWEEP_ITERATIONS_MAX = 8, SWEEP_PARTS_MAX = 64 };

/* A step of a loop. */
struct sweep_part {
	uint32_t step, mesh_number;
	const char *kind;
	uint32_t each; /* number of its calls in a round */
	uint32_t runs; /* runs of the sweep that call it in the loop; 1 for a single run */
};

struct sweep_iteration_step {
	const char *name;
	/* True if, in more than one of ten calls, the step is in flight together with another step,
	 * or while the host waits for the data of a blocking call of another kind. */
	bool together;
};

struct sweep_iteration {
	/* The first operation of the step that begins the rounds. A round lasts from one call of
	 * this step to its next call. */
	const struct operation *anchor;
	struct sweep_iteration_step steps[SWEEP_ITERATION_STEPS_MAX]; /* the steps of the kind */
	uint32_t step_count;
	/* True if, in more than one of ten calls, a step of the compared kind is called while work
	 * of another kind is in flight. The time of the step then depends on when the other work
	 * was called. */
	bool behind;
	/* True if, in more than one of ten calls, a step of the compared kind is in flight while a
	 * blocking call of another kind, such as a read, waits for its data. The blocked thread may
	 * wake up late. This delay makes the round longer, but no step of the compared kind. */
	bool holds;
	/* True if programs are compared, and a step of the rounds moves data. */
	bool works_beside;
	struct sweep_part parts[SWEEP_PARTS_MAX]; /* the steps of the iteration, of any kind */
	uint32_t part_count;
};

struct sweep_iterations {
	struct sweep_iteration at[SWEEP_ITERATIONS_MAX]; /* ordered by their first calls */
	uint32_t count;
	/* Steps of the kind that are in no iteration. */
	struct sweep_iteration_step others[SWEEP_PARTS_MAX];
	uint32_t other_count;
};

/* The names of the steps of a repeat. */
struct sweep_within {
	const char **names;
	uint32_t count; /* number of names; 0: any step */
};

/* True if the repeat has a step with this name. */
bool sweep_within_has(const struct sweep_within *within, const char *name);

/* Finds the iterations in the operations of a run. The calls of one step, the anchor, begin the
 * rounds of an iteration. The anchor is called at least twice. Between two calls of the anchor, the
 * same thread calls each step of the iteration equally often. If several steps could be the anchor,
 * takes one whose rounds have the most calls of kind `kind`; among these, one that is called least
 * often. If `within` has names, rounds consist of steps with these names, and need not have a step
 * of kind `kind`. Returns false if there is no iteration, or if operations arrive at a rate. */
bool sweep_iterations_find(const struct operations *operations, const char *kind,
	const struct sweep_within *within, struct sweep_iterations *found);

/* Sets *names to the names of the steps in the repeat or trace which has the name `name` in the
 * scenario of a run. Returns the number of names; 0 if there is no such repeat or trace. */
uint32_t sweep_repeat_steps(struct summary *summary, uint64_t row, const char *name,
	const char ***names, struct arena *arena);

/* Returns the number of rounds that the scenario of a run gives for a loop, and sets *path to the
 * key with this number. The loop is the outermost one around `step` or, if `step` is NULL, the only
 * outermost one of the scenario. Returns 0 if there is no such loop, or if there are several. */
uint32_t sweep_repeat_rounds(struct summary *summary, uint64_t row, const char *step,
	const char **path, struct arena *arena);

/* Sets *names to the names of all steps in the outermost loop around a step, on all threads, as the
 * scenario of a run gives them. Returns the number of names; 0 if there is no such loop, or if it
 * has too many steps. */
uint32_t sweep_repeat_around(struct summary *summary, uint64_t row, const char *step,
	const char ***names, struct arena *arena);

/* Returns, in `arena`, the name of the loop around a step, as the scenario of a run gives it.
 * Returns NULL if the loop has no name. */
const char *sweep_repeat_of(
	struct summary *summary, uint64_t row, const char *step, struct arena *arena);

/* A repeat may be nested in a loop that has other steps before or after the repeat. A span is one
 * execution of such a repeat with all its rounds. */
struct sweep_spans {
	int64_t *at; /* mean time of a round in each span, ps */
	uint32_t count;
	uint32_t behind;    /* number of spans that begin while work of other steps is in flight */
	uint64_t rounds;    /* number of rounds of all spans */
	double cpu;	    /* time of host threads on cores during all spans, ps; 0: unknown */
	bool splits;	    /* true: all spans can be split into stages */
	struct split split; /* stages, summed over all spans */
};

/* Returns the spans of the repeat whose steps have the names in `within`; they are allocated in
 * `arena`. A span begins with the first call of the repeat, and ends when the host knows that all
 * operations of the repeat are complete. Each call of the step `anchor` ("KIND/NAME") begins a
 * round. If `anchor` is NULL, a span counts as one round. Spans with a warm-up operation are left
 * out. */
struct sweep_spans sweep_spans_find(const struct operations *operations,
	const struct sweep_within *within, const char *anchor, struct arena *arena);

#endif
