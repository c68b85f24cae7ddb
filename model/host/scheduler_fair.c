/* The row `fair`: who has had least of the core, as Linux does it since 6.6 (EEVDF, Stoica and
 * Abdel-Wahab 1995; kernel/sched/fair.c): time on a core counts; who had no more than the average
 * of those that want it is eligible, and of these the earliest deadline has it. A thread keeps what
 * it is owed while it sleeps, and what it owes until the others have caught up, so that who sleeps
 * often and does little takes the core from who woke it. All weigh the same. Refuses to move
 * threads between cores: what no core is pinned for is one queue. */
#include "host_private.h"

#include <stddef.h>

static struct fair_share *share_of(const struct thread *thread)
{
	return thread->pinned >= 0 ? &thread->host->cores[thread->pinned].share
				   : &thread->host->share;
}

static int64_t slice_ps(const struct thread *thread)
{
	return thread->host->constants->quantum_ps;
}

/* Time that it has had. */
static int64_t had_ps(const struct thread *thread)
{
	return thread->fair.had_ps + (thread->fair.runs ? engine_now() - thread->fair.since_ps : 0);
}

/* What those that want a core have had on average. */
static int64_t average_ps(const struct fair_share *share)
{
	__int128 sum_ps = share->had_ps + (__int128)share->running * engine_now() - share->since_ps;

	return share->count > 0 ? (int64_t)(sum_ps / share->count) : share->last_ps;
}

static void take_out(struct fair_share *share, struct thread *thread)
{
	share->last_ps = average_ps(share);
	share->had_ps -= thread->fair.had_ps;
	share->count--;
}

/* Those that sleep and owe nothing any more are no longer counted. */
static void forgive(struct fair_share *share)
{
	struct thread **place = &share->debtors;

	while (*place) {
		struct thread *thread = *place;

		if (thread->fair.had_ps <= average_ps(share) ||
			share->count == share->debtor_count) {
			*place = thread->fair.next;
			share->debtor_count--;
			thread->fair.owes = false;
			thread->fair.lag_ps = 0;
			take_out(share, thread);
		} else {
			place = &thread->fair.next;
		}
	}
}

static void forget_debt(struct fair_share *share, struct thread *thread)
{
	struct thread **place = &share->debtors;

	while (*place != thread)
		place = &(*place)->fair.next;
	*place = thread->fair.next;
	share->debtor_count--;
	thread->fair.owes = false;
}

/* Placed so that it is owed what it was when it went, now that it counts itself. */
static void join(struct thread *thread)
{
	struct fair_share *share = share_of(thread);
	struct fair_standing *fair = &thread->fair;

	forgive(share);
	if (fair->owes) {
		forget_debt(fair->share, thread);
		if (fair->share == share)
			return;
		take_out(fair->share, thread); /* it has been bound to another core */
	}
	fair->share = share;
	fair->had_ps = average_ps(share);
	if (share->count > 0)
		fair->had_ps -= fair->lag_ps + fair->lag_ps / share->count;
	fair->deadline_ps = fair->had_ps + slice_ps(thread);
	share->had_ps += fair->had_ps;
	share->count++;
}

static int64_t within(int64_t value, int64_t bound)
{
	return value > bound ? bound : value < -bound ? -bound : value;
}

static void leave(struct thread *thread)
{
	struct fair_share *share = share_of(thread);
	struct fair_standing *fair = &thread->fair;

	forgive(share);
	fair->lag_ps = within(average_ps(share) - fair->had_ps, 2 * slice_ps(thread));
	if (fair->lag_ps >= 0 || thread->ended || share->count == share->debtor_count + 1) {
		take_out(share, thread);
		if (fair->lag_ps < 0)
			fair->lag_ps = 0;
		return;
	}
	fair->owes = true;
	fair->next = share->debtors;
	share->debtors = thread;
	share->debtor_count++;
}

static void begin(struct thread *thread)
{
	struct fair_share *share = share_of(thread);

	if (thread->fair.had_ps >= thread->fair.deadline_ps)
		thread->fair.deadline_ps = thread->fair.had_ps + slice_ps(thread);
	thread->fair.runs = true;
	thread->fair.since_ps = engine_now();
	thread->fair.until_ps = thread->fair.deadline_ps;
	share->running++;
	share->since_ps += engine_now();
}

static void end(struct thread *thread)
{
	struct fair_share *share = share_of(thread);
	struct fair_standing *fair = &thread->fair;

	share->running--;
	share->since_ps -= fair->since_ps;
	share->had_ps += engine_now() - fair->since_ps;
	fair->had_ps = had_ps(thread);
	fair->runs = false;
}

static bool is_eligible(const struct thread *thread)
{
	return had_ps(thread) <= average_ps(share_of(thread));
}

/* The eligible one with the earliest deadline; if all owe, who owes least. Who would but look and
 * give the core away again is left out if somebody else waits. */
static struct thread *best_of(const struct thread_queue *queue)
{
	struct thread *best = NULL, *least = NULL;

	for (struct thread *thread = queue->first; thread; thread = thread->next) {
		if (queue->ready > 0 && thread->yields && thread_only_spins(thread))
			continue;
		if (!least || thread->fair.had_ps < least->fair.had_ps)
			least = thread;
		if (is_eligible(thread) &&
			(!best || thread->fair.deadline_ps < best->fair.deadline_ps))
			best = thread;
	}
	return best ? best : least;
}

static struct thread *choose(struct core *core)
{
	struct thread *pinned, *any;

	forgive(&core->share);
	forgive(&core->host->share);
	pinned = best_of(&core->queue);
	any = best_of(&core->host->queue);
	return pinned && (!any || pinned->queued < any->queued) ? pinned : any;
}

/* Who has the core goes on rather than `other`. */
static bool goes_on(const struct thread *running, const struct thread *other)
{
	return is_eligible(running) && running->fair.deadline_ps <= other->fair.deadline_ps;
}

static bool takes(struct core *core, const struct thread *woken)
{
	const struct thread *running = core->thread;

	if (is_eligible(running) && had_ps(running) < running->fair.until_ps)
		return false;
	return choose(core) == woken && !goes_on(running, woken);
}

static bool makes_way(struct core *core)
{
	struct thread *running = core->thread;
	const struct thread *other;

	if (had_ps(running) >= running->fair.deadline_ps)
		running->fair.deadline_ps = had_ps(running) + slice_ps(running);
	running->fair.until_ps = running->fair.deadline_ps;
	other = choose(core);
	return other && !goes_on(running, other);
}

static int64_t until_ps(const struct core *core)
{
	const struct fair_standing *fair = &core->thread->fair;

	return fair->since_ps + fair->until_ps - fair->had_ps;
}

const struct scheduler scheduler_fair = {
	.name = "fair",
	.join = join,
	.leave = leave,
	.begin = begin,
	.end = end,
	.choose = choose,
	.takes = takes,
	.makes_way = makes_way,
	.until_ps = until_ps,
};
