/* Detects a stall while threads poll with timeouts. Without this detection, the events of the polls
 * would keep the simulation running for ever. A stall is reported if, during many polls, no thread
 * was woken, all new events came from polling threads, and all pending events belong to polling
 * threads. The number of polls starts again from 0 when one of these conditions fails; this begins
 * a new round. No stall is reported while a thread sleeps or computes. Each polling thread must
 * also have polled in the current round, because it may do something new after its first poll. */
#include "host_private.h"

enum { LOOKS = 1000 };

void patience_restart(void)
{
	sim_hosts.patience.looks = 0;
	sim_hosts.patience.round++;
}

void host_thread_news(void)
{
	patience_restart();
}

static bool looks_for_ever(const struct thread *thread)
{
	return thread->ended ||
	       (thread->waiter != NULL && (thread->deadline_ps == NEVER_PS ||
						  thread->looked == sim_hosts.patience.round));
}

static bool all_look_for_ever(void)
{
	for (uint32_t i = 0; i < sim_hosts.thread_count; i++)
		if (!looks_for_ever(sim_hosts.threads[i]))
			return false;
	return true;
}

bool patience_is_over(struct thread *thread)
{
	struct patience *patience = &sim_hosts.patience;
	uint64_t others = engine_pushed() - patience->pushed;
	bool again;

	if (thread->sleeps || others != patience->others)
		patience_restart();
	patience->others = others;
	again = thread->looked == patience->round;
	if (!thread->sleeps)
		thread->looked = patience->round;
	return ++patience->looks > LOOKS && again && engine_pending() == patience->alarms &&
	       all_look_for_ever();
}
