/* Checks of conservation laws after a run (conservation.h). */
#include "bench/run/conservation.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "chip/sim_device.h"
#include "engine/engine.h"
#include "host/statistics.h"
#include "hostnet/hostnet.h"

static void *room(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
	if (count < *capacity)
		return items;
	*capacity = *capacity ? 2 * *capacity : 16;
	items = allocate_more(items, *capacity, size);
	return items;
}

static bool server_holds(int64_t busy_ps, int64_t passed_ps)
{
	return busy_ps >= 0 && busy_ps <= passed_ps;
}

void conservation_server(struct conservation *conservation, int64_t busy_ps, int64_t passed_ps,
	const char *name, ...)
{
	struct conserved_server *server;
	va_list arguments;

	if (!conservation->keeps_all && server_holds(busy_ps, passed_ps))
		return;
	conservation->servers = room(conservation->servers, conservation->server_count,
		&conservation->server_capacity, sizeof(*server));
	server = &conservation->servers[conservation->server_count++];
	server->busy_ps = busy_ps;
	server->passed_ps = passed_ps;
	va_start(arguments, name);
	vsnprintf(server->name, sizeof(server->name), name, arguments);
	va_end(arguments);
}

void conservation_flow(
	struct conservation *conservation, uint64_t in, uint64_t out, const char *name, ...)
{
	struct conserved_flow *flow;
	va_list arguments;

	if (!conservation->keeps_all && in == out)
		return;
	conservation->flows = room(conservation->flows, conservation->flow_count,
		&conservation->flow_capacity, sizeof(*flow));
	flow = &conservation->flows[conservation->flow_count++];
	flow->in = in;
	flow->out = out;
	va_start(arguments, name);
	vsnprintf(flow->name, sizeof(flow->name), name, arguments);
	va_end(arguments);
}

void conservation_fini(struct conservation *conservation)
{
	free(conservation->servers);
	free(conservation->flows);
}

bool conservation_judge(const struct conservation *conservation, struct text *why)
{
	size_t before = why->length;

	for (uint32_t i = 0; i < conservation->server_count; i++) {
		const struct conserved_server *server = &conservation->servers[i];

		if (!server_holds(server->busy_ps, server->passed_ps))
			text_printf(why, "%s: busy for %" PRId64 " ps of %" PRId64 " ps\n",
				server->name, server->busy_ps, server->passed_ps);
	}
	for (uint32_t i = 0; i < conservation->flow_count; i++) {
		const struct conserved_flow *flow = &conservation->flows[i];

		if (flow->in != flow->out)
			text_printf(why, "%s: %" PRIu64 " in, %" PRIu64 " out\n", flow->name,
				flow->in, flow->out);
	}
	return why->length == before;
}

/* ---- counters of the models ---- */

/* Chips are numbered over all hosts; `first` is the number of this host's first chip. */
static void collect_chip(const struct cluster *cluster, uint16_t chip, uint32_t first,
	struct conservation *conservation)
{
	const struct cluster_info *info = sim_device.info(cluster);
	struct sim_noc_link_statistics link;
	struct sim_pcie_statistics pcie;
	int64_t now_ps = engine_now();

	for (uint16_t i = 0; i < info->chips[chip].geometry->tile_count; i++) {
		struct sim_tile_statistics tile;

		sim_tile_statistics(cluster, chip, i, &tile);
		conservation_server(conservation, tile.out_busy_ps, now_ps,
			"chip %u, NIU out of tile %u", first + chip, i);
		conservation_server(conservation, tile.in_busy_ps, now_ps,
			"chip %u, NIU into tile %u", first + chip, i);
	}
	for (uint32_t i = 0; sim_noc_link_statistics(cluster, chip, i, &link); i++)
		if (link.messages > 0)
			conservation_server(conservation, link.busy_ps, now_ps,
				"chip %u, NoC %u, (%u, %u) to (%u, %u)", first + chip, link.noc,
				link.x, link.y, link.to_x, link.to_y);
	sim_pcie_statistics(cluster, chip, &pcie);
	conservation_server(
		conservation, pcie.down_busy_ps, now_ps, "PCIe to chip %u", first + chip);
	conservation_server(
		conservation, pcie.up_busy_ps, now_ps, "PCIe from chip %u", first + chip);
}

static void conservation_collect_links(
	const struct cluster *cluster, uint32_t first, struct conservation *conservation)
{
	int64_t now_ps = engine_now();

	for (uint32_t i = 0; i < sim_link_count(cluster); i++) {
		struct sim_link_statistics link;

		sim_link_statistics(cluster, i, &link);
		conservation_server(conservation, link.busy_ps, now_ps, "chip %u to %u, link %u",
			first + link.from, first + link.to, link.index);
		conservation_server(conservation, link.processor_ps, now_ps,
			"router of chip %u towards %u, link %u", first + link.from, first + link.to,
			link.index);
	}
}

static void collect_stages(
	const struct cluster *cluster, uint32_t first, struct conservation *conservation)
{
	for (uint32_t i = 0; i < sim_stage_count(cluster); i++) {
		struct sim_stage_statistics stage;

		sim_stage_statistics(cluster, i, &stage);
		conservation_server(conservation, stage.busy_ps + stage.blocked_ps, engine_now(),
			"%s, chip %u, tile %u", stage.stage->ops->name, first + stage.chip,
			stage.stage->tile);
	}
}

static void collect_host(struct conservation *conservation)
{
	for (uint32_t i = 0; i < host_core_count(); i++) {
		struct host_core_statistics core;

		host_core_statistics(i, &core);
		conservation_server(conservation,
			core.busy_ps + core.spinning_ps + core.switching_ps, engine_now(),
			"host %u, core %u", core.host, core.core);
	}
	for (uint32_t i = 0; i < host_thread_count(); i++) {
		struct host_thread_statistics thread;
		int64_t ended_ps, spent_ps;

		host_thread_statistics(i, &thread);
		ended_ps = thread.ended_ps < 0 ? engine_now() : thread.ended_ps;
		spent_ps = thread.busy_ps + thread.spinning_ps + thread.switching_ps +
			   thread.waiting_ps + thread.parked_ps;
		conservation_flow(conservation, (uint64_t)(ended_ps - thread.started_ps),
			(uint64_t)spent_ps, "ps of thread %s", thread.name);
	}
}

/* ---- per host, and shared by all ---- */

static void collect_cluster(const struct cluster *cluster, uint32_t host, bool contention,
	struct conservation *conservation)
{
	struct sim_conservation bytes;
	uint16_t chips = sim_device.info(cluster)->chip_count;
	uint32_t first = host * chips;

	sim_conservation(cluster, &bytes);
	conservation_flow(conservation, bytes.noc_sent_bytes, bytes.noc_delivered_bytes,
		"bytes on the NoC, host %u", host);
	conservation_flow(conservation, bytes.fabric_sent_bytes, bytes.fabric_delivered_bytes,
		"bytes on the fabric, host %u", host);
	conservation_flow(conservation, bytes.pcie_sent_bytes, bytes.pcie_delivered_bytes,
		"bytes on PCIe, host %u", host);
	collect_stages(cluster, first, conservation);
	if (!contention)
		return;
	conservation_collect_links(cluster, first, conservation);
	for (uint16_t chip = 0; chip < chips; chip++)
		collect_chip(cluster, chip, first, conservation);
}

/* Checks that everything that left the hosts has arrived. Retransmissions count, too. */
static void collect_network(uint32_t hosts, struct conservation *conservation)
{
	struct hostnet_statistics sum = {0}, one;

	for (uint16_t i = 0; i < hosts; i++) {
		hostnet_statistics(i, &one);
		sum.sent += one.sent;
		sum.sent_bytes += one.sent_bytes;
		sum.delivered += one.delivered;
		sum.delivered_bytes += one.delivered_bytes;
		conservation_server(
			conservation, one.up_busy_ps, engine_now(), "NIC of host %u", i);
		conservation_server(
			conservation, one.down_busy_ps, engine_now(), "NIC to host %u", i);
	}
	conservation_flow(conservation, sum.sent, sum.delivered, "messages between hosts");
	conservation_flow(conservation, sum.sent_bytes, sum.delivered_bytes, "bytes between hosts");
}

void conservation_collect(struct cluster *const *clusters, uint32_t count, bool contention,
	uint32_t networked, struct conservation *conservation)
{
	for (uint32_t i = 0; i < count; i++)
		collect_cluster(clusters[i], i, contention, conservation);
	conservation_flow(
		conservation, engine_pushed(), engine_events() + engine_pending(), "events");
	collect_host(conservation);
	collect_network(networked, conservation);
}
