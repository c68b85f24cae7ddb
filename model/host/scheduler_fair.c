/* The row `fair`: a core goes to the thread that has had least of it, as in Linux since 6.6 (EEVDF,
 * Stoica and Abdel-Wahab 1995; kernel/sched/fair.c). Time on a core counts; a thread that had no
 * more than the average of those that want the core is eligible, and of these the earliest deadline
 * has it. A thread keeps what it is owed while it sleeps, and what it owes until the others have
 * caught up, so that a thread that sleeps often and does little takes the core from the one that
 * woke it. All weigh the same. Threads do not move between cores: the threads that are pinned to no
 * core are one queue.
 *
 * Lags are bounded, so a thread with work waits for a few quanta of each other thread at most. Two
 * rules keep them so. A thread that spins alone, because the others only spin too, would take turns
 * with them in Linux: its time beyond its quantum counts for all of them alike (`idle_ps`). A
 * poller that gives its core away is owed no more than a sleeping thread. */
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

/* Time that it has had. */
static int64_t had_ps(const struct thread *thread)
{
	return thread->fair.had_ps + (thread->fair.runs ? engine_now() - thread->fair.since_ps : 0);
}

/* What those that want a core have had on average, but for `idle_ps`. */
static int64_t average_ps(const struct fair_share *share)
{
	__int128 sum_ps = share->had_ps + (__int128)share->running * engine_now() - share->since_ps;

	sum_ps -= (__int128)share->debtor_count * share->idle_ps;
	return share->count > 0 ? (int64_t)(sum_ps / share->count) : share->last_ps;
}

/* Counts the time of cores whose threads only spin, before anything changes. */
static void pass(struct fair_share *share)
{
	int64_t now_ps = engine_now();

	if (share->idling > 0)
		share->idle_ps += share->idling * (now_ps - share->idle_since_ps) /
				  (share->idling + share->count - share->debtor_count);
	share->idle_since_ps = now_ps;
}

static void take_out(struct fair_share *share, struct thread *thread)
{
	share->last_ps = average_ps(share);
	share->had_ps -= thread->fair.had_ps;
	share->count--;
}

/* ---- those that sleep and owe ---- */

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

/* Those that owe nothing any more are no longer counted. */
static void forgive(struct fair_share *share)
{
	pass(share);
	while (share->debtors) {
		struct thread *thread = debtor_of(earliest_least(share->debtors));

		if (thread->fair.had_ps - share->idle_ps > average_ps(share) &&
			share->count > share->debtor_count)
			return;
		forget_debt(share, thread);
		thread->fair.lag_ps = 0;
		take_out(share, thread);
	}
}

/* Placed so that it is owed what it was when it went, now that it counts itself. */
static void join(struct thread *thread)
{
	struct fair_share *share = share_of(thread);
	struct fair_standing *fair = &thread->fair;

	forgive(share);
	if (fair->owes) {
		if (fair->share != share)
			pass(fair->share);
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

static int64_t most_ps(const struct thread *thread)
{
	return 2 * slice_ps(thread);
}

static void leave(struct thread *thread)
{
	struct fair_share *share = share_of(thread);
	struct fair_standing *fair = &thread->fair;

	forgive(share);
	fair->lag_ps = within(average_ps(share) - fair->had_ps, most_ps(thread));
	if (fair->lag_ps < 0 && !thread->ended && share->count > share->debtor_count + 1) {
		add_debtor(share, thread);
		return;
	}
	take_out(share, thread);
	if (fair->lag_ps < 0)
		fair->lag_ps = 0;
}

/* ---- who runs ---- */

static void run(struct thread *thread)
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
	run(thread);
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

static void idle(struct thread *thread, bool begins)
{
	struct fair_share *share = share_of(thread);

	pass(share);
	if (begins) {
		end(thread);
		leave(thread);
		share->idling++;
	} else {
		share->idling--;
		join(thread);
		run(thread);
		thread->fair.until_ps = thread->fair.had_ps;
	}
}

static bool is_eligible(const struct thread *thread)
{
	return had_ps(thread) <= average_ps(share_of(thread));
}

/* ---- who waits ---- */

static void add(struct thread *thread)
{
	struct fair_standing *fair = &thread->fair;

	fair->node = (struct earliest_node){
		.deadline = fair->deadline_ps, .value = fair->had_ps, .order = thread->queued};
	earliest_add(&share_of(thread)->waiting, &fair->node);
}

static void wait(struct thread *thread)
{
	thread->fair.looks = thread->yields && thread_only_spins(thread);
	if (thread->fair.looks)
		leave(thread);
	else
		add(thread);
}

static void wait_no_longer(struct thread *thread)
{
	if (thread->fair.looks)
		join(thread);
	else
		earliest_remove(&share_of(thread)->waiting, &thread->fair.node);
}

static void find(struct thread *thread)
{
	if (!thread->fair.looks)
		return;
	thread->fair.looks = false;
	join(thread);
	add(thread);
}

/* The eligible one with the earliest deadline; if all owe, the one that owes least; if all but look
 * and would give the core away again, the first that came. */
static struct thread *best_of(const struct thread_queue *queue, const struct fair_share *share)
{
	struct earliest_node *best = earliest_within(share->waiting, average_ps(share));

	if (!best)
		best = earliest_least(share->waiting);
	return best ? waiter_of(best) : queue->first;
}

static struct thread *choose(struct core *core)
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

/* The running thread keeps the core, and `other` waits on. Deadlines of two queues do not compare:
 * their threads take turns. */
static bool goes_on(const struct thread *running, const struct thread *other)
{
	return share_of(running) == share_of(other) && is_eligible(running) &&
	       running->fair.deadline_ps <= other->fair.deadline_ps;
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
	return other && !other->fair.looks && !goes_on(running, other);
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
	.idle = idle,
	.wait = wait,
	.wait_no_longer = wait_no_longer,
	.find = find,
	.choose = choose,
	.takes = takes,
	.makes_way = makes_way,
	.until_ps = until_ps,
};
