/* Makes result rows about the memory of a run's meshes: the bytes that each allocator has given
 * out, and the objects that were not released before their mesh was closed. */
#include <stdio.h>

#include "base/allocate.h"
#include "client_private.h"

/* Adds a row, unless the machine has no such memory. */
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
	const struct division_keys keys = client_loaded(client);
	char kind[MESH_NAME_BYTES + 24];

	for (uint32_t i = 0; i < keys.sub_device_count; i++) {
		snprintf(kind, sizeof kind, "L1 of %s", keys.sub_devices[i].name);
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

/* ---- what is left when a mesh is closed ---- */

struct client_left {
	struct client_left *next;
	const char *kind, *name;
	struct location where;
	uint64_t bytes;
};

static uint64_t used(struct allocator_usage usage)
{
	return usage.total_bytes - usage.free_bytes;
}

uint64_t client_taken(const struct client *client)
{
	const struct handle_ops *ops = client->device->ops;
	uint64_t taken = 0;

	for (int type = 0; type < BUFFER_TYPE_COUNT; type++)
		taken += used(ops->memory_usage(client->device, (enum buffer_type)type));
	for (uint32_t i = 0; i < client_loaded(client).sub_device_count; i++)
		taken += used(ops->sub_device_usage(client->device, i));
	return taken;
}

void client_note_left(struct client *client, const char *kind, const char *name,
	struct location where, uint64_t taken)
{
	struct client_left *left = allocate(1, sizeof *left);
	uint64_t now = client_taken(client);

	*left = (struct client_left){
		client->left, kind, name ? name : "", where, taken > now ? taken - now : 0};
	client->left = left;
}

struct left_row *client_left(struct client *first, struct arena *arena, uint32_t *count)
{
	struct left_row *rows;
	uint32_t end = 0;

	*count = 0;
	for (uint32_t i = 0; first->first && i < client_count(first); i++)
		for (struct client_left *at = client_of_mesh(first, i)->left; at; at = at->next)
			(*count)++;
	rows = arena_array(arena, *count, sizeof *rows);
	for (uint32_t i = 0; first->first && i < client_count(first); i++) {
		const struct client *client = client_of_mesh(first, i);
		const char *mesh = scenario_mesh(client->plan->scenario, i)->name;
		uint32_t own = 0, row;

		for (const struct client_left *at = client->left; at; at = at->next)
			own++;
		row = end += own;
		for (const struct client_left *at = client->left; at; at = at->next) {
			struct left_row *left = &rows[--row];

			snprintf(left->kind, sizeof left->kind, "%s", at->kind);
			snprintf(left->name, sizeof left->name, "%s", at->name);
			snprintf(left->mesh, sizeof left->mesh, "%s", mesh ? mesh : "");
			(void)location_cite(at->where, left->place, sizeof left->place);
			left->bytes = at->bytes;
		}
	}
	return rows;
}
