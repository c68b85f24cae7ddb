/* Mesh buffers: one allocation in lock-step, valid on every device. Moves no data. */
#include "mesh/device/buffer.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/device/device.h"
#include "mesh/plan/sizes.h"

/* Shards lie on cores of the sub-device alone. */
static enum status check_shards(const struct mesh_device *mesh, struct worker_rect cores,
	uint8_t sub_device, struct text *why)
{
	uint32_t columns = mesh->geometry->worker_columns, rows = mesh->geometry->worker_rows;

	for (uint32_t row = cores.row0; row <= cores.row1 && row < rows; row++)
		for (uint32_t column = cores.column0; column <= cores.column1 && column < columns;
			column++)
			if (mesh->site.sub_device_of[row * columns + column] != sub_device)
				return refuse(why, STATUS_OUT_OF_RANGE,
					"core %u,%u is not of the sub-device", column, row);
	return STATUS_OK;
}

/* Interleaved pages are shards of one page each, dealt to the workers of the sub-device. */
static enum status deal_pages(struct buffer_config *config, const struct mesh_layout *layout,
	const struct mesh_device *mesh, uint8_t sub_device, struct text *why)
{
	const struct sub_device *of = &mesh->sub_devices[sub_device];
	struct mesh_shape shape = mesh->plan.mesh.shape;
	struct mesh_spread spread;
	enum status status = mesh_spread_init(&spread, layout, shape.rows, shape.columns, why);

	if (status != STATUS_OK)
		return status;
	if (of->rect_count != 1)
		return refuse(why, STATUS_UNSUPPORTED,
			"pages interleaved over cores that are no rectangle");
	config->layout = LAYOUT_HEIGHT_SHARDED;
	config->shard = (struct shard_parameters){.pages_wide = 1,
		.shard_pages_high = 1,
		.shard_pages_wide = 1,
		.cores = of->rects[0],
		.round_robin = true};
	if (config->page_bytes > 0 && spread.device_bytes / config->page_bytes <= UINT32_MAX)
		config->shard.pages_high = (uint32_t)(spread.device_bytes / config->page_bytes);
	return STATUS_OK;
}

static enum status new_local(struct mesh_device *mesh, const struct mesh_layout *layout,
	struct buffer_config config, struct text *why, struct mesh_buffer **buffer)
{
	uint8_t sub_device = (uint8_t)(config.sub_device - 1);
	enum status status;

	if (!mesh->site.divided || sub_device >= mesh->sub_device_count)
		return refuse(why, STATUS_NOT_FOUND, "the mesh has no sub-device %u", sub_device);
	if (config.type != BUFFER_L1)
		return refuse(why, STATUS_INVALID, "sub-devices have L1 alone");
	if (mesh->sub_devices[sub_device].l1 == NULL)
		return refuse(why, STATUS_NO_SPACE, "sub-devices have no L1 of their own");
	status = config.layout == LAYOUT_INTERLEAVED
			 ? deal_pages(&config, layout, mesh, sub_device, why)
			 : check_shards(mesh, config.shard.cores, sub_device, why);
	if (status == STATUS_OK)
		status = mesh_buffer_take(
			mesh, mesh->sub_devices[sub_device].l1, layout, &config, why, buffer);
	if (status == STATUS_OK)
		(*buffer)->sub_device = sub_device;
	return status;
}

enum status mesh_buffer_new(struct mesh_device *mesh, const struct mesh_layout *layout,
	const struct buffer_config *config, struct text *why, struct mesh_buffer **buffer)
{
	if (config->type == BUFFER_SYSTEM && layout->sharded)
		return refuse(why, STATUS_INVALID,
			"devices have system memory in common: no parts of it are theirs");
	if (config->sub_device != 0)
		return new_local(mesh, layout, *config, why, buffer);
	return mesh_buffer_take(mesh, mesh->memory[config->type], layout, config, why, buffer);
}

/* The buffer without its address. */
static enum status make(struct mesh_device *mesh, struct allocator *allocator,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct mesh_buffer *made)
{
	struct mesh_shape shape = mesh->plan.mesh.shape;
	enum status status;

	world->work(WORK_API_CALL, 1);
	made->mesh = mesh;
	made->allocator = allocator;
	made->sub_device = SUB_DEVICE_NONE;
	status = mesh_spread_init(&made->spread, layout, shape.rows, shape.columns, why);
	if (status == STATUS_OK)
		status = placement_init(&made->placement, config, made->spread.device_bytes,
			mesh->geometry, sizes_page_alignment(&mesh->config, config->type), why);
	if (status == STATUS_OK &&
		(uint64_t)made->placement.page_count * made->placement.page_stride >
			DISPATCH_LENGTH_MAX)
		status = refuse(why, STATUS_UNSUPPORTED, "%llu B on each device, at most %d",
			(unsigned long long)made->spread.device_bytes, DISPATCH_LENGTH_MAX);
	return status;
}

/* The buffer at its address, or nothing. */
static enum status place(
	struct mesh_buffer *made, uint64_t address, enum status status, struct mesh_buffer **buffer)
{
	if (status != STATUS_OK) {
		free(made);
		return status;
	}
	made->address = (uint32_t)address;
	*buffer = made;
	return STATUS_OK;
}

enum status mesh_buffer_take(struct mesh_device *mesh, struct allocator *allocator,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct mesh_buffer **buffer)
{
	struct mesh_buffer *made = allocate(1, sizeof(*made));
	enum status status = make(mesh, allocator, layout, config, why, made);
	uint64_t address = 0;

	if (status == STATUS_OK)
		status = allocator_take(allocator, placement_slot_bytes(&made->placement),
			config->bottom_up, &address, why);
	return place(made, address, status, buffer);
}

enum status mesh_buffer_new_at(struct mesh_device *mesh, const struct mesh_layout *layout,
	const struct buffer_config *config, uint32_t address, struct text *why,
	struct mesh_buffer **buffer)
{
	struct allocator *allocator = mesh->memory[config->type];
	struct mesh_buffer *made;
	enum status status;

	if (config->sub_device != 0)
		return refuse(why, STATUS_UNSUPPORTED,
			"the L1 of a sub-device has an allocator of its own");
	made = allocate(1, sizeof(*made));
	status = make(mesh, allocator, layout, config, why, made);
	if (status == STATUS_OK)
		status = allocator_take_at(
			allocator, placement_slot_bytes(&made->placement), address, why);
	return place(made, address, status, buffer);
}

void mesh_buffer_free(struct mesh_buffer *buffer)
{
	if (buffer == NULL)
		return;
	allocator_release(buffer->allocator, buffer->address);
	free(buffer);
}

uint32_t mesh_buffer_address(const struct mesh_buffer *buffer)
{
	return buffer->address;
}

uint64_t mesh_buffer_bytes(const struct mesh_buffer *buffer)
{
	return buffer->spread.layout.size_bytes;
}

uint64_t mesh_buffer_device_bytes(const struct mesh_buffer *buffer)
{
	return buffer->spread.device_bytes;
}

const struct placement *mesh_buffer_placement(const struct mesh_buffer *buffer)
{
	return &buffer->placement;
}

const struct mesh_spread *mesh_buffer_spread(const struct mesh_buffer *buffer)
{
	return &buffer->spread;
}

struct device_range mesh_buffer_read_range(const struct mesh_buffer *buffer)
{
	const struct mesh_spread *spread = &buffer->spread;
	struct device_range range = device_range_all(buffer->mesh->plan.mesh.shape);

	if (spread->replicated_rows && spread->replicated_columns)
		range = (struct device_range){0, 0, 0, 0};
	else if (!spread->replicated_rows && !spread->replicated_columns)
		return range;
	else if (spread->layout.orientation == ORIENTATION_ROW_MAJOR)
		range.row1 = 0;
	else
		range.column1 = 0;
	return range;
}
