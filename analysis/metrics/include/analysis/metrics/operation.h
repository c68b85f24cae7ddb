/* The operations of one run, as metrics need them: when each operation passed its marks, and which
 * operations end others. The recorder fills these structures from its own records, and analysis
 * from a result file. */
#ifndef ANALYSIS_METRICS_OPERATION_H
#define ANALYSIS_METRICS_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "lists/mark.h"

/* When an operation passed a mark point (lists/mark.def), which can happen several times: `first`
 * and `last` are the first and the last time, `count` is the number of times. If the operation did
 * not pass the mark, they are -1, -1 and 0. */
struct op_mark {
	int64_t first, last;
	uint32_t count;
};

/* Times in ps; -1: never, or unknown. Texts are borrowed. */
struct operation {
	const char *kind, *thread, *mesh;
	const char *step_name, *program; /* of the step (bench/results/results.h); "": none */
	uint32_t step, iteration;
	uint32_t queue, mesh_number;
	bool part;	     /* an event on only some devices: completes no other operation */
	uint8_t sub_devices; /* sub-devices that it uses and waits for, a bit each; 0: all */
	uint32_t awaits;     /* place from 1 of the operation whose event its queue waits for */
	uint64_t bytes;
	int64_t arrival; /* time when it was due, in an open loop; -1: in a closed loop */
	bool warmup;
	/* time that all host threads had spent on cores at the call and at its return; -1 in native
	 * runs, and if the file does not have it */
	int64_t cpu_called, cpu_returned;
	const struct op_mark *marks; /* MARK_POINT_COUNT of them, borrowed */
	/* How the host spent the time from the call to the last doorbell, as four sums: building
	 * the commands, telling readers what to expect, copying into the issue queue, ringing
	 * doorbells. The host alternates between these activities. All are -1 if the file does not
	 * have them. */
	int64_t built, told, copied, rung;
};

/* The recorded time of one stage on the critical path of one metric. The struct is packed because
 * an operation has about ninety of these. */
struct path_piece {
	uint8_t metric; /* enum metric; METRIC_COUNT: time since the previous completion */
	uint8_t stage;
	int64_t time;
} __attribute__((packed));

struct operations {
	struct operation *at;		 /* in the order of the calls */
	const struct path_piece *pieces; /* by operation; NULL: the run recorded none */
	uint32_t *first_piece;		 /* [i]: first index of operation i; count + 1 entries */
	uint32_t count;
	uint32_t *next; /* [i]: the next operation of the same step, or count */
	/* waiter[i] is the operation whose completion told the host that operation i was complete.
	 * It is operation i itself, or the first later operation whose completion the host saw, on
	 * the same queue, or on another queue behind a wait for an event that was recorded behind
	 * operation i. If there is none, it is `count` */
	uint32_t *waiter;
};

/* True if the operation belongs to `subject`: "KIND", or "KIND/NAME" for one step of the kind. */
bool operation_is(const struct operation *operation, const char *subject);

/* Returns the time of the operation's last mark, ps; -1 if it passed no mark. */
int64_t operation_last(const struct operation *operation);

/* Fills `next` and `waiter`; they live in `arena`. */
void operations_link(struct operations *operations, struct arena *arena);

/* If steps of several meshes have the same name, appends the mesh to the names of these steps:
 * "NAME of MESH". So figures never mix meshes. The new names are in `arena`. */
void operations_name(struct operations *operations, struct arena *arena);

#endif
