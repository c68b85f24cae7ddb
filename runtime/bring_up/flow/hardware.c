/* The chips of a machine as bring-up finds them: the cable at each channel, the tables that were
 * programmed, and packets that follow both. In either world the machine is a description; no
 * program but this file and the planting of faults looks at it as a whole. */
#include <stdlib.h>

#include "flow_private.h"

static int compare_ends(const void *one, const void *other)
{
	const struct hardware_end *a = one, *b = other;

	if (a->chip != b->chip)
		return a->chip < b->chip ? -1 : 1;
	return (a->channel > b->channel) - (a->channel < b->channel);
}

struct numbered {
	uint64_t id;
	uint32_t chip;
};

static int compare_numbered(const void *one, const void *other)
{
	const struct numbered *a = one, *b = other;

	return (a->id > b->id) - (a->id < b->id);
}

static void sort_ids(struct hardware *hardware)
{
	uint32_t count = hardware->machine->chip_count;
	struct numbered *chips = arena_array(&hardware->arena, count + 1u, sizeof(*chips));

	hardware->by_id = arena_array(&hardware->arena, count + 1u, sizeof(*hardware->by_id));
	for (uint32_t i = 0; i < count; i++)
		chips[i] = (struct numbered){hardware->machine->chips[i].id, i};
	qsort(chips, count, sizeof(*chips), compare_numbered);
	for (uint32_t i = 0; i < count; i++)
		hardware->by_id[i] = chips[i].chip;
}

uint32_t hardware_find(const struct hardware *hardware, uint64_t id)
{
	uint32_t low = 0, high = hardware->machine->chip_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint64_t other = hardware->machine->chips[hardware->by_id[middle]].id;

		if (other == id)
			return hardware->by_id[middle];
		if (other < id)
			low = middle + 1;
		else
			high = middle;
	}
	return MACHINE_NONE;
}

void hardware_make(struct hardware *hardware, const struct machine *machine)
{
	uint32_t total = 0, at = 0;

	*hardware = (struct hardware){.machine = machine};
	for (uint32_t i = 0; i < machine->link_count; i++)
		total += 2 * machine->links[i].channels;
	hardware->chips =
		arena_array(&hardware->arena, machine->chip_count + 1u, sizeof(*hardware->chips));
	hardware->first =
		arena_array(&hardware->arena, machine->chip_count + 2u, sizeof(*hardware->first));
	hardware->ends = arena_array(&hardware->arena, total + 1u, sizeof(*hardware->ends));
	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];

		for (uint32_t k = 0; k < link->channels; k++) {
			const struct machine_cable *cable = &machine->cables[link->first_cable + k];

			hardware->ends[at++] = (struct hardware_end){
				link->a, link->b, cable->channel_a, cable->channel_b};
			hardware->ends[at++] = (struct hardware_end){
				link->b, link->a, cable->channel_b, cable->channel_a};
		}
	}
	sort_ids(hardware);
	qsort(hardware->ends, total, sizeof(*hardware->ends), compare_ends);
	for (uint32_t i = 0, chip = 0; chip <= machine->chip_count; chip++) {
		while (i < total && hardware->ends[i].chip < chip)
			i++;
		hardware->first[chip] = i;
	}
}

void hardware_free(struct hardware *hardware)
{
	arena_fini(&hardware->arena);
}

const struct machine_link *hardware_lacks(const struct machine *one, const struct hardware *other)
{
	for (uint32_t i = 0; i < one->link_count; i++) {
		const struct machine_link *link = &one->links[i], *same;
		uint32_t a = hardware_find(other, one->chips[link->a].id);
		uint32_t b = hardware_find(other, one->chips[link->b].id);

		same = a == MACHINE_NONE || b == MACHINE_NONE
			       ? NULL
			       : machine_link_of(other->machine, a, b);
		if (!same || same->channels < link->channels)
			return link;
	}
	return NULL;
}

const struct hardware_end *hardware_end(
	const struct hardware *hardware, uint32_t chip, uint8_t channel)
{
	for (uint32_t i = hardware->first[chip]; i < hardware->first[chip + 1]; i++)
		if (hardware->ends[i].channel == channel)
			return &hardware->ends[i];
	return NULL;
}

/* Returns the hop of a packet that comes in over a channel, on a VC. A router that is not part of
 * the placement takes no packets: its port is HOP_NONE. */
static struct hop hop_in(const struct chip_tables *tables, uint8_t channel, uint8_t vc)
{
	for (uint32_t i = 0; i < tables->router_count; i++)
		if (tables->routers[i].channel == channel && vc < tables->vcs)
			return (struct hop){tables->routers[i].port, vc};
	return (struct hop){HOP_NONE, 0};
}

bool hardware_send(const struct hardware *hardware, uint32_t chip, uint32_t to, uint32_t to_mesh)
{
	struct hop in = {HOP_HERE, 0};
	uint32_t most = 2 * hardware->machine->chip_count + 2;

	for (uint32_t passed = 0; passed < most; passed++) {
		const struct chip_tables *tables = hardware->chips[chip].tables;
		const struct hardware_end *end;
		const struct router_port *port;
		struct hop out;

		if (!tables || !hardware->chips[chip].started || to >= tables->device_count ||
			to_mesh >= tables->mesh_count || in.port == HOP_NONE)
			return false;
		out = tables_next(tables, in, to, to_mesh);
		if (out.port == HOP_HERE)
			return tables->device == to;
		if (out.port >= tables->port_count)
			return false;
		port = &tables->ports[out.port];
		end = hardware_end(hardware, chip, tables->routers[port->first_router].channel);
		if (!end || !hardware->chips[end->far_chip].tables)
			return false;
		chip = end->far_chip;
		in = hop_in(hardware->chips[chip].tables, end->far_channel, out.vc);
	}
	return false;
}
