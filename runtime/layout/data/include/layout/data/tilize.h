/* Tiles and faces: turns a matrix of scalars in rows into tiles, each of which is its faces of 16 x
 * 16 (or fewer rows) one after the other; and back. Copies rows of a face, 16 elements, at a time.
 * Only the padded functions accept partial tiles. */
#ifndef LAYOUT_DATA_TILIZE_H
#define LAYOUT_DATA_TILIZE_H

#include <stdint.h>

struct tile_shape {
	uint32_t height, width; /* of a tile: 1 to 32, 16 or 32 */
};

/* `rows` x `columns` elements of 1, 2 or 4 bytes, multiples of the tile, row by row in `in`. `out`
 * has as many bytes and does not overlap. */
void tilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);
void untilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);

/* The same for any extents: tiles at the right and lower edges are filled with the lowest bytes of
 * `fill`, which untilize_padded() leaves out again. The tiles have tiled_bytes(). */
uint64_t tiled_bytes(
	uint64_t rows, uint64_t columns, struct tile_shape tile, uint32_t element_bytes);
void tilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes, uint32_t fill);
void untilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes);

#endif
