/* Divides a tensor into the parts of devices, see mesh/tensor.h. Finds the place of each
 * shard, and converts shards when they are written or read. */
#include "mesh/tensor.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/plan/plan.h"
#include "world/world.h"

/* ---- the buffer ---- */

/* Pages whose size is a multiple of every possible alignment have no padding between them. */
enum { UNIT = 64, PAGE_MAX = 4096 };

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* Returns the page size of a tensor's buffer. This is the size of a tile if that is a multiple of
 * UNIT. Otherwise it is the size of a shard, rounded up to a multiple of UNIT, but at most
 * PAGE_MAX. */
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

/* Returns the number of shards on a device: the product of the grid dimensions that are cores. */
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

/* Returns the rectangle of cores that hold shards. layout_unit() defines the order of the cores. */
static struct worker_rect tensor_parts_cores_of(
	const struct layout *layout, const struct layout_machine *machine)
{
	uint32_t rank = layout->grid.rank;
	uint64_t rows = rank > 1 ? layout->grid.size[rank - 2] : 1;
	uint64_t columns = layout->grid.size[rank - 1];

	if (rank == 1 || rows > machine->core_rows || columns > machine->core_columns) {
		/* the shards are folded: they are placed row by row over the whole grid of cores */
		uint64_t shards = rows * columns;

		columns = machine->core_columns;
		rows = (shards + columns - 1) / columns;
	}
	return (struct worker_rect){0, 0, (uint8_t)(columns - 1), (uint8_t)(rows - 1)};
}

/* Sets *config to the configuration of the buffer on one device. The pages of a shard are
 * contiguous, and shards are spread over cores or banks. */
static enum status device_config(
	struct tensor_parts *parts, struct buffer_config *config, struct text *why)
{
	const struct layout *layout = &parts->layout;
	uint32_t page = page_bytes(layout);
	uint64_t pages = round_up(layout->shard_bytes, page) / page;
	uint64_t shards = shards_on_device(layout);

	if (pages > UINT32_MAX / shards)
		return refuse(why, STATUS_OUT_OF_RANGE, "%llu shards of %llu B on a device",
			(unsigned long long)shards, (unsigned long long)layout->shard_bytes);
	parts->slot_bytes = pages * page;
	parts->device_bytes = parts->slot_bytes * shards;
	*config = (struct buffer_config){
		.type = layout->space == SPACE_L1 ? BUFFER_L1 : BUFFER_DRAM,
		.layout = LAYOUT_HEIGHT_SHARDED,
		.page_bytes = page,
		.shard = {.pages_high = (uint32_t)(pages * shards),
			.pages_wide = 1,
			.shard_pages_high = (uint32_t)pages,
			.shard_pages_wide = 1,
			.cores = tensor_parts_cores_of(layout, &parts->machine),
			.orientation = ORIENTATION_ROW_MAJOR,
			.round_robin = layout->space == SPACE_DRAM},
	};
	return STATUS_OK;
}

/* Returns a layout in which each device has one block of bytes, placed like the devices in the
 * mesh. If the tensor is replicated, all devices have the same block. */
static struct mesh_layout spread_of(const struct tensor_parts *parts)
{
	uint64_t bytes = parts->device_bytes;
	struct mesh_shape shape = parts->shape;
	struct mesh_layout spread = {.size_bytes = bytes};

	if (parts->replicated)
		return spread;
	spread.sharded = true;
	spread.size_bytes = bytes * shape.rows * shape.columns;
	spread.global_height = shape.rows;
	spread.global_width = bytes / UNIT * shape.columns;
	spread.shard_height = 1;
	spread.shard_width = bytes / UNIT;
	return spread;
}

enum status tensor_parts_init(struct tensor_parts *parts, const struct layout *layout,
	struct mesh_shape shape, const struct chip_geometry *geometry,
	const struct mesh_config *mesh, struct text *why, struct mesh_layout *spread,
	struct buffer_config *config)
{
	enum status status = mesh_tensor_check(layout, shape, geometry, why);

	if (status != STATUS_OK)
		return status;
	*parts = (struct tensor_parts){
		.layout = *layout,
		.machine = machine_of(shape, geometry),
		.shape = shape,
		.replicated = layout->grid.rank <= 2,
	};
	parts->scratch = sizes_user_memory(mesh, shard_data_work(layout).scalar_bytes);
	status = device_config(parts, config, why);
	if (status == STATUS_OK)
		*spread = spread_of(parts);
	return status;
}

/* ---- shards ---- */

/* Sets *shard to the coordinates of the shard in slot `slot` of a device. Slots are numbered in the
 * order of the device's cores or banks. Returns false if the device has no shards. */
static bool shard_in(const struct tensor_parts *parts, uint32_t row, uint32_t column, uint64_t slot,
	struct layout_shape *shard)
{
	const struct layout *layout = &parts->layout;
	uint32_t rank = layout->grid.rank;
	struct layout_unit unit = {.device_row = row, .device_column = column};
	struct layout_shape cores = {.rank = rank > 1 ? 2 : 1};

	if (parts->replicated)
		unit.device_row = unit.device_column = 0;
	/* Take the coordinates of the device's first shard. Then replace the last one or two by
	 * those of the slot. */
	if (!layout_unit_shard(layout, &parts->machine, &unit, shard))
		return false;
	memcpy(cores.size, &layout->grid.size[rank - cores.rank], cores.rank * sizeof *cores.size);
	cores = layout_at(&cores, slot);
	memcpy(&shard->size[rank - cores.rank], cores.size, cores.rank * sizeof *cores.size);
	return true;
}

bool tensor_parts_hold(const struct tensor_parts *parts, uint32_t device)
{
	struct layout_shape shard;

	return shard_in(
		parts, device / parts->shape.columns, device % parts->shape.columns, 0, &shard);
}

struct device_range tensor_parts_read_range(const struct tensor_parts *parts)
{
	struct device_range most = device_range_all(parts->shape), range = {0, 0, 0, 0};
	struct layout_shape shard;

	if (parts->replicated)
		return range;
	while (range.column1 < most.column1 && shard_in(parts, 0, range.column1 + 1u, 0, &shard))
		range.column1++;
	/* shards fill each row of devices from the left, so if a row has a shard in the last
	 * column, it also has shards in the columns before */
	while (range.row1 < most.row1 && shard_in(parts, range.row1 + 1u, range.column1, 0, &shard))
		range.row1++;
	return range;
}

/* ---- data ---- */

/* Charges the work of cutting one shard out of the user's tensor, or of copying it back. Either
 * way, the scalars of the shard pass through a scratch buffer. parts->scratch is the kind of memory
 * of this buffer: the host's cache if the buffer fits there. */
static void tensor_parts_charge(const struct tensor_parts *parts)
{
	struct shard_data_work work = shard_data_work(&parts->layout);

	world->work(WORK_COPY_RUN, 1);
	world->work_copy(work.scalar_bytes, MEMORY_UNCACHED_SOURCE, parts->scratch);
	if (work.tiled_bytes > 0) {
		world->work_copy(work.tiled_bytes, parts->scratch, parts->scratch);
		world->work(WORK_TILIZE_BYTE, work.tiled_bytes);
	}
	if (work.blocks > 0)
		world->work(WORK_CONVERT_BLOCK, work.blocks);
}

/* Converts a shard into the memory of one slot of a device, and fills the rest of the slot with
 * zeros. If `shard` is NULL, fills the whole slot with zeros. */
static void pack_slot(const struct tensor_parts *parts, const struct tensor_source *source,
	const struct layout_shape *shard, uint8_t *slot, void *scratch)
{
	uint64_t bytes = shard ? parts->layout.shard_bytes : 0;

	if (shard)
		shard_data_make(&parts->layout, source, shard, slot, scratch);
	memset(slot + bytes, 0, parts->slot_bytes - bytes);
}

/* Converts the shards of a device. If `in` is not NULL, converts data of the source and stores them
 * in `in`. If `out` is not NULL, converts the data in `out` and gives them to the sink. If both are
 * NULL, the data are not simulated, and the function only charges the work. */
static void move_part(const struct tensor_parts *parts, uint32_t device,
	const struct tensor_source *source, uint8_t *in, const struct tensor_sink *sink,
	const uint8_t *out)
{
	uint32_t row = device / parts->shape.columns, column = device % parts->shape.columns;
	uint64_t slots = parts->device_bytes / parts->slot_bytes;
	void *scratch = allocate(1, shard_data_scratch_bytes(&parts->layout));

	for (uint64_t slot = 0; slot < slots; slot++) {
		uint64_t at = slot * parts->slot_bytes;
		struct layout_shape shard;
		bool there = shard_in(parts, row, column, slot, &shard);

		if (in)
			pack_slot(parts, source, there ? &shard : NULL, in + at, scratch);
		if (out && there)
			shard_data_take(&parts->layout, sink, &shard, out + at, scratch);
		if (there)
			tensor_parts_charge(parts);
	}
	free(scratch);
}

void tensor_part_make(const struct tensor_parts *parts, const struct tensor_source *source,
	uint32_t device, uint8_t *part)
{
	move_part(parts, device, source, part, NULL, NULL);
}

void tensor_part_take(const struct tensor_parts *parts, const struct tensor_sink *sink,
	uint32_t device, const uint8_t *part)
{
	move_part(parts, device, NULL, NULL, sink, part);
}
