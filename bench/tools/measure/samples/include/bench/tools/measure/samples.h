/* Clocks, and repeated measurements with their quantiles. CPU time comes from the operating system.
 * It does not contain the time in which a core ran other threads or, for the CPU time of a process,
 * other processes. Each quantile is one of the samples. The spread is half the interquartile range,
 * so a few interrupted repetitions do not change it. */
#ifndef BENCH_TOOLS_MEASURE_SAMPLES_H
#define BENCH_TOOLS_MEASURE_SAMPLES_H

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

/* Wall-clock time, and CPU time of the whole process, in seconds. */
static inline double clock_now_s(void)
{
	return 1e-9 * (double)clock_now_ns();
}

static inline double clock_cpu_s(void)
{
	return 1e-9 * (double)clock_process_ns();
}

/* Keeps the compiler from removing accesses to *pointer, because the compiler must assume that this
 * function reads and writes *pointer. */
static inline void clock_keep(const void *pointer)
{
	__asm__ volatile("" ::"r"(pointer) : "memory");
}

struct samples {
	double *at;
	uint32_t count, room;
};

struct quantiles {
	double p50, p90, p99, least;
	double spread; /* half the interquartile range */
};

/* All zeros is an empty list. */
void samples_add(struct samples *samples, double value);
void samples_clear(struct samples *samples); /* keeps the memory */
void samples_fini(struct samples *samples);

/* Sorts the samples, and returns their quantiles; all zeros if there are none. */
struct quantiles samples_quantiles(struct samples *samples);

#endif
