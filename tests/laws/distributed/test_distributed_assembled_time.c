/* Tests the time of simulated launches whose commands the controller assembles (spec 4.8.2.1). If
 * the controller assembles, the caller pays once for the commands of all hosts. Otherwise, each
 * executor pays for its own commands. A launch that has not changed is not assembled again. */
#include "test.h"

#include <stdlib.h>

#include "check.h"
#include "hosts_sim.h"
#include "sim_case.h"
#include "sim_host.h"
#include "sim_network.h"

enum { LAUNCHES = 2, COSTLIER_PS = 700 * US };

struct scene {
	const char *allocation;
	bool cache, costly;
};

struct times {
	int64_t call_ps[LAUNCHES]; /* until the call returns */
	int64_t seen_ps[LAUNCHES]; /* until the launch has completed */
};

static struct times measured;

static void measure(struct device_handle *device)
{
	const struct handle_ops *ops = device->ops;
	const struct handle_call later = {.queue = 0};
	struct kernel_config kernel = {.cores = {.kind = CORES_ALL}, .bytes = 64, .cycles = 10};
	struct program *program = ops->program_new(device, "new");
	struct workload *workload = ops->workload_new(device);
	uint32_t index;

	check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	check_status(workload_add(workload, program, DEVICES_UNBOUND, NULL), STATUS_OK);
	for (int i = 0; i < LAUNCHES; i++) {
		int64_t begin_ps;

		world->sleep_until(world->now_ns() + 10000000);
		begin_ps = host_thread_paid_at_ps();
		check_status(ops->run(device, later, workload), STATUS_OK);
		world->settle();
		measured.call_ps[i] = host_thread_paid_at_ps() - begin_ps;
		check_status(ops->finish(device, 0, 0, DEADLINE_NEVER), STATUS_OK);
		world->settle();
		measured.seen_ps[i] = host_thread_paid_at_ps() - begin_ps;
	}
	ops->workload_free(device, workload);
	ops->program_free(device, program);
}

static void run(void *argument)
{
	const struct scene *scene = argument;
	const struct hosts_choice choice = {.transport = "tcp",
		.codec = "packed",
		.resolution = "controller",
		.pipeline = "stages",
		.allocation = scene->allocation,
		.hosts = 2,
		.axis = HOSTS_IN_ROWS,
		.rows = 2,
		.columns = 1,
		.ground = &hosts_sim_ground};
	static struct hosts_case hosts;

	hosts_case_init(&hosts, choice);
	hosts.one.config.command_cache = scene->cache;
	hosts.settings.channel.window = 64;
	hosts.poll_ns = 1000;
	hosts_case_open(&hosts);
	measure(hosts.handle);
	hosts_case_close(&hosts, STATUS_OK);
}

static void simulate(const void *argument, void *result)
{
	struct scene scene = *(const struct scene *)argument;
	struct host_constants host = sim_host_free_constants();
	const struct hostnet_constants network = sim_network_free_constants();
	struct times *to = result;

	if (scene.costly)
		host.work[WORK_CREATE_OPERATION].cost_ps += COSTLIER_PS;
	(void)hosts_sim_run_on(2, &host, &network, NULL, run, &scene);
	*to = measured;
}

/* Returns what more expensive operations add. */
static struct times added(const char *allocation, bool cache)
{
	struct times times[2];

	for (int i = 0; i < 2; i++) {
		const struct scene scene = {allocation, cache, i == 1};
		struct sim_case end = sim_case_run(simulate, &scene, &times[i], sizeof times[i]);

		check(end.exit_code == 0, "exit code %d: %s", end.exit_code, end.output);
	}
	for (int i = 0; i < LAUNCHES; i++) {
		times[1].call_ps[i] -= times[0].call_ps[i];
		times[1].seen_ps[i] -= times[0].seen_ps[i];
	}
	return times[1];
}

/* Checks that two times differ by at most 10 us. They may differ a little, because executors poll
 * only from time to time. An executor creates a new program, too, but it finishes no later than the
 * controller, which does the same work. So this adds no time. */
static void check_near(int64_t seen_ps, int64_t expected_ps)
{
	check_at_most(seen_ps, expected_ps + 10 * US);
	check_at_most(expected_ps - 10 * US, seen_ps);
}

TEST(the_caller_pays_for_all_hosts_and_executors_nothing)
{
	struct times cached = added("controller", true), always = added("controller", false);

	check_equal(cached.call_ps[0], COSTLIER_PS);
	check_near(cached.seen_ps[0], COSTLIER_PS);
	check_equal(cached.call_ps[1], 0);
	check_near(cached.seen_ps[1], 0);
	check_equal(always.call_ps[1], COSTLIER_PS);
	check_near(always.seen_ps[1], COSTLIER_PS);
}

TEST(executors_pay_where_they_assemble)
{
	static const char *const names[] = {"split", "requests"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct times times = added(names[i], true);

		check_equal(times.call_ps[0], 0);
		check_near(times.seen_ps[0], 2 * COSTLIER_PS);
		check_near(times.seen_ps[1], 0);
		check_near(added(names[i], false).seen_ps[1], COSTLIER_PS);
	}
}

TEST_MAIN(NULL, NULL)
