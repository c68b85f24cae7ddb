/* Buffers over all hosts, and writes and reads of these buffers (spec 4.3). A buffer has the same
 * address on all hosts. Buffers in the trace region are not supported, because executors allocate
 * memory there. A buffer in system memory has a copy on each host, in the memory that the host's
 * executor has mapped for its devices (spec 3.3.3); the executor itself writes and reads it. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "handle_private.h"
#include "mesh/plan/plan.h"

static struct spread_buffer *handle_data_buffer_of(const struct handle_buffer *buffer)
{
	union {
		const struct handle_buffer *from;
		struct spread_buffer *to;
	} cast = {buffer};

	return cast.to;
}

/* Finds the allocator of the memory, and the cores of a sub-device that hold the pages. */
static enum status find_allocator(struct distributed *of, struct spread_buffer *made,
	struct buffer_config *dealt, struct text *why)
{
	enum status status;

	if (dealt->sub_device == 0)
		return STATUS_OK;
	status = sub_device_deal(of->site, made->spread.device_bytes, dealt, why);
	if (status != STATUS_OK)
		return status;
	made->local = of->sub_device_l1[dealt->sub_device - 1];
	return made->local != NULL
		       ? STATUS_OK
		       : refuse(why, STATUS_NO_SPACE, "sub-devices have no L1 of their own");
}

static enum status handle_data_take(struct distributed *of, struct spread_buffer *made,
	const struct buffer_config *config, struct text *why)
{
	uint64_t bytes = placement_slot_bytes(&made->placement);

	return made->local != NULL
		       ? allocator_take(made->local, bytes, config->bottom_up, &made->address, why)
		       : memory_take(
				 of, config->type, bytes, config->bottom_up, &made->address, why);
}

static enum status handle_data_make(struct distributed *of, const struct mesh_layout *layout,
	const struct buffer_config *config, struct text *why, struct spread_buffer *made)
{
	struct buffer_config dealt = *config;
	enum status status =
		mesh_spread_init(&made->spread, layout, of->shape.rows, of->shape.columns, why);

	if (status == STATUS_OK)
		status = find_allocator(of, made, &dealt, why);
	if (status == STATUS_OK)
		status = placement_init(&made->placement, &dealt, made->spread.device_bytes,
			of->geometry, sizes_page_alignment(&of->config, config->type), why);
	if (status == STATUS_OK)
		status = described_check(layout, why);
	if (status == STATUS_OK)
		status = handle_data_take(of, made, config, why);
	return status;
}

enum status on_distributed_buffer_new(struct device_handle *handle,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct handle_buffer **buffer)
{
	struct distributed *of = distributed_of(handle);
	struct spread_buffer *made;
	struct order *order;
	enum status status;

	world->work(WORK_API_CALL, 1);
	if (config->type == BUFFER_SYSTEM && layout->sharded)
		return refuse(why, STATUS_INVALID,
			"shards in system memory, of which each host has one copy");
	if (config->type == BUFFER_TRACE)
		return refuse(why, STATUS_UNSUPPORTED,
			"a buffer where executors allocate, in a trace region");
	made = allocate(1, sizeof *made);
	status = handle_data_make(of, layout, config, why, made);
	if (status != STATUS_OK) {
		free(made);
		return status;
	}
	made->of = of;
	made->sub_devices = sub_device_bits((uint8_t)(config->sub_device - 1));
	made->number = numbers_take(&of->buffers);
	order = order_new(of->parts, WIRE_create_buffer, 0, of->parts->taking);
	order->command.create_buffer = described_buffer(layout, config);
	order->command.create_buffer.buffer = made->number;
	order->command.create_buffer.address = (uint32_t)made->address;
	forward(of->controller, order);
	*buffer = (struct handle_buffer *)made;
	return STATUS_OK;
}

void on_distributed_buffer_free(struct handle_buffer *buffer)
{
	struct spread_buffer *freed = handle_data_buffer_of(buffer);
	struct distributed *of;
	struct order *order;

	if (freed == NULL)
		return;
	of = freed->of;
	order = order_new(of->parts, WIRE_free_buffer, 0, of->parts->taking);
	order->command.free_buffer.buffer = freed->number;
	if (freed->local != NULL)
		allocator_release(freed->local, freed->address);
	else
		memory_release(of, freed->placement.config.type, freed->address, order);
	forward(of->controller, order);
	numbers_give_back(&of->buffers, freed->number);
	free(freed);
}

uint32_t on_distributed_buffer_address(const struct handle_buffer *buffer)
{
	return (uint32_t)handle_data_buffer_of(buffer)->address;
}

uint64_t on_distributed_buffer_bytes(const struct handle_buffer *buffer)
{
	return handle_data_buffer_of(buffer)->spread.layout.size_bytes;
}

uint64_t on_distributed_buffer_device_bytes(const struct handle_buffer *buffer)
{
	return handle_data_buffer_of(buffer)->spread.device_bytes;
}

struct device_range on_distributed_buffer_read_range(const struct handle_buffer *buffer)
{
	const struct spread_buffer *of = handle_data_buffer_of(buffer);
	struct device_range range = device_range_all(of->of->shape);

	if (of->spread.replicated_rows && of->spread.replicated_columns)
		return (struct device_range){0, 0, 0, 0};
	if (!of->spread.replicated_rows && !of->spread.replicated_columns)
		return range;
	if (of->spread.layout.orientation == ORIENTATION_ROW_MAJOR)
		range.row1 = 0;
	else
		range.column1 = 0;
	return range;
}

const struct placement *on_distributed_buffer_placement(const struct handle_buffer *buffer)
{
	return &handle_data_buffer_of(buffer)->placement;
}

static bool is_of_hosts(const struct spread_buffer *buffer)
{
	return buffer->placement.config.type == BUFFER_SYSTEM;
}

/* Returns the hosts that need the data of a write to all devices. Returns 0, which stands for all
 * hosts that take part, if the buffer is in system memory, because each host then stores a copy. */
static uint32_t hosts_needed(const struct spread_buffer *buffer)
{
	return is_of_hosts(buffer) ? 0 : buffer->of->parts->initiating;
}

/* Returns UNSUPPORTED for two kinds of calls with a buffer in system memory: calls for a single
 * device, and calls that a trace captures. The mesh device of one host does the same. */
static enum status check_memory(const struct distributed *of, struct handle_call call,
	const struct spread_buffer *buffer, bool one)
{
	bool captured = of->capturing[call.queue].number != 0;

	return is_of_hosts(buffer) && (one || captured) ? STATUS_UNSUPPORTED : STATUS_OK;
}

/* ---- writes ---- */

/* Sends a write. If the queue captures a trace, copies the data, because the caller may use its
 * memory again when the call returns. */
static enum status send_write(struct distributed *of, struct handle_call call,
	struct spread_buffer *buffer, struct order *order, const void *data, uint64_t bytes)
{
	bool captured = of->capturing[call.queue].number != 0;

	order->command.write_buffer.buffer = buffer->number;
	order->command.write_buffer.blocking = call.blocking;
	order->command.write_buffer.operation = distributed_counted(of, call);
	order->waits = buffer->sub_devices;
	if (order->needed == 0 || captured) /* a trace of any host may contain the data */
		order->needed = of->parts->taking;
	order->data = data;
	order->bytes = bytes;
	order->spread = buffer->spread;
	if (captured || data == NULL) { /* NULL: the data are not simulated, so zeros are sent */
		order->owned = allocate(1, bytes);
		if (data != NULL)
			memcpy(order->owned, data, bytes);
		order->data = order->owned;
	}
	return distributed_forward(of, order, call);
}

/* Returns the hosts that have a shard. If the mesh device spans all hosts, returns all hosts. */
static uint32_t holders(const struct spread_buffer *buffer)
{
	const struct distributed *of = buffer->of;
	uint32_t hosts = 0;

	for (uint32_t i = 0; i < of->controller->settings.host_count; i++)
		if ((of->parts->taking >> i & 1) != 0 &&
			(of->parts->spans || part_shards(&of->parts->part[i], &buffer->spread) > 0))
			hosts |= 1u << i;
	return hosts;
}

enum status on_distributed_write(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const void *data)
{
	struct distributed *of = distributed_of(handle);
	struct spread_buffer *to = handle_data_buffer_of(buffer);
	enum status status = distributed_check(of, call);
	struct order *order;

	distributed_called(call.operation, call.queue);
	if (status == STATUS_OK)
		status = check_memory(of, call, to, false);
	if (status == STATUS_OK) {
		order = order_new(of->parts, WIRE_write_buffer, call.queue, holders(to));
		order->all = true;
		order->same = to->spread.replicated_rows && to->spread.replicated_columns;
		order->needed = hosts_needed(to);
		status = send_write(of, call, to, order, data, to->spread.layout.size_bytes);
	}
	return distributed_returned(call.operation, call.queue, status);
}

/* Sets *range to the single device of a call. Returns OUT_OF_RANGE if the device does not exist. */
static enum status find_device(struct distributed *of, struct handle_call call, uint16_t row,
	uint16_t column, struct device_range *range)
{
	*range = (struct device_range){row, column, row, column};
	if (!device_range_valid(*range, of->shape))
		return STATUS_OUT_OF_RANGE;
	return distributed_check(of, call);
}

static struct wire_range *wire_range(struct order *order, struct device_range range)
{
	struct wire_range *wire = arena_alloc(&order->arena, sizeof *wire);

	*wire = part_to_wire(range);
	return wire;
}

enum status on_distributed_write_shard(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, uint16_t row, uint16_t column, const void *data)
{
	struct distributed *of = distributed_of(handle);
	struct spread_buffer *to = handle_data_buffer_of(buffer);
	struct device_range range;
	enum status status = find_device(of, call, row, column, &range);
	struct order *order;

	distributed_called(call.operation, call.queue);
	if (status == STATUS_OK)
		status = check_memory(of, call, to, true);
	if (status == STATUS_OK) {
		order = order_new(
			of->parts, WIRE_write_buffer, call.queue, distributed_takers(of, range));
		order->command.write_buffer.ranges.at = wire_range(order, range);
		order->command.write_buffer.ranges.count = 1;
		order->needed = distributed_hosts(of, range);
		status = send_write(of, call, to, order, data, to->spread.device_bytes);
	}
	return distributed_returned(call.operation, call.queue, status);
}

enum status distributed_write_part(struct distributed *of, struct handle_call call,
	struct handle_buffer *buffer, const struct device_range *device, uint8_t *data)
{
	struct spread_buffer *to = handle_data_buffer_of(buffer);
	struct order *order = order_new(of->parts, WIRE_write_buffer, call.queue,
		device != NULL ? distributed_takers(of, *device) : holders(to));

	order->owned = data;
	order->all = device == NULL;
	if (device != NULL) {
		order->command.write_buffer.ranges.at = wire_range(order, *device);
		order->command.write_buffer.ranges.count = 1;
		order->needed = distributed_hosts(of, *device);
	}
	return send_write(of, call, to, order, data, to->spread.device_bytes);
}

/* ---- reads ---- */

static void describe_read(struct distributed *of, struct handle_call call,
	const struct spread_buffer *buffer, struct order *order)
{
	order->waits = buffer->sub_devices;
	order->command.read_buffer.buffer = buffer->number;
	order->command.read_buffer.bytes = buffer->spread.layout.size_bytes;
	order->command.read_buffer.blocking = call.blocking;
	order->command.read_buffer.operation = distributed_counted(of, call);
}

/* Registers the answers that the hosts will send for a read, before the read is sent. */
static struct awaited *await_read(struct distributed *of, struct handle_call call,
	const struct spread_buffer *buffer, struct order *order, bool one, void *data)
{
	struct controller *controller = of->controller;
	struct awaited *awaited;

	of->busy[call.queue] |= QUEUE_SENT;
	describe_read(of, call, buffer, order);
	awaited = table_await(controller, of->parts, AWAITED_READ,
		forward_number(controller, order), order->hosts);
	awaited->kept = call.blocking;
	awaited->call = call;
	awaited->data = data;
	awaited->one = one;
	awaited->spread = buffer->spread;
	return awaited;
}

/* Captures a read. The hosts send its data at every replay, see handle_traces.c. */
static enum status capture_read(struct distributed *of, struct handle_call call,
	const struct spread_buffer *buffer, struct order *order, bool one, void *data)
{
	struct capturing *capturing = &of->capturing[call.queue];
	uint32_t count = capturing->read_count++;

	if ((count & (count + 1)) == 0)
		capturing->reads =
			allocate_more(capturing->reads, 2 * count + 1, sizeof *capturing->reads);
	describe_read(of, call, buffer, order);
	capturing->reads[count] =
		(struct captured_read){capturing->calls, order->hosts, one, buffer->spread, data};
	return distributed_forward(of, order, call);
}

static enum status send_read(struct distributed *of, struct handle_call call,
	const struct spread_buffer *buffer, struct order *order, bool one, void *data)
{
	struct awaited *awaited;

	if (of->capturing[call.queue].number != 0)
		return capture_read(of, call, buffer, order, one, data);
	awaited = await_read(of, call, buffer, order, one, data);
	forward(of->controller, order);
	return call.blocking ? table_wait(of->controller, awaited, DEADLINE_NEVER)
			     : table_judge(of->controller);
}

struct awaited *distributed_read_part(struct distributed *of, struct handle_call call,
	struct handle_buffer *buffer, struct device_range device, uint8_t *data)
{
	struct order *order =
		order_new(of->parts, WIRE_read_buffer, call.queue, distributed_hosts(of, device));
	struct awaited *awaited;

	order->command.read_buffer.ranges.at = wire_range(order, device);
	order->command.read_buffer.ranges.count = 1;
	awaited = await_read(of, call, handle_data_buffer_of(buffer), order, true, data);
	awaited->kept = true;
	awaited->call.operation = 0; /* this read is only a part of the operation */
	forward(of->controller, order);
	return awaited;
}

static uint32_t read_hosts(const struct spread_buffer *buffer)
{
	const struct distributed *of = buffer->of;
	uint32_t hosts = 0;

	for (uint32_t i = 0; i < of->controller->settings.host_count; i++)
		if ((of->parts->taking >> i & 1) != 0 &&
			part_is_read(&of->parts->part[i], &buffer->spread))
			hosts |= 1u << i;
	return hosts;
}

enum status on_distributed_read(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, void *data)
{
	struct distributed *of = distributed_of(handle);
	struct spread_buffer *from = handle_data_buffer_of(buffer);
	enum status status = distributed_check(of, call);

	distributed_called(call.operation, call.queue);
	if (status == STATUS_OK)
		status = check_memory(of, call, from, false);
	if (status == STATUS_OK)
		status = send_read(of, call, from,
			order_new(of->parts, WIRE_read_buffer, call.queue, read_hosts(from)), false,
			data);
	return distributed_returned(call.operation, call.queue, status);
}

enum status on_distributed_read_shard(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, uint16_t row, uint16_t column, void *data)
{
	struct distributed *of = distributed_of(handle);
	struct device_range range;
	enum status status = find_device(of, call, row, column, &range);
	struct order *order;

	distributed_called(call.operation, call.queue);
	if (status == STATUS_OK)
		status = check_memory(of, call, handle_data_buffer_of(buffer), true);
	if (status == STATUS_OK) {
		order = order_new(
			of->parts, WIRE_read_buffer, call.queue, distributed_hosts(of, range));
		order->command.read_buffer.ranges.at = wire_range(order, range);
		order->command.read_buffer.ranges.count = 1;
		status = send_read(of, call, handle_data_buffer_of(buffer), order, true, data);
	}
	return distributed_returned(call.operation, call.queue, status);
}

/* ---- loading (spec 4.3.3) ---- */

/* Loads all data at the controller, and writes them to the devices. */
static enum status load_here(
	struct distributed *of, struct handle_call call, struct spread_buffer *to, const char *name)
{
	const struct shard_loader *loader = &of->controller->settings.loader;
	uint64_t bytes = to->spread.layout.size_bytes;
	struct order *order = order_new(of->parts, WIRE_write_buffer, call.queue, holders(to));
	struct text *why = &of->controller->why;
	enum status status = STATUS_UNSUPPORTED;

	order->owned = allocate(1, bytes);
	order->all = true;
	order->same = to->spread.replicated_rows && to->spread.replicated_columns;
	order->needed = hosts_needed(to);
	text_clear(why);
	if (loader->load != NULL) {
		storage_charge(bytes);
		status = loader->load(loader->context, name, 0, bytes, order->owned, why);
	}
	if (status == STATUS_OK)
		return send_write(of, call, to, order, order->owned, bytes);
	order_free(order);
	return status;
}

static enum status load_there(
	struct distributed *of, struct handle_call call, struct spread_buffer *to, const char *name)
{
	struct order *order = order_new(of->parts, WIRE_load_shard, call.queue, holders(to));

	order->command.load_shard.buffer = to->number;
	order->command.load_shard.blocking = call.blocking;
	order->command.load_shard.operation = call.operation;
	order->command.load_shard.name = (struct wire_bytes){
		(const uint8_t *)arena_string(&order->arena, name), (uint32_t)strlen(name)};
	return distributed_forward(of, order, call);
}

enum status distributed_load(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const char *name)
{
	struct distributed *of = distributed_of(handle);
	const struct loading_ops *row = of->controller->settings.loading;
	enum status status = distributed_check(of, call);

	distributed_called(call.operation, call.queue);
	if (status == STATUS_OK && of->capturing[call.queue].number != 0)
		status = distributed_refuse(
			of, STATUS_UNSUPPORTED, "a trace of what is read from storage");
	if (status == STATUS_OK && (row == NULL || row->by_executors))
		status = load_there(of, call, handle_data_buffer_of(buffer), name);
	else if (status == STATUS_OK)
		status = load_here(of, call, handle_data_buffer_of(buffer), name);
	return distributed_returned(call.operation, call.queue, status);
}
