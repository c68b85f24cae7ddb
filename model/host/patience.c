/* Detects a stall while threads poll with timeouts. Without this detection, the events of the polls
 * would keep the simulation running for ever. The polls of all threads are counted. The count
 * starts again from 0, and a new round begins, when a thread is woken, when a thread sleeps, and
 * when there is a new event that does not come from a polling thread. A stall is reported after
 * more than LOOKS polls of a round if two conditions hold. All pending events belong to polling
 * threads. Each thread has ended, waits without a deadline, or has polled in this round already: a
 * thread may still do something new after its first poll. */
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
