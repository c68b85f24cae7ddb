/* Cuts the rectangle of a broadcast into pieces that are small enough for one multicast each. */
#include "fabric/pieces.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "fabric/grids.h"

static struct mesh_shape pieces_shape(struct device_range range)
{
	return (struct mesh_shape){(uint16_t)(range.row1 - range.row0 + 1),
		(uint16_t)(range.column1 - range.column0 + 1)};
}

/* Cuts `shape` into `count` parts, and returns true if none has more than `most` devices. */
static bool pieces_cut(
	struct mesh_shape shape, uint32_t count, uint32_t most, struct device_range *pieces)
{
	bool good = true;

	fabric_split(shape, count, pieces);
	for (uint32_t i = 0; i < count; i++)
		good &= device_range_count(pieces[i]) <= most;
	return good;
}

uint32_t fabric_piece_count(struct device_range range, uint32_t most)
{
	struct mesh_shape shape = pieces_shape(range);
	uint32_t devices = mesh_shape_count(shape), count;
	struct device_range *pieces;

	ensure(most > 0, "pieces of no device");
	count = (devices + most - 1) / most;
	if (count == 1)
		return 1;
	pieces = allocate(devices, sizeof(*pieces));
	while (!pieces_cut(shape, count, most, pieces))
		count++;
	free(pieces);
	return count;
}

void fabric_pieces(struct device_range range, uint32_t most, struct device_range *pieces)
{
	uint32_t count = fabric_piece_count(range, most);

	fabric_split(pieces_shape(range), count, pieces);
	for (uint32_t i = 0; i < count; i++)
		pieces[i] = (struct device_range){(uint16_t)(pieces[i].row0 + range.row0),
			(uint16_t)(pieces[i].column0 + range.column0),
			(uint16_t)(pieces[i].row1 + range.row0),
			(uint16_t)(pieces[i].column1 + range.column0)};
}
