/* Follows routing tables from one device to another. */
#include "base/refuse.h"
#include "bring_up/control_plane.h"

struct hop tables_next(
	const struct chip_tables *tables, struct hop in, uint32_t target, uint32_t target_mesh)
{
	uint32_t chip = target - tables->first_device;
	size_t row = tables_row(tables, in);

	if (row >= tables_rows(tables) || target_mesh >= tables->mesh_count ||
		(target_mesh == tables->mesh && chip >= tables->mesh_chips))
		return (struct hop){HOP_NONE, 0};
	if (target_mesh != tables->mesh)
		return tables->between[row * tables->mesh_count + target_mesh];
	return tables->within[row * tables->mesh_chips + chip];
}

/* Returns OK if a hop leads on from a chip: the port exists, and there is a chip at its other end.
 */
static enum status hop_check(const struct chip_tables *const *tables, uint32_t count, uint32_t at,
	struct hop hop, struct text *why)
{
	const struct chip_tables *here = tables[at];

	if (hop.port == HOP_NONE)
		return refuse(why, STATUS_INVALID, "mesh %u chip %u has no way on", here->mesh,
			here->chip);
	if (hop.port >= here->port_count || hop.vc >= here->vcs)
		return refuse(why, STATUS_INVALID, "mesh %u chip %u has no port %u with VC %u",
			here->mesh, here->chip, hop.port, hop.vc);
	if (here->ports[hop.port].peer >= count || !tables[here->ports[hop.port].peer])
		return refuse(why, STATUS_INVALID, "port %u of mesh %u chip %u leads nowhere",
			hop.port, here->mesh, here->chip);
	return STATUS_OK;
}

uint32_t control_follow(const struct chip_tables *const *tables, uint32_t count, uint32_t from,
	uint32_t to, uint32_t *devices, uint32_t most, struct text *why)
{
	struct hop in = {HOP_HERE, 0};
	uint32_t at = from, used = 0;

	if (from >= count || to >= count || !tables[from] || !tables[to])
		return refuse(why, 0u, "one of the two chips is missing");
	while (used < most) {
		struct hop out;

		devices[used++] = at;
		if (at == to)
			return used;
		out = tables_next(tables[at], in, to, tables[to]->mesh);
		if (hop_check(tables, count, at, out, why) != STATUS_OK)
			return 0;
		in = (struct hop){tables[at]->ports[out.port].peer_port, out.vc};
		at = tables[at]->ports[out.port].peer;
	}
	return refuse(why, 0u, "no end after %u chips", most);
}
