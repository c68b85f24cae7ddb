/* Tilize and untilize, see convert.h. Each copy has a constant size, so the compiler can use one or
 * two vector moves for it. Whole tiles are written one after the other, because sequential writes
 * to memory are fastest. */
#include "layout/data/convert.h"

#include <string.h>

#include "base/ensure.h"
#include "layout/layout.h"

/* Bytes of a row of a face, for elements of 1, 2 and 4 bytes. */
enum { ROW_1 = LAYOUT_FACE, ROW_2 = 2 * LAYOUT_FACE, ROW_4 = 4 * LAYOUT_FACE };

/* A matrix and the tiles into which it is divided. Either the matrix is copied to the tiles, or the
 * tiles to the matrix. */
struct plane {
	const uint8_t *from;
	uint8_t *to;
	uint64_t pitch; /* bytes of a row of the matrix */
	uint32_t face_height;
};

/* Copies the rows of one face, of `bytes` bytes each. Rows are `to_pitch` bytes apart in `to`, and
 * `from_pitch` bytes apart in `from`. */
static inline __attribute__((always_inline)) void move_face(uint8_t *to, uint64_t to_pitch,
	const uint8_t *from, uint64_t from_pitch, uint32_t height, uint32_t bytes)
{
	for (uint32_t row = 0; row < height; row++)
		memcpy(to + row * to_pitch, from + row * from_pitch, bytes);
}

static inline __attribute__((always_inline)) void move_all(const struct plane *plane, uint64_t rows,
	uint64_t columns, struct tile_shape tile, uint32_t bytes, bool in)
{
	uint64_t pitch = plane->pitch, face = 0; /* faces follow each other in the tiles */
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

/* Moves a matrix into tiles if `in` is set, otherwise out of tiles. The compiler inlines this
 * function once for each direction and element size, so that the copies have constant sizes. */
static inline __attribute__((always_inline)) void tilize_move(const struct plane *plane,
	uint64_t rows, uint64_t columns, struct tile_shape tile, uint32_t element_bytes, bool in)
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

	tilize_move(&plane, rows, columns, tile, element_bytes, true);
}

void untilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes)
{
	struct plane plane = plane_of(in, out, rows, columns, tile, element_bytes);

	tilize_move(&plane, rows, columns, tile, element_bytes, false);
}

/* ---- partial tiles ---- */

static uint64_t tiles_over(uint64_t extent, uint32_t side)
{
	return (extent + side - 1) / side;
}

uint64_t tiled_bytes(
	uint64_t rows, uint64_t columns, struct tile_shape tile, uint32_t element_bytes)
{
	return tiles_over(rows, tile.height) * tile.height * tiles_over(columns, tile.width) *
	       tile.width * element_bytes;
}

/* Returns how many of the numbers first to first + count - 1 are below `extent`. */
static uint64_t below(uint64_t first, uint64_t count, uint64_t extent)
{
	if (first >= extent)
		return 0;
	return extent - first < count ? extent - first : count;
}

/* The part of one row of a face that lies in the matrix. */
struct face_row {
	uint64_t tiled, there, bytes;
};

/* Calls `copy` for the rows of all faces that contain an element of the matrix. */
static void for_rows(const struct plane *plane, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes,
	void (*copy)(const struct plane *plane, const struct face_row *row))
{
	uint64_t wide = tiles_over(columns, tile.width), tile_bytes = element_bytes;
	struct face_row row;

	tile_bytes *= tile.height * tile.width;
	for (uint64_t y = 0; y < rows; y++)
		for (uint64_t x = 0; x < columns; x += LAYOUT_FACE) {
			uint64_t face =
				y % tile.height / plane->face_height * (tile.width / LAYOUT_FACE) +
				x % tile.width / LAYOUT_FACE;

			row.bytes = below(x, LAYOUT_FACE, columns) * element_bytes;
			row.there = y * plane->pitch + x * element_bytes;
			row.tiled = (y / tile.height * wide + x / tile.width) * tile_bytes +
				    (face * plane->face_height + y % plane->face_height) *
					    LAYOUT_FACE * element_bytes;
			copy(plane, &row);
		}
}

static void move_in(const struct plane *plane, const struct face_row *row)
{
	memcpy(plane->to + row->tiled, plane->from + row->there, row->bytes);
}

static void move_out(const struct plane *plane, const struct face_row *row)
{
	memcpy(plane->to + row->there, plane->from + row->tiled, row->bytes);
}

static bool divides(uint64_t rows, uint64_t columns, struct tile_shape tile)
{
	return rows % tile.height == 0 && columns % tile.width == 0;
}

/* Like plane_of(), but the matrix may fill its last tiles only partly. */
static struct plane partial_plane_of(
	const void *from, void *to, uint64_t columns, struct tile_shape tile, uint32_t bytes)
{
	struct plane plane = plane_of(from, to, tile.height, tile.width, tile, bytes);

	ensure(bytes == 1 || bytes == 2 || bytes == 4, "elements of %u B", bytes);
	plane.pitch = columns * bytes;
	return plane;
}

void tilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes, uint32_t fill)
{
	struct plane plane = partial_plane_of(in, out, columns, tile, element_bytes);
	uint64_t bytes = tiled_bytes(rows, columns, tile, element_bytes);

	if (divides(rows, columns, tile)) {
		tilize(in, out, rows, columns, tile, element_bytes);
		return;
	}
	for (uint64_t at = 0; at < bytes; at += element_bytes)
		memcpy(plane.to + at, &fill, element_bytes); /* little-endian, like devices */
	for_rows(&plane, rows, columns, tile, element_bytes, move_in);
}

void untilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes)
{
	struct plane plane = partial_plane_of(in, out, columns, tile, element_bytes);

	if (divides(rows, columns, tile))
		untilize(in, out, rows, columns, tile, element_bytes);
	else
		for_rows(&plane, rows, columns, tile, element_bytes, move_out);
}
