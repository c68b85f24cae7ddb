/* Tests matrices of any size that are stored in tiles: the position of each element, the value with
 * which all other places are filled, and the conversion back to rows. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/stream.h"
#include "layout/data/convert.h"

struct matrix {
	uint64_t rows, columns;
	struct tile_shape tile;
	uint32_t bytes;
};

/* Returns the position of element (row, column) in bytes. By definition, tiles are stored row by
 * row, the faces of a tile row by row, and the elements of a face row by row. */
static uint64_t place(const struct matrix *matrix, uint64_t row, uint64_t column)
{
	uint64_t height = matrix->tile.height, width = matrix->tile.width;
	uint64_t face_height = height < 16 ? height : 16;
	uint64_t across = (matrix->columns + width - 1) / width;
	uint64_t tile = row / height * across + column / width;
	uint64_t y = row % height, x = column % width;
	uint64_t face = y / face_height * (width / 16) + x / 16;

	return (tile * height * width + face * face_height * 16 + y % face_height * 16 + x % 16) *
	       matrix->bytes;
}

static void check_matrix(const struct matrix *matrix, struct stream *stream)
{
	uint64_t count = matrix->rows * matrix->columns, size = matrix->bytes;
	uint64_t bytes = tiled_bytes(matrix->rows, matrix->columns, matrix->tile, matrix->bytes);
	uint8_t *in = allocate(count + 1, size), *back = allocate(count + 1, size);
	uint8_t *out = allocate(bytes + 1, 1), *expected = allocate(bytes + 1, 1);
	uint32_t fill = 0xff7f7f80;

	for (uint64_t i = 0; i < count * size; i++)
		in[i] = (uint8_t)stream_next(stream);
	for (uint64_t i = 0; i < bytes; i += size)
		memcpy(expected + i, &fill, size);
	for (uint64_t i = 0; i < count; i++)
		memcpy(expected + place(matrix, i / matrix->columns, i % matrix->columns),
			in + i * size, size);
	out[bytes] = expected[bytes] = back[count * size] = 0x5a; /* must not be overwritten */
	tilize_padded(in, out, matrix->rows, matrix->columns, matrix->tile, matrix->bytes, fill);
	if (memcmp(out, expected, bytes + 1) != 0)
		fail_msg("%llu x %llu of %u B in tiles of %u x %u",
			(unsigned long long)matrix->rows, (unsigned long long)matrix->columns,
			matrix->bytes, matrix->tile.height, matrix->tile.width);
	untilize_padded(out, back, matrix->rows, matrix->columns, matrix->tile, matrix->bytes);
	assert_memory_equal(in, back, count * size);
	assert_int_equal(back[count * size], 0x5a);
	free(in);
	free(back);
	free(out);
	free(expected);
}

TEST(random_matrices_go_there_and_back)
{
	struct stream stream;

	stream_init(&stream, 1, "tiles");
	for (int i = 0; i < 1000; i++) {
		struct matrix matrix = {
			.rows = 1 + stream_below(&stream, 100),
			.columns = 1 + stream_below(&stream, 100),
			.tile = {1u << stream_below(&stream, 6), 16u << stream_below(&stream, 2)},
			.bytes = 1u << stream_below(&stream, 3),
		};

		if (i % 3 == 0)
			matrix.tile = (struct tile_shape){32, 32};
		if (i % 10 == 0) {
			matrix.rows = matrix.rows / matrix.tile.height * matrix.tile.height;
			matrix.columns = matrix.columns / matrix.tile.width * matrix.tile.width;
		}
		check_matrix(&matrix, &stream);
	}
}

TEST(one_element_is_a_tile)
{
	uint16_t in = 0x3f80, out[1024], back = 0;
	struct tile_shape tile = {32, 32};

	assert_int_equal(tiled_bytes(1, 1, tile, 2), sizeof out);
	assert_int_equal(tiled_bytes(33, 64, tile, 4), 4 * 4096);
	assert_int_equal(tiled_bytes(0, 64, tile, 4), 0);
	memset(out, 0xff, sizeof out);
	tilize_padded(&in, out, 1, 1, tile, 2, 0);
	assert_int_equal(out[0], 0x3f80);
	for (int i = 1; i < 1024; i++)
		assert_int_equal(out[i], 0);
	untilize_padded(out, &back, 1, 1, tile, 2);
	assert_int_equal(back, 0x3f80);
}

TEST_MAIN(NULL, NULL)
