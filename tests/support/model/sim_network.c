/* A simulated network of hosts for tests (see sim_network.h). */
#include "sim_network.h"

#include <string.h>

#include "base/ensure.h"
#include "bench/scenario/machine_constants.h"
#include "check.h"
#include "sim_case.h"

struct hostnet_constants sim_network_constants(void)
{
	struct diag *diag = diag_new();
	struct platform *platform = machine_platform("galaxy-x2", diag);
	struct hostnet_constants constants;

	ensure(platform, "no galaxy-x2");
	hostnet_constants_bind(platform, &constants);
	platform_free(platform);
	diag_free(diag);
	return constants;
}

struct hostnet_constants sim_network_free_constants(void)
{
	struct hostnet_constants constants = {
		.bandwidth_bytes_per_s = 1000000000,
		.nic_latency_ps = 100 * NS,
		.switch_latency_ps = 300 * NS,
		.retry_ps = MS,
		.frame_bytes = 1000,
		.frame_overhead_bytes = 100,
		.burst_bytes = 10000,
	};

	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++)
		constants.transports[i].lost_after_ps = 1000 * (int64_t)MS;
	return constants;
}

void sim_network_run(const struct host_constants *host, const struct hostnet_constants *constants,
	void (*body)(void *argument), void *argument)
{
	static const char *const names[SIM_NETWORK_HOSTS] = {
		"host-0", "host-1", "host-2", "host-3"};
	struct host_description hosts[SIM_NETWORK_HOSTS];
	struct affinity first = {.host = 0, .core = -1};

	for (unsigned i = 0; i < SIM_NETWORK_HOSTS; i++)
		hosts[i] = (struct host_description){.name = names[i], .constants = host};
	sim_case_open();
	world = &sim_world;
	check_status(sim_world_start(hosts, SIM_NETWORK_HOSTS, 1, NULL), STATUS_OK);
	hostnet_open(constants, SIM_NETWORK_HOSTS, false);
	check_equal(
		sim_world_run(first, body, argument, (struct engine_limits){0}), ENGINE_FINISHED);
	hostnet_close();
	sim_world_stop();
	engine_close();
}

struct thread *sim_network_spawn(
	uint16_t host, const char *name, void (*fn)(void *argument), void *argument)
{
	return world->spawn(name, (struct affinity){.host = host, .core = -1}, fn, argument);
}
