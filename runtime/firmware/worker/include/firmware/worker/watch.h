/* The state of a worker's processor, for watchers: kernel, instruction, waypoint, and in words the
 * condition that it waits for. Has no effects and takes no time. */
#ifndef FIRMWARE_WORKER_WATCH_H
#define FIRMWARE_WORKER_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "world/stage.h"

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
