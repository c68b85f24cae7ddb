/* Links, routes and packets of the fabric. */
#include "chip/fabric/fabric.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "chip/machine/grid.h"
#include "chip/machine/network.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

/* ---- links ---- */

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
	const struct cluster_info *info = cluster->info;
	struct fabric *fabric = cluster->fabric;
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

/* Returns the side of the chip on which `link` leaves. The sides are numbered in the order of
 * Ethernet channels: up, left, down, right. Chips that a wrap-around link connects count as
 * neighbours. Returns SIDES if the other chip is not a neighbour in the mesh. */
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

/* Assigns the links of each chip to its Ethernet tiles: one side of the chip after another, and on
 * each side in the order of channels. All sides have the same number of tiles. */
static void tiles_of_ends(struct cluster *cluster)
{
	struct fabric *fabric = cluster->fabric;

	for (uint32_t i = 0; i < fabric->link_count; i++) {
		const struct link *link = &fabric->links[i];
		const struct chip_geometry *geometry = cluster->info->chips[link->from].geometry;
		uint32_t of_side = geometry->ethernet_count / SIDES;
		uint32_t at = side_of(cluster->info, link) * of_side + link->index;

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

void sim_fabric_new(struct cluster *cluster)
{
	struct fabric *fabric = allocate(1, sizeof *fabric);

	cluster->fabric = fabric;
	links_new(cluster);
	tiles_of_ends(cluster);
	fabric->rows = allocate(cluster->info->chip_count, sizeof *fabric->rows);
	neighbours_new(fabric, cluster->info);
	sim_pool_init(&fabric->packets, sizeof(struct packet));
	sim_pool_init(&fabric->visits, sizeof(struct visit));
}

/* Frees the memory of a packet. A run may end while packets are in flight. */
static void packet_fini(void *object)
{
	span_release(((struct packet *)object)->span);
}

void sim_fabric_free(struct cluster *cluster)
{
	struct fabric *fabric = cluster->fabric;

	if (fabric == NULL)
		return;
	while (fabric->routes != NULL) {
		struct route *next = fabric->routes->next;

		free(fabric->routes);
		fabric->routes = next;
	}
	sim_pool_each(&fabric->packets, packet_fini);
	sim_pool_fini(&fabric->packets);
	sim_pool_fini(&fabric->visits);
	free(fabric->neighbours);
	free(fabric->outgoing);
	free(fabric->first);
	for (uint32_t chip = 0; chip < cluster->info->chip_count; chip++)
		free(fabric->rows[chip]);
	free(fabric->rows);
	free(fabric->ends);
	free(fabric->links);
	free(fabric);
}

/* ---- trees ---- */

/* The link from a chip to its neighbour. If there are several, `turn` selects one. */
static struct link *link_between(struct fabric *fabric, uint16_t from, uint16_t to, uint32_t turn)
{
	for (uint32_t n = fabric->first[from]; n < fabric->first[from + 1u]; n++) {
		const struct neighbour *neighbour = &fabric->neighbours[n];

		if (neighbour->chip == to)
			return &fabric->links[fabric->outgoing[neighbour->first +
							       turn % neighbour->count]];
	}
	ensure(false, "no link joins chips %u and %u", from, to);
}

/* Returns the rings on which packets of a tree travel: those that the tree names, or else those of
 * the topology. */
static enum fabric_cycle cycle_of(const struct cluster *cluster, const struct fabric_tree *tree)
{
	if (tree->cycle != FABRIC_CYCLE_NONE)
		return tree->cycle;
	switch (cluster->options.topology) {
	case SIM_TOPOLOGY_RING:
		return FABRIC_CYCLE_WAY;
	case SIM_TOPOLOGY_TORUS:
		return FABRIC_CYCLE_LINES;
	default:
		return FABRIC_CYCLE_NONE;
	}
}

/* True if the hop to `node` enters a ring, because it does not continue the hop before it. */
static bool enters(const struct cluster *cluster, const struct fabric_tree *tree,
	enum fabric_cycle cycle, uint16_t node)
{
	const struct chip_info *chips = cluster->info->chips;
	uint16_t middle = tree->nodes[node].parent;
	const struct chip_info *a, *b, *c;

	if (cycle == FABRIC_CYCLE_NONE)
		return false;
	if (middle == 0)
		return true;
	if (cycle == FABRIC_CYCLE_WAY)
		return false;
	a = &chips[tree->nodes[tree->nodes[middle].parent].chip];
	b = &chips[tree->nodes[middle].chip];
	c = &chips[tree->nodes[node].chip];
	return (a->mesh_row != b->mesh_row || b->mesh_row != c->mesh_row) &&
	       (a->mesh_column != b->mesh_column || b->mesh_column != c->mesh_column);
}

/* Returns the number that selects the links of a tree among parallel links. */
static uint32_t turn_of(struct cluster *cluster, const struct fabric_tree *tree)
{
	if (tree->beside != NULL)
		return sim_route_of(cluster, tree->beside)->turn;
	return tree->lane > 0 ? tree->lane - 1u : cluster->chips[tree->nodes[0].chip].trees++;
}

static struct route *route_new(struct cluster *cluster, const struct fabric_tree *tree)
{
	struct fabric *fabric = cluster->fabric;
	struct route *route =
		allocate(1, sizeof *route + tree->node_count * sizeof(struct route_hop));
	enum fabric_cycle cycle = cycle_of(cluster, tree);
	uint32_t turn = turn_of(cluster, tree);

	ensure(tree->channel < cluster->timing.channels, "virtual channel %u of %u", tree->channel,
		cluster->timing.channels);
	route->cluster = cluster;
	route->tree = tree;
	route->turn = turn;
	for (uint16_t node = 1; node < tree->node_count; node++) {
		const struct fabric_node *parent = &tree->nodes[tree->nodes[node].parent];

		route->hops[node].link =
			link_between(fabric, parent->chip, tree->nodes[node].chip, turn);
		route->hops[node].enters = enters(cluster, tree, cycle, node);
	}
	route->next = fabric->routes;
	route->place = &fabric->routes;
	if (route->next != NULL)
		route->next->place = &route->next;
	fabric->routes = route;
	return route;
}

struct route *sim_route_of(struct cluster *cluster, struct fabric_tree *tree)
{
	if (tree->route == NULL)
		tree->route = route_new(cluster, tree);
	return tree->route;
}

void sim_fabric_tree_forget(struct fabric_tree *tree)
{
	struct route *route = tree->route;

	if (route == NULL)
		return;
	*route->place = route->next;
	if (route->next != NULL)
		route->next->place = route->place;
	free(route);
	tree->route = NULL;
}

/* ---- packets ---- */

bool sim_fabric_ready(const struct stage *stage, struct fabric_tree *tree)
{
	struct cluster *cluster = stage->device->cluster;

	return cluster->network->ready(cluster, tree);
}

bool sim_fabric_sender_free(struct cluster *cluster, struct fabric_tree *tree)
{
	const struct route *route = sim_route_of(cluster, tree);
	const struct fabric_node *source = &tree->nodes[0];

	for (uint16_t i = 0; i < source->child_count; i++)
		if (route->hops[source->first_child + i].link->sender_free[tree->channel] <= 0)
			return false;
	return true;
}

void sim_fabric_taken(struct stage *stage, int64_t at_ps)
{
	stage->writes_posted++;
	sim_task_writes_done_at(
		sim_task_of(stage), 1, at_ps, cause_now(), CHARGE_ROUTER_HANDOVER_LATENCY);
}

static uint64_t wire_bytes(const struct sim_timing *timing, uint64_t bytes)
{
	uint64_t packets =
		(bytes + timing->ethernet_packet_bytes - 1) / timing->ethernet_packet_bytes;

	return bytes + packets * timing->ethernet_overhead_bytes;
}

/* A new packet for one tile. The caller sets the remaining fields. */
static struct packet *packet_new(
	struct stage *stage, struct fabric_tree *tree, uint16_t tile, struct span span)
{
	struct device *device = stage->device;
	struct cluster *cluster = device->cluster;
	const struct sim_timing *timing = &cluster->timing;
	struct packet *packet = sim_pool_take(&cluster->fabric->packets);

	ensure(tree->nodes[0].chip == device->number, "chip %u sends along a tree of chip %u",
		device->number, tree->nodes[0].chip);
	ensure(span.length <= cluster->info->fabric_packet_bytes, "packet of %u B, %u at most",
		span.length, cluster->info->fabric_packet_bytes);
	packet->route = sim_route_of(cluster, tree);
	span_hold(span);
	packet->span = span;
	packet->tile = tile;
	packet->parts = 1;
	packet->delta = 0;
	packet->noc_bytes = span.length + timing->fabric_header_bytes;
	packet->wire_bytes = wire_bytes(timing, packet->noc_bytes);
	packet->visits = 1; /* the visit at the worker */
	packet->from = sim_own_tile(stage);
	return packet;
}

static void fabric_packet_send(struct stage *stage, struct packet *packet)
{
	struct cluster *cluster = stage->device->cluster;

	cluster->conservation.fabric_sent_bytes +=
		(uint64_t)packet->span.length * packet->route->tree->deliver_count;
	sim_operation_begin(cluster);
	cluster->network->send(stage, packet);
	sim_packet_leave(packet);
}

void sim_fabric_write(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
	uint32_t address, struct span span, uint32_t increment_address, uint32_t delta)
{
	struct packet *packet = packet_new(stage, tree, tile, span);

	packet->addresses[0] = address;
	packet->increment_address = increment_address;
	packet->delta = delta;
	fabric_packet_send(stage, packet);
}

void sim_fabric_scatter(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
	const uint32_t *addresses, uint32_t count, struct span span)
{
	struct packet *packet = packet_new(stage, tree, tile, span);

	ensure(count >= 2 && count <= FABRIC_PARTS_MAX && span.length % count == 0,
		"%u B in %u parts", span.length, count);
	packet->parts = (uint8_t)count;
	memcpy(packet->addresses, addresses, count * sizeof *addresses);
	fabric_packet_send(stage, packet);
}

int64_t sim_packet_receive_ps(const struct packet *packet, uint16_t node)
{
	const struct sim_timing *timing = &packet->route->cluster->timing;
	const struct fabric_node *at = &packet->route->tree->nodes[node];
	int64_t takes_ps = timing->receive_ps + at->child_count * timing->forward_ps;

	if (at->deliver)
		takes_ps += timing->deliver_ps + (packet->parts - 1) * timing->part_ps;
	if (at->deliver && packet->delta != 0 && packet->span.length > 0)
		takes_ps += timing->part_ps; /* a fused increment takes one more command */
	return takes_ps;
}

int64_t sim_packet_flush_ps(const struct packet *packet, uint16_t node)
{
	const struct fabric_tree *tree = packet->route->tree;
	const struct sim_timing *timing = &packet->route->cluster->timing;
	int64_t flush_ps;

	if (!tree->flush || packet->delta == 0 || !(tree->nodes[node].deliver || timing->flushes))
		return 0;
	flush_ps = timing->flush_ps - timing->hidden_ps +
		   server_transfer_ps(packet->noc_bytes, timing->noc_injection_bytes_per_s);
	return flush_ps > 0 ? flush_ps : 0;
}

int64_t sim_packet_handover_ps(const struct packet *packet)
{
	const struct sim_timing *timing = &packet->route->cluster->timing;
	int64_t copy_ps = server_transfer_ps(packet->noc_bytes, timing->noc_injection_bytes_per_s);

	return timing->handover_ps +
	       (copy_ps > timing->handover_overlap_ps ? copy_ps : timing->handover_overlap_ps);
}

/* Uses the NoC on which the path has fewer hops. On NoC 0, the packet goes right along the row of
 * the router, then down. On NoC 1, it goes up, then left along the row of tile `to`. Only the links
 * along that row are modelled. */
int64_t sim_packet_cross(const struct packet *packet, struct link_end *router, uint16_t chip,
	uint16_t to, int64_t first_ps, int64_t last_ps)
{
	struct cluster *cluster = packet->route->cluster;
	const struct chip_geometry *geometry = cluster->info->chips[chip].geometry;
	const struct sim_grid *grid = cluster->chips[chip].grid;
	uint32_t width = geometry->noc_columns, noc, row, from, until;
	int64_t **rows = &cluster->fabric->rows[chip], *links, free_ps = first_ps;
	int64_t transfer_ps =
		server_transfer_ps(packet->noc_bytes, cluster->timing.noc_ejection_bytes_per_s);

	if (router->tile == TILE_AT_NONE || to == TILE_AT_NONE)
		return last_ps;
	if (*rows == NULL)
		*rows = allocate((size_t)geometry->noc_rows * width * FABRIC_NOCS, sizeof **rows);
	noc = sim_grid_hops(grid, to, router->tile) < sim_grid_hops(grid, router->tile, to);
	row = geometry->tiles[noc ? to : router->tile].y;
	links = &(*rows)[(row * FABRIC_NOCS + noc) * width];
	/* The column of a link is the one where NoC 0 leaves it, or where NoC 1 enters it. */
	from = geometry->tiles[noc ? to : router->tile].x;
	until = geometry->tiles[noc ? router->tile : to].x;
	for (uint32_t x = from; x != until; x = x + 1 < width ? x + 1 : 0) {
		free_ps = links[x] > free_ps ? links[x] : free_ps;
		links[x] = free_ps + transfer_ps;
	}
	/* A path without a hop along a row reserves no link. On such paths, straight_ps keeps a
	 * small packet behind a big one that was sent earlier. */
	if (from == until && router->straight_ps > free_ps)
		free_ps = router->straight_ps;
	free_ps += transfer_ps;
	if (from == until)
		router->straight_ps = free_ps;
	return free_ps > last_ps ? free_ps : last_ps;
}

void sim_packet_leave(struct packet *packet)
{
	struct cluster *cluster = packet->route->cluster;

	if (--packet->visits > 0)
		return;
	span_release(packet->span);
	packet->span.extent = NULL;
	sim_pool_give(&cluster->fabric->packets, packet);
	sim_operation_end(cluster);
}

static void deliver_event(void *subject, uint64_t chip)
{
	struct packet *packet = subject;
	struct cluster *cluster = packet->route->cluster;
	struct tile *tile = &cluster->chips[chip].tiles[packet->tile];
	uint32_t part;

	cluster->conservation.fabric_delivered_bytes += packet->span.length;
	part = packet->span.length / packet->parts;
	for (uint32_t i = 0; i < packet->parts && part > 0; i++)
		sim_tile_arrive(
			tile, packet->addresses[i], span_part(packet->span, i * part, part));
	if (packet->delta != 0)
		sim_tile_increment(tile, packet->increment_address, packet->delta, TILE_ANY);
	sim_packet_leave(packet);
}

void sim_packet_deliver(struct packet *packet, uint16_t node, int64_t at_ps)
{
	packet->visits++;
	engine_push(at_ps, deliver_event, packet, packet->route->tree->nodes[node].chip);
}
