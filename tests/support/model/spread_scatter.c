/* Copies a device's shard back into the buffer of the host, row by row. */
#include "spread_scatter.h"

#include <string.h>

#include "check.h"

void spread_scatter(const struct mesh_spread *spread, uint32_t row, uint32_t column,
	const void *local, void *global)
{
	struct shard_rows rows;

	check(mesh_spread_shard(spread, row, column, &rows), "device %u,%u holds no shard", row,
		column);
	for (uint64_t i = 0; i < rows.rows; i++)
		memcpy((uint8_t *)global + rows.first_byte + i * rows.stride,
			(const uint8_t *)local + i * rows.row_bytes, rows.row_bytes);
}
