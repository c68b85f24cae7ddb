/* Runs model binaries on devices of any kind (spec flow 5, 8, 9).
 *
 *     execution_new(handle, binary, &config, &why, &execution);   plans and allocates
 *     execution_load(execution, &why);          writes constants, runs constant programs
 *     execution_run(execution, program, &why);  as often as wanted
 *     execution_finish(execution, &why);
 *     execution_free(execution);
 *
 * A run writes the inputs, enqueues every operation, and reads the outputs. Inputs have the golden
 * values of the binary; outputs are compared with theirs. Nothing of this blocks: at most
 * `config.window` runs are submitted and not complete, then the next run waits for the oldest.
 *
 * Memory. Constants, inputs and outputs have buffers of their own. All other tensors are in a pool:
 * one buffer in DRAM, and one in L1 if tensors are there, whose size and places are planned
 * beforehand with the runtime's allocator: a tensor takes its place when an operation writes it,
 * and gives it back behind the last operation that reads it. The places are the same in each run.
 *
 * Programs. An operation's program is made when it is first enqueued, and kept: `config.programs`
 * is how many are kept; the one that was used longest ago goes first. Operations of the same kind,
 * shapes, layouts and addresses share a program. What a program's second launch costs less is
 * the command cache of the queue and the compiled kernels of the mesh (mesh/program.h).
 *
 * Traces. With `config.trace`, the operations of a program are captured when it runs the second
 * time, and replayed from then on. Inside of a capture nothing may be allocated, so every program
 * must still be kept; and the host may not write or read, so inputs and outputs stay outside.
 *
 * Two queues. With `config.queues` 2, queue 1 writes inputs and reads outputs, and queue 0 runs
 * operations. Events put them in order. Inputs and outputs then have two buffers each, so that the
 * next inputs are written while operations run. */
#ifndef EXECUTION_EXECUTION_H
#define EXECUTION_EXECUTION_H

#include "binary/model_binary.h"
#include "mesh/handle.h"

struct execution; /* opaque */

enum { EXECUTION_WINDOW_MAX = 64, EXECUTION_PROGRAMS_MAX = 1 << 16 };

/* What an operation of the queues does. */
enum execution_call {
	EXECUTION_WRITE,
	EXECUTION_OPERATION,
	EXECUTION_READ,
	EXECUTION_REPLAY,
	EXECUTION_EVENT,
	EXECUTION_CAPTURE
};

struct execution_config {
	uint32_t queues;   /* 1 or 2; the handle must have as many */
	uint32_t window;   /* 1 to EXECUTION_WINDOW_MAX */
	uint32_t programs; /* 1 to EXECUTION_PROGRAMS_MAX */
	bool trace;

	/* Returns the number of the next operation; NULL: operations have no numbers. */
	uint32_t (*start)(void *context, enum execution_call call, uint32_t queue, uint64_t bytes);
	void *context;
};

/* What happened. All values are totals since execution_new(). */
struct execution_figures {
	uint64_t runs, operations; /* operations: enqueued or replayed */
	uint64_t conversions;	   /* operations that the builder inserted to change layouts */
	uint64_t program_hits, program_misses, program_evictions;
	uint64_t captures, replays;
	uint64_t window_waits;	    /* runs that waited for an older run */
	uint64_t outputs_compared;  /* outputs that were equal to golden values */
	uint64_t pool_bytes;	    /* of the pool, in all banks or workers together */
	uint64_t pool_peak_bytes;   /* most bytes of it that tensors had at once */
	uint64_t pool_tensor_bytes; /* of all tensors of the pool, if none gave its place back */
	double fragmentation;	    /* 1 - pool_peak_bytes / pool_bytes; 0: no pool */
	double worst_error; /* largest difference to a golden value, relative to the largest one */
};

/* Plans and allocates. Returns OK, and the caller owns *execution. `binary` must live as long.
 * After any other status, a sentence is in `why` (may be NULL): UNSUPPORTED if the binary was built
 * for another machine, or if something cannot be executed; INVALID if operations contradict
 * themselves; NO_SPACE if memory is too small; also the errors of buffers. */
enum status execution_new(struct device_handle *handle, const struct model_binary *binary,
	const struct execution_config *config, struct text *why, struct execution **execution);

/* Writes constants and runs constant programs. Returns OK, or the error of a call with a sentence
 * in `why`. */
enum status execution_load(struct execution *execution, struct text *why);

/* Submits a run of a program, counted from 0. Returns OK. After any other status, `why` has a
 * sentence: OUT_OF_RANGE if there is no such program, or it computes constants; NOT_FOUND if an
 * input has no values; INVALID if an output of an older run is not as the golden values say, or if
 * the capture of a trace would have to allocate; also errors of calls. */
enum status execution_run(struct execution *execution, uint32_t program, struct text *why);

/* Waits until all runs are complete, and compares their outputs. Returns like execution_run(). */
enum status execution_finish(struct execution *execution, struct text *why);

/* Frees everything. No run may be in progress. NULL is allowed. */
void execution_free(struct execution *execution);

struct execution_figures execution_figures(const struct execution *execution);

/* Returns how often operations were launched on a worker of a device, for checks of cores. */
uint64_t execution_launches(const struct execution *execution, uint32_t device, uint32_t core);

#endif
