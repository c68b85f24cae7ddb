/* The bill of an account is its cost by charge. Causes are made from it (cause/cause.h). */
#include "host_private.h"

int64_t account_pending_ps(const struct thread *thread)
{
	return thread->account.compute_ps + thread->account.copy_ps;
}

/* Searches backwards, since a repeated charge is mostly among the last ones. */
void bill_add(struct thread *thread, enum charge charge, int64_t cost_ps)
{
	uint32_t i = thread->bill_count;

	if (!causes.on || cost_ps == 0)
		return;
	while (i > 0 && thread->bill[i - 1].charge != charge)
		i--;
	if (i > 0)
		thread->bill[i - 1].ps += cost_ps;
	else if (thread->bill_count < BILL_ITEMS)
		thread->bill[thread->bill_count++] = (struct bill){charge, cost_ps};
}

void account_add(struct thread *thread, enum charge charge, int64_t cost_ps)
{
	thread->account.compute_ps += cost_ps;
	bill_add(thread, charge, cost_ps);
}

void account_close(struct thread *thread)
{
	if (!causes.on)
		return;
	cause_clear();
	for (uint32_t i = 0; i < thread->bill_count; i++)
		cause_charge(thread->bill[i].charge, thread->bill[i].ps);
	thread->bill_count = 0;
	cause_release(cause_enter(cause_take(engine_now() + account_pending_ps(thread))));
}
