/* Workers (spec, flow 7; spec 3.8.5). A worker waits for a go word. Then it reads the launch
 * message and the kernel headers from its L1, and runs for the time given in the headers. It
 * stores a result in L1 that depends on the arguments. At the end it increments the dispatcher's
 * done word. If go words are sent to all workers (lock_step), a worker clears a launch slot when
 * it has run the launch. If a go word names a cleared slot, the worker launches nothing, and only
 * acknowledges the go word.
 *
 * The set-up of a launch takes worker_launch, plus worker_processor for each kernel, plus the
 * set-up of circular buffers and semaphores, plus the copying of the texts of kernels that have
 * the flag KERNEL_COPIED (command/kernel.h). After the go and the set-up, the launch takes
 * worker_start + the time of the kernels. If the kernels have one step, their time is the time of
 * the longest kernel. If they have more steps, they form a pipeline (struct worker_pipeline),
 * which is simulated event by event.
 *
 * With firmware_set_preload(), a Tensix worker begins the set-up as soon as the launch message has
 * arrived and its previous launch is done. Other stages cannot see the effects of the set-up. So
 * no event is simulated before the go: at the go, the worker computes how much of the set-up is
 * left. Without preloading, and on Ethernet tiles, the set-up begins at the go.
 *
 * Kernels that execute instructions (command/kernel_program.h) run on the processors of the
 * worker. Each processor is a stage, which must be started before a launch with such kernels is
 * sent. The semaphores of this launch are words of its launch slot. They are written before the
 * go, like the launch message.
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

/* Addresses of a worker's words. The addresses are equal on all worker tiles. The caller chooses
 * them. */
struct worker_words {
	uint32_t go;	 /* address of the go word */
	uint32_t result; /* address of LAUNCH_RESULT_BYTES bytes for the result of a launch */
	/* used only by kernels that execute instructions; both are 0 if there are no such
	 * kernels */
	uint32_t processors; /* address of WORKER_PROCESSOR_BYTES bytes */
	uint32_t semaphores; /* address of WORKER_SEMAPHORE_BYTES bytes. Semaphore i of launch slot
			      * s is the word at (s * SEMAPHORES_MAX + i) * 4 from there. The
			      * standing semaphores, which launches do not set, follow the last
			      * slot */
};

enum {
	WORKER_PROCESSOR_BYTES = 4 * (PROCESSOR_COUNT + 1 + 2 * CIRCULAR_BUFFERS_MAX + 6),
	WORKER_SEMAPHORE_BYTES = 4 * (LAUNCH_SLOTS * SEMAPHORES_MAX + STANDING_SEMAPHORES_MAX),
	/* maximum number of routes over the fabric that a chip's kernels have */
	WORKER_ROUTES_MAX = 512,
};

struct worker_group; /* opaque */
struct worker_group_config {
	struct device *device;
	struct worker_words words;
	uint32_t launch_ring; /* LAUNCH_SLOTS x LAUNCH_BYTES bytes of every worker's bulk L1 */
	uint32_t done_words;  /* address of the dispatchers' done words
			       * (dispatch_layout.done_words), the same for all dispatchers of the
			       * chip */
	uint32_t data_base;   /* address of the first byte of L1 that kernels may write; the bytes
			       * before it belong to the runtime */
	bool lock_step;	      /* true: go words are sent to all workers, even to workers that run no
			       * kernel */
};

/* Creates workers on `count` (1 or more) tiles of one chip. `tiles` is used only during the call.
 * The tiles are either all Tensix tiles or all Ethernet tiles. An Ethernet tile has one processor,
 * PROCESSOR_BRISC. Never returns NULL. The caller must start each worker with
 * device_row->stage_start(worker_group_stage(group, i)). */
struct worker_group *worker_group_new(const struct firmware *firmware,
	const struct worker_group_config *config, const uint16_t *tiles, uint32_t count);

/* Frees the group. The cluster must have been freed before. NULL is allowed. */
void worker_group_free(struct worker_group *group);

/* Returns the struct that the workers share with the dispatchers of their chip. It belongs to the
 * group. */
struct launch_lead *worker_group_lead(struct worker_group *group);

uint32_t worker_group_count(const struct worker_group *group);
struct stage *worker_group_stage(struct worker_group *group, uint32_t index);

/* Creates a processor of a worker, which kernels that execute instructions need. Returns the stage
 * of the processor; NULL if the processor was created before. The caller must start the stage
 * before it sends a launch with such kernels. The group frees the stage. Only one host thread at a
 * time may call this function. */
struct stage *worker_processor_make(
	struct worker_group *group, uint32_t index, enum processor processor);

/* Returns the stage of a processor, or NULL if worker_processor_make() has not created it. */
struct stage *worker_processor(
	const struct worker_group *group, uint32_t index, enum processor processor);

/* Adds a route over the fabric, along which kernels that execute instructions
 * (command/kernel_program.h) can send packets. The route begins at this chip. Returns the number of
 * the route, counted from 0; -1 if there are WORKER_ROUTES_MAX routes already. The tree must
 * outlive the group. Only one host thread may call this function, before the launch that uses the
 * route. */
int worker_group_route(struct worker_group *group, struct fabric_tree *tree);

/* Like worker_group_route(), but adds the route as number `number`, below WORKER_ROUTES_MAX.
 * Returns false if another route has this number. */
bool worker_group_route_as(struct worker_group *group, struct fabric_tree *tree, uint32_t number);

/* ---- whole launches, for models that simulate all workers of a chip together ---- */

/* The word that a worker increments at the end of a launch. */
struct worker_ack {
	uint16_t tile;
	uint32_t address;
};

/* Before you call one of the functions below, set stage->now_ps of the worker (for a crew, of its
 * first worker). Set it to the time at which the go reaches this worker, or at which the launch of
 * this worker ends. */

/* Returns true if `stage` is a worker that would start a launch now if the value `go` were written
 * to the word at `address`. */
bool worker_takes(const struct stage *stage, uint32_t address, uint32_t go);

/* Replaces begin() of the worker's stage (world/stage.h): claims the launch in L1 that `go` names,
 * and fills in *ack. Returns the duration of the launch in cycles. Returns a negative number and
 * has no effect if the launch is malformed, if its `spread` (command/launch.h) is not 0, if it has
 * kernels that execute instructions, or if workers print a profile. `like` is NULL, or another
 * worker of the same go that has not finished and for which device_row->shared() returns the same
 * numbers. If one multicast wrote the launch of both workers, this worker's copy of the launch is
 * not read. */
int64_t worker_launch(
	struct stage *stage, uint32_t go, const struct stage *like, struct worker_ack *ack);

/* Charges for the claimed launch, as begin() does. */
void worker_charge(struct stage *stage);

/* Replaces commit() and the next begin(): stores the result of the launch in L1, and fills in
 * stage->wait so that the worker waits for the next go. The caller acknowledges the launch. */
void worker_finish(struct stage *stage);

/* A crew is a set of workers of one chip whose states have been equal for some time. A launch is
 * handled once for the whole crew; only the checksum of the unique arguments is computed for each
 * worker. The L1 of the workers is updated when the crew is split. */
struct worker_crew; /* opaque */

/* Forms a crew of workers that wait for a go. Returns NULL if the states of the workers differ.
 * Also returns NULL if `lock_step` of their configuration is set, because the workers then clear
 * launch slots. `crew` is NULL, or a former crew of the same workers, whose memory is then used for
 * the new crew. */
struct worker_crew *worker_crew_form(
	struct worker_crew *crew, struct stage *const *workers, uint32_t count);

/* Works like worker_launch(), but for all workers of the crew. Sets *address and *bytes to the
 * address and the length of the unique arguments in L1, which are the same for each worker. Also
 * returns a negative number if the workers did not get the launch by one multicast. The cost is the
 * same for all workers, so worker_charge() for the first worker gives the cost of each. */
int64_t worker_crew_launch(struct worker_crew *crew, uint32_t go, struct worker_ack *ack,
	uint32_t *address, uint32_t *bytes);

/* Undoes worker_crew_launch(), even if the crew has since been split. */
void worker_crew_cancel(struct worker_crew *crew);

/* The unique arguments of `count` workers of a crew. The arguments of the worker targets[i] are in
 * `span`, from byte i * stride + offset. */
struct worker_arguments {
	const struct packed_target *targets;
	uint32_t count, stride, offset;
	struct span span;
};

/* Finishes a launch for all workers of the crew; works like worker_finish() otherwise. `arguments`
 * must be the current contents of the place in L1 that worker_crew_launch() returned. Returns true.
 * If the arguments of some workers are unknown, has no effect and returns false; the crew must then
 * be split. */
bool worker_crew_finish(
	struct worker_crew *crew, const struct worker_arguments *arguments, uint32_t count);

/* Ends the crew: updates the state and the L1 of each worker. If a launch is running, each worker
 * continues it separately. */
void worker_crew_split(struct worker_crew *crew);

/* Frees a crew that was split, or whose workers are not needed any more. NULL is allowed. */
void worker_crew_free(struct worker_crew *crew);

/* Computes the cycles of a pipeline of `count` kernels with a formula. The result equals the time
 * of a simulation event by event. The kernels are in the order of data flow (reader, unpack, math,
 * pack, writer); kernels that do not exist are left out. `cycles` has the cycles of each kernel per
 * page, and `steps` is the number of pages. `depth` (at least 1) is the number of pages in each
 * circular buffer between two kernels. */
uint64_t worker_closed_form_cycles(
	const uint64_t *cycles, uint32_t count, uint32_t steps, uint32_t depth);

/* Computes the cycles of a launch of `count` kernels with worker_closed_form_cycles(). The kernels
 * may be in any order. Assumes that the whole set-up happens after the go. Sets *setup to the
 * cycles before a pipeline begins, and *total to the cycles of the whole launch. `slowdown` is the
 * factor by which the worker is slower, in thousandths: 1000 is normal speed. */
void worker_launch_cycles(const struct firmware *firmware, uint32_t slowdown,
	const struct launch_message *message, const struct kernel *kernels, uint32_t count,
	int64_t *setup, int64_t *total);

/* The state of a worker's processor, for stages and tools that watch it. Reading the state has no
 * effects and takes no time. */
struct worker_watch {
	bool running;	      /* a kernel is running */
	bool acts;	      /* true: the kernel executes instructions; false: it is filler */
	bool halted;	      /* true: the kernel did something illegal, and the processor has
			       * halted for good */
	uint32_t instruction; /* if the kernel executes instructions: number of the next
			       * instruction */
	uint32_t waypoint;
};

/* Fills in *watch with the state of the processor `stage`. Appends the next instruction, if any, to
 * `at` (for example "until r7, semaphore 3"). If the processor has halted, appends the reason to
 * `waits`. Otherwise, if `blocked` is set, appends the condition for which the kernel waits, and
 * the present state: for example "semaphore 3 to be 2, which is 0", or "2 pages in circular buffer
 * 1, which has 0". Returns true. If the stage is not a processor that executes kernels, has no
 * effect and returns false. Call this on the thread of the chip, or while no stage of the chip
 * runs. */
bool worker_watch(const struct stage *stage, bool blocked, struct worker_watch *watch,
	struct text *at, struct text *waits);

#endif
