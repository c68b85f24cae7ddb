/* Makes the bytes of one shard from a tensor on the host, and puts them back. To make a shard means
 * to cut it out of the tensor, to convert it, to pad it with the out-of-bounds value, and to tilize
 * it. Only one shard is processed at a time. So the tensor is never copied as a whole, and need not
 * be in memory. The caller charges shard_data_work(). */
#ifndef LAYOUT_DATA_SHARD_DATA_H
#define LAYOUT_DATA_SHARD_DATA_H

#include "layout/layout.h"

/* A tensor on the host, row-major, in elements of layout.tensor_element. */
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

/* Returns OK, or INVALID with a sentence in `why` (may be NULL) if the tensor's elements cannot be
 * converted to the element type of the shard (the memref), or if they are a block format. */
enum status shard_data_check(const struct layout *layout, struct text *why);

/* Returns the bytes of the `scratch` of the functions below, which holds a shard's scalars. */
uint64_t shard_data_scratch_bytes(const struct layout *layout);

/* Makes shard `shard` in `out`, which has layout.shard_bytes bytes. `scratch` has
 * shard_data_scratch_bytes() bytes. If the fill is FILL_UNDEF, padding becomes zeros. */
void shard_data_make(const struct layout *layout, const struct tensor_source *source,
	const struct layout_shape *shard, void *out, void *scratch);

/* Puts the elements of the shard in `in` into the tensor, and ignores padding. */
void shard_data_take(const struct layout *layout, const struct tensor_sink *sink,
	const struct layout_shape *shard, const void *in, void *scratch);

/* The host's work to make or take a shard. */
struct shard_data_work {
	uint64_t scalar_bytes; /* cut out of the tensor, or put back */
	uint64_t tiled_bytes;  /* bytes that must also be split into tiles or assembled from tiles:
				* scalar_bytes, or 0 */
	uint64_t blocks;       /* number of blocks of elements that share an exponent */
};

struct shard_data_work shard_data_work(const struct layout *layout);

#endif
