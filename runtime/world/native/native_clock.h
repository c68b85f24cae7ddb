/* What the native rows share: the clock, and how threads wait by it. Private to the room. */
#ifndef WORLD_NATIVE_NATIVE_CLOCK_H
#define WORLD_NATIVE_NATIVE_CLOCK_H

#include <pthread.h>
#include <stdint.h>

/* How long SPIN_THEN_PARK spins: about what a park and the wake-up of an idle core cost. */
enum { NATIVE_SPIN_NS = 40000 };

/* Sets the clock to 0. */
void native_clock_start(void);

/* ns of CLOCK_MONOTONIC since then. */
int64_t native_now_ns(void);

/* A condition whose timed waits go by CLOCK_MONOTONIC. */
void native_cond_init(pthread_cond_t *cond);

/* Waits for the condition or for the deadline, which may be DEADLINE_NEVER. May return early. */
void native_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t deadline_ns);

/* Sleeps until `deadline_ns`, which is not DEADLINE_NEVER. */
void native_sleep_until(int64_t deadline_ns);

/* Between two looks of a spinning thread; `looks` so far. A pause of the core at first, then also
 * offers the core to other threads, so that spinning threads that outnumber the cores make way. */
void native_spin_pause(uint32_t looks);

#endif
