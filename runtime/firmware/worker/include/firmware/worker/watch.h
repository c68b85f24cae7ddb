/* What a processor of a worker is at, for who watches: kernel, instruction, waypoint, and what it
 * waits for in words. Changes nothing, and takes no time. */
#ifndef FIRMWARE_WORKER_WATCH_H
#define FIRMWARE_WORKER_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "world/stage.h"

struct worker_watch {
	bool running;	      /* it has a kernel */
	bool acts;	      /* which is a program, not filler */
	bool halted;	      /* for good: the kernel did what it must not */
	uint32_t instruction; /* of a program: number of the one that comes next */
	uint32_t waypoint;
};

/* Fills `watch` and appends the instruction to `at` ("until r7, semaphore 3"), if there is one, and
 * to `waits` what it waits for, as it stands: "semaphore 3 to be 2, which is 0", "2 pages in
 * circular buffer 1, which has 0". That is nothing unless `blocked`. False, and nothing is filled,
 * if the stage is no such processor. Where stages may be looked at: on the thread of the chip, or
 * while that rests. */
bool worker_watch(const struct stage *stage, bool blocked, struct worker_watch *watch,
	struct text *at, struct text *waits);

#endif
