/* Computes the CPU time that the host spends on one round of a loop that several threads may call
 * (sweep_loops.h). The CPU time in a file is the sum over all threads. Threads have rounds of
 * different lengths. While one thread is measured, another may still warm up, or may have ended. So
 * each thread gets its own part of the CPU time. */
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/sweep_loops.h"

/* Returns NULL if a file names more threads than a loop has parts. */
static struct loop_thread *loop_thread_of(struct loop_threads *threads, const char *name)
{
	uint32_t i = 0;

	while (i < threads->count && strcmp(threads->at[i].name, name) != 0)
		i++;
	if (i == SWEEP_PARTS_MAX)
		return NULL;
	if (i == threads->count)
		threads->at[threads->count++] = (struct loop_thread){.name = name, .begin = -1};
	return &threads->at[i];
}

static void loop_thread_returned(struct loop_thread *thread, const struct operation *operation)
{
	int64_t returned = operation->marks[MARK_RETURNED].last;

	if (operation->cpu_returned < 0 || returned <= thread->end)
		return;
	thread->end = returned;
	thread->cpu = operation->cpu_returned;
}

/* Returns the time at which all commands of an operation were written, or the time of its call if
 * this is later. */
static int64_t posted_at(const struct operation *operation)
{
	int64_t called = operation->marks[MARK_CALLED].last;
	int64_t posted = operation->marks[MARK_DOORBELL].last;

	return posted > called ? posted : called;
}

static void loop_thread_called(struct loop_thread *thread, const struct operation *operation,
	uint32_t round, const struct loop_threads *threads)
{
	int64_t called = operation->marks[MARK_CALLED].last, complete = completed_at(operation);

	thread->complete = complete > thread->complete ? complete : thread->complete;
	if (thread->begin >= 0 &&
		(round < thread->round || (round == thread->round && called >= thread->called)))
		return;
	if (round == threads->middle)
		thread->middle_posted = posted_at(operation);
	if (round == threads->late)
		thread->late_posted = posted_at(operation);
	if (thread->begin < 0)
		thread->begin = called;
	thread->round = round;
	thread->called = called;
	thread->posted = posted_at(operation);
	thread->cpu_called = operation->cpu_called;
}

/* Sets the mean length of a thread's measured rounds. If there are several rounds, leaves out the
 * last one if it was complete only after the thread's last call had returned. If no round is left
 * out, and `flights` has an entry for the thread, takes the length from this entry. */
static void loop_thread_close(struct loop_thread *thread, uint32_t rounds,
	const struct sweep_thread_rounds *flights, uint32_t count)
{
	bool waits = thread->complete <= thread->end || rounds == 1;

	if (!waits) {
		thread->end = thread->called;
		thread->cpu = thread->cpu_called;
	}
	thread->length = (double)(thread->end - thread->begin) / (rounds - !waits);
	for (uint32_t i = 0; waits && i < count; i++)
		if (strcmp(flights[i].thread, thread->name) == 0)
			thread->length = flights[i].length;
}

static int sweep_host_cpu_by_end(const void *a, const void *b)
{
	const struct loop_thread *x = a, *y = b;

	return (x->end > y->end) - (x->end < y->end);
}

/* Finds the threads of the loop. Returns false if they are too many. */
static bool find_threads(const struct operations *operations, const struct sweep_whole *whole,
	uint32_t warm, struct loop_threads *threads)
{
	uint32_t seen[SWEEP_PARTS_MAX] = {0};

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		uint32_t waiter = operations->waiter[i];
		uint32_t part = sweep_whole_part(whole, operation);
		uint32_t round = part < whole->count ? seen[part]++ / whole->at[part].each : 0;
		struct loop_thread *thread;

		if (part == whole->count || round < warm)
			continue;
		thread = loop_thread_of(threads, operation->thread);
		if (thread == NULL)
			return false;
		loop_thread_called(thread, operation, round, threads);
		loop_thread_returned(thread, operation);
		if (waiter < operations->count)
			loop_thread_returned(thread, &operations->at[waiter]);
	}
	return true;
}

/* Sets the time from which CPU time is counted. Normally, this is the last call before all threads
 * have warmed up. But if more than half of the measured time of some thread has passed by then, it
 * is the last call before the middle of that thread's measured time. Threads that still warm up are
 * then counted, too. */
static void find_start(const struct operations *operations, const struct sweep_whole *whole,
	struct loop_threads *threads)
{
	int64_t latest = 0, half = INT64_MAX;

	for (uint32_t i = 0; i < threads->count; i++) {
		const struct loop_thread *thread = &threads->at[i];
		int64_t middle = thread->begin + (thread->end - thread->begin) / 2;

		latest = thread->begin > latest ? thread->begin : latest;
		half = middle < half ? middle : half;
	}
	latest = latest < half ? latest : half;
	threads->start = threads->cpu = -1;
	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		int64_t called = operation->marks[MARK_CALLED].last;

		if (!sweep_whole_has(whole, operation) || operation->cpu_called < 0 ||
			called > latest || called <= threads->start)
			continue;
		threads->start = called;
		threads->cpu = operation->cpu_called;
	}
}

/* Returns the time for which a thread is in the loop between two times. */
static double time_within(const struct loop_thread *thread, int64_t from, int64_t to)
{
	int64_t end = thread->end < to ? thread->end : to;

	return end > from ? (double)(end - from) : 0;
}

/* Returns the index of the first thread that ends together with thread `last`. Threads are in the
 * order of their ends. Threads end together with `last` if they end less than one round of `last`
 * earlier. */
static uint32_t first_alike(const struct loop_threads *threads, uint32_t last)
{
	const struct loop_thread *thread = &threads->at[last];
	uint32_t first = last;

	while (first > 0 && (double)(thread->end - threads->at[first - 1].end) < thread->length)
		first--;
	return first;
}

/* Sets shares[thread] to the share of a core that each thread needs. Threads that end together get
 * equal shares. The threads that end last come first: after the end of all other threads, all CPU
 * time is theirs. Then come the threads that end before them, and so on: they get the CPU time up
 * to their end, minus the part of the threads that end later. */
static void find_shares(const struct loop_threads *threads, double shares[SWEEP_PARTS_MAX])
{
	const struct loop_thread start = {.end = threads->start, .cpu = threads->cpu};
	uint32_t first;

	for (uint32_t last = threads->count; last-- > 0; last = first) {
		const struct loop_thread *until = &threads->at[last], *from = &start;
		double time = 0, spent;

		first = first_alike(threads, last);
		if (first > 0 && threads->at[first - 1].end > threads->start)
			from = &threads->at[first - 1];
		spent = (double)(until->cpu - from->cpu);
		for (uint32_t i = last + 1; i < threads->count; i++)
			spent -= shares[i] * (double)(until->end - from->end);
		for (uint32_t i = first; i <= last; i++)
			time += time_within(&threads->at[i], from->end, until->end);
		for (uint32_t i = first; i <= last; i++)
			shares[i] = time > 0 && spent > 0 ? spent / time : 0;
	}
}

double sweep_loop_host_cpu(const struct operations *operations, const struct sweep_whole *whole,
	uint32_t warm, uint32_t rounds, const struct sweep_thread_rounds *flights, uint32_t count)
{
	struct loop_threads threads = {.middle = warm + rounds / 2, .late = warm + 3 * rounds / 4};
	double shares[SWEEP_PARTS_MAX] = {0}, cpu = 0;

	if (rounds == 0 || !find_threads(operations, whole, warm, &threads))
		return -1;
	for (uint32_t i = 0; i < threads.count; i++)
		loop_thread_close(&threads.at[i], rounds, flights, count);
	qsort(threads.at, threads.count, sizeof(*threads.at), sweep_host_cpu_by_end);
	find_start(operations, whole, &threads);
	if (threads.count == 0 || threads.cpu < 0)
		return -1;
	cpu = loop_cpu_by_phases(operations, whole, &threads, rounds, count == 0);
	if (cpu > 0)
		return cpu;
	cpu = 0;
	find_shares(&threads, shares);
	for (uint32_t i = 0; i < threads.count; i++)
		cpu += shares[i] * threads.at[i].length;
	return cpu > 0 ? cpu : -1;
}
