/* Computes the place of an element, and the element at a place. Uses the affine map, the grid, and
 * the shape of tiles and faces. The layout must have passed layout_init(). */
#include <string.h>

#include "base/ensure.h"
#include "layout/layout.h"

struct layout_shape layout_map(const struct layout *layout, const struct layout_shape *index)
{
	struct layout_shape physical = {.rank = layout->grid.rank};

	ensure(index->rank == layout->tensor.rank, "index of rank %u in a tensor of rank %u",
		index->rank, layout->tensor.rank);
	for (uint32_t r = 0; r < layout->grid.rank; r++)
		for (uint32_t i = 0; i < layout->nest_count[r]; i++) {
			uint8_t d = layout->nest[r][i];

			physical.size[r] += index->size[d] * layout->stride[r][d];
		}
	return physical;
}

bool layout_unmap(const struct layout *layout, const struct layout_shape *physical,
	struct layout_shape *index)
{
	uint32_t known = 0; /* bit d is set if index->size[d] is set */

	*index = (struct layout_shape){.rank = layout->tensor.rank};
	for (uint32_t r = 0; r < layout->grid.rank; r++) {
		uint64_t rest = physical->size[r];

		for (uint32_t i = 0; i < layout->nest_count[r]; i++) {
			uint8_t d = layout->nest[r][i];
			uint64_t at = rest / layout->stride[r][d];

			if (at >= layout->tensor.size[d])
				return false;
			/* A dimension in several results must have the same index in all of
			 * them. */
			if ((known >> d & 1) && index->size[d] != at)
				return false;
			known |= 1u << d;
			index->size[d] = at;
			rest -= at * layout->stride[r][d];
		}
		if (rest != 0)
			return false;
	}
	return true;
}

/* Returns the number of elements that come before an element in the memory of its tile. A tile is
 * stored face by face. */
static uint64_t in_tile(const struct layout *layout, uint64_t row, uint64_t column)
{
	uint32_t face_height =
		layout->tile_height < LAYOUT_FACE ? layout->tile_height : LAYOUT_FACE;
	uint64_t face =
		row / face_height * (layout->tile_width / LAYOUT_FACE) + column / LAYOUT_FACE;

	return face * face_height * LAYOUT_FACE + row % face_height * LAYOUT_FACE +
	       column % LAYOUT_FACE;
}

/* Returns the number of the tile that contains the position `local` of a shard, and sets *element
 * to the position in this tile. */
static uint64_t split_tile(
	const struct layout *layout, const struct layout_shape *local, uint64_t *element)
{
	struct layout_shape tile = *local;
	uint32_t row = local->rank - 2, column = local->rank - 1;

	tile.size[row] /= layout->tile_height;
	tile.size[column] /= layout->tile_width;
	*element = in_tile(layout, local->size[row] % layout->tile_height,
		local->size[column] % layout->tile_width);
	return layout_number(&layout->memref, &tile);
}

uint64_t layout_byte(const struct layout *layout, const struct layout_shape *local)
{
	uint32_t height = layout->tile_height, width = layout->tile_width;
	uint64_t element, tile;

	if (height == 0)
		return layout_number(&layout->shard, local) * element_bytes(layout->element);
	tile = split_tile(layout, local, &element) *
	       element_tile_bytes(layout->element, height, width);
	if (element_is_block(layout->element))
		return tile + height * width / ELEMENT_BLOCK + element;
	return tile + element * element_bytes(layout->element);
}

uint64_t layout_exponent_byte(const struct layout *layout, const struct layout_shape *local)
{
	uint64_t element, tile;

	ensure(element_is_block(layout->element), "exponents of %s", element_name(layout->element));
	tile = split_tile(layout, local, &element);
	return tile * element_tile_bytes(layout->element, layout->tile_height, layout->tile_width) +
	       element / ELEMENT_BLOCK;
}

struct layout_place layout_place(const struct layout *layout, const struct layout_shape *index)
{
	struct layout_shape physical = layout_map(layout, index);
	struct layout_place place = {.shard.rank = physical.rank, .local.rank = physical.rank};

	for (uint32_t r = 0; r < physical.rank; r++) {
		place.shard.size[r] = physical.size[r] / layout->shard.size[r];
		place.local.size[r] = physical.size[r] % layout->shard.size[r];
	}
	place.byte = layout_byte(layout, &place.local);
	return place;
}

bool layout_index(const struct layout *layout, const struct layout_shape *shard,
	const struct layout_shape *local, struct layout_shape *index)
{
	struct layout_shape physical = {.rank = layout->grid.rank};

	for (uint32_t r = 0; r < physical.rank; r++) {
		if (local->size[r] >= layout->shard.size[r])
			return false;
		physical.size[r] = shard->size[r] * layout->shard.size[r] + local->size[r];
		if (physical.size[r] >= layout->physical.size[r])
			return false;
	}
	return layout_unmap(layout, &physical, index);
}
