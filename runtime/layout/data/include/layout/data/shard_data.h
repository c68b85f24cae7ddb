/* Makes the bytes of one shard from a tensor on the host, and puts them back: cut out, converted,
 * padded with the out-of-bounds value, tilized. Works on one shard at a time, so the tensor is
 * never copied as a whole, and need not be in memory at all. The caller charges shard_data_work().
 */
#ifndef LAYOUT_DATA_SHARD_DATA_H
#define LAYOUT_DATA_SHARD_DATA_H

#include "layout/layout.h"

/* A tensor on the host, row-major, in elements of layout.tensor_element. */
struct tensor_source {
	const void *bytes; /* in memory; or NULL, then read() supplies elements */
	/* Writes elements [first, first + count) to `out`. */
	void (*read)(void *context, uint64_t first, uint64_t count, void *out);
	void *context;
};

/* Destination of a tensor: memory, or NULL and a function. */
struct tensor_sink {
	void *bytes;
	void (*write)(void *context, uint64_t first, uint64_t count, const void *in);
	void *context;
};

/* INVALID with a sentence in `why` (may be NULL) if elements cannot be converted to the memref's.
 */
enum status shard_data_check(const struct layout *layout, struct text *why);

/* Bytes of scratch for the shard's scalars. */
uint64_t shard_data_scratch_bytes(const struct layout *layout);

/* Makes shard `shard`: layout.shard_bytes at `out`; `scratch` as above. Undefined padding is zeros.
 */
void shard_data_make(const struct layout *layout, const struct tensor_source *source,
	const struct layout_shape *shard, void *out, void *scratch);

/* Puts the elements of a shard into the tensor; ignores padding. */
void shard_data_take(const struct layout *layout, const struct tensor_sink *sink,
	const struct layout_shape *shard, const void *in, void *scratch);

/* The host's work to make or take a shard. */
struct shard_data_work {
	uint64_t scalar_bytes; /* cut out of the tensor, or put back */
	uint64_t tiled_bytes;  /* of these, also copied into tiles or out of them: all or none */
	uint64_t blocks;       /* of elements that share an exponent */
};

struct shard_data_work shard_data_work(const struct layout *layout);

#endif
