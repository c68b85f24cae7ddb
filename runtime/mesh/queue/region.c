/* Checks and measures parts of buffers (struct buffer_region). */
#include "mesh/device/buffer.h"
#include "mesh/queue.h"
#include "mesh/queue/transfer.h"

enum status region_check(const struct mesh_device *mesh, const struct mesh_buffer *buffer,
	const struct buffer_region *region, struct device_range *range)
{
	struct device_range one = {region->row, region->column, region->row, region->column};
	uint32_t pages = buffer->placement.page_count;

	*range = region->of_device ? one : device_range_all(mesh->plan.mesh.shape);
	if (buffer->placement.config.type == BUFFER_SYSTEM)
		return STATUS_UNSUPPORTED;
	if (!device_range_valid(*range, mesh->plan.mesh.shape) || region->pages.count == 0 ||
		region->pages.first >= pages || region->pages.count > pages - region->pages.first)
		return STATUS_OUT_OF_RANGE;
	return STATUS_OK;
}

uint64_t region_bytes(const struct mesh_buffer *buffer, const struct buffer_region *region)
{
	uint64_t bytes =
		region->of_device ? mesh_buffer_device_bytes(buffer) : mesh_buffer_bytes(buffer);

	return bytes / buffer->placement.page_count * region->pages.count;
}
