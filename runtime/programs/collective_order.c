/* Computes the order in which the devices of a mesh form a line or a ring. Also computes the number
 * of pages in the input of each device. */
#include "base/refuse.h"
#include "collective_private.h"

/* Appends the devices of rows in alternating directions, beginning at column `first`. */
static uint32_t *to_and_fro(struct mesh_shape shape, uint32_t row0, uint32_t first, uint32_t *next)
{
	for (uint32_t row = row0; row < shape.rows; row++)
		for (uint32_t i = first; i < shape.columns; i++) {
			uint32_t column = row % 2 == 0 ? i : shape.columns - 1 - (i - first);

			*next++ = row * shape.columns + column;
		}
	return next;
}

enum status collective_order(
	struct mesh_shape shape, bool ring, uint32_t *devices, struct text *why)
{
	uint32_t count = mesh_shape_count(shape), *next = devices;

	if (count < 2u + ring)
		return refuse(why, STATUS_UNSUPPORTED, "a mesh of %u device%s", count,
			count == 1 ? "" : "s");
	if (!ring || shape.rows == 1 || shape.columns == 1) {
		(void)to_and_fro(shape, 0, 0, devices);
		return STATUS_OK;
	}
	if (shape.rows % 2 == 1)
		return refuse(why, STATUS_UNSUPPORTED,
			"%u rows and %u columns: a ring of several rows wants an even number of "
			"them",
			shape.rows, shape.columns);
	for (uint32_t column = 0; column < shape.columns; column++)
		*next++ = column;
	next = to_and_fro(shape, 1, 1, next);
	for (uint32_t row = shape.rows - 1; row > 0; row--)
		*next++ = row * shape.columns;
	return STATUS_OK;
}

uint32_t collective_input_pages(
	enum collective_op op, uint32_t devices, uint64_t bytes, uint32_t page_bytes)
{
	uint64_t own = bytes;

	if (op == COLLECTIVE_ALL_GATHER || op == COLLECTIVE_ALL_TO_ALL)
		own = (bytes + devices - 1) / devices;
	return (uint32_t)((own + page_bytes - 1) / page_bytes);
}

uint32_t route_across(uint32_t columns, uint32_t from, uint32_t to, uint32_t *devices)
{
	uint32_t count = 0;

	for (; from != to; count++) {
		if (from % columns != to % columns)
			from += from % columns < to % columns ? 1 : UINT32_MAX;
		else
			from += from < to ? columns : 0 - columns;
		if (devices)
			devices[count] = from;
	}
	return count;
}
