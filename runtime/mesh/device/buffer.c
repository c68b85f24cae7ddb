/* Mesh buffers: one allocation in lock-step, valid on every device. Moves no data. */
#include "mesh/device/buffer.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/device/device.h"
#include "mesh/plan/sizes.h"

enum status mesh_buffer_new(struct mesh_device *mesh, const struct mesh_layout *layout,
	const struct buffer_config *config, struct text *why, struct mesh_buffer **buffer)
{
	return mesh_buffer_take(mesh, mesh->memory[config->type], layout, config, why, buffer);
}

enum status mesh_buffer_take(struct mesh_device *mesh, struct allocator *allocator,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct mesh_buffer **buffer)
{
	struct mesh_buffer *made = allocate(1, sizeof(*made));
	struct mesh_shape shape = mesh->plan.mesh.shape;
	uint64_t address = 0;
	enum status status;

	world->work(WORK_API_CALL, 1);
	made->mesh = mesh;
	made->allocator = allocator;
	status = mesh_spread_init(&made->spread, layout, shape.rows, shape.columns, why);
	if (status == STATUS_OK)
		status = placement_init(&made->placement, config, made->spread.device_bytes,
			mesh->geometry, sizes_page_alignment(&mesh->config, config->type), why);
	if (status == STATUS_OK &&
		(uint64_t)made->placement.page_count * made->placement.page_stride >
			DISPATCH_LENGTH_MAX)
		status = refuse(why, STATUS_UNSUPPORTED, "%llu B on each device, at most %d",
			(unsigned long long)made->spread.device_bytes, DISPATCH_LENGTH_MAX);
	if (status == STATUS_OK)
		status = allocator_take(allocator, placement_slot_bytes(&made->placement),
			config->bottom_up, &address, why);
	if (status != STATUS_OK) {
		free(made);
		return status;
	}
	made->address = (uint32_t)address;
	*buffer = made;
	return STATUS_OK;
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
