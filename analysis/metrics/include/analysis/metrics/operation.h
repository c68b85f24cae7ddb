/* The operations of one run, in the form from which metrics are computed. For each operation, there
 * are the times at which it passed its marks, and its `waiter`: the operation whose completion
 * showed the host that this operation was complete. The recorder fills these structures from its
 * own records. The analysis fills them from a result file. */
#ifndef ANALYSIS_METRICS_OPERATION_H
#define ANALYSIS_METRICS_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "lists/mark.h"

/* The times at which an operation passed a mark point (lists/mark.def). It may pass the point
 * several times: `first` and `last` are the first and the last time in ps, and `count` is the
 * number of times. If it did not pass the point, they are -1, -1 and 0. */
struct op_mark {
	int64_t first, last;
	uint32_t count;
};

/* Times in ps; -1: never, or unknown. Texts are borrowed. */
struct operation {
	const char *kind, *thread, *mesh;
	/* name and program of the step (bench/results/results.h); "": none */
	const char *step_name, *program;
	uint32_t step, iteration;
	uint32_t queue, mesh_number;
	/* an event on some of the devices only, so its completion completes no other operation */
	bool part;
	uint8_t sub_devices; /* sub-devices that it uses and waits for, one bit each; 0: all */
	uint32_t awaits;     /* index + 1 of the operation whose event its queue waits for */
	uint64_t bytes;
	int64_t arrival; /* open loop: time at which the operation was due; -1: closed loop */
	bool warmup;
	/* The time that all host threads had spent on cores at three moments: when the operation
	 * was called, when the call returned, and when the operation was complete (completed_at()).
	 * -1 in native runs, and if the file does not have these times. */
	int64_t cpu_called, cpu_returned, cpu_complete;
	/* The part of these times that belongs to threads which serve other meshes only */
	int64_t others_called, others_returned, others_complete;
	const struct op_mark *marks; /* MARK_POINT_COUNT marks, borrowed */
	/* How the host spent the time from the call to the last doorbell, in ps: the total times of
	 * building commands, of telling reader threads what to expect, of copying into the issue
	 * queue, and of ringing doorbells. All are -1 if the file does not have them. */
	int64_t built, told, copied, rung;
};

/* The recorded time of one stage on the critical path of one metric. The struct is packed because
 * an operation has about ninety of these. */
struct path_piece {
	uint8_t metric; /* an enum metric; METRIC_COUNT: time since the previous completion */
	uint8_t stage;
	int64_t time;
} __attribute__((packed));

struct operations {
	struct operation *at;		 /* operations in the order of their calls */
	const struct path_piece *pieces; /* sorted by operation; NULL: the run recorded none */
	uint32_t *first_piece;		 /* [i]: first piece of operation i; count + 1 entries */
	uint32_t count;
	uint32_t *next; /* [i]: index of the next operation of the same step, or `count` */
	/* waiter[i] is the operation from which the host learned that operation i was complete. It
	 * is operation i itself, or the first later operation whose completion the host saw and
	 * which shows that operation i is complete. Such a later operation is on the same queue, or
	 * on another queue that waited for an event recorded after operation i. If there is none,
	 * waiter[i] is `count`. */
	uint32_t *waiter;
	bool measured; /* on a machine, not simulated: times have noise of other programs */
};

/* True if the operation belongs to `subject`: "KIND", or "KIND/NAME" for one step of the kind. */
bool operation_is(const struct operation *operation, const char *subject);

/* True if operations of this kind replay a trace. The operations of the trace come right after such
 * an operation, and have the same thread and time of call. */
bool operation_is_replay(const char *kind);

/* Returns the time of the operation's last mark, ps; -1 if it passed no mark. */
int64_t operation_last(const struct operation *operation);

/* Fills `next` and `waiter`; they live in `arena`. */
void operations_link(struct operations *operations, struct arena *arena);

/* If steps of several meshes have the same name, appends the mesh to their names ("NAME of MESH"),
 * so that no figure is computed over two meshes. The new names are in `arena`. */
void operations_name(struct operations *operations, struct arena *arena);

#endif
