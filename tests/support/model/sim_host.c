/* A simulated world of one host for tests (see sim_host.h). */
#include "test.h"

#include "sim_host.h"

#include "check.h"
#include "sim_case.h"

struct host_constants sim_host_constants(void)
{
	struct host_constants constants = {
		.sockets = 1,
		.cores_per_socket = 4,
		.memory_bandwidth_bytes_per_s = 20000000000u,
		.quantum_ps = MS,
		.switch_ps = 2 * US,
		.spin_see_ps = 100 * NS,
		.wake_hot_ps = 3 * US,
		.wake_idle_ps = 40 * US,
		.idle_after_ps = 200 * US,
		.spin_ps = 10 * US,
		.write_combining_drain_ps = 200 * NS,
	};

	for (int k = 0; k < WORK_KIND_COUNT; k++)
		constants.work[k].cost_ps = k == WORK_API_CALL ? US : NS;
	for (int f = 0; f < MEMORY_KIND_COUNT; f++)
		for (int t = 0; t < MEMORY_KIND_COUNT; t++)
			constants.copy[f][t] = (struct host_copy_cost){10000000000u, 100};
	return constants;
}

struct host_constants sim_host_free_constants(void)
{
	struct host_constants constants = sim_host_constants();

	constants.switch_ps = 0;
	constants.spin_see_ps = 0;
	constants.wake_hot_ps = 0;
	constants.wake_idle_ps = 0;
	return constants;
}

struct host_constants sim_host_one_core(struct host_constants constants)
{
	constants.cores_per_socket = 1;
	return constants;
}

enum engine_end sim_host_run(const struct host_constants *constants, uint64_t seed,
	void (*main_fn)(void *argument), void *argument)
{
	struct host_description host = {.name = "host-0", .constants = constants};
	struct affinity anywhere = {.core = -1};

	sim_case_open();
	world = &sim_world;
	check_status(sim_world_start(&host, 1, seed, NULL), STATUS_OK);
	return sim_world_run(anywhere, main_fn, argument, (struct engine_limits){0});
}

struct case_argument {
	const struct host_constants *constants;
	void (*main_fn)(void *argument);
};

static void run_case(const void *argument, void *result)
{
	const struct case_argument *each = argument;

	(void)result;
	check_equal(sim_host_run(each->constants, 1, each->main_fn, NULL), ENGINE_FINISHED);
	sim_world_stop();
	engine_close();
}

void sim_host_case(struct host_constants constants, void (*main_fn)(void *argument))
{
	struct case_argument argument = {&constants, main_fn};

	sim_case_expect(run_case, &argument, 0, NULL);
}

void sim_host_compute(uint64_t us)
{
	world->work(WORK_API_CALL, us);
	world->settle();
}

void sim_host_wake(void *waiter, uint64_t unused)
{
	(void)unused;
	host_thread_wake(waiter);
}
