/* Keys of the steps that write and read buffers. */
#ifndef BENCH_BUFFER_KEYS_H
#define BENCH_BUFFER_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "memory/placement.h"

/* Distribution of a buffer over the devices of a mesh. */
enum step_spread {
	STEP_REPLICATED,
	STEP_PARTS,	   /* each device has its own part */
	STEP_ROW_PARTS,	   /* a part for each row of devices, replicated within the row */
	STEP_COLUMN_PARTS, /* a part for each column of devices, replicated within the column */
	STEP_MATRIX,	   /* shards of a matrix of elements (ShardedBufferConfig, spec 3.3.3) */
	STEP_MAPPED	   /* parts of a tensor, distributed by a mesh mapper */
};

enum step_layout {
	STEP_INTERLEAVED,
	STEP_SHARDED, /* shards consist of consecutive pages */
	STEP_HEIGHT_SHARDED,
	STEP_WIDTH_SHARDED,
	STEP_BLOCK_SHARDED
};

enum { PAGE_BYTES_MAX = 1 << 20 }; /* of buffers */

/* The content of a buffer: any bits, or numbers of an element type. */
enum step_values { STEP_BITS, STEP_F32, STEP_BF16, STEP_BFP8, STEP_BFP4 };
struct step;

struct write_step {
	const char *buffer;
	uint64_t bytes; /* size of a replica, or of the global buffer; 0: as in an earlier step */
	uint32_t page_bytes;
	/* of a tensor: its dimensions, outermost first; a rank of 0: no tensor */
	const uint64_t *shape;
	uint32_t shape_rank;
	uint32_t element;      /* enum element */
	bool tiled;	       /* pages are tiles of 32x32; otherwise rows */
	uint32_t memory;       /* enum buffer_type */
	uint32_t spread;       /* enum step_spread */
	uint32_t spread_order; /* enum orientation */
	/* only for STEP_MATRIX: [height, width] in elements; 0 in shard_shape: the whole extent */
	uint64_t global_shape[2], shard_shape[2];
	uint32_t global_shape_count, shard_shape_count;
	/* Only for STEP_MAPPED. `tensor_shape` has the size of the tensor in each dimension, the
	 * outermost first. `mapper` has two dimensions: the first is split over the rows of
	 * devices, the second over the columns. If `mapper` has only one element, this dimension is
	 * split over all devices. */
	const uint64_t *tensor_shape;
	const int32_t *mapper;
	uint32_t tensor_rank, mapper_count;
	uint32_t layout;	   /* enum step_layout */
	uint32_t contiguous_pages; /* pages per shard; 0: each bank or core gets one shard */
	/* only for layouts with a matrix of pages; if a count is 0, the key was not given */
	uint32_t page_matrix[2], shard_pages[2]; /* both [height, width] in pages */
	uint32_t page_matrix_count, shard_pages_count;
	uint8_t shard_cores[2]; /* [columns, rows] of cores, counted from the first worker */
	uint32_t shard_cores_count;
	uint32_t orientation; /* enum orientation */
	bool bottom_up;
	const char *sub_device;	    /* the sub-device whose L1 has the buffer; NULL: all workers */
	uint32_t sub_device_number; /* from 1, over all divisions; 0: all workers */
	uint32_t sub_device_index;  /* from 1, in its division; 0: all workers */
	struct worker_rect sub_device_cores;
	uint32_t values;	      /* enum step_values */
	bool pinned;		      /* the data are in pinned memory */
	bool stored;		      /* the data are in storage and must be read first */
	const char *from, *from_mesh; /* buffer and mesh of the read with the data; or NULL */
	const struct step *source;    /* the last read of `from` before the step; or NULL */
	struct location from_where, from_mesh_where;
	uint16_t shard[2];    /* [row, column] of the only device that is written */
	uint32_t shard_count; /* 0: all parts are written */
	uint32_t pages[2];    /* [first, count] of the pages of each part that are written */
	uint32_t pages_count; /* 0: all pages */
	uint32_t queue;
	bool blocking;
	struct location buffer_where, bytes_where, sub_device_where, shape_where;
};

struct free_step {
	const char *buffer;
	struct location buffer_where;
};

struct read_step {
	const char *buffer;
	const char *save;  /* name of the data in the result file; NULL: they are not saved */
	bool is_source;	   /* a later step writes the data that this step reads */
	bool pinned;	   /* the read stores the data in pinned memory */
	uint16_t shard[2]; /* `shard` and `pages` are as in struct write_step */
	uint32_t shard_count;
	uint32_t pages[2], pages_count;
	uint32_t queue;
	bool blocking;
	struct location buffer_where;
};

#endif
