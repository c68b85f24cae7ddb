/* A counting semaphore: a number under a monitor. */
#include "world/queue.h"

#include "base/allocate.h"
#include "base/ensure.h"

#include <stdlib.h>

struct semaphore {
	struct monitor *monitor;
	uint32_t value;
	uint32_t waiting; /* number of threads in semaphore_acquire() that wait for a permit */
};

struct semaphore *semaphore_new(const char *name, uint32_t value)
{
	struct semaphore *semaphore = allocate(1, sizeof *semaphore);

	semaphore->monitor = world->monitor_new(name);
	semaphore->value = value;
	return semaphore;
}

void semaphore_free(struct semaphore *semaphore)
{
	if (semaphore == NULL)
		return;
	world->monitor_free(semaphore->monitor);
	free(semaphore);
}

enum status semaphore_acquire(struct semaphore *semaphore, int64_t deadline_ns, enum wait_mode mode)
{
	enum status status = STATUS_OK;

	world->monitor_enter(semaphore->monitor);
	while (semaphore->value == 0 && status == STATUS_OK) {
		semaphore->waiting++;
		status = world->monitor_wait_until(semaphore->monitor, deadline_ns, mode);
		semaphore->waiting--;
	}
	if (semaphore->value > 0) {
		semaphore->value--;
		status = STATUS_OK;
	}
	world->monitor_exit(semaphore->monitor);
	return status;
}

void semaphore_release(struct semaphore *semaphore, uint32_t count)
{
	world->monitor_enter(semaphore->monitor);
	ensure(semaphore->value <= UINT32_MAX - count, "semaphore at %u released %u times",
		semaphore->value, count);
	semaphore->value += count;
	for (uint32_t i = 0; i < count && i < semaphore->waiting; i++)
		world->monitor_notify_one(semaphore->monitor);
	world->monitor_exit(semaphore->monitor);
}
