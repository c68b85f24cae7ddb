/* The makespan of a run, or of some of its steps, and the critical path through it. If operations
 * are in flight together, the time of a single operation says little, because it depends on when
 * the other operations were called. So for a loop, the times of its rounds are compared. For a
 * workload without a loop, the makespan is compared: the time of all its operations together. */
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
	int64_t time;	    /* time from `begin` to `end` without the warm-up between them, ps; -1:
			     * unknown */
	double host_cpu;    /* time that all host threads spent on cores, ps; -1: unknown */
	struct run_piece *at; /* pieces of the critical path, the last one first */
	uint32_t count;
	bool has_stages;    /* the critical path is known */
	struct split split; /* stages of the critical path */
};

/* Returns the time in ps at which the host knew that an operation was complete; INT64_MAX if it
 * never knew. An operation without work on devices is complete when its call returns. The capture
 * of a trace is complete when the first replay of the trace is complete, because the work that was
 * called during the capture runs only then. */
int64_t run_known_at(const struct operations *operations, uint32_t index);

/* Measures a makespan. It begins with the call of the first chosen operation of the chosen kind,
 * and ends when the host knows that the last one is complete. The makespan also includes other
 * operations: those that are called within it, and earlier ones that the host does not yet know to
 * be complete when it begins. The critical path is found from its end to its start. Its last piece
 * is the path of the operation that ends last. The piece before is the path of an operation that
 * ended before that operation was called, and so on. Time between two pieces belongs to the host's
 * calls. If two pieces overlap, the stages of the earlier piece are shortened in proportion. Arrays
 * are in `arena`. */
struct run_makespan run_measure(
	const struct operations *operations, const struct run_choice *choice, struct arena *arena);

/* Writes a makespan to *measured, as the only sample of a run; the sample is in `arena`. */
void run_to_measured(
	const struct run_makespan *makespan, struct arena *arena, struct measured *measured);

/* Adds the charges of each constant on the critical path of a makespan. The path consists of
 * pieces. The charges of a piece are the mean charges of its step and metric, scaled to the length
 * of the piece. Returns false, with a sentence in `why`, if the charges cannot be read. */
bool run_charges_add(struct charges *charges, struct summary *summary, const char *group,
	const struct operations *operations, const struct run_makespan *makespan,
	struct arena *arena, struct text *why);

#endif
