/* Workers (spec flow 7, spec 3.8.5). A worker waits for a go word. Then it reads the launch message
 * and the kernel headers from its L1, and runs for the time given in the headers. It stores a
 * result in L1 that depends on the arguments. At the end it increments the dispatcher's done word.
 * If go words are sent to all workers (lock_step), a worker empties a launch slot after running it.
 * A go word for an empty slot is only acknowledged.
 *
 * The set-up of a launch takes worker_launch + worker_processor for each kernel + the set-up of
 * circular buffers and semaphores + copying of flagged texts. After the go and the set-up, the
 * launch takes worker_start + the time of the kernels. If the kernels have one step, their time is
 * that of the longest kernel. If they have more steps, they form a pipeline (struct
 * worker_pipeline), which is stepped event by event.
 *
 * With firmware_set_preload(), a Tensix worker begins the set-up as soon as the launch message has
 * arrived and its launch before is over. The set-up has no effects that others could see, so the
 * worker computes at the go how much of it is left, and no event is needed before the go. Without
 * it, and on Ethernet tiles, the set-up begins at the go.
 *
 * A launch with executing kernels (command/kernel_program.h) runs on the processors of the worker.
 * Each processor is a stage, which the sender of the launch must have started before. Semaphores of
 * such a launch are words of its launch slot. They are written before the go, like the launch
 * message.
 *
 * One struct worker_group per chip holds the state that its workers share. A malformed launch
 * message or kernel is a fault and halts the worker. */
#ifndef FIRMWARE_WORKER_WORKER_H
#define FIRMWARE_WORKER_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "command/kernel.h"
#include "command/launch.h"
#include "firmware/core/firmware.h"
#include "base/text.h"
#include "world/device.h"
#include "world/stage.h"

/* Addresses of a worker's words, which the caller chooses; they are equal on all worker tiles. */
struct worker_words {
	uint32_t go;	 /* one word */
	uint32_t result; /* LAUNCH_RESULT_BYTES */
	/* Only for executing kernels. All 0: there are none. */
	uint32_t processors; /* WORKER_PROCESSOR_BYTES */
	uint32_t semaphores; /* WORKER_SEMAPHORE_BYTES. Semaphore i of launch slot s is the word at
			      * (s * SEMAPHORES_MAX + i) * 4. The standing semaphores, which no
			      * launch sets, come after the last slot */
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
	uint32_t done_words;  /* address of the dispatchers' done words
			       * (dispatch_layout.done_words), the same for all dispatchers of the
			       * chip */
	uint32_t data_base;   /* first byte of L1 that kernels may write; the runtime's data are
			       * below it */
	bool lock_step;	      /* go words are sent to all workers, even to workers that have
			       * nothing to run */
};

/* Creates workers on `count` (1 or more) tiles of one chip. `tiles` is borrowed only during the
 * call. The tiles are either all Tensix tiles or all Ethernet tiles. An Ethernet tile has one
 * processor, PROCESSOR_BRISC. Never returns NULL. The caller must start each worker with
 * device_row->stage_start(worker_group_stage(group, i)). */
struct worker_group *worker_group_new(const struct firmware *firmware,
	const struct worker_group_config *config, const uint16_t *tiles, uint32_t count);

/* Frees the group. The cluster must have been freed before. NULL is allowed. */
void worker_group_free(struct worker_group *group);

/* Returns the struct that the dispatchers of the workers' chip must share with the workers. It
 * belongs to the group. */
struct launch_lead *worker_group_lead(struct worker_group *group);

uint32_t worker_group_count(const struct worker_group *group);
struct stage *worker_group_stage(struct worker_group *group, uint32_t index);

/* Creates a processor of a worker for executing kernels. Returns the stage of the processor, or
 * NULL if the processor exists already. The caller must start the stage before it sends a launch
 * with executing kernels. The group frees the stage. Call it from one host thread at a time. */
struct stage *worker_processor_make(
	struct worker_group *group, uint32_t index, enum processor processor);

/* Returns the stage of a processor, or NULL if worker_processor_make() has not created it. */
struct stage *worker_processor(
	const struct worker_group *group, uint32_t index, enum processor processor);

/* Adds a route over the fabric for executing kernels; the route begins at this chip. Returns the
 * number of the route, counted from 0, or -1 if there are WORKER_ROUTES_MAX routes already. The
 * tree must outlive the group. Call it from one host thread, before the launch that uses the
 * route. */
int worker_group_route(struct worker_group *group, struct fabric_tree *tree);

/* ---- whole launches, for models that simulate all workers of a chip together ---- */

/* The word that a worker increments when a launch is over. */
struct worker_ack {
	uint16_t tile;
	uint32_t address;
};

/* The callers set stage->now_ps of a worker to the time at which a go reaches it or its launch
 * ends. For a crew, they set stage->now_ps of the first worker. */

/* Returns true if `stage` is a worker on which the value `go`, written to the word at `address`,
 * would start a launch now. */
bool worker_takes(const struct stage *stage, uint32_t address, uint32_t go);

/* Takes the place of begin(): claims the launch in L1 that `go` names, and fills *ack. Returns the
 * duration of the launch in cycles. If the launch is malformed or executes texts, returns a
 * negative number and has no effect. `like` is NULL, or a worker that the same go launched and that
 * has not finished; device_row->shared() must return the same numbers for both workers. If a
 * multicast wrote the launch to both workers, the launch is not read a second time. */
int64_t worker_launch(
	struct stage *stage, uint32_t go, const struct stage *like, struct worker_ack *ack);

/* Charges for the claimed launch, as begin() does. */
void worker_charge(struct stage *stage);

/* Takes the place of commit() and the next begin(): stores the result in L1, and fills stage->wait
 * with the wait for the next go. The caller acknowledges the launch. */
void worker_finish(struct stage *stage);

/* A crew: workers of one chip that have done the same for some time. A launch is handled once for
 * the whole crew. Only the hash of each worker's own arguments is computed per worker. The L1 of
 * the workers is updated when the crew is split. */
struct worker_crew; /* opaque */

/* Forms a crew of workers that wait for a go. Returns NULL if the workers are not alike, or if they
 * empty launch slots (lock_step). `crew` is NULL, or a former crew of the same workers; its memory
 * is then used for the new crew. */
struct worker_crew *worker_crew_form(
	struct worker_crew *crew, struct stage *const *workers, uint32_t count);

/* Like worker_launch(), for all workers of the crew. Also sets *address and *bytes to the place in
 * L1 of each worker's own arguments. Also returns a negative number if the launch did not reach all
 * workers by one multicast. The launch costs all workers the same, so worker_charge() for the first
 * worker gives the cost of each. */
int64_t worker_crew_launch(struct worker_crew *crew, uint32_t go, struct worker_ack *ack,
	uint32_t *address, uint32_t *bytes);

/* Undoes worker_crew_launch(), even if the crew was split since. */
void worker_crew_cancel(struct worker_crew *crew);

/* The own arguments of some workers of a crew. The arguments of target i are the bytes of `span` at
 * i * stride + offset. */
struct worker_arguments {
	const struct packed_target *targets;
	uint32_t count, stride, offset;
	struct span span;
};

/* Like worker_finish(), for all workers of the crew. `arguments` must be the current contents of
 * the place in L1 that worker_crew_launch() named. Returns true, or false without any effect if the
 * arguments of some workers are unknown. In that case the crew must be split. */
bool worker_crew_finish(
	struct worker_crew *crew, const struct worker_arguments *arguments, uint32_t count);

/* Ends the crew: updates the state and the L1 of each worker. If a launch is running, each worker
 * continues it on its own. */
void worker_crew_split(struct worker_crew *crew);

/* Frees a crew that was split, or whose workers are not needed any more. NULL is allowed. */
void worker_crew_free(struct worker_crew *crew);

/* Returns the cycles of a pipeline of `count` kernels. They equal the time that the pipeline takes
 * if it is stepped event by event. The kernels are in the order of data flow (reader, unpack, math,
 * pack, writer); kernels that do not exist are left out. `cycles` has the cycles of each kernel per
 * page, and `steps` is the number of pages. `depth` is the number of pages (1 or more) in each
 * circular buffer between two kernels. */
uint64_t worker_closed_form_cycles(
	const uint64_t *cycles, uint32_t count, uint32_t steps, uint32_t depth);

/* Computes the cycles of a launch of `count` kernels, in any order, by the closed form. Assumes
 * that the whole set-up follows the go. Sets *setup to the cycles before a pipeline begins, and
 * *total to the cycles of the whole launch. `slowdown` is the slowdown of the worker in
 * thousandths; 1000 is normal speed. */
void worker_launch_cycles(const struct firmware *firmware, uint32_t slowdown,
	const struct launch_message *message, const struct kernel *kernels, uint32_t count,
	int64_t *setup, int64_t *total);

/* The state of a worker's processor, for watchers. Reading it has no effects and takes no time. */
struct worker_watch {
	bool running;	      /* a kernel is running */
	bool acts;	      /* it executes a text, and is not filler */
	bool halted;	      /* for good, by an illegal action of the kernel */
	uint32_t instruction; /* of a text: number of the next instruction */
	uint32_t waypoint;
};

/* Fills *watch with the state of the processor `stage`. Appends the next instruction (if any) to
 * `at` ("until r7, semaphore 3"). If `blocked`, appends to `waits` the condition for which the
 * kernel waits, and the current state ("semaphore 3 to be 2, which is 0", "2 pages in circular
 * buffer 1, which has 0"). Returns true, or false without any effect if the stage is not a
 * processor that executes kernels. Call it on the thread of the chip, or while no stage of the chip
 * runs. */
bool worker_watch(const struct stage *stage, bool blocked, struct worker_watch *watch,
	struct text *at, struct text *waits);

#endif
