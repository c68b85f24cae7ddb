/* Connections of chips: neighbours of the mesh and gateways, except missing ones. */
#include "private.h"

uint32_t wiring_pairs(const struct topology_shape *topology, struct place_pair *pairs)
{
	uint16_t rows = topology->mesh[0], columns = topology->mesh[1];
	uint32_t count = 0;

	for (uint16_t row = 0; row < rows; row++)
		for (uint16_t column = 0; column < columns; column++) {
			struct place here = {{row, column}};
			uint16_t right = (uint16_t)((column + 1) % columns);
			uint16_t below = (uint16_t)((row + 1) % rows);

			if (right > column || topology->wrap[0])
				pairs[count++] = (struct place_pair){{here, {{row, right}}}};
			if (below > row || topology->wrap[1])
				pairs[count++] = (struct place_pair){{here, {{below, column}}}};
		}
	return count;
}

static void connect(struct platform *platform, struct fabric_connection *connections, uint16_t a,
	uint16_t b, uint16_t links)
{
	if (a == CHIP_NONE || b == CHIP_NONE || links == 0)
		return;
	connections[platform->cluster.connection_count++] =
		(struct fabric_connection){.chip = {a, b}, .links = links};
}

static void connect_wired(struct platform *platform)
{
	const struct wiring_shape *wiring = platform->shape.topology.wiring;
	struct fabric_connection *connections =
		arena_array(&platform->arena, wiring->link_count, sizeof(*connections));

	for (uint32_t i = 0; i < wiring->link_count; i++) {
		const uint16_t *link = wiring->links[i].chips_and_links;

		connect(platform, connections, link[0], link[1], link[2]);
	}
	platform->cluster.connections = connections;
}

static void connect_mesh(struct platform *platform, const uint16_t *chips)
{
	const struct topology_shape *topology = &platform->shape.topology;
	uint32_t rows = topology->mesh[0], columns = topology->mesh[1], count;
	struct place_pair *pairs =
		arena_array(&platform->arena, 2 * (size_t)rows * columns, sizeof(*pairs));
	struct fabric_connection *connections = arena_array(
		&platform->arena, 2 * (size_t)rows * columns + rows, sizeof(*connections));

	count = wiring_pairs(topology, pairs);
	for (uint32_t i = 0; i < count; i++) {
		const struct place *ends = pairs[i].ends;

		connect(platform, connections, chips[ends[0].at[0] * columns + ends[0].at[1]],
			chips[ends[1].at[0] * columns + ends[1].at[1]],
			(uint16_t)(topology->links - missing_links(topology, pairs[i])));
	}
	for (uint32_t row = 0; topology->gateways && row < rows; row++)
		connect(platform, connections,
			(uint16_t)(platform->cluster.chip_count - rows + row), chips[row * columns],
			topology->gateways->links);
	platform->cluster.connections = connections;
}

void wiring_connect(struct platform *platform, const uint16_t *chips)
{
	if (platform->shape.topology.wiring)
		connect_wired(platform);
	else
		connect_mesh(platform, chips);
}
