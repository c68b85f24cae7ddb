/* Tensors over all hosts. Their buffers are the same as on the mesh of one host
 * (mesh/tensor.h). For a write, the controller packs the data of each device and sends them
 * to the device's host. For a read, it receives the data of each device and unpacks them. As on one
 * host, traces cannot capture writes and reads of tensors. */
#include <stdlib.h>

#include "base/allocate.h"
#include "handle_private.h"
#include "mesh/tensor.h"

struct spread_tensor {
	struct tensor_parts parts;
	struct handle_buffer *buffer;
};

static const struct spread_tensor *tensor_of(const struct handle_tensor *tensor)
{
	return (const struct spread_tensor *)tensor;
}

enum status on_distributed_tensor_new(struct device_handle *handle, const struct layout *layout,
	struct text *why, struct handle_tensor **tensor)
{
	struct distributed *of = distributed_of(handle);
	struct spread_tensor *made = allocate(1, sizeof *made);
	struct mesh_layout spread;
	struct buffer_config config;
	enum status status = tensor_parts_init(
		&made->parts, layout, of->shape, of->geometry, &of->config, why, &spread, &config);

	if (status == STATUS_OK)
		status = on_distributed_buffer_new(handle, &spread, &config, why, &made->buffer);
	if (status != STATUS_OK) {
		free(made);
		return status;
	}
	*tensor = (struct handle_tensor *)made;
	return STATUS_OK;
}

void on_distributed_tensor_free(struct handle_tensor *tensor)
{
	if (tensor != NULL)
		on_distributed_buffer_free(tensor_of(tensor)->buffer);
	free(tensor);
}

struct handle_buffer *on_distributed_tensor_buffer(const struct handle_tensor *tensor)
{
	return tensor_of(tensor)->buffer;
}

struct device_range on_distributed_tensor_read_range(const struct handle_tensor *tensor)
{
	return tensor_parts_read_range(&tensor_of(tensor)->parts);
}

/* Returns the number of devices to write or read. For a replicated tensor, this is 1: a write sends
 * the same data to all devices, and a read uses one device. */
static uint32_t part_count(const struct spread_tensor *tensor)
{
	return tensor->parts.replicated ? 1 : mesh_shape_count(tensor->parts.shape);
}

static struct device_range handle_tensors_device_at(
	const struct spread_tensor *tensor, uint32_t device)
{
	uint16_t row = (uint16_t)(device / tensor->parts.shape.columns);
	uint16_t column = (uint16_t)(device % tensor->parts.shape.columns);

	return (struct device_range){row, column, row, column};
}

/* Begins a call that ends when the parts of all devices are done. */
static enum status handle_tensors_begin(struct distributed *of, struct handle_call *call)
{
	enum status status;

	call->blocking = true;
	status = distributed_check(of, *call);
	distributed_called(call->operation, call->queue);
	return status;
}

/* ---- writes ---- */

static enum status write_parts(struct distributed *of, struct handle_call call,
	const struct spread_tensor *tensor, const struct tensor_source *source)
{
	const struct handle_call later = {.queue = call.queue, .operation = call.operation};
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < part_count(tensor) && status == STATUS_OK; i++) {
		const struct device_range one = handle_tensors_device_at(tensor, i);
		uint8_t *part;

		if (!tensor_parts_hold(&tensor->parts, i))
			continue;
		part = allocate(1, tensor->parts.device_bytes);
		tensor_part_make(&tensor->parts, source, i, part);
		status = distributed_write_part(
			of, later, tensor->buffer, tensor->parts.replicated ? NULL : &one, part);
	}
	return status == STATUS_OK ? distributed_finish(of, call, SUB_DEVICES_ALL, DEADLINE_NEVER)
				   : status;
}

enum status on_distributed_write_tensor(struct device_handle *handle, struct handle_call call,
	struct handle_tensor *tensor, const struct tensor_source *source)
{
	struct distributed *of = distributed_of(handle);
	enum status status = handle_tensors_begin(of, &call);

	if (status == STATUS_OK)
		status = write_parts(of, call, tensor_of(tensor), source);
	return distributed_returned(call.operation, call.queue, status);
}

/* ---- reads ---- */

/* A part that is being read. */
struct reading {
	struct awaited *awaited; /* NULL: the device has no part */
	uint8_t *part;
};

/* Unpacks the data of each device when they arrive. After an error, still waits for the data of all
 * devices, because their memory must stay valid until they have arrived. Returns OK or the first
 * error. */
static enum status handle_tensors_take_parts(struct distributed *of,
	const struct spread_tensor *tensor, const struct tensor_sink *sink,
	struct reading *readings)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < part_count(tensor); i++) {
		struct reading *reading = &readings[i];
		enum status one;

		if (reading->awaited == NULL)
			continue;
		one = table_wait(of->controller, reading->awaited, DEADLINE_NEVER);
		if (status == STATUS_OK)
			status = one;
		if (status == STATUS_OK)
			tensor_part_take(&tensor->parts, sink, i, reading->part);
		free(reading->part);
	}
	return status;
}

static enum status read_parts(struct distributed *of, struct handle_call call,
	const struct spread_tensor *tensor, const struct tensor_sink *sink)
{
	struct reading *readings = allocate(part_count(tensor), sizeof *readings);
	enum status status;

	for (uint32_t i = 0; i < part_count(tensor); i++) {
		if (!tensor_parts_hold(&tensor->parts, i))
			continue;
		readings[i].part = allocate(1, tensor->parts.device_bytes);
		readings[i].awaited = distributed_read_part(of, call, tensor->buffer,
			handle_tensors_device_at(tensor, i), readings[i].part);
	}
	status = handle_tensors_take_parts(of, tensor, sink, readings);
	if (status == STATUS_OK && call.operation != 0)
		world->mark(call.operation, MARK_SEEN, call.queue);
	free(readings);
	return status;
}

enum status on_distributed_read_tensor(struct device_handle *handle, struct handle_call call,
	struct handle_tensor *tensor, const struct tensor_sink *sink)
{
	struct distributed *of = distributed_of(handle);
	enum status status = handle_tensors_begin(of, &call);

	if (status == STATUS_OK)
		status = read_parts(of, call, tensor_of(tensor), sink);
	return distributed_returned(call.operation, call.queue, status);
}
