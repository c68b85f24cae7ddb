/* Simulated hosts (see hosts_sim.h). */
#include "hosts_sim.h"

#include <stdio.h>

#include "check.h"
#include "chip/sim_device.h"
#include "sim_case.h"
#include "sim_chip.h"
#include "sim_network.h"

static struct machine {
	struct cluster *cluster;
	struct mesh_system *system;
	struct cluster_info *info;
} machines[HOSTS_SIM_MAX * 2];
static uint32_t machine_count;

/* Nothing to do: the simulation has already begun. */
static void start(const struct recorder *recorder)
{
	(void)recorder;
}

static const char *address(uint32_t hosts)
{
	static char text[32];

	snprintf(text, sizeof text, "server-%u:0", hosts);
	return text;
}

static struct cluster *cluster_new(const struct cluster_info *info, uint32_t host)
{
	struct chip_constants constants = sim_chip_constants();
	static struct cluster *first;
	struct sim_options options = {.topology = SIM_TOPOLOGY_MESH, .host = (uint16_t)host};
	struct cluster *cluster;
	const char *what;

	if (info->machine != NULL && host > 0)
		options.joined = first;
	check_status(sim_cluster_new(info, &constants, &options, &cluster, &what), STATUS_OK);
	if (host == 0)
		first = cluster;
	return cluster;
}

/* Nothing to do: clusters of one machine are joined when they are made. */
static void join(struct cluster *const *clusters, uint32_t count)
{
	(void)clusters;
	(void)count;
}

/* Keeps the machine of a host until the simulation ends. It must not be freed earlier, because its
 * chips may still have transfers in flight after the host's program has ended. */
static void machine_free(
	struct cluster *cluster, struct mesh_system *system, struct cluster_info *info)
{
	check_less(machine_count, HOSTS_SIM_MAX * 2);
	machines[machine_count++] = (struct machine){cluster, system, info};
}

static struct affinity place(uint32_t host)
{
	return (struct affinity){(uint16_t)host, -1};
}

const struct hosts_ground hosts_sim_ground = {
	.start = start,
	.transport = hostnet_find,
	.address = address,
	.cluster_new = cluster_new,
	.join = join,
	.machine_free = machine_free,
	.place = place,
	.work = sim_world_counts,
};

struct hosts_sim_end hosts_sim_run_on(uint32_t hosts, const struct host_constants *host,
	const struct hostnet_constants *network, const struct recorder *recorder,
	void (*body)(void *argument), void *argument)
{
	static const char *const names[HOSTS_SIM_MAX + 1] = {
		"host-0", "host-1", "host-2", "host-3", "host-4"};
	struct host_description servers[HOSTS_SIM_MAX + 1];
	struct hosts_sim_end end;

	check_at_most(hosts, HOSTS_SIM_MAX);
	for (uint32_t i = 0; i <= hosts; i++)
		servers[i] = (struct host_description){.name = names[i], .constants = host};
	sim_case_open();
	world = &sim_world;
	device_row = &sim_device;
	check_status(sim_world_start(servers, (uint16_t)(hosts + 1), 1, recorder), STATUS_OK);
	hostnet_open(network, (uint16_t)(hosts + 1), false);
	check_equal(sim_world_run(place(hosts), body, argument, (struct engine_limits){0}),
		ENGINE_FINISHED);
	end = (struct hosts_sim_end){.simulated_ps = engine_now(), .events = engine_events()};
	hostnet_close();
	for (uint32_t i = 0; i < machine_count; i++) {
		sim_cluster_free(machines[i].cluster);
		mesh_system_free(machines[i].system);
		test_cluster_info_free(machines[i].info);
	}
	sim_world_stop();
	engine_close();
	return end;
}

struct hosts_sim_end hosts_sim_run(uint32_t hosts, const struct recorder *recorder,
	void (*body)(void *argument), void *argument)
{
	struct host_constants host = sim_host_constants();
	struct hostnet_constants network = sim_network_constants();

	return hosts_sim_run_on(hosts, &host, &network, recorder, body, argument);
}

/* ---- the random program ---- */

struct trial {
	struct hosts_choice choice;
	uint64_t seed;
	struct hosts_outcome outcome;
	struct hosts_sim_end end;
};

static void run(void *argument)
{
	struct trial *trial = argument;

	trial->outcome = hosts_same_many(trial->choice, trial->seed);
}

static void simulate(const void *argument, void *result)
{
	struct trial *trial = result;

	(void)argument;
	trial->end = hosts_sim_run(trial->choice.hosts, NULL, run, trial);
}

struct hosts_sim_end hosts_sim_same(
	struct hosts_choice choice, uint64_t seed, struct hosts_outcome *outcome)
{
	struct trial trial = {.choice = choice, .seed = seed};
	struct sim_case end;

	trial.choice.ground = &hosts_sim_ground;
	end = sim_case_run(simulate, NULL, &trial, sizeof trial);
	check(end.exit_code == 0, "%s %s %s %s %u hosts: exit code %d: %s", choice.transport,
		choice.codec, choice.resolution, choice.pipeline, choice.hosts, end.exit_code,
		end.output);
	*outcome = trial.outcome;
	return trial.end;
}
