/* Mappers on 10,000 random tensors, meshes and dimensions: what is lowered gives every device the
 * slice of the ND tensor that the mapper means, cut out by index arithmetic of its own; what the
 * specification's limits exclude, and nothing else, is refused, and packing takes it. timeout: 120
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "check.h"
#include "layout/mapper.h"
#include "random_layout.h"
#include "spread_scatter.h"

enum { SEEDS = 10000, ELEMENTS_MAX = 1 << 16, BYTES_MAX = 4 * ELEMENTS_MAX };

struct trial {
	struct mapper_tensor tensor;
	struct mapper_mesh mesh;
	bool one; /* ShardTensorToMesh */
	int32_t dims[2];
};

static uint8_t whole[BYTES_MAX], global[BYTES_MAX], local[BYTES_MAX], back[BYTES_MAX];

/* A dimension's slices on the device at (row, column): how many, and which. */
static void slice(const struct trial *trial, uint32_t d, uint32_t row, uint32_t column,
	uint64_t *pieces, uint64_t *piece)
{
	int64_t rank = trial->tensor.shape.rank;

	*pieces = 1;
	*piece = 0;
	for (int i = 0; i < (trial->one ? 1 : 2); i++) {
		int64_t dim = trial->dims[i] < 0 ? trial->dims[i] + rank : trial->dims[i];

		if (trial->dims[i] == MAPPER_REPLICATE || dim != d)
			continue;
		if (trial->one) {
			*pieces = (uint64_t)trial->mesh.rows * trial->mesh.columns;
			*piece = (uint64_t)row * trial->mesh.columns + column;
		} else {
			*pieces = i == 0 ? trial->mesh.rows : trial->mesh.columns;
			*piece = i == 0 ? row : column;
		}
	}
}

/* What the specification says of a trial; MAPPER_NONE if it is supported. */
static enum mapper_refusal expected(const struct trial *trial)
{
	const struct layout_shape *shape = &trial->tensor.shape;
	int64_t rank = shape->rank, resolved[2] = {-1, -1};
	enum mapper_refusal limit = MAPPER_NONE;
	uint32_t in_rows = 0;

	for (int i = 0; i < (trial->one ? 1 : 2); i++) {
		uint64_t pieces = trial->one ? (uint64_t)trial->mesh.rows * trial->mesh.columns
				  : i == 0   ? trial->mesh.rows
					     : trial->mesh.columns;

		if (trial->dims[i] == MAPPER_REPLICATE)
			continue;
		resolved[i] = trial->dims[i] < 0 ? trial->dims[i] + rank : trial->dims[i];
		if (resolved[i] < 0 || resolved[i] >= rank)
			return MAPPER_DIM;
		if (i == 1 && resolved[1] == resolved[0])
			return MAPPER_TWICE;
		if (shape->size[resolved[i]] % pieces)
			return MAPPER_UNEVEN;
		if (pieces == 1 || resolved[i] == rank - 1)
			continue;
		in_rows++;
		for (int64_t d = 0; d < resolved[i]; d++)
			if (shape->size[d] != 1)
				limit = MAPPER_ND;
	}
	return in_rows == 2 ? MAPPER_ROWS : limit;
}

/* The device's slice of the tensor against what it holds. */
static void check_device(const struct trial *trial, const struct mapper_lowering *lowering,
	uint32_t row, uint32_t column)
{
	const struct layout_shape *shape = &trial->tensor.shape;
	uint32_t bytes = trial->tensor.element_bytes;
	uint64_t count = layout_volume(&lowering->device);

	for (uint64_t i = 0; i < count; i++) {
		struct layout_shape at = layout_at(&lowering->device, i);

		for (uint32_t d = 0; d < shape->rank; d++) {
			uint64_t pieces, piece;

			slice(trial, d, row, column, &pieces, &piece);
			check_equal(lowering->device.size[d], shape->size[d] / pieces);
			at.size[d] += piece * (shape->size[d] / pieces);
		}
		check(memcmp(local + i * bytes, whole + layout_number(shape, &at) * bytes, bytes) ==
				0,
			"element %llu of device %u,%u", (unsigned long long)i, row, column);
	}
}

static void check_lowering(const struct trial *trial, const struct mapper_lowering *lowering)
{
	uint64_t bytes = lowering->config.size_bytes;
	struct mesh_spread spread;
	struct text why = {0};

	if (lowering->packed) {
		uint64_t shard = mapper_shard_bytes(lowering);

		memset(back, 0, bytes);
		for (uint32_t i = 0; i < mapper_shards(lowering); i++) {
			mapper_pack(&trial->tensor, lowering, i, whole, global + i * shard);
			mapper_unpack(&trial->tensor, lowering, i, global + i * shard, back);
		}
		check(memcmp(back, whole, bytes) == 0, "unpacked data differ");
		check_equal(lowering->copied_bytes, bytes);
	} else {
		memcpy(global, whole, bytes);
	}
	check(mesh_spread_init(&spread, &lowering->config, trial->mesh.rows, trial->mesh.columns,
		      &why) == STATUS_OK,
		"%s", text_string(&why));
	memset(back, 0, bytes);
	for (uint32_t row = 0; row < trial->mesh.rows; row++)
		for (uint32_t column = 0; column < trial->mesh.columns; column++) {
			mesh_spread_gather(&spread, row, column, global, local);
			check_device(trial, lowering, row, column);
			spread_scatter(&spread, row, column, local, back);
		}
	check(memcmp(back, global, bytes) == 0, "data that come back differ");
}

static enum mapper_refusal lower(
	const struct trial *trial, bool any, struct mapper_lowering *lowering, struct text *why)
{
	if (trial->one)
		return (any ? mapper_shard_any : mapper_shard)(
			&trial->tensor, &trial->mesh, trial->dims[0], lowering, why);
	return (any ? mapper_shard_2d_any : mapper_shard_2d)(
		&trial->tensor, &trial->mesh, trial->dims, lowering, why);
}

static void draw(struct stream *stream, struct trial *trial)
{
	struct layout_shape *shape = &trial->tensor.shape;
	uint64_t left = ELEMENTS_MAX;

	trial->tensor.element_bytes = 1u << stream_below(stream, 3);
	trial->mesh = (struct mapper_mesh){
		(uint32_t)random_between(stream, 1, 4), (uint32_t)random_between(stream, 1, 4)};
	shape->rank = (uint32_t)random_between(stream, 1, 7);
	for (uint32_t d = 0; d < shape->rank; d++) {
		static const uint64_t sizes[] = {1, 1, 2, 4, 8, 12, 3, 16, 5};
		uint64_t size = sizes[stream_below(stream, sizeof sizes / sizeof *sizes)];

		shape->size[d] = size <= left ? size : 1;
		left /= shape->size[d];
	}
	trial->one = stream_below(stream, 3) == 0;
	for (int i = 0; i < 2; i++) {
		int64_t rank = shape->rank, dim = (int64_t)stream_below(stream, 2 * shape->rank);

		trial->dims[i] = (int32_t)(dim - rank);
		if (stream_below(stream, 40) == 0)
			trial->dims[i] = (int32_t)(rank + dim);
		if (!trial->one && stream_below(stream, 4) == 0)
			trial->dims[i] = MAPPER_REPLICATE;
	}
}

int main(void)
{
	uint32_t lowered = 0, packed = 0, refused[MAPPER_REFUSAL_COUNT] = {0};

	for (uint32_t i = 0; i < BYTES_MAX; i++)
		whole[i] = (uint8_t)(i * 2654435761u >> 11);
	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct mapper_lowering lowering;
		struct stream stream;
		struct text why = {0};
		struct trial trial;
		enum mapper_refusal refusal, limit;

		stream_init(&stream, seed, "layout/mapper");
		draw(&stream, &trial);
		limit = expected(&trial);
		refusal = lower(&trial, false, &lowering, &why);
		check(refusal == limit, "seed %u: %s, expected %s", seed,
			mapper_refusal_name(refusal), mapper_refusal_name(limit));
		check_equal(why.length > 0, refusal != MAPPER_NONE);
		refused[refusal]++;
		if (refusal == MAPPER_NONE) {
			check_lowering(&trial, &lowering);
			lowered++;
		}
		refusal = lower(&trial, true, &lowering, NULL);
		check_equal(
			refusal, limit == MAPPER_ND || limit == MAPPER_ROWS ? MAPPER_NONE : limit);
		if (refusal == MAPPER_NONE && lowering.packed) {
			check_lowering(&trial, &lowering);
			packed++;
		}
		text_fini(&why);
	}
	for (int i = MAPPER_DIM; i < MAPPER_REFUSAL_COUNT; i++)
		check_less(0, refused[i]);
	check_less(1000, lowered);
	check_less(500, packed);
	printf("%d mappers: %u lowered, %u packed\n", SEEDS, lowered, packed);
	return 0;
}
