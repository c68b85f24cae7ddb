/* The scheduler `fair`: a core goes to a thread that has had little time, as in Linux since 6.6
 * (EEVDF, Stoica and Abdel-Wahab 1995; kernel/sched/fair.c). A thread is eligible if its time on
 * cores is not above the average of the threads that want a core. The eligible thread with the
 * earliest deadline runs. The lag of a thread is the average minus the thread's own time. When a
 * thread goes to sleep, it keeps its lag: a positive lag for ever, a negative lag until the average
 * has reached the thread's own time. So a thread that sleeps often and does little preempts the
 * thread that woke it. All threads have the same weight. Threads do not migrate between queues: all
 * threads that are not pinned to a core share one queue.
 *
 * Lags are bounded, so a thread with work waits for at most a few quanta of each other thread. Two
 * rules keep them bounded. The first rule applies if all threads that want a core only spin. In
 * Linux these threads would take turns. Here the thread on the core keeps it beyond its quantum,
 * and the additional time is divided equally among all of them (`idle_ps`). The second rule applies
 * to a thread that polls and yields its core: its lag is bounded like the lag of a sleeping thread.
 */
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

static struct thread *waiter_of(struct earliest_node *node)
{
	return (struct thread *)((char *)node - offsetof(struct thread, fair.node));
}

static struct thread *debtor_of(struct earliest_node *node)
{
	return (struct thread *)((char *)node - offsetof(struct thread, fair.debt));
}

/* The thread's time on cores so far. */
static int64_t had_ps(const struct thread *thread)
{
	return thread->fair.had_ps + (thread->fair.runs ? engine_now() - thread->fair.since_ps : 0);
}

/* The average time of the threads that want a core and of the debtors, without `idle_ps`. */
static int64_t average_ps(const struct fair_share *share)
{
	__int128 sum_ps = share->had_ps + (__int128)share->running * engine_now() - share->since_ps;

	sum_ps -= (__int128)share->debtor_count * share->idle_ps;
	return share->count > 0 ? (int64_t)(sum_ps / share->count) : share->last_ps;
}

/* Brings idle_ps up to date. Call before `idling`, `count` or `debtor_count` changes. */
static void scheduler_fair_pass(struct fair_share *share)
{
	int64_t now_ps = engine_now();

	if (share->idling > 0)
		share->idle_ps += share->idling * (now_ps - share->idle_since_ps) /
				  (share->idling + share->count - share->debtor_count);
	share->idle_since_ps = now_ps;
}

static void scheduler_fair_take_out(struct fair_share *share, struct thread *thread)
{
	share->last_ps = average_ps(share);
	share->had_ps -= thread->fair.had_ps;
	share->count--;
}

/* ---- debtors: sleeping threads with a negative lag ---- */

static void add_debtor(struct fair_share *share, struct thread *thread)
{
	struct fair_standing *fair = &thread->fair;

	fair->owes = true;
	fair->had_ps += share->idle_ps;
	share->had_ps += share->idle_ps;
	fair->debt = (struct earliest_node){
		.deadline = fair->had_ps, .value = fair->had_ps, .order = thread->index};
	earliest_add(&share->debtors, &fair->debt);
	share->debtor_count++;
}

static void forget_debt(struct fair_share *share, struct thread *thread)
{
	struct fair_standing *fair = &thread->fair;

	earliest_remove(&share->debtors, &fair->debt);
	share->debtor_count--;
	fair->owes = false;
	fair->had_ps -= share->idle_ps;
	share->had_ps -= share->idle_ps;
}

/* Removes the debtors that have no debt any more. */
static void forgive(struct fair_share *share)
{
	scheduler_fair_pass(share);
	while (share->debtors) {
		struct thread *thread = debtor_of(earliest_least(share->debtors));

		if (thread->fair.had_ps - share->idle_ps > average_ps(share) &&
			share->count > share->debtor_count)
			return;
		forget_debt(share, thread);
		thread->fair.lag_ps = 0;
		scheduler_fair_take_out(share, thread);
	}
}

/* Adds a thread to its group. The thread gets the lag (the average time minus the thread's own
 * time) that it had when it left the group. Adding the thread changes the average itself; the term
 * lag / count corrects for this change. */
static void join(struct thread *thread)
{
	struct fair_share *share = share_of(thread);
	struct fair_standing *fair = &thread->fair;

	forgive(share);
	if (fair->owes) {
		if (fair->share != share)
			scheduler_fair_pass(fair->share);
		forget_debt(fair->share, thread);
		if (fair->share == share)
			return;
		scheduler_fair_take_out(
			/* the thread was pinned to another core in the meantime */
			fair->share, thread);
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

static int64_t most_ps(const struct thread *thread)
{
	return 2 * slice_ps(thread);
}

static void scheduler_fair_leave(struct thread *thread)
{
	struct fair_share *share = share_of(thread);
	struct fair_standing *fair = &thread->fair;

	forgive(share);
	fair->lag_ps = within(average_ps(share) - fair->had_ps, most_ps(thread));
	if (fair->lag_ps < 0 && !thread->ended && share->count > share->debtor_count + 1) {
		add_debtor(share, thread);
		return;
	}
	scheduler_fair_take_out(share, thread);
	if (fair->lag_ps < 0)
		fair->lag_ps = 0;
}

/* ---- running threads ---- */

static void scheduler_fair_run(struct thread *thread)
{
	struct fair_share *share = share_of(thread);

	thread->fair.runs = true;
	thread->fair.since_ps = engine_now();
	share->running++;
	share->since_ps += engine_now();
}

static void begin(struct thread *thread)
{
	if (thread->fair.had_ps >= thread->fair.deadline_ps)
		thread->fair.deadline_ps = thread->fair.had_ps + slice_ps(thread);
	thread->fair.until_ps = thread->fair.deadline_ps;
	scheduler_fair_run(thread);
}

static void scheduler_fair_end(struct thread *thread)
{
	struct fair_share *share = share_of(thread);
	struct fair_standing *fair = &thread->fair;

	share->running--;
	share->since_ps -= fair->since_ps;
	share->had_ps += engine_now() - fair->since_ps;
	fair->had_ps = had_ps(thread);
	fair->runs = false;
}

static void scheduler_fair_idle(struct thread *thread, bool begins)
{
	struct fair_share *share = share_of(thread);

	scheduler_fair_pass(share);
	if (begins) {
		scheduler_fair_end(thread);
		scheduler_fair_leave(thread);
		share->idling++;
	} else {
		share->idling--;
		join(thread);
		scheduler_fair_run(thread);
		thread->fair.until_ps = thread->fair.had_ps;
	}
}

static bool is_eligible(const struct thread *thread)
{
	return had_ps(thread) <= average_ps(share_of(thread));
}

/* ---- waiting threads ---- */

static void scheduler_fair_add(struct thread *thread)
{
	struct fair_standing *fair = &thread->fair;

	fair->node = (struct earliest_node){
		.deadline = fair->deadline_ps, .value = fair->had_ps, .order = thread->queued};
	earliest_add(&share_of(thread)->waiting, &fair->node);
}

static void scheduler_fair_wait(struct thread *thread)
{
	thread->fair.looks = thread->yields && thread_only_spins(thread);
	if (thread->fair.looks)
		scheduler_fair_leave(thread);
	else
		scheduler_fair_add(thread);
}

static void wait_no_longer(struct thread *thread)
{
	if (thread->fair.looks)
		join(thread);
	else
		earliest_remove(&share_of(thread)->waiting, &thread->fair.node);
}

static void scheduler_fair_find(struct thread *thread)
{
	if (!thread->fair.looks)
		return;
	thread->fair.looks = false;
	join(thread);
	scheduler_fair_add(thread);
}

/* Returns the eligible thread of the queue with the earliest deadline. If no thread is eligible,
 * returns the thread that has had the least time. Threads that only poll are chosen last, because
 * they would yield the core at once. If all queued threads only poll, returns the first thread in
 * the queue. */
static struct thread *best_of(const struct thread_queue *queue, const struct fair_share *share)
{
	struct earliest_node *best = earliest_within(share->waiting, average_ps(share));

	if (!best)
		best = earliest_least(share->waiting);
	return best ? waiter_of(best) : queue->first;
}

static struct thread *scheduler_fair_choose(struct core *core)
{
	struct thread *pinned, *any;

	forgive(&core->share);
	forgive(&core->host->share);
	pinned = best_of(&core->queue, &core->share);
	any = best_of(&core->host->queue, &core->host->share);
	if (!pinned || !any)
		return pinned ? pinned : any;
	if (pinned->fair.looks != any->fair.looks)
		return pinned->fair.looks ? any : pinned;
	return pinned->queued < any->queued ? pinned : any;
}

/* Returns true if the running thread keeps its core, and false if `other` gets it. Deadlines can be
 * compared only within a group: the running thread keeps the core if it is eligible and its
 * deadline is not later. Threads of different groups take turns, so `other` gets the core. */
static bool goes_on(const struct thread *running, const struct thread *other)
{
	return share_of(running) == share_of(other) && is_eligible(running) &&
	       running->fair.deadline_ps <= other->fair.deadline_ps;
}

static bool scheduler_fair_takes(struct core *core, const struct thread *woken)
{
	const struct thread *running = core->thread;

	if (is_eligible(running) && had_ps(running) < running->fair.until_ps)
		return false;
	return scheduler_fair_choose(core) == woken && !goes_on(running, woken);
}

static bool scheduler_fair_makes_way(struct core *core)
{
	struct thread *running = core->thread;
	const struct thread *other;

	if (had_ps(running) >= running->fair.deadline_ps)
		running->fair.deadline_ps = had_ps(running) + slice_ps(running);
	running->fair.until_ps = running->fair.deadline_ps;
	other = scheduler_fair_choose(core);
	return other && !other->fair.looks && !goes_on(running, other);
}

static int64_t scheduler_fair_until_ps(const struct core *core)
{
	const struct fair_standing *fair = &core->thread->fair;

	return fair->since_ps + fair->until_ps - fair->had_ps;
}

const struct scheduler scheduler_fair = {
	.entry = {.name = "fair",
		.description =
			"as Linux: the thread that ran least; one that wakes may take the core"},
	.counts_switches = true,
	.join = join,
	.leave = scheduler_fair_leave,
	.begin = begin,
	.end = scheduler_fair_end,
	.idle = scheduler_fair_idle,
	.wait = scheduler_fair_wait,
	.wait_no_longer = wait_no_longer,
	.find = scheduler_fair_find,
	.choose = scheduler_fair_choose,
	.takes = scheduler_fair_takes,
	.makes_way = scheduler_fair_makes_way,
	.until_ps = scheduler_fair_until_ps,
};
