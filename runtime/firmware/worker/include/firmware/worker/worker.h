/* Workers (spec flow 7, spec 3.8.5): wait for a go word, read the launch message and the kernels'
 * headers from their L1, run for the time given there, store a result that depends on the arguments
 * in L1, and increment the dispatcher's done word. If goes are for all workers, a worker empties a
 * launch slot after running it, and only acknowledges a go whose slot is empty.
 *
 * Run time of a launch: worker_launch + worker_processor for each kernel + set-up of circular
 * buffers and semaphores + copying of flagged texts, then the kernels: with one step the longest of
 * them, with more steps a pipeline (struct worker_pipeline), stepped event by event.
 *
 * A launch with executing kernels (command/kernel_program.h) is run by the processors of the
 * worker, one stage each, which the sender of the launch has started before. Semaphores of such a
 * launch are words of its launch slot, written before the go, like its launch message.
 *
 * One struct worker_group per chip holds state that its workers share. Malformed launch messages
 * and kernels are a fault, and the worker halts. */
#ifndef FIRMWARE_WORKER_WORKER_H
#define FIRMWARE_WORKER_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "command/kernel.h"
#include "command/launch.h"
#include "firmware/core/firmware.h"
#include "base/text.h"
#include "world/stage.h"

/* Words of every worker tile; the same on all tiles, chosen by the caller. */
struct worker_words {
	uint32_t go;	 /* one word */
	uint32_t result; /* LAUNCH_RESULT_BYTES */
	/* For executing kernels; all 0: there are none. */
	uint32_t processors; /* WORKER_PROCESSOR_BYTES */
	uint32_t semaphores; /* WORKER_SEMAPHORE_BYTES: semaphore i of launch slot s is the word at
			      * (s * SEMAPHORES_MAX + i) * 4; standing semaphores, which no launch
			      * sets, follow */
};

enum {
	WORKER_PROCESSOR_BYTES = 4 * (PROCESSOR_COUNT + 1 + 2 * CIRCULAR_BUFFERS_MAX + 6),
	WORKER_SEMAPHORE_BYTES = 4 * (LAUNCH_SLOTS * SEMAPHORES_MAX + STANDING_SEMAPHORES_MAX),
	WORKER_ROUTES_MAX = 512, /* over the fabric, of the kernels of a chip */
};

struct worker_group; /* opaque */
struct worker_group_config {
	struct device *device;
	struct worker_words words;
	uint32_t launch_ring; /* LAUNCH_SLOTS x LAUNCH_BYTES of every worker's bulk L1 */
	uint32_t done_words;  /* dispatch_layout.done_words, the same for all dispatchers of the
				 chip */
	uint32_t
		data_base; /* first byte of L1 that kernels may write: above all data of the runtime
			    */
	bool lock_step;	   /* goes are for all workers, also those with nothing to run */
};

/* Makes workers on `count` (1 or more) tiles of one chip (borrowed only during the call), all
 * Tensix or all Ethernet tiles; Ethernet tiles have one processor, PROCESSOR_BRISC. Never NULL.
 * Start each with device_row->stage_start(worker_group_stage(group, i)). */
struct worker_group *worker_group_new(const struct firmware *firmware,
	const struct worker_group_config *config, const uint16_t *tiles, uint32_t count);

/* Call it after the cluster has been freed. NULL is allowed. */
void worker_group_free(struct worker_group *group);

uint32_t worker_group_count(const struct worker_group *group);
struct stage *worker_group_stage(struct worker_group *group, uint32_t index);

/* Makes a processor of a worker for executing kernels: a stage to be started before such a launch
 * is sent. NULL if it exists already. The group frees it. Called from one host thread at a time. */
struct stage *worker_processor_make(
	struct worker_group *group, uint32_t index, enum processor processor);

/* The stage of a processor, or NULL if it was not made. */
struct stage *worker_processor(
	const struct worker_group *group, uint32_t index, enum processor processor);

/* Adds a route over the fabric, beginning at this chip, for executing kernels. Returns its number,
 * counted from 0, or -1 if there are WORKER_ROUTES_MAX. The tree must outlive the group. Called
 * from one host thread, before the launch that names it. */
int worker_group_route(struct worker_group *group, struct fabric_tree *tree);

/* ---- whole launches, for models that simulate all workers of a chip together ---- */

/* The word that a worker increments when a launch is over. */
struct worker_ack {
	uint16_t tile;
	uint32_t address;
};

/* True if writing `go` to the word at `address` starts a launch on this stage, which is a worker
 * ready for it. */
bool worker_takes(const struct stage *stage, uint32_t address, uint32_t go);

/* Replaces begin(): claims the launch in L1 that the go names. Returns its cycles; < 0, without any
 * effect, if it is malformed. `like`: a worker that the same go launched and that has not finished,
 * if device_row->shared() answers for both alike, for every range; its launch is not read again if
 * a multicast wrote it. Else NULL. */
int64_t worker_launch(
	struct stage *stage, uint32_t go, const struct stage *like, struct worker_ack *ack);

/* Charges for the claimed launch, as begin() does. */
void worker_charge(struct stage *stage);

/* Replaces commit(), and the begin() after it: stores the result in L1 and fills stage->wait with
 * the next go. The caller acknowledges the launch. */
void worker_finish(struct stage *stage);

/* Cycles of a pipeline of `count` kernels in order of data flow (reader, unpack, math, pack,
 * writer; those that exist): `cycles` of each per page, `steps` pages, `depth` pages (1 or more) in
 * each circular buffer between two of them. Equal to the time of the stepped pipeline. */
uint64_t worker_closed_form_cycles(
	const uint64_t *cycles, uint32_t count, uint32_t steps, uint32_t depth);

/* Cycles of a launch of `count` kernels, in any order, by the closed form: *setup before a
 * pipeline, and *total. `slowdown`: of the worker, in thousandths; 1000 is normal speed. */
void worker_launch_cycles(const struct firmware *firmware, uint32_t slowdown,
	const struct launch_message *message, const struct kernel *kernels, uint32_t count,
	int64_t *setup, int64_t *total);

/* The state of a worker's processor, for watchers: kernel, instruction, waypoint, and in words the
 * condition that it waits for. Has no effects and takes no time. */
struct worker_watch {
	bool running;	      /* a kernel is running */
	bool acts;	      /* it executes a text, and is not filler */
	bool halted;	      /* for good, by an illegal action of the kernel */
	uint32_t instruction; /* of a text: number of the next instruction */
	uint32_t waypoint;
};

/* Fills `watch`; appends the instruction, if there is one, to `at` ("until r7, semaphore 3"), and
 * the condition that it waits for, with its current state, to `waits` ("semaphore 3 to be 2, which
 * is 0", "2 pages in circular buffer 1, which has 0"; nothing unless `blocked`). Returns false
 * without filling anything if the stage is not such a processor. Call it where stages may be read:
 * on the thread of the chip, or while the chip rests. */
bool worker_watch(const struct stage *stage, bool blocked, struct worker_watch *watch,
	struct text *at, struct text *waits);

#endif
