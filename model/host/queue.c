/* FIFO queues of runnable threads. A queue also counts how many of its threads have work to do and
 * do not only spin. The links of the list are members of the thread, so a thread is in at most one
 * queue. */
#include "host_private.h"

#include <stddef.h>

#include "base/chain.h"

bool thread_only_spins(const struct thread *thread)
{
	return thread->phase == PHASE_SPIN && !thread->woken;
}

void thread_queue_push(struct thread_queue *queue, struct thread *thread)
{
	thread->previous = queue->last;
	CHAIN_APPEND(queue->first, queue->last, thread, next);
	queue->count++;
	if (!thread_only_spins(thread))
		queue->ready++;
}

void thread_queue_remove(struct thread_queue *queue, struct thread *thread)
{
	if (thread->previous)
		thread->previous->next = thread->next;
	else
		queue->first = thread->next;
	if (thread->next)
		thread->next->previous = thread->previous;
	else
		queue->last = thread->previous;
	queue->count--;
	if (!thread_only_spins(thread))
		queue->ready--;
}
