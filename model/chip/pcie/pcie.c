/* PCIe. A posted write costs the host little; a read by the host stalls its core. Several reads by
 * the device can be in flight at once, up to a limit. Writes by the device count as done long
 * before the host sees them. */
#include "chip/pcie/pcie.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/chain.h"
#include "chip/machine/network.h"
#include "chip/noc/links.h"
#include "chip/noc/noc.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

struct pcie *sim_pcie_new(struct device *device)
{
	struct pcie *pcie = allocate(1, sizeof *pcie);

	pcie->device = device;
	pipe_show(&pcie->down,
		watch_track(WATCH_LINK, device->number, "PCIe to chip %u", device->number));
	pipe_show(&pcie->up,
		watch_track(WATCH_LINK, device->number, "PCIe from chip %u", device->number));
	return pcie;
}

void sim_pcie_free(struct pcie *pcie)
{
	free(pcie);
}

static struct pcie *pcie_of(const struct device *device)
{
	ensure(device->pcie != NULL, "chip %u has no PCIe", device->number);
	return device->pcie;
}

/* Returns the time in ps for which data from PCIe wait for links of the NoC. */
static int64_t wait_for_links(
	struct device *device, uint32_t noc, uint16_t to, const struct noc_load *load)
{
	if (device->cluster->links == NULL)
		return 0;
	return sim_links_pass(device, noc, device->info->geometry->pcie_tile, to, load) -
	       load->first_ps;
}

/* ---- reads by the device ---- */

static void issue(struct pcie *pcie);

static void finish_read(struct flight *flight)
{
	struct cluster *cluster = flight->device->cluster;
	struct task *task = flight->task;
	uint64_t offset;
	struct sparse *memory =
		sim_window_memory(&cluster->window, flight->host_address, flight->length, &offset);

	ensure(flight->turn == task->pcie_reads_done,
		"read %u of stage %s over PCIe is done before its read %u", flight->turn,
		task->stage->ops->name, task->pcie_reads_done);
	task->pcie_reads_done++;
	sim_tile_copy_memory(task->tile, flight->local_address, memory, offset, flight->length);
	cluster->conservation.pcie_delivered_bytes += flight->length;
	sim_flight_free(flight);
	sim_task_read_done(task);
	sim_operation_end(cluster);
}

void sim_pcie_brought(struct flight *read, uint64_t bytes)
{
	struct pcie *pcie = read->device->pcie;

	pcie->outstanding--;
	ensure(bytes <= read->issued - read->completed, "%u B of a read are too many",
		(uint32_t)bytes);
	read->completed += (uint32_t)bytes;
	if (read->completed == read->length)
		finish_read(read);
	issue(pcie);
}

static void arrived_event(void *subject, uint64_t bytes)
{
	sim_pcie_brought(subject, bytes);
}

/* Called when the data of one request are ready at the host's end. */
static void ready_event(void *subject, uint64_t bytes)
{
	struct flight *read = subject;
	const struct sim_timing *timing = &read->device->cluster->timing;
	int64_t takes_ps = server_transfer_ps(bytes, timing->read_bytes_per_s);
	int64_t through_ps = pipe_pass(&read->device->pcie->down, engine_now(), bytes, takes_ps);
	const struct stage *stage = read->task->stage;
	int64_t wait_ps = wait_for_links(read->device, stage->noc, stage->tile,
		&(struct noc_load){through_ps - takes_ps, takes_ps,
			sim_noc_wire_bytes(timing, bytes), NOC_ANSWERS, false});

	cause_charge(CHARGE_PCIE_DEVICE_READ_BANDWIDTH, takes_ps);
	cause_charge(CHARGE_NOC_LINK_RATE, wait_ps);
	cause_rest(pipe_wait(
		&read->device->pcie->down, CHARGE_PCIE_DEVICE_READ_BANDWIDTH, CHARGE_WAIT_PCIE));
	engine_push(through_ps + wait_ps, arrived_event, read, bytes);
}

void sim_pcie_bring(struct flight *read, uint64_t bytes)
{
	int64_t latency_ps = read->device->cluster->timing.read_latency_ps;

	cause_charge(CHARGE_PCIE_DEVICE_READ_LATENCY, latency_ps);
	cause_rest(CHARGE_WAIT_PCIE);
	engine_push(engine_now() + latency_ps, ready_event, read, bytes);
}

static void issue(struct pcie *pcie)
{
	const struct cluster *cluster = pcie->device->cluster;
	const struct sim_timing *timing = &cluster->timing;

	while (pcie->issuing != NULL && pcie->outstanding < timing->reads_outstanding) {
		struct flight *flight = pcie->issuing;
		uint32_t bytes = flight->length - flight->issued;
		cause_id before;

		if (bytes > timing->read_request_bytes)
			bytes = (uint32_t)timing->read_request_bytes;
		pcie->outstanding++;
		pcie->requests++;
		flight->issued += bytes;
		if (flight->issued == flight->length) {
			pcie->issuing = flight->next;
			pcie->waiting--;
		}
		before = cause_enter(flight->cause);
		cluster->network->bring(flight, bytes);
		cause_enter(before);
	}
	if (pcie->outstanding + pcie->waiting > pcie->high_water)
		pcie->high_water = pcie->outstanding + pcie->waiting;
}

void sim_pcie_read(
	struct stage *stage, uint64_t host_address, uint32_t length, uint32_t local_address)
{
	struct cluster *cluster = stage->device->cluster;
	struct pcie *pcie = pcie_of(stage->device);
	struct flight *flight = sim_flight_new(stage->device);

	ensure(length > 0, "empty read by stage %s", stage->ops->name);
	flight->task = sim_task_of(stage);
	flight->host_address = host_address;
	flight->length = length;
	flight->local_address = local_address;
	flight->issued = flight->completed = 0;
	flight->cause = cause_now();
	flight->turn = flight->task->pcie_reads_posted++;
	CHAIN_APPEND(pcie->issuing, pcie->last, flight, next);
	pcie->waiting++;
	pcie->read_bytes += length;
	cluster->conservation.pcie_sent_bytes += length;
	stage->reads_posted++;
	sim_operation_begin(cluster);
	issue(pcie);
}

/* ---- writes by the device ---- */

static void visible_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct cluster *cluster = flight->device->cluster;

	(void)argument;
	cluster->conservation.pcie_delivered_bytes += flight->span.length;
	sim_window_write(&cluster->window, flight->host_address, flight->span);
	sim_flight_free(flight);
	sim_operation_end(cluster);
}

static void word_visible_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct cluster *cluster = flight->device->cluster;

	cluster->conservation.pcie_delivered_bytes += sizeof(uint32_t);
	sim_window_set_word(&cluster->window, flight->host_address, (uint32_t)argument);
	sim_flight_free(flight);
	sim_operation_end(cluster);
}

/* Sends `bytes` towards the host, and returns the time at which the host sees them. */
static int64_t pcie_send_up(struct stage *stage, uint64_t bytes)
{
	struct device *device = stage->device;
	struct cluster *cluster = device->cluster;
	struct pcie *pcie = pcie_of(device);
	const struct sim_timing *timing = &cluster->timing;
	struct injection injection =
		sim_noc_inject(sim_own_tile(stage), bytes, timing->noc_injection_bytes_per_s, 0);
	int64_t left_ps = pipe_pass(&pcie->up, injection.start_ps, bytes,
		server_transfer_ps(bytes, timing->write_bytes_per_s));

	if (left_ps < injection.sent_ps)
		left_ps = injection.sent_ps;
	pcie->writes++;
	pcie->written_bytes += bytes;
	cluster->conservation.pcie_sent_bytes += bytes;
	stage->writes_posted++;
	sim_task_writes_done_at(sim_task_of(stage), 1, left_ps + timing->write_ack_ps, cause_now(),
		CHARGE_PCIE_WRITE_ACK_LATENCY);
	cause_charge(CHARGE_PCIE_DEVICE_WRITE_BANDWIDTH,
		server_transfer_ps(bytes, timing->write_bytes_per_s));
	cause_charge(CHARGE_PCIE_WRITE_VISIBLE_LATENCY, timing->write_visible_ps);
	cause_rest(pipe_wait(&pcie->up, CHARGE_PCIE_DEVICE_WRITE_BANDWIDTH, CHARGE_WAIT_PCIE));
	sim_operation_begin(cluster);
	return left_ps + timing->write_visible_ps;
}

void sim_pcie_write(struct stage *stage, uint64_t host_address, struct span span)
{
	int64_t visible_ps = pcie_send_up(stage, span.length);
	struct flight *flight = sim_flight_new(stage->device);

	span_hold(span);
	flight->span = span;
	flight->host_address = host_address;
	engine_push(visible_ps, visible_event, flight, 0);
}

void sim_pcie_write_word(struct stage *stage, uint64_t host_address, uint32_t value)
{
	int64_t visible_ps = pcie_send_up(stage, sizeof value);
	struct flight *flight = sim_flight_new(stage->device);

	flight->host_address = host_address;
	engine_push(visible_ps, word_visible_event, flight, value);
}

/* ---- the host: from its threads ---- */

/* Sends `bytes` towards the device. Returns the time at which the last byte reaches the chip's
 * NoC. */
static int64_t pcie_send_down(struct device *device, uint64_t bytes)
{
	struct cluster *cluster = device->cluster;
	struct pcie *pcie = pcie_of(device);
	int64_t takes_ps = server_transfer_ps(bytes, cluster->timing.down_bytes_per_s);

	cause_charge(CHARGE_PCIE_DOWN_BANDWIDTH, takes_ps);
	cause_charge(CHARGE_PCIE_POST_LATENCY, cluster->timing.post_latency_ps);
	cause_rest(pipe_wait(&pcie->down, CHARGE_PCIE_DOWN_BANDWIDTH, CHARGE_WAIT_PCIE));
	return pipe_pass(&pcie->down, engine_now(), bytes, takes_ps) +
	       cluster->timing.post_latency_ps;
}

static void count_post(struct device *device, uint64_t bytes)
{
	device->pcie->posts++;
	device->pcie->posted_bytes += bytes;
}

void sim_pcie_post_word(struct device *device, uint16_t tile, uint32_t address, uint32_t value)
{
	uint16_t port = device->info->geometry->pcie_tile;
	int64_t at_ps;

	host_thread_settle();
	at_ps = pcie_send_down(device, sizeof value) + sim_noc_path_ps(device, port, tile);
	sim_noc_charge_path(device, sim_noc_path_ps(device, port, tile), 1);
	count_post(device, sizeof value);
	sim_noc_word_at(sim_tile(device, tile), port, at_ps, address, value);
}

void sim_pcie_post(struct device *device, uint16_t tile, uint32_t address, struct span span)
{
	uint16_t port = device->info->geometry->pcie_tile;
	struct tile *to = sim_tile(device, tile);
	const struct sim_timing *timing = &device->cluster->timing;
	int64_t takes_ps = server_transfer_ps(span.length, timing->down_bytes_per_s);
	int64_t last_ps, head_ps, wait_ps;

	host_thread_settle();
	last_ps = pcie_send_down(device, span.length);
	wait_ps = wait_for_links(device, 0, tile,
		&(struct noc_load){last_ps - takes_ps, takes_ps,
			sim_noc_wire_bytes(timing, span.length), NOC_SENDS, false});
	cause_charge(CHARGE_NOC_LINK_RATE, wait_ps);
	last_ps += wait_ps + sim_noc_path_ps(device, port, tile);
	sim_noc_charge_path(device, sim_noc_path_ps(device, port, tile), 1);
	head_ps = last_ps - takes_ps;
	count_post(device, span.length);
	sim_noc_bulk_at(to, sim_noc_land(to, port, head_ps, last_ps, span.length), address, span);
}

/* A host thread that waits for the data of its read. */
struct peek {
	struct host_waiter waiter;
	struct tile *tile;
	uint32_t address, length;
	void *out;
	enum status status;
	int64_t back_ps;
};

static void pcie_returned_event(void *subject, uint64_t argument)
{
	struct peek *peek = subject;
	struct cluster *cluster = peek->tile->device->cluster;

	(void)argument;
	host_thread_wake(&peek->waiter);
	sim_operation_end(cluster);
}

/* Called when the request has reached the tile. The read waits for earlier posted writes. */
static void peek_event(void *subject, uint64_t argument)
{
	struct peek *peek = subject;
	uint16_t port = peek->tile->device->info->geometry->pcie_tile;
	int64_t at_ps = sim_noc_in_order(peek->tile, port, engine_now());

	(void)argument;
	if (at_ps > engine_now()) {
		engine_push(at_ps, peek_event, peek, 0);
		return;
	}
	peek->status = sim_tile_read(peek->tile, peek->address, peek->length, peek->out);
	if (peek->back_ps < at_ps)
		peek->back_ps = at_ps;
	cause_charge(CHARGE_PCIE_HOST_READ_BANDWIDTH,
		server_transfer_ps(
			peek->length, peek->tile->device->cluster->timing.peek_bytes_per_s));
	cause_rest(CHARGE_PCIE_HOST_READ_LATENCY);
	engine_push(peek->back_ps, pcie_returned_event, peek, 0);
}

enum status sim_pcie_peek(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out)
{
	struct peek peek = {.address = address, .length = length, .out = out};
	struct cluster *cluster = device->cluster;
	struct pcie *pcie = pcie_of(device);
	int64_t there_ps;

	host_thread_settle();
	peek.tile = sim_tile(device, tile);
	there_ps = pcie_send_down(device, 0);
	peek.back_ps = there_ps - cluster->timing.post_latency_ps +
		       cluster->timing.peek_latency_ps +
		       server_transfer_ps(length, cluster->timing.peek_bytes_per_s);
	pcie->peeks++;
	pcie->peeked_bytes += length;
	sim_operation_begin(cluster);
	sim_noc_charge_path(
		device, sim_noc_path_ps(device, device->info->geometry->pcie_tile, tile), 1);
	engine_push(there_ps + sim_noc_path_ps(device, device->info->geometry->pcie_tile, tile),
		peek_event, &peek, 0);
	host_thread_stall(&peek.waiter, "a read over PCIe");
	return peek.status;
}
