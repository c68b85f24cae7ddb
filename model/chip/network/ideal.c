/* Network `ideal`: every tree has its own routers and wires, so a packet waits only for earlier
 * packets of the same tree. If there is only one flow, order and rate are the same as in `packet`.
 */
#include "chip/fabric/fabric.h"
#include "chip/machine/network.h"
#include "chip/noc/noc.h"
#include "chip/pcie/pcie.h"

static bool ideal_ready(struct cluster *cluster, struct fabric_tree *tree)
{
	/* As in the other networks, a tree gets its links at the first call. */
	return sim_route_of(cluster, tree) != NULL;
}

static int64_t longest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Sends a packet, which is ready at `at_ps`, over the link to `node`. Returns the time at which the
 * node has received all of the packet. */
static int64_t hop(struct packet *packet, uint16_t node, int64_t at_ps)
{
	struct route_hop *hop = &packet->route->hops[node];
	const struct sim_timing *timing = &packet->route->cluster->timing;
	uint64_t bytes = packet->wire_bytes + timing->update_bytes;
	int64_t transfer_ps = server_transfer_ps(bytes, timing->ethernet_bytes_per_s);
	int64_t takes_ps = longest(transfer_ps,
		longest(timing->send_ps,
			sim_packet_receive_ps(packet, node) + sim_packet_flush_ps(packet, node)));
	int64_t start_ps = longest(at_ps + timing->send_latency_ps, hop->free_ps);

	hop->free_ps = start_ps + takes_ps;
	hop->link->packets++;
	hop->link->payload_bytes += packet->span.length;
	hop->link->wire.bytes += bytes;
	hop->link->wire.busy_ps += transfer_ps;
	watch_slice(hop->link->wire.track, start_ps, start_ps + transfer_ps, "message");
	hop->link->waited_ps += start_ps - at_ps - timing->send_latency_ps;
	return start_ps + transfer_ps + timing->ethernet_latency_ps;
}

static void ideal_deliver(struct packet *packet, uint16_t node, int64_t at_ps, int64_t copy_ps)
{
	struct cluster *cluster = packet->route->cluster;
	struct device *device = cluster->fabric->devices[sim_route_chip(packet->route, node)];
	struct route_hop *hop = &packet->route->hops[node];
	int64_t last_ps = at_ps + cluster->timing.receive_latency_ps + copy_ps +
			  cluster->timing.delivery_latency_ps;

	if (packet->span.length > 0)
		last_ps = sim_noc_land(sim_tile(device, packet->tile), TILE_NONE, last_ps - copy_ps,
			last_ps, packet->span.length);
	if (packet->delta != 0)
		last_ps += cluster->timing.increment_ps;
	/* A short packet is copied faster than a long packet, but must not overtake it. */
	hop->delivered_ps = longest(last_ps, hop->delivered_ps);
	sim_packet_deliver(packet, node, hop->delivered_ps);
}

/* Copies the packet from the worker to the first router on the way to one child of the source node.
 * Returns the time at which this router has the whole packet. */
static int64_t ideal_hand_over(struct packet *packet, int64_t copy_ps)
{
	struct route_hop *hop = &packet->route->hops[0];
	const struct sim_timing *timing = &packet->route->cluster->timing;
	struct injection copy = sim_noc_inject(
		packet->from, packet->noc_bytes, timing->noc_injection_bytes_per_s, 0);
	int64_t start_ps = longest(copy.start_ps, hop->handover_ps);

	hop->handover_ps = start_ps + sim_packet_handover_ps(packet);
	return start_ps + copy_ps + timing->handover_latency_ps;
}

static void ideal_send(struct stage *stage, struct packet *packet)
{
	const struct cluster *cluster = packet->route->cluster;
	const struct sim_timing *timing = &cluster->timing;
	struct route *route = packet->route;
	int64_t copy_ps = server_transfer_ps(packet->noc_bytes, timing->noc_injection_bytes_per_s);
	int64_t taken_ps = engine_now();

	for (uint16_t node = 1; node < route->tree->node_count; node++) {
		uint16_t parent = route->tree->nodes[node].parent;
		int64_t at_ps;

		if (parent == 0) {
			at_ps = ideal_hand_over(packet, copy_ps);
			taken_ps = longest(taken_ps, at_ps);
		} else {
			at_ps = route->hops[parent].at_ps + timing->receive_latency_ps + copy_ps +
				timing->forward_latency_ps;
		}
		route->hops[node].at_ps = hop(packet, node, at_ps);
		if (route->tree->nodes[node].deliver)
			ideal_deliver(packet, node, route->hops[node].at_ps, copy_ps);
	}
	sim_fabric_taken(stage, taken_ps);
}

const struct sim_network sim_network_ideal = {
	.entry = {.name = "ideal", .description = "closed forms: nothing waits for anything else"},
	.contention = false,
	.device = &sim_device,
	.ready = ideal_ready,
	.send = ideal_send,
	.bring = sim_pcie_bring,
};
