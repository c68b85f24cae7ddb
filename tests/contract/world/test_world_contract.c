/* Tests the contract of world.h in the native and the simulated world: clock, threads and the
 * account (monitors are in test_world_monitor.c). A case is ordinary host code. Properties of
 * simulated time are checked only in the simulated world. */
#define _GNU_SOURCE /* sched_getcpu */
#include <sched.h>
#include <string.h>

#include "check.h"
#include "row.h"

#define LATE_MAX (10000 * (int64_t)MS) /* natively other processes may use the cores */

enum { MS = 1000000 };

static const struct affinity anywhere = {.host = 0, .core = -1};

/* ---- clock and threads ---- */

static void clock_goes_forward(struct cluster *cluster)
{
	int64_t last_ns = world->now_ns();

	(void)cluster;
	check_at_most(0, last_ns);
	for (int i = 0; i < 1000; i++) {
		int64_t now_ns = world->now_ns();

		check_at_most(last_ns, now_ns);
		last_ns = now_ns;
	}
	world->sleep_until(last_ns + MS);
	check_at_most(last_ns + MS, world->now_ns());
}

static void sleep_lasts_until_the_deadline(struct cluster *cluster)
{
	(void)cluster;
	for (int i = 1; i <= 5; i++) {
		int64_t deadline_ns = world->now_ns() + i * MS;

		world->sleep_until(deadline_ns);
		check_at_most(deadline_ns, world->now_ns());
		check_less(world->now_ns(), deadline_ns + LATE_MAX);
	}
}

static void sleep_in_the_past_returns_at_once(struct cluster *cluster)
{
	int64_t before_ns = world->now_ns();

	(void)cluster;
	world->sleep_until(before_ns);
	world->sleep_until(before_ns - 1);
	world->sleep_until(0);
	world->sleep_until(-5 * (int64_t)MS);
	if (row_current()->timed)
		check_equal(world->now_ns(), before_ns);
	check_less(world->now_ns(), before_ns + LATE_MAX);
}

static void add_one(void *arg)
{
	__atomic_add_fetch((uint32_t *)arg, 1, __ATOMIC_RELAXED);
}

static void threads_run_and_are_joined(struct cluster *cluster)
{
	struct thread *threads[64];
	uint32_t count = 0;
	char name[32];

	(void)cluster;
	for (int i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "adder-%d", i);
		threads[i] = world->spawn(name, anywhere, add_one, &count);
		memset(name, '#', sizeof(name) - 1); /* the name was copied */
	}
	for (int i = 0; i < 64; i++)
		world->join(threads[i]);
	check_equal(count, 64);
}

static void sleep_20_ms(void *arg)
{
	world->sleep_until(world->now_ns() + 20 * MS);
	*(int64_t *)arg = world->now_ns();
}

static void join_waits_for_the_end(struct cluster *cluster)
{
	int64_t start_ns = world->now_ns(), end_ns = 0;
	struct affinity pinned = {.host = 0, .core = 0};
	struct thread *thread = world->spawn("sleeper", pinned, sleep_20_ms, &end_ns);

	(void)cluster;
	check_less(world->now_ns(), start_ns + 15 * MS + (row_current()->timed ? 0 : LATE_MAX));
	world->join(thread);
	check_at_most(start_ns + 20 * MS, end_ns);
	check_at_most(end_ns, world->now_ns());
}

/* ---- cores ---- */

/* Binds itself to every core in turn, then to none. */
static void be_bound(void *ends)
{
	int before = -1;

	for (uint16_t core = 0; core < world->core_count(0); core++) {
		check_status(world->bind((int16_t)core), STATUS_OK);
		world->work(WORK_PATCH_ARGUMENT, 1);
		world->settle();
		if (row_current()->timed)
			continue;
		check_less(before, sched_getcpu()); /* natively, cores have the kernel's numbers */
		before = sched_getcpu();
	}
	check_status(world->bind(-1), STATUS_OK);
	add_one(ends);
}

static void a_thread_may_be_bound_to_every_core(struct cluster *cluster)
{
	struct thread *threads[3];
	uint32_t ends = 0;
	char name[32];

	(void)cluster;
	check(world->core_count(0) > 0, "a host without cores");
	check_equal(world->core_socket(0, 0), 0);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "bound-%d", i);
		threads[i] = world->spawn(name, anywhere, be_bound, &ends);
	}
	for (int i = 0; i < 3; i++)
		world->join(threads[i]);
	check_equal(ends, 3);
}

/* ---- the account ---- */

static void work_a_little(void *arg)
{
	uint32_t units = *(const uint32_t *)arg;

	for (uint32_t i = 0; i < units; i++)
		world->work(WORK_PATCH_ARGUMENT, 3);
	world->settle();
	world->work_copy(1000 * units, MEMORY_CACHED, MEMORY_PINNED);
	world->work(WORK_RESERVE, units);
}

static void work_is_counted_alike_in_all_worlds(struct cluster *cluster)
{
	uint32_t units[3] = {1, 10, 100};
	struct thread *threads[3];
	struct work_counts counts;
	char name[32];

	(void)cluster;
	world->work(WORK_API_CALL, 5);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "worker-%d", i);
		threads[i] = world->spawn(name, anywhere, work_a_little, &units[i]);
	}
	for (int i = 0; i < 3; i++)
		world->join(threads[i]);
	world->work_copy(64, MEMORY_CACHED, MEMORY_WRITE_COMBINING);
	world->work_copy(7, MEMORY_UNCACHED_SOURCE, MEMORY_CACHED);
	world->settle();
	row_current()->counts(&counts);
	check_equal(counts.units[WORK_API_CALL], 5);
	check_equal(counts.units[WORK_PATCH_ARGUMENT], 333);
	check_equal(counts.units[WORK_RESERVE], 111);
	check_equal(counts.units[WORK_BUILD_COMMAND], 0);
	check_equal(counts.copied_bytes[MEMORY_CACHED][MEMORY_PINNED], 111000);
	check_equal(counts.copied_bytes[MEMORY_CACHED][MEMORY_WRITE_COMBINING], 64);
	check_equal(counts.copied_bytes[MEMORY_UNCACHED_SOURCE][MEMORY_CACHED], 7);
	check_equal(counts.copied_bytes[MEMORY_PINNED][MEMORY_CACHED], 0);
}

static void work_takes_time_when_it_is_settled(struct cluster *cluster)
{
	int64_t before_ns = world->now_ns();

	(void)cluster;
	world->work(WORK_CREATE_OPERATION, 1000);
	if (row_current()->timed)
		check_equal(world->now_ns(), before_ns);
	world->settle();
	if (row_current()->timed)
		check_less(before_ns, world->now_ns());
	check_less(world->now_ns(), before_ns + LATE_MAX);
}

static void marks_reach_the_recorder(struct cluster *cluster)
{
	const struct row_mark *marks;
	int64_t before_ns = world->now_ns();

	(void)cluster;
	world->mark(11, MARK_CALLED, 3);
	world->sleep_until(world->now_ns() + MS);
	world->mark(12, MARK_SEEN, 65535);
	check_equal(row_marks(&marks), 2);
	check_equal(marks[0].operation, 11);
	check_equal(marks[0].point, MARK_CALLED);
	check_equal(marks[0].chip, 3);
	check_equal(marks[1].operation, 12);
	check_equal(marks[1].point, MARK_SEEN);
	check_equal(marks[1].chip, 65535);
	check_at_most(before_ns * 1000, marks[0].time_ps);
	check_at_most(marks[0].time_ps + (int64_t)MS * 1000, marks[1].time_ps);
	check_at_most(marks[1].time_ps, (world->now_ns() + 1) * 1000);
}

static const struct row_case cases[] = {
	ROW_WORLD_CASE(clock_goes_forward),
	ROW_WORLD_CASE(sleep_lasts_until_the_deadline),
	ROW_WORLD_CASE(sleep_in_the_past_returns_at_once),
	ROW_WORLD_CASE(threads_run_and_are_joined),
	ROW_WORLD_CASE(join_waits_for_the_end),
	ROW_WORLD_CASE(a_thread_may_be_bound_to_every_core),
	ROW_WORLD_CASE(work_is_counted_alike_in_all_worlds),
	ROW_WORLD_CASE(work_takes_time_when_it_is_settled),
	ROW_WORLD_CASE(marks_reach_the_recorder),
};

int main(void)
{
	return ROW_RUN_SUITE("world contract", cases);
}
