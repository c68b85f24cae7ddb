/* Lowers TTNN's mesh mappers, which say how a tensor is split over devices, to layouts of mesh
 * buffers (the sharding specification). mapper_shard() lowers ShardTensorToMesh, and
 * mapper_shard_2d() lowers ShardTensor2DMesh. An ND tensor is flattened to rows and width, so only
 * some dimensions can be split. Splits of other dimensions are rejected (enum mapper_refusal). If
 * the caller chooses packing, which rearranges the tensor on the host, any dimension can be
 * split. */
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

/* TTNN's None for a dimension: the tensor is replicated along this direction of the mesh. */
enum { MAPPER_REPLICATE = INT32_MIN };

/* "nd-sharding"; "a dimension behind the outermost ...". */
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

	/* for packing */
	bool packed;
	uint32_t pieces[LAYOUT_RANK_MAX]; /* number of pieces of each dimension of the tensor */
	uint32_t order[2], order_count;	  /* the split dimensions; consecutive shards differ in the
					   * last of these dimensions */
	uint64_t copied_bytes; /* bytes that the host copies: one block for each device */
};

/* Splits dimension `dim` (negative: counted from the end) over all devices, row by row, and fills
 * in *lowering. Returns MAPPER_NONE, or the reason why the split is rejected, with a sentence in
 * `why` (may be NULL). */
enum mapper_refusal mapper_shard(const struct mapper_tensor *tensor, const struct mapper_mesh *mesh,
	int32_t dim, struct mapper_lowering *lowering, struct text *why);

/* Splits dimension dims[0] over the rows of the mesh and dims[1] over its columns, and fills in
 * *lowering. If an entry of `dims` is MAPPER_REPLICATE, the tensor is replicated in that direction
 * of the mesh. If both entries are MAPPER_REPLICATE, the result is a replicated buffer. Returns
 * like mapper_shard(). */
enum mapper_refusal mapper_shard_2d(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why);

/* Like mapper_shard() and mapper_shard_2d(), for any dimension. If those functions reject the split
 * with MAPPER_ND or MAPPER_ROWS, the shards are packed on the host: each device's block is copied
 * so that it is contiguous. */
enum mapper_refusal mapper_shard_any(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, int32_t dim, struct mapper_lowering *lowering,
	struct text *why);
enum mapper_refusal mapper_shard_2d_any(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why);

/* Return the number of shards of a packed lowering, and the bytes of one shard. */
uint32_t mapper_shards(const struct mapper_lowering *lowering);
uint64_t mapper_shard_bytes(const struct mapper_lowering *lowering);

/* mapper_pack() copies shard `number` of a packed lowering from the tensor at `whole` into `shard`;
 * mapper_unpack() copies it back. `shard` has mapper_shard_bytes() bytes. The mesh buffer holds all
 * shards one after another, in the order of their numbers. These functions charge nothing; the
 * callers (mesh/tensor_parts.h) charge the copy. */
void mapper_pack(const struct mapper_tensor *tensor, const struct mapper_lowering *lowering,
	uint32_t number, const void *whole, void *shard);
void mapper_unpack(const struct mapper_tensor *tensor, const struct mapper_lowering *lowering,
	uint32_t number, const void *shard, void *whole);

/* Functions that plain and packed lowering share. */

/* Check everything except one condition: whether the tensor can be split in this way after it is
 * flattened to rows. Set the pieces, the split dimensions and the shape on a device. Set `config`
 * for a replicated buffer. */
enum mapper_refusal mapper_split(const struct mapper_tensor *tensor, const struct mapper_mesh *mesh,
	int32_t dim, struct mapper_lowering *lowering, struct text *why);
enum mapper_refusal mapper_split_2d(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why);

#endif
