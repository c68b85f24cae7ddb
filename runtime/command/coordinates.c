/* Translates the tiles and rectangles in commands from virtual to physical coordinates of a chip,
 * and back. */
#include "command/dispatch.h"

#include "base/ensure.h"

/* ---- tiles ---- */

uint16_t tile_to_physical(const struct chip_geometry *geometry, uint16_t tile)
{
	ensure(tile < geometry->tile_count, "tile %u of %u", tile, geometry->tile_count);
	return (uint16_t)(geometry->tiles[tile].y * geometry->noc_columns +
			  geometry->tiles[tile].x);
}

enum status tile_to_virtual(const struct chip_geometry *geometry, uint16_t place, uint16_t *tile)
{
	if (place >= geometry->noc_columns * geometry->noc_rows ||
		geometry->tile_at[place] >= geometry->tile_count)
		return STATUS_NOT_FOUND;
	*tile = geometry->tile_at[place];
	return STATUS_OK;
}

/* ---- rectangles ---- */

static void corner_to_physical(
	const struct chip_geometry *geometry, uint8_t *column_or_x, uint8_t *row_or_y)
{
	uint32_t worker = (uint32_t)*row_or_y * geometry->worker_columns + *column_or_x;
	const struct tile_info *tile = &geometry->tiles[geometry->worker_tiles[worker]];

	*column_or_x = tile->x;
	*row_or_y = tile->y;
}

static enum status corner_to_virtual(
	const struct chip_geometry *geometry, uint8_t *x_or_column, uint8_t *y_or_row)
{
	uint32_t workers = (uint32_t)geometry->worker_columns * geometry->worker_rows;
	uint16_t tile = 0;

	if (*x_or_column >= geometry->noc_columns ||
		tile_to_virtual(geometry,
			(uint16_t)(*y_or_row * geometry->noc_columns + *x_or_column),
			&tile) != STATUS_OK)
		return STATUS_NOT_FOUND;
	for (uint32_t i = 0; i < workers; i++)
		if (geometry->worker_tiles[i] == tile) {
			*x_or_column = (uint8_t)(i % geometry->worker_columns);
			*y_or_row = (uint8_t)(i / geometry->worker_columns);
			return STATUS_OK;
		}
	return STATUS_NOT_FOUND;
}

static enum status rect_to_virtual(const struct chip_geometry *geometry, struct worker_rect *rect)
{
	enum status status = corner_to_virtual(geometry, &rect->column0, &rect->row0);

	return status == STATUS_OK ? corner_to_virtual(geometry, &rect->column1, &rect->row1)
				   : status;
}

/* ---- commands ---- */

/* Returns the tile field of a command; NULL if the command has none. */
static uint16_t *tile_in(struct dispatch_command *command)
{
	switch (command->kind) {
	case DISPATCH_WRITE_LINEAR:
		return &command->write_linear.tile;
	case DISPATCH_WRITE_WORD:
		return &command->write_word.tile;
	case DISPATCH_GO:
		return command->flags & DISPATCH_TILE ? &command->go.tile : NULL;
	default:
		return NULL;
	}
}

/* Returns the rectangle field of a command; NULL if the command has none. */
static struct worker_rect *rect_in(struct dispatch_command *command)
{
	switch (command->kind) {
	case DISPATCH_WRITE_MULTICAST:
		return &command->write_multicast.rect;
	case DISPATCH_GO:
		return command->flags & DISPATCH_TILE ? NULL : &command->go.rect;
	default:
		return NULL;
	}
}

void dispatch_to_physical(const struct chip_geometry *geometry, struct dispatch_command *command)
{
	uint16_t *tile = tile_in(command);
	struct worker_rect *rect = rect_in(command);

	if (tile != NULL)
		*tile = tile_to_physical(geometry, *tile);
	if (rect != NULL) {
		corner_to_physical(geometry, &rect->column0, &rect->row0);
		corner_to_physical(geometry, &rect->column1, &rect->row1);
	}
}

enum status dispatch_to_virtual(
	const struct chip_geometry *geometry, struct dispatch_command *command)
{
	uint16_t *tile = tile_in(command);
	struct worker_rect *rect = rect_in(command);

	if (tile != NULL)
		return tile_to_virtual(geometry, *tile, tile);
	return rect != NULL ? rect_to_virtual(geometry, rect) : STATUS_OK;
}

void prefetch_to_physical(const struct chip_geometry *geometry, struct prefetch_command *command)
{
	if (command->kind == PREFETCH_RELAY_LINEAR)
		command->relay_linear.tile = tile_to_physical(geometry, command->relay_linear.tile);
}

enum status prefetch_to_virtual(
	const struct chip_geometry *geometry, struct prefetch_command *command)
{
	return command->kind == PREFETCH_RELAY_LINEAR
		       ? tile_to_virtual(
				 geometry, command->relay_linear.tile, &command->relay_linear.tile)
		       : STATUS_OK;
}
