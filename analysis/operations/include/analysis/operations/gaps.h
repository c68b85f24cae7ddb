/* The time before a launch in which the devices of its mesh have no kernel to run, and why.
 * Launches of a mesh run one after the other. So idle time is the time between the ends of two
 * launches, minus the time of the second launch's kernels. Its cause depends on the second launch:
 *   - It arrived in time, and waited for workers: all idle time is dispatch.
 *   - It was called while the first launch ran: it waited behind other commands, or the host called
 *     it late.
 *   - It was called after the end of the first launch: its way to the workers, and before that,
 *     what the host did. */
#ifndef ANALYSIS_OPERATIONS_GAPS_H
#define ANALYSIS_OPERATIONS_GAPS_H

#include "analysis/operations/operations.h"
#include "base/arena.h"

/* Why a device has no kernel to run. */
enum idle_cause {
	IDLE_HOST,     /* the host builds and sends commands, or the application computes */
	IDLE_DISPATCH, /* commands are on their way through PCIe, prefetchers, dispatchers */
	IDLE_WAIT,     /* the host waits until it knows of a completion */
	IDLE_TRANSFER, /* the host writes or reads data */
	IDLE_CAUSES
};

/* The name of a cause, such as "host". */
const char *idle_cause_name(enum idle_cause cause);

/* A gap before a launch. Times are in ps. */
struct idle_gap {
	uint32_t index, before;	    /* the launch, and the launch that ended before it */
	int64_t start, end;	    /* ends of `before` and of the launch */
	int64_t kernel, idle;	    /* their sum is the time from `start` to `end` */
	double causes[IDLE_CAUSES]; /* `idle` by cause */
};

/* Sets *gap to the gap between two launches, which are indices of operations; `before` must be the
 * launch that ended before `index`. Returns false if they are of different meshes, or if the path
 * of the launch is unknown. */
bool idle_gap_find(
	const struct operations *operations, uint32_t index, uint32_t before, struct idle_gap *gap);

/* Returns the indices of all launches outside of the warm-up, in `arena`, by mesh, and by the time
 * of their end. Sets *count to their number. */
uint32_t *idle_launches(const struct operations *operations, struct arena *arena, uint32_t *count);

/* Returns the name under which a launch is shown: that of its step, or its program. */
const char *idle_launch_name(const struct operation *operation);

#endif
