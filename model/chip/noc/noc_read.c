/* Sends unicast reads over the NoC, and their answers (noc.h). */
#include "chip/noc/noc.h"

#include "chip/machine/network.h"
#include "chip/noc/links.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

static void read_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct device *device = flight->device;
	struct task *task = flight->task;

	(void)argument;
	device->cluster->conservation.noc_delivered_bytes += flight->length;
	sim_tile_copy(task->tile, flight->local_address, &device->tiles[flight->tile],
		flight->address, flight->length);
	sim_flight_free(flight);
	sim_task_read_done(task);
	sim_operation_end(device->cluster);
}

/* Schedules the arrival of the data at the reading tile. */
static void come(struct flight *flight, int64_t head_ps, int64_t last_ps)
{
	struct tile *to = flight->task->tile;
	struct pipe *in = sim_niu_of_answers(to, flight->task->stage);

	engine_push(sim_noc_land_at(to, in, flight->tile, head_ps, last_ps, flight->length),
		read_event, flight, 0);
}

/* Called with `model.noc: links` when the data of a read are ready to leave their tile. Finds the
 * time at which the links of their path are free. */
static void noc_leave_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct device *device = flight->device;
	const struct tile *to = flight->task->tile;
	const struct sim_timing *timing = &device->cluster->timing;
	int64_t takes_ps = flight->last_ps - flight->head_ps;
	int64_t path_ps = sim_noc_path_ps(device, flight->tile, to->number);
	struct noc_load load = {engine_now(), takes_ps, sim_noc_wire_bytes(timing, flight->length),
		NOC_ANSWERS, false};
	int64_t head_ps =
		sim_links_pass(device, flight->task->stage->noc, flight->tile, to->number, &load);

	(void)argument;
	cause_charge(CHARGE_NOC_LINK_RATE, head_ps - engine_now());
	sim_noc_charge_path(device, path_ps, 1);
	cause_charge(device->tiles[flight->tile].word_bytes > 0 ? CHARGE_NOC_INJECTION_RATE
								: CHARGE_DRAM_READ_BANDWIDTH,
		takes_ps);
	come(flight, head_ps + path_ps, head_ps + takes_ps + path_ps);
}

static void noc_leave(struct flight *flight, int64_t head_ps, int64_t last_ps)
{
	flight->head_ps = head_ps;
	flight->last_ps = last_ps;
	cause_rest(flight->device->tiles[flight->tile].word_bytes > 0 ? CHARGE_WAIT_NOC
								      : CHARGE_WAIT_DRAM);
	engine_push(head_ps, noc_leave_event, flight, 0);
}

/* Computes the times at which the bank begins and finishes reading `length` bytes. */
static struct injection bank_gives(struct tile *bank, uint64_t length)
{
	const struct cluster *cluster = bank->device->cluster;
	const struct sim_timing *timing = &cluster->timing;
	int64_t takes_ps = server_transfer_ps(length, timing->dram_read_bytes_per_s);
	struct injection data;

	if (takes_ps < timing->dram_request_ps)
		takes_ps = timing->dram_request_ps;
	data.sent_ps = sim_serve(cluster, &bank->in, engine_now(), length, takes_ps);
	data.start_ps = data.sent_ps - takes_ps;
	return data;
}

/* Sends data to a reader, over the NoC on which the request came. */
static struct injection inject_answer(
	struct tile *from, const struct stage *reader, uint64_t length)
{
	const struct sim_timing *timing = &from->device->cluster->timing;
	struct pipe *niu = sim_niu_of_requests(from, reader);
	struct noc_message message =
		sim_noc_message(timing, length, timing->noc_injection_bytes_per_s, 0);
	int64_t start_ps;

	if (niu == &from->out)
		return sim_noc_inject_message(from, engine_now(), &message);
	start_ps = pipe_pass(niu, engine_now(), message.bytes, message.takes_ps) - message.takes_ps;
	return (struct injection){.start_ps = start_ps,
		.sent_ps = start_ps + message.transfer_ps,
		.wait = pipe_wait(niu, message.charge, CHARGE_WAIT_NOC)};
}

/* The request has reached the tile that is read. */
static void noc_request_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct device *device = flight->device;
	struct tile *from = &device->tiles[flight->tile];
	const struct sim_timing *timing = &device->cluster->timing;
	bool links = device->cluster->links != NULL, bank = from->word_bytes == 0;
	int64_t path_ps = sim_noc_path_ps(device, from->number, flight->task->tile->number);
	int64_t access_ps = bank ? timing->dram_latency_ps : timing->noc_read_ps;
	struct injection data;

	(void)argument;
	if (!links)
		sim_noc_charge_path(device, path_ps, 1);
	cause_charge(bank ? CHARGE_DRAM_LATENCY : CHARGE_NOC_READ, access_ps);
	if (bank)
		data = bank_gives(from, flight->length);
	else
		data = inject_answer(from, flight->task->stage, flight->length);
	if (links) {
		noc_leave(flight, data.start_ps + access_ps, data.sent_ps + access_ps);
		return;
	}
	cause_charge(bank ? CHARGE_DRAM_READ_BANDWIDTH : CHARGE_NOC_INJECTION_RATE,
		data.sent_ps - data.start_ps);
	come(flight, data.start_ps + access_ps + path_ps, data.sent_ps + access_ps + path_ps);
}

/* Sends a read request, and returns the time at which it leaves. */
static int64_t inject_request(const struct stage *stage)
{
	struct tile *tile = sim_own_tile(stage);
	struct pipe *niu = sim_niu_of_requests(tile, stage);
	int64_t takes_ps = tile->device->cluster->timing.noc_issue_ps;

	return niu == &tile->out
		       ? sim_noc_inject_word(tile)
		       : pipe_pass(niu, engine_now(), sizeof(uint32_t), takes_ps) - takes_ps;
}

void sim_noc_read(struct stage *stage, uint16_t tile, uint32_t address, uint32_t length,
	uint32_t local_address)
{
	struct device *device = stage->device;
	struct cluster *cluster = device->cluster;
	struct tile *from = sim_tile(device, tile);
	struct flight *flight = sim_flight_new(device);
	int64_t start_ps = inject_request(stage);

	stage->reads_posted++;
	cluster->conservation.noc_sent_bytes += length;
	flight->task = sim_task_of(stage);
	flight->tile = from->number;
	flight->address = address;
	flight->length = length;
	flight->local_address = local_address;
	sim_operation_begin(cluster);
	sim_noc_charge_path(device, sim_noc_path_ps(device, stage->tile, tile), 1);
	cause_rest(pipe_wait(sim_niu_of_requests(sim_own_tile(stage), stage), CHARGE_NOC_ISSUE,
		CHARGE_WAIT_NOC));
	engine_push(start_ps + sim_noc_path_ps(device, stage->tile, tile), noc_request_event,
		flight, 0);
}
