/* Parts of a mesh over several hosts (part.h). To find the shards of a part, struct walk visits the
 * part's devices in the order in which shards are assigned to devices. It returns each shard once,
 * and skips devices without a shard. */
#include "distributed/common/part.h"

#include <string.h>

struct mesh_shape part_shape(const struct part *part)
{
	struct device_range range = part->range;

	return (struct mesh_shape){(uint16_t)(range.row1 - range.row0 + 1),
		(uint16_t)(range.column1 - range.column0 + 1)};
}

bool part_cut(const struct part *part, struct device_range range, struct device_range *cut)
{
	struct device_range own = part->range;

	if (!device_range_overlap(own, range))
		return false;
	range = device_range_shared(range, own);
	*cut = (struct device_range){(uint16_t)(range.row0 - own.row0),
		(uint16_t)(range.column0 - own.column0), (uint16_t)(range.row1 - own.row0),
		(uint16_t)(range.column1 - own.column0)};
	return true;
}

/* ---- shards ---- */

struct walk {
	const struct part *part;
	const struct mesh_spread *spread;
	uint32_t next;
};

static bool repeats(const struct mesh_spread *spread)
{
	return spread->replicated_rows || spread->replicated_columns;
}

static bool is_replicated(const struct mesh_spread *spread)
{
	return spread->replicated_rows && spread->replicated_columns;
}

static bool by_rows(const struct mesh_spread *spread)
{
	return spread->layout.orientation == ORIENTATION_ROW_MAJOR;
}

/* Sets *row and *column to the position, in the whole mesh, of the device that a step of the walk
 * visits. Returns false after the last step. */
static bool part_device_at(const struct walk *walk, uint32_t step, uint32_t *row, uint32_t *column)
{
	const struct mesh_spread *spread = walk->spread;
	struct mesh_shape shape = part_shape(walk->part);
	uint32_t rows = shape.rows, columns = shape.columns;

	if (is_replicated(spread))
		rows = columns = 1;
	else if (repeats(spread) && by_rows(spread))
		rows = 1;
	else if (repeats(spread))
		columns = 1;
	if (step >= rows * columns)
		return false;
	*row = walk->part->range.row0 + (by_rows(spread) ? step / columns : step % rows);
	*column = walk->part->range.column0 + (by_rows(spread) ? step % columns : step / rows);
	return true;
}

/* Finds the next shard, and sets *rows to the rows of the whole buffer that the shard contains.
 * Returns false if there is no further shard. */
static bool next_shard(struct walk *walk, struct shard_rows *rows)
{
	uint32_t row, column;

	while (part_device_at(walk, walk->next, &row, &column)) {
		walk->next++;
		if (mesh_spread_shard(walk->spread, row, column, rows))
			return true;
	}
	return false;
}

uint32_t part_shards(const struct part *part, const struct mesh_spread *spread)
{
	struct walk walk = {part, spread, 0};
	struct shard_rows rows;
	uint32_t count = 0;

	while (next_shard(&walk, &rows))
		count++;
	return count;
}

bool part_is_read(const struct part *part, const struct mesh_spread *spread)
{
	if (is_replicated(spread))
		return part->range.row0 == 0 && part->range.column0 == 0;
	if (repeats(spread) && (by_rows(spread) ? part->range.row0 : part->range.column0) != 0)
		return false;
	return part_shards(part, spread) > 0;
}

struct mesh_layout part_layout(const struct part *part, const struct mesh_spread *spread)
{
	uint64_t elements = spread->layout.shard_height * spread->layout.shard_width;
	uint32_t shards = part_shards(part, spread);

	if (is_replicated(spread) || shards == 0)
		return (struct mesh_layout){.size_bytes = spread->device_bytes};
	return (struct mesh_layout){.sharded = true,
		.size_bytes = spread->device_bytes * shards,
		.global_height = 1,
		.global_width = elements * shards,
		.shard_height = repeats(spread) ? 0 : 1,
		.shard_width = elements,
		.orientation = spread->layout.orientation};
}

enum status part_each_run(const struct part *part, const struct mesh_spread *spread,
	enum status (*run)(void *context, struct part_run run), void *context)
{
	struct walk walk = {part, spread, 0};
	enum status status = STATUS_OK;
	struct shard_rows rows;
	uint64_t piece = 0;

	while (status == STATUS_OK && next_shard(&walk, &rows))
		for (uint64_t i = 0; status == STATUS_OK && i < rows.rows; i++) {
			status = run(context, (struct part_run){rows.first_byte + i * rows.stride,
						      piece, rows.row_bytes});
			piece += rows.row_bytes;
		}
	return status;
}

struct copy {
	const uint8_t *from;
	uint8_t *to;
};

static enum status gather_run(void *context, struct part_run run)
{
	const struct copy *copy = context;

	memcpy(copy->to + run.piece, copy->from + run.whole, run.bytes);
	return STATUS_OK;
}

static enum status scatter_run(void *context, struct part_run run)
{
	const struct copy *copy = context;

	memcpy(copy->to + run.whole, copy->from + run.piece, run.bytes);
	return STATUS_OK;
}

void part_gather(
	const struct part *part, const struct mesh_spread *spread, const void *whole, void *piece)
{
	struct copy copy = {whole, piece};

	(void)part_each_run(part, spread, gather_run, &copy);
}

void part_scatter(
	const struct part *part, const struct mesh_spread *spread, const void *piece, void *whole)
{
	struct copy copy = {piece, whole};

	(void)part_each_run(part, spread, scatter_run, &copy);
}

/* ---- messages ---- */

struct wire_range part_to_wire(struct device_range range)
{
	return (struct wire_range){range.row0, range.column0,
		(uint16_t)(range.row1 - range.row0 + 1),
		(uint16_t)(range.column1 - range.column0 + 1)};
}

bool part_from_wire(const struct wire_range *wire, struct device_range *range)
{
	uint32_t row1 = (uint32_t)wire->row + wire->rows - 1;
	uint32_t column1 = (uint32_t)wire->column + wire->columns - 1;

	if (wire->rows == 0 || wire->columns == 0 || row1 > UINT16_MAX || column1 > UINT16_MAX)
		return false;
	*range = (struct device_range){wire->row, wire->column, (uint16_t)row1, (uint16_t)column1};
	return true;
}
