/* The bytes of one shard, made from a tensor on the host and put back into it: cut out, converted,
 * padded with the out-of-bounds value, tilized. Holds one shard at a time: the tensor is never
 * copied whole, and need not be in memory at all. Charges nothing: the caller charges
 * shard_data_work(). */
#ifndef LAYOUT_DATA_SHARD_DATA_H
#define LAYOUT_DATA_SHARD_DATA_H

#include "layout/layout.h"

/* A tensor on the host, row-major, in elements of layout.tensor_element. */
struct tensor_source {
	const void *bytes; /* in memory; or NULL, and it is asked for: */
	/* Writes elements [first, first + count) to `out`. */
	void (*read)(void *context, uint64_t first, uint64_t count, void *out);
	void *context;
};

/* Where a tensor is put: memory, or NULL and a function. */
struct tensor_sink {
	void *bytes;
	void (*write)(void *context, uint64_t first, uint64_t count, const void *in);
	void *context;
};

/* INVALID with a sentence in `why` (may be NULL) if elements cannot be turned into the memref's. */
enum status shard_data_check(const struct layout *layout, struct text *why);

/* Room for the shard's scalars while it is made. */
uint64_t shard_data_scratch_bytes(const struct layout *layout);

/* Makes shard `shard`: layout.shard_bytes at `out`; `scratch` as above. Undefined padding is zeros.
 */
void shard_data_make(const struct layout *layout, const struct tensor_source *source,
	const struct layout_shape *shard, void *out, void *scratch);

/* Puts the elements of a shard into the tensor; padding is not looked at. */
void shard_data_take(const struct layout *layout, const struct tensor_sink *sink,
	const struct layout_shape *shard, const void *in, void *scratch);

/* What making or taking a shard is on the host. */
struct shard_data_work {
	uint64_t scalar_bytes; /* cut out of the tensor, or put back */
	uint64_t tiled_bytes;  /* of these, copied once more, into tiles or out of them: all or none
				*/
	uint64_t blocks;       /* of elements that share an exponent */
};

struct shard_data_work shard_data_work(const struct layout *layout);

#endif
