/* The loops of a workload in all runs of a sweep. Runs may call the steps of one loop in different
 * ways: from one thread or from several, and with or without a trace that replays steps. So no
 * single step may mark the start of each round in all runs. Or there is such a step, but it belongs
 * to one thread of several. The rounds of such a loop are timed as a whole: a round ends when all
 * its steps have ended, no matter which threads call them. */
#ifndef ANALYSIS_COMPARE_SWEEP_LOOPS_H
#define ANALYSIS_COMPARE_SWEEP_LOOPS_H

#include "analysis/compare/sweep_iteration.h"
#include "analysis/compare/sweep_points.h"

/* The steps of a loop whose rounds are timed as a whole. */
struct sweep_whole {
	/* `each` of a step is the number of calls in the run with the longest rounds. */
	struct sweep_part at[SWEEP_PARTS_MAX];
	uint32_t count;
	bool threads; /* in some runs, several threads call the steps */
};

struct sweep_loop {
	const char *anchor; /* "KIND/NAME" of the step that begins the rounds in the first run */
	const char *first;  /* "KIND/NAME" of the loop's first step of the kind */
	const char *name;   /* the loop's name in the scenario, or the name of `first` */
	uint32_t runs;	    /* number of runs that have the loop */
	bool asked;	    /* true: the loop itself is a subject, not only its steps */
	const char *lone; /* "KIND/NAME" of the only step of the kind; NULL if there are several */
	struct sweep_within around; /* names of all steps of the outermost repeat */
	struct sweep_whole parts;   /* steps of any kind, but no traces or gathered reads */
	uint32_t iterations;	    /* iterations of the current run that belong to this loop */
	bool anchors_differ;	    /* true: different steps begin the rounds in different runs */
	bool several, one;	    /* some run has several threads; some run has one thread */
	bool split;		    /* true: some run calls the steps in several iterations */
	bool odd;    /* true: in some runs, the calls of the steps have other proportions than in
		      * others */
	bool whole;  /* true: the rounds must be timed as a whole, and this is possible */
	bool parted; /* true: the rounds must be timed as a whole, but this is not possible */
};

struct sweep_loops {
	struct sweep_loop at[SWEEP_ITERATIONS_MAX];
	uint32_t count;
};

/* Adds the loops of the run in row `row` of the summary. `found` has the iterations of this run
 * that have steps of kind `kind`. The texts of the loops are in `arena`. */
void sweep_loops_add(struct sweep_loops *loops, const struct operations *operations,
	const struct sweep_iterations *found, const char *kind, struct summary *summary,
	uint64_t row, struct arena *arena);

/* Call this function when all `runs` runs were added. It removes the loops that some runs do not
 * have. It also removes loops that begin with different steps in different runs, unless they can be
 * timed as a whole. */
void sweep_loops_keep(struct sweep_loops *loops, const char *kind, uint32_t runs);

/* Kinds of operations. */
struct sweep_kinds {
	const char *at[SWEEP_PARTS_MAX];
	uint32_t count;
};

/* Returns the kinds that move data in a loop, except for `kind`. The loops must be those of `kind`.
 * If `kind` launches programs, there are none: the loops are then about their programs. */
struct sweep_kinds sweep_kinds_others(
	const struct sweep_loops *loops, const struct summary *summary, const char *kind);

/* Adds those subjects of `more` that are not in the list yet, by their labels: iterations and runs
 * in front of the list, steps behind it. Returns the new list, which is in `arena`, and sets *count
 * to its length. */
struct sweep_subject *sweep_subjects_join(const struct sweep_subject *list, uint32_t *count,
	const struct sweep_subject *more, uint32_t more_count, struct arena *arena);

/* The label of an iteration's anchor, "KIND/NAME", in `arena`. */
const char *sweep_anchor_of(const struct sweep_iteration *iteration, struct arena *arena);

/* Returns the index of an operation's step in the loop, or the loop's `count`. */
uint32_t sweep_whole_part(const struct sweep_whole *whole, const struct operation *operation);

/* True if an operation is one of the loop's steps. */
bool sweep_whole_has(const struct sweep_whole *whole, const struct operation *operation);

/* Measures the rounds of a loop that is timed as a whole, in one run. The values are the times from
 * the end of each round to the end of the next round. If a round is called before the previous
 * round is complete, only the steady part of the run is measured. Sets *made to the number of all
 * rounds. If one thread ends nearly all rounds, and calls some step once in each round, sets
 * *charged to the name of this step ("KIND/NAME", in `arena`). Otherwise, sets *charged to NULL. If
 * some step of the loop is called more often in some rounds than in others, there are no values. */
void sweep_take_rounds(const struct operations *operations, const struct sweep_whole *whole,
	const char *kind, struct arena *arena, struct measured *measured, uint32_t *made,
	const char **charged);

/* A thread, and the mean length of its rounds in ps. */
struct sweep_thread_rounds {
	const char *thread;
	double length;
};

/* Returns the CPU time that one more round of the loop costs the host, in ps; -1 if it is unknown.
 * This is the CPU time by which a longer run exceeds a shorter one, divided by the number of
 * additional rounds. In a round of the loop, each thread of the loop makes one of its own rounds.
 * Leaves out the first `warm` rounds of each thread. Measures the next `rounds` rounds, from the
 * time at which all threads have made their first `warm` rounds. `flights` lists the `count`
 * threads that call a round before the previous one is complete, with the lengths of their rounds.
 * All other threads wait for each round. */
double sweep_loop_host_cpu(const struct operations *operations, const struct sweep_whole *whole,
	uint32_t warm, uint32_t rounds, const struct sweep_thread_rounds *flights, uint32_t count);

/* Measures the spans of a repeat that has other steps before or after it (sweep_iteration.h). The
 * time of each span is a sample of the run. */
void sweep_take_spans(const struct operations *operations, const struct sweep_points *points,
	struct arena *arena, struct measured *measured);

/* ---- the threads that call the rounds of one loop in a run, and when they do so ---- */

/* What one thread does in the measured rounds of the loop. */
struct loop_thread {
	const char *name;
	double length; /* time of one round of the step, ps; 0: unknown */
	int64_t begin; /* time of the step's first measured call */
	int64_t end;   /* time at which the step's last call, or the wait for it, returned */
	int64_t cpu;   /* CPU time of the host until `end` */
	/* number of the round of its last call; time and CPU time of the first call of this round
	 */
	uint32_t round;
	int64_t called, cpu_called;
	/* Times at which host threads had written the commands of three calls: the last call, the
	 * first call of the middle round, and the first call of the round at three quarters.
	 * Threads of a pool may write the commands after the call has returned. */
	int64_t posted, middle_posted, late_posted;
	int64_t complete; /* time at which all operations were complete */
};

struct loop_threads {
	struct loop_thread at[SWEEP_PARTS_MAX];
	uint32_t count;
	/* numbers of the middle of the measured rounds, and of the round at three quarters */
	uint32_t middle, late;
	int64_t start, cpu; /* time from which CPU time is counted; CPU time until then */
};

/* Returns the CPU time of the host for one round, in ps. A thread has two phases: first it calls
 * its rounds, then it waits until they are complete. If `waited` is set, it has only one phase,
 * because it waits for each round before it calls the next one. For each phase, the function finds
 * how many cores the thread needs, from the CPU time of intervals in which no phase begins or ends.
 * A round needs the cores of the first phase for the time between two calls, and the cores of the
 * second phase for the rest of the round. Returns -1 if the CPU times in the file do not show how
 * many cores are needed. */
double loop_cpu_by_phases(const struct operations *operations, const struct sweep_whole *whole,
	const struct loop_threads *threads, uint32_t rounds, bool waited);

#endif
