/* The clocks that probes read. CPU time is as counted by the kernel, without the time of other
 * threads on the core. Private to the room. */
#ifndef BENCH_TOOLS_MEASURE_CLOCK_H
#define BENCH_TOOLS_MEASURE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Wall-clock time; CPU time of the calling thread; CPU time of the whole process. */
static inline int64_t clock_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline int64_t clock_thread_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static inline int64_t clock_process_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Keeps the compiler from removing accesses to *pointer: it must assume that it is read and
 * written. */
static inline void clock_keep(const void *pointer)
{
	__asm__ volatile("" ::"r"(pointer) : "memory");
}

#endif
