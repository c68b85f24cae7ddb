/* Tensors on their way between the host and the mesh, shard by shard. The host's work is charged as
 * what it is: copies, at the bandwidth of its memory, and what tiles and blocks cost beside them
 * (bench-layout measures that). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/plan/sizes.h"
#include "mesh/queue/read.h"
#include "mesh/queue/write.h"
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

/* A shard is cut out of the user's tensor, or put back; tiles are made of what that left in the
 * cache, if it has room, and out of tiles come scalars that go there. */
static void charge(const struct mesh_tensor *tensor)
{
	struct shard_data_work work = shard_data_work(&tensor->layout);
	enum memory_kind scratch =
		sizes_user_memory(&tensor->buffer->mesh->config, work.scalar_bytes);

	world->work(WORK_COPY_RUN, 1);
	world->work_copy(work.scalar_bytes, MEMORY_UNCACHED_SOURCE, scratch);
	if (work.tiled_bytes > 0) {
		world->work_copy(work.tiled_bytes, scratch, scratch);
		world->work(WORK_TILIZE_BYTE, work.tiled_bytes);
	}
	if (work.blocks > 0)
		world->work(WORK_CONVERT_BLOCK, work.blocks);
}

/* A write or a read. */
struct move {
	const struct mesh_tensor *tensor;
	const struct tensor_source *source;
	const struct tensor_sink *sink;
};

/* Whether a device holds a shard at all. */
static bool holds(const void *context, uint32_t device)
{
	const struct move *move = context;
	const struct mesh_tensor *tensor = move->tensor;
	struct layout_shape shard;

	return shard_in(
		tensor, device / tensor->shape.columns, device % tensor->shape.columns, 0, &shard);
}

struct device_range mesh_tensor_read_range(const struct mesh_tensor *tensor)
{
	struct device_range most = mesh_buffer_read_range(tensor->buffer);
	struct device_range range = {0, 0, 0, 0};
	struct layout_shape shard;

	while (range.column1 < most.column1 && shard_in(tensor, 0, range.column1 + 1u, 0, &shard))
		range.column1++;
	/* shards go row by row: one in the last column has one in each before */
	while (range.row1 < most.row1 &&
		shard_in(tensor, range.row1 + 1u, range.column1, 0, &shard))
		range.row1++;
	return range;
}

/* One slot of a device: a shard and zeros behind it, or zeros alone. */
static void pack_slot(
	const struct move *move, const struct layout_shape *shard, uint8_t *slot, void *scratch)
{
	uint64_t bytes = shard ? move->tensor->layout.shard_bytes : 0;

	if (shard)
		shard_data_make(&move->tensor->layout, move->source, shard, slot, scratch);
	memset(slot + bytes, 0, move->tensor->slot_bytes - bytes);
}

/* Walks the shards of a device: into `part`, or out of it if the move has a sink. Elided (NULL):
 * costs what it costs. */
static void move_part(const struct move *move, uint32_t device, uint8_t *in, const uint8_t *out)
{
	const struct mesh_tensor *tensor = move->tensor;
	uint32_t row = device / tensor->shape.columns, column = device % tensor->shape.columns;
	uint64_t slots = device_bytes(tensor) / tensor->slot_bytes;
	void *scratch = allocate(1, shard_data_scratch_bytes(&tensor->layout));

	for (uint64_t slot = 0; slot < slots; slot++) {
		uint64_t at = slot * tensor->slot_bytes;
		struct layout_shape shard;
		bool there = shard_in(tensor, row, column, slot, &shard);

		if (in)
			pack_slot(move, there ? &shard : NULL, in + at, scratch);
		if (out && there)
			shard_data_take(&tensor->layout, move->sink, &shard, out + at, scratch);
		if (there)
			charge(tensor);
	}
	free(scratch);
}

static void make(const void *context, uint32_t device, uint8_t *part)
{
	move_part(context, device, part, NULL);
}

static void take(const void *context, uint32_t device, const uint8_t *part)
{
	move_part(context, device, NULL, part);
}

enum status mesh_tensor_write(struct command_queue *queue, struct mesh_tensor *tensor,
	const struct tensor_source *source, uint32_t operation)
{
	struct move move = {.tensor = tensor, .source = source};
	struct write_maker maker = {holds, make, &move};

	return write_made(queue, tensor->buffer, &maker, operation);
}

enum status mesh_tensor_read(struct command_queue *queue, struct mesh_tensor *tensor,
	const struct tensor_sink *sink, uint32_t operation)
{
	struct move move = {.tensor = tensor, .sink = sink};
	struct read_taker taker = {holds, take, &move};

	return read_taken(queue, tensor->buffer, &taker, operation);
}
