/* Runs model binaries on devices of any kind (spec flow 5, 8, 9).
 *
 *     execution_new(handle, binary, &config, &why, &execution);   plans and allocates
 *     execution_load(execution, &why);          writes constants, runs constant programs
 *     execution_run(execution, program, &why);  as often as wanted
 *     execution_finish(execution, &why);
 *     execution_free(execution);
 *
 * A run writes the inputs, enqueues every operation, and reads the outputs. The binary contains
 * golden values: the values of the inputs, and the expected values of the outputs. A run does not
 * wait for its own end. At most `config.window` runs are in progress; a further run first waits for
 * the oldest one, and compares its outputs with the golden values.
 *
 * Memory. Constants, inputs and outputs have buffers of their own. All other tensors share a pool,
 * which has one buffer in DRAM and one in L1. execution_new() plans the pool with the runtime's
 * allocator. A tensor gets its place before the operation that writes it, and the place is free
 * again after the last operation that uses the tensor. The places are the same in each run.
 *
 * Programs. An operation's program is made when the operation is first enqueued, and is then kept.
 * At most `config.programs` programs are kept; if there is no room for a new one, the program that
 * was used longest ago is freed. Operations of the same kind, with the same shapes, layouts and
 * addresses, share a program. Later launches of a program cost less than the first, because the
 * mesh has compiled its kernels and the queue has cached its commands (mesh/program.h).
 *
 * Traces. With `config.trace`, the second run of a model program captures its operations as a
 * trace, and this run and all later ones replay the trace. With two queues, this holds for each of
 * the two sets of buffers (see below). A capture must not allocate, so the programs of all
 * operations must still be kept. Inputs and outputs are written and read outside of the trace.
 *
 * Two queues. If `config.queues` is 2, queue 1 writes inputs and reads outputs, and queue 0 runs
 * operations. The queues wait for each other's events. Inputs and outputs then have two buffers
 * each, which runs use in turn (slots). So the next inputs can be written while operations run. */
#ifndef EXECUTION_EXECUTION_H
#define EXECUTION_EXECUTION_H

#include "binary/model_binary.h"
#include "mesh/handle.h"

struct execution; /* opaque */

enum { EXECUTION_WINDOW_MAX = 64, EXECUTION_PROGRAMS_MAX = 1 << 16 };

/* The kinds of operations that an execution enqueues. */
enum execution_call {
	EXECUTION_WRITE,
	EXECUTION_OPERATION,
	EXECUTION_READ,
	EXECUTION_REPLAY,
	EXECUTION_EVENT,
	EXECUTION_CAPTURE
};

struct execution_config {
	uint32_t queues;   /* number of queues to use, 1 or 2; the mesh must have at least as
			    * many */
	uint32_t window;   /* most runs in progress, 1 to EXECUTION_WINDOW_MAX */
	uint32_t programs; /* most programs that are kept, 1 to EXECUTION_PROGRAMS_MAX */
	bool trace;

	/* Returns a number for the call that follows (mesh/handle.h). `operation` is that of the
	 * binary if the call launches or replays one, otherwise NULL. NULL: calls have no numbers.
	 */
	uint32_t (*start)(void *context, enum execution_call call,
		const struct model_operation *operation, uint32_t queue, uint64_t bytes);
	void *context;
};

/* Counts of what the execution has done. They are totals since execution_new(). */
struct execution_figures {
	uint64_t runs, operations; /* operations: those that were enqueued or replayed */
	uint64_t conversions;	   /* operations that the builder inserted to change layouts */
	uint64_t program_hits, program_misses, program_evictions;
	uint64_t captures, replays;
	uint64_t window_waits;	    /* runs that waited for an older run */
	uint64_t outputs_compared;  /* outputs that agreed with their golden values, within the
				     * tolerance */
	uint64_t pool_bytes;	    /* size of the pool, in all banks or workers together */
	uint64_t pool_peak_bytes;   /* most bytes of the pool that tensors had at the same time */
	uint64_t pool_tensor_bytes; /* size that the pool would need if no tensor's place were
				     * used again */
	double fragmentation;	    /* 1 - pool_peak_bytes / pool_bytes; 0: no pool */
	double worst_error; /* largest difference from a golden value, relative to the output's
			     * largest golden value */
};

/* Makes an execution, and plans and allocates its memory. Returns OK, and the caller owns
 * *execution. `binary` must exist as long as the execution. After any other status, `why` (may be
 * NULL) has a sentence. Returns OUT_OF_RANGE if `config` is wrong. Returns UNSUPPORTED if the
 * binary was built for another machine, or if an operation cannot be executed. Returns INVALID if
 * the tensors of an operation do not fit together. Returns NO_SPACE if memory is too small. Also
 * returns the errors of buffers. */
enum status execution_new(struct device_handle *handle, const struct model_binary *binary,
	const struct execution_config *config, struct text *why, struct execution **execution);

/* Writes the constants and runs the constant programs. Returns OK. Otherwise returns OUT_OF_RANGE
 * if the mesh has too few queues, or the error of a call, with a sentence in `why`. */
enum status execution_load(struct execution *execution, struct text *why);

/* Submits a run of program number `program`, counted from 0. Returns OK. After any other status,
 * `why` has a sentence. Returns OUT_OF_RANGE if there is no such program or if it computes
 * constants, and NOT_FOUND if an input has no values. Returns INVALID if an output of an older run
 * differs too much from its golden values, or if a capture would have to make a program. Returns
 * NO_SPACE if traces use all programs that may be kept. Also returns errors of the device's calls.
 */
enum status execution_run(struct execution *execution, uint32_t program, struct text *why);

/* Waits until all runs are complete, and compares their outputs. Returns OK, or the first error,
 * with a sentence in `why`. Returns INVALID if an output differs from its golden values. Also
 * returns the status of a call that failed. */
enum status execution_finish(struct execution *execution, struct text *why);

/* Frees the execution. No run may be in progress. NULL is allowed. */
void execution_free(struct execution *execution);

struct execution_figures execution_figures(const struct execution *execution);

/* Returns how often this execution has launched a program on worker `core` of a device. The caller
 * compares this number with the launches that the worker itself has counted. */
uint64_t execution_launches(const struct execution *execution, uint32_t device, uint32_t core);

#endif
