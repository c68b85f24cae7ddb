/* The simulated world for tests (row.h). The constants of its machine are round numbers that differ
 * from each other, and have the magnitude of a real machine's constants. */
#include "row.h"

#include <string.h>

#include "check.h"
#include "chip/sim_device.h"
#include "host/sim_world.h"
#include "sim_case.h"
#include "sim_chip.h"
#include "simgrid/library.h"

enum { CORES = 8 };

struct main_call {
	void (*body)(struct cluster *cluster);
	struct cluster *cluster;
};

static void toy_host(struct host_constants *host)
{
	memset(host, 0, sizeof(*host));
	host->sockets = 1;
	host->cores_per_socket = CORES;
	host->memory_bandwidth_bytes_per_s = UINT64_C(40000000000);
	host->quantum_ps = 4 * (int64_t)MS;
	host->switch_ps = 1500 * NS;
	host->spin_see_ps = 100 * NS;
	host->wake_hot_ps = 2400 * NS;
	host->wake_idle_ps = 40 * US;
	host->idle_after_ps = 200 * US;
	host->spin_ps = 20 * US;
	host->wake_call_ps = 1200 * NS;
	host->spawn_ps = 10 * US;
	host->write_combining_drain_ps = 300 * NS;
	for (int i = 0; i < WORK_KIND_COUNT; i++)
		host->work[i].cost_ps = (10 + i) * NS;
	for (uint32_t from = 0; from < MEMORY_KIND_COUNT; from++) {
		for (uint32_t to = 0; to < MEMORY_KIND_COUNT; to++)
			host->copy[from][to] = (struct host_copy_cost){
				.bandwidth_bytes_per_s = UINT64_C(8000000000) - 100 * from - to,
				.traffic_percent = 200,
			};
	}
}

static void main_thread(void *argument)
{
	struct main_call *call = argument;

	call->body(call->cluster);
}

static void sim_run(const struct cluster_info *info, void (*body)(struct cluster *cluster))
{
	static struct host_constants host;
	struct host_description server = {.name = "host-0", .constants = &host};
	struct affinity anywhere = {.host = 0, .core = -1};
	struct main_call call = {.body = body};
	struct chip_constants chip = sim_chip_constants();
	struct sim_options options = {.topology = SIM_TOPOLOGY_MESH};
	enum engine_end end;
	const char *what;

	toy_host(&host);
	sim_case_open();
	world = &sim_world;
	check_status(sim_world_start(&server, 1, 1, &row_recorder), STATUS_OK);
	device_row = &sim_device;
	if (info != NULL)
		check_status(
			sim_cluster_new(info, &chip, &options, &call.cluster, &what), STATUS_OK);
	end = sim_world_run(anywhere, main_thread, &call, (struct engine_limits){0});
	check_equal(end, ENGINE_FINISHED);
	sim_cluster_free(call.cluster);
	sim_world_stop();
}

const struct row row_sim = {
	.name = "sim",
	.timed = true,
	.load = simgrid_library_load,
	.run = sim_run,
	.counts = sim_world_counts,
};
