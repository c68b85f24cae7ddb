/* The spread of a mesh buffer over devices (spec 3.3.3). Each device has either a copy of the whole
 * buffer (a replica) or one shard of a global matrix. If there are fewer shards than devices, some
 * devices have none. Shards go to devices in row-major or column-major order. Partial shards are an
 * error. */
#ifndef MEMORY_MESH_LAYOUT_H
#define MEMORY_MESH_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "memory/placement.h"

/* The layout that a caller requests. The caller fills in all members. */
struct mesh_layout {
	bool sharded;	     /* false: every device has the whole buffer */
	uint64_t size_bytes; /* bytes of a replica, or of the global buffer */
	/* for sharded buffers: extents of the global matrix and of one shard, in elements */
	uint64_t global_height, global_width;
	/* in elements; 0: a shard has the whole extent of the matrix in this direction, and is
	 * replicated in it (see struct mesh_spread) */
	uint64_t shard_height, shard_width;
	enum orientation orientation; /* order in which shards go to devices */
};

/* The computed spread over `device_rows` x `device_columns` devices. */
struct mesh_spread {
	struct mesh_layout layout; /* the requested layout, with extents of 0 replaced */
	uint32_t device_rows, device_columns;
	uint64_t element_bytes;
	uint64_t shards_high, shards_wide;
	uint64_t device_bytes; /* bytes of the buffer on each device */
	/* True if the caller gave a shard height of 0 (`replicated_rows`), or a shard width of 0
	 * (`replicated_columns`). If both are true, every device has the whole buffer; this is also
	 * so on a mesh of one device. If only one is true, some devices have the same shard: with
	 * the row-major orientation, all devices in a column of the mesh; otherwise, all devices in
	 * a row. */
	bool replicated_rows, replicated_columns;
};

/* The rows of a shard in the host's data. Each row is one contiguous piece. */
struct shard_rows {
	uint64_t first_byte; /* position of the first row in the global buffer */
	uint64_t row_bytes;  /* bytes of a row of the shard */
	uint64_t stride;     /* bytes from one row to the next in the global buffer */
	uint64_t rows;
};

/* Checks the layout and computes the spread. Returns OK, or an error with a sentence in `why` (may
 * be NULL). Returns INVALID if the size is 0 or not a multiple of the number of elements, or if the
 * matrix cannot be divided into shards of equal size. Returns OUT_OF_RANGE if there are more shards
 * than devices. If shards are replicated along one dimension of the mesh, there may be only as many
 * shards as the other dimension has devices. */
enum status mesh_spread_init(struct mesh_spread *spread, const struct mesh_layout *layout,
	uint32_t device_rows, uint32_t device_columns, struct text *why);

/* Sets *rows to the position of a device's data in the host's buffer. If the buffer is replicated,
 * *rows describes the whole buffer. Returns false if the device holds no shard. */
bool mesh_spread_shard(
	const struct mesh_spread *spread, uint32_t row, uint32_t column, struct shard_rows *rows);

/* Copies the data of a device from `global`, the whole buffer in host memory, to `local`, which has
 * device_bytes bytes. The device must hold a shard. The host time of the copy is not charged here;
 * the caller does this. */
void mesh_spread_gather(const struct mesh_spread *spread, uint32_t row, uint32_t column,
	const void *global, void *local);

/* Like mesh_spread_gather(), but copies only the rows from `first` to `first + count` - 1 of the
 * device's data. struct shard_rows defines the rows. */
void mesh_spread_gather_rows(const struct mesh_spread *spread, uint32_t row, uint32_t column,
	uint64_t first, uint64_t count, const void *global, void *local);

#endif
