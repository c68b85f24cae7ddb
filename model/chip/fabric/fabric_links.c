/* Links of the fabric, and the Ethernet tiles at their ends. If links join the chips of several
 * hosts, the clusters of these hosts share one fabric. */
#include "chip/fabric/fabric.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "chip/machine/cluster.h"

static void link_init(
	struct cluster *cluster, uint32_t i, uint16_t from, uint16_t to, uint16_t index)
{
	const struct sim_timing *timing = &cluster->timing;
	struct fabric *fabric = cluster->fabric;
	struct link *link = &fabric->links[i];

	link->cluster = cluster;
	link->from = from;
	link->to = to;
	link->index = index;
	link->sender = &fabric->ends[i];
	link->receiver = &fabric->ends[i ^ 1];
	for (uint32_t channel = 0; channel < timing->channels; channel++)
		link->sender_free[channel] = (int32_t)timing->sender_slots;
	port_init(&link->buffer, NULL, timing->receiver_slots, timing->channels);
	pipe_show(&link->wire,
		watch_track(WATCH_LINK, from, "chip %u to %u, link %u", from, to, index));
	link->buffer.track = watch_track(
		WATCH_QUEUE, to, "receive slots, chip %u from %u, link %u", to, from, index);
}

static void links_new(struct cluster *cluster)
{
	struct fabric *fabric = cluster->fabric;
	const struct cluster_info *info = fabric->info;
	uint32_t count = 0;

	for (uint32_t c = 0; c < info->connection_count; c++)
		count += 2u * info->connections[c].links;
	fabric->link_count = count;
	fabric->links = allocate(count, sizeof *fabric->links);
	fabric->ends = allocate(count, sizeof *fabric->ends);
	count = 0;
	for (uint32_t c = 0; c < info->connection_count; c++) {
		const struct fabric_connection *connection = &info->connections[c];

		for (uint16_t l = 0; l < connection->links; l++, count += 2) {
			link_init(cluster, count, connection->chip[0], connection->chip[1], l);
			link_init(cluster, count + 1, connection->chip[1], connection->chip[0], l);
		}
	}
}

enum { SIDES = 4 };

/* Returns the number of the side at which `link` leaves its chip: up, left, down or right, from 0.
 * The Ethernet channels of a chip are in the same order. A wrap-around link leaves its chip at the
 * edge of the mesh. Returns SIDES if one of the two chips is outside the mesh. */
static uint32_t side_of(const struct cluster_info *info, const struct link *link)
{
	const struct chip_info *from = &info->chips[link->from], *to = &info->chips[link->to];
	int rows = info->mesh_rows, columns = info->mesh_columns;
	int down = to->mesh_row - from->mesh_row, right = to->mesh_column - from->mesh_column;

	if (from->mesh_row < 0 || to->mesh_row < 0)
		return SIDES;
	if (down != 0)
		return down == -1 || (rows > 2 && down == rows - 1) ? 0 : 2;
	return right == -1 || (columns > 2 && right == columns - 1) ? 1 : 3;
}

/* Assigns an Ethernet tile of the sending chip to each link. Each side of a chip has an equal
 * number of tiles. On each side, the tiles are assigned in the order of channels. */
static void tiles_of_ends(struct cluster *cluster)
{
	struct fabric *fabric = cluster->fabric;

	for (uint32_t i = 0; i < fabric->link_count; i++) {
		const struct link *link = &fabric->links[i];
		const struct chip_geometry *geometry = fabric->info->chips[link->from].geometry;
		uint32_t of_side = geometry->ethernet_count / SIDES;
		uint32_t at = side_of(fabric->info, link) * of_side + link->index;

		fabric->ends[i].tile = link->index < of_side && at < geometry->ethernet_count
					       ? geometry->ethernet_tiles[at]
					       : TILE_AT_NONE;
	}
}

/* Sorts links by sending chip, then by neighbour, then by number. A chip has few links, so an
 * insertion sort is fast enough. */
static void sort_links(struct fabric *fabric, uint32_t chip_count)
{
	uint32_t *begin = allocate(chip_count + 1u, sizeof *begin);
	uint32_t *count = allocate(chip_count, sizeof *count);

	for (uint32_t i = 0; i < fabric->link_count; i++)
		begin[fabric->links[i].from + 1u]++;
	for (uint32_t chip = 0; chip < chip_count; chip++)
		begin[chip + 1] += begin[chip];
	for (uint32_t i = 0; i < fabric->link_count; i++) {
		const struct link *link = &fabric->links[i];
		uint32_t *own = &fabric->outgoing[begin[link->from]];
		uint32_t at = count[link->from]++;

		for (; at > 0 && fabric->links[own[at - 1]].to > link->to; at--)
			own[at] = own[at - 1];
		own[at] = i;
	}
	free(begin);
	free(count);
}

static void neighbours_new(struct fabric *fabric, const struct cluster_info *info)
{
	uint32_t count = 0;

	fabric->outgoing = allocate(fabric->link_count, sizeof *fabric->outgoing);
	sort_links(fabric, info->chip_count);
	fabric->neighbours = allocate(fabric->link_count, sizeof *fabric->neighbours);
	fabric->first = allocate(info->chip_count + 1u, sizeof *fabric->first);
	for (uint32_t i = 0; i < fabric->link_count; i++) {
		const struct link *link = &fabric->links[fabric->outgoing[i]];
		const struct link *before = i ? &fabric->links[fabric->outgoing[i - 1]] : NULL;

		if (before == NULL || before->from != link->from || before->to != link->to) {
			fabric->neighbours[count].chip = link->to;
			fabric->neighbours[count].first = i;
			fabric->first[link->from + 1u] = ++count;
		}
		fabric->neighbours[count - 1].count++;
	}
	for (uint32_t chip = 0; chip < info->chip_count; chip++)
		if (fabric->first[chip + 1] < fabric->first[chip])
			fabric->first[chip + 1] = fabric->first[chip];
}

static struct fabric *fabric_new(struct cluster *cluster)
{
	struct fabric *fabric = cluster->fabric = allocate(1, sizeof *fabric);
	const struct cluster_info *info = cluster->info;

	fabric->info = info = info->machine != NULL ? info->machine : info;
	fabric->devices = allocate(info->chip_count, sizeof *fabric->devices);
	links_new(cluster);
	tiles_of_ends(cluster);
	fabric->rows = allocate(info->chip_count, sizeof *fabric->rows);
	neighbours_new(fabric, info);
	sim_pool_init(&fabric->packets, sizeof(struct packet));
	sim_pool_init(&fabric->visits, sizeof(struct visit));
	return fabric;
}

void sim_fabric_new(struct cluster *cluster, struct cluster *joined)
{
	const struct cluster_info *info = cluster->info;
	struct fabric *fabric = joined != NULL ? joined->fabric : fabric_new(cluster);

	ensure(joined == NULL || (info->machine != NULL && fabric->info == info->machine),
		"clusters of two machines share a fabric");
	cluster->fabric = fabric;
	cluster->first = info->machine != NULL ? info->machine_first : 0;
	for (uint16_t i = 0; i < info->chip_count; i++)
		fabric->devices[cluster->first + i] = &cluster->chips[i];
	for (uint32_t i = 0; i < fabric->link_count; i++)
		if (fabric->links[i].from >= cluster->first &&
			fabric->links[i].from < cluster->first + info->chip_count)
			fabric->links[i].cluster = cluster;
	fabric->clusters = allocate_more(
		fabric->clusters, fabric->cluster_count + 1, sizeof(struct cluster *));
	fabric->clusters[fabric->cluster_count++] = cluster;
}

void sim_fabric_begin(struct cluster *cluster)
{
	const struct fabric *fabric = cluster->fabric;

	for (uint32_t i = 0; i < fabric->cluster_count; i++)
		sim_operation_begin(fabric->clusters[i]);
}

void sim_fabric_end(struct cluster *cluster)
{
	const struct fabric *fabric = cluster->fabric;

	for (uint32_t i = 0; i < fabric->cluster_count; i++)
		sim_operation_end(fabric->clusters[i]);
}

/* Frees the memory of a packet. A run may end while packets are in flight. */
static void packet_fini(void *object)
{
	span_release(((struct packet *)object)->span);
}

void sim_route_free(struct route *route)
{
	if (route->back != NULL) {
		union {
			const struct fabric_node *from;
			struct fabric_node *to;
		} nodes = {route->back->nodes};

		free(nodes.to);
		free(route->back);
	}
	free(route);
}

void sim_fabric_free(struct cluster *cluster)
{
	struct fabric *fabric = cluster->fabric;

	if (fabric == NULL)
		return;
	for (uint32_t i = 0; i < fabric->cluster_count; i++)
		if (fabric->clusters[i] == cluster)
			fabric->clusters[i] = fabric->clusters[--fabric->cluster_count];
	if (fabric->cluster_count > 0)
		return;
	while (fabric->routes != NULL) {
		struct route *next = fabric->routes->next;

		sim_route_free(fabric->routes);
		fabric->routes = next;
	}
	while (fabric->answerers != NULL) {
		struct fabric_answerer *next = fabric->answerers->next;

		free(fabric->answerers);
		fabric->answerers = next;
	}
	sim_pool_each(&fabric->packets, packet_fini);
	sim_pool_fini(&fabric->packets);
	sim_pool_fini(&fabric->visits);
	free(fabric->neighbours);
	free(fabric->outgoing);
	free(fabric->first);
	for (uint32_t chip = 0; chip < fabric->info->chip_count; chip++)
		free(fabric->rows[chip]);
	free(fabric->rows);
	free(fabric->devices);
	free(fabric->clusters);
	free(fabric->ends);
	free(fabric->links);
	free(fabric);
}
