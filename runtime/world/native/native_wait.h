/* The clock, timed waiting and monitors of the native world. Only for the files of the native
 * implementation. */
#ifndef WORLD_NATIVE_NATIVE_WAIT_H
#define WORLD_NATIVE_NATIVE_WAIT_H

#include <pthread.h>
#include <stdint.h>

#include "world/world.h"

/* The clock of the native world, and waiting with a deadline. */

/* The default time in ns for which SPIN_THEN_PARK spins. It roughly equals what it costs to park a
 * thread and to wake an idle core. */
enum { NATIVE_SPIN_NS = 40000 };

/* Returns the time for which SPIN_THEN_PARK spins. */
int64_t native_spin_ns(void);

/* Sets the clock to 0. */
void native_clock_start(void);

/* Returns the nanoseconds since native_clock_start(). */
int64_t native_now_ns(void);

/* Initializes a condition whose timed waits use CLOCK_MONOTONIC. */
void native_cond_init(pthread_cond_t *cond);

/* Waits for the condition or for the deadline, which may be DEADLINE_NEVER. May return early. */
void native_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t deadline_ns);

/* Sleeps until `deadline_ns`, which must not be DEADLINE_NEVER. */
void native_sleep_until(int64_t deadline_ns);

/* Pauses a thread that waits in `mode` between two polls of the value for which it waits. `looks`
 * is the number of polls so far. At first, a spinning thread only pauses its core. Later it also
 * yields the core, so that all threads make progress even if there are more spinning threads than
 * cores. With WAIT_YIELD, the thread yields the core in every pause. */
void native_spin_pause(enum wait_mode mode, uint32_t looks);

/* The functions of native monitors, for the table of the world. */

struct monitor *native_monitor_new(const char *name);
void native_monitor_free(struct monitor *monitor);
void native_monitor_enter(struct monitor *monitor);
void native_monitor_exit(struct monitor *monitor);
enum status native_monitor_wait_until(
	struct monitor *monitor, int64_t deadline_ns, enum wait_mode mode);
void native_monitor_notify_one(struct monitor *monitor);
void native_monitor_notify_all(struct monitor *monitor);

#endif
