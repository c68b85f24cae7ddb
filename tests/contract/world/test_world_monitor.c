/* The contract of the monitors of world.h, in every world. label: full */
#include <string.h>

#include "check.h"
#include "row.h"

#define LATE_MAX (10000 * (int64_t)MS) /* natively other processes may use the cores */

enum { MS = 1000000 };

static const enum wait_mode all_modes[] = {WAIT_SPIN, WAIT_SPIN_THEN_PARK, WAIT_PARK, WAIT_YIELD};
static const struct affinity anywhere = {.host = 0, .core = -1};

/* Shared by the threads of one case. */
struct shared {
	struct monitor *monitor;
	enum wait_mode mode;
	int64_t deadline_ns;
	uint32_t waiting, woken; /* protected by the monitor */
	uint32_t order[8];
	bool go;
	enum status status;
	int64_t returned_ns;
	uint64_t counter;
};

static void shared_init(struct shared *shared, enum wait_mode mode, int64_t deadline_ns)
{
	memset(shared, 0, sizeof(*shared));
	shared->monitor = world->monitor_new("change of what the case shares");
	shared->mode = mode;
	shared->deadline_ns = deadline_ns;
}

static void wait_once(void *arg)
{
	struct shared *shared = arg;

	world->monitor_enter(shared->monitor);
	shared->waiting++;
	shared->status =
		world->monitor_wait_until(shared->monitor, shared->deadline_ns, shared->mode);
	shared->returned_ns = world->now_ns();
	shared->order[shared->woken++] = shared->waiting;
	world->monitor_exit(shared->monitor);
}

/* Waits until `count` threads are waiting in wait_once(). A thread enters the monitor, adds itself
 * to `waiting`, and then leaves the monitor only by waiting. So while the calling thread is inside
 * the monitor, every counted thread is waiting. */
static void until_waiting(struct shared *shared, uint32_t count)
{
	uint32_t waiting = 0;

	while (waiting < count) {
		world->monitor_enter(shared->monitor);
		waiting = shared->waiting;
		world->monitor_exit(shared->monitor);
		if (waiting < count)
			world->sleep_until(world->now_ns() + MS);
	}
}

/* Tests the mistakes that common implementations of a timed wait make. */
static void timed_wait_lasts_until_the_deadline_and_releases(struct cluster *cluster)
{
	(void)cluster;
	for (uint32_t i = 0; i < 3; i++) {
		struct shared shared;
		struct thread *thread;
		int64_t entered_ns, patience_ns = row_current()->timed ? 30 * MS : 250 * MS;

		shared_init(&shared, all_modes[i], world->now_ns() + patience_ns);
		thread = world->spawn("waiter", anywhere, wait_once, &shared);
		until_waiting(&shared, 1);
		world->monitor_enter(shared.monitor);
		entered_ns = world->now_ns();
		check_equal(shared.woken, 0);
		world->monitor_exit(shared.monitor);
		world->join(thread);
		check_status(shared.status, STATUS_TIMEOUT);
		check_less(entered_ns, shared.returned_ns);
		check_at_most(shared.deadline_ns, shared.returned_ns);
		check_less(shared.returned_ns, shared.deadline_ns + LATE_MAX);
		world->monitor_free(shared.monitor);
	}
}

static void increment_slowly(void *arg)
{
	struct shared *shared = arg;

	for (int i = 0; i < 500; i++) {
		uint64_t before;

		world->monitor_enter(shared->monitor);
		before = shared->counter;
		world->work(WORK_API_CALL, 1);
		shared->counter = before + 1;
		world->monitor_exit(shared->monitor);
	}
}

static void monitor_excludes(struct cluster *cluster)
{
	struct thread *threads[4];
	struct shared shared;

	(void)cluster;
	shared_init(&shared, WAIT_PARK, DEADLINE_NEVER);
	for (int i = 0; i < 4; i++) {
		char name[32];

		snprintf(name, sizeof(name), "adder-%d", i);
		threads[i] = world->spawn(name, anywhere, increment_slowly, &shared);
	}
	for (int i = 0; i < 4; i++)
		world->join(threads[i]);
	check_equal(shared.counter, 2000);
	world->monitor_free(shared.monitor);
	world->monitor_free(NULL);
}

static void wait_with_past_deadline_times_out_at_once(struct cluster *cluster)
{
	(void)cluster;
	for (uint32_t i = 0; i < 3; i++) {
		struct shared shared;
		int64_t before_ns;

		shared_init(&shared, all_modes[i], 0);
		world->sleep_until(world->now_ns() + MS);
		world->monitor_enter(shared.monitor);
		before_ns = world->now_ns();
		check_status(world->monitor_wait_until(shared.monitor, before_ns, all_modes[i]),
			STATUS_TIMEOUT);
		check_status(
			world->monitor_wait_until(shared.monitor, before_ns - MS, all_modes[i]),
			STATUS_TIMEOUT);
		check_status(
			world->monitor_wait_until(shared.monitor, 0, all_modes[i]), STATUS_TIMEOUT);
		if (row_current()->timed)
			check_equal(world->now_ns(), before_ns);
		world->monitor_exit(shared.monitor);
		world->monitor_free(shared.monitor);
	}
}

static void notify_before_the_deadline_wins(struct cluster *cluster)
{
	static const int64_t patience_ns[] = {10000 * (int64_t)MS, DEADLINE_NEVER};

	(void)cluster;
	for (uint32_t i = 0; i < 6; i++) {
		int64_t deadline_ns = patience_ns[i / 3], notified_ns;
		struct shared shared;
		struct thread *thread;

		if (deadline_ns != DEADLINE_NEVER)
			deadline_ns += world->now_ns();
		shared_init(&shared, all_modes[i % 3], deadline_ns);
		thread = world->spawn("waiter", anywhere, wait_once, &shared);
		until_waiting(&shared, 1);
		world->sleep_until(world->now_ns() + 2 * MS);
		world->monitor_enter(shared.monitor);
		notified_ns = world->now_ns();
		world->monitor_notify_one(shared.monitor);
		check_equal(shared.woken, 0); /* we are still inside the monitor */
		world->monitor_exit(shared.monitor);
		world->join(thread);
		check_status(shared.status, STATUS_OK);
		check_at_most(notified_ns, shared.returned_ns);
		check_less(shared.returned_ns, notified_ns + LATE_MAX);
		world->monitor_free(shared.monitor);
	}
}

/* A waiter that knows its place in the queue. */
struct placed {
	struct shared *shared;
	uint32_t place;
	enum wait_mode mode;
	struct thread *thread;
};

static void wait_in_line(void *arg)
{
	struct placed *self = arg;
	struct shared *shared = self->shared;
	enum status status;

	world->monitor_enter(shared->monitor);
	shared->waiting++;
	status = world->monitor_wait_until(shared->monitor, DEADLINE_NEVER, self->mode);
	check_status(status, STATUS_OK);
	shared->order[shared->woken++] = self->place;
	world->monitor_exit(shared->monitor);
}

static void line_up(struct shared *shared, struct placed *line, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		char name[32];

		line[i] =
			(struct placed){shared, i, i == 2 ? WAIT_SPIN_THEN_PARK : WAIT_PARK, NULL};
		snprintf(name, sizeof(name), "waiter-%u", i);
		line[i].thread = world->spawn(name, anywhere, wait_in_line, &line[i]);
		until_waiting(shared, i + 1);
	}
}

static void until_woken(struct shared *shared, uint32_t count)
{
	int64_t deadline_ns = world->now_ns() + 20000 * (int64_t)MS;
	uint32_t woken = 0;

	while (woken < count) {
		world->monitor_enter(shared->monitor);
		woken = shared->woken;
		world->monitor_exit(shared->monitor);
		check(world->now_ns() < deadline_ns, "%u of %u waiters woke", woken, count);
		world->sleep_until(world->now_ns() + MS);
	}
}

static void notify_one_wakes_the_oldest(struct cluster *cluster)
{
	struct placed line[5];
	struct shared shared;

	(void)cluster;
	shared_init(&shared, WAIT_PARK, DEADLINE_NEVER);
	line_up(&shared, line, 5);
	for (uint32_t i = 0; i < 5; i++) {
		world->monitor_enter(shared.monitor);
		world->monitor_notify_one(shared.monitor);
		world->monitor_exit(shared.monitor);
		until_woken(&shared, i + 1);
		check_equal(shared.woken, i + 1);
		check_equal(shared.order[i], i);
	}
	for (uint32_t i = 0; i < 5; i++)
		world->join(line[i].thread);
	world->monitor_free(shared.monitor);
}

static void notify_all_wakes_everyone(struct cluster *cluster)
{
	uint32_t seen = 0;
	struct placed line[5];
	struct shared shared;

	(void)cluster;
	shared_init(&shared, WAIT_PARK, DEADLINE_NEVER);
	line_up(&shared, line, 5);
	world->monitor_enter(shared.monitor);
	world->monitor_notify_all(shared.monitor);
	world->monitor_exit(shared.monitor);
	for (uint32_t i = 0; i < 5; i++)
		world->join(line[i].thread);
	check_equal(shared.woken, 5);
	for (uint32_t i = 0; i < 5; i++)
		seen |= 1u << shared.order[i];
	check_equal(seen, 0x1f);
	world->monitor_free(shared.monitor);
}

static void notify_is_not_remembered(struct cluster *cluster)
{
	struct shared shared;

	(void)cluster;
	shared_init(&shared, WAIT_PARK, 0);
	world->monitor_enter(shared.monitor);
	world->monitor_notify_one(shared.monitor);
	world->monitor_notify_all(shared.monitor);
	world->monitor_exit(shared.monitor);
	shared.deadline_ns = world->now_ns() + 5 * MS;
	wait_once(&shared);
	check_status(shared.status, STATUS_TIMEOUT);
	check_at_most(shared.deadline_ns, shared.returned_ns);
	world->monitor_free(shared.monitor);
}

/* A notify must not be consumed by a waiter that has timed out. */
static void timed_out_waiter_takes_no_notify(struct cluster *cluster)
{
	struct shared shared;
	struct placed placed;
	struct thread *early;

	(void)cluster;
	shared_init(&shared, WAIT_PARK, world->now_ns() + 3 * MS);
	early = world->spawn("early", anywhere, wait_once, &shared);
	until_waiting(&shared, 1);
	placed = (struct placed){&shared, 7, WAIT_PARK, NULL};
	placed.thread = world->spawn("patient", anywhere, wait_in_line, &placed);
	until_waiting(&shared, 2);
	world->join(early);
	check_status(shared.status, STATUS_TIMEOUT);
	world->monitor_enter(shared.monitor);
	world->monitor_notify_one(shared.monitor);
	world->monitor_exit(shared.monitor);
	world->join(placed.thread);
	check_equal(shared.order[1], 7);
	world->monitor_free(shared.monitor);
}

static const struct row_case cases[] = {
	ROW_WORLD_CASE(timed_wait_lasts_until_the_deadline_and_releases),
	ROW_WORLD_CASE(monitor_excludes),
	ROW_WORLD_CASE(wait_with_past_deadline_times_out_at_once),
	ROW_WORLD_CASE(notify_before_the_deadline_wins),
	ROW_WORLD_CASE(notify_one_wakes_the_oldest),
	ROW_WORLD_CASE(notify_all_wakes_everyone),
	ROW_WORLD_CASE(notify_is_not_remembered),
	ROW_WORLD_CASE(timed_out_waiter_takes_no_notify),
};

int main(void)
{
	return ROW_RUN_SUITE("world monitor", cases);
}
