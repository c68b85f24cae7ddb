/* What the lock-step allocators of a run's meshes have given out, as rows of results. Refuses to
 * compute anything but ratios. */
#include <stdio.h>

#include "client_private.h"

/* Adds a row, if there is such memory. */
static void add_memory(const struct client *client, const char *kind, struct allocator_usage usage,
	struct memory_row *rows, uint32_t *count)
{
	const char *mesh = scenario_mesh(client->plan->scenario, client->number)->name;
	struct memory_row *row = &rows[*count];

	if (usage.total_bytes == 0)
		return;
	(*count)++;
	snprintf(row->name, sizeof row->name, "%s%s%s", kind, mesh ? " of " : "", mesh ? mesh : "");
	row->total = usage.total_bytes;
	row->taken = usage.total_bytes - usage.free_bytes;
	row->free = usage.free_bytes;
	row->largest_free = usage.largest_free_bytes;
	row->peak = usage.peak_used_bytes;
	row->lowest = usage.lowest;
	row->allocations = usage.allocations;
	row->free_blocks = usage.free_blocks;
	if (usage.free_bytes > 0)
		row->fragmentation =
			1 - (double)usage.largest_free_bytes / (double)usage.free_bytes;
}

static void add_sub_devices(const struct client *client, struct memory_row *rows, uint32_t *count)
{
	const struct runtime_keys *keys = &client->plan->scenario->runtime;
	char kind[MESH_NAME_BYTES + 24];

	for (uint32_t i = 0; i < keys->sub_device_count; i++) {
		snprintf(kind, sizeof kind, "L1 of %s", keys->sub_devices[i].name);
		add_memory(client, kind, client->device->ops->sub_device_usage(client->device, i),
			rows, count);
	}
}

uint32_t client_memory(struct client *first, struct memory_row *rows)
{
	static const char *const names[BUFFER_TYPE_COUNT] = {"DRAM bank", "worker L1",
		"small L1 region", "trace region of a DRAM bank", "system memory of the host"};
	uint32_t count = 0;

	for (uint32_t i = 0; first->first && i < client_count(first); i++) {
		struct client *client = client_of_mesh(first, i);
		const struct handle_ops *ops;

		if (!client->device)
			continue;
		ops = client->device->ops;
		for (int type = 0; type < BUFFER_TYPE_COUNT; type++)
			add_memory(client, names[type],
				ops->memory_usage(client->device, (enum buffer_type)type), rows,
				&count);
		add_sub_devices(client, rows, &count);
	}
	return count;
}
