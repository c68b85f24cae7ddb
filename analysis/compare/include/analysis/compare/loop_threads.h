/* The threads that call the rounds of one loop in a run, and when they do so (sweep_loops.h). */
#ifndef ANALYSIS_COMPARE_LOOP_THREADS_H
#define ANALYSIS_COMPARE_LOOP_THREADS_H

#include "analysis/compare/sweep_loops.h"

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
