/* The part of a mesh over several hosts that belongs to one executor: a rectangle of devices, and
 * the shards of a buffer on these devices. On the host, the data of these shards follow each other
 * in linear memory. These data are called the part's piece of the buffer (spec 4.3). Controller and
 * executor use the same functions. The caller must check ranges and spreads before it passes them
 * to these functions. */
#ifndef DISTRIBUTED_COMMON_PART_H
#define DISTRIBUTED_COMMON_PART_H

#include <stdbool.h>

#include "fabric/shape.h"
#include "memory/mesh_layout.h"
#include "wire/command.h"

struct part {
	struct mesh_shape whole;
	struct device_range range; /* the part's devices, in coordinates of the whole mesh */
};

struct mesh_shape part_shape(const struct part *part);

/* Intersects the part with a range of the whole mesh. If they overlap, sets *cut to the overlap, in
 * coordinates of the part's own mesh, and returns true. Otherwise returns false. */
bool part_cut(const struct part *part, struct device_range range, struct device_range *cut);

/* Returns the number of shards in the part's piece of a buffer. A shard that several devices of the
 * part hold counts once, so a replicated buffer has one shard. Returns 0 if no device of the part
 * holds a shard. */
uint32_t part_shards(const struct part *part, const struct mesh_spread *spread);

/* Returns true if a read of the whole buffer gets data from `part`. If several parts have the same
 * shard, only one of them sends it. */
bool part_is_read(const struct part *part, const struct mesh_spread *spread);

/* Returns the layout of the part's piece on the part's own mesh. The piece has part_shards() times
 * spread->device_bytes bytes. Without shards, it has spread->device_bytes bytes, which are never
 * written. */
struct mesh_layout part_layout(const struct part *part, const struct mesh_spread *spread);

/* A run of bytes that is contiguous both in the whole buffer and in the part's piece. `whole` and
 * `piece` are the offsets of the run in the buffer and in the piece. */
struct part_run {
	uint64_t whole, piece, bytes;
};

/* Calls run() for each contiguous run of bytes of the part, until a call fails. The runs are in the
 * order in which they lie in the part's piece of the buffer. Returns OK, or the error of the call
 * that failed. */
enum status part_each_run(const struct part *part, const struct mesh_spread *spread,
	enum status (*run)(void *context, struct part_run run), void *context);

/* Copy the part's shards: from the whole buffer to the piece, or back. Charge nothing. */
void part_gather(
	const struct part *part, const struct mesh_spread *spread, const void *whole, void *piece);
void part_scatter(
	const struct part *part, const struct mesh_spread *spread, const void *piece, void *whole);

/* Converts a range to the form that messages use. */
struct wire_range part_to_wire(struct device_range range);

/* Returns false if the range is empty or a coordinate exceeds 16 bits. */
bool part_from_wire(const struct wire_range *wire, struct device_range *range);

#endif
