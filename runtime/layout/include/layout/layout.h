/* The layout of a tensor (the tensor layout attribute). An affine map turns the index of each
 * element into a place in a physical space, which usually has fewer dimensions. A grid divides the
 * physical space into shards, which are padded and stored in memory. The grid can have any rank. A
 * map that could give two elements the same place is an error. The functions here allocate no
 * memory. */
#ifndef LAYOUT_LAYOUT_H
#define LAYOUT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "layout/element.h"

enum { LAYOUT_RANK_MAX = 8, LAYOUT_FACE = 16 };

/* Bounds of every valid layout. They ensure that the products below do not overflow. */
/* maximum number of elements of a tensor, and of its shards */
#define LAYOUT_ELEMENTS_MAX ((uint64_t)1 << 44)
#define LAYOUT_SHARDS_MAX   ((uint64_t)1 << 24)

/* Extents, or an index. Dimensions are ordered from the outermost to the innermost. */
struct layout_shape {
	uint32_t rank;
	uint64_t size[LAYOUT_RANK_MAX];
};

enum layout_space { SPACE_SYSTEM, SPACE_SYSTEM_MMIO, SPACE_DRAM, SPACE_L1, SPACE_COUNT };

/* Returns the name of a memory space: "system", "mmio", "dram" or "l1". */
const char *layout_space_name(enum layout_space space);

/* A layout. The struct owns no memory. The members up to the blank line correspond to the text
 * form, and callers may fill them in. layout_init() computes the members after the blank line. */
struct layout {
	struct layout_shape tensor;
	enum element tensor_element;
	/* The affine map. Its results are the coordinates of a place in the physical space.
	 * [result][dimension] how much one step in the tensor's dimension adds to the result; 0 if
	 * the result does not depend on the dimension */
	uint64_t stride[LAYOUT_RANK_MAX][LAYOUT_RANK_MAX];
	enum fill fill;
	struct layout_shape grid;	  /* its rank is the number of results */
	uint32_t tile_height, tile_width; /* 0: the elements are scalars, not tiles */
	enum element element;		  /* element type of the memref */
	enum layout_space space;

	/* [result] extent of the result: the highest value of any element, plus one */
	struct layout_shape physical;
	struct layout_shape shard;  /* extents of a shard: physical / grid, rounded up */
	struct layout_shape padded; /* the shard, rounded up to whole tiles */
	struct layout_shape memref; /* extents of the shard, in elements or in tiles */
	uint64_t shards;	    /* number of shards of the grid */
	uint64_t shard_bytes;	    /* number of bytes of the memref */
	/* [result] the dimensions on which the result depends, except dimensions of one element,
	 * ordered from the largest stride to the smallest */
	uint8_t nest[LAYOUT_RANK_MAX][LAYOUT_RANK_MAX], nest_count[LAYOUT_RANK_MAX];
	/* all dimensions that occur in `nest`, each once; the dimensions of each result are in the
	 * same order as in `nest` */
	uint8_t order[LAYOUT_RANK_MAX], order_count;
};

/* The dimensions [first, end). Negative numbers count from the end. */
struct layout_interval {
	int32_t first, end;
};

/* Sets `stride` from intervals of dimensions, which must be given in order. `tensor` must be set.
 * The dimensions of an interval are joined into one result. A dimension that is in no interval
 * becomes a result of its own. (TTNN's default is one interval, {0, -1}.) If no dimensions are
 * joined and this gives fewer than `results` results, the missing ones are added at the front and
 * are always 0. So a tensor of one dimension becomes one row on a 2D grid. Returns OK. Returns
 * INVALID, with a sentence in `why`, if an interval lies outside the rank, ends before it begins or
 * overlaps the previous interval, or if the number of results is wrong. */
enum status layout_collapse(struct layout *layout, const struct layout_interval *intervals,
	uint32_t count, uint32_t results, struct text *why);

/* Increases strides so that rows are aligned. The second-to-last result has the rows. In this
 * result, rounds up the stride of each dimension except the innermost to a multiple of `multiple`
 * (> 0, for example the height of a tile). The places in between become gaps. Returns OK, or an
 * error with a sentence in `why`. Returns INVALID if the grid has fewer than two dimensions, and
 * OUT_OF_RANGE if a stride becomes too large. */
enum status layout_align_rows(struct layout *layout, uint64_t multiple, struct text *why);

/* Checks the members of *layout that callers fill in, and computes the other members. Returns OK,
 * or an error with a sentence in `why` (may be NULL). Returns UNSUPPORTED if the element type is
 * bfp_bf4. Returns INVALID or OUT_OF_RANGE in these cases:
 *
 * - an extent is 0, or a size exceeds the bounds above;
 * - a dimension with several elements is in no result, or strides do not nest;
 * - a tile is invalid;
 * - the element type does not have the fill. */
enum status layout_init(struct layout *layout, struct text *why);

/* Applies the map to `index`, which must lie within the tensor. Returns the element's place in the
 * physical space. */
struct layout_shape layout_map(const struct layout *layout, const struct layout_shape *index);

/* Sets *index to the index of the element at a physical place, and returns true. Returns false if
 * there is no element at this place. */
bool layout_unmap(const struct layout *layout, const struct layout_shape *physical,
	struct layout_shape *index);

/* The place of an element: its shard in the virtual grid, its position in the shard, and the
 * position of its byte in the memory of the shard. In a block format, this is the byte of the
 * mantissa; layout_exponent_byte() returns the byte of the exponent. */
struct layout_place {
	struct layout_shape shard, local;
	uint64_t byte;
};

struct layout_place layout_place(const struct layout *layout, const struct layout_shape *index);

/* layout_byte() returns the position, in bytes, of an element in the memory of a shard. In a block
 * format this is the position of the element's mantissa; layout_exponent_byte() returns the
 * position of its exponent. `local` is the position of the element in the padded shard. */
uint64_t layout_byte(const struct layout *layout, const struct layout_shape *local);
uint64_t layout_exponent_byte(const struct layout *layout, const struct layout_shape *local);

/* Sets *index to the index of the element at position `local` in a padded shard. Returns false if
 * this position is padding. */
bool layout_index(const struct layout *layout, const struct layout_shape *shard,
	const struct layout_shape *local, struct layout_shape *index);

/* Functions for shapes. layout_volume() returns the number of elements; the shape must not exceed
 * the bounds above. layout_number() converts an index to its row-major number, and layout_at()
 * converts this number back. layout_shape_print() appends a text, for example "2x3x64". */
uint64_t layout_volume(const struct layout_shape *shape);
uint64_t layout_number(const struct layout_shape *extents, const struct layout_shape *index);
struct layout_shape layout_at(const struct layout_shape *extents, uint64_t number);
void layout_shape_print(const struct layout_shape *shape, const char *between, struct text *out);

/* A run of elements that layout_walk() visits. The elements of a run follow each other along the
 * innermost dimension of the tensor. The cost of visiting a run does not depend on its length. */

struct layout_run {
	/* row-major number of the run's first element in the tensor */
	uint64_t element;
	struct layout_shape physical; /* place of the run's first element */
	uint64_t count;		      /* number of consecutive elements */
};

/* Calls visit() for every run of elements in the box [from, to) of the physical space, in the order
 * of the tensor's elements. Stops when visit() returns false. Returns the last result of visit(),
 * or true if there was no run. */
bool layout_walk(const struct layout *layout, const struct layout_shape *from,
	const struct layout_shape *to, bool (*visit)(void *context, const struct layout_run *run),
	void *context);

/* The padding of a layout. Each place of a shard is either data or one kind of padding. The
 * functions below return the kind of a place, the run of places of one kind along an axis of a
 * shard, and numbers of places. The layout must have passed layout_init(). */

/* The kind of a place of a shard: data, or one kind of padding. */
enum place_kind {
	PLACE_DATA,
	PLACE_GAP, /* padding between elements: a stride is larger than the data inside it */
	/* padding after the last element: the grid does not divide the tensor evenly */
	PLACE_GRID,
	PLACE_TILE, /* padding after the shard: tiles do not divide the shard evenly */
	PLACE_KIND_COUNT
};

/* Returns the name of a kind: "data", "gap", "grid" or "tile". */
const char *place_kind_name(enum place_kind kind);

/* Returns the kind of the place `local` (within `padded`) of a shard. */
enum place_kind padding_at(const struct layout *layout, const struct layout_shape *shard,
	const struct layout_shape *local);

/* A run of places of one kind along one axis. */
struct padding_run {
	enum place_kind kind;
	uint64_t at, count;
};

/* Returns the run that begins at `at` (< padded.size[result]) along axis `result`, in the shards
 * whose coordinate on this axis is `coordinate`. If each dimension is in only one result, the runs
 * of all axes describe all padding: a place is data if it is data along every axis, and otherwise
 * padding. */
struct padding_run padding_run(
	const struct layout *layout, uint32_t result, uint64_t coordinate, uint64_t at);

/* Return the number of elements in a shard, or in the box [from, to) of the physical space. */
uint64_t padding_elements(const struct layout *layout, const struct layout_shape *shard);
uint64_t padding_elements_within(const struct layout *layout, const struct layout_shape *from,
	const struct layout_shape *to);

/* Returns the number of padding elements in a shard: the number of elements of the padded shard
 * minus padding_elements(). */
uint64_t padding_count(const struct layout *layout, const struct layout_shape *shard);

#endif
