/* Makes routes of trees, and delivers packets at the chips of a route. */
#include "chip/fabric/fabric.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "chip/machine/cluster.h"
#include "chip/machine/network.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

/* ---- trees ---- */

/* Returns the link from a chip to its neighbour. If there are several links, `turn` selects one. */
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

/* Returns the kind of rings on which packets of a tree travel. This is the kind that the tree
 * names, or else the kind of the topology. */
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

/* True if the hop to `node` enters a ring. It does not if the hop before was on the same ring. */
static bool enters(const struct route *route, enum fabric_cycle cycle, uint16_t node)
{
	const struct chip_info *chips = route->cluster->fabric->info->chips;
	const struct fabric_tree *tree = route->tree;
	uint16_t middle = tree->nodes[node].parent;
	const struct chip_info *a, *b, *c;

	if (cycle == FABRIC_CYCLE_NONE)
		return false;
	if (middle == 0)
		return true;
	if (cycle == FABRIC_CYCLE_WAY)
		return false;
	a = &chips[sim_route_chip(route, tree->nodes[middle].parent)];
	b = &chips[sim_route_chip(route, middle)];
	c = &chips[sim_route_chip(route, node)];
	return (a->mesh_row != b->mesh_row || b->mesh_row != c->mesh_row) &&
	       (a->mesh_column != b->mesh_column || b->mesh_column != c->mesh_column);
}

static uint16_t first_of(const struct cluster *cluster, const struct fabric_tree *tree)
{
	return tree->of_machine ? 0 : cluster->first;
}

/* Returns the number, in the fabric, of the chip at the root of the tree. */
static uint16_t root_of(const struct cluster *cluster, const struct fabric_tree *tree)
{
	return (uint16_t)(tree->nodes[0].chip + first_of(cluster, tree));
}

/* Returns the number that selects the links of a tree among parallel links. */
static uint32_t turn_of(struct cluster *cluster, const struct fabric_tree *tree)
{
	if (tree->beside != NULL)
		return sim_route_of(cluster, tree->beside)->turn;
	return tree->lane > 0 ? tree->lane - 1u
			      : cluster->fabric->devices[root_of(cluster, tree)]->trees++;
}

static struct route *route_new(struct cluster *cluster, struct fabric_tree *tree)
{
	struct fabric *fabric = cluster->fabric;
	struct route *route =
		allocate(1, sizeof *route + tree->node_count * sizeof(struct route_hop));
	enum fabric_cycle cycle = cycle_of(cluster, tree);
	uint32_t turn = turn_of(cluster, tree);

	ensure(tree->channel < cluster->timing.channels, "virtual channel %u of %u", tree->channel,
		cluster->timing.channels);
	route->cluster = cluster;
	route->tree = route->given = tree;
	route->first = first_of(cluster, tree);
	route->turn = turn;
	for (uint16_t node = 1; node < tree->node_count; node++) {
		uint16_t parent = sim_route_chip(route, tree->nodes[node].parent);

		route->hops[node].link =
			link_between(fabric, parent, sim_route_chip(route, node), turn);
		route->hops[node].enters = enters(route, cycle, node);
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
	if (route->back != NULL)
		sim_fabric_tree_forget(route->back);
	*route->place = route->next;
	if (route->next != NULL)
		route->next->place = route->place;
	sim_route_free(route);
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

/* Creates a packet for one tile. The caller must set the remaining fields. */
static struct packet *packet_new(
	struct stage *stage, struct fabric_tree *tree, uint16_t tile, struct span span)
{
	struct device *device = stage->device;
	struct cluster *cluster = device->cluster;
	const struct sim_timing *timing = &cluster->timing;
	struct packet *packet = sim_pool_take(&cluster->fabric->packets);

	ensure(root_of(cluster, tree) == cluster->first + device->number,
		"chip %u sends along a tree of chip %u", cluster->first + device->number,
		root_of(cluster, tree));
	ensure(span.length <= cluster->info->fabric_packet_bytes, "packet of %u B, %u at most",
		span.length, cluster->info->fabric_packet_bytes);
	packet->route = sim_route_of(cluster, tree);
	span_hold(span);
	packet->span = span;
	packet->tile = tile;
	packet->parts = 1;
	packet->delta = 0;
	packet->reader = NULL;
	packet->answers = false;
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
	sim_fabric_begin(cluster);
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

/* ---- reads ---- */

void sim_fabric_read(struct stage *stage, struct fabric_tree *tree, uint16_t tile, uint32_t address,
	uint32_t length, uint32_t local_address)
{
	struct packet *packet = packet_new(stage, tree, tile, (struct span){.extent = NULL});

	ensure(tree->deliver_count == 1 && tree->nodes[tree->node_count - 1].deliver,
		"a read along a tree to %u chips", tree->deliver_count);
	ensure(length > 0 && length <= stage->device->cluster->info->fabric_packet_bytes,
		"a read of %u B", length);
	packet->addresses[0] = address;
	packet->reader = sim_task_of(stage);
	packet->read_to = local_address;
	packet->read_bytes = length;
	stage->reads_posted++;
	fabric_packet_send(stage, packet);
}

/* Makes the tree from the only leaf of a tree back to its source, over the same links. */
static struct fabric_tree *tree_back(struct fabric_tree *tree)
{
	struct fabric_tree *back = allocate(1, sizeof *back);
	struct fabric_node *nodes = allocate(tree->node_count, sizeof *nodes);
	uint16_t last = (uint16_t)(tree->node_count - 1);

	for (uint16_t i = 0; i <= last; i++)
		nodes[i] = (struct fabric_node){.chip = tree->nodes[last - i].chip,
			.parent = (uint16_t)(i > 0 ? i - 1 : 0),
			.first_child = (uint16_t)(i < last ? i + 1 : 0),
			.child_count = i < last,
			.deliver = i == last};
	*back = (struct fabric_tree){.node_count = tree->node_count,
		.deliver_count = 1,
		.channel = tree->channel,
		.cycle = tree->cycle,
		.of_machine = tree->of_machine,
		.nodes = nodes,
		.beside = tree};
	return back;
}

void sim_fabric_answer(struct stage *stage, const struct packet *request, struct span span)
{
	struct route *route = request->route;
	struct fabric_tree *tree = route->given;
	struct packet *packet;

	if (route->back == NULL)
		route->back = tree_back(tree);
	packet = packet_new(stage, route->back, request->reader->tile->number, span);
	packet->addresses[0] = request->read_to;
	packet->reader = request->reader;
	packet->answers = true;
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

/* The packet crosses the NoC on which the path has fewer hops. On NoC 0, it goes right along the
 * router's row, then down a column. On NoC 1, it goes up a column, then left along the row of tile
 * `to`. The links of the row are reserved for the packet; the links of the column are not modelled.
 */
int64_t sim_packet_cross(const struct packet *packet, struct link_end *router, uint16_t chip,
	uint16_t to, int64_t first_ps, int64_t last_ps)
{
	struct cluster *cluster = packet->route->cluster;
	const struct device *device = cluster->fabric->devices[chip];
	const struct chip_geometry *geometry = device->info->geometry;
	const struct sim_grid *grid = device->grid;
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
	/* A link belongs to the column in which NoC 0 leaves the link, or NoC 1 enters it. */
	from = geometry->tiles[noc ? to : router->tile].x;
	until = geometry->tiles[noc ? router->tile : to].x;
	for (uint32_t x = from; x != until; x = x + 1 < width ? x + 1 : 0) {
		free_ps = links[x] > free_ps ? links[x] : free_ps;
		links[x] = free_ps + transfer_ps;
	}
	/* The loop reserves no link if the path has no hop along a row. Packets on such paths leave
	 * the router one after another (straight_ps), so that a small packet does not overtake a
	 * big one. */
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
	sim_fabric_end(cluster);
}

static void deliver_event(void *subject, uint64_t chip)
{
	struct packet *packet = subject;
	struct cluster *cluster = packet->route->cluster;
	struct tile *tile = &cluster->fabric->devices[chip]->tiles[packet->tile];
	uint32_t part;

	if (packet->reader != NULL && !packet->answers) {
		cluster->fabric->fetch(packet);
		return;
	}
	cluster->conservation.fabric_delivered_bytes += packet->span.length;
	part = packet->span.length / packet->parts;
	for (uint32_t i = 0; i < packet->parts && part > 0; i++)
		sim_tile_arrive(
			tile, packet->addresses[i], span_part(packet->span, i * part, part));
	if (packet->delta != 0)
		sim_tile_increment(tile, packet->increment_address, packet->delta, TILE_ANY);
	if (packet->answers)
		sim_task_read_done(packet->reader);
	sim_packet_leave(packet);
}

void sim_packet_deliver(struct packet *packet, uint16_t node, int64_t at_ps)
{
	packet->visits++;
	engine_push(at_ps, deliver_event, packet, sim_route_chip(packet->route, node));
}
