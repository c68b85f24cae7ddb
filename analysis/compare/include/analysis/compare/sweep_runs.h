/* The parts of a workload that are not loops. If steps that are called only once are in flight
 * together, the time of each step depends on when the other steps were called. So such steps are
 * judged together, by their makespan (analysis/operations/run.h): the makespan of the whole run, or
 * of a stretch of it. A stretch is a series of steps. A step belongs to the stretch of the step
 * before it if, in at least one run of the sweep, the host calls this step without knowing that all
 * earlier operations are complete. */
#ifndef ANALYSIS_COMPARE_SWEEP_RUNS_H
#define ANALYSIS_COMPARE_SWEEP_RUNS_H

#include "analysis/compare/sweep_loops.h"
#include "analysis/operations/run.h"

/* A step of any kind. */
struct sweep_run_step {
	uint32_t step, mesh_number;
	const char *name;
	bool of_kind;	 /* it is of the kind that is judged */
	bool repeats;	 /* some run calls it more than once */
	bool warmed;	 /* in some run, warm-up calls it first */
	bool together;	 /* in some run, it is in flight together with other steps */
	bool of_loop;	 /* it is a step of a loop that is judged by its rounds */
	uint32_t before; /* index of an earlier step of the same stretch; the step's own index if
			  * there is none */
};

struct sweep_run_steps {
	struct sweep_run_step at[SWEEP_PARTS_MAX];
	uint32_t count;
	bool many;    /* there are more steps than these */
	bool loops;   /* some run calls a step of the kind more than once */
	bool warmed;  /* in some run, warm-up calls a step of the kind first */
	bool single;  /* some run calls steps of the kind, but none twice */
	bool mixed;   /* both, and no loop is in all runs, so that rounds cannot be compared */
	bool overlap; /* some run calls a step of the kind again while it is in flight */
	bool rates;   /* operations arrive at a rate */
	bool any;     /* some run calls a step of the kind */
};

/* The steps of a stretch. */
struct sweep_run {
	struct sweep_part at[SWEEP_PARTS_MAX];
	uint32_t count; /* 0: all steps */
	bool of_loops;	/* the stretch has steps of loops, too */
	bool one_left;	/* its steps are a loop, and only one round of the loop is left after the
			 * warm-up */
};

/* Adds the steps of a run. `kind` is the kind that is judged. Texts are in `arena`. */
void sweep_run_steps_add(struct sweep_run_steps *steps, const struct operations *operations,
	const char *kind, struct arena *arena);

/* Records that the step of the kind with this name is in flight together with others. */
void sweep_run_steps_together(struct sweep_run_steps *steps, const char *name);

/* Records which steps are in loops. Call it after all runs were added. */
void sweep_run_steps_close(struct sweep_run_steps *steps, const struct sweep_loops *loops);

/* True if the makespan of the whole run is judged. Three conditions must hold. Operations do not
 * arrive at a rate. No run calls a step of the judged kind more than once, or only some runs do and
 * no loop is in all runs. There are several steps of the judged kind, or the only one is in flight
 * together with other work or with itself. */
bool sweep_run_is_asked(const struct sweep_run_steps *steps);

/* Lists the stretches whose makespan is judged, in the order of their first steps. These are the
 * stretches with a step of the judged kind that is in no loop, and in flight together with other
 * steps. A stretch that is the whole run is left out. `runs` has SWEEP_PARTS_MAX entries. names[i]
 * becomes the name of the first step of the judged kind in stretch i. Returns the number of
 * stretches. */
uint32_t sweep_run_stretches(
	const struct sweep_run_steps *steps, struct sweep_run *runs, const char **names);

/* Measures the makespan of a run, or of a stretch, of operations of `kind`. */
struct run_makespan sweep_run_measure(const struct operations *operations,
	const struct sweep_run *run, const char *kind, struct arena *arena);

#endif
