/* A run in the native world: threads of this machine and the emulator of chips in memory.
 * Functional: its times are this machine's, not the modelled one's. Cannot see a stall:
 * limits.wall_s does. */
#include "run_world.h"
#include "world/native/native.h"

static enum status run(const struct run_plan *plan, const struct machine_constants *constants,
	struct client *client, enum run_end *end, struct text *why)
{
	struct recorder recorder = op_recorder_sink(client->recorder);

	(void)constants;
	native_world_start(&recorder);
	world = &native_world;
	device_row = &native_device;
	client->cluster = native_cluster_new(platform_cluster(plan->platform));
	if (!client->cluster) {
		text_append(why, "no memory for the emulated chips");
		return STATUS_NO_MEMORY;
	}
	client->system = mesh_system_new(client->cluster);
	client_main(client);
	*end = RUN_FINISHED;
	return STATUS_OK;
}

static void collect(const struct client *client, struct run_record *record, struct arena *arena)
{
	(void)client;
	(void)arena;
	record->totals.simulated_ps = (uint64_t)world->now_ns() * 1000;
}

const struct run_world run_native = {
	.name = "native",
	.run = run,
	.collect = collect,
	.counts = native_world_counts,
};
