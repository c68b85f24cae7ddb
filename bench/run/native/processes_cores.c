/* Binds the processes of a native run to cores, and measures their CPU time (processes.h). */
#include "processes.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/refuse.h"
#include "bench/scenario/hosts.h"
#include "world/world.h"

enum status processes_stay(const struct platform *platform, uint32_t server, struct text *why)
{
	cpu_set_t own, one;
	uint32_t left;

	if (!machine_binds(platform))
		return STATUS_OK;
	if (sched_getaffinity(0, sizeof own, &own) != 0)
		return refuse(why, STATUS_IO, "cannot ask for cores: %s", strerror(errno));
	left = server % (uint32_t)CPU_COUNT(&own);
	CPU_ZERO(&one);
	for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
		if (CPU_ISSET(i, &own) && left-- == 0)
			CPU_SET(i, &one);
	if (sched_setaffinity(0, sizeof one, &one) != 0)
		return refuse(why, STATUS_IO, "cannot be bound to a core: %s", strerror(errno));
	return STATUS_OK;
}

int64_t processes_cpu_ps(pid_t process)
{
	struct timespec time = {0};
	clockid_t clock;

	if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
		return 0;
	return time.tv_sec * INT64_C(1000000000000) + time.tv_nsec * INT64_C(1000);
}

/* `busy_ps` is the sum over all threads of the process. It can exceed the wall-clock time. */
void processes_cpu(
	int64_t busy_ps, uint16_t host, struct thread_row *row, struct run_totals *totals)
{
	int64_t whole_ps = world->now_ns() * 1000;

	row->host = host;
	row->ended = -1;
	row->busy = busy_ps;
	row->parked = row->busy < whole_ps ? whole_ps - row->busy : 0;
	totals->host_busy_ps += (uint64_t)row->busy;
	totals->host_threads++;
}

struct opening_row processes_opening(const struct channel_counts *counts, uint32_t hosts)
{
	return (struct opening_row){
		.hosts = hosts,
		.opening = counts->opening_ns * 1000 / hosts,
		.opening_most = counts->opening_most_ns * 1000,
		.proof = counts->proof_ns * 1000 / hosts,
		.proof_most = counts->proof_most_ns * 1000,
	};
}

uint64_t processes_session(void)
{
	uint64_t session = 0;

	if (getrandom(&session, sizeof session, 0) != sizeof session)
		session = (uint64_t)getpid();
	return session;
}
