/* Records what happens to every operation. Gives each operation a number, and stores the times of
 * its marks (lists/mark.def) in a row (struct op_row of bench/results/results.h). A mark must have
 * the number of an operation that the recorder has started, or 0 if it belongs to no operation. */
#ifndef BENCH_RECORDER_H
#define BENCH_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/results/results.h"
#include "base/arena.h"
#include "world/world.h"

struct path_wish;
struct op_recorder; /* opaque */
struct op_paths;
struct step_names; /* bench/results/metrics.h */

/* Makes a recorder for `capacity` operations. If `shared` is set, several threads, and processes
 * that are forked later, can mark the same operations at the same time. Native runs set it. */
struct op_recorder *op_recorder_new(uint32_t capacity, bool shared);

/* Frees recorder and rows. NULL is allowed. */
void op_recorder_free(struct op_recorder *recorder);

/* Returns the sink of marks, which must be passed to the world. */
struct recorder op_recorder_sink(struct op_recorder *recorder);

/* Starts the recording of causes, from which the paths of operations are computed. Call it before
 * the first mark, and only in the simulated world. `wish` says which paths are computed, as in
 * op_paths_new(). `names` and `wish` are borrowed. */
void op_recorder_follow(
	struct op_recorder *recorder, const struct path_wish *wish, const struct step_names *names);

/* Returns the critical paths of all operations so far. The recorder owns them. Returns NULL if
 * op_recorder_follow() was not called. */
struct op_paths *op_recorder_paths(struct op_recorder *recorder);

/* The CPU time of host threads so far, in ps. The threads that serve mesh i are family i + 1; all
 * other threads are family 0. */
struct op_cpu {
	int64_t (*all_ps)(void);	       /* of all threads */
	int64_t (*others_ps)(uint32_t family); /* of the families other than 0 and this one */
	void (*enter)(uint32_t family);	       /* the calling thread enters a family, and so do
						* threads that it starts later */
};

/* Also records how much CPU time the run's host threads had used at three moments of each
 * operation: at the call, when the call returned, and when the operation was complete. Call it
 * before the first mark, and only in the simulated world. `cpu` is borrowed. */
void op_recorder_count_cpu(struct op_recorder *recorder, const struct op_cpu *cpu);

/* The calling thread enters a family (struct op_cpu). Does nothing if CPU time is not recorded. */
void op_recorder_enter(const struct op_recorder *recorder, uint32_t family);

/* Also records the marks of watched operations on each chip as slices of a timeline
 * (watch/watch.h). Call it before the first mark, and only in the simulated world. */
void op_recorder_watch(struct op_recorder *recorder);

/* Drops all later marks. If the recorder is shared, a mark that is being set may still arrive. */
void op_recorder_stop(struct op_recorder *recorder);

/* Properties of an operation that the caller knows. */
struct op_start {
	const char *kind, *thread;
	const char *program; /* operation of a model binary; NULL: none */
	uint32_t step, iteration;
	uint8_t queue, mesh_number;
	const char *mesh; /* NULL: the mesh has no name */
	bool warmup;
	bool part;	     /* an event on only some of the mesh's devices */
	uint8_t sub_devices; /* bitmap of the sub-devices that the operation uses or waits for; 0:
			      * all */
	uint32_t awaits;     /* the operation that recorded the event for which this operation's
			      * queue waits; 0: none */
	uint64_t bytes;
	int64_t arrival_ps; /* time at which the call was due; -1: it is not in an open loop */
};

/* Starts a new operation and returns its number: 1, 2, ... The client calls this before the call of
 * the operation. */
uint32_t op_recorder_start(struct op_recorder *recorder, const struct op_start *start);

/* Returns the rows so far, which are valid until the recorder is freed. */
const struct op_row *op_recorder_rows(const struct op_recorder *recorder, uint32_t *count);

/* The work of a run's host threads, as rows of the table `work`. Each kind of work has a row. Each
 * pair of a source memory and a destination memory has a row for copies. Each codec that was used
 * has rows for the commands, arguments and bytes that it wrote and read. */

/* Makes the rows in the arena. Returns their number. */
uint32_t work_rows(
	const struct work_counts *counts, struct arena *arena, const struct work_row **made);

/* The critical path of every operation. It divides the time of each metric of the operation into
 * stages, and gives the time that was charged for each constant. It is computed from the causes of
 * events, which the simulation records (cause/cause.h). Native runs record no causes, so they have
 * no paths. */

struct op_paths; /* opaque */

/* The paths whose stages are computed: those of the operations of a step or of a kind (both NULL:
 * of no operation), and, if `latency` is set, that of the latency of each operation. */
struct path_wish {
	const char *step, *kind;
	bool latency;
};

/* Makes paths for up to `capacity` operations, and starts the recording of causes. Call it only
 * once in a process. Computes the lengths of all paths and the totals of charges, and the stages of
 * those that `wish` names; NULL: of all. With few wishes it is far faster if many operations are in
 * flight, because each path then goes through events of all earlier operations. `names` are the
 * names of steps, by which charges are summed; NULL means that no step has a name. `names` and
 * `wish` are borrowed. */
struct op_paths *op_paths_new(
	uint32_t capacity, const struct path_wish *wish, const struct step_names *names);

/* NULL is allowed. */
void op_paths_free(struct op_paths *paths);

/* Call op_paths_start() for a new operation. Operations must have consecutive numbers. Call
 * op_paths_mark() when an operation passes a mark. This stores the current event as the cause of
 * the mark. */
void op_paths_start(struct op_paths *paths, const struct op_row *row);
void op_paths_mark(struct op_paths *paths, const struct op_row *row, enum mark_point point);

/* Computes the paths of those operations that have probably passed all their marks. If `all` is
 * set, computes the paths of all remaining operations. `rows` are the rows of all operations so
 * far; rows[0] is operation 1. */
void op_paths_take(struct op_paths *paths, const struct op_row *rows, uint32_t count, bool all);

/* Returns the paths so far, which are valid until the next call of op_paths_take(). */
const struct path_row *op_paths_rows(const struct op_paths *paths, uint32_t *count);

/* Returns the charges so far, allocated in `arena`. */
struct charge_row *op_paths_charges(
	const struct op_paths *paths, struct arena *arena, uint32_t *count);

#endif
