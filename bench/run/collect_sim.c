/* Turns what the models counted into rows. Refuses to compute anything but ratios. */
#include <stdio.h>
#include <string.h>

#include "chip/sim_device.h"
#include "host/statistics.h"
#include "bench/scenario/machine_constants.h"
#include "run_sim.h"
#include "run_world.h"

static double ratio(int64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void fabric_row(const struct client *client, uint32_t index, uint64_t simulated_ps,
	uint64_t bandwidth, struct link_row *row)
{
	struct sim_link_statistics link;

	sim_link_statistics(client->cluster, index, &link);
	snprintf(row->name, sizeof row->name, "chip %u to %u, link %u", link.from, link.to,
		link.index);
	snprintf(row->kind, sizeof row->kind, "fabric");
	row->from = link.from;
	row->to = link.to;
	row->bandwidth = bandwidth;
	row->bytes = link.wire_bytes;
	row->payload = link.payload_bytes;
	row->messages = link.packets;
	row->busy = link.busy_ps;
	row->waited = link.waited_ps;
	row->blocked = link.blocked_ps;
	row->utilization = ratio(link.busy_ps, simulated_ps);
}

/* What went one way over a chip's PCIe. */
struct pcie_way {
	uint64_t bandwidth, bytes, messages;
	int64_t busy_ps, waited_ps;
};

static struct link_row pcie_row(
	int32_t from, int32_t to, struct pcie_way way, uint64_t simulated_ps)
{
	struct link_row row = {.from = from,
		.to = to,
		.bandwidth = way.bandwidth,
		.bytes = way.bytes,
		.payload = way.bytes,
		.messages = way.messages,
		.busy = way.busy_ps,
		.waited = way.waited_ps,
		.utilization = ratio(way.busy_ps, simulated_ps)};

	snprintf(row.kind, sizeof row.kind, "pcie");
	snprintf(row.name, sizeof row.name, "PCIe %s chip %d", to < 0 ? "from" : "to",
		to < 0 ? from : to);
	return row;
}

static void pcie_rows(const struct client *client, uint16_t chip, uint64_t simulated_ps,
	uint64_t down, uint64_t up, struct link_row *rows)
{
	struct sim_pcie_statistics pcie;

	sim_pcie_statistics(client->cluster, chip, &pcie);

	struct pcie_way to_chip = {down, pcie.posted_bytes + pcie.read_bytes,
		pcie.posts + pcie.reads, pcie.down_busy_ps, pcie.down_waited_ps};
	struct pcie_way from_chip = {up, pcie.written_bytes + pcie.peeked_bytes,
		pcie.writes + pcie.peeks, pcie.up_busy_ps, pcie.up_waited_ps};

	rows[0] = pcie_row(-1, chip, to_chip, simulated_ps);
	rows[1] = pcie_row(chip, -1, from_chip, simulated_ps);
}

void collect_links(const struct client *client, struct run_record *record, struct arena *arena)
{
	const struct platform *platform = client->plan->platform;
	const struct cluster_info *info = platform_cluster(platform);
	uint32_t fabric = sim_link_count(client->cluster), count = 0;
	uint64_t simulated = record->totals.simulated_ps;
	struct link_row *rows =
		arena_array(arena, fabric + 2 * (size_t)info->chip_count, sizeof *rows);
	struct chip_constants chip;

	machine_chip_constants(platform, &chip);
	for (uint16_t i = 0; i < info->chip_count; i++) {
		if (!info->chips[i].has_pcie)
			continue;
		pcie_rows(client, i, simulated, (uint64_t)chip.pcie_down_bytes_per_s,
			(uint64_t)chip.pcie_device_write_bytes_per_s, &rows[count]);
		count += 2;
	}
	for (uint32_t i = 0; i < fabric; i++)
		fabric_row(
			client, i, simulated, (uint64_t)chip.ethernet_bytes_per_s, &rows[count++]);
	record_table(record, results_links(), rows, count);
}

void collect_deliveries(const struct client *client, struct run_record *record)
{
	const struct cluster_info *info = platform_cluster(client->plan->platform);
	struct sim_conservation conservation;
	struct sim_tile_statistics tile;
	struct sim_pcie_statistics pcie;

	for (uint16_t chip = 0; chip < info->chip_count; chip++) {
		for (uint16_t i = 0; i < info->chips[chip].geometry->tile_count; i++) {
			sim_tile_statistics(client->cluster, chip, i, &tile);
			record->totals.deliveries += tile.in_messages + tile.increments;
		}
		sim_pcie_statistics(client->cluster, chip, &pcie);
		record->totals.deliveries += pcie.posts + pcie.peeks + pcie.reads + pcie.writes;
	}
	sim_conservation(client->cluster, &conservation);
	record->totals.delivered_bytes = conservation.noc_delivered_bytes +
					 conservation.fabric_delivered_bytes +
					 conservation.pcie_delivered_bytes;
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

/* Receive buffers of the fabric's routers: the ports that can fill and block. */
void collect_queues(const struct client *client, struct run_record *record, struct arena *arena)
{
	uint32_t count = sim_link_count(client->cluster);
	struct queue_row *rows = arena_array(arena, count, sizeof *rows);
	struct chip_constants chip;

	machine_chip_constants(client->plan->platform, &chip);
	for (uint32_t i = 0; i < count; i++) {
		struct sim_link_statistics link;

		sim_link_statistics(client->cluster, i, &link);
		snprintf(rows[i].name, sizeof rows[i].name,
			"receive slots, chip %u from %u, link %u", link.to, link.from, link.index);
		rows[i].chip = link.to;
		rows[i].capacity = (uint32_t)chip.router_receiver_slots;
		rows[i].high_water = link.slots_high_water;
		rows[i].taken = link.packets;
		rows[i].blocked = link.blocked;
		rows[i].blocked_time = link.blocked_ps;
		rows[i].waiting_high_water = link.waiting_high_water;
	}
	record_table(record, results_queues(), rows, count);
}

void collect_cores(const struct client *client, struct run_record *record, struct arena *arena)
{
	uint32_t count = sim_stage_count(client->cluster);
	struct core_row *rows = arena_array(arena, count, sizeof *rows);

	for (uint32_t i = 0; i < count; i++) {
		struct sim_stage_statistics stage;
		struct core_row *row = &rows[i];

		sim_stage_statistics(client->cluster, i, &stage);
		row->chip = stage.chip;
		row->tile = stage.stage->tile;
		row->processor = stage.stage->processor;
		snprintf(row->role, sizeof row->role, "%s", stage.stage->ops->name);
		row->steps = stage.stage->steps;
		row->busy_cycles = stage.stage->busy_cycles;
		row->busy = stage.busy_ps;
		row->blocked = stage.blocked_ps;
		row->utilization = ratio(stage.busy_ps, record->totals.simulated_ps);
		if (strcmp(row->role, "worker") != 0 &&
			(uint64_t)row->busy > record->totals.max_chip_ps)
			record->totals.max_chip_ps = (uint64_t)row->busy;
	}
	record_table(record, results_cores(), rows, count);
}
