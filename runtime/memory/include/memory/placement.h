/* Placement of a buffer's pages on a device (spec 3.3.1, 3.3.3). Pages are either interleaved over
 * banks or tiles, or combined into shards, which are placed on banks or worker tiles one after the
 * other. The placement is the same on every device of a mesh. It is an error if the shape of the
 * shards contradicts the buffer's layout. */
#ifndef MEMORY_PLACEMENT_H
#define MEMORY_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "world/device.h"

/* The memory in which a buffer lies. The values mean, in this order: DRAM banks; the L1 of workers;
 * the part of L1 that is reserved for small buffers (spec 3.1.3, l1_small_size); the part of each
 * DRAM bank that is reserved for traces (trace_region_size); host memory that is mapped for all
 * devices, in which pages are contiguous. */
enum buffer_type {
	BUFFER_DRAM,
	BUFFER_L1,
	BUFFER_L1_SMALL,
	BUFFER_TRACE,
	BUFFER_SYSTEM,
	BUFFER_TYPE_COUNT
};

/* Returns true if a buffer of this type lies in DRAM banks. */
bool buffer_type_in_dram(enum buffer_type type);

enum buffer_layout {
	LAYOUT_INTERLEAVED,
	LAYOUT_HEIGHT_SHARDED,
	LAYOUT_WIDTH_SHARDED,
	LAYOUT_BLOCK_SHARDED,
	BUFFER_LAYOUT_COUNT
};

enum orientation { ORIENTATION_ROW_MAJOR, ORIENTATION_COLUMN_MAJOR };

/* Returns the name of a layout: "interleaved", "height-sharded", ... */
const char *buffer_layout_name(enum buffer_layout layout);

/* The pages of a sharded buffer as a matrix, and the shards into which this matrix is cut. */
struct shard_parameters {
	/* size of the whole buffer in pages; pages are in row-major order */
	uint32_t pages_high, pages_wide;
	/* size of one shard in pages; the last shards in each direction may be smaller */
	uint32_t shard_pages_high, shard_pages_wide;
	struct worker_rect cores;     /* tiles with shards (L1 buffers); ignored for DRAM */
	enum orientation orientation; /* order in which shards go to the cores */
	/* cores or banks get shards in turn, so there may be more shards than cores or banks */
	bool round_robin;
};

/* The layout of a buffer within one device. */
struct buffer_config {
	enum buffer_type type;
	enum buffer_layout layout;
	uint32_t page_bytes;
	struct shard_parameters shard; /* used only for sharded layouts */
	bool bottom_up; /* place the buffer at low addresses rather than at high ones */
	/* For BUFFER_L1: the number, from 1, of the sub-device whose workers hold the buffer; 0:
	 * all workers. Only allocators use this number. A placement uses the cores in `shard`
	 * instead. */
	uint8_t sub_device;
};

/* The placement of one buffer. The struct owns no memory, but refers to the geometry. */
struct placement {
	struct buffer_config config;
	const struct chip_geometry *geometry;
	uint64_t size_bytes;
	uint32_t page_count;
	uint32_t page_stride;	 /* page_bytes rounded up to the alignment */
	uint32_t slot_count;	 /* number of banks or tiles that hold pages */
	uint32_t pages_per_slot; /* number of pages in the slot that has the most pages */
	uint32_t shards_high, shards_wide;
};

/* The place of one page on a device. `slot` is the number of the bank or tile. Slots are numbered
 * in the order in which banks or tiles receive pages or shards. */
struct page_place {
	uint16_t tile;
	uint32_t slot;
	uint64_t offset; /* offset from the address of the buffer */
};

/* Computes the placement of `size_bytes` bytes (a multiple of page_bytes, > 0) on devices of
 * `geometry`. `alignment` is the alignment of pages, a power of two. Returns OK, or an error with a
 * sentence in `why` (may be NULL). Returns INVALID if the page size is wrong, if the shape of the
 * shards contradicts the layout, or if shards are in system memory. Returns OUT_OF_RANGE if cores
 * are outside the worker grid, or if there are more shards than cores or banks, or too many
 * pages. */
enum status placement_init(struct placement *placement, const struct buffer_config *config,
	uint64_t size_bytes, const struct chip_geometry *geometry, uint32_t alignment,
	struct text *why);

/* Returns the number of bytes that the buffer needs in every bank or tile. */
uint64_t placement_slot_bytes(const struct placement *placement);

/* Returns the place of page `page` (< page_count) on a device. Not for system memory. */
struct page_place placement_page(const struct placement *placement, uint32_t page);

/* The pages from `page` to `page + count` - 1, which are contiguous both in the buffer and on the
 * device. */
struct page_run {
	struct page_place place; /* place of the first page */
	uint32_t page, count;
};

/* The pages from `first` to `first + count` - 1, in the order of the buffer. */
struct page_range {
	uint32_t first, count;
};

/* Returns all pages of a placement. */
struct page_range placement_pages(const struct placement *placement);

/* A walk visits the pages of a sharded buffer in the order in which they lie on a device: slot by
 * slot, and in each slot in the order of offsets. To start a walk, initialize it with {.placement =
 * placement}. To visit only some pages, also set `only`. */
struct placement_walk {
	const struct placement *placement;
	struct page_range only; /* the walk passes only these pages; count 0: all pages */
	struct page_run ahead;	/* the next run of pages; its count is 0 if there is none */
	uint32_t turn;		/* number of shards of the slot that the walk has passed */
	uint32_t slot, row;	/* current position; rows count within a shard */
};

/* Sets *run to the walk's next pages, at most `most` (> 0). Returns true, or false at the end. */
bool placement_walk_next(struct placement_walk *walk, uint32_t most, struct page_run *run);

/* Looks ahead without moving the walk. Returns how many pages, from the next page of the walk on,
 * are contiguous in one slot, but at most `most`; 0 at the end of the walk. Sets *place to the
 * place of the first page. These pages need not be contiguous on the host: *runs is the number of
 * their contiguous runs there. */
uint32_t placement_walk_stretch(
	const struct placement_walk *walk, uint32_t most, struct page_place *place, uint32_t *runs);

#endif
