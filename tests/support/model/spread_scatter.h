/* Copies the shards of all devices into one buffer on the host, for tests. This is the inverse of
 * mesh_spread_gather(). The runtime does not need it, because devices themselves write their shards
 * to the buffer. */
#ifndef TEST_SPREAD_SCATTER_H
#define TEST_SPREAD_SCATTER_H

#include "memory/mesh_layout.h"

/* Copies the data of device (row, column), which holds a shard, into the global host buffer. */
void spread_scatter(const struct mesh_spread *spread, uint32_t row, uint32_t column,
	const void *local, void *global);

#endif
