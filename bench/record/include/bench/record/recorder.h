/* Records the life of every operation: numbers them, and turns marks (world/mark.def) into rows of
 * bench/results/results.h. Refuses marks of operations that it did not number, but 0, which means
 * none. */
#ifndef BENCH_RECORDER_H
#define BENCH_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/results/results.h"
#include "world/recorder.h"

struct op_recorder; /* opaque */
struct op_paths;

/* Room for `capacity` operations. `shared`: marks come from several threads at once (natively), and
 * from processes that are forked from here on, which mark the same operations. */
struct op_recorder *op_recorder_new(uint32_t capacity, bool shared);

/* Frees recorder and rows. NULL is allowed. */
void op_recorder_free(struct op_recorder *recorder);

/* What the world is given: marks arrive here. */
struct recorder op_recorder_sink(struct op_recorder *recorder);

/* From now on, and before the first mark: follows causes. Only in the simulated world. */
void op_recorder_follow(struct op_recorder *recorder);

/* The ways of all operations so far; NULL: nobody followed. The recorder's. */
struct op_paths *op_recorder_paths(struct op_recorder *recorder);

/* From now on, and before the first mark: shows what chips do (watch/watch.h). Only in the
 * simulated world. */
void op_recorder_watch(struct op_recorder *recorder);

/* From now on marks are dropped, and rows stay as they are. */
void op_recorder_stop(struct op_recorder *recorder);

/* What the caller knows of an operation. */
struct op_start {
	const char *kind, *thread;
	uint32_t step, iteration;
	uint8_t queue, mesh_number;
	const char *mesh; /* its name; NULL: it has none */
	bool warmup;
	bool part;	     /* an event on some of its mesh's devices */
	uint8_t sub_devices; /* that it is of and waits for, a bit each; 0: all */
	uint64_t bytes;
	int64_t arrival_ps; /* when it should have begun; -1: nobody said */
};

/* Numbers a new operation: 1, 2, ... Called by the client before it makes the call. */
uint32_t op_recorder_start(struct op_recorder *recorder, const struct op_start *start);

/* Rows so far; valid until the recorder is freed. */
const struct op_row *op_recorder_rows(const struct op_recorder *recorder, uint32_t *count);

#endif
