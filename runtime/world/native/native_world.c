/* The native implementation of world.h: pthreads and CLOCK_MONOTONIC. Work is counted for each
 * thread, but takes no additional time, because the real code takes real time. Every thread runs on
 * this machine, even if its affinity names another host. */
#define _GNU_SOURCE /* pthread_setaffinity_np */
#include "world/native/native.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "native_wait.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_NAME_BYTES = 48, KERNEL_NAME_BYTES = 16 };

struct thread {
	pthread_t handle;
	void (*fn)(void *arg);
	void *arg;
	char name[THREAD_NAME_BYTES];
};

/* State of the native world in this process. */
static struct {
	struct recorder recorder; /* if `mark` is NULL, there is no recorder */
	uint16_t host;		  /* host number in log lines */
	pthread_mutex_t mutex;
	struct work_counts ended; /* work of the threads that have ended */
	pthread_once_t looked;
	cpu_set_t allowed; /* processors that this process may use */
	uint16_t cores;
	uint16_t core[CPU_SETSIZE], socket[CPU_SETSIZE]; /* numbers and sockets of the cores */
} native = {.mutex = PTHREAD_MUTEX_INITIALIZER, .looked = PTHREAD_ONCE_INIT};

static _Thread_local struct work_counts own_counts;
static _Thread_local const char *own_name; /* NULL: this is the thread that started the process */

/* ---- threads ---- */

static void *thread_main(void *arg)
{
	struct thread *thread = arg;
	char name[KERNEL_NAME_BYTES] = {0};

	memcpy(name, thread->name, sizeof name - 1);
	own_name = thread->name;
	pthread_setname_np(pthread_self(), name);
	thread->fn(thread->arg);
	pthread_mutex_lock(&native.mutex);
	work_counts_add(&native.ended, &own_counts);
	pthread_mutex_unlock(&native.mutex);
	return NULL;
}

/* ---- cores ---- */

/* Returns the socket of a processor, as the kernel numbers it; 0 if the socket is unknown. */
static uint16_t native_world_socket_of(int processor)
{
	char path[96];
	unsigned socket = 0;
	FILE *file;

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id",
		processor);
	file = fopen(path, "r");
	if (file == NULL)
		return 0;
	if (fscanf(file, "%u", &socket) != 1)
		socket = 0;
	fclose(file);
	return (uint16_t)socket;
}

static void look_for_cores(void)
{
	CPU_ZERO(&native.allowed);
	if (sched_getaffinity(0, sizeof native.allowed, &native.allowed) != 0)
		CPU_SET(0, &native.allowed);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET((size_t)i, &native.allowed)) {
			native.core[native.cores] = (uint16_t)i;
			native.socket[native.cores++] = native_world_socket_of(i);
		}
}

static uint16_t native_core_count(uint16_t host)
{
	(void)host;
	pthread_once(&native.looked, look_for_cores);
	return native.cores;
}

static uint16_t native_core_socket(uint16_t host, uint16_t core)
{
	ensure(core < native_core_count(host), "core %u of %u", core, native.cores);
	return native.socket[core];
}

static enum status bind_thread(pthread_t thread, int16_t core)
{
	cpu_set_t set;

	ensure(core < (int)native_core_count(0), "core %d of %u", core, native.cores);
	set = native.allowed;
	if (core >= 0) {
		CPU_ZERO(&set);
		CPU_SET((size_t)native.core[core], &set);
	}
	return pthread_setaffinity_np(thread, sizeof set, &set) == 0 ? STATUS_OK
								     : STATUS_UNSUPPORTED;
}

static enum status native_bind(int16_t core)
{
	return bind_thread(pthread_self(), core);
}

/* ---- starting and joining ---- */

static struct thread *native_spawn(
	const char *name, struct affinity affinity, void (*fn)(void *arg), void *arg)
{
	struct thread *thread = allocate(1, sizeof *thread);
	size_t length = strlen(name);
	int error;

	ensure(length < sizeof thread->name, "thread name '%s' of %zu bytes", name, length);
	memcpy(thread->name, name, length);
	thread->fn = fn;
	thread->arg = arg;
	error = pthread_create(&thread->handle, NULL, thread_main, thread);
	ensure(error == 0, "cannot start thread '%s': %s", name, strerror(error));
	if (affinity.core >= 0)
		bind_thread(thread->handle, affinity.core);
	return thread;
}

static void native_join(struct thread *thread)
{
	int error = pthread_join(thread->handle, NULL);

	ensure(error == 0, "cannot join thread '%s': %s", thread->name, strerror(error));
	free(thread);
}

/* ---- the account ---- */

static void native_work(enum work_kind kind, uint64_t count)
{
	ensure((unsigned)kind < WORK_KIND_COUNT, "work kind %u", (unsigned)kind);
	own_counts.units[kind] += count;
}

static void native_work_copy(uint64_t bytes, enum memory_kind from, enum memory_kind to)
{
	ensure((unsigned)from < MEMORY_KIND_COUNT && (unsigned)to < MEMORY_KIND_COUNT,
		"copy from %u to %u", (unsigned)from, (unsigned)to);
	own_counts.copied_bytes[from][to] += bytes;
}

static void native_work_code(uint32_t codec, bool reads, uint64_t words, uint64_t bytes)
{
	ensure(codec < WORK_CODECS, "codec %u", codec);
	work_coded_add(&own_counts.coded[codec][reads], &(struct work_coded){1, words, bytes});
}

static void native_settle(void)
{
}

static void native_mark(uint32_t operation, enum mark_point point, uint32_t chip)
{
	const struct recorder *recorder = &native.recorder;

	if (recorder->mark == NULL)
		return;
	recorder->mark(recorder->context, native_now_ns() * 1000, operation, point, chip);
}

static const struct log_sink *native_log(struct log_line *line)
{
	const struct log_sink *sink = native.recorder.log;

	if (sink == NULL || line == NULL)
		return sink;
	line->at_ps = native_now_ns() * 1000;
	line->host = native.host;
	line->thread = own_name ? own_name : "main";
	return sink;
}

void native_world_host(uint16_t host)
{
	native.host = host;
}

void native_world_start(const struct recorder *recorder)
{
	native_clock_start();
	native.recorder = recorder ? *recorder : (struct recorder){0};
	memset(&native.ended, 0, sizeof native.ended);
	memset(&own_counts, 0, sizeof own_counts);
}

void native_world_counts(struct work_counts *counts)
{
	pthread_mutex_lock(&native.mutex);
	*counts = native.ended;
	pthread_mutex_unlock(&native.mutex);
	work_counts_add(counts, &own_counts);
}

const struct world_ops native_world = {
	.name = "native",
	.now_ns = native_now_ns,
	.spawn = native_spawn,
	.core_count = native_core_count,
	.core_socket = native_core_socket,
	.bind = native_bind,
	.join = native_join,
	.sleep_until = native_sleep_until,
	.monitor_new = native_monitor_new,
	.monitor_free = native_monitor_free,
	.monitor_enter = native_monitor_enter,
	.monitor_exit = native_monitor_exit,
	.monitor_wait_until = native_monitor_wait_until,
	.monitor_notify_one = native_monitor_notify_one,
	.monitor_notify_all = native_monitor_notify_all,
	.work = native_work,
	.work_copy = native_work_copy,
	.work_code = native_work_code,
	.settle = native_settle,
	.mark = native_mark,
	.log = native_log,
};
