/* Turns the counters of the models into rows of result tables. */
#include <stdio.h>
#include <string.h>

#include "chip/sim_device.h"
#include "host/statistics.h"
#include "hostnet/hostnet.h"
#include "bench/scenario/machine_constants.h"
#include "run_world.h"

static double ratio(int64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* Returns the number of a host's first chip. Chips are numbered over all hosts. */
static uint32_t first_chip(const struct client *client, uint32_t host)
{
	return host * platform_cluster(client->plan->platform)->chip_count;
}

static void fabric_row(const struct client *client, uint32_t host, uint32_t index,
	uint64_t simulated_ps, uint64_t bandwidth, struct link_row *row)
{
	uint32_t first = first_chip(client, host);
	struct sim_link_statistics link;

	sim_link_statistics(client_cluster(client, host), index, &link);
	snprintf(row->name, sizeof row->name, "chip %u to %u, link %u", first + link.from,
		first + link.to, link.index);
	snprintf(row->kind, sizeof row->kind, "fabric");
	row->from = (int32_t)(first + link.from);
	row->to = (int32_t)(first + link.to);
	row->bandwidth = bandwidth;
	row->bytes = link.wire_bytes;
	row->payload = link.payload_bytes;
	row->messages = link.packets;
	row->busy = link.busy_ps;
	row->waited = link.waited_ps;
	row->blocked = link.blocked_ps;
	row->utilization = ratio(link.busy_ps, simulated_ps);
}

/* Traffic in one direction of a chip's PCIe or of a server's NIC. */
struct pcie_way {
	uint64_t bandwidth, bytes, messages;
	int64_t busy_ps, waited_ps;
};

static struct link_row way_row(struct pcie_way way, uint64_t simulated_ps)
{
	return (struct link_row){.from = -1,
		.to = -1,
		.bandwidth = way.bandwidth,
		.bytes = way.bytes,
		.payload = way.bytes,
		.messages = way.messages,
		.busy = way.busy_ps,
		.waited = way.waited_ps,
		.utilization = ratio(way.busy_ps, simulated_ps)};
}

static struct link_row pcie_row(
	int32_t from, int32_t to, struct pcie_way way, uint64_t simulated_ps)
{
	struct link_row row = way_row(way, simulated_ps);

	row.from = from;
	row.to = to;
	snprintf(row.kind, sizeof row.kind, "pcie");
	snprintf(row.name, sizeof row.name, "PCIe %s chip %d", to < 0 ? "from" : "to",
		to < 0 ? from : to);
	return row;
}

static void pcie_rows(const struct client *client, uint32_t host, uint16_t chip,
	const struct chip_constants *constants, uint64_t simulated_ps, struct link_row *rows)
{
	int32_t number = (int32_t)(first_chip(client, host) + chip);
	struct sim_pcie_statistics pcie;

	sim_pcie_statistics(client_cluster(client, host), chip, &pcie);

	struct pcie_way to_chip = {(uint64_t)constants->pcie_down_bytes_per_s,
		pcie.posted_bytes + pcie.read_bytes, pcie.posts + pcie.reads, pcie.down_busy_ps,
		pcie.down_waited_ps};
	struct pcie_way from_chip = {(uint64_t)constants->pcie_device_write_bytes_per_s,
		pcie.written_bytes + pcie.peeked_bytes, pcie.writes + pcie.peeks, pcie.up_busy_ps,
		pcie.up_waited_ps};

	rows[0] = pcie_row(-1, number, to_chip, simulated_ps);
	rows[1] = pcie_row(number, -1, from_chip, simulated_ps);
}

/* Rows of a server's traffic over the network between hosts, sent and received. */
static void nic_rows(
	uint16_t server, uint16_t controller, uint64_t simulated_ps, struct link_row *rows)
{
	struct hostnet_statistics counted;
	char name[PLATFORM_NAME_BYTES], who[32];

	hostnet_statistics(server, &counted);
	snprintf(who, sizeof who, server == controller ? "the controller" : "host %u", server);

	struct pcie_way out = {
		platform_link_rate(platform_nic_link(server, false, name)).bandwidth_bytes_per_s,
		counted.sent_bytes, counted.sent, counted.up_busy_ps, 0};
	struct pcie_way in = {
		platform_link_rate(platform_nic_link(server, true, name)).bandwidth_bytes_per_s,
		counted.delivered_bytes, counted.delivered, counted.down_busy_ps, 0};

	rows[0] = way_row(out, simulated_ps);
	rows[1] = way_row(in, simulated_ps);
	snprintf(rows[0].name, sizeof rows[0].name, "NIC from %s", who);
	snprintf(rows[1].name, sizeof rows[1].name, "NIC to %s", who);
	snprintf(rows[0].kind, sizeof rows[0].kind, "network");
	snprintf(rows[1].kind, sizeof rows[1].kind, "network");
}

static uint32_t host_links(const struct client *client, uint32_t host,
	const struct chip_constants *chip, uint64_t simulated_ps, struct link_row *rows)
{
	const struct cluster_info *info = platform_cluster(client->plan->platform);
	struct noc_link_rate noc = {
		(uint64_t)(chip->noc_link_bytes_per_cycle * chip->aiclk_hz), simulated_ps};
	uint32_t count = 0;

	for (uint16_t i = 0; i < info->chip_count; i++) {
		if (!info->chips[i].has_pcie)
			continue;
		pcie_rows(client, host, i, chip, simulated_ps, &rows[count]);
		count += 2;
	}
	for (uint32_t i = 0; i < sim_link_count(client_cluster(client, host)); i++)
		fabric_row(client, host, i, simulated_ps, (uint64_t)chip->ethernet_bytes_per_s,
			&rows[count++]);
	for (uint16_t i = 0; i < info->chip_count; i++)
		count += collect_noc_links(client_cluster(client, host), i,
			first_chip(client, host), noc, &rows[count]);
	return count;
}

void collect_links(const struct client *client, struct run_record *record, struct arena *arena)
{
	const struct platform *platform = client->plan->platform;
	const struct cluster_info *info = platform_cluster(platform);
	uint32_t hosts = client_cluster_count(client), count = 0;
	uint32_t fabric = sim_link_count(client_cluster(client, 0));
	size_t chip_rows =
		2 + (client->plan->scenario->model.noc == NOC_LINKS ? (size_t)NOC_LINK_ROWS : 0);
	struct link_row *rows = arena_array(
		arena, hosts * (fabric + chip_rows * info->chip_count + 2) + 2, sizeof *rows);
	struct chip_constants chip;

	machine_chip_constants(platform, &chip);
	for (uint32_t host = 0; host < hosts; host++)
		count += host_links(client, host, &chip, record->totals.simulated_ps, &rows[count]);
	for (uint16_t i = 0; client->ground && i <= hosts; i++, count += 2)
		nic_rows(i, (uint16_t)hosts, record->totals.simulated_ps, &rows[count]);
	record_table(record, results_links(), rows, count);
}

static void host_deliveries(const struct client *client, uint32_t host, struct run_totals *totals)
{
	const struct cluster_info *info = platform_cluster(client->plan->platform);
	const struct cluster *cluster = client_cluster(client, host);
	struct sim_conservation conservation;
	struct sim_tile_statistics tile;
	struct sim_pcie_statistics pcie;

	for (uint16_t chip = 0; chip < info->chip_count; chip++) {
		for (uint16_t i = 0; i < info->chips[chip].geometry->tile_count; i++) {
			sim_tile_statistics(cluster, chip, i, &tile);
			totals->deliveries += tile.in_messages + tile.increments;
		}
		sim_pcie_statistics(cluster, chip, &pcie);
		totals->deliveries += pcie.posts + pcie.peeks + pcie.reads + pcie.writes;
	}
	sim_conservation(cluster, &conservation);
	totals->delivered_bytes += conservation.noc_delivered_bytes +
				   conservation.fabric_delivered_bytes +
				   conservation.pcie_delivered_bytes;
}

void collect_deliveries(const struct client *client, struct run_record *record)
{
	for (uint32_t host = 0; host < client_cluster_count(client); host++)
		host_deliveries(client, host, &record->totals);
}

void collect_threads(struct run_record *record, struct arena *arena)
{
	uint32_t count = host_thread_count();
	struct thread_row *rows = arena_array(arena, count, sizeof *rows);

	for (uint32_t i = 0; i < count; i++) {
		struct host_thread_statistics thread;
		struct thread_row *row = &rows[i];

		host_thread_statistics(i, &thread);
		snprintf(row->name, sizeof row->name, "%s", thread.name);
		row->host = thread.host;
		row->started = thread.started_ps;
		row->ended = thread.ended_ps;
		row->busy = thread.busy_ps;
		row->copying = thread.copying_ps;
		row->spinning = thread.spinning_ps;
		row->switching = thread.switching_ps;
		row->waiting = thread.waiting_ps;
		row->parked = thread.parked_ps;
		row->switches = thread.switches;
		row->preemptions = thread.preemptions;
		row->wakes_spin = thread.wakes[HOST_WAKE_SPIN];
		row->wakes_hot = thread.wakes[HOST_WAKE_HOT];
		row->wakes_idle = thread.wakes[HOST_WAKE_IDLE];
		row->wakes_queued = thread.wakes[HOST_WAKE_QUEUED];
		row->polls = thread.work.units[WORK_POLL];
		record->totals.host_busy_ps +=
			(uint64_t)(row->busy + row->spinning + row->switching);
		record->totals.switches += row->switches;
		record->totals.wakeups += row->wakes_hot + row->wakes_idle + row->wakes_queued;
	}
	record->totals.host_threads = count;
	record_table(record, results_threads(), rows, count);
}

static void queue_row(const struct client *client, uint32_t host, uint32_t index, uint32_t capacity,
	struct queue_row *row)
{
	uint32_t first = first_chip(client, host);
	struct sim_link_statistics link;

	sim_link_statistics(client_cluster(client, host), index, &link);
	snprintf(row->name, sizeof row->name, "receive slots, chip %u from %u, link %u",
		first + link.to, first + link.from, link.index);
	row->chip = (int32_t)(first + link.to);
	row->capacity = capacity;
	row->high_water = link.slots_high_water;
	row->taken = link.packets;
	row->blocked = link.blocked;
	row->blocked_time = link.blocked_ps;
	row->waiting_high_water = link.waiting_high_water;
}

/* Adds a row for the receive buffer at each end of the fabric's links to the table of queues. A
 * full receive buffer blocks its sender. */
void collect_queues(const struct client *client, struct run_record *record, struct arena *arena)
{
	uint32_t hosts = client_cluster_count(client), count = 0;
	uint32_t links = sim_link_count(client_cluster(client, 0));
	struct queue_row *rows = arena_array(arena, (size_t)hosts * links, sizeof *rows);
	struct chip_constants chip;

	machine_chip_constants(client->plan->platform, &chip);
	for (uint32_t host = 0; host < hosts; host++)
		for (uint32_t i = 0; i < sim_link_count(client_cluster(client, host)); i++)
			queue_row(client, host, i, (uint32_t)chip.router_receiver_slots,
				&rows[count++]);
	record_table(record, results_queues(), rows, count);
}

static void core_row(const struct client *client, uint32_t host, uint32_t index,
	struct run_totals *totals, struct core_row *row)
{
	struct sim_stage_statistics stage;

	sim_stage_statistics(client_cluster(client, host), index, &stage);
	row->chip = (uint16_t)(first_chip(client, host) + stage.chip);
	row->tile = stage.stage->tile;
	row->processor = stage.stage->processor;
	strncpy(row->role, stage.stage->ops->name,
		sizeof row->role - 1); /* not snprintf(), because there are thousands of cores */
	row->steps = stage.stage->steps;
	row->busy_cycles = stage.stage->busy_cycles;
	row->busy = stage.busy_ps;
	row->blocked = stage.blocked_ps;
	row->utilization = ratio(stage.busy_ps, totals->simulated_ps);
	if (strcmp(row->role, "worker") != 0 && (uint64_t)row->busy > totals->max_chip_ps)
		totals->max_chip_ps = (uint64_t)row->busy;
}

void collect_cores(const struct client *client, struct run_record *record, struct arena *arena)
{
	uint32_t hosts = client_cluster_count(client), total = 0, count = 0;
	struct core_row *rows;

	for (uint32_t host = 0; host < hosts; host++)
		total += sim_stage_count(client_cluster(client, host));
	rows = arena_array(arena, total, sizeof *rows);
	for (uint32_t host = 0; host < hosts; host++)
		for (uint32_t i = 0; i < sim_stage_count(client_cluster(client, host)); i++)
			core_row(client, host, i, &record->totals, &rows[count++]);
	record_table(record, results_cores(), rows, count);
}
