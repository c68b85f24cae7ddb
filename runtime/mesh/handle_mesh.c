/* The operations of device handles (mesh/handle.h) for a mesh device with one or more devices. Each
 * operation looks up the queue by its number and calls the corresponding function of the mesh API.
 * The handle keeps no state of its own. */
#include "mesh/handle.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/trace.h"
#include "handle_mesh.h"

static const struct handle_ops mesh_row;

static struct command_queue *queue_of(const struct device_handle *handle, uint32_t number)
{
	return mesh_queue(mesh_of(handle), number);
}

static struct mesh_buffer *buffer_of(struct handle_buffer *buffer)
{
	return (struct mesh_buffer *)buffer;
}

static const struct mesh_buffer *known_buffer(const struct handle_buffer *buffer)
{
	return (const struct mesh_buffer *)buffer;
}

/* Converts an event of a handle into an event of the mesh API. Returns false if another handle
 * recorded the event. */
static bool event_of(const struct device_handle *handle, const struct handle_event *event,
	struct mesh_event *wanted)
{
	if (event->device != handle->number)
		return false;
	*wanted = (struct mesh_event){.queue = queue_of(handle, event->queue),
		.range = event->range,
		.id = event->id,
		.to_host = event->to_host,
		.operation = event->operation,
		.capture = event->capture};
	return true;
}

/* ---- the device ---- */

static enum status on_mesh_open(struct mesh_system *system, const struct mesh_config *config,
	struct text *why, struct device_handle **handle)
{
	struct mesh_handle *made = allocate(1, sizeof *made);
	enum status status = mesh_open(system, config, why, &made->mesh);

	if (status != STATUS_OK) {
		free(made);
		return status;
	}
	made->handle = (struct device_handle){&mesh_row, mesh_device_number(made->mesh)};
	*handle = &made->handle;
	return STATUS_OK;
}

static void on_mesh_close(struct device_handle *handle)
{
	if (handle != NULL)
		mesh_close(mesh_of(handle));
	free(handle);
}

static struct mesh_shape on_mesh_shape(const struct device_handle *handle)
{
	return mesh_device_shape(mesh_of(handle));
}

static uint32_t on_mesh_queue_count(const struct device_handle *handle)
{
	return mesh_queue_count(mesh_of(handle));
}

static const struct chip_geometry *on_mesh_geometry(const struct device_handle *handle)
{
	return mesh_device_geometry(mesh_of(handle));
}

static const struct program_limits *on_mesh_limits(const struct device_handle *handle)
{
	return program_site_limits(mesh_program_site(mesh_of(handle)));
}

static struct affinity on_mesh_caller_place(struct device_handle *handle)
{
	return mesh_caller_place(mesh_of(handle));
}

/* ---- memory ---- */

static struct allocator_usage on_mesh_memory_usage(
	const struct device_handle *handle, enum buffer_type type)
{
	return mesh_memory_usage(mesh_of(handle), type);
}

static enum status on_mesh_buffer_new(struct device_handle *handle,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct handle_buffer **buffer)
{
	struct mesh_buffer *made;
	enum status status = mesh_buffer_new(mesh_of(handle), layout, config, why, &made);

	if (status == STATUS_OK)
		*buffer = (struct handle_buffer *)made;
	return status;
}

static void on_mesh_buffer_free(struct handle_buffer *buffer)
{
	mesh_buffer_free(buffer_of(buffer));
}

static uint32_t on_mesh_buffer_address(const struct handle_buffer *buffer)
{
	return mesh_buffer_address(known_buffer(buffer));
}

static uint64_t on_mesh_buffer_bytes(const struct handle_buffer *buffer)
{
	return mesh_buffer_bytes(known_buffer(buffer));
}

static uint64_t on_mesh_buffer_device_bytes(const struct handle_buffer *buffer)
{
	return mesh_buffer_device_bytes(known_buffer(buffer));
}

static struct device_range on_mesh_buffer_read_range(const struct handle_buffer *buffer)
{
	return mesh_buffer_read_range(known_buffer(buffer));
}

static const struct placement *on_mesh_buffer_placement(const struct handle_buffer *buffer)
{
	return mesh_buffer_placement(known_buffer(buffer));
}

static enum status on_mesh_host_memory_new(
	struct device_handle *handle, uint64_t bytes, struct text *why, struct host_memory **memory)
{
	return host_memory_new(mesh_of(handle), bytes, why, memory);
}

/* ---- programs ---- */

static struct program *on_mesh_program_new(struct device_handle *handle, const char *name)
{
	return program_new(mesh_of(handle), name);
}

static void on_mesh_program_free(struct device_handle *handle, struct program *program)
{
	(void)handle;
	program_free(program);
}

static struct workload *on_mesh_workload_new(struct device_handle *handle)
{
	return workload_new(mesh_of(handle));
}

static void on_mesh_workload_free(struct device_handle *handle, struct workload *workload)
{
	(void)handle;
	workload_free(workload);
}

static enum status on_mesh_workload_check(
	const struct device_handle *handle, const struct workload *workload, struct text *why)
{
	(void)handle;
	return workload_check(workload, why);
}

/* ---- operations of queues ---- */

static enum status on_mesh_write(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const void *data)
{
	return enqueue_write_buffer(queue_of(handle, call.queue), buffer_of(buffer), data,
		call.blocking, call.operation);
}

static enum status on_mesh_read(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, void *data)
{
	return enqueue_read_buffer(queue_of(handle, call.queue), buffer_of(buffer), data,
		call.blocking, call.operation);
}

static enum status on_mesh_write_shard(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, uint16_t row, uint16_t column, const void *data)
{
	return enqueue_write_shard(queue_of(handle, call.queue), buffer_of(buffer), row, column,
		data, call.blocking, call.operation);
}

static enum status on_mesh_read_shard(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, uint16_t row, uint16_t column, void *data)
{
	return enqueue_read_shard(queue_of(handle, call.queue), buffer_of(buffer), row, column,
		data, call.blocking, call.operation);
}

static enum status on_mesh_write_region(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const struct buffer_region *region, const void *data)
{
	return enqueue_write_region(queue_of(handle, call.queue), buffer_of(buffer), region, data,
		call.blocking, call.operation);
}

static enum status on_mesh_read_region(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const struct buffer_region *region, void *data)
{
	return enqueue_read_region(queue_of(handle, call.queue), buffer_of(buffer), region, data,
		call.blocking, call.operation);
}

static enum status on_mesh_write_pinned(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const struct host_memory *memory, uint64_t offset)
{
	return enqueue_write_pinned(queue_of(handle, call.queue), buffer_of(buffer), memory, offset,
		call.blocking, call.operation);
}

static enum status on_mesh_read_pinned(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, struct host_memory *memory, uint64_t offset)
{
	return enqueue_read_pinned(queue_of(handle, call.queue), buffer_of(buffer), memory, offset,
		call.blocking, call.operation);
}

static enum status on_mesh_run(
	struct device_handle *handle, struct handle_call call, struct workload *workload)
{
	return enqueue_workload(
		queue_of(handle, call.queue), workload, call.blocking, call.operation);
}

static enum status on_mesh_run_program(
	struct device_handle *handle, struct handle_call call, struct program *program)
{
	return enqueue_program(
		queue_of(handle, call.queue), program, call.blocking, call.operation);
}

/* ---- tensors ---- */

static struct mesh_tensor *tensor_of(struct handle_tensor *tensor)
{
	return (struct mesh_tensor *)tensor;
}

static enum status on_mesh_tensor_new(struct device_handle *handle, const struct layout *layout,
	struct text *why, struct handle_tensor **tensor)
{
	struct mesh_tensor *made;
	enum status status = mesh_tensor_new(mesh_of(handle), layout, why, &made);

	if (status == STATUS_OK)
		*tensor = (struct handle_tensor *)made;
	return status;
}

static void on_mesh_tensor_free(struct handle_tensor *tensor)
{
	mesh_tensor_free(tensor_of(tensor));
}

static struct handle_buffer *on_mesh_tensor_buffer(const struct handle_tensor *tensor)
{
	return (struct handle_buffer *)mesh_tensor_buffer((const struct mesh_tensor *)tensor);
}

static struct device_range on_mesh_tensor_read_range(const struct handle_tensor *tensor)
{
	return mesh_tensor_read_range((const struct mesh_tensor *)tensor);
}

static enum status on_mesh_write_tensor(struct device_handle *handle, struct handle_call call,
	struct handle_tensor *tensor, const struct tensor_source *source)
{
	return mesh_tensor_write(
		queue_of(handle, call.queue), tensor_of(tensor), source, call.operation);
}

static enum status on_mesh_read_tensor(struct device_handle *handle, struct handle_call call,
	struct handle_tensor *tensor, const struct tensor_sink *sink)
{
	return mesh_tensor_read(
		queue_of(handle, call.queue), tensor_of(tensor), sink, call.operation);
}

/* ---- events ---- */

static enum status on_mesh_record(struct device_handle *handle, struct handle_call call,
	struct device_range range, bool to_host, struct handle_event *event)
{
	struct mesh_event made;
	enum status status = enqueue_record_event(
		queue_of(handle, call.queue), range, to_host, call.operation, &made);

	if (status == STATUS_OK)
		*event = (struct handle_event){.range = made.range,
			.device = handle->number,
			.queue = call.queue,
			.id = made.id,
			.operation = made.operation,
			.to_host = made.to_host,
			.capture = made.capture};
	return status;
}

static enum status on_mesh_wait(
	struct device_handle *handle, struct handle_call call, const struct handle_event *event)
{
	struct mesh_event wanted;

	if (!event_of(handle, event, &wanted))
		return STATUS_INVALID;
	return enqueue_wait_event(queue_of(handle, call.queue), &wanted, call.operation);
}

static enum status on_mesh_synchronize(
	struct device_handle *handle, const struct handle_event *event, int64_t deadline_ns)
{
	struct mesh_event wanted;

	return event_of(handle, event, &wanted) ? event_synchronize(&wanted, deadline_ns)
						: STATUS_INVALID;
}

static enum status on_mesh_finish(
	struct device_handle *handle, uint32_t queue, uint32_t operation, int64_t deadline_ns)
{
	return queue_finish(queue_of(handle, queue), operation, deadline_ns);
}

static enum status on_mesh_finish_of(struct device_handle *handle, uint32_t queue,
	uint32_t sub_devices, uint32_t operation, int64_t deadline_ns)
{
	return queue_finish_of(queue_of(handle, queue), sub_devices, operation, deadline_ns);
}

/* ---- traces ---- */

static enum status on_mesh_trace_begin(
	struct device_handle *handle, uint32_t queue, struct text *why)
{
	return trace_begin(queue_of(handle, queue), why);
}

static enum status on_mesh_trace_end(
	struct device_handle *handle, uint32_t queue, struct text *why, struct handle_trace **trace)
{
	struct mesh_trace *made = NULL;
	enum status status = trace_end(queue_of(handle, queue), why, &made);

	*trace = (struct handle_trace *)made;
	return status;
}

static enum status on_mesh_replay(struct device_handle *handle, struct handle_call call,
	struct handle_trace *trace, uint32_t first_operation)
{
	return enqueue_trace(queue_of(handle, call.queue), (struct mesh_trace *)trace,
		first_operation, call.blocking, call.operation);
}

static enum status on_mesh_trace_event(struct device_handle *handle,
	const struct handle_trace *trace, const struct handle_event *captured,
	struct handle_event *event)
{
	struct mesh_event wanted, made;
	enum status status;

	if (!event_of(handle, captured, &wanted))
		return STATUS_NOT_FOUND;
	status = trace_event((const struct mesh_trace *)trace, &wanted, &made);
	if (status != STATUS_OK)
		return status;
	*event = *captured;
	event->id = made.id;
	event->capture = 0;
	return STATUS_OK;
}

static uint32_t on_mesh_trace_sub_devices(const struct handle_trace *trace)
{
	return trace_sub_devices((const struct mesh_trace *)trace);
}

static void on_mesh_trace_free(struct handle_trace *trace)
{
	trace_free((struct mesh_trace *)trace);
}

/* Sets a member of the table to this file's function on_mesh_OPERATION(). */
#define ON_MESH(operation) .operation = on_mesh_##operation

static const struct handle_ops mesh_row = {.name = "mesh",
	ON_MESH(open),
	ON_MESH(close),
	ON_MESH(shape),
	ON_MESH(queue_count),
	ON_MESH(geometry),
	ON_MESH(limits),
	ON_MESH(memory_usage),
	ON_MESH(sub_devices_load),
	ON_MESH(sub_devices_clear),
	ON_MESH(sub_devices_create),
	ON_MESH(sub_devices_switch),
	ON_MESH(sub_device_usage),
	ON_MESH(caller_place),
	ON_MESH(buffer_new),
	ON_MESH(buffer_free),
	ON_MESH(buffer_address),
	ON_MESH(buffer_bytes),
	ON_MESH(buffer_device_bytes),
	ON_MESH(buffer_read_range),
	ON_MESH(buffer_placement),
	ON_MESH(host_memory_new),
	ON_MESH(program_new),
	ON_MESH(program_free),
	ON_MESH(workload_new),
	ON_MESH(workload_free),
	ON_MESH(workload_check),
	ON_MESH(write),
	ON_MESH(read),
	ON_MESH(write_shard),
	ON_MESH(read_shard),
	ON_MESH(write_region),
	ON_MESH(read_region),
	ON_MESH(write_pinned),
	ON_MESH(read_pinned),
	ON_MESH(run),
	ON_MESH(run_program),
	ON_MESH(tensor_new),
	ON_MESH(tensor_free),
	ON_MESH(tensor_buffer),
	ON_MESH(tensor_read_range),
	ON_MESH(write_tensor),
	ON_MESH(read_tensor),
	ON_MESH(record),
	ON_MESH(wait),
	ON_MESH(synchronize),
	ON_MESH(finish),
	ON_MESH(finish_of),
	ON_MESH(trace_begin),
	ON_MESH(trace_end),
	ON_MESH(replay),
	ON_MESH(trace_event),
	ON_MESH(trace_sub_devices),
	ON_MESH(trace_free),
	ON_MESH(resources),
	ON_MESH(counters),
	ON_MESH(rest),
	ON_MESH(core_result),
	ON_MESH(machine)};

const struct handle_ops *handle_row(size_t index)
{
	static const struct handle_ops *const rows[] = {&mesh_row};

	return index < sizeof(rows) / sizeof(*rows) ? rows[index] : NULL;
}
