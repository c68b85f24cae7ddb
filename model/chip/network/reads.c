/* Reads over the fabric. The request of a read is a packet without bytes. The router at the end of
 * the request's tree reads the bytes from a tile over the NoC. Then it sends them back as one
 * packet, along the same links. One stage on an Ethernet tile of each chip sends all answers of
 * this chip, one after another. */
#include <stdlib.h>

#include "base/allocate.h"
#include "chip/fabric/fabric.h"
#include "chip/machine/network.h"
#include "chip/noc/noc.h"
#include "chip/tile/scheduler.h"

/* ---- the stage that answers ---- */

static int64_t reads_begin(struct stage *stage, struct stage_wait *wait)
{
	(void)stage;
	*wait = (struct stage_wait){
		.idle = true, .range_bytes = 1, .what = "reads over the fabric"};
	return STAGE_BLOCKED;
}

static void reads_commit(struct stage *stage)
{
	(void)stage;
}

static const struct stage_ops reads_ops = {
	.name = "fabric_reads", .begin = reads_begin, .commit = reads_commit};

static struct stage *answering(struct device *device)
{
	struct fabric *fabric = device->cluster->fabric;
	struct fabric_answerer *answerer;

	for (answerer = fabric->answerers; answerer != NULL; answerer = answerer->next)
		if (answerer->stage.device == device)
			return &answerer->stage;
	answerer = allocate(1, sizeof *answerer);
	answerer->stage = (struct stage){.ops = &reads_ops,
		.device = device,
		.tile = device->info->geometry->ethernet_count > 0
				? device->info->geometry->ethernet_tiles[0]
				: device->info->geometry->worker_tiles[0]};
	answerer->next = fabric->answerers;
	fabric->answerers = answerer;
	sim_task_start(device, &answerer->stage);
	return &answerer->stage;
}

/* ---- a read ---- */

static struct device *reads_device(const struct packet *request)
{
	const struct route *route = request->route;

	return route->cluster->fabric
		->devices[sim_route_chip(route, (uint16_t)(route->tree->node_count - 1))];
}

/* The router has received the bytes. */
static void answer_event(void *subject, uint64_t argument)
{
	struct packet *request = subject;
	struct device *device = reads_device(request);
	struct span span = sim_tile_view(
		sim_tile(device, request->tile), request->addresses[0], request->read_bytes);

	(void)argument;
	sim_fabric_answer(answering(device), request, span);
	span_release(span);
	sim_packet_leave(request);
}

void sim_fabric_fetch(struct packet *request)
{
	struct device *device = reads_device(request);
	struct tile *from = sim_tile(device, request->tile);
	const struct cluster *cluster = device->cluster;
	const struct sim_timing *timing = &cluster->timing;
	const struct stage *stage = answering(device);
	bool bank = from->word_bytes == 0;
	int64_t path_ps = sim_noc_path_ps(device, stage->tile, from->number) +
			  sim_noc_path_ps(device, from->number, stage->tile);
	int64_t access_ps = bank ? timing->dram_latency_ps : timing->noc_read_ps;
	int64_t takes_ps, sent_ps;

	if (bank) {
		takes_ps = server_transfer_ps(request->read_bytes, timing->dram_read_bytes_per_s);
		takes_ps = takes_ps < timing->dram_request_ps ? timing->dram_request_ps : takes_ps;
		sent_ps =
			sim_serve(cluster, &from->in, engine_now(), request->read_bytes, takes_ps);
	} else {
		sent_ps = sim_noc_inject(
			from, request->read_bytes, timing->noc_injection_bytes_per_s, 0)
				  .sent_ps;
	}
	cause_charge(bank ? CHARGE_DRAM_LATENCY : CHARGE_NOC_READ, access_ps);
	cause_rest(bank ? CHARGE_WAIT_DRAM : CHARGE_WAIT_NOC);
	engine_push(sent_ps + access_ps + path_ps, answer_event, request, 0);
}
