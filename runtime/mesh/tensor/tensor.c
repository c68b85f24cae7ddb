/* A mesh tensor consists of its parts (mesh/tensor.h) and a mesh buffer. The host threads
 * that build commands and receive data convert the tensor device by device. */
#include "mesh/tensor.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/device/device.h"
#include "mesh/queue/transfer.h"

struct mesh_tensor {
	struct tensor_parts parts;
	struct mesh_buffer *buffer;
};

enum status mesh_tensor_new(struct mesh_device *mesh, const struct layout *layout, struct text *why,
	struct mesh_tensor **tensor)
{
	struct mesh_tensor *made = allocate(1, sizeof *made);
	struct buffer_config config;
	struct mesh_layout spread;
	enum status status = tensor_parts_init(&made->parts, layout, mesh_device_shape(mesh),
		mesh->geometry, &mesh->config, why, &spread, &config);

	if (status == STATUS_OK)
		status = mesh_buffer_new(mesh, &spread, &config, why, &made->buffer);
	if (status != STATUS_OK) {
		free(made);
		return status;
	}
	*tensor = made;
	return STATUS_OK;
}

void mesh_tensor_free(struct mesh_tensor *tensor)
{
	if (!tensor)
		return;
	mesh_buffer_free(tensor->buffer);
	free(tensor);
}

const struct layout *mesh_tensor_layout(const struct mesh_tensor *tensor)
{
	return &tensor->parts.layout;
}

struct mesh_buffer *mesh_tensor_buffer(const struct mesh_tensor *tensor)
{
	return tensor->buffer;
}

/* ---- data ---- */

/* A write or a read. */
struct move {
	const struct tensor_parts *parts;
	const struct tensor_source *source;
	const struct tensor_sink *sink;
};

static bool holds(const void *context, uint32_t device)
{
	return tensor_parts_hold(((const struct move *)context)->parts, device);
}

static void tensor_make(const void *context, uint32_t device, uint8_t *part)
{
	const struct move *move = context;

	tensor_part_make(move->parts, move->source, device, part);
}

static void tensor_take(const void *context, uint32_t device, const uint8_t *part)
{
	const struct move *move = context;

	tensor_part_take(move->parts, move->sink, device, part);
}

struct device_range mesh_tensor_read_range(const struct mesh_tensor *tensor)
{
	return tensor_parts_read_range(&tensor->parts);
}

enum status mesh_tensor_write(struct command_queue *queue, struct mesh_tensor *tensor,
	const struct tensor_source *source, uint32_t operation)
{
	struct move move = {.parts = &tensor->parts, .source = source};
	struct write_maker maker = {holds, tensor_make, &move};

	return write_made(queue, tensor->buffer, &maker, operation);
}

enum status mesh_tensor_read(struct command_queue *queue, struct mesh_tensor *tensor,
	const struct tensor_sink *sink, uint32_t operation)
{
	struct move move = {.parts = &tensor->parts, .sink = sink};
	struct read_taker taker = {holds, tensor_take, &move};

	return read_taken(queue, tensor->buffer, &taker, operation);
}
