/* Converts elements between types, matrices to tiles and back, and tensors to shards and back. */
#ifndef LAYOUT_DATA_CONVERT_H
#define LAYOUT_DATA_CONVERT_H

#include <stdint.h>

#include "layout/element.h"
#include "layout/layout.h"

/* Shards. The functions below make the bytes of one shard from a tensor on the host, and copy a
 * shard back into the tensor. Making a shard has four steps: cutting it out of the tensor,
 * converting its elements, padding it with the out-of-bounds value, and tilizing it. Only one shard
 * is processed at a time. So the tensor is never copied as a whole, and need not be in memory as a
 * whole. The caller charges the work that shard_data_work() returns. */

/* A tensor on the host, in row-major order. Its elements have the type layout.tensor_element. */
struct tensor_source {
	const void *bytes; /* the elements in memory; if NULL, read() supplies them */
	/* Writes elements [first, first + count) to `out`. */
	void (*read)(void *context, uint64_t first, uint64_t count, void *out);
	void *context;
};

/* The destination of a tensor. If `bytes` is NULL, write() receives the elements. */
struct tensor_sink {
	void *bytes;
	void (*write)(void *context, uint64_t first, uint64_t count, const void *in);
	void *context;
};

/* Checks whether shards can be made from the tensor. Returns OK. Returns INVALID, with a sentence
 * in `why` (may be NULL), if the tensor's elements have a block format, or if they cannot be
 * converted to the element type of the shards (the memref). */
enum status shard_data_check(const struct layout *layout, struct text *why);

/* Returns the size of `scratch` for the functions below. It contains the scalars of a shard. */
uint64_t shard_data_scratch_bytes(const struct layout *layout);

/* Makes shard `shard` in `out`, which must have layout.shard_bytes bytes. `scratch` must have
 * shard_data_scratch_bytes() bytes. If layout.fill is FILL_UNDEF, padding becomes zeros. */
void shard_data_make(const struct layout *layout, const struct tensor_source *source,
	const struct layout_shape *shard, void *out, void *scratch);

/* Copies the elements of the shard in `in` back into the tensor. Ignores padding. `scratch` is as
 * in shard_data_make(). */
void shard_data_take(const struct layout *layout, const struct tensor_sink *sink,
	const struct layout_shape *shard, const void *in, void *scratch);

/* The amount of work of the host to make a shard, or to copy it back into the tensor. */
struct shard_data_work {
	/* number of bytes that are cut out of the tensor, or copied back into it */
	uint64_t scalar_bytes;
	/* number of bytes that are also split into tiles or assembled from tiles: either
	 * scalar_bytes or 0 */
	uint64_t tiled_bytes;
	uint64_t blocks; /* number of blocks of elements that share an exponent */
};

struct shard_data_work shard_data_work(const struct layout *layout);

/* Convert `count` values between f32 and bf16. The conversion to bf16 rounds to nearest, ties to
 * even; a NaN stays a NaN. The conversion to f32 is exact. */
void convert_to_bf16(const float *in, uint16_t *out, uint64_t count);
void convert_from_bf16(const uint16_t *in, float *out, uint64_t count);

/* Converts floats of 16 bits with an exponent of 5 bits (ELEMENT_F16) to f32, which is exact. */
void convert_from_f16(const uint16_t *in, float *out, uint64_t count);

/* Rounds values to bf16 in place. */
void convert_round_to_bf16(float *values, uint64_t count);

/* Converts `count` elements from one type to another. Either the types are equal and not block
 * formats, or both are f32 or bf16. */
void convert_elements(
	enum element from, const void *in, enum element to, void *out, uint64_t count);

/* Convert `blocks` blocks of ELEMENT_BLOCK values to block format, or back. All values of a block
 * share the exponent of the largest value. `exponents` has one byte per block. `mantissas` has one
 * byte per value: a sign and 7 bits, rounded to nearest, ties to even. A value becomes zero if it
 * is too small for the exponent of its block, or if it is denormal. */
void convert_to_blocks(const float *in, uint8_t *exponents, uint8_t *mantissas, uint64_t blocks);
void convert_from_blocks(
	const uint8_t *exponents, const uint8_t *mantissas, float *out, uint64_t blocks);

/* Like convert_to_blocks() and convert_from_blocks(), except that each value has only 4 bits: a
 * sign and 3 bits. Two values share a byte; the first of them is in the lower half. */
void convert_to_nibbles(const float *in, uint8_t *exponents, uint8_t *nibbles, uint64_t blocks);
void convert_from_nibbles(
	const uint8_t *exponents, const uint8_t *nibbles, float *out, uint64_t blocks);

/* Tiles and faces. The functions below turn a matrix of scalars in rows into tiles, and back. A
 * tile consists of faces, which are stored one after the other. A face has 16 columns, and 16 rows
 * or fewer. Each copy moves one row of a face, that is, 16 elements. Only the padded functions
 * accept matrices that do not consist of whole tiles. */

struct tile_shape {
	uint32_t height, width; /* height: 1, 2, 4, 8, 16 or 32; width: 16 or 32 */
};

/* Convert a matrix of `rows` x `columns` elements of 1, 2 or 4 bytes, which is stored row by row,
 * to tiles or back. `rows` must be a multiple of the tile's height, and `columns` of its width.
 * `in` and `out` have the same size and do not overlap. */
void tilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);
void untilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);

/* Like tilize() and untilize(), for matrices of any size. tiled_bytes() returns the size of the
 * tiles. Parts of tiles can lie outside the matrix. tilize_padded() fills them with the lowest
 * bytes of `fill`; untilize_padded() ignores them. */
uint64_t tiled_bytes(
	uint64_t rows, uint64_t columns, struct tile_shape tile, uint32_t element_bytes);
void tilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes, uint32_t fill);
void untilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes);

#endif
