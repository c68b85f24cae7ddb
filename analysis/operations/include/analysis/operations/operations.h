/* The operations of one run: when each passed its marks. Marks are found by the names of
 * columns, so files with fewer marks can be read. */
#ifndef ANALYSIS_OPERATIONS_OPERATIONS_H
#define ANALYSIS_OPERATIONS_OPERATIONS_H

#include "analysis/read/summary.h"

/* In the order of the dispatch path. RETURNED is not on the path: the call may return at any
 * time. */
enum mark {
#define X(name, what, stage, wait) MARK_##name,
#include "world/mark.def"
#undef X
	MARK_COUNT
};

/* Times in ps; -1: never passed. */
struct operation {
	const char *kind, *thread;
	const char *step_name, *program; /* of its step, see bench/results/results.h; "": none */
	uint32_t step, iteration;
	uint32_t queue, mesh_number;
	bool part;	     /* an event on only some devices: completes no other operation */
	uint8_t sub_devices; /* those that it uses and waits for, a bit each; 0: all */
	uint64_t bytes;
	int64_t arrival; /* when it was due, in an open loop; -1: in a closed loop */
	bool warmup;
	int64_t first[MARK_COUNT], last[MARK_COUNT];
	/* How the time from the call to the last doorbell was spent: building, telling readers
	 * what to expect, copying, ringing doorbells, in turns. All -1 if the file does not say. */
	int64_t built, told, copied, rung;
};

/* The time of one stage on the critical path of one metric, as recorded by the run. Packed, because
 * an operation has about ninety of them. */
struct path_piece {
	uint8_t metric; /* enum metric; METRIC_COUNT: time since the previous completion */
	uint8_t stage;
	int64_t time;
} __attribute__((packed));

struct operations {
	struct operation *at;		 /* in the order of the calls */
	const struct path_piece *pieces; /* by operation; NULL: the run recorded none */
	uint32_t *first_piece;		 /* [i]: index of operation i's; count + 1 entries */
	uint32_t count;
	uint32_t *next; /* [i]: the next operation of the same step, or count */
	/* [i]: the operation by whose completion the host knew that this one was complete: itself,
	 * or the next on the same queue that was seen to complete; or count */
	uint32_t *waiter;
};

/* True if the operation belongs to `subject`: "KIND", or "KIND/NAME" for one step of the kind. */
bool operation_is(const struct operation *operation, const char *subject);

/* True if the run in `group` recorded its operations, even if there were none. */
bool operations_recorded(struct summary *summary, const char *group);

/* Reads the rows of /ops that belong to the run. False with a sentence in `why` if it cannot. */
bool operations_rows(struct summary *summary, const char *group, struct arena *arena,
	struct dataset *rows, struct text *why);

/* Reads the run's operations into `arena`, with the paths that it recorded. False with a sentence
 * in `why` if it cannot. */
bool operations_read(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why);

/* The same without the recorded paths: `pieces` stays NULL. */
bool operations_survey(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why);

/* Fills `next` and `waiter` of operations that were not read from a file. */
void operations_link(struct operations *operations, struct arena *arena);

#endif
