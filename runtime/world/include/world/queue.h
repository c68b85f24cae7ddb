/* A bounded queue and a counting semaphore for host threads. They call only world.h, so they run in
 * both worlds. */
#ifndef WORLD_QUEUE_H
#define WORLD_QUEUE_H

#include <stddef.h>

#include "world/world.h"

struct queue; /* opaque: pointers, first in, first out */

/* Makes a queue for `capacity` (> 0) pointers. `name` is used in stall reports, and is copied. */
struct queue *queue_new(const char *name, uint32_t capacity);

/* Frees an empty, unused queue. NULL is allowed. */
void queue_free(struct queue *queue);

/* Appends `item`. Blocks while the queue is full. Returns OK, TIMEOUT or CLOSED. Charges
 * WORK_QUEUE_PUSH first, so that this cost is settled before other threads see the item. */
enum status queue_push(struct queue *queue, void *item, int64_t deadline_ns, enum wait_mode mode);

/* Removes the oldest item, and sets *item to it. Blocks while the queue is empty. Returns OK; only
 * then charges WORK_QUEUE_POP. Returns TIMEOUT if the deadline has passed, and CLOSED if the queue
 * is closed and empty. */
enum status queue_pop(struct queue *queue, void **item, int64_t deadline_ns, enum wait_mode mode);

/* Returns the number of items. Other threads may change this number at any time, because it is read
 * without the lock. The call costs nothing. */
uint32_t queue_count(const struct queue *queue);

/* Closes the queue. From now on pushes fail; pops still return the remaining items. */
void queue_close(struct queue *queue);

/* A counting semaphore for host threads. */

struct semaphore; /* opaque */

/* Makes a semaphore with `value` permits. `name` is used in stall reports, and is copied. */
struct semaphore *semaphore_new(const char *name, uint32_t value);

/* Frees a semaphore on which no thread waits. NULL is allowed. */
void semaphore_free(struct semaphore *semaphore);

/* Takes a permit. Blocks while there is none. Returns OK or TIMEOUT. */
enum status semaphore_acquire(
	struct semaphore *semaphore, int64_t deadline_ns, enum wait_mode mode);

/* Gives `count` permits back. */
void semaphore_release(struct semaphore *semaphore, uint32_t count);

#endif
