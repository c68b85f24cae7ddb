/* Tests the scheduler `fair` on one core, without noise: the shares of threads, preemption by woken
 * threads, threads that have had more or less than their share, and polling threads that yield the
 * core. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>

#include "check.h"
#include "sim_case.h"
#include "sim_host.h"

enum { FAIR = 1, THREADS = 3, ROUNDS = 20 };

static const struct affinity anywhere = {.core = -1};

static struct host_constants one_core(uint32_t scheduler)
{
	struct host_constants constants = sim_host_one_core(sim_host_free_constants());

	constants.scheduler = scheduler;
	constants.quantum_ps = 100 * US;
	return constants;
}

TEST(schedulers_are_told_by_name)
{
	assert_string_equal(scheduler_name(0), "turns");
	assert_string_equal(scheduler_name(FAIR), "fair");
	check(scheduler_name(2) == NULL, "there is a third: %s", scheduler_name(2));
}

/* ---- shares ---- */

static void compute(void *us)
{
	sim_host_compute((uint64_t)(uintptr_t)us);
}

/* No thread ends before the others have had as much time, within one quantum. */
static void three(void *unused)
{
	struct thread *threads[THREADS];
	struct host_thread_statistics of;

	(void)unused;
	for (int i = 0; i < THREADS; i++)
		threads[i] = world->spawn("worker", anywhere, compute, (void *)900);
	for (int i = 0; i < THREADS; i++)
		world->join(threads[i]);
	check_equal(engine_now(), THREADS * 900 * (int64_t)US);
	for (uint32_t i = 1; i <= THREADS; i++) {
		host_thread_statistics(i, &of);
		check_equal(of.busy_ps, 900 * (int64_t)US);
		check(of.ended_ps >= (THREADS * 900 - 2 * 100) * (int64_t)US,
			"worker %u ends after %lld us", i, (long long)(of.ended_ps / US));
	}
}

TEST(threads_that_compute_share_a_core_equally)
{
	sim_host_case(one_core(FAIR), three);
}

static void compute_and_bind(void *us)
{
	compute(us);
	check_status(world->bind(0), STATUS_OK);
	compute(us);
}

/* The first thread computes for 50 us, and then binds itself to the core. It has then had more than
 * its share, because the second thread has not had the core at all. */
static void two_of_which_one_binds(void *unused)
{
	struct thread *first = world->spawn("first", anywhere, compute_and_bind, (void *)50);
	struct thread *second = world->spawn("second", anywhere, compute, (void *)100);

	(void)unused;
	world->join(first);
	world->join(second);
	check_equal(engine_now(), 200 * (int64_t)US);
}

TEST(a_debtor_may_bind_itself_to_a_core)
{
	sim_host_case(one_core(FAIR), two_of_which_one_binds);
}

/* ---- a woken thread ---- */

static int64_t late_ps[ROUNDS];
static uint64_t computes_us;

/* Wakes up every 530 us and computes for a while. */
static void wake_up(void *unused)
{
	(void)unused;
	for (int64_t i = 0; i < ROUNDS; i++) {
		int64_t at_ns = (i + 1) * 530000;

		world->sleep_until(at_ns);
		late_ps[i] = engine_now() - 1000 * at_ns;
		sim_host_compute(computes_us);
	}
}

static int64_t latest_after_first_ps(void)
{
	int64_t latest_ps = 0;

	for (int i = 4; /* skips rounds in which the first may have waited */ i < ROUNDS; i++)
		if (late_ps[i] > latest_ps)
			latest_ps = late_ps[i];
	return latest_ps;
}

static void beside_another(void)
{
	struct thread *sleeper = world->spawn("sleeper", anywhere, wake_up, NULL);
	struct thread *other = world->spawn("other", anywhere, compute, (void *)30000);

	world->join(sleeper);
	world->join(other);
}

/* In the first rounds, the woken thread may have to wait for the core, in round 0 for at most a
 * quantum (1 ms). In later rounds, it has had less than its share of the core, so it gets the core
 * at once. */
static void light(void *unused)
{
	(void)unused;
	computes_us = 2;
	beside_another();
	check_at_most(late_ps[0], (int64_t)MS);
	check_equal(latest_after_first_ps(), 0);
}

TEST(a_thread_that_does_little_takes_the_core_when_it_is_woken)
{
	struct host_constants constants = one_core(FAIR);

	constants.quantum_ps = MS; /* no preemption is due to an expired quantum */
	sim_host_case(constants, light);
}

static void light_in_turns(void *unused)
{
	struct thread *third = world->spawn("third", anywhere, compute, (void *)30000);

	(void)unused;
	computes_us = 2;
	beside_another();
	world->join(third);
	check(latest_after_first_ps() >= 100 * (int64_t)US,
		"beside two others it is at most %lld us late where who came first goes first",
		(long long)(latest_after_first_ps() / US));
}

TEST(in_turns_a_woken_thread_waits_for_those_before_it)
{
	sim_host_case(one_core(0), light_in_turns);
}

/* This thread needs more than half of the time of the core. So at times it has had more than its
 * fair share, and then cannot preempt the other thread. */
static void heavy(void *unused)
{
	(void)unused;
	computes_us = 400;
	beside_another();
	check(latest_after_first_ps() >= 50 * (int64_t)US, "who does much is at most %lld us late",
		(long long)(latest_after_first_ps() / US));
}

TEST(a_thread_that_has_had_its_share_waits_when_it_is_woken)
{
	sim_host_case(one_core(FAIR), heavy);
}

/* ---- stalls on a load ---- */

static struct host_waiter load;

enum { LOADS = 1500 };

/* Stalls for half of its time. */
static void loads(void *unused)
{
	(void)unused;
	for (int i = 0; i < LOADS; i++) {
		sim_host_compute(10);
		host_thread_settle();
		engine_push(engine_now() + 10 * US, sim_host_wake, &load, 0);
		host_thread_stall(&load, "a load");
	}
}

/* A load is never interrupted. If a thread wakes up while another thread loads on its core, it
 * gets the core when the load ends. It need not wait for the end of the quantum. */
static void beside_loads(void *unused)
{
	struct thread *sleeper = world->spawn("sleeper", anywhere, wake_up, NULL);
	struct thread *other = world->spawn("other", anywhere, loads, NULL);

	(void)unused;
	computes_us = 2;
	world->join(sleeper);
	world->join(other);
	check(latest_after_first_ps() > 0, "no round began during a load");
	check_at_most(latest_after_first_ps(), 10 * (int64_t)US);
}

TEST(a_thread_woken_during_a_load_takes_the_core_after_it)
{
	struct host_constants constants = one_core(FAIR);

	constants.quantum_ps = MS;
	sim_host_case(constants, beside_loads);
}

/* ---- pollers ---- */

static struct host_waiter waiter;
static int64_t polled_ps;
static bool was_switched;

static void poll_once(void *unused)
{
	(void)unused;
	check_status(host_thread_poll(&waiter, DEADLINE_NEVER, "a word", &was_switched), STATUS_OK);
	polled_ps = engine_now();
}

/* When the polling thread yields, the other thread gets the core at once, although the quantum of
 * the polling thread has just begun. The other thread keeps the core until its work is done. Only
 * then does the polling thread see the word. */
static void polls_beside_another(void *unused)
{
	struct thread *poller = world->spawn("poller", anywhere, poll_once, NULL), *other;

	(void)unused;
	world->sleep_until(1000);
	other = world->spawn("other", anywhere, compute, (void *)50);
	engine_push(engine_now() + 10 * US, sim_host_wake, &waiter, 0);
	world->join(other);
	check_equal(engine_now(), 51 * (int64_t)US);
	world->join(poller);
	check_equal(polled_ps, 51 * (int64_t)US);
	check(was_switched, "the poller kept the core");
}

TEST(a_poller_gives_its_core_to_a_thread_with_work)
{
	for (uint32_t scheduler = 0; scheduler <= FAIR; scheduler++)
		sim_host_case(one_core(scheduler), polls_beside_another);
}

static void polls_alone(void *unused)
{
	const struct affinity own = {.core = 1};
	struct thread *poller = world->spawn("poller", own, poll_once, NULL);

	(void)unused;
	engine_push(10 * US, sim_host_wake, &waiter, 0);
	world->join(poller);
	check_equal(polled_ps, 10 * (int64_t)US);
	check(!was_switched, "the poller was switched away from a core of its own");
}

TEST(a_poller_on_its_own_core_hears_at_once)
{
	struct host_constants constants = sim_host_free_constants();

	constants.spin_see_ps = 0;
	sim_host_case(constants, polls_alone);
}

TEST_MAIN(NULL, NULL)
