/* The makespan of a run, or of some steps of it, and the critical path through it. The times of
 * operations that are in flight together say little, because each depends on when the others were
 * called. A workload without a loop has no rounds, so the time of all of it is measured instead. */
#ifndef ANALYSIS_OPERATIONS_RUN_H
#define ANALYSIS_OPERATIONS_RUN_H

#include "analysis/operations/charges.h"
#include "analysis/operations/measure.h"

/* The operations that count. */
struct run_choice {
	const char *kind; /* "KIND" or "KIND/NAME": the makespan is of these operations */
	/* true for operations of the chosen steps; NULL: all steps are chosen */
	bool (*has)(const void *steps, const struct operation *operation);
	const void *steps; /* first argument of `has` */
};

/* A part of the critical path: the path of a metric of an operation. */
struct run_piece {
	uint32_t operation;
	enum metric metric;
	int64_t time; /* the path's length, as far as it is a part of the makespan, ps */
};

struct run_makespan {
	uint32_t first;	    /* the operation that is called first */
	int64_t begin, end; /* ps */
	int64_t time;	    /* from `begin` to `end`, without warm-up in between, ps; -1: unknown */
	double host_cpu;    /* time that all host threads spent on cores, ps; -1: unknown */
	struct run_piece *at; /* pieces of the critical path, the last one first */
	uint32_t count;
	bool has_stages;    /* the critical path is known */
	struct split split; /* stages of the critical path */
};

/* The time at which the host knew that an operation was complete, ps. If the operation has no work
 * on devices, this is when its call returned. INT64_MAX: the host never knew. Capturing a trace is
 * complete when its first replay is, since it is the call of what the trace replays. */
int64_t run_known_at(const struct operations *operations, uint32_t index);

/* Measures a makespan. It begins with the call of the first chosen operation of the kind, and ends
 * when the host knows that the last one is complete. Work of other kinds that the host has called
 * before, and of which it does not know the end at this call, is included. So is work that is
 * called within the makespan. Other work before and after it is not. The critical path goes back
 * from the end: the path of the operation that ends last, then the path of one that ended before
 * this operation was called, and so on. Time between two of them belongs to the calls. If two paths
 * overlap, the stages of the earlier one are scaled to the rest. Arrays are in `arena`. */
struct run_makespan run_measure(
	const struct operations *operations, const struct run_choice *choice, struct arena *arena);

/* Writes a makespan to *measured, as the only sample of a run; the sample is in `arena`. */
void run_to_measured(
	const struct run_makespan *makespan, struct arena *arena, struct measured *measured);

/* Adds what the critical path of a makespan was charged. A piece has the mean charges of its step
 * and metric, scaled to the length of the piece. Returns false, with a sentence in `why`, if the
 * charges cannot be read. */
bool run_charges_add(struct charges *charges, struct summary *summary, const char *group,
	const struct operations *operations, const struct run_makespan *makespan,
	struct arena *arena, struct text *why);

#endif
