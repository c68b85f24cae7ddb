/* Which shard of a mesh layout each device holds. */
#ifndef BENCH_TOOLS_LAYOUT_PLACED_H
#define BENCH_TOOLS_LAYOUT_PLACED_H

#include <stdbool.h>

#include "memory/mesh_layout.h"

struct placed {
	uint64_t shard_y, shard_x;
	uint64_t first_row, first_column; /* of the shard, in elements of the global buffer */
};

/* The shard of device (row, column). False if it holds none. */
bool placed_on(
	const struct mesh_spread *spread, uint32_t row, uint32_t column, struct placed *placed);

#endif
