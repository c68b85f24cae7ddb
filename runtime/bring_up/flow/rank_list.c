/* The ranks of a job: as messages, from files, and from a placement. */
#include <string.h>

#include "base/hash.h"
#include "flow_private.h"

void put_rank(const struct flow_rank *rank, struct text *out)
{
	put_number(out, rank->rank, 4);
	put_number(out, rank->host, 4);
	put_number(out, rank->mesh, 4);
	put_number(out, rank->part, 4);
	put_number(out, rank->device_count, 4);
	for (uint32_t i = 0; i < rank->device_count; i++)
		put_number(out, rank->devices[i], 4);
}

bool take_rank(struct bytes_in *in, struct flow_rank *rank, struct arena *arena)
{
	uint32_t *devices;

	rank->rank = (uint32_t)take_number(in, 4);
	rank->host = (uint32_t)take_number(in, 4);
	rank->mesh = (uint32_t)take_number(in, 4);
	rank->part = (uint32_t)take_number(in, 4);
	rank->device_count = (uint32_t)take_number(in, 4);
	if (in->bad || rank->device_count > FLOW_DEVICES_MAX)
		return false;
	devices = arena_array(arena, rank->device_count + 1u, sizeof(*devices));
	for (uint32_t i = 0; i < rank->device_count; i++)
		devices[i] = (uint32_t)take_number(in, 4);
	rank->devices = devices;
	return !in->bad;
}

void put_ranks(const struct flow_rank *ranks, uint32_t count, struct text *out)
{
	put_number(out, count, 4);
	for (uint32_t i = 0; i < count; i++)
		put_rank(&ranks[i], out);
}

struct flow_rank *take_ranks(struct bytes_in *in, uint32_t *count, struct arena *arena)
{
	struct flow_rank *ranks;

	*count = (uint32_t)take_number(in, 4);
	if (in->bad || *count > CHANNEL_MEMBERS_MAX)
		return NULL;
	ranks = arena_array(arena, *count + 1u, sizeof(*ranks));
	for (uint32_t i = 0; i < *count; i++)
		if (!take_rank(in, &ranks[i], arena))
			return NULL;
	return ranks;
}

static uint32_t host_named(const struct machine *machine, const char *name)
{
	for (uint32_t i = 0; i < machine->host_count; i++)
		if (strcmp(machine->hosts[i].name, name) == 0)
			return i;
	return MACHINE_NONE;
}

static const char *host_of_line(const struct rankfile *rankfile, uint32_t rank)
{
	for (uint32_t i = 0; i < rankfile->count; i++)
		if (rankfile->lines[i].rank == rank)
			return rankfile->lines[i].host;
	return "";
}

struct flow_rank *ranks_of_files(const struct bindings *bindings, const struct rankfile *rankfile,
	const struct machine *machine, uint32_t *count, struct arena *arena)
{
	struct flow_rank *ranks = arena_array(arena, bindings->count + 1u, sizeof(*ranks));

	*count = bindings->count;
	if (bindings->count > CHANNEL_MEMBERS_MAX)
		return NULL;
	for (uint32_t i = 0; i < bindings->count; i++) {
		const struct binding *binding = &bindings->bindings[i];

		if (binding->rank >= bindings->count || binding->device_count > FLOW_DEVICES_MAX)
			return NULL;
		ranks[binding->rank] = (struct flow_rank){.rank = binding->rank,
			.host = host_named(machine, host_of_line(rankfile, binding->rank)),
			.mesh = binding->mesh,
			.part = binding->mesh_host_rank < 0 ? 0 : (uint32_t)binding->mesh_host_rank,
			.device_count = binding->device_count,
			.devices = binding->devices};
		if (ranks[binding->rank].host == MACHINE_NONE)
			return NULL;
	}
	return ranks;
}

struct flow_rank *ranks_of_image(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, struct arena *arena)
{
	struct flow_rank *ranks = arena_array(arena, logical->rank_count + 1u, sizeof(*ranks));
	uint32_t *room = arena_array(arena, machine->chip_count + 1u, sizeof(*room));

	for (uint32_t rank = 0; rank < logical->rank_count; rank++) {
		const struct logical_mesh *mesh =
			&logical->meshes[logical_mesh_of_rank(logical, rank)];
		uint32_t count = rank_devices(logical, machine, image, rank, room);
		uint32_t *devices = arena_array(arena, count + 1u, sizeof(*devices));

		memcpy(devices, room, count * sizeof(*devices));
		ranks[rank] = (struct flow_rank){.rank = rank,
			.host = machine->chips[rank_chip(logical, image, rank)].host,
			.mesh = mesh->id,
			.part = rank - mesh->first_rank,
			.device_count = count,
			.devices = devices};
	}
	return ranks;
}

uint32_t logical_rank(const struct logical *logical, const struct flow_rank *rank)
{
	const struct logical_mesh *mesh = logical_find(logical, rank->mesh);

	if (!mesh || rank->part >= mesh->host_rows * mesh->host_columns)
		return LOGICAL_NONE;
	return mesh->first_rank + rank->part;
}

uint32_t rank_size(const struct logical *logical, uint32_t rank)
{
	const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of_rank(logical, rank)];

	return mesh->count / (mesh->host_rows * mesh->host_columns);
}

uint64_t ranks_hash(const struct flow_rank *ranks, uint32_t count)
{
	struct text bytes = {0};
	uint64_t hash;

	put_ranks(ranks, count, &bytes);
	hash = hash_bytes(bytes.bytes, bytes.length);
	text_fini(&bytes);
	return hash;
}
