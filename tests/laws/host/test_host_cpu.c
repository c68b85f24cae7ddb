/* Tests cores, run queues and the quanta of threads, without noise. Threads must take the times
 * that formulas give. Some tests have more threads than cores, pinned threads, or costs of context
 * switches. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>

#include "check.h"
#include "sim_case.h"
#include "sim_host.h"

enum { THREADS_MAX = 256 };

static const struct affinity anywhere = {.core = -1};

static void compute(void *us)
{
	sim_host_compute((uint64_t)(uintptr_t)us);
}

/* Starts `count` computing threads and returns when all have ended. */
static void compute_on(uint32_t count, uintptr_t us, struct affinity affinity)
{
	struct thread *threads[THREADS_MAX];
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "worker-%u", i);
		threads[i] = world->spawn(name, affinity, compute, (void *)us);
	}
	for (uint32_t i = 0; i < count; i++)
		world->join(threads[i]);
}

/* All of every thread's time is accounted for, and no core did two things at once. */
static void check_conservation(void)
{
	struct host_thread_statistics thread;
	struct host_core_statistics core;
	int64_t threads_ps = 0, cores_ps = 0;
	uint64_t thread_switches = 0, core_switches = 0;

	for (uint32_t i = 0; i < host_thread_count(); i++) {
		host_thread_statistics(i, &thread);
		int64_t end_ps = thread.ended_ps < 0 ? engine_now() : thread.ended_ps;
		check_equal(thread.busy_ps + thread.spinning_ps + thread.switching_ps +
				    thread.waiting_ps + thread.parked_ps,
			end_ps - thread.started_ps);
		threads_ps += thread.busy_ps + thread.spinning_ps + thread.switching_ps;
		thread_switches += thread.switches;
	}
	for (uint32_t i = 0; i < host_core_count(); i++) {
		host_core_statistics(i, &core);
		int64_t used_ps = core.busy_ps + core.spinning_ps + core.switching_ps;
		check_at_most(used_ps, engine_now());
		cores_ps += used_ps;
		core_switches += core.switches;
	}
	check_equal(threads_ps, cores_ps);
	check_equal(thread_switches, core_switches);
}

/* ---- n threads on m cores ---- */

static void six_without_preemption(void *unused)
{
	(void)unused;
	compute_on(6, 500, anywhere);
	check_equal(engine_now(), 2 * 500 * (int64_t)US);
	check_conservation();
}

static void six_in_turns(void *unused)
{
	struct host_thread_statistics thread;

	(void)unused;
	compute_on(6, 400, anywhere);
	check_equal(engine_now(), 6 * 100 * (int64_t)US);
	for (uint32_t i = 1; i < host_thread_count(); i++) {
		host_thread_statistics(i, &thread);
		check_equal(thread.busy_ps, 400 * (int64_t)US);
		check_equal(thread.preemptions, 3);
		check_equal(thread.switches, 4);
	}
	check_conservation();
}

/* On one core a context switch of 2 us precedes every slice of 100 us. */
static void two_switched(void *unused)
{
	struct host_core_statistics core;

	(void)unused;
	compute_on(2, 400, anywhere);
	check_equal(engine_now(), (2 * 4 * (100 + 2) + 2) * (int64_t)US); /* and back to main */
	host_core_statistics(0, &core);
	check_equal(core.switching_ps, (2 * 4 + 1) * 2 * (int64_t)US);
	check_equal(core.switches, 1 + 2 * 4 + 1); /* main before and after */
	check_conservation();
}

/* The fourth thread gets the core that the main thread leaves, after a context switch. */
static void four_on_four(void *unused)
{
	struct host_thread_statistics thread;

	(void)unused;
	compute_on(4, 3000, anywhere);
	check_equal(engine_now(), (3000 + 2) * (int64_t)US);
	for (uint32_t i = 1; i < host_thread_count(); i++) {
		host_thread_statistics(i, &thread);
		check_equal(thread.preemptions, 0);
		check_equal(thread.waiting_ps, 0);
		check_equal(thread.wakes[HOST_WAKE_QUEUED], i == 4);
	}
	check_conservation();
}

TEST(threads_share_cores_in_whole_charges_below_the_quantum)
{
	sim_host_case(sim_host_free_constants(), six_without_preemption);
}

TEST(threads_share_cores_in_turns_of_a_quantum)
{
	struct host_constants constants = sim_host_free_constants();

	constants.quantum_ps = 100 * US;
	sim_host_case(constants, six_in_turns);
}

TEST(every_turn_costs_a_switch)
{
	struct host_constants constants = sim_host_free_constants();

	constants.cores_per_socket = 1;
	constants.switch_ps = 2 * US;
	constants.quantum_ps = 100 * US;
	sim_host_case(constants, two_switched);
}

TEST(no_thread_is_preempted_when_there_are_cores_for_all)
{
	struct host_constants constants = sim_host_free_constants();

	constants.switch_ps = 2 * US;
	sim_host_case(constants, four_on_four);
}

static void two_pinned(void *unused)
{
	struct thread *elsewhere;

	(void)unused;
	elsewhere = world->spawn("elsewhere", (struct affinity){.core = 1}, compute, (void *)300);
	compute_on(2, 500, (struct affinity){.core = 2});
	check_equal(engine_now(), 1000 * (int64_t)US);
	world->join(elsewhere);
	for (uint32_t i = 0; i < host_core_count(); i++) {
		static const int64_t busy_us[] = {0, 300, 1000, 0};
		struct host_core_statistics core;
		host_core_statistics(i, &core);
		check_equal(core.busy_ps, busy_us[i] * (int64_t)US);
	}
}

TEST(pinned_threads_stay_on_their_core)
{
	sim_host_case(sim_host_free_constants(), two_pinned);
}

static void bind_and_compute(void *core)
{
	check_status(world->bind((int16_t)(uintptr_t)core), STATUS_OK);
	sim_host_compute(500);
}

/* Two threads pinned to core 2 take turns there, while the other cores stay free. */
static void two_bound(void *unused)
{
	struct host_core_statistics core;
	struct thread *threads[2];

	(void)unused;
	threads[0] = world->spawn("first", anywhere, bind_and_compute, (void *)2);
	threads[1] = world->spawn("second", anywhere, bind_and_compute, (void *)2);
	for (int i = 0; i < 2; i++)
		world->join(threads[i]);
	check_equal(engine_now(), 1000 * (int64_t)US);
	host_core_statistics(2, &core);
	check_equal(core.busy_ps, 1000 * (int64_t)US);
}

TEST(bound_threads_share_their_core_while_others_are_free)
{
	sim_host_case(sim_host_free_constants(), two_bound);
}

static int64_t queue_ended_ps[4];

static void compute_and_note(void *ended_ps)
{
	sim_host_compute(100);
	*(int64_t *)ended_ps = engine_now();
}

static void queue_on_one_core(void *unused)
{
	static const int16_t cores[4] = {0, -1, 0, -1};
	struct thread *threads[4];
	char name[32];

	(void)unused;
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "thread-%d", i);
		threads[i] = world->spawn(name, (struct affinity){.core = cores[i]},
			compute_and_note, &queue_ended_ps[i]);
	}
	for (int i = 0; i < 4; i++)
		world->join(threads[i]);
	for (int i = 0; i < 4; i++)
		check_equal(queue_ended_ps[i], (i + 1) * 100 * (int64_t)US);
}

TEST(a_core_takes_pinned_and_other_threads_in_order_of_arrival)
{
	sim_host_case(sim_host_one_core(sim_host_free_constants()), queue_on_one_core);
}

/* ---- a thread per device, or a pool ---- */

enum { TASKS = 192, CORES = 16, TASK_US = 10 };

/* The time beside the work equals the cost of the counted context switches and wake-ups. */
static int64_t check_overhead(const struct host_constants *constants, uint64_t *wakes)
{
	int64_t switching_ps = 0, expected_ps = 0;

	*wakes = 0;
	for (uint32_t i = 1; i < host_thread_count(); i++) {
		struct host_thread_statistics thread;
		host_thread_statistics(i, &thread);
		switching_ps += thread.switching_ps;
		uint64_t hot = thread.wakes[HOST_WAKE_HOT], idle = thread.wakes[HOST_WAKE_IDLE];
		expected_ps += (int64_t)hot * constants->wake_hot_ps +
			       (int64_t)idle * constants->wake_idle_ps +
			       (int64_t)(thread.switches - hot - idle) * constants->switch_ps;
		*wakes += hot + idle + thread.wakes[HOST_WAKE_QUEUED];
	}
	check_equal(switching_ps, expected_ps);
	return switching_ps;
}

struct fan_out {
	struct host_constants constants;
	uint32_t threads;
	int64_t took_ps, switching_ps;
	uint64_t wakes;
};

static void fan_out_main(void *argument)
{
	struct fan_out *fan_out = argument;

	compute_on(fan_out->threads, TASKS / fan_out->threads * TASK_US, anywhere);
	fan_out->took_ps = engine_now();
	fan_out->switching_ps = check_overhead(&fan_out->constants, &fan_out->wakes);
	check_conservation();
}

static void fan_out_body(const void *argument, void *result)
{
	struct fan_out *fan_out = result;

	(void)argument;
	check_equal(sim_host_run(&fan_out->constants, 1, fan_out_main, fan_out), ENGINE_FINISHED);
}

TEST(a_thread_per_device_is_slower_than_a_pool_by_switches)
{
	struct fan_out per_device = {.threads = TASKS}, pool = {.threads = CORES};

	per_device.constants = sim_host_constants();
	per_device.constants.cores_per_socket = CORES;
	/* Equal costs of every way to get a core keep the cores in step. */
	per_device.constants.wake_hot_ps = per_device.constants.wake_idle_ps = 2 * US;
	pool.constants = per_device.constants;
	assert_int_equal(
		sim_case_run(fan_out_body, NULL, &per_device, sizeof(per_device)).exit_code, 0);
	assert_int_equal(sim_case_run(fan_out_body, NULL, &pool, sizeof(pool)).exit_code, 0);
	print_message("192 threads %.3f us, pool %.3f us\n", (double)per_device.took_ps / 1e6,
		(double)pool.took_ps / 1e6);
	assert_int_equal(pool.wakes, CORES);
	assert_int_equal(per_device.wakes, TASKS);
	/* Each core runs 12 tasks. With a thread per device, there is a context switch before each
	 * task; in the pool, there is one only before the first task. At the end the main thread
	 * wakes up, which takes one more switch. */
	assert_int_equal(per_device.took_ps, (12 * (2 + TASK_US) + 2) * (int64_t)US);
	assert_int_equal(pool.took_ps, (2 + 12 * TASK_US + 2) * (int64_t)US);
	assert_int_equal(per_device.switching_ps, TASKS * 2 * (int64_t)US);
	assert_int_equal(pool.switching_ps, CORES * 2 * (int64_t)US);
}

TEST_MAIN(NULL, NULL)
