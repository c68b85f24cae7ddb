/* A mesh tensor's buffer: pages, shards and spread that put every shard of a layout where the
 * layout says. Moves no data, see tensor_move.c. */
#include "mesh/tensor.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/device/device.h"
#include "tensor_private.h"

/* Pages lie behind each other without gaps if they are multiples of every alignment that there is.
 */
enum { UNIT = 64, PAGE_MAX = 4096 };

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* A tile if that is a page; else as much of a shard as one may be. */
static uint32_t page_bytes(const struct layout *layout)
{
	uint64_t tile = layout->tile_height ? element_tile_bytes(layout->element,
						      layout->tile_height, layout->tile_width)
					    : 0;

	if (tile && tile % UNIT == 0)
		return (uint32_t)tile;
	tile = round_up(layout->shard_bytes, UNIT);
	return (uint32_t)(tile < PAGE_MAX ? tile : PAGE_MAX);
}

/* Grid dimensions of cores. */
static uint64_t shards_on_device(const struct layout *layout)
{
	uint32_t rank = layout->grid.rank;

	return rank > 1 ? layout->grid.size[rank - 2] * layout->grid.size[rank - 1]
			: layout->grid.size[0];
}

static struct layout_machine machine_of(
	struct mesh_shape shape, const struct chip_geometry *geometry)
{
	return (struct layout_machine){shape.rows, shape.columns, geometry->worker_rows,
		geometry->worker_columns, geometry->dram_bank_count};
}

enum status mesh_tensor_check(const struct layout *layout, struct mesh_shape shape,
	const struct chip_geometry *geometry, struct text *why)
{
	struct layout_machine machine = machine_of(shape, geometry);
	enum status status = shard_data_check(layout, why);

	if (status != STATUS_OK)
		return status;
	if (layout->space != SPACE_L1 && layout->space != SPACE_DRAM)
		return refuse(why, STATUS_INVALID, "a layout in %s: a mesh tensor is on devices",
			layout_space_name(layout->space));
	return layout_machine_check(layout, &machine, why);
}

/* Cores that take shards, in the order of layout_unit(). */
static struct worker_rect cores_of(
	const struct layout *layout, const struct layout_machine *machine)
{
	uint32_t rank = layout->grid.rank;
	uint64_t rows = rank > 1 ? layout->grid.size[rank - 2] : 1;
	uint64_t columns = layout->grid.size[rank - 1];

	if (rank == 1 || rows > machine->core_rows || columns > machine->core_columns) {
		/* folded: row by row over the whole grid, as far as it goes */
		uint64_t shards = rows * columns;

		columns = machine->core_columns;
		rows = (shards + columns - 1) / columns;
	}
	return (struct worker_rect){0, 0, (uint8_t)(columns - 1), (uint8_t)(rows - 1)};
}

/* The buffer on one device: a shard's pages follow each other, shards go over cores or banks. */
static enum status device_config(
	struct mesh_tensor *tensor, struct buffer_config *config, struct text *why)
{
	const struct layout *layout = &tensor->layout;
	uint32_t page = page_bytes(layout);
	uint64_t pages = round_up(layout->shard_bytes, page) / page;
	uint64_t shards = shards_on_device(layout);

	if (pages > UINT32_MAX / shards)
		return refuse(why, STATUS_OUT_OF_RANGE, "%llu shards of %llu B on a device",
			(unsigned long long)shards, (unsigned long long)layout->shard_bytes);
	tensor->slot_bytes = pages * page;
	*config = (struct buffer_config){
		.type = layout->space == SPACE_L1 ? BUFFER_L1 : BUFFER_DRAM,
		.layout = LAYOUT_HEIGHT_SHARDED,
		.page_bytes = page,
		.shard = {.pages_high = (uint32_t)(pages * shards),
			.pages_wide = 1,
			.shard_pages_high = (uint32_t)pages,
			.shard_pages_wide = 1,
			.cores = cores_of(layout, &tensor->machine),
			.orientation = ORIENTATION_ROW_MAJOR,
			.round_robin = layout->space == SPACE_DRAM},
	};
	return STATUS_OK;
}

/* One block of bytes for each device, where the device is; or the same for all. */
static struct mesh_layout spread_of(const struct mesh_tensor *tensor)
{
	uint64_t bytes = tensor->slot_bytes * shards_on_device(&tensor->layout);
	struct mesh_shape shape = tensor->shape;
	struct mesh_layout spread = {.size_bytes = bytes};

	if (tensor->replicated)
		return spread;
	spread.sharded = true;
	spread.size_bytes = bytes * shape.rows * shape.columns;
	spread.global_height = shape.rows;
	spread.global_width = (uint32_t)(bytes / UNIT * shape.columns);
	spread.shard_height = 1;
	spread.shard_width = (uint32_t)(bytes / UNIT);
	return spread;
}

enum status mesh_tensor_new(struct mesh_device *mesh, const struct layout *layout, struct text *why,
	struct mesh_tensor **tensor)
{
	struct mesh_tensor *made = allocate(1, sizeof *made);
	struct mesh_shape shape = mesh_device_shape(mesh);
	enum status status = mesh_tensor_check(layout, shape, mesh->geometry, why);
	struct buffer_config config;
	struct mesh_layout spread;

	*made = (struct mesh_tensor){
		.layout = *layout,
		.machine = machine_of(shape, mesh->geometry),
		.shape = shape,
		.replicated = layout->grid.rank <= 2,
	};
	if (status == STATUS_OK)
		status = device_config(made, &config, why);
	if (status == STATUS_OK) {
		spread = spread_of(made);
		status = mesh_buffer_new(mesh, &spread, &config, why, &made->buffer);
	}
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
	return &tensor->layout;
}

struct mesh_buffer *mesh_tensor_buffer(const struct mesh_tensor *tensor)
{
	return tensor->buffer;
}
