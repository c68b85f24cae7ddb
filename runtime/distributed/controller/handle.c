/* The device handle of a mesh over several hosts (the implementation "distributed" of
 * mesh/handle.h). This file opens and closes the mesh on all hosts, and contains the table of
 * operations. Pinned memory is not supported, because it belongs to a single host. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "handle_private.h"
#include "mesh/assembled.h"
#include "mesh/plan/plan.h"

/* ---- opening ---- */

static bool overlap(struct device_range a, struct device_range b)
{
	return a.row0 <= b.row1 && b.row0 <= a.row1 && a.column0 <= b.column1 &&
	       b.column0 <= a.column1;
}

/* Determines which hosts take part, and which devices each host contributes. */
static struct mesh_parts *handle_parts_new(
	struct controller *controller, const struct mesh_config *config)
{
	const struct mesh_parts *before = controller->meshes;
	const struct reach_ops *reach = controller->settings.reach;
	struct mesh_parts *parts = arena_alloc(&controller->arena, sizeof *parts);

	*parts = (struct mesh_parts){.next = controller->meshes,
		.number = before != NULL ? (uint16_t)(before->number + 1) : 0,
		.place = {config->offset.row, config->offset.column,
			(uint16_t)(config->offset.row + config->shape.rows - 1),
			(uint16_t)(config->offset.column + config->shape.columns - 1)},
		.spans = reach != NULL && reach->spans && config->forward.path->broadcasts};
	for (uint32_t i = 0; i < controller->settings.host_count; i++) {
		const struct part want = {config->shape, parts->place};
		struct device_range cut;

		if (!part_cut(&want, controller->hosts[i].place, &cut))
			continue;
		parts->taking |= 1u << i;
		parts->part[i] = (struct part){config->shape, cut};
	}
	return parts;
}

/* Checks a mesh against the meshes that are open or were. */
static enum status handle_parts_check(
	const struct controller *controller, const struct mesh_parts *parts, struct text *why)
{
	if (parts->number >= MESHES_MAX)
		return refuse(
			why, STATUS_OUT_OF_RANGE, "more than %d meshes in one run", MESHES_MAX);
	for (uint32_t i = 0; i < controller->settings.host_count; i++)
		if ((parts->taking & controller->ended) >> i & 1)
			return refuse(why, STATUS_CLOSED, "host %s has ended with its last mesh",
				controller->hosts[i].name);
	for (const struct mesh_parts *other = parts->next; other != NULL; other = other->next) {
		if (other->open == NULL)
			continue;
		if (parts->spans || other->spans)
			return refuse(why, STATUS_UNSUPPORTED,
				"several meshes, and a broadcast to the devices of all hosts");
		if (overlap(parts->place, other->place))
			return refuse(
				why, STATUS_EXISTS, "another open mesh has some of these devices");
	}
	return STATUS_OK;
}

/* Returns the configuration of one host's mesh. It is the configuration of the whole mesh with
 * other settings for marks. Unless the mesh device of a host spans all hosts, the shape is that of
 * the host's part, and the offset is the position of this part on the host. */
static struct mesh_config config_of(const struct distributed *of, uint32_t index)
{
	const struct controller *controller = of->controller;
	const struct mesh_config *config = &of->config;
	const struct part *part = &of->parts->part[index];
	const struct host *host = &controller->hosts[index];
	struct mesh_config own = *config;

	own.marks.calls_apart = true;
	own.whole = (struct whole_config){.spans = of->parts->spans};
	for (uint32_t i = 0; i < index; i++)
		own.marks.first_chip += controller->hosts[i].info.chip_count;
	if (of->parts->spans)
		return own;
	own.shape = part_shape(part);
	own.offset.row = (uint16_t)(config->offset.row + part->range.row0 - host->place.row0);
	own.offset.column =
		(uint16_t)(config->offset.column + part->range.column0 - host->place.column0);
	return own;
}

static bool same_limits(const struct program_limits *a, const struct program_limits *b)
{
	return a->worker_columns == b->worker_columns && a->worker_rows == b->worker_rows &&
	       a->ethernet_cores == b->ethernet_cores &&
	       a->config_ring_bytes == b->config_ring_bytes && a->buffers_base == b->buffers_base &&
	       a->l1_bytes == b->l1_bytes && a->binary_page_bytes == b->binary_page_bytes &&
	       a->packed_bytes == b->packed_bytes;
}

/* Adds the resources of a host. Numbers for a single chip become the maximum over all hosts. */
static void add_resources(struct mesh_resources *sum, const struct mesh_resources *one)
{
#define MOST(member) sum->member = sum->member > one->member ? sum->member : one->member
	MOST(mesh_processors);
	MOST(mesh_tiles);
	MOST(mesh_l1_bytes);
	MOST(mesh_dram_bytes);
	MOST(gateway_processors);
	MOST(gateway_tiles);
	MOST(gateway_l1_bytes);
	MOST(worker_config_ring_bytes);
	MOST(workers);
	MOST(ethernet_cores);
#undef MOST
	sum->host_threads += one->host_threads;
	sum->initiators += one->initiators;
	sum->total_processors += one->total_processors;
	sum->total_tiles += one->total_tiles;
	sum->host_window_bytes += one->host_window_bytes;
	sum->issue_queues += one->issue_queues;
	sum->completion_queues += one->completion_queues;
}

/* Determines the limits of programs, and the resources, of a mesh device that spans all hosts. */
static enum status find_limits_of_all(
	struct distributed *of, struct program_limits *limits, struct text *why)
{
	struct controller *controller = of->controller;
	struct mesh_config config = config_of(of, 0);
	enum status status;

	if (controller->settings.links == 0)
		return refuse(why, STATUS_UNSUPPORTED,
			"a broadcast over several hosts, which no links join");
	of->geometry = controller->info->chips[0].geometry;
	of->parts->initiating = of->config.coordinates == COORDINATES_PHYSICAL
					? of->parts->taking
					: mesh_initiator_hosts(controller->info, &config);
	status = program_limits_plan(controller->info, &config, limits, why);
	return status == STATUS_OK ? mesh_plan(controller->info, &config, &of->resources, why)
				   : status;
}

/* Determines the limits of programs, which must be the same on all hosts, and the resources. */
static enum status find_limits(
	struct distributed *of, struct program_limits *limits, struct text *why)
{
	struct controller *controller = of->controller;
	struct program_limits first = {0}, own;
	struct mesh_resources resources;
	bool found = false;

	if (of->parts->spans)
		return find_limits_of_all(of, limits, why);

	for (uint32_t i = 0; i < controller->settings.host_count; i++) {
		struct mesh_config config = config_of(of, i);
		enum status status;

		if ((of->parts->taking >> i & 1) == 0)
			continue;
		status = program_limits_plan(&controller->hosts[i].info, &config, &own, why);
		if (status == STATUS_OK)
			status = mesh_plan(&controller->hosts[i].info, &config, &resources, why);
		if (status != STATUS_OK)
			return status;
		if (found && !same_limits(&first, &own))
			return refuse(why, STATUS_INVALID,
				"devices of host %s are not as those of the hosts before",
				controller->hosts[i].name);
		if (!found)
			of->geometry = controller->hosts[i].info.chips[0].geometry;
		add_resources(&of->resources, &resources);
		first = own;
		found = true;
	}
	*limits = first;
	return STATUS_OK;
}

static struct order *opening(const struct distributed *of, uint32_t index)
{
	const struct controller *controller = of->controller;
	const struct part *part = &of->parts->part[index];
	struct mesh_config config = config_of(of, index);
	struct order *order = order_new(of->parts, WIRE_open_mesh, 0, 1u << index);
	struct wire_open_mesh *message = &order->command.open_mesh;

	message->rows = of->shape.rows;
	message->columns = of->shape.columns;
	message->part_row = part->range.row0;
	message->part_column = part->range.column0;
	message->part_rows = part_shape(part).rows;
	message->part_columns = part_shape(part).columns;
	options_write(&config, &order->arena, message);
	message->asks = distributed_allocation(of)->asks;
	message->compiles = distributed_compile(of)->by_executors;
	message->keeps = !controller->settings.compiles_again;
	return order;
}

/* Opens the mesh on all hosts at once, and then waits for each host. */
static enum status open_hosts(struct distributed *of, struct text *why)
{
	struct controller *controller = of->controller;
	struct awaited *awaited[DISTRIBUTED_HOSTS_MAX] = {NULL};
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < controller->settings.host_count; i++) {
		struct order *order;

		if ((of->parts->taking >> i & 1) == 0)
			continue;
		order = opening(of, i);
		awaited[i] = table_await(controller, of->parts, AWAITED_ANSWER,
			forward_number(controller, order), order->hosts);
		awaited[i]->kept = true;
		forward(controller, order);
	}
	for (uint32_t i = 0; i < controller->settings.host_count; i++) {
		enum status answer =
			awaited[i] ? table_wait(controller, awaited[i], DEADLINE_NEVER) : STATUS_OK;

		if (status != STATUS_OK || answer == STATUS_OK)
			continue;
		status = answer;
		if (why != NULL)
			text_append(why, controller_why(controller));
	}
	return status;
}

static void distributed_free(struct distributed *of)
{
	memory_settle(of);
	for (int type = 0; type < BUFFER_TYPE_COUNT; type++)
		allocator_free(of->memory[type]);
	distributed_forget_sub_devices(of);
	distributed_forget_workloads(of);
	if (of->shared != NULL)
		world->monitor_free(of->shared);
	program_site_free(of->site);
	compiled_fini(&of->compiled);
	for (uint32_t i = 0; i < MESH_COMMAND_QUEUES_MAX; i++)
		free(of->capturing[i].reads);
	free(of->buffers.used);
	free(of->workloads.used);
	free(of->traces.used);
	of->parts->open = NULL;
	free(of);
}

enum status distributed_open(struct controller *controller, const struct mesh_config *config,
	struct text *why, struct device_handle **handle)
{
	const struct cluster_info *info = controller->info;
	struct mesh_parts *parts;
	struct program_limits limits;
	struct distributed *made;
	enum status status;

	if (info == NULL)
		return refuse(why, STATUS_EXISTS, "there are no executors");
	if (config->shape.rows == 0 || config->shape.columns == 0 ||
		config->offset.row + config->shape.rows > info->mesh_rows ||
		config->offset.column + config->shape.columns > info->mesh_columns)
		return refuse(why, STATUS_OUT_OF_RANGE, "%u x %u devices at %u,%u of %u x %u",
			config->shape.rows, config->shape.columns, config->offset.row,
			config->offset.column, info->mesh_rows, info->mesh_columns);
	parts = handle_parts_new(controller, config);
	status = handle_parts_check(controller, parts, why);
	if (status != STATUS_OK)
		return status;
	controller->meshes = parts;
	made = allocate(1, sizeof *made);
	made->parts = parts;
	parts->open = made;
	made->handle = (struct device_handle){&distributed_row, parts->number + 1u};
	made->controller = controller;
	made->config = *config;
	made->shape = config->shape;
	made->compiled.forgets = controller->settings.compiles_again;
	if (!distributed_allocation(made)->region)
		made->config.sizes.binary_region_bytes = 0;
	else if (made->config.sizes.binary_region_bytes == 0)
		made->config.sizes.binary_region_bytes = DISTRIBUTED_BINARY_REGION_BYTES;
	status = find_limits(made, &limits, why);
	if (status == STATUS_OK)
		status = open_hosts(made, why);
	if (status == STATUS_OK)
		status = memory_find(made, why);
	if (status != STATUS_OK) {
		distributed_free(made);
		return status;
	}
	made->site = program_site_new(&limits, made->shape);
	assembled_on(made->site, made->geometry);
	if (controller->settings.links > 0)
		program_site_join(made->site, info, config->offset, config->topology);
	*handle = &made->handle;
	return STATUS_OK;
}

static enum status on_distributed_open(struct mesh_system *system, const struct mesh_config *config,
	struct text *why, struct device_handle **handle)
{
	(void)system;
	(void)config;
	(void)handle;
	return refuse(
		why, STATUS_UNSUPPORTED, "a distributed device is opened through its controller");
}

static void on_distributed_close(struct device_handle *handle)
{
	struct distributed *of;
	struct controller *controller;
	struct order *order;
	uint32_t ending;

	if (handle == NULL)
		return;
	of = distributed_of(handle);
	controller = of->controller;
	ending = of->parts->taking;
	for (const struct mesh_parts *mesh = controller->meshes; mesh != NULL; mesh = mesh->next)
		if (mesh->open != NULL && mesh->open != of)
			ending &= ~mesh->taking;
	order = order_new(of->parts, WIRE_close_mesh, 0, of->parts->taking);
	table_closing(controller, ending, forward_number(controller, order));
	controller->ended |= ending;
	(void)distributed_forward(of, order, (struct handle_call){.blocking = true});
	distributed_free(of);
}

static struct mesh_shape on_distributed_shape(const struct device_handle *handle)
{
	return distributed_of(handle)->shape;
}

static uint32_t on_distributed_queue_count(const struct device_handle *handle)
{
	return distributed_of(handle)->config.command_queues;
}

/* ---- operations that only a single host supports ---- */

/* Pinned memory of the caller is never supported, not even if an executor runs on the same machine:
 * only executors map memory for devices. */
static const char pinned_out_of_reach[] =
	"pinned memory of the caller is out of reach of the devices, which read the memory that "
	"their own executor maps";

static enum status on_distributed_host_memory_new(
	struct device_handle *handle, uint64_t bytes, struct text *why, struct host_memory **memory)
{
	(void)handle;
	(void)bytes;
	(void)memory;
	return refuse(why, STATUS_UNSUPPORTED, "%s", pinned_out_of_reach);
}

static enum status on_distributed_write_pinned(struct device_handle *handle,
	struct handle_call call, struct handle_buffer *buffer, const struct host_memory *memory,
	uint64_t offset)
{
	(void)call;
	(void)buffer;
	(void)memory;
	(void)offset;
	return distributed_refuse(distributed_of(handle), STATUS_UNSUPPORTED, pinned_out_of_reach);
}

static enum status on_distributed_write_region(struct device_handle *handle,
	struct handle_call call, struct handle_buffer *buffer, const struct buffer_region *region,
	const void *data)
{
	(void)call;
	(void)buffer;
	(void)region;
	(void)data;
	return distributed_refuse(distributed_of(handle), STATUS_UNSUPPORTED,
		"hosts are sent whole parts of buffers");
}

static enum status on_distributed_read_region(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const struct buffer_region *region, void *data)
{
	return on_distributed_write_region(handle, call, buffer, region, data);
}

static enum status on_distributed_read_pinned(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, struct host_memory *memory, uint64_t offset)
{
	return on_distributed_write_pinned(handle, call, buffer, memory, offset);
}

/* The operations of the table have the same names in these files, with a prefix. */
#define ON_DISTRIBUTED(operation) .operation = on_distributed_##operation

const struct handle_ops distributed_row = {.name = "distributed",
	ON_DISTRIBUTED(open),
	ON_DISTRIBUTED(close),
	ON_DISTRIBUTED(shape),
	ON_DISTRIBUTED(queue_count),
	ON_DISTRIBUTED(buffer_new),
	ON_DISTRIBUTED(buffer_free),
	ON_DISTRIBUTED(buffer_bytes),
	ON_DISTRIBUTED(buffer_device_bytes),
	ON_DISTRIBUTED(buffer_read_range),
	ON_DISTRIBUTED(buffer_placement),
	ON_DISTRIBUTED(host_memory_new),
	ON_DISTRIBUTED(program_new),
	ON_DISTRIBUTED(program_free),
	ON_DISTRIBUTED(workload_new),
	ON_DISTRIBUTED(workload_free),
	ON_DISTRIBUTED(workload_check),
	ON_DISTRIBUTED(write),
	ON_DISTRIBUTED(read),
	ON_DISTRIBUTED(write_shard),
	ON_DISTRIBUTED(read_shard),
	ON_DISTRIBUTED(write_region),
	ON_DISTRIBUTED(read_region),
	ON_DISTRIBUTED(write_pinned),
	ON_DISTRIBUTED(read_pinned),
	ON_DISTRIBUTED(run),
	ON_DISTRIBUTED(record),
	ON_DISTRIBUTED(wait),
	ON_DISTRIBUTED(synchronize),
	ON_DISTRIBUTED(finish),
	ON_DISTRIBUTED(finish_of),
	ON_DISTRIBUTED(trace_begin),
	ON_DISTRIBUTED(trace_end),
	ON_DISTRIBUTED(replay),
	ON_DISTRIBUTED(trace_event),
	ON_DISTRIBUTED(trace_sub_devices),
	ON_DISTRIBUTED(trace_free),
	ON_DISTRIBUTED(geometry),
	ON_DISTRIBUTED(limits),
	ON_DISTRIBUTED(memory_usage),
	ON_DISTRIBUTED(sub_devices_load),
	ON_DISTRIBUTED(sub_devices_clear),
	ON_DISTRIBUTED(sub_devices_create),
	ON_DISTRIBUTED(sub_devices_switch),
	ON_DISTRIBUTED(sub_device_usage),
	ON_DISTRIBUTED(caller_place),
	ON_DISTRIBUTED(buffer_address),
	ON_DISTRIBUTED(run_program),
	ON_DISTRIBUTED(tensor_new),
	ON_DISTRIBUTED(tensor_free),
	ON_DISTRIBUTED(tensor_buffer),
	ON_DISTRIBUTED(tensor_read_range),
	ON_DISTRIBUTED(write_tensor),
	ON_DISTRIBUTED(read_tensor),
	ON_DISTRIBUTED(resources),
	ON_DISTRIBUTED(counters),
	ON_DISTRIBUTED(rest),
	ON_DISTRIBUTED(core_result),
	ON_DISTRIBUTED(machine)};
