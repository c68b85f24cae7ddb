/* Totals of a run, from the counters of its meshes (run_world.h). */
#include "run_world.h"

#include "mesh/handle.h"

static void keep_most(uint64_t *total, uint64_t value)
{
	*total = value > *total ? value : *total;
}

/* Adds the counters of a mesh's command path. */
static void count_commands(const struct mesh_counters *counters, struct run_totals *totals)
{
	const struct issued *unicasts = &counters->unicasts, *broadcasts = &counters->broadcasts;

	totals->issued_bytes += counters->bytes_issued;
	totals->header_bytes += unicasts->header_bytes + broadcasts->header_bytes;
	totals->order_bytes += unicasts->order_bytes + broadcasts->order_bytes;
	totals->commands += unicasts->commands + broadcasts->commands;
	totals->order_commands += unicasts->order_commands + broadcasts->order_commands;
	totals->unicasts += unicasts->transactions;
	totals->broadcasts += broadcasts->transactions;
	totals->order_unicasts += unicasts->order_transactions;
	totals->order_broadcasts += broadcasts->order_transactions;
	totals->turns += counters->turns;
	totals->doorbells += counters->doorbells;
	totals->issue_waits += counters->issue_waits;
	totals->ring_waits += counters->ring_waits;
	totals->streams_built += counters->streams_built;
	totals->streams_reused += counters->streams_reused;
	totals->broadcast_packets += counters->packets;
	totals->broadcast_bytes += counters->packet_bytes;
	totals->credit_returns += counters->credit_returns;
	totals->spilled_bytes += counters->spilled_bytes;
	keep_most(&totals->spill_peak_bytes, counters->spill_peak_bytes);
}

void totals_add_commands(const struct client *client, bool asks, struct run_totals *totals)
{
	struct mesh_counters counters;

	for (const struct client_past *past = client->past; past; past = past->next)
		count_commands(&past->counters, totals);
	if (client->device == NULL || !asks)
		return;
	client->device->ops->counters(client->device, &counters);
	count_commands(&counters, totals);
}

/* Raises the totals to the largest numbers of processors, tiles and L1 bytes that firmware uses on
 * one chip of any mesh. Lowers `workers` to the smallest number of workers. */
static void count_resources(const struct mesh_resources *resources, struct run_totals *totals)
{
	if (totals->workers == 0 || resources->workers < totals->workers)
		totals->workers = resources->workers;
	keep_most(&totals->dispatch_processors, resources->mesh_processors);
	keep_most(&totals->dispatch_tiles, resources->mesh_tiles);
	keep_most(&totals->dispatch_l1_bytes, resources->mesh_l1_bytes);
	keep_most(&totals->gateway_processors, resources->gateway_processors);
	keep_most(&totals->gateway_tiles, resources->gateway_tiles);
	keep_most(&totals->gateway_l1_bytes, resources->gateway_l1_bytes);
}

void totals_add_meshes(struct client *first, struct run_totals *totals)
{
	for (uint32_t i = 0; i < client_count(first); i++) {
		struct client *client = client_of_mesh(first, i);

		totals->verified += client->verified;
		count_resources(&client->resources, totals);
	}
}
