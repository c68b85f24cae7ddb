/* Counting semaphore between host threads, written once above the world. */
#ifndef WORLD_SEMAPHORE_H
#define WORLD_SEMAPHORE_H

#include "world/world.h"

struct semaphore; /* opaque */

/* New semaphore with `value` permits. `name` is for stall reports, copied. */
struct semaphore *semaphore_new(const char *name, uint32_t value);

/* Frees a semaphore that nobody waits on. NULL is allowed. */
void semaphore_free(struct semaphore *semaphore);

/* Takes a permit; blocks while there is none. OK or TIMEOUT. */
enum status semaphore_acquire(
	struct semaphore *semaphore, int64_t deadline_ns, enum wait_mode mode);

/* Gives `count` permits back. */
void semaphore_release(struct semaphore *semaphore, uint32_t count);

#endif
