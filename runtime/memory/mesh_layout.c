/* Computes the spread of a mesh buffer over devices, and copies the part of one device out of the
 * global matrix in host memory. */
#include "memory/mesh_layout.h"

#include <string.h>

#include "base/ensure.h"
#include "base/refuse.h"

static enum status spread_shards(struct mesh_spread *spread, struct text *why)
{
	struct mesh_layout *layout = &spread->layout;
	uint64_t elements, shards;
	bool fits;

	if (__builtin_mul_overflow(layout->global_height, layout->global_width, &elements) ||
		elements == 0 || layout->size_bytes % elements != 0)
		return refuse(why, STATUS_INVALID, "%llu B as a matrix of %llu x %llu elements",
			(unsigned long long)layout->size_bytes,
			(unsigned long long)layout->global_height,
			(unsigned long long)layout->global_width);
	spread->element_bytes = layout->size_bytes / elements;
	spread->replicated_rows = layout->shard_height == 0;
	spread->replicated_columns = layout->shard_width == 0;
	if (spread->replicated_rows)
		layout->shard_height = layout->global_height;
	if (spread->replicated_columns)
		layout->shard_width = layout->global_width;
	if (layout->global_height % layout->shard_height != 0 ||
		layout->global_width % layout->shard_width != 0)
		return refuse(why, STATUS_INVALID,
			"shards of %llu x %llu do not divide a buffer of %llu x %llu evenly",
			(unsigned long long)layout->shard_height,
			(unsigned long long)layout->shard_width,
			(unsigned long long)layout->global_height,
			(unsigned long long)layout->global_width);
	spread->shards_high = layout->global_height / layout->shard_height;
	spread->shards_wide = layout->global_width / layout->shard_width;
	shards = spread->shards_high * spread->shards_wide;
	if (spread->replicated_rows && spread->replicated_columns)
		fits = true;
	else if (spread->replicated_rows || spread->replicated_columns)
		/* shards follow one dimension of the mesh and are repeated along the other one */
		fits = shards <= (layout->orientation == ORIENTATION_ROW_MAJOR
						 ? spread->device_columns
						 : spread->device_rows);
	else
		fits = shards <= (uint64_t)spread->device_rows * spread->device_columns;
	if (!fits)
		return refuse(why, STATUS_OUT_OF_RANGE,
			"%llu x %llu shards do not fit on %u x %u devices",
			(unsigned long long)spread->shards_high,
			(unsigned long long)spread->shards_wide, spread->device_rows,
			spread->device_columns);
	spread->device_bytes = layout->shard_height * layout->shard_width * spread->element_bytes;
	/* If the mesh has only one device, this device has the whole buffer, whatever the layout
	 * is. So the buffer counts as replicated, and all layouts give the same commands at the
	 * same cost. */
	if ((uint64_t)spread->device_rows * spread->device_columns == 1)
		spread->replicated_rows = spread->replicated_columns = true;
	return STATUS_OK;
}

enum status mesh_spread_init(struct mesh_spread *spread, const struct mesh_layout *layout,
	uint32_t device_rows, uint32_t device_columns, struct text *why)
{
	ensure(device_rows > 0 && device_columns > 0, "mesh of %u x %u devices", device_rows,
		device_columns);
	*spread = (struct mesh_spread){
		.layout = *layout,
		.device_rows = device_rows,
		.device_columns = device_columns,
		.element_bytes = 1,
		.shards_high = 1,
		.shards_wide = 1,
		.device_bytes = layout->size_bytes,
		.replicated_rows = true,
		.replicated_columns = true,
	};
	if (layout->size_bytes == 0)
		return refuse(why, STATUS_INVALID, "buffer of 0 B");
	return layout->sharded ? spread_shards(spread, why) : STATUS_OK;
}

/* Returns the number of the shard that device (row, column) holds. */
static uint64_t mesh_layout_shard_of(
	const struct mesh_spread *spread, uint32_t row, uint32_t column)
{
	bool row_major = spread->layout.orientation == ORIENTATION_ROW_MAJOR;

	if (spread->replicated_rows && spread->replicated_columns)
		return 0;
	if (spread->replicated_rows || spread->replicated_columns)
		return row_major ? column : row;
	return row_major ? (uint64_t)row * spread->device_columns + column
			 : (uint64_t)column * spread->device_rows + row;
}

bool mesh_spread_shard(
	const struct mesh_spread *spread, uint32_t row, uint32_t column, struct shard_rows *rows)
{
	const struct mesh_layout *layout = &spread->layout;
	uint64_t shard = mesh_layout_shard_of(spread, row, column);
	uint64_t width;

	if (!layout->sharded) {
		*rows = (struct shard_rows){0, spread->device_bytes, 0, 1};
		return true;
	}
	if (shard >= spread->shards_high * spread->shards_wide)
		return false;
	width = layout->global_width * spread->element_bytes;
	rows->row_bytes = layout->shard_width * spread->element_bytes;
	rows->stride = width;
	rows->rows = layout->shard_height;
	rows->first_byte = shard / spread->shards_wide * layout->shard_height * width +
			   shard % spread->shards_wide * rows->row_bytes;
	if (rows->row_bytes == rows->stride) { /* the shard is one contiguous piece */
		rows->row_bytes *= rows->rows;
		rows->rows = 1;
	}
	return true;
}

/* Returns the rows of the shard of a device, which must hold a shard. */
static struct shard_rows rows_of(const struct mesh_spread *spread, uint32_t row, uint32_t column)
{
	struct shard_rows rows;
	bool holds = mesh_spread_shard(spread, row, column, &rows);

	ensure(holds, "device %u,%u holds no shard", row, column);
	return rows;
}

void mesh_spread_gather_rows(const struct mesh_spread *spread, uint32_t row, uint32_t column,
	uint64_t first, uint64_t count, const void *global, void *local)
{
	struct shard_rows rows = rows_of(spread, row, column);

	for (uint64_t i = first; i < first + count; i++)
		memcpy((uint8_t *)local + i * rows.row_bytes,
			(const uint8_t *)global + rows.first_byte + i * rows.stride,
			rows.row_bytes);
}

void mesh_spread_gather(const struct mesh_spread *spread, uint32_t row, uint32_t column,
	const void *global, void *local)
{
	mesh_spread_gather_rows(
		spread, row, column, 0, rows_of(spread, row, column).rows, global, local);
}
