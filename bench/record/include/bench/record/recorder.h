/* Records the life of every operation: numbers operations, and turns marks (lists/mark.def) into
 * rows of bench/results/results.h. Marks must have a number that the recorder has given, or 0,
 * which means no operation. */
#ifndef BENCH_RECORDER_H
#define BENCH_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/results/results.h"
#include "world/recorder.h"

struct op_recorder; /* opaque */
struct op_paths;

/* Makes room for `capacity` operations. `shared`: marks come from several threads at once
 * (natively), and from processes forked from now on, which mark the same operations. */
struct op_recorder *op_recorder_new(uint32_t capacity, bool shared);

/* Frees recorder and rows. NULL is allowed. */
void op_recorder_free(struct op_recorder *recorder);

/* The sink of marks, to be passed to the world. */
struct recorder op_recorder_sink(struct op_recorder *recorder);

/* Records causes. Call it before the first mark, in the simulated world only. */
void op_recorder_follow(struct op_recorder *recorder);

/* The paths of all operations so far, owned by the recorder. NULL without op_recorder_follow(). */
struct op_paths *op_recorder_paths(struct op_recorder *recorder);

/* Shows what chips do (watch/watch.h). Call it before the first mark, in the simulated world
 * only. */
void op_recorder_watch(struct op_recorder *recorder);

/* Drops all further marks. If the recorder is shared, a mark that is under way may still arrive. */
void op_recorder_stop(struct op_recorder *recorder);

/* Properties of an operation that the caller knows. */
struct op_start {
	const char *kind, *thread;
	uint32_t step, iteration;
	uint8_t queue, mesh_number;
	const char *mesh; /* NULL: it has no name */
	bool warmup;
	bool part;	     /* an event on some of its mesh's devices */
	uint8_t sub_devices; /* bitmap of those that it uses and waits for; 0: all */
	uint64_t bytes;
	int64_t arrival_ps; /* when it was due; -1: not in an open loop */
};

/* Starts a new operation and returns its number: 1, 2, ... The client calls this before it makes
 * the call. */
uint32_t op_recorder_start(struct op_recorder *recorder, const struct op_start *start);

/* The rows so far. Valid until the recorder is freed. */
const struct op_row *op_recorder_rows(const struct op_recorder *recorder, uint32_t *count);

#endif
