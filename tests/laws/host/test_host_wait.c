/* Tests that waits and wake-ups of the host model take the times that formulas give. There are
 * tests of spinning and parking, of wake-ups on hot, idle and occupied cores, of deadlines and
 * stalls, and of the cost for the waking thread. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sim_case.h"
#include "sim_host.h"

static const struct affinity anywhere = {.core = -1};

static struct host_thread_statistics statistics_of(uint32_t thread)
{
	struct host_thread_statistics statistics;

	host_thread_statistics(thread, &statistics);
	return statistics;
}

/* Waits for a wake `after_ps` from now; returns the time of the wake-up. */
static int64_t wake_up_ps(int64_t after_ps, enum wait_mode mode)
{
	struct host_waiter waiter = {0};
	int64_t at_ps = engine_now() + after_ps;

	engine_push(at_ps, sim_host_wake, &waiter, 0);
	check_status(host_thread_wait(&waiter, DEADLINE_NEVER, mode, "an event"), STATUS_OK);
	check(waiter.thread == NULL, "the waiter still names a thread");
	check(!host_thread_wake(&waiter), "a waiter is woken twice");
	return engine_now() - at_ps;
}

static void each_wake_up(void *unused)
{
	struct host_thread_statistics main_thread;

	(void)unused;
	check_equal(wake_up_ps(5 * US, WAIT_SPIN), 100 * NS);
	check_equal(wake_up_ps(5 * (int64_t)MS, WAIT_SPIN), 100 * NS);
	check_equal(wake_up_ps(5 * US, WAIT_PARK), 3 * US);
	check_equal(wake_up_ps(200 * US, WAIT_PARK), 3 * US);
	check_equal(wake_up_ps(200 * US + 1, WAIT_PARK), 40 * US);
	check_equal(wake_up_ps(9 * US, WAIT_SPIN_THEN_PARK), 100 * NS);
	check_equal(wake_up_ps(11 * US, WAIT_SPIN_THEN_PARK), 3 * US);
	check_equal(wake_up_ps(210 * US, WAIT_SPIN_THEN_PARK), 3 * US);
	check_equal(wake_up_ps(210 * US + 1, WAIT_SPIN_THEN_PARK), 40 * US);
	main_thread = statistics_of(0);
	check_equal(main_thread.wakes[HOST_WAKE_SPIN], 3);
	check_equal(main_thread.wakes[HOST_WAKE_HOT], 4);
	check_equal(main_thread.wakes[HOST_WAKE_IDLE], 2);
	check_equal(main_thread.wakes[HOST_WAKE_QUEUED], 0);
	check_equal(main_thread.switching_ps, (4 * 3 + 2 * 40) * (int64_t)US);
	check_equal(main_thread.spinning_ps,
		5 * (int64_t)MS + (5 + 9 + 3 * 10) * (int64_t)US + 3 * 100 * NS);
	check_equal(main_thread.busy_ps, 0);
}

TEST(a_wake_up_costs_by_mode_and_by_how_long_the_core_was_idle)
{
	sim_host_case(sim_host_constants(), each_wake_up);
}

static void each_look(void *unused)
{
	(void)unused;
	/* looks at 4.8 us and 5.1 us; then the cache line */
	check_equal(wake_up_ps(5 * US, WAIT_YIELD), 200 * NS);
	check_equal(wake_up_ps(6 * US, WAIT_YIELD), 100 * NS);
	check_equal(wake_up_ps(5 * US, WAIT_SPIN), 100 * NS);
	check_equal(statistics_of(0).wakes[HOST_WAKE_SPIN], 3);
}

TEST(a_thread_that_yields_looks_once_in_each_yield)
{
	struct host_constants constants = sim_host_constants();

	constants.yield_ps = 300 * NS;
	sim_host_case(constants, each_look);
}

/* ---- deadlines ---- */

static enum status wait_nobody(int64_t deadline_ns, enum wait_mode mode)
{
	struct host_waiter waiter = {0};

	return host_thread_wait(&waiter, deadline_ns, mode, "nobody");
}

static void each_deadline(void *unused)
{
	struct host_waiter waiter = {0};

	(void)unused;
	check_status(wait_nobody(5000, WAIT_SPIN), STATUS_TIMEOUT);
	check_equal(engine_now(), 5 * US);
	check_status(wait_nobody(5000, WAIT_SPIN), STATUS_TIMEOUT);
	check_status(wait_nobody(4000, WAIT_PARK), STATUS_TIMEOUT);
	check_equal(engine_now(), 5 * US);
	check_status(wait_nobody(6000, WAIT_PARK), STATUS_TIMEOUT);
	check_equal(engine_now(), 9 * US);
	check_status(wait_nobody(100000, WAIT_SPIN_THEN_PARK), STATUS_TIMEOUT);
	check_equal(engine_now(), 103 * US);
	/* The first of two waits has a late deadline, but a wake ends it long before this deadline.
	 * The second wait has an earlier deadline, and must end at this deadline, not at that of
	 * the first wait. */
	engine_push(200 * US, sim_host_wake, &waiter, 0);
	check_status(host_thread_wait(&waiter, 10000000, WAIT_SPIN, "an event"), STATUS_OK);
	check_equal(engine_now(), 200 * US + 100 * NS);
	check_status(wait_nobody(300000, WAIT_SPIN), STATUS_TIMEOUT);
	check_equal(engine_now(), 300 * US);
	world->sleep_until(10000000);
	check_equal(engine_now(), 10 * (int64_t)MS + 40 * US);
	world->sleep_until(10000000);
	check_equal(engine_now(), 10 * (int64_t)MS + 40 * US);
	check_equal(world->now_ns(), 10040000);
}

TEST(deadlines_are_absolute_and_exact)
{
	sim_host_case(sim_host_constants(), each_deadline);
}

/* A wake in time counts, although the thread runs again only after the deadline. */
static void close_deadline(void *unused)
{
	struct host_waiter waiter = {0};

	(void)unused;
	engine_push(999 * NS, sim_host_wake, &waiter, 0);
	check_status(host_thread_wait(&waiter, 1000, WAIT_PARK, "an event"), STATUS_OK);
	check_equal(engine_now(), 999 * NS + 3 * US);
}

TEST(a_wake_before_the_deadline_is_no_timeout)
{
	sim_host_case(sim_host_constants(), close_deadline);
}

/* ---- no free core ---- */

static struct host_waiter waiter;
static int64_t woken_ps;

static void wait_parked(void *unused)
{
	(void)unused;
	check_status(
		host_thread_wait(&waiter, DEADLINE_NEVER, WAIT_PARK, "the main thread"), STATUS_OK);
	woken_ps = engine_now();
}

/* One core: the main thread keeps computing while the waiter is woken. */
static void wake_without_core(void *unused)
{
	struct thread *thread;

	(void)unused;
	thread = world->spawn("waiter", anywhere, wait_parked, NULL);
	world->sleep_until(100000);
	check_equal(engine_now(), 103 * US);
	engine_push(engine_now() + 500 * US, sim_host_wake, &waiter, 0);
	sim_host_compute(2000);
	/* The main thread's quantum ends after 1 ms. Then the waiter gets the core, which takes a
	 * context switch; the code of the waiter takes no time. A second switch gives the core back
	 * to the main thread. */
	check_equal(engine_now(), (103 + 2000 + 2 * 2) * (int64_t)US);
	world->join(thread);
	check_equal(woken_ps, (103 + 1000 + 2) * (int64_t)US);
	check_equal(statistics_of(1).wakes[HOST_WAKE_QUEUED], 2); /* one at its start, too */
	check_equal(statistics_of(1).waiting_ps, 500 * (int64_t)US);
	check_equal(statistics_of(0).preemptions, 1);
	check_equal(statistics_of(0).waiting_ps, 2 * US);
}

TEST(a_woken_thread_without_a_core_waits_for_the_end_of_a_quantum)
{
	sim_host_case(sim_host_one_core(sim_host_constants()), wake_without_core);
}

/* ---- which core ---- */

static void sleep_and_compute(void *until_ns)
{
	world->sleep_until((int64_t)(intptr_t)until_ns);
	sim_host_compute(1);
}

static uint64_t switches_of_core(uint32_t index)
{
	struct host_core_statistics core;

	host_core_statistics(index, &core);
	return core.switches;
}

static void choose_cores(void *unused)
{
	struct thread *threads[3];

	(void)unused;
	threads[0] = world->spawn("first", anywhere, sleep_and_compute, (void *)600000);
	threads[1] = world->spawn("second", anywhere, sleep_and_compute, (void *)500000);
	sim_host_compute(700);
	world->join(threads[0]);
	world->join(threads[1]);
	/* Both started after 40 us and returned to their own cores, the first one later. */
	check_equal(switches_of_core(1), 1);
	check_equal(switches_of_core(2), 1);
	sim_host_compute(90);
	/* Core 1 has been free since 641 us, and is still hot. Core 2 has been free since 541 us,
	 * which is too long to be hot. */
	threads[2] = world->spawn("third", anywhere, sleep_and_compute, (void *)0);
	world->join(threads[2]);
	check_equal(switches_of_core(1), 2);
	check_equal(statistics_of(3).wakes[HOST_WAKE_HOT], 1);
}

TEST(a_thread_goes_to_its_last_core_and_else_to_the_warmest)
{
	sim_host_case(sim_host_constants(), choose_cores);
}

/* ---- costs of the waker ---- */

static void wake_and_pay(void *unused)
{
	struct thread *threads[2];

	(void)unused;
	threads[0] = world->spawn("parked", anywhere, wait_parked, NULL);
	check_equal(engine_now(), 7 * US);
	world->sleep_until(1000000);
	check_equal(engine_now(), 1040 * (int64_t)US);
	check(host_thread_wake(&waiter), "nobody waits");
	check_equal(host_thread_paid_at_ps(), 1041 * (int64_t)US);
	world->join(threads[0]); /* settles; the call's cost is paid while the other wakes up */
	check_equal(woken_ps, 1080 * (int64_t)US);
	check_equal(engine_now(), 1083 * (int64_t)US);
	check_equal(statistics_of(0).busy_ps, 8 * US);
}

TEST(waking_a_parked_thread_and_starting_one_cost_their_caller)
{
	struct host_constants constants = sim_host_constants();

	constants.wake_call_ps = US;
	constants.spawn_ps = 7 * US;
	sim_host_case(constants, wake_and_pay);
}

static void wake_without_a_core(void *unused)
{
	struct thread *parked;

	(void)unused;
	parked = world->spawn("parked", anywhere, wait_parked, NULL);
	world->sleep_until(1000000);
	check(host_thread_wake(&waiter), "nobody waits");
	check_equal(host_thread_paid_at_ps(), engine_now() + 300 * NS);
	world->join(parked);
}

TEST(waking_a_thread_that_finds_no_core_interrupts_no_other)
{
	struct host_constants constants = sim_host_constants();

	constants.sockets = constants.cores_per_socket = 1;
	constants.wake_call_ps = US;
	constants.wake_queued_ps = 300 * NS;
	sim_host_case(constants, wake_without_a_core);
}

/* ---- stalls of the core ---- */

static void stall_and_charge(void *unused)
{
	struct host_waiter load = {0};

	(void)unused;
	engine_push(690 * NS, sim_host_wake, &load, 0);
	host_thread_stall(&load, "a load");
	check_equal(engine_now(), 690 * NS);
	check_equal(statistics_of(0).busy_ps, 690 * NS);
	host_thread_charge(10, CHARGE_NOTHING);
	check_equal(host_thread_paid_at_ps(), 690 * NS + 10);
	host_thread_settle();
	check_equal(engine_now(), 690 * NS + 10);
}

TEST(a_stalled_load_is_busy_and_exact)
{
	sim_host_case(sim_host_constants(), stall_and_charge);
}

static void wait_unpaid(void *unused)
{
	struct host_waiter nobody = {0};

	(void)unused;
	world->work(WORK_POLL, 1);
	host_thread_wait(&nobody, 1000, WAIT_SPIN, "nobody");
}

static void unpaid_body(const void *argument, void *result)
{
	(void)result;
	sim_host_run(argument, 1, wait_unpaid, NULL);
}

TEST(a_wait_with_unpaid_work_is_a_bug)
{
	struct host_constants constants = sim_host_constants();

	sim_case_expect(unpaid_body, &constants, 70, "main waits for nobody with 1000 ps to pay");
}

TEST_MAIN(NULL, NULL)
