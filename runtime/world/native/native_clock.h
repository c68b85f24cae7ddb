/* What the native rows share: the clock, and how a spinning thread passes its time. Private to the
 * native rows. */
#ifndef WORLD_NATIVE_NATIVE_CLOCK_H
#define WORLD_NATIVE_NATIVE_CLOCK_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* How long SPIN_THEN_PARK spins: about what a park and the wake-up of an idle core cost. */
enum { NATIVE_SPIN_NS = 40000 };

/* CLOCK_MONOTONIC since native_world_start. */
int64_t native_now_ns(void);

/* The absolute time of CLOCK_MONOTONIC that stands for `deadline_ns`. Not for DEADLINE_NEVER. */
struct timespec native_timespec(int64_t deadline_ns);

/* A condition whose timed waits go by CLOCK_MONOTONIC. */
void native_cond_init(pthread_cond_t *cond);

/* Waits for the condition or for the deadline, which may be DEADLINE_NEVER. May return early. */
void native_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t deadline_ns);

/* Between two looks of a spinning thread; `looks` so far. A pause of the core at first, then also
 * offers the core to other threads, so that spinning threads that outnumber the cores make way. */
void native_spin_pause(uint32_t looks);

#endif
