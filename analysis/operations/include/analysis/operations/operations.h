/* The operations of one run: when each passed its marks. Marks are found by the names of
 * columns, so files with fewer marks can be read. */
#ifndef ANALYSIS_OPERATIONS_OPERATIONS_H
#define ANALYSIS_OPERATIONS_OPERATIONS_H

#include "analysis/read/summary.h"

/* In the order of the dispatch path; RETURNED, which is beside it, among them. */
enum mark {
#define X(name, what, stage, wait) MARK_##name,
#include "world/mark.def"
#undef X
	MARK_COUNT
};

/* Times in ps; -1: never passed. */
struct operation {
	const char *kind, *thread;
	const char *step_name, *program; /* its step's name, see bench/results.h; "" : none */
	uint32_t step, iteration;
	uint32_t queue, mesh_number;
	bool part;	     /* an event on some of the devices, which says nothing of others */
	uint8_t sub_devices; /* that it is of and waits for, a bit each; 0: all */
	uint64_t bytes;
	int64_t arrival; /* when an open loop meant it to be called; -1: whenever */
	bool warmup;
	int64_t first[MARK_COUNT], last[MARK_COUNT];
	/* Of the time from the call to the last doorbell: what went into building, telling
	 * readers, copying, ringing, in turns; all -1 in files that do not say. */
	int64_t built, told, copied, rung;
};

/* A stage of the way of one metric of an operation, as the run has recorded it. Of an operation
 * there are some ninety, so they are small. */
struct path_piece {
	uint8_t metric; /* enum metric; METRIC_COUNT: since the completion before */
	uint8_t stage;
	int64_t time;
} __attribute__((packed));

struct operations {
	struct operation *at;		 /* in the order of the calls */
	const struct path_piece *pieces; /* by operation; NULL: the run recorded none */
	uint32_t *first_piece;		 /* [i]: of operation i; count + 1 of them */
	uint32_t count;
	uint32_t *next; /* [i]: the next operation of the same step, or count */
	/* [i]: the operation by whose completion the host knew that this one was complete: itself,
	 * or the next on the same queue that was seen to complete; or count */
	uint32_t *waiter;
};

/* What is asked about: "KIND", or "KIND/NAME" of one of its steps. True if the operation is. */
bool operation_is(const struct operation *operation, const char *subject);

/* True if the run of `group` recorded operations, were it none. */
bool operations_recorded(struct summary *summary, const char *group);

/* The rows of /ops that are its own. False with a sentence in `why`. */
bool operations_rows(struct summary *summary, const char *group, struct arena *arena,
	struct dataset *rows, struct text *why);

/* Reads its operations into `arena`. False with a sentence in `why`. */
bool operations_read(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why);

/* The same without the ways that the run recorded: times only. */
bool operations_survey(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why);

/* Fills `next` and `waiter` of operations that were made otherwise. */
void operations_link(struct operations *operations, struct arena *arena);

#endif
