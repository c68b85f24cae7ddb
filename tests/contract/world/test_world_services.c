/* Pool and timers, built above world.h, behave alike on every row. */
#include <string.h>

#include "check.h"
#include "row.h"
#include "world/pool.h"
#include "world/semaphore.h"
#include "world/timer.h"

#define LATE_MAX (10000 * (int64_t)MS) /* natively other processes may have the cores */

enum { MS = 1000000 };

static void pause_ms(int64_t ms)
{
	world->sleep_until(world->now_ns() + ms * MS);
}

/* ---- pool ---- */

enum { TASKS = 3000 };

static void count_task(void *arg, uint32_t index)
{
	__atomic_add_fetch((uint32_t *)arg + index, 1, __ATOMIC_RELAXED);
}

/* More tasks than the pool's queue holds, and batches that overlap. */
static void pool_runs_each_task_once(enum pool_queues queues)
{
	static uint32_t runs[TASKS], other_runs[10];
	struct pool *pool = pool_new("pool", 3, 0, WAIT_PARK, queues);

	memset(runs, 0, sizeof(runs));
	memset(other_runs, 0, sizeof(other_runs));
	check_equal(pool_threads(pool), 3);
	for (uint32_t round = 1; round <= 3; round++) {
		struct pool_batch *batch = pool_submit(pool, TASKS, count_task, runs);
		struct pool_batch *other = pool_submit(pool, 10, count_task, other_runs);
		struct pool_batch *none = pool_submit(pool, 0, count_task, NULL);

		pool_wait(pool, none, WAIT_PARK);
		pool_wait(pool, other, WAIT_SPIN_THEN_PARK);
		pool_wait(pool, batch, WAIT_PARK);
		for (uint32_t i = 0; i < TASKS; i++)
			check(runs[i] == round, "task %u ran %u times in %u", i, runs[i], round);
		for (uint32_t i = 0; i < 10; i++)
			check_equal(other_runs[i], round);
	}
	pool_free(pool);
	pool_free(NULL);
}

static void end_late(void *arg, uint32_t index)
{
	world->sleep_until(world->now_ns() + (1 + 5 * index) * MS);
	count_task(arg, index);
}

static void pool_wait_waits_for_the_last_task(enum pool_queues queues)
{
	struct pool *pool = pool_new("pool", 4, 0, WAIT_PARK, queues);
	uint32_t runs[4] = {0};

	for (uint32_t round = 1; round <= 3; round++) {
		struct pool_batch *batch = pool_submit(pool, 4, end_late, runs);

		pause_ms(13); /* when only the last one is left */
		pool_wait(pool, batch, (enum wait_mode)(round % 3));
		for (uint32_t i = 0; i < 4; i++)
			check_equal(runs[i], round);
	}
	pool_free(pool);
}

struct meeting {
	struct semaphore *arrived[2];
};

/* Each waits for the other: ends only if they run at the same time. */
static void meet(void *arg, uint32_t index)
{
	struct meeting *meeting = arg;

	semaphore_release(meeting->arrived[index], 1);
	check_status(semaphore_acquire(meeting->arrived[1 - index],
			     world->now_ns() + 20000 * (int64_t)MS, WAIT_PARK),
		STATUS_OK);
}

static void pool_runs_tasks_at_the_same_time(enum pool_queues queues)
{
	struct pool *pool = pool_new("pool", 2, 0, WAIT_PARK, queues);
	struct meeting meeting = {{semaphore_new("first", 0), semaphore_new("second", 0)}};

	for (int i = 0; i < 20; i++)
		pool_wait(pool, pool_submit(pool, 2, meet, &meeting), WAIT_PARK);
	pool_free(pool);
	semaphore_free(meeting.arrived[0]);
	semaphore_free(meeting.arrived[1]);
}

#define WITH_BOTH_KINDS_OF_QUEUES(name)                                                            \
	static void name##_shared(struct cluster *cluster)                                         \
	{                                                                                          \
		(void)cluster;                                                                     \
		name(POOL_SHARED);                                                                 \
	}                                                                                          \
	static void name##_own(struct cluster *cluster)                                            \
	{                                                                                          \
		(void)cluster;                                                                     \
		name(POOL_OWN);                                                                    \
	}
WITH_BOTH_KINDS_OF_QUEUES(pool_runs_each_task_once)
WITH_BOTH_KINDS_OF_QUEUES(pool_wait_waits_for_the_last_task)
WITH_BOTH_KINDS_OF_QUEUES(pool_runs_tasks_at_the_same_time)

/* ---- timers ---- */

struct firing {
	struct timer_service *service;
	struct monitor *monitor;
	uint32_t fired[8];
	int64_t fired_ns[8];
	uint32_t count;
};

struct bell {
	struct firing *firing;
	uint32_t number;
	uint32_t sets; /* another bell, at a later time; 0: none */
};

static void firing_init(struct firing *firing)
{
	memset(firing, 0, sizeof(*firing));
	firing->monitor = world->monitor_new("timers that have fired");
	firing->service = timer_service_new("timers", 0);
}

static void ring(void *arg)
{
	struct bell *bell = arg;
	struct firing *firing = bell->firing;

	world->monitor_enter(firing->monitor);
	firing->fired_ns[firing->count] = world->now_ns();
	firing->fired[firing->count++] = bell->number;
	world->monitor_notify_all(firing->monitor);
	world->monitor_exit(firing->monitor);
	if (bell->sets > 0) {
		bell->number = bell->sets;
		bell->sets = 0;
		timer_set(firing->service, world->now_ns() + MS, ring, bell);
	}
}

static void until_fired(struct firing *firing, uint32_t count)
{
	int64_t deadline_ns = world->now_ns() + 20000 * (int64_t)MS;
	enum status status = STATUS_OK;

	world->monitor_enter(firing->monitor);
	while (firing->count < count && status == STATUS_OK)
		status = world->monitor_wait_until(firing->monitor, deadline_ns, WAIT_PARK);
	check(firing->count >= count, "%u of %u timers fired", firing->count, count);
	world->monitor_exit(firing->monitor);
}

static void firing_fini(struct firing *firing)
{
	timer_service_free(firing->service);
	world->monitor_free(firing->monitor);
}

static void timers_fire_by_deadline_then_by_order(struct cluster *cluster)
{
	static const int64_t after_ms[8] = {30, 10, 20, 20, 10, 40, 20, 25};
	static const uint32_t expected[8] = {1, 4, 2, 3, 6, 7, 0, 5};
	struct firing firing;
	struct bell bells[8];
	int64_t start_ns;

	(void)cluster;
	firing_init(&firing);
	start_ns = world->now_ns() + 200 * MS; /* time enough to set them all */
	for (uint32_t i = 0; i < 8; i++) {
		bells[i] = (struct bell){&firing, i, 0};
		check(timer_set(firing.service, start_ns + after_ms[i] * MS, ring, &bells[i]) != 0,
			"timer %u has id 0", i);
	}
	until_fired(&firing, 8);
	for (uint32_t i = 0; i < 8; i++) {
		check_equal(firing.fired[i], expected[i]);
		check_at_most(start_ns + after_ms[expected[i]] * MS, firing.fired_ns[i]);
		check_less(firing.fired_ns[i], start_ns + after_ms[expected[i]] * MS + LATE_MAX);
	}
	firing_fini(&firing);
	timer_service_free(NULL);
}

static void cancelled_timers_do_not_fire(struct cluster *cluster)
{
	struct firing firing;
	struct bell bells[8];
	uint64_t ids[8];

	(void)cluster;
	firing_init(&firing);
	for (uint32_t i = 0; i < 8; i++) {
		int64_t after_ms = i == 7 ? 400 : 300 + 10 * (i ^ 5);

		bells[i] = (struct bell){&firing, i, 0};
		ids[i] =
			timer_set(firing.service, world->now_ns() + after_ms * MS, ring, &bells[i]);
	}
	for (uint32_t i = 0; i < 7; i += 2)
		check_status(timer_cancel(firing.service, ids[i]), STATUS_OK);
	check_status(timer_cancel(firing.service, ids[0]), STATUS_NOT_FOUND);
	until_fired(&firing, 4);
	check_equal(firing.count, 4);
	for (uint32_t i = 0; i < 4; i++)
		check_equal(firing.fired[i] % 2, 1);
	check_status(timer_cancel(firing.service, ids[1]), STATUS_NOT_FOUND);
	check_status(timer_cancel(firing.service, ids[7] + 1), STATUS_NOT_FOUND);
	firing_fini(&firing);
}

/* A timer set later for an earlier time, one set by a timer, one in the past; the rest is dropped.
 */
static void timers_may_be_set_at_any_time(struct cluster *cluster)
{
	struct firing firing;
	struct bell bells[4];

	(void)cluster;
	firing_init(&firing);
	for (uint32_t i = 0; i < 4; i++)
		bells[i] = (struct bell){&firing, i, i == 1 ? 5 : 0};
	timer_set(firing.service, DEADLINE_NEVER, ring, &bells[3]);
	timer_set(firing.service, world->now_ns() + 3600000 * (int64_t)MS, ring, &bells[0]);
	pause_ms(3);
	timer_set(firing.service, world->now_ns() + 5 * MS, ring, &bells[1]);
	until_fired(&firing, 2);
	check_equal(firing.fired[0], 1);
	check_equal(firing.fired[1], 5);
	timer_set(firing.service, -1, ring, &bells[2]);
	until_fired(&firing, 3);
	check_equal(firing.fired[2], 2);
	firing_fini(&firing);
	check_equal(firing.count, 3);
}

static const struct row_case cases[] = {
	{.name = "pool runs each task once", .body = pool_runs_each_task_once_shared},
	{.name = "pool runs each task once, a queue each", .body = pool_runs_each_task_once_own},
	{.name = "pool_wait waits for the last task",
		.body = pool_wait_waits_for_the_last_task_shared},
	{.name = "pool_wait waits for the last task, a queue each",
		.body = pool_wait_waits_for_the_last_task_own},
	{.name = "pool runs tasks at the same time",
		.body = pool_runs_tasks_at_the_same_time_shared},
	{.name = "pool runs tasks at the same time, a queue each",
		.body = pool_runs_tasks_at_the_same_time_own},
	{.name = "timers fire by deadline, then by order",
		.body = timers_fire_by_deadline_then_by_order},
	{.name = "cancelled timers do not fire", .body = cancelled_timers_do_not_fire},
	{.name = "timers may be set at any time", .body = timers_may_be_set_at_any_time},
};

int main(void)
{
	return row_run_suite("world services", cases, sizeof(cases) / sizeof(cases[0]));
}
