/* Computes the distances and multicast orders of a geometry at first use, and stores them. */
#include "chip/machine/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"

static void fill_hops(struct sim_grid *grid)
{
	const struct tile_info *tiles = grid->geometry->tiles;
	uint32_t width = 1, height = 1;

	for (uint32_t i = 0; i < grid->tile_count; i++) {
		width = tiles[i].x >= width ? tiles[i].x + 1u : width;
		height = tiles[i].y >= height ? tiles[i].y + 1u : height;
	}
	grid->columns = (uint16_t)width;
	grid->rows = (uint16_t)height;
	for (uint32_t from = 0; from < grid->tile_count; from++) {
		for (uint32_t to = 0; to < grid->tile_count; to++) {
			uint32_t right = (tiles[to].x + width - tiles[from].x) % width;
			uint32_t down = (tiles[to].y + height - tiles[from].y) % height;

			ensure(right + down <= UINT8_MAX, "%u hops on a NoC", right + down);
			grid->hops[from * grid->tile_count + to] = (uint8_t)(right + down);
		}
	}
}

struct sim_grid *sim_grid_of(struct sim_grid **grids, const struct chip_geometry *geometry)
{
	struct sim_grid *grid;

	for (grid = *grids; grid != NULL; grid = grid->next)
		if (grid->geometry == geometry)
			return grid;
	grid = allocate(1, sizeof *grid);
	grid->geometry = geometry;
	grid->tile_count = geometry->tile_count;
	grid->hops = allocate((size_t)grid->tile_count * grid->tile_count, sizeof *grid->hops);
	fill_hops(grid);
	grid->next = *grids;
	*grids = grid;
	return grid;
}

void sim_grids_free(struct sim_grid *grids)
{
	while (grids != NULL) {
		struct sim_grid *next = grids->next;

		for (uint32_t i = 0; i < GRID_LISTS; i++) {
			struct sim_multicast *multicast = grids->multicasts[i];

			while (multicast != NULL) {
				struct sim_multicast *following = multicast->next;

				free(multicast->hops);
				free(multicast->tiles);
				free(multicast);
				multicast = following;
			}
		}
		free(grids->hops);
		free(grids);
		grids = next;
	}
}

static struct sim_multicast *multicast_new(
	const struct sim_grid *grid, uint16_t source, struct worker_rect rect)
{
	const struct chip_geometry *geometry = grid->geometry;
	struct sim_multicast *multicast = allocate(1, sizeof *multicast);
	uint32_t columns = rect.column1 - rect.column0 + 1u;
	uint32_t count = columns * (rect.row1 - rect.row0 + 1u);

	multicast->rect = rect;
	multicast->source = source;
	multicast->tiles = allocate(count, sizeof *multicast->tiles);
	multicast->hops = allocate(count, sizeof *multicast->hops);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t row = rect.row0 + i / columns, column = rect.column0 + i % columns;
		uint16_t tile = geometry->worker_tiles[row * geometry->worker_columns + column];
		uint8_t hops = (uint8_t)sim_grid_hops(grid, source, tile);
		uint32_t round_trip = hops + sim_grid_hops(grid, tile, source);
		uint32_t at = multicast->count++;

		for (; at > 0 && multicast->hops[at - 1] > hops; at--) {
			multicast->tiles[at] = multicast->tiles[at - 1];
			multicast->hops[at] = multicast->hops[at - 1];
		}
		multicast->tiles[at] = tile;
		multicast->hops[at] = hops;
		if (round_trip > multicast->round_trip)
			multicast->round_trip = (uint8_t)round_trip;
	}
	return multicast;
}

const struct sim_multicast *sim_grid_multicast(
	struct sim_grid *grid, uint16_t source, struct worker_rect rect)
{
	const struct chip_geometry *geometry = grid->geometry;
	uint32_t list = (source * 31u + rect.column0 * 7u + rect.column1 * 5u + rect.row0 * 3u +
				rect.row1) %
			GRID_LISTS;
	struct sim_multicast *multicast = grid->multicasts[list];

	for (; multicast != NULL; multicast = multicast->next)
		if (multicast->source == source &&
			memcmp(&multicast->rect, &rect, sizeof rect) == 0)
			return multicast;
	ensure(rect.column0 <= rect.column1 && rect.column1 < geometry->worker_columns &&
			rect.row0 <= rect.row1 && rect.row1 < geometry->worker_rows,
		"multicast to columns %u-%u, rows %u-%u of a grid of %ux%u", rect.column0,
		rect.column1, rect.row0, rect.row1, geometry->worker_columns,
		geometry->worker_rows);
	multicast = multicast_new(grid, source, rect);
	multicast->next = grid->multicasts[list];
	grid->multicasts[list] = multicast;
	return multicast;
}
