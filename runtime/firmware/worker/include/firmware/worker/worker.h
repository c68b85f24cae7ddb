/* Workers (spec flow 7, spec 3.8.5): wait for a go word, read the launch message and
 * the kernels' headers as they lie in L1, run as long as these say, store a result that depends on
 * the arguments in L1, and increment the dispatcher's done word. Where goes are for all workers,
 * they empty a launch slot once they have run it, and only acknowledge a go whose slot is empty.
 *
 * Run time of a launch: worker_launch + worker_processor for each kernel + set-up of circular
 * buffers and semaphores + copying of texts that are flagged so, then the kernels: with one step
 * the longest of them, with more steps a pipeline (struct worker_pipeline), stepped event by event.
 *
 * A launch with kernels that act (command/kernel_program.h) is run by the processors of the worker,
 * a stage each, which whoever sends it has started before. Semaphores of such a launch are words,
 * those of its launch slot: written before the go, as its launch message is.
 *
 * One struct worker_group per chip holds what its workers share. Refuses malformed launch messages
 * and kernels, with a fault, and halts. */
#ifndef FIRMWARE_WORKER_WORKER_H
#define FIRMWARE_WORKER_WORKER_H

#include <stdbool.h>

#include "command/kernel.h"
#include "command/launch.h"
#include "firmware/core/firmware.h"

/* Words of every worker tile; the same on all tiles, chosen by the caller. */
struct worker_words {
	uint32_t go;	 /* one word */
	uint32_t result; /* LAUNCH_RESULT_BYTES */
	/* For kernels that act; all 0: there are none. */
	uint32_t processors; /* WORKER_PROCESSOR_BYTES */
	uint32_t semaphores; /* WORKER_SEMAPHORE_BYTES: semaphore i of launch slot s is the word at
				(s * SEMAPHORES_MAX + i) * 4; behind all of them those that stand,
				which no launch sets */
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
		data_base; /* first byte of L1 that kernels may write: above all of the runtime's */
	bool lock_step;	      /* goes are for all, whether they have something to run or not */
};

/* Workers on `count` (1 or more) tiles of one chip (borrowed only during the call), all Tensix or
 * all Ethernet tiles: these have one processor, that of PROCESSOR_BRISC. Never NULL. Start each
 * with device_row->stage_start(worker_group_stage(group, i)). */
struct worker_group *worker_group_new(const struct firmware *firmware,
	const struct worker_group_config *config, const uint16_t *tiles, uint32_t count);

/* After the cluster has been freed. NULL is allowed. */
void worker_group_free(struct worker_group *group);

uint32_t worker_group_count(const struct worker_group *group);
struct stage *worker_group_stage(struct worker_group *group, uint32_t index);

/* Makes a processor of a worker, which kernels that act need: a stage to be started before such a
 * launch is sent. NULL if it is there. The group frees it. From one host thread at a time. */
struct stage *worker_processor_make(
	struct worker_group *group, uint32_t index, enum processor processor);

/* The stage of a processor that was made, or NULL. */
struct stage *worker_processor(
	const struct worker_group *group, uint32_t index, enum processor processor);

/* Gives kernels that act a route over the fabric, which begins at this chip: its number, counted
 * from 0, or -1 if they have WORKER_ROUTES_MAX. The tree outlives the group. From one host thread,
 * before the launch that names it. */
int worker_group_route(struct worker_group *group, struct fabric_tree *tree);

/* ---- a whole launch at once, for who simulates all workers of a chip together ---- */

/* The word that a worker increments when a launch is over. */
struct worker_ack {
	uint16_t tile;
	uint32_t address;
};

/* True if the word is a go to this stage, which is a worker that is ready for it. */
bool worker_takes(const struct stage *stage, uint32_t address, uint32_t go);

/* In place of begin(): claims the launch that the go names, as it lies in L1. Cycles until it is
 * over; < 0 if it is malformed, and nothing has happened. */
int64_t worker_launch(struct stage *stage, uint32_t go, struct worker_ack *ack);

/* Charges for the launch that is claimed, as begin() does. */
void worker_charge(struct stage *stage);

/* In place of commit(): leaves the result in L1. The acknowledgement is the caller's affair. */
void worker_finish(struct stage *stage);

/* What a pipeline of `count` kernels in order of data flow (reader, unpack, math, pack, writer;
 * those that are there) takes: `cycles` of each per page, `steps` pages, `depth` pages (1 or more)
 * in each circular buffer between two of them. Equal to what the stepped pipeline takes. */
uint64_t worker_closed_form_cycles(
	const uint64_t *cycles, uint32_t count, uint32_t steps, uint32_t depth);

/* Cycles of a launch of `count` kernels, in any order, by the closed form: its set-up before a
 * pipeline, and everything in one. `slowdown`: of the worker, in thousandths; 1000 is none. */
void worker_launch_cycles(const struct firmware *firmware, uint32_t slowdown,
	const struct launch_message *message, const struct kernel *kernels, uint32_t count,
	int64_t *setup, int64_t *total);

#endif
