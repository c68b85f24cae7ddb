/* What one executor has of a mesh over several hosts: its rectangle of devices, and of a buffer the
 * shards that lie there, which follow each other in a linear piece (spec 4.3). The same on
 * controller and executor. Refuses nothing: ranges and spreads were checked before. */
#ifndef DISTRIBUTED_COMMON_PART_H
#define DISTRIBUTED_COMMON_PART_H

#include <stdbool.h>

#include "fabric/shape.h"
#include "memory/mesh_layout.h"
#include "wire/command.h"

struct part {
	struct mesh_shape whole;
	struct device_range range; /* of the whole */
};

struct mesh_shape part_shape(const struct part *part);

/* Where a range of the whole and the part overlap, as the part's own mesh counts; false: nowhere.
 */
bool part_cut(const struct part *part, struct device_range range, struct device_range *cut);

/* Shards of a buffer that the part holds, one at least once for all of its devices: of a replicated
 * buffer one. 0: none of its devices holds any. */
uint32_t part_shards(const struct part *part, const struct mesh_spread *spread);

/* Whether a read of the whole buffer takes data from this part; each shard is taken from one part.
 */
bool part_is_read(const struct part *part, const struct mesh_spread *spread);

/* How the part's own mesh spreads the linear piece: part_shards() times spread->device_bytes, or
 * one of these that is never filled. */
struct mesh_layout part_layout(const struct part *part, const struct mesh_spread *spread);

/* Bytes that follow each other in the whole buffer and in the part's piece, from these offsets on.
 */
struct part_run {
	uint64_t whole, piece, bytes;
};

/* Calls run() for each of the part's, in the order of the piece, until it fails: what it returned
 * last. */
enum status part_each_run(const struct part *part, const struct mesh_spread *spread,
	enum status (*run)(void *context, struct part_run run), void *context);

/* Copies the part's shards out of the whole buffer, or into it. Charges nothing. */
void part_gather(
	const struct part *part, const struct mesh_spread *spread, const void *whole, void *piece);
void part_scatter(
	const struct part *part, const struct mesh_spread *spread, const void *piece, void *whole);

/* Ranges as messages have them. */
struct wire_range part_to_wire(struct device_range range);

/* False if it holds no device or leaves 16 bits. */
bool part_from_wire(const struct wire_range *wire, struct device_range *range);

#endif
