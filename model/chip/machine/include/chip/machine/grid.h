/* Data that all chips with the same geometry share: the distances on the NoC, and the order in
 * which a multicast reaches the tiles of a rectangle. NoC 0 is a torus that routes right, then
 * down. */
#ifndef CHIP_GRID_H
#define CHIP_GRID_H

#include <stdint.h>

#include "world/device.h"

/* The tiles of a rectangle, ordered by their distance from the source of the multicast. Tiles at
 * the same distance are ordered by row and column of the grid. */
struct sim_multicast {
	struct sim_multicast *next; /* next multicast in the list of the grid */
	struct worker_rect rect;
	uint16_t source;
	uint16_t count;
	uint8_t round_trip; /* largest number of hops to a tile and back */
	uint8_t *hops;	    /* [i]: number of hops to tiles[i] */
	uint16_t *tiles;
};

enum { GRID_LISTS = 64 };

struct sim_grid {
	struct sim_grid *next;
	const struct chip_geometry *geometry;
	uint16_t tile_count;
	uint16_t columns, rows; /* number of columns and rows of routers */
	uint8_t *hops;		/* number of hops between two tiles, at [from * tile_count + to] */
	struct sim_multicast *multicasts[GRID_LISTS];
};

/* Returns the grid for `geometry` from the list *grids. If there is none, adds it to the front. */
struct sim_grid *sim_grid_of(struct sim_grid **grids, const struct chip_geometry *geometry);

void sim_grids_free(struct sim_grid *grids);

static inline uint32_t sim_grid_hops(const struct sim_grid *grid, uint16_t from, uint16_t to)
{
	return grid->hops[(uint32_t)from * grid->tile_count + to];
}

/* Returns the multicast from `source` to `rect`, which must lie in the worker grid. Creates it at
 * first use. */
const struct sim_multicast *sim_grid_multicast(
	struct sim_grid *grid, uint16_t source, struct worker_rect rect);

#endif
