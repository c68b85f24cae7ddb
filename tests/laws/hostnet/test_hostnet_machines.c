/* Tests the host networks of the shipped machines. Their rates must be those of the links that
 * SimGrid gets from the platform. On the machine `scaleout`, the controller must reach its 32 hosts
 * in the time that a formula gives. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scenario/machine_constants.h"
#include "check.h"
#include "sim_case.h"
#include "sim_network.h"

enum { HOSTS = 32, BYTES = 100000 };

struct reach {
	const char *machine;
	double bytes_per_s; /* rate of the platform's NICs, compared with the platform's own value
			     */
};

/* State of the child process. */
static struct {
	uint16_t hosts;
	struct hub *hub;
	int64_t begun_ps, reached_ps[HOSTS], expected_ps[HOSTS];
} run;

static struct channel_settings settings_of(const char *address, const char *name)
{
	return (struct channel_settings){.address = address,
		.name = name,
		.session = 1,
		.message_bytes_max = 1 << 20,
		.window = 8,
		.remote = true};
}

static void be_executor(void *number)
{
	const struct channel_ops *ops = hostnet_row(HOSTNET_RDMA);
	char name[24];
	struct channel_settings settings = settings_of(ops->hub_address(run.hub), name);
	uint16_t host = (uint16_t)(uintptr_t)number;
	struct channel *channel = NULL;
	struct span message;

	snprintf(name, sizeof name, "executor %u", host);
	check_status(ops->join(&settings, DEADLINE_NEVER, &channel, NULL), STATUS_OK);
	check_status(ops->receive(channel, DEADLINE_NEVER, &message), STATUS_OK);
	run.reached_ps[host] = engine_now() - run.begun_ps;
	check_equal(message.length, BYTES);
	span_release(message);
	ops->close(channel);
}

static void be_controller(void *unused)
{
	const struct channel_ops *ops = hostnet_row(HOSTNET_RDMA);
	struct channel_settings settings = settings_of("*:0", "hub");
	struct thread *threads[HOSTS];
	struct span message = span_of(extent_new(BYTES));
	uint32_t number;
	char name[24];

	(void)unused;
	check_status(ops->hub_open(&settings, &run.hub, NULL), STATUS_OK);
	for (uint16_t i = 0; i < run.hosts; i++) {
		snprintf(name, sizeof name, "of host %u", i);
		threads[i] = sim_network_spawn(i, name, be_executor, (void *)(uintptr_t)i);
		check_status(ops->hub_accept(run.hub, DEADLINE_NEVER, &number), STATUS_OK);
		check_equal(number, i);
	}
	world->sleep_until(world->now_ns() + 1000000);
	run.begun_ps = engine_now();
	check_status(
		ops->hub_send(run.hub, CHANNEL_ALL, message, DEADLINE_NEVER, &number), STATUS_OK);
	for (uint16_t i = 0; i < run.hosts; i++)
		world->join(threads[i]);
	span_release(message);
	ops->hub_close(run.hub);
}

/* Bursts of all copies take turns: a copy of b bursts ends with its own burst in the last round. */
static void expect(const struct platform *platform, double bytes_per_s)
{
	double latency_ns = 2 * platform_real(platform, "host_network.nic_latency") +
			    platform_real(platform, "host_network.switch_latency");
	uint64_t payload = (uint64_t)platform_real(platform, "host_network.frame_size");
	uint64_t header = (uint64_t)platform_real(platform, "host_network.frame_overhead_size");
	uint64_t burst = (uint64_t)platform_real(platform, "host_network.burst_size");
	uint64_t bytes = BYTES + (BYTES + payload - 1) / payload * header;
	uint64_t whole = bytes / burst, rest = bytes % burst;

	for (uint16_t i = 0; i < run.hosts; i++) {
		uint64_t before = run.hosts * whole * burst + (i + 1) * rest;

		run.expected_ps[i] =
			llround(latency_ns * 1e3 + (double)before / bytes_per_s * 1e12);
	}
}

static void run_reach(const void *argument, void *result)
{
	static char names[HOSTS + 1][PLATFORM_NAME_BYTES];
	const struct reach *reach = argument;
	struct diag *diag = diag_new();
	struct platform *platform = machine_platform(reach->machine, diag);
	struct host_constants host = sim_host_free_constants();
	struct host_description hosts[HOSTS + 1];
	struct hostnet_constants constants;
	char path[64];
	FILE *file;

	(void)result;
	run.hosts = platform_hosts(platform)->count;
	for (uint16_t i = 0; i <= run.hosts; i++)
		hosts[i] = (struct host_description){
			.name = platform_server_name(i, names[i]), .constants = &host};
	hostnet_constants_bind(platform, &constants);
	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++)
		constants.transports[i] = (struct hostnet_costs){.lost_after_ps = MS};
	constants.bandwidth_bytes_per_s = 1; /* replaced by the bandwidth of SimGrid's links */
	check_status(platform_save_simgrid(platform, PLATFORM_SERVERS, path, sizeof path, &file),
		STATUS_OK);
	check_status(engine_open(path), STATUS_OK);
	world = &sim_world;
	check_status(sim_world_start(hosts, (uint16_t)(run.hosts + 1), 1, NULL), STATUS_OK);
	hostnet_open(&constants, (uint16_t)(run.hosts + 1), true);
	check_equal(sim_world_run((struct affinity){run.hosts, -1}, be_controller, NULL,
			    (struct engine_limits){0}),
		ENGINE_FINISHED);
	expect(platform, reach->bytes_per_s);
	for (uint16_t i = 0; i < run.hosts; i++) /* each burst is rounded up by up to 1 ps */
		check(llabs(run.reached_ps[i] - run.expected_ps[i]) <= 2 * HOSTS,
			"host %u is reached after %lld ps, and not %lld", i,
			(long long)run.reached_ps[i], (long long)run.expected_ps[i]);
	hostnet_close();
	fclose(file);
	platform_free(platform);
	diag_free(diag);
}

TEST(a_controller_reaches_all_hosts_at_the_rate_of_its_nic)
{
	static const struct reach machines[] = {{"scaleout", 50e9}, {"galaxy-x2", 12.5e9}};

	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
		sim_case_expect(run_reach, &machines[i], 0, NULL);
}

TEST_MAIN(NULL, NULL)
