/* Queries of an open mesh device: its shape, its tiles and memory, and its counters. */
#include "mesh/device/device.h"

#include "base/ensure.h"
#include "firmware/broadcast/broadcast.h"

uint32_t range_device(const struct mesh_device *mesh, struct device_range range, uint32_t i)
{
	uint32_t width = (uint32_t)(range.column1 - range.column0) + 1;

	return (range.row0 + i / width) * mesh->plan.mesh.shape.columns + range.column0 + i % width;
}

uint32_t range_near(const struct mesh_device *mesh, struct device_range range)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++)
		if (mesh_is_near(mesh, range_device(mesh, range, i)))
			return range_device(mesh, range, i);
	return range_device(mesh, range, 0);
}

struct command_queue *mesh_queue(struct mesh_device *mesh, uint32_t index)
{
	ensure(index < mesh->queue_count, "command queue %u of %u", index, mesh->queue_count);
	return &mesh->queues[index];
}

uint32_t mesh_device_number(const struct mesh_device *mesh)
{
	return mesh->number;
}

struct mesh_shape mesh_device_shape(const struct mesh_device *mesh)
{
	return mesh->plan.mesh.shape;
}

uint32_t mesh_device_count(const struct mesh_device *mesh)
{
	return mesh->devices;
}

uint32_t mesh_queue_count(const struct mesh_device *mesh)
{
	return mesh->queue_count;
}

uint16_t mesh_device_chip(const struct mesh_device *mesh, uint16_t row, uint16_t column)
{
	return (uint16_t)(virtual_mesh_chip(&mesh->plan.mesh, row, column) - mesh->first_chip);
}

struct cluster *mesh_device_cluster(const struct mesh_device *mesh)
{
	return mesh->cluster;
}

const struct chip_geometry *mesh_device_geometry(const struct mesh_device *mesh)
{
	return mesh->geometry;
}

uint32_t mesh_worker_columns(const struct mesh_device *mesh)
{
	return mesh->geometry->worker_columns;
}

uint32_t mesh_worker_rows(const struct mesh_device *mesh)
{
	return mesh->geometry->worker_rows;
}

uint32_t mesh_ethernet_cores(const struct mesh_device *mesh)
{
	return mesh->plan.ethernet_count;
}

uint16_t mesh_ethernet_tile(const struct mesh_device *mesh, uint32_t core)
{
	ensure(core < mesh->plan.ethernet_count, "Ethernet core %u of %u", core,
		mesh->plan.ethernet_count);
	return mesh->plan.ethernet_tiles[core];
}

uint32_t mesh_dram_banks(const struct mesh_device *mesh)
{
	return mesh->geometry->dram_bank_count;
}

uint64_t mesh_dram_bank_bytes(const struct mesh_device *mesh)
{
	return mesh->geometry->dram_bank_bytes;
}

uint32_t mesh_worker_l1_bytes(const struct mesh_device *mesh)
{
	return mesh->geometry->l1_bytes;
}

struct tile_grid mesh_tile_grid(const struct mesh_device *mesh)
{
	return (struct tile_grid){mesh->geometry->noc_columns, mesh->geometry->noc_rows};
}

struct tile_grid mesh_worker_grid(const struct mesh_device *mesh)
{
	return (struct tile_grid){mesh->geometry->worker_columns, mesh->geometry->worker_rows};
}

struct tile_grid mesh_dram_grid(const struct mesh_device *mesh)
{
	return (struct tile_grid){mesh->geometry->dram_bank_count, 1};
}

struct allocator_usage mesh_memory_usage(const struct mesh_device *mesh, enum buffer_type type)
{
	return allocator_usage(mesh->memory[type]);
}

uint64_t mesh_free_bytes(const struct mesh_device *mesh, bool l1)
{
	return mesh_memory_usage(mesh, l1 ? BUFFER_L1 : BUFFER_DRAM).free_bytes;
}

uint32_t mesh_worker_result(const struct mesh_device *mesh)
{
	return mesh->plan.words.result;
}

const struct mesh_resources *mesh_device_resources(const struct mesh_device *mesh)
{
	return &mesh->resources;
}

const struct mesh_config *mesh_device_config(const struct mesh_device *mesh)
{
	return &mesh->config;
}

static void count_issue(struct mesh_counters *counters, const struct issue_queue *issue)
{
	struct issue_queue_counters issued;

	if (issue == NULL)
		return;
	issued = issue_queue_counters(issue);
	counters->bytes_issued += issued.bytes;
	counters->doorbells += issued.doorbells;
	counters->issue_waits += issued.waits;
}

static void add_issued(struct issued *sum, const struct issued *issued)
{
	sum->transactions += issued->transactions;
	sum->bytes += issued->bytes;
	sum->commands += issued->commands;
	sum->header_bytes += issued->header_bytes;
	sum->order_transactions += issued->order_transactions;
	sum->order_commands += issued->order_commands;
	sum->order_bytes += issued->order_bytes;
}

static void count_fabric(struct mesh_counters *counters, const struct mesh_device *mesh)
{
	for (uint32_t i = 0; i < mesh->queue_count * mesh->plan.grids; i++) {
		struct packetizer_counters sent;

		if (mesh->packetizers[i] == NULL)
			continue;
		sent = packetizer_counters(mesh->packetizers[i]);

		counters->packets += sent.packets;
		counters->packet_bytes += sent.bytes;
		counters->credits_taken += sent.credits;
	}
	for (uint32_t i = 0; mesh->plan.grids > 0 && i < mesh->queue_count * mesh->devices; i++) {
		struct depacketizer_counters received;

		if (mesh->depacketizers[i] == NULL)
			continue;
		received = depacketizer_counters(mesh->depacketizers[i]);
		counters->credit_returns += received.returns;
		counters->credits_due += received.credits;
		counters->spilled_bytes += received.spilled_bytes;
		if (received.spill_peak_bytes > counters->spill_peak_bytes)
			counters->spill_peak_bytes = received.spill_peak_bytes;
	}
}

void mesh_device_counters(const struct mesh_device *mesh, struct mesh_counters *counters)
{
	*counters = mesh->counters;
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++) {
		for (uint32_t i = 0; i < mesh->devices; i++) {
			count_issue(counters, mesh->queues[queue].lanes[i].issue);
			add_issued(&counters->unicasts, &mesh->queues[queue].lanes[i].issued);
		}
		for (uint32_t f = 0; f < mesh->plan.feeds; f++) {
			count_issue(counters, mesh->queues[queue].feeds[f].issue);
			add_issued(&counters->broadcasts, &mesh->queues[queue].feeds[f].issued);
		}
	}
	count_fabric(counters, mesh);
}
