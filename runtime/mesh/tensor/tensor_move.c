/* Tensors on their way between the host and the mesh, shard by shard. The host's work is charged as
 * what it is: copies, at the bandwidth of its memory (bench-layout says how near to memcpy tilizing
 * comes). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "tensor_private.h"

/* The shard in slot `slot` of a device. Slots follow the walk over cores or banks. False if the
 * grid has none there. */
static bool shard_in(const struct mesh_tensor *tensor, uint32_t row, uint32_t column, uint64_t slot,
	struct layout_shape *shard)
{
	const struct layout *layout = &tensor->layout;
	uint32_t rank = layout->grid.rank;
	struct layout_unit unit = {.device_row = row, .device_column = column};
	struct layout_shape cores = {.rank = rank > 1 ? 2 : 1};

	if (tensor->replicated)
		unit.device_row = unit.device_column = 0;
	/* the first of the device names its leading coordinates; the rest are counted */
	if (!layout_unit_shard(layout, &tensor->machine, &unit, shard))
		return false;
	memcpy(cores.size, &layout->grid.size[rank - cores.rank], cores.rank * sizeof *cores.size);
	cores = layout_at(&cores, slot);
	memcpy(&shard->size[rank - cores.rank], cores.size, cores.rank * sizeof *cores.size);
	return true;
}

static uint64_t device_bytes(const struct mesh_tensor *tensor)
{
	return mesh_buffer_device_bytes(tensor->buffer);
}

static void charge(const struct mesh_tensor *tensor)
{
	world->work(WORK_COPY_RUN, 1);
	world->work_copy(
		shard_data_copied_bytes(&tensor->layout), MEMORY_UNCACHED_SOURCE, MEMORY_CACHED);
}

/* What one device holds. */
static void pack_device(const struct mesh_tensor *tensor, const struct tensor_source *source,
	uint32_t row, uint32_t column, uint8_t *part, void *scratch)
{
	uint64_t slots = device_bytes(tensor) / tensor->slot_bytes;
	uint64_t shard_bytes = tensor->layout.shard_bytes;

	for (uint64_t slot = 0; slot < slots; slot++, part += tensor->slot_bytes) {
		struct layout_shape shard;

		memset(part + shard_bytes, 0, tensor->slot_bytes - shard_bytes);
		if (!shard_in(tensor, row, column, slot, &shard)) {
			memset(part, 0, shard_bytes);
			continue;
		}
		shard_data_make(&tensor->layout, source, &shard, part, scratch);
		charge(tensor);
	}
}

static void unpack_device(const struct mesh_tensor *tensor, const uint8_t *part, uint32_t row,
	uint32_t column, const struct tensor_sink *sink, void *scratch)
{
	uint64_t slots = device_bytes(tensor) / tensor->slot_bytes;

	for (uint64_t slot = 0; slot < slots; slot++, part += tensor->slot_bytes) {
		struct layout_shape shard;

		if (!shard_in(tensor, row, column, slot, &shard))
			continue;
		shard_data_take(&tensor->layout, sink, &shard, part, scratch);
		charge(tensor);
	}
}

/* Number of devices whose parts differ. */
static uint32_t parts(const struct mesh_tensor *tensor)
{
	return tensor->replicated ? 1 : (uint32_t)tensor->shape.rows * tensor->shape.columns;
}

void mesh_tensor_pack(
	const struct mesh_tensor *tensor, const struct tensor_source *source, uint8_t *image)
{
	void *scratch = allocate(1, shard_data_scratch_bytes(&tensor->layout));

	for (uint32_t i = 0; i < parts(tensor); i++)
		pack_device(tensor, source, i / tensor->shape.columns, i % tensor->shape.columns,
			image + i * device_bytes(tensor), scratch);
	free(scratch);
}

void mesh_tensor_unpack(
	const struct mesh_tensor *tensor, const uint8_t *image, const struct tensor_sink *sink)
{
	void *scratch = allocate(1, shard_data_scratch_bytes(&tensor->layout));

	for (uint32_t i = 0; i < parts(tensor); i++)
		unpack_device(tensor, image + i * device_bytes(tensor), i / tensor->shape.columns,
			i % tensor->shape.columns, sink, scratch);
	free(scratch);
}

/* Whether a device holds a shard at all. */
static bool holds(const struct mesh_tensor *tensor, uint32_t device)
{
	struct layout_shape shard;

	return shard_in(
		tensor, device / tensor->shape.columns, device % tensor->shape.columns, 0, &shard);
}

enum status mesh_tensor_write(
	struct command_queue *queue, struct mesh_tensor *tensor, const struct tensor_source *source)
{
	uint32_t columns = tensor->shape.columns, under_way = 0;
	uint32_t devices = (uint32_t)tensor->shape.rows * columns;
	void *scratch = allocate(1, shard_data_scratch_bytes(&tensor->layout));
	uint8_t *memory = allocate(MESH_TENSOR_PARTS, device_bytes(tensor));
	enum status status = STATUS_OK;

	for (uint32_t i = 0; status == STATUS_OK && i < devices; i++) {
		uint8_t *part = memory + under_way * device_bytes(tensor);

		if (!holds(tensor, i))
			continue;
		if (!tensor->replicated || i == 0)
			pack_device(tensor, source, i / columns, i % columns, part, scratch);
		else
			part = memory; /* the same for all */
		status = enqueue_write_shard(queue, tensor->buffer, (uint16_t)(i / columns),
			(uint16_t)(i % columns), part, false, 0);
		if (!tensor->replicated && ++under_way == MESH_TENSOR_PARTS) {
			under_way = 0;
			if (status == STATUS_OK)
				status = queue_finish(queue, 0, DEADLINE_NEVER);
		}
	}
	if (status == STATUS_OK)
		status = queue_finish(queue, 0, DEADLINE_NEVER);
	free(memory);
	free(scratch);
	return status;
}

enum status mesh_tensor_read(
	struct command_queue *queue, struct mesh_tensor *tensor, const struct tensor_sink *sink)
{
	uint32_t columns = tensor->shape.columns;
	void *scratch = allocate(1, shard_data_scratch_bytes(&tensor->layout));
	uint8_t *part = allocate(1, device_bytes(tensor));
	enum status status = STATUS_OK;

	for (uint32_t i = 0; status == STATUS_OK && i < parts(tensor); i++) {
		if (!holds(tensor, i))
			continue;
		status = enqueue_read_shard(queue, tensor->buffer, (uint16_t)(i / columns),
			(uint16_t)(i % columns), part, true, 0);
		if (status == STATUS_OK)
			unpack_device(tensor, part, i / columns, i % columns, sink, scratch);
	}
	free(part);
	free(scratch);
	return status;
}
