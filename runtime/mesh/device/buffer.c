/* Mesh buffers. The allocators of all devices work in lock-step, so a buffer is one allocation at
 * the same address on all devices. */
#include "mesh/device/buffer.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "mesh/device/device.h"
#include "mesh/plan/plan.h"

/* Fills in all members of the buffer except the address. */
static enum status buffer_make(struct mesh_device *mesh, struct allocator *allocator,
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
	return status;
}

/* Makes a buffer, at the address *given, or anywhere if `given` is NULL. */
static enum status buffer_take(struct mesh_device *mesh, struct allocator *allocator,
	const struct mesh_layout *layout, const struct buffer_config *config, const uint32_t *given,
	struct text *why, struct mesh_buffer **buffer)
{
	struct mesh_buffer *made = allocate(1, sizeof(*made));
	enum status status = buffer_make(mesh, allocator, layout, config, why, made);
	uint64_t address = given != NULL ? *given : 0;

	if (status == STATUS_OK) {
		uint64_t bytes = placement_slot_bytes(&made->placement);

		status = given != NULL ? allocator_take_at(allocator, bytes, address, why)
				       : allocator_take(allocator, bytes, config->bottom_up,
						 &address, why);
	}
	if (status != STATUS_OK) {
		free(made);
		return status;
	}
	made->address = address;
	*buffer = made;
	return STATUS_OK;
}

enum status mesh_buffer_take(struct mesh_device *mesh, struct allocator *allocator,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct mesh_buffer **buffer)
{
	return buffer_take(mesh, allocator, layout, config, NULL, why, buffer);
}

/* Makes a buffer in the L1 of a sub-device. */
static enum status take_local(struct mesh_device *mesh, const struct mesh_layout *layout,
	struct buffer_config config, const uint32_t *given, struct text *why,
	struct mesh_buffer **buffer)
{
	struct mesh_shape shape = mesh->plan.mesh.shape;
	uint8_t sub_device = (uint8_t)(config.sub_device - 1);
	struct mesh_spread spread;
	enum status status = mesh_spread_init(&spread, layout, shape.rows, shape.columns, why);

	if (status == STATUS_OK)
		status = sub_device_deal(&mesh->site, spread.device_bytes, &config, why);
	if (status == STATUS_OK && mesh->sub_devices[sub_device].l1 == NULL)
		status = refuse(why, STATUS_NO_SPACE, "sub-devices have no L1 of their own");
	if (status == STATUS_OK)
		status = buffer_take(mesh, mesh->sub_devices[sub_device].l1, layout, &config, given,
			why, buffer);
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
		return take_local(mesh, layout, *config, NULL, why, buffer);
	return buffer_take(mesh, mesh->memory[config->type], layout, config, NULL, why, buffer);
}

enum status mesh_buffer_new_at(struct mesh_device *mesh, const struct mesh_layout *layout,
	const struct buffer_config *config, uint32_t address, struct text *why,
	struct mesh_buffer **buffer)
{
	if (config->sub_device != 0)
		return take_local(mesh, layout, *config, &address, why, buffer);
	return buffer_take(mesh, mesh->memory[config->type], layout, config, &address, why, buffer);
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
	ensure(buffer->address <= UINT32_MAX, "a device's address of system memory");
	return (uint32_t)buffer->address;
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

uint32_t mesh_buffer_sub_devices(const struct mesh_buffer *buffer)
{
	return sub_device_bits(buffer->sub_device);
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
