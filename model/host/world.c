/* The `sim` implementation of world.h. This file creates the hosts and runs the main thread. It
 * also has the table of functions for threads, monitors and accounts. */
#include "host/sim_world.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "host_private.h"

static bool noise_valid(const struct host_noise *noise)
{
	return noise->variation >= 0 && noise->variation <= 1 && noise->tail_probability >= 0 &&
	       noise->tail_probability <= 1 && noise->tail_ps >= 0;
}

static bool constants_valid(const struct host_constants *constants)
{
	bool valid = constants->sockets > 0 && constants->cores_per_socket > 0 &&
		     constants->sockets * constants->cores_per_socket <= INT16_MAX &&
		     constants->memory_bandwidth_bytes_per_s > 0;
#define X(field, least, what) valid = valid && constants->field >= least;
#include "host/constants.def"
#undef X
	for (int k = 0; k < WORK_KIND_COUNT; k++)
		valid = valid && constants->work[k].cost_ps >= 0 &&
			noise_valid(&constants->work[k].noise);
	for (int f = 0; f < MEMORY_KIND_COUNT; f++)
		for (int t = 0; t < MEMORY_KIND_COUNT; t++)
			valid = valid && constants->copy[f][t].bandwidth_bytes_per_s > 0;
	valid = valid && scheduler_row(constants->scheduler);
	return valid && noise_valid(&constants->copy_noise) && noise_valid(&constants->wake_noise);
}

static void host_init(struct host *host, uint16_t index, const struct host_description *from)
{
	const struct host_constants *constants = from->constants;
	host->name = from->name;
	host->constants = constants;
	host->scheduler = scheduler_row(constants->scheduler);
	host->index = index;
	host->core_count = constants->sockets * constants->cores_per_socket;
	host->free_count = host->core_count;
	host->cores = allocate(host->core_count, sizeof(*host->cores));
	host->sockets = allocate(constants->sockets, sizeof(*host->sockets));
	for (uint16_t s = 0; s < constants->sockets; s++)
		host->sockets[s].bandwidth_bytes_per_s = constants->memory_bandwidth_bytes_per_s;
	for (uint16_t c = 0; c < host->core_count; c++) {
		struct core *core = &host->cores[c];
		core->host = host;
		core->index = c;
		core->socket = c / constants->cores_per_socket;
		core->free_since_ps = INT64_MIN / 2; /* the core has been idle for a long time */
	}
}

static void world_take_in(const struct host_description *from, uint16_t index)
{
	struct host *host = &sim_hosts.hosts[index];
	const struct host_constants *constants = from->constants;
	uint32_t cores = (uint32_t)constants->sockets * constants->cores_per_socket;

	sim_hosts.bound[index] = -1;
	if (from->bound)
		sim_hosts.bound[index] = (int16_t)(from->core % cores);
	ensure(!from->shares || index > 0, "no host is before the first one");
	if (!from->shares) {
		host_init(host, index, from);
		sim_hosts.machines[index] = host;
		return;
	}
	ensure(from->constants == sim_hosts.machines[index - 1]->constants,
		"two hosts of one machine differ");
	host->name = from->name;
	sim_hosts.machines[index] = sim_hosts.machines[index - 1];
}

enum status sim_world_start(const struct host_description *hosts, uint16_t count, uint64_t seed,
	const struct recorder *recorder)
{
	ensure(!sim_hosts.hosts, "the simulated world is started twice");
	for (uint16_t h = 0; h < count; h++)
		if (!constants_valid(hosts[h].constants))
			return STATUS_INVALID;
	sim_hosts.hosts = allocate(count, sizeof(*sim_hosts.hosts));
	sim_hosts.machines = allocate(count, sizeof(*sim_hosts.machines));
	sim_hosts.bound = allocate(count, sizeof(*sim_hosts.bound));
	for (uint16_t h = 0; h < count; h++)
		world_take_in(&hosts[h], h);
	sim_hosts.count = count;
	sim_hosts.seed = seed;
	sim_hosts.recorder = recorder;
	return STATUS_OK;
}

void sim_world_set_codings(const struct host_coding_cost costs[WORK_CODECS][2])
{
	memcpy(sim_hosts.codings, costs, sizeof sim_hosts.codings);
	sim_hosts.has_codings = true;
}

enum engine_end sim_world_run(struct affinity affinity, void (*main_fn)(void *argument),
	void *argument, struct engine_limits limits)
{
	ensure(sim_hosts.hosts && sim_hosts.thread_count == 0, "sim_world_run() runs once");
	struct thread *thread = thread_new("main", affinity, main_fn, argument);
	return engine_run_main(thread->host->name, thread_main_of_all, thread, limits);
}

void sim_world_counts(struct work_counts *counts)
{
	*counts = (struct work_counts){0};
	for (uint32_t i = 0; i < sim_hosts.thread_count; i++)
		work_counts_add(counts, &sim_hosts.threads[i]->counted.work);
}

void sim_world_stop(void)
{
	for (uint32_t i = 0; i < sim_hosts.thread_count; i++)
		free(sim_hosts.threads[i]);
	free(sim_hosts.threads);
	for (uint16_t h = 0; h < sim_hosts.count; h++) {
		free(sim_hosts.hosts[h].cores);
		free(sim_hosts.hosts[h].sockets);
	}
	free(sim_hosts.machines);
	free(sim_hosts.bound);
	free(sim_hosts.hosts);
	sim_hosts = (struct sim_hosts){0};
}

const struct world_ops sim_world = {
	.name = "sim",
	.now_ns = sim_now_ns,
	.spawn = sim_spawn,
	.core_count = sim_core_count,
	.core_socket = sim_core_socket,
	.bind = sim_bind,
	.join = sim_join,
	.sleep_until = sim_sleep_until,
	.monitor_new = sim_monitor_new,
	.monitor_free = sim_monitor_free,
	.monitor_enter = sim_monitor_enter,
	.monitor_exit = sim_monitor_exit,
	.monitor_wait_until = sim_monitor_wait_until,
	.monitor_notify_one = sim_monitor_notify_one,
	.monitor_notify_all = sim_monitor_notify_all,
	.work = sim_work,
	.work_copy = sim_work_copy,
	.work_code = sim_work_code,
	.settle = host_thread_settle,
	.mark = sim_mark,
	.log = sim_log,
};
