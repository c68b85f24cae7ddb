/* The loops of a workload in all runs of a sweep. Runs may call the steps of one loop in different
 * ways: from one thread or from several, and with a trace that replays steps or without. Then no
 * step begins the rounds in all of them, or its rounds are only those of its own thread. The rounds
 * of such a loop are timed as a whole: a round is over when all its steps are, whoever calls them.
 */
#ifndef ANALYSIS_COMPARE_SWEEP_LOOPS_H
#define ANALYSIS_COMPARE_SWEEP_LOOPS_H

#include "analysis/compare/sweep_iteration.h"
#include "analysis/compare/sweep_points.h"

/* The steps of a loop whose rounds are timed as a whole. */
struct sweep_whole {
	/* The calls in a round are those of the run with the longest rounds. */
	struct sweep_part at[SWEEP_PARTS_MAX];
	uint32_t count;
	bool threads; /* several threads call them, in some runs */
};

struct sweep_loop {
	const char *anchor; /* "KIND/NAME" of the step that begins its rounds, in the first run */
	const char *first;  /* "KIND/NAME" of its first step of the kind */
	const char *name;   /* its own in the scenario, or that of its first step of the kind */
	uint32_t runs;	    /* that have it */
	bool asked; /* in some run two or more steps of the kind are in it, or one is behind others
		     */
	const char *lone; /* "KIND/NAME" of its step of the kind if there is only one, or NULL */
	struct sweep_whole parts; /* steps of any kind but traces */
	uint32_t iterations;	  /* of the run that is looked at that are of this loop */
	bool anchors_differ;	  /* between runs */
	bool several, one;	  /* some run calls it from several threads; from one */
	bool split;		  /* some run calls it in several iterations */
	bool odd;		  /* the calls of its steps have no common measure */
	bool whole;		  /* its rounds have to be timed as a whole, and can be */
	bool parted;		  /* they have to be, and cannot */
};

struct sweep_loops {
	struct sweep_loop at[SWEEP_ITERATIONS_MAX];
	uint32_t count;
};

/* Adds the loops of a run, whose iterations of `kind` are `found`. Texts are in `arena`. */
void sweep_loops_add(struct sweep_loops *loops, const struct operations *operations,
	const struct sweep_iterations *found, const char *kind, struct summary *summary,
	uint64_t row, struct arena *arena);

/* Keeps the loops that all of `runs` runs have. They begin with the same step, or can be timed as a
 * whole. */
void sweep_loops_keep(struct sweep_loops *loops, const char *kind, uint32_t runs);

/* The label of an iteration's anchor, "KIND/NAME", in `arena`. */
const char *sweep_anchor_of(const struct sweep_iteration *iteration, struct arena *arena);

/* True if an operation is one of the loop's steps. */
bool sweep_whole_has(const struct sweep_whole *whole, const struct operation *operation);

/* Measures the rounds of a loop as a whole in a run: the times from the end of one round to that of
 * the next, which sum to the time of all rounds. If rounds follow each other in flight, they are
 * those of the steady part. Sets *made to the number of all rounds, and *charged to the step whose
 * rounds are nearly all of these ("KIND/NAME", in `arena`), or to NULL. If a step of the loop is
 * not called equally often in each round, there are no values. */
void sweep_take_rounds(const struct operations *operations, const struct sweep_whole *whole,
	const char *kind, struct arena *arena, struct measured *measured, uint32_t *made,
	const char **charged);

/* Takes the spans of a repeat among other steps as the samples of a run. */
void sweep_take_spans(const struct operations *operations, const struct sweep_points *points,
	struct arena *arena, struct measured *measured);

#endif
