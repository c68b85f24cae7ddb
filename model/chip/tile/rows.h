/* Rows of a layer. A layer stores data that all its tiles share (chip/tile/tile.h). A packed write
 * sends different bytes to each of several tiles, at the same address. A row stores the bytes of
 * all these tiles together, as they were sent. A read of a tile first looks for the tile's own
 * data, then for those of a row, then for those of the layer. layer.c decides which data are stored
 * in a row. */
#ifndef CHIP_TILE_ROWS_H
#define CHIP_TILE_ROWS_H

#include "chip/tile/tile.h"

/* The targets of packed writes. Writes to the same targets share one list. */
struct row_targets {
	struct packed_target *targets;
	uint16_t *place; /* [tile] index in `targets` plus 1; 0: the tile is not a target */
	uint32_t count;
};

/* The data of one packed write, or a part of them. `span` has `stride` bytes for each target,
 * target by target. Of these, the row uses only row.length bytes, from byte `offset` on. */
struct row_part {
	const struct row_targets *to;
	uint32_t stride, offset;
	struct span span; /* data; owns a reference */
};

enum {
	ROW_PARTS = 8, /* most parts of a row; a packed write comes in pieces of at most a page */
	ROW_TARGETS = 16, /* most target lists of a layer; other data are stored in each tile */
};

/* A part of a row. The parts of a row have different targets. */
struct row {
	uint32_t address, length;
	uint32_t part_count;
	uint32_t covered; /* number of tiles that have data in this row */
	struct row_part parts[ROW_PARTS];
};

/* The rows of a layer. Rows do not overlap. All zeros: no rows. */
struct rows {
	struct row *row; /* sorted by address */
	uint32_t count, capacity, hint;
	uint32_t target_count;
	struct row_targets targets[ROW_TARGETS];
};

void sim_rows_fini(struct rows *rows);

/* Returns the shared list of the given targets, and creates the list at first use. Returns NULL if
 * a target is not a member of `layer`, if a target occurs twice, or if there are too many lists. */
const struct row_targets *sim_rows_targets(struct rows *rows, const struct device *device,
	const struct layer *layer, const struct packed_target *targets, uint32_t count);

/* Returns false if the range lies before the first row or after the last row, as most ranges do. */
static inline bool sim_rows_reach(const struct rows *rows, uint32_t address, uint32_t length)
{
	const struct row *last;

	if (rows->count == 0 || address + length <= rows->row[0].address)
		return false;
	last = &rows->row[rows->count - 1];
	return address < last->address + last->length;
}

/* Index of the first row that ends after `address`; `count` if there is none. */
uint32_t sim_rows_find(struct rows *rows, uint32_t address);

/* True if row i lies in the range, fully or in part. The row ends after `address`. */
static inline bool sim_rows_touch(
	const struct rows *rows, uint32_t i, uint32_t address, uint32_t length)
{
	return i < rows->count && rows->row[i].address < address + length;
}

/* If a row begins before `address` and ends after it, splits this row into two rows that share the
 * data. Returns the index of the first row that ends after `address`. */
uint32_t sim_rows_split(struct rows *rows, uint32_t address);

/* Returns true if data for the given targets can be added to row i and to all rows after it that
 * begin before `end`. All of these rows must end at `end` or before. If a row has data for the same
 * list of targets, the new data replace them. Otherwise data cannot be added to a row that has data
 * for one of the targets, or that already has ROW_PARTS parts. */
bool sim_rows_can_take(
	const struct rows *rows, uint32_t i, uint32_t end, const struct row_targets *to);

/* Adds `stride` bytes for each target at `address`. Row i must be the first row that ends after
 * `address`, and sim_rows_can_take() must have returned true for it. Creates a row at each place
 * that has none. Joins neighbouring rows that have consecutive parts of the same data. */
void sim_rows_put(struct rows *rows, uint32_t i, uint32_t address, uint32_t stride,
	const struct row_targets *to, struct span span);

void sim_rows_drop(struct rows *rows, uint32_t i);

/* Returns a span with the first of the tile's bytes [address, address + length), like
 * sparse_view_piece() (base/sparse.h). If no row has data of the tile at `address`, the span has no
 * extent, and its length is the distance to the next row that has data of the tile. */
struct span sim_rows_view_piece(
	struct rows *rows, uint16_t tile, uint32_t address, uint32_t length);

/* If one row has bytes of the tile for the whole range, sets *span to them, with a new reference,
 * and returns true. */
bool sim_rows_view(
	struct rows *rows, uint16_t tile, uint32_t address, uint32_t length, struct span *span);

#endif
