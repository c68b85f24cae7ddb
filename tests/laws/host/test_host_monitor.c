/* Tests monitors of the host model with formulas for their times. The work of several threads
 * inside a monitor must not overlap. A notify must take effect, and a mark must get its time, only
 * when the time for the thread's earlier work has passed. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sim_case.h"
#include "sim_host.h"
#include "world/world.h"

enum { THREADS = 4, WORK_US = 10 };

static const struct affinity anywhere = {.core = -1};
static struct monitor *monitor;
static bool inside;

/* ---- serialization ---- */

static int64_t ended_ps[THREADS];

static void enter_and_work(void *ended)
{
	world->monitor_enter(monitor);
	if (inside)
		world->work(WORK_API_CALL, WORK_US);
	world->monitor_exit(monitor);
	if (!inside)
		world->work(WORK_API_CALL, WORK_US);
	world->settle();
	*(int64_t *)ended = engine_now();
}

static void all_enter(void *unused)
{
	struct thread *threads[THREADS];
	char name[32];

	(void)unused;
	monitor = world->monitor_new("the queue");
	for (int i = 0; i < THREADS; i++) {
		snprintf(name, sizeof(name), "thread-%d", i);
		threads[i] = world->spawn(name, anywhere, enter_and_work, &ended_ps[i]);
	}
	for (int i = 0; i < THREADS; i++)
		world->join(threads[i]);
	for (int i = 0; i < THREADS; i++)
		check_equal(ended_ps[i], (inside ? i + 1 : 1) * WORK_US * (int64_t)US);
	world->monitor_free(monitor);
}

TEST(work_inside_a_monitor_is_serialized_and_outside_it_is_not)
{
	struct host_constants constants = sim_host_free_constants();

	inside = true;
	sim_host_case(constants, all_enter);
	inside = false;
	sim_host_case(constants, all_enter);
}

static void enter_alone(void *unused)
{
	uint64_t events = engine_events();

	(void)unused;
	monitor = world->monitor_new("nobody's");
	for (int i = 0; i < 100; i++) {
		world->monitor_enter(monitor);
		world->monitor_notify_all(monitor);
		world->monitor_exit(monitor);
	}
	check_equal(engine_events(), events);
	check_equal(engine_now(), 0);
	world->monitor_free(monitor);
}

TEST(a_monitor_without_contention_takes_no_time_and_no_event)
{
	sim_host_case(sim_host_constants(), enter_alone);
}

/* ---- notify ---- */

static enum wait_mode mode;
static int64_t deadline_ns, woken_ps;

static void wait_notified(void *unused)
{
	(void)unused;
	world->monitor_enter(monitor);
	check_status(world->monitor_wait_until(monitor, deadline_ns, mode), STATUS_OK);
	woken_ps = engine_now();
	world->monitor_exit(monitor);
}

static void work_and_notify(void *unused)
{
	struct thread *thread;

	(void)unused;
	monitor = world->monitor_new("news");
	thread = world->spawn("waiter", anywhere, wait_notified, NULL);
	world->sleep_until(100000);
	check_equal(engine_now(), 103 * US);
	world->monitor_enter(monitor);
	world->work(WORK_API_CALL, WORK_US);
	world->monitor_notify_one(monitor);
	world->monitor_exit(monitor);
	check_equal(engine_now(), 103 * US);
	world->join(thread);
	check_equal(
		woken_ps, (103 + WORK_US) * (int64_t)US +
				  (mode == WAIT_SPIN || mode == WAIT_YIELD ? 100 * NS : 3 * US));
	world->monitor_free(monitor);
}

TEST(a_notify_wakes_when_the_work_inside_is_paid)
{
	struct host_constants constants = sim_host_constants();

	deadline_ns = DEADLINE_NEVER;
	for (mode = 0; mode < WAIT_MODE_COUNT; mode++)
		sim_host_case(constants, work_and_notify);
}

TEST(a_notify_before_the_deadline_is_not_lost_when_it_is_paid_after_it)
{
	struct host_constants constants = sim_host_constants();

	deadline_ns = 105000;
	for (mode = 0; mode < WAIT_MODE_COUNT; mode++)
		sim_host_case(constants, work_and_notify);
}

/* The deadline of the first waiter passes before the notify. So the notify wakes the second
 * waiter. */
static struct host_thread_statistics second;

static void wait_until_one_ms(void *unused)
{
	(void)unused;
	world->monitor_enter(monitor);
	check_status(world->monitor_wait_until(monitor, 1000000, WAIT_PARK), STATUS_TIMEOUT);
	world->monitor_exit(monitor);
}

static void notify_after_timeout(void *unused)
{
	struct thread *threads[2];

	(void)unused;
	deadline_ns = DEADLINE_NEVER;
	mode = WAIT_PARK;
	monitor = world->monitor_new("news");
	threads[0] = world->spawn("impatient", anywhere, wait_until_one_ms, NULL);
	threads[1] = world->spawn("patient", anywhere, wait_notified, NULL);
	/* At the time of the notify, the deadline has begun to wake the first thread, but that
	 * thread does not run yet. */
	world->sleep_until(970000);
	check_equal(engine_now(), 1010 * (int64_t)US);
	world->monitor_enter(monitor);
	world->monitor_notify_one(monitor);
	world->monitor_exit(monitor);
	world->join(threads[0]);
	world->join(threads[1]);
	host_thread_statistics(2, &second);
	check_equal(woken_ps, 1050 * (int64_t)US);
	world->monitor_free(monitor);
}

TEST(a_notify_skips_waiters_whose_deadline_has_passed)
{
	sim_host_case(sim_host_constants(), notify_after_timeout);
}

/* ---- misuse and stalls ---- */

static void exit_uninvited(void *unused)
{
	(void)unused;
	monitor = world->monitor_new("the queue");
	world->monitor_exit(monitor);
}

static void wait_for_news(void *unused)
{
	(void)unused;
	monitor = world->monitor_new("news");
	world->monitor_enter(monitor);
	world->monitor_wait_until(monitor, DEADLINE_NEVER, WAIT_PARK);
}

struct misuse {
	struct host_constants constants;
	void (*main_fn)(void *);
};

static void misuse_body(const void *argument, void *result)
{
	const struct misuse *misuse = argument;

	(void)result;
	check_equal(sim_host_run(&misuse->constants, 1, misuse->main_fn, NULL), ENGINE_STALLED);
}

TEST(an_exit_without_an_entry_is_a_bug)
{
	struct misuse misuse = {sim_host_constants(), exit_uninvited};
	sim_case_expect(
		misuse_body, &misuse, 70, "monitor_exit of 'the queue' by main, owner no thread");
}

TEST(a_stall_names_the_monitor)
{
	struct misuse misuse = {sim_host_constants(), wait_for_news};
	sim_case_expect(misuse_body, &misuse, 0, "main waits for news since 0.000 ns");
}

/* ---- marks ---- */

static int64_t marks_ps[4];
static uint32_t mark_count;

static void keep_mark(
	void *context, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip)
{
	check(context == &mark_count, "context %p", context);
	check_equal(operation, 7);
	check_equal(point, MARK_DOORBELL);
	check_equal(chip, mark_count);
	marks_ps[mark_count++] = time_ps;
}

static void mark_from_event(void *subject, uint64_t chip)
{
	(void)subject;
	world->mark(7, MARK_DOORBELL, (uint32_t)chip);
}

static void mark_all(void *unused)
{
	(void)unused;
	engine_push(500 * NS, mark_from_event, NULL, 1);
	world->work(WORK_API_CALL, 1);
	world->mark(7, MARK_DOORBELL, 0);
	world->settle();
	world->mark(7, MARK_DOORBELL, 2);
}

static void marks_body(const void *argument, void *result)
{
	struct host_description host = {.name = "host-0", .constants = argument};
	struct recorder recorder = {.context = &mark_count, .mark = keep_mark};

	(void)result;
	sim_case_open();
	world = &sim_world;
	check_status(sim_world_start(&host, 1, 1, &recorder), STATUS_OK);
	check_equal(sim_world_run(anywhere, mark_all, NULL, (struct engine_limits){0}),
		ENGINE_FINISHED);
	check_equal(mark_count, 3);
	check_equal(marks_ps[0], US);
	check_equal(marks_ps[1], 500 * NS);
	check_equal(marks_ps[2], US);
}

TEST(a_mark_stands_at_the_time_at_which_its_account_would_be_paid)
{
	struct host_constants constants = sim_host_constants();
	sim_case_expect(marks_body, &constants, 0, NULL);
}

TEST_MAIN(NULL, NULL)
