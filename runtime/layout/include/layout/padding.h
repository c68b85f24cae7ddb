/* Queries about the padding of a layout. Each place of a shard is either data or one kind of
 * padding. The functions return the kind of a place, the run of places of one kind along an axis of
 * a shard, and numbers of places. The layout must have passed layout_init(). */
#ifndef LAYOUT_PADDING_H
#define LAYOUT_PADDING_H

#include "layout/layout.h"

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
 * whose coordinate on this axis is `coordinate`. If each dimension is in only one result, a place
 * is data exactly if it is data along every axis, so the runs of all axes describe all padding. */
struct padding_run padding_run(
	const struct layout *layout, uint32_t result, uint64_t coordinate, uint64_t at);

/* Return the number of elements in a shard, or in the box [from, to) of the physical space. */
uint64_t padding_elements(const struct layout *layout, const struct layout_shape *shard);
uint64_t padding_elements_within(const struct layout *layout, const struct layout_shape *from,
	const struct layout_shape *to);

/* Returns the number of places of a shard that are padding: the volume of the padded shard minus
 * padding_elements(). */
uint64_t padding_count(const struct layout *layout, const struct layout_shape *shard);

#endif
