/* Tests the time of simulated programs whose executors request memory from the controller (spec
 * 4.8.2.1). If a separate thread of the controller handles these requests, the call that launches a
 * new program does not wait for the request. The program itself starts one round trip later. */
#include "test.h"

#include <stdlib.h>

#include "check.h"
#include "hosts_sim.h"
#include "sim_case.h"
#include "sim_host.h"
#include "sim_network.h"

enum { SLOWER_PS = 500 * US, ONE_WAY_PS = 2 * SLOWER_PS };

struct scene {
	const char *allocation, *pipeline;
	bool slow; /* each NIC takes SLOWER_PS longer; a message passes two */
};

struct times {
	int64_t call_ps; /* call of a new program, until it returns */
	int64_t seen_ps; /* until the program has completed */
};

static struct times measured;

static void measure(struct device_handle *device)
{
	const struct handle_ops *ops = device->ops;
	const struct handle_call later = {.queue = 0};
	struct kernel_config kernel = {.cores = {.kind = CORES_ALL}, .bytes = 64, .cycles = 10};
	struct program *program = ops->program_new(device, "new");
	struct workload *workload = ops->workload_new(device);
	int64_t begin_ps;
	uint32_t index;

	check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	check_status(workload_add(workload, program, DEVICES_UNBOUND, NULL), STATUS_OK);
	world->sleep_until(world->now_ns() + 10000000);
	begin_ps = host_thread_paid_at_ps();
	check_status(ops->run(device, later, workload), STATUS_OK);
	world->settle();
	measured.call_ps = host_thread_paid_at_ps() - begin_ps;
	check_status(ops->finish(device, 0, 0, DEADLINE_NEVER), STATUS_OK);
	world->settle();
	measured.seen_ps = host_thread_paid_at_ps() - begin_ps;
	ops->workload_free(device, workload);
	ops->program_free(device, program);
}

static void run(void *argument)
{
	const struct scene *scene = argument;
	const struct hosts_choice choice = {.transport = "tcp",
		.codec = "packed",
		.resolution = "controller",
		.pipeline = scene->pipeline,
		.allocation = scene->allocation,
		.hosts = 2,
		.axis = HOSTS_IN_ROWS,
		.rows = 2,
		.columns = 1,
		.ground = &hosts_sim_ground};
	static struct hosts_case hosts;

	hosts_case_init(&hosts, choice);
	hosts.settings.channel.window = 64;
	hosts.poll_ns = 1000;
	hosts_case_open(&hosts);
	measure(hosts.handle);
	hosts_case_close(&hosts, STATUS_OK);
}

static void simulate(const void *argument, void *result)
{
	struct scene scene = *(const struct scene *)argument;
	const struct host_constants host = sim_host_free_constants();
	struct hostnet_constants network = sim_network_free_constants();
	struct times *to = result;

	if (scene.slow)
		network.nic_latency_ps += SLOWER_PS;
	(void)hosts_sim_run_on(2, &host, &network, NULL, run, &scene);
	*to = measured;
}

/* Returns what the slower network adds. */
static struct times added(const char *allocation, const char *pipeline)
{
	struct times times[2] = {{0}};

	for (int i = 0; i < 2; i++) {
		const struct scene scene = {allocation, pipeline, i == 1};
		struct sim_case end = sim_case_run(simulate, &scene, &times[i], sizeof times[i]);

		check(end.exit_code == 0, "exit code %d: %s", end.exit_code, end.output);
	}
	return (struct times){
		times[1].call_ps - times[0].call_ps, times[1].seen_ps - times[0].seen_ps};
}

TEST(the_call_waits_for_no_executor_where_a_thread_resolves)
{
	static const char *const pipelines[] = {"pair", "stages"};

	for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++)
		check_equal(added("requests", pipelines[i]).call_ps, 0);
	check_at_most(2 * (int64_t)ONE_WAY_PS, added("requests", "main").call_ps);
}

/* The times may differ by one poll interval of an executor. */
TEST(its_program_waits_for_one_way_there_and_back)
{
	int64_t told_ps, asked_ps;

	told_ps = added("controller", "stages").seen_ps;
	asked_ps = added("requests", "stages").seen_ps;
	check_at_most(asked_ps - told_ps, 2 * (int64_t)ONE_WAY_PS + 10 * US);
	check_at_most(2 * (int64_t)ONE_WAY_PS - 10 * US, asked_ps - told_ps);
}

TEST_MAIN(NULL, NULL)
