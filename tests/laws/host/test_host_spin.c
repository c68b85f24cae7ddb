/* Tests threads that hold a core without computing. Compares their simulated times with formulas. A
 * spinning thread loses its core only to threads with work. A thread that is stalled in a load
 * never loses its core. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sim_case.h"
#include "sim_host.h"

static const struct affinity anywhere = {.core = -1};

static struct host_waiter waiter;
static enum wait_mode mode;
static int64_t worker_ended_ps;

static void wait_twenty_ms(void *unused)
{
	(void)unused;
	engine_push(engine_now() + 20 * (int64_t)MS, sim_host_wake, &waiter, 0);
	check_status(host_thread_wait(&waiter, DEADLINE_NEVER, mode, "20 ms"), STATUS_OK);
}

static void work_three_ms(void *unused)
{
	(void)unused;
	sim_host_compute(3000);
	worker_ended_ps = engine_now();
}

static void wait_and_work(void *unused)
{
	struct thread *threads[2];

	(void)unused;
	threads[0] = world->spawn("waiter", anywhere, wait_twenty_ms, NULL);
	threads[1] = world->spawn("worker", anywhere, work_three_ms, NULL);
	world->join(threads[0]);
	world->join(threads[1]);
	/* On one core, spinner and worker alternate, one quantum each. */
	check_equal(worker_ended_ps, (mode == WAIT_SPIN ? 6 : 3) * (int64_t)MS);
	check_equal(engine_now(), 20 * (int64_t)MS);
}

TEST(a_spinning_waiter_holds_its_core)
{
	struct host_constants constants = sim_host_free_constants();

	constants.cores_per_socket = 1;
	constants.spin_ps = 0;
	for (mode = 0; mode < WAIT_MODE_COUNT; mode++)
		sim_host_case(constants, wait_and_work);
}

static struct host_waiter never[3];

static void spin_for_ever(void *own)
{
	host_thread_wait(own, DEADLINE_NEVER, WAIT_SPIN, "something that never comes");
}

static void spinners(void *unused)
{
	(void)unused;
	world->spawn("spinner-1", anywhere, spin_for_ever, &never[0]);
	world->spawn("spinner-2", anywhere, spin_for_ever, &never[1]);
	spin_for_ever(&never[2]);
}

static void spinners_body(const void *argument, void *result)
{
	(void)result;
	check_equal(sim_host_run(argument, 1, spinners, NULL), ENGINE_STALLED);
}

TEST(spinners_alone_are_a_stall_that_names_them)
{
	struct host_constants constants = sim_host_constants();
	struct sim_case outcome;
	char none;

	constants.cores_per_socket = 1;
	outcome = sim_case_run(spinners_body, &constants, &none, 0);
	assert_int_equal(outcome.exit_code, 0);
	assert_non_null(strstr(outcome.output, "main waits for something that never comes"));
	assert_non_null(
		strstr(outcome.output, "2 threads, spinner-1 to spinner-2, wait for something that "
				       "never comes"));
}

/* ---- a queued spinner competes for the core ---- */

static int64_t computed_ps;

static void spin_then_compute(void *unused)
{
	(void)unused;
	check_status(host_thread_wait(&waiter, DEADLINE_NEVER, WAIT_SPIN, "1.5 ms"), STATUS_OK);
	check_equal(engine_now(), 1500 * (int64_t)US);
	sim_host_compute(3000);
	computed_ps = engine_now();
}

static void spin_beside(void *unused)
{
	struct host_waiter nobody = {0};
	struct thread *thread;

	(void)unused;
	engine_push(1500 * (int64_t)US, sim_host_wake, &waiter, 0);
	thread = world->spawn("computes", anywhere, spin_then_compute, NULL);
	check_status(host_thread_wait(&nobody, 20000000, WAIT_SPIN, "nobody"), STATUS_TIMEOUT);
	/* The two threads take turns of 1 ms. The other thread has the core from 1 to 2 ms, from 3
	 * to 4 ms, and so on. It spins until 1.5 ms, so it computes for 0.5, 1, 1 and 0.5 ms in its
	 * turns. */
	check_equal(computed_ps, 7500 * (int64_t)US);
	world->join(thread);
}

TEST(a_preempted_spinner_takes_turns_with_a_thread_that_computes)
{
	sim_host_case(sim_host_one_core(sim_host_free_constants()), spin_beside);
}

/* ---- a spinner is woken while it is queued ---- */

static void spin_until_five_ms(void *unused)
{
	struct host_waiter nobody = {0};

	(void)unused;
	check_equal(engine_now(), 1 * (int64_t)MS);
	check_status(host_thread_wait(&nobody, 5000000, WAIT_SPIN, "nobody"), STATUS_TIMEOUT);
	check_equal(engine_now(), 5 * (int64_t)MS);
}

static void wake_in_queue(void *unused)
{
	struct thread *thread;

	(void)unused;
	/* The other thread takes the core when it starts, after 1 ms, and may spin until 5 ms. */
	thread = world->spawn("spins", anywhere, spin_until_five_ms, NULL);
	engine_push(3 * (int64_t)MS, sim_host_wake, &waiter, 0);
	check_status(host_thread_wait(&waiter, DEADLINE_NEVER, WAIT_SPIN, "3 ms"), STATUS_OK);
	check_equal(engine_now(), 3 * (int64_t)MS);
	world->join(thread);
}

TEST(a_queued_spinner_that_is_woken_replaces_one_that_is_not)
{
	sim_host_case(sim_host_one_core(sim_host_free_constants()), wake_in_queue);
}

/* ---- stalls ---- */

static void compute_one_ms(void *unused)
{
	(void)unused;
	sim_host_compute(1000);
	computed_ps = engine_now();
}

static void stall_beyond_quantum(void *unused)
{
	struct host_waiter load = {0};
	struct thread *thread;

	(void)unused;
	thread = world->spawn("computes", anywhere, compute_one_ms, NULL);
	engine_push(2500 * (int64_t)US, sim_host_wake, &load, 0);
	host_thread_stall(&load, "a load");
	check_equal(engine_now(), 2500 * (int64_t)US);
	sim_host_compute(1000);
	check_equal(engine_now(), 4500 * (int64_t)US);
	check_equal(computed_ps, 3500 * (int64_t)US);
	world->join(thread);
}

TEST(a_stalled_load_cannot_be_preempted_until_it_ends)
{
	sim_host_case(sim_host_one_core(sim_host_free_constants()), stall_beyond_quantum);
}

TEST_MAIN(NULL, NULL)
