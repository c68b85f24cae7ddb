/* Tilize and untilize, see tilize.h. The copies are of constant size, so that each is a vector move
 * or two; tiles are written whole, one after the other, which is what memory likes best. */
#include "layout/data/tilize.h"

#include <string.h>

#include "base/ensure.h"
#include "layout/layout.h"

/* What one row of a face takes. */
enum { ROW_1 = LAYOUT_FACE, ROW_2 = 2 * LAYOUT_FACE, ROW_4 = 4 * LAYOUT_FACE };

/* A matrix and its tiles, one copied to the other. */
struct plane {
	const uint8_t *from;
	uint8_t *to;
	uint64_t pitch; /* bytes of a row of the matrix */
	uint32_t face_height;
};

/* The rows of one face, `bytes` each, that are `pitch` apart on one side. */
static inline __attribute__((always_inline)) void move_face(uint8_t *to, uint64_t to_pitch,
	const uint8_t *from, uint64_t from_pitch, uint32_t height, uint32_t bytes)
{
	for (uint32_t row = 0; row < height; row++)
		memcpy(to + row * to_pitch, from + row * from_pitch, bytes);
}

static inline __attribute__((always_inline)) void move_all(const struct plane *plane, uint64_t rows,
	uint64_t columns, struct tile_shape tile, uint32_t bytes, bool in)
{
	uint64_t pitch = plane->pitch, face = 0; /* in the tiles, one behind the other */
	uint32_t height = plane->face_height;

	for (uint64_t top = 0; top < rows; top += tile.height)
		for (uint64_t left = 0; left < columns; left += tile.width)
			for (uint32_t y = 0; y < tile.height; y += height)
				for (uint32_t x = 0; x < tile.width; x += LAYOUT_FACE) {
					uint64_t there = (top + y) * pitch +
							 (left + x) / LAYOUT_FACE * bytes;

					if (in)
						move_face(plane->to + face, bytes,
							plane->from + there, pitch, height, bytes);
					else
						move_face(plane->to + there, pitch,
							plane->from + face, bytes, height, bytes);
					face += height * bytes;
				}
}

/* Inlined once for each direction and size: constants for the copies. */
static inline __attribute__((always_inline)) void move(const struct plane *plane, uint64_t rows,
	uint64_t columns, struct tile_shape tile, uint32_t element_bytes, bool in)
{
	switch (element_bytes) {
	case 1:
		move_all(plane, rows, columns, tile, ROW_1, in);
		break;
	case 2:
		move_all(plane, rows, columns, tile, ROW_2, in);
		break;
	case 4:
		move_all(plane, rows, columns, tile, ROW_4, in);
		break;
	default:
		ensure(false, "elements of %u B", element_bytes);
	}
}

static struct plane plane_of(const void *from, void *to, uint64_t height, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes)
{
	ensure(tile.height > 0 && height % tile.height == 0 && tile.width > 0 &&
			columns % tile.width == 0,
		"%llu x %llu in tiles of %u x %u", (unsigned long long)height,
		(unsigned long long)columns, tile.height, tile.width);
	return (struct plane){from, to, columns * element_bytes,
		tile.height < LAYOUT_FACE ? tile.height : LAYOUT_FACE};
}

void tilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes)
{
	struct plane plane = plane_of(in, out, rows, columns, tile, element_bytes);

	move(&plane, rows, columns, tile, element_bytes, true);
}

void untilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes)
{
	struct plane plane = plane_of(in, out, rows, columns, tile, element_bytes);

	move(&plane, rows, columns, tile, element_bytes, false);
}
