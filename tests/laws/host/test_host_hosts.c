/* Tests several hosts in one simulated world. Each host has its own cores, constants and memory. In
 * some tests, several hosts are processes of one machine, and share its cores. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>

#include "check.h"
#include "sim_case.h"
#include "sim_host.h"

static int64_t ended_ps[3];

static void compute_one_ms(void *ended)
{
	sim_host_compute(1000);
	world->work_copy(10000, MEMORY_CACHED, MEMORY_CACHED);
	world->settle();
	*(int64_t *)ended = engine_now();
}

static void compute_on_three(void *unused)
{
	struct thread *threads[3];
	char name[32];

	(void)unused;
	for (uint16_t h = 0; h < 3; h++) {
		snprintf(name, sizeof(name), "thread-%u", h);
		threads[h] = world->spawn(name, (struct affinity){.host = h, .core = -1},
			compute_one_ms, &ended_ps[h]);
	}
	for (int h = 0; h < 3; h++)
		world->join(threads[h]);
	for (int h = 0; h < 3; h++)
		check_equal(ended_ps[h], (h == 2 ? 2 : 1) * (int64_t)MS + US);
	check_equal(host_core_count(), 3);
	for (uint16_t h = 0; h < 3; h++) {
		struct host_core_statistics core;
		host_core_statistics(h, &core);
		check_equal(core.host, h);
		check_equal(core.busy_ps, ended_ps[h]);
	}
}

static void hosts_body(const void *argument, void *result)
{
	struct host_constants fast = sim_host_free_constants(), slow;
	struct host_description hosts[] = {{.name = "host-0", .constants = &fast},
		{.name = "host-1", .constants = &fast}, {.name = "host-2", .constants = &slow}};

	(void)argument;
	(void)result;
	fast.cores_per_socket = 1;
	/* Together, the copies of all hosts need three times the memory bandwidth of a single
	 * host. */
	fast.memory_bandwidth_bytes_per_s = 10000000000u;
	slow = fast;
	slow.work[WORK_API_CALL].cost_ps = 2 * US;
	sim_case_open();
	world = &sim_world;
	check_status(sim_world_start(hosts, 3, 1, NULL), STATUS_OK);
	check_equal(sim_world_run((struct affinity){.core = -1}, compute_on_three, NULL,
			    (struct engine_limits){0}),
		ENGINE_FINISHED);
}

TEST(hosts_share_nothing)
{
	sim_case_expect(hosts_body, NULL, 0, NULL);
}

/* Two processes on one machine with one core, which take turns, and a separate machine. */
static void compute_on_two(void *unused)
{
	struct thread *threads[3];
	struct host_thread_statistics of;

	(void)unused;
	for (uint16_t h = 0; h < 3; h++)
		threads[h] = world->spawn("thread", (struct affinity){.host = h, .core = -1},
			compute_one_ms, &ended_ps[h]);
	for (int h = 0; h < 3; h++)
		world->join(threads[h]);
	check_equal(ended_ps[1] > ended_ps[0] ? ended_ps[1] : ended_ps[0], 2 * (int64_t)(MS + US));
	check_equal(ended_ps[2], MS + US);
	check_equal(host_core_count(), 2);
	check_equal(world->core_count(1), 1);
	for (uint32_t i = 1; i <= 3; i++) {
		host_thread_statistics(i, &of);
		check_equal(of.host, i - 1);
	}
}

static void shared_body(const void *argument, void *result)
{
	struct host_constants constants = sim_host_free_constants();
	struct host_description hosts[] = {{.name = "host-0", .constants = &constants},
		{.name = "host-1", .constants = &constants, .shares = true},
		{.name = "host-2", .constants = &constants}};

	(void)argument;
	(void)result;
	constants.cores_per_socket = 1;
	sim_case_open();
	world = &sim_world;
	check_status(sim_world_start(hosts, 3, 1, NULL), STATUS_OK);
	check_equal(sim_world_run((struct affinity){.core = -1}, compute_on_two, NULL,
			    (struct engine_limits){0}),
		ENGINE_FINISHED);
	sim_world_stop();
}

TEST(processes_of_one_machine_share_its_cores)
{
	sim_case_expect(shared_body, NULL, 0, NULL);
}

/* Three processes run on one machine with two cores. Each process is pinned to a core. The third
 * process shares the core of the first one, although the core of the second one is idle most of the
 * time. */
static void compute_bound(void *unused)
{
	struct thread *threads[3];
	static const uint16_t of[] = {0, 1, 2};

	(void)unused;
	check_equal(world->core_count(1), 1);
	for (int i = 0; i < 3; i++)
		threads[i] = world->spawn("thread", (struct affinity){.host = of[i], .core = -1},
			compute_one_ms, &ended_ps[i]);
	for (int i = 0; i < 3; i++)
		world->join(threads[i]);
	check_equal(engine_now(), 2 * (int64_t)(MS + US));
	check_equal(ended_ps[1], MS + US);
}

static void bound_body(const void *argument, void *result)
{
	struct host_constants constants = sim_host_free_constants();
	struct host_description hosts[] = {
		{.name = "host-0", .constants = &constants, .bound = true, .core = 0},
		{.name = "host-1",
			.constants = &constants,
			.shares = true,
			.bound = true,
			.core = 1},
		{.name = "host-2",
			.constants = &constants,
			.shares = true,
			.bound = true,
			.core = 2}};

	(void)argument;
	(void)result;
	constants.cores_per_socket = 2;
	sim_case_open();
	world = &sim_world;
	check_status(sim_world_start(hosts, 3, 1, NULL), STATUS_OK);
	check_equal(sim_world_run((struct affinity){.host = 1, .core = -1}, compute_bound, NULL,
			    (struct engine_limits){0}),
		ENGINE_FINISHED);
	sim_world_stop();
}

TEST(processes_that_are_bound_stay_on_their_core)
{
	sim_case_expect(bound_body, NULL, 0, NULL);
}

TEST_MAIN(NULL, NULL)
