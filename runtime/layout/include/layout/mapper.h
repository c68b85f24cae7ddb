/* Lowers TTNN's mesh mappers to layouts of mesh buffers (the sharding specification). A mapper
 * describes how a tensor is split over devices. mapper_shard() lowers ShardTensorToMesh, and
 * mapper_shard_2d() lowers ShardTensor2DMesh. A mesh buffer has only rows and a width, so not every
 * dimension of a tensor can be split. A split that is not possible is rejected (enum
 * mapper_refusal). If the caller allows packing, any dimension can be split, because the host
 * rearranges the tensor. */
#ifndef LAYOUT_MAPPER_H
#define LAYOUT_MAPPER_H

#include "layout/layout.h"
#include "memory/mesh_layout.h"

enum mapper_refusal {
#define X(name, text, limit) MAPPER_##name,
#include "layout/mapper.def"
#undef X
	MAPPER_REFUSAL_COUNT
};

/* A value for a dimension that stands for TTNN's None: the tensor is replicated along this
 * direction of the mesh. */
enum { MAPPER_REPLICATE = INT32_MIN };

/* mapper_refusal_name() returns the name of a reason (for example "nd-sharding").
 * mapper_refusal_limit() returns the limit that is violated (for example "a dimension behind the
 * outermost ..."). */
const char *mapper_refusal_name(enum mapper_refusal refusal);
const char *mapper_refusal_limit(enum mapper_refusal refusal);

struct mapper_tensor {
	struct layout_shape shape;
	uint32_t element_bytes;
};

struct mapper_mesh {
	uint32_t rows, columns;
};

/* The result of lowering a mapper. */
struct mapper_lowering {
	struct mesh_layout config;
	struct layout_shape device; /* shape of the tensor on each device */

	/* the members below are used for packing */
	bool packed;
	uint32_t pieces[LAYOUT_RANK_MAX]; /* [dimension of the tensor] number of pieces */
	/* the dimensions that are split; consecutive shards differ in the last of them */
	uint32_t order[2], order_count;
	uint64_t copied_bytes; /* bytes that the host copies: one block for each device */
};

/* Splits dimension `dim` over all devices, row by row, and fills in *lowering. If `dim` is
 * negative, dimensions are counted from the end. Returns MAPPER_NONE, or the reason for which the
 * split is rejected, with a sentence in `why` (may be NULL). */
enum mapper_refusal mapper_shard(const struct mapper_tensor *tensor, const struct mapper_mesh *mesh,
	int32_t dim, struct mapper_lowering *lowering, struct text *why);

/* Splits dimension dims[0] over the rows of the mesh and dims[1] over its columns, and fills in
 * *lowering. If an entry of `dims` is MAPPER_REPLICATE, the tensor is replicated in this direction
 * of the mesh. If both entries are MAPPER_REPLICATE, the result is a replicated buffer. Returns the
 * same values as mapper_shard(). */
enum mapper_refusal mapper_shard_2d(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why);

/* Like mapper_shard() and mapper_shard_2d(), but can split any dimension. Where mapper_shard() or
 * mapper_shard_2d() would return MAPPER_ND or MAPPER_ROWS, these functions set lowering->packed:
 * the host then copies each device's block, so that the block is contiguous. */
enum mapper_refusal mapper_shard_any(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, int32_t dim, struct mapper_lowering *lowering,
	struct text *why);
enum mapper_refusal mapper_shard_2d_any(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why);

/* Return the number of shards of a packed lowering, and the bytes of one shard. */
uint32_t mapper_shards(const struct mapper_lowering *lowering);
uint64_t mapper_shard_bytes(const struct mapper_lowering *lowering);

/* For packed lowerings. mapper_pack() copies shard `number` from the tensor at `whole` into
 * `shard`, and mapper_unpack() copies it back. `shard` has mapper_shard_bytes() bytes. The mesh
 * buffer contains all shards, in the order of their numbers. The callers (mesh/tensor.h) charge the
 * host time of the copy. */
void mapper_pack(const struct mapper_tensor *tensor, const struct mapper_lowering *lowering,
	uint32_t number, const void *whole, void *shard);
void mapper_unpack(const struct mapper_tensor *tensor, const struct mapper_lowering *lowering,
	uint32_t number, const void *shard, void *whole);

/* mapper_split() and mapper_split_2d() do the part of lowering that is the same with and without
 * packing. They check all limits except MAPPER_ND and MAPPER_ROWS, which hold only without packing.
 * They fill in the members `pieces`, `order`, `order_count` and `device` of *lowering, and set
 * `config` to a replicated buffer. For a tensor that is split, the caller must change `config`. */
enum mapper_refusal mapper_split(const struct mapper_tensor *tensor, const struct mapper_mesh *mesh,
	int32_t dim, struct mapper_lowering *lowering, struct text *why);
enum mapper_refusal mapper_split_2d(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why);

#endif
