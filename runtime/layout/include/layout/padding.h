/* Where a layout pads, as queries: of one place, of a run of places along an axis of a shard, of
 * counts. Refuses nothing: needs layouts that layout_init() accepted. */
#ifndef LAYOUT_PADDING_H
#define LAYOUT_PADDING_H

#include "layout/layout.h"

/* What is at a place of a shard. */
enum place_kind {
	PLACE_DATA,
	PLACE_GAP,  /* between elements: a stride that was bumped */
	PLACE_GRID, /* behind the last element: the grid does not divide the tensor evenly */
	PLACE_TILE, /* behind the shard: tiles do not divide it evenly */
	PLACE_KIND_COUNT
};

/* "data", "gap", "grid", "tile". */
const char *place_kind_name(enum place_kind kind);

/* The kind of `local` (within `padded`) of a shard. */
enum place_kind padding_at(const struct layout *layout, const struct layout_shape *shard,
	const struct layout_shape *local);

/* Places of one kind that follow each other along one axis. */
struct padding_run {
	enum place_kind kind;
	uint64_t at, count;
};

/* The run that begins at `at` (< padded.size[result]) of the shards whose coordinate in `result` is
 * `coordinate`. Where each dimension is in one result only, a place is data if it is data along
 * every axis, and these runs say everything. */
struct padding_run padding_run(
	const struct layout *layout, uint32_t result, uint64_t coordinate, uint64_t at);

/* Elements of the tensor that a shard holds, and that [from, to) of the physical space holds. */
uint64_t padding_elements(const struct layout *layout, const struct layout_shape *shard);
uint64_t padding_elements_within(const struct layout *layout, const struct layout_shape *from,
	const struct layout_shape *to);

/* Elements of padding in a shard: its padded volume without those. */
uint64_t padding_count(const struct layout *layout, const struct layout_shape *shard);

#endif
