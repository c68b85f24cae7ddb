/* Makes the bytes of one shard from a tensor on the host, and copies a shard back into the tensor.
 * Making a shard has four steps: cutting it out of the tensor, converting it, padding it with the
 * out-of-bounds value, and tilizing it. Only one shard is processed at a time, so the tensor is
 * never copied as a whole, and need not be in memory as a whole. The caller charges the work that
 * shard_data_work() returns. */
#ifndef LAYOUT_DATA_SHARD_DATA_H
#define LAYOUT_DATA_SHARD_DATA_H

#include "layout/layout.h"

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

/* Puts the elements of the shard in `in` into the tensor. Ignores padding. */
void shard_data_take(const struct layout *layout, const struct tensor_sink *sink,
	const struct layout_shape *shard, const void *in, void *scratch);

/* The work of the host when it makes a shard or puts it back. */
struct shard_data_work {
	uint64_t scalar_bytes; /* bytes that are cut out of the tensor, or put back */
	/* number of bytes that are also split into tiles or assembled from tiles: either
	 * scalar_bytes or 0 */
	uint64_t tiled_bytes;
	uint64_t blocks; /* number of blocks of elements that share an exponent */
};

struct shard_data_work shard_data_work(const struct layout *layout);

#endif
