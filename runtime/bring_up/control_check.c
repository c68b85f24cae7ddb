/* Checks tables by following them: both ends of links agree, every chip reaches every other one,
 * and nothing goes around for ever. The check shares nothing with the code that makes the tables.
 */
#include <stdlib.h>

#include "base/allocate.h"
#include "check_private.h"

/* Returns OK if a port and the one at its other end describe the same link. */
static enum status check_link(const struct check *check, uint32_t device, uint32_t port)
{
	const struct chip_tables *here = check->tables[device], *there;
	const struct router_port *one = &here->ports[port], *two;

	if (one->peer >= check->count || !check->tables[one->peer])
		return refuse(check->why, STATUS_INVALID,
			"mesh %u chip %u port %u leads to no chip", here->mesh, here->chip, port);
	there = check->tables[one->peer];
	two = one->peer_port < there->port_count ? &there->ports[one->peer_port] : NULL;
	if (!two || two->peer != device || two->peer_port != port ||
		one->router_count != two->router_count || one->role != two->role ||
		(one->role == ROUTER_EXIT) != (here->mesh != there->mesh))
		return refuse(check->why, STATUS_INVALID,
			"mesh %u chip %u port %u and mesh %u chip %u do not agree on their link",
			here->mesh, here->chip, port, there->mesh, there->chip);
	for (uint32_t i = 0; i < one->router_count; i++) {
		const struct router *a = &here->routers[one->first_router + i];
		const struct router *b = &there->routers[two->first_router + i];

		if (a->channel != b->peer_channel || a->peer_channel != b->channel ||
			a->peer != there->asic || b->peer != here->asic)
			return refuse(check->why, STATUS_INVALID,
				"mesh %u chip %u channel %u and mesh %u chip %u channel %u do not "
				"agree on their cable",
				here->mesh, here->chip, a->channel, there->mesh, there->chip,
				b->channel);
	}
	return STATUS_OK;
}

/* Returns true if the tables of a device are of the same placement as those of a device before it.
 * Meshes have consecutive devices. */
static bool fits(const struct chip_tables *one, const struct chip_tables *other)
{
	return one->vcs == other->vcs && one->mesh_count == other->mesh_count &&
	       one->device_count == other->device_count && one->mesh >= other->mesh &&
	       (one->mesh != other->mesh || (one->first_device == other->first_device &&
						    one->mesh_chips == other->mesh_chips));
}

static enum status check_all_links(const struct check *check)
{
	const struct chip_tables *before = NULL;
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < check->count && status == STATUS_OK; i++) {
		const struct chip_tables *here = check->tables[i];

		if (!here)
			continue;
		before = before ? before : here;
		if (here->device != i || here->device_count != check->count ||
			here->mesh >= here->mesh_count || here->chip >= here->mesh_chips ||
			here->device != here->first_device + here->chip || !fits(here, before))
			return refuse(check->why, STATUS_INVALID,
				"the tables of mesh %u chip %u are of another placement",
				here->mesh, here->chip);
		before = here;
		for (uint32_t port = 0; port < here->port_count && status == STATUS_OK; port++)
			status = check_link(check, i, port);
	}
	return status;
}

/* ---- routes ---- */

/* The walks to one target. `good` and `seen` are [state]: the number of the target to which a state
 * is known to lead, or of the walk that passed it last. */
struct walks {
	struct check *check;
	uint32_t *group; /* [mesh] a mesh of its group of meshes that exits join */
	uint32_t *good, *seen, *path;
	uint32_t walk;
};

static uint32_t check_group_of(uint32_t *group, uint32_t mesh)
{
	while (group[mesh] != mesh)
		mesh = group[mesh] = group[group[mesh]];
	return mesh;
}

static void join_groups(const struct check *check, uint32_t *group)
{
	for (uint32_t i = 0; i < check->count; i++)
		for (uint32_t k = 0; check->tables[i] && k < check->tables[i]->port_count; k++) {
			uint32_t peer = check->tables[i]->ports[k].peer;

			group[check_group_of(group, check->tables[i]->mesh)] =
				check_group_of(group, check->tables[peer]->mesh);
		}
}

static enum status say_no_way(
	const struct check *check, uint32_t from, uint32_t to, uint32_t at, const char *reason)
{
	const struct chip_tables *a = check->tables[from], *b = check->tables[to];
	const struct chip_tables *c = check->tables[at];

	return refuse(check->why, STATUS_INVALID,
		"packets from mesh %u chip %u to mesh %u chip %u %s at mesh %u chip %u", a->mesh,
		a->chip, b->mesh, b->chip, reason, c->mesh, c->chip);
}

/* Follows the tables from one device to another, until a state is known to lead there. */
static enum status check_walk(struct walks *walks, uint32_t from, uint32_t to)
{
	struct check *check = walks->check;
	struct hop in = {HOP_HERE, 0};
	uint32_t at = from, depth = 0, mesh = check->tables[to]->mesh;

	walks->walk++;
	for (;;) {
		struct hop out = tables_next(check->tables[at], in, to, mesh);
		uint32_t state;

		if (out.port == HOP_HERE && at == to)
			break;
		if (!check_exists(check->tables[at], out))
			return say_no_way(check, from, to, at, "end");
		if (depth > 0)
			check_waits_add(check, walks->path[depth - 1], out);
		state = check_state(check, at, out);
		if (walks->good[state] == to + 1)
			break;
		if (walks->seen[state] == walks->walk)
			return say_no_way(check, from, to, at, "go around for ever");
		walks->seen[state] = walks->walk;
		walks->path[depth++] = state;
		in = check_arrives(check->tables[at], out);
		at = check->tables[at]->ports[out.port].peer;
	}
	while (depth > 0)
		walks->good[walks->path[--depth]] = to + 1;
	return STATUS_OK;
}

static enum status check_pairs(struct check *check, uint32_t mesh_count)
{
	size_t states = (size_t)check->first[check->count] + 1;
	struct walks walks = {.check = check,
		.group = allocate((size_t)mesh_count + 1, sizeof(uint32_t)),
		.good = allocate(states, sizeof(uint32_t)),
		.seen = allocate(states, sizeof(uint32_t)),
		.path = allocate(states, sizeof(uint32_t))};
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < mesh_count; i++)
		walks.group[i] = i;
	join_groups(check, walks.group);
	for (uint32_t to = 0; to < check->count; to++) {
		walks.walk = 0;
		for (size_t i = 0; i < states; i++)
			walks.seen[i] = 0;
		for (uint32_t from = 0; from < check->count && status == STATUS_OK; from++)
			if (check->tables[to] && check->tables[from] &&
				check_group_of(walks.group, check->tables[from]->mesh) ==
					check_group_of(walks.group, check->tables[to]->mesh))
				status = check_walk(&walks, from, to);
	}
	free(walks.group);
	free(walks.good);
	free(walks.seen);
	free(walks.path);
	return status;
}

enum status control_plane_check(
	const struct chip_tables *const *tables, uint32_t count, struct text *why)
{
	struct check check = {.tables = tables, .count = count, .why = why};
	enum status status = check_all_links(&check);
	uint32_t meshes = 0;

	for (uint32_t i = 0; i < count; i++)
		meshes = tables[i] ? tables[i]->mesh_count : meshes;
	if (status != STATUS_OK)
		return status;
	status = check_waits_begin(&check);
	if (status == STATUS_OK)
		status = check_pairs(&check, meshes);
	if (status == STATUS_OK)
		status = check_trees(&check);
	if (status == STATUS_OK)
		status = check_waits_circles(&check);
	check_waits_end(&check);
	return status;
}
