/* A run in the native world: threads of this machine and the emulator of chips in memory.
 * Functional: its times are this machine's, not the modelled one's. Cannot see a stall: who
 * takes longer than limits.wall_s is asked what it is at, and given up. */
#include <pthread.h>
#include <unistd.h>

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

static int64_t now_ps(void)
{
	return world->now_ns() * 1000;
}

static void stages(const struct client *client,
	void (*see)(void *context, uint32_t chip, const struct stage *stage, bool blocked),
	void *context)
{
	if (client->cluster)
		native_cluster_stages(client->cluster, see, context);
}

/* ---- when it takes too long ---- */

struct alarm {
	uint32_t wall_s;
	void (*late)(void *context);
	void *context;
};

static void *wait_for_it(void *argument)
{
	const struct alarm *alarm = argument;

	for (unsigned left = alarm->wall_s; left > 0;)
		left = sleep(left);
	alarm->late(alarm->context);
	return NULL;
}

static void limit(uint32_t wall_s, void (*late)(void *context), void *context)
{
	static struct alarm alarm; /* lives as long as the process */
	pthread_t thread;

	alarm = (struct alarm){wall_s, late, context};
	if (pthread_create(&thread, NULL, wait_for_it, &alarm) == 0)
		pthread_detach(thread);
}

const struct run_world run_native = {
	.name = "native",
	.run = run,
	.collect = collect,
	.now_ps = now_ps,
	.stages = stages,
	.limit = limit,
	.counts = native_world_counts,
};
