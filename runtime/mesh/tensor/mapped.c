/* Writes and reads tensors through a mesh mapper, see mesh/tensor.h. If the mapper's lowering
 * is packed, each device's block is copied between the user's tensor and the buffer. Otherwise the
 * buffer has the same bytes as the user's memory, and the tensor is written and read without
 * conversion. */
#include "mesh/tensor.h"

#include "mesh/device/device.h"
#include "mesh/plan/plan.h"
#include "mesh/queue/transfer.h"

struct move {
	const struct mesh_mapped *mapped;
	const void *from; /* source of a write; NULL for a read */
	void *to;	  /* destination of a read; NULL for a write */
};

/* Sets *number to the number of the shard on a device. Returns false if the device has no shard. */
static bool mapped_shard_of(const struct mesh_mapped *mapped, uint32_t device, uint32_t *number)
{
	const struct mesh_spread *spread = mesh_buffer_spread(mapped->buffer);
	uint32_t columns = spread->device_columns;
	struct shard_rows rows;

	if (!mesh_spread_shard(spread, device / columns, device % columns, &rows))
		return false;
	*number = (uint32_t)(rows.first_byte / mapper_shard_bytes(mapped->lowering));
	return true;
}

static bool mapped_holds(const void *context, uint32_t device)
{
	const struct move *move = context;
	uint32_t number;

	return mapped_shard_of(move->mapped, device, &number);
}

/* Charges the copy of a device's block between the user's memory and the device's part. The copy is
 * done row by row. */
static void mapped_charge(const struct mesh_mapped *mapped)
{
	const struct layout_shape *device = &mapped->lowering->device;
	uint64_t bytes = mapper_shard_bytes(mapped->lowering);

	world->work(WORK_COPY_RUN, layout_volume(device) / device->size[device->rank - 1]);
	world->work_copy(bytes, MEMORY_UNCACHED_SOURCE,
		sizes_user_memory(&mapped->buffer->mesh->config, bytes));
}

static void mapped_make(const void *context, uint32_t device, uint8_t *part)
{
	const struct move *move = context;
	const struct mesh_mapped *mapped = move->mapped;
	uint32_t number;

	if (part && mapped_shard_of(mapped, device, &number))
		mapper_pack(mapped->tensor, mapped->lowering, number, move->from, part);
	mapped_charge(mapped);
}

static void mapped_take(const void *context, uint32_t device, const uint8_t *part)
{
	const struct move *move = context;
	const struct mesh_mapped *mapped = move->mapped;
	uint32_t number;

	if (part && mapped_shard_of(mapped, device, &number))
		mapper_unpack(mapped->tensor, mapped->lowering, number, part, move->to);
	mapped_charge(mapped);
}

enum status mesh_mapped_write(struct command_queue *queue, const struct mesh_mapped *mapped,
	const void *whole, uint32_t operation)
{
	struct move move = {.mapped = mapped, .from = whole};
	struct write_maker maker = {mapped_holds, mapped_make, &move};

	if (!mapped->lowering->packed)
		return enqueue_write_buffer(queue, mapped->buffer, whole, true, operation);
	return write_made(queue, mapped->buffer, &maker, operation);
}

enum status mesh_mapped_read(struct command_queue *queue, const struct mesh_mapped *mapped,
	void *whole, uint32_t operation)
{
	struct move move = {.mapped = mapped, .to = whole};
	struct read_taker taker = {mapped_holds, mapped_take, &move};

	if (!mapped->lowering->packed)
		return enqueue_read_buffer(queue, mapped->buffer, whole, true, operation);
	return read_taken(queue, mapped->buffer, &taker, operation);
}
