/* Fills what each ethernet channel of a chip is: the routers of its ports, plane by plane, and the
 * channels that have a cable and stay idle. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "plane_private.h"

const char *router_role_name(enum router_role role)
{
	static const char *const names[] = {"idle", "mesh", "exit"};

	return names[role];
}

const char *router_direction_name(enum router_direction direction)
{
	static const char *const names[] = {
		"north", "east", "south", "west", "express", "z", "nowhere"};

	return names[direction];
}

/* The machine's links of each chip: links[first[chip]] to links[first[chip + 1] - 1]. */
struct links_of {
	uint32_t *first, *links;
};

static struct links_of links_by_chip(const struct machine *machine)
{
	struct links_of of = {allocate((size_t)machine->chip_count + 2, sizeof(uint32_t)),
		allocate(2 * (size_t)machine->link_count + 1, sizeof(uint32_t))};

	for (uint32_t i = 0; i < machine->link_count; i++) {
		of.first[machine->links[i].a + 2]++;
		of.first[machine->links[i].b + 2]++;
	}
	for (uint32_t i = 2; i < machine->chip_count + 2; i++)
		of.first[i] += of.first[i - 1];
	for (uint32_t i = 0; i < machine->link_count; i++) {
		of.links[of.first[machine->links[i].a + 1]++] = i;
		of.links[of.first[machine->links[i].b + 1]++] = i;
	}
	return of;
}

/* What the routers of a chip are made from. */
struct roles {
	const struct control_plane *plane;
	const struct machine *machine;
	const struct control_options *options;
	struct router *routers;
	uint32_t count;
};

/* Adds the channels of a link as `chip` sees them: those that may be used, or those that may not.
 */
static uint32_t add_channels(struct roles *roles, uint32_t chip, const struct machine_link *link,
	bool lost, struct router router)
{
	const struct machine *machine = roles->machine;
	uint32_t peer = link->a == chip ? link->b : link->a, count = 0;

	router.other_host = machine->chips[chip].host != machine->chips[peer].host;
	router.peer = machine->chips[peer].id;
	for (uint32_t i = 0; i < link->channels; i++) {
		const struct machine_cable *cable = &machine->cables[link->first_cable + i];

		if ((plane_is_lost(roles->options, link->a, cable->channel_a) ||
			    plane_is_lost(roles->options, link->b, cable->channel_b)) != lost)
			continue;
		router.channel = link->a == chip ? cable->channel_a : cable->channel_b;
		router.peer_channel = link->a == chip ? cable->channel_b : cable->channel_a;
		router.plane = (uint8_t)count++;
		roles->routers[roles->count++] = router;
	}
	return count;
}

static void add_ports(struct roles *roles, uint32_t device, struct router_port *ports, bool *used)
{
	const struct control_plane *plane = roles->plane;
	uint32_t first = plane->first[device];

	for (uint32_t i = first; i < plane->first[device + 1]; i++) {
		const struct plane_arc *arc = &plane->arcs[i];
		uint8_t role = arc->exit ? ROUTER_EXIT : ROUTER_MESH;
		uint32_t before = roles->count;
		uint32_t count = add_channels(roles, plane->chip_of[device],
			&roles->machine->links[arc->link], false,
			(struct router){.role = role,
				.direction = arc->direction,
				.port = (uint8_t)(i - first)});

		used[arc->link] = true;
		ports[i - first] = (struct router_port){.peer = arc->to,
			.peer_port = (uint8_t)(arc->reverse - plane->first[arc->to]),
			.role = role,
			.direction = arc->direction,
			.router_count = (uint8_t)count,
			.first_router = (uint16_t)before};
	}
}

static void roles_of(struct roles *roles, const struct links_of *of, uint32_t device, bool *used)
{
	struct control_plane *plane = (struct control_plane *)(uintptr_t)roles->plane;
	struct chip_tables *tables = &plane->storage[device];
	uint32_t chip = plane->chip_of[device], channels = 0;
	struct router_port *ports = arena_array(&plane->arena, tables->port_count, sizeof(*ports));
	struct router idle = {.role = ROUTER_IDLE, .direction = ROUTER_NOWHERE, .port = HOP_NONE};

	for (uint32_t i = of->first[chip]; i < of->first[chip + 1]; i++) {
		channels += roles->machine->links[of->links[i]].channels;
		used[of->links[i]] = false;
	}
	roles->routers = arena_array(&plane->arena, channels, sizeof(*roles->routers));
	roles->count = 0;
	add_ports(roles, device, ports, used);
	for (uint32_t i = of->first[chip]; i < of->first[chip + 1]; i++) {
		const struct machine_link *link = &roles->machine->links[of->links[i]];

		add_channels(roles, chip, link, true, idle);
		if (!used[of->links[i]])
			add_channels(roles, chip, link, false, idle);
	}
	for (uint32_t i = 0; i < roles->count; i++)
		if (roles->routers[i].role == ROUTER_IDLE)
			roles->routers[i].plane = 0;
	tables->ports = ports;
	tables->routers = roles->routers;
	tables->router_count = roles->count;
}

void plane_roles_make(struct control_plane *plane, const struct machine *machine,
	const struct control_options *options)
{
	struct links_of of = links_by_chip(machine);
	bool *used = allocate((size_t)machine->link_count + 1, sizeof(*used));
	struct roles roles = {.plane = plane, .machine = machine, .options = options};

	for (uint32_t device = 0; device < plane->device_count; device++)
		if (plane->tables[device])
			roles_of(&roles, &of, device, used);
	free(used);
	free(of.first);
	free(of.links);
}
