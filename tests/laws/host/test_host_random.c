/* label: full
 * Runs random programs on a host with more threads than cores. The time of every thread and every
 * core is accounted for to the picosecond, all work is done, and the same seed gives the same run.
 */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/stream.h"
#include "check.h"
#include "sim_case.h"
#include "sim_host.h"

enum { THREADS = 12, STEPS = 300, SEEDS = 12 };

struct run {
	uint32_t scheduler; /* row */
	uint64_t seed;
	/* results: */
	uint64_t hash;
	int64_t end_ps;
};

struct walker {
	uint64_t seed;
	uint32_t index;
};

static struct monitor *monitor;
static uint64_t computed_us, copied_bytes;

static void compute_and_copy(struct stream *stream)
{
	uint64_t us = stream_below(stream, 40), bytes = stream_below(stream, 200000);

	computed_us += us;
	copied_bytes += bytes;
	world->work(WORK_API_CALL, us);
	world->work_copy(bytes, MEMORY_CACHED, MEMORY_PINNED);
	if (stream_below(stream, 2))
		world->settle();
}

static void use_monitor(struct stream *stream)
{
	enum wait_mode mode = (enum wait_mode)stream_below(stream, WAIT_MODE_COUNT);

	world->monitor_enter(monitor);
	if (stream_below(stream, 2))
		world->work(WORK_QUEUE_PUSH, 1 + stream_below(stream, 2000));
	if (stream_below(stream, 3) == 0)
		world->monitor_notify_all(monitor);
	else
		world->monitor_notify_one(monitor);
	if (stream_below(stream, 2))
		world->monitor_wait_until(
			monitor, world->now_ns() + (int64_t)stream_below(stream, 300000), mode);
	world->monitor_exit(monitor);
}

static void wait_for_event(struct stream *stream)
{
	enum wait_mode mode = (enum wait_mode)stream_below(stream, WAIT_MODE_COUNT);
	/* Static, because the event may come after the deadline. */
	static struct host_waiter waiters[THREADS * STEPS];
	static uint32_t count;
	struct host_waiter *waiter = &waiters[count++];

	world->settle();
	engine_push(
		engine_now() + (int64_t)stream_below(stream, 300) * US, sim_host_wake, waiter, 0);
	host_thread_wait(
		waiter, world->now_ns() + (int64_t)stream_below(stream, 300000), mode, "an event");
}

static void walk(void *argument)
{
	struct walker *walker = argument;
	struct stream stream;
	char role[32];

	snprintf(role, sizeof(role), "walker-%u", walker->index);
	stream_init(&stream, walker->seed, role);
	for (int i = 0; i < STEPS; i++) {
		switch (stream_below(&stream, 5)) {
		case 0:
			use_monitor(&stream);
			break;
		case 1:
			wait_for_event(&stream);
			break;
		case 2:
			world->sleep_until(
				world->now_ns() + (int64_t)stream_below(&stream, 400000));
			break;
		default:
			compute_and_copy(&stream);
		}
	}
}

static uint64_t mix(uint64_t hash, int64_t value)
{
	return (hash ^ (uint64_t)value) * UINT64_C(1099511628211);
}

static int64_t check_threads(struct run *run)
{
	int64_t on_core_ps = 0;

	for (uint32_t i = 0; i < host_thread_count(); i++) {
		struct host_thread_statistics thread;
		host_thread_statistics(i, &thread);
		int64_t used_ps = thread.busy_ps + thread.spinning_ps + thread.switching_ps;
		int64_t end_ps = thread.ended_ps < 0 ? engine_now() : thread.ended_ps;
		check_equal(
			used_ps + thread.waiting_ps + thread.parked_ps, end_ps - thread.started_ps);
		check_at_most(thread.copying_ps, thread.busy_ps);
		on_core_ps += used_ps;
		run->hash = mix(mix(mix(run->hash, end_ps), used_ps), thread.waiting_ps);
	}
	return on_core_ps;
}

static int64_t check_cores(void)
{
	int64_t on_core_ps = 0;

	for (uint32_t i = 0; i < host_core_count(); i++) {
		struct host_core_statistics core;
		host_core_statistics(i, &core);
		int64_t used_ps = core.busy_ps + core.spinning_ps + core.switching_ps;
		check_at_most(used_ps, engine_now());
		on_core_ps += used_ps;
	}
	return on_core_ps;
}

static void walk_all(void *argument)
{
	struct run *run = argument;
	struct walker walkers[THREADS];
	struct thread *threads[THREADS];
	struct work_counts counts;
	char name[32];

	monitor = world->monitor_new("the monitor");
	for (uint32_t i = 0; i < THREADS; i++) {
		walkers[i] = (struct walker){run->seed, i};
		snprintf(name, sizeof(name), "walker-%u", i);
		threads[i] = world->spawn(name,
			(struct affinity){.core = i % 4 == 3 ? (int16_t)(i / 4) : -1}, walk,
			&walkers[i]);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		world->join(threads[i]);
	check_equal(check_threads(run), check_cores());
	sim_world_counts(&counts);
	check_equal(counts.units[WORK_API_CALL], computed_us);
	check_equal(counts.copied_bytes[MEMORY_CACHED][MEMORY_PINNED], copied_bytes);
	run->end_ps = engine_now();
	world->monitor_free(monitor);
}

static void run_body(const void *argument, void *result)
{
	struct host_constants constants = sim_host_constants();
	struct run *run = result;

	(void)argument;
	constants.sockets = 2;
	constants.cores_per_socket = 2;
	constants.quantum_ps = 50 * US;
	constants.wake_call_ps = constants.spawn_ps = US;
	constants.noise = true;
	constants.scheduler = run->scheduler;
	constants.work[WORK_API_CALL].noise = (struct host_noise){0.4, 0.01, 20 * US};
	constants.copy_noise = constants.wake_noise = (struct host_noise){0.2, 0, 0};
	check_equal(sim_host_run(&constants, run->seed, walk_all, run), ENGINE_FINISHED);
	sim_world_stop();
	engine_close();
}

TEST(random_programs_lose_no_time_and_repeat_by_seed)
{
	struct run runs[SEEDS][2];

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		for (int again = 0; again < 2; again++) {
			struct run *run = &runs[seed][again];

			*run = (struct run){.seed = seed, .scheduler = seed % 2};
			assert_int_equal(
				sim_case_run(run_body, NULL, run, sizeof(*run)).exit_code, 0);
		}
		if (runs[seed][0].hash != runs[seed][1].hash)
			print_error("seed %llu ends at %lld and %lld ps\n",
				(unsigned long long)seed, (long long)runs[seed][0].end_ps,
				(long long)runs[seed][1].end_ps);
		assert_true(runs[seed][0].hash == runs[seed][1].hash);
		if (seed > 0)
			assert_true(runs[seed][0].hash != runs[seed - 1][0].hash);
	}
}

TEST_MAIN(NULL, NULL)
