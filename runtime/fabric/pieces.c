/* Cuts the rectangle of a broadcast into pieces that are small enough for one multicast each. */
#include "fabric/pattern.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "fabric/grids.h"

static struct mesh_shape pieces_shape(struct device_range range)
{
	return (struct mesh_shape){(uint16_t)(range.row1 - range.row0 + 1),
		(uint16_t)(range.column1 - range.column0 + 1)};
}

/* Cuts `shape` into `count` parts. Returns true if each part has at most `most` devices. */
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

/* Like fabric_split(), for a rectangle whose upper left device is at any place. */
static void pieces_split(struct device_range range, uint32_t count, struct device_range *pieces)
{
	fabric_split(pieces_shape(range), count, pieces);
	for (uint32_t i = 0; i < count; i++)
		pieces[i] = (struct device_range){(uint16_t)(pieces[i].row0 + range.row0),
			(uint16_t)(pieces[i].column0 + range.column0),
			(uint16_t)(pieces[i].row1 + range.row0),
			(uint16_t)(pieces[i].column1 + range.column0)};
}

uint32_t fabric_pieces(struct device_range range, uint32_t most, struct device_range *pieces)
{
	uint32_t count = fabric_piece_count(range, most);

	pieces_split(range, count, pieces);
	return count;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct device_range *x = a, *y = b;

	if (x->row0 != y->row0)
		return x->row0 < y->row0 ? -1 : 1;
	return x->column0 < y->column0 ? -1 : x->column0 > y->column0;
}

/* Cuts `range` into two halves. Returns the half with the upper left device if `first` is true,
 * otherwise the other half. */
static struct device_range pieces_half(struct device_range range, bool first)
{
	struct mesh_shape shape = pieces_shape(range);

	if (shape.rows >= shape.columns && first)
		range.row1 = (uint16_t)(range.row0 + shape.rows / 2 - 1);
	else if (shape.rows >= shape.columns)
		range.row0 = (uint16_t)(range.row0 + shape.rows / 2);
	else if (first)
		range.column1 = (uint16_t)(range.column0 + shape.columns / 2 - 1);
	else
		range.column0 = (uint16_t)(range.column0 + shape.columns / 2);
	return range;
}

uint32_t fabric_pieces_halves(struct device_range range, uint32_t most, struct device_range *pieces)
{
	uint32_t count = 1, at = 0;

	ensure(most > 0, "pieces of no device");
	pieces[0] = range;
	while (at < count)
		if (device_range_count(pieces[at]) <= most) {
			at++;
		} else {
			pieces[count++] = pieces_half(pieces[at], false);
			pieces[at] = pieces_half(pieces[at], true);
		}
	qsort(pieces, count, sizeof(*pieces), compare_pieces);
	return count;
}

uint32_t fabric_pieces_rows(struct device_range range, uint32_t most, struct device_range *pieces)
{
	uint32_t columns = pieces_shape(range).columns, count = 0, parts;

	ensure(most > 0, "pieces of no device");
	parts = (columns + most - 1) / most;
	pieces[0] = range;
	if (device_range_count(range) <= most)
		return 1;
	for (uint32_t row = range.row0; row <= range.row1; row++) {
		struct device_range line = {
			(uint16_t)row, range.column0, (uint16_t)row, range.column1};

		pieces_split(line, parts, pieces + count);
		count += parts;
	}
	return count;
}
