/* Converts mesh mappers to layouts by packing: the host copies the block of each shard, so that
 * the block becomes contiguous. So any dimension can be split. This costs a copy of one block for
 * each device. */
#include <string.h>

#include "base/ensure.h"
#include "layout/mapper.h"

static bool wants_packing(enum mapper_refusal refusal)
{
	return refusal == MAPPER_ND || refusal == MAPPER_ROWS;
}

/* Sets lowering->config to a buffer in which the blocks follow each other. Even if several devices
 * get the same block, the host copies it once for each device. */
static void pack_config(
	struct mapper_lowering *lowering, const struct mapper_mesh *mesh, bool both, bool over_rows)
{
	struct mesh_layout *config = &lowering->config;
	uint64_t block = layout_volume(&lowering->device);
	uint64_t width = lowering->device.size[lowering->device.rank - 1];

	lowering->packed = true;
	lowering->copied_bytes = config->size_bytes;
	if (!both)
		lowering->copied_bytes *= over_rows ? mesh->columns : mesh->rows;
	config->sharded = true;
	config->global_width = width;
	config->shard_height = block / width;
	config->shard_width = both ? width : 0;
	config->global_height = config->shard_height * mapper_shards(lowering);
	config->orientation = !both && over_rows ? ORIENTATION_COLUMN_MAJOR : ORIENTATION_ROW_MAJOR;
}

/* If the split has succeeded, sets the config to a buffer of packed blocks. Returns `split`. */
static enum mapper_refusal mapper_pack_pack(enum mapper_refusal split,
	struct mapper_lowering *lowering, const struct mapper_mesh *mesh, bool both, bool over_rows)
{
	if (split == MAPPER_NONE)
		pack_config(lowering, mesh, both, over_rows);
	return split;
}

enum mapper_refusal mapper_shard_any(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, int32_t dim, struct mapper_lowering *lowering,
	struct text *why)
{
	if (!wants_packing(mapper_shard(tensor, mesh, dim, lowering, NULL)))
		return mapper_shard(tensor, mesh, dim, lowering, why);
	return mapper_pack_pack(
		mapper_split(tensor, mesh, dim, lowering, why), lowering, mesh, true, false);
}

enum mapper_refusal mapper_shard_2d_any(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why)
{
	enum mapper_refusal split;

	if (!wants_packing(mapper_shard_2d(tensor, mesh, dims, lowering, NULL)))
		return mapper_shard_2d(tensor, mesh, dims, lowering, why);
	split = mapper_split_2d(tensor, mesh, dims, lowering, why);
	return mapper_pack_pack(
		split, lowering, mesh, lowering->order_count == 2, dims[0] != MAPPER_REPLICATE);
}

uint32_t mapper_shards(const struct mapper_lowering *lowering)
{
	uint32_t shards = 1;

	for (uint32_t i = 0; i < lowering->order_count; i++)
		shards *= lowering->pieces[lowering->order[i]];
	return shards;
}

uint64_t mapper_shard_bytes(const struct mapper_lowering *lowering)
{
	return lowering->config.size_bytes / mapper_shards(lowering);
}

/* Returns the index in the tensor of the first element of shard `number`. */
static struct layout_shape corner(const struct mapper_lowering *lowering, uint32_t number)
{
	struct layout_shape first = {.rank = lowering->device.rank};

	ensure(number < mapper_shards(lowering), "shard %u of %u", number, mapper_shards(lowering));
	for (uint32_t i = lowering->order_count; i-- > 0;) {
		uint32_t d = lowering->order[i];

		first.size[d] = number % lowering->pieces[d] * lowering->device.size[d];
		number /= lowering->pieces[d];
	}
	return first;
}

/* The rows of a shard's block within the tensor. */
struct block {
	/* first: index of the block's first element; rows: shape of the block in rows, so its
	 * innermost size is 1 */
	struct layout_shape first, rows;
	uint64_t row_bytes, count;
};

static struct block block_of(
	const struct mapper_tensor *tensor, const struct mapper_lowering *lowering, uint32_t number)
{
	struct block block = {.first = corner(lowering, number), .rows = lowering->device};
	uint64_t *inner = &block.rows.size[block.rows.rank - 1];

	block.row_bytes = *inner * tensor->element_bytes;
	*inner = 1;
	block.count = layout_volume(&block.rows);
	return block;
}

/* Returns the position of a row of the block in the tensor, in bytes. */
static uint64_t row_at(const struct mapper_tensor *tensor, const struct block *block, uint64_t row)
{
	struct layout_shape at = layout_at(&block->rows, row);

	for (uint32_t d = 0; d < at.rank; d++)
		at.size[d] += block->first.size[d];
	return layout_number(&tensor->shape, &at) * tensor->element_bytes;
}

void mapper_pack(const struct mapper_tensor *tensor, const struct mapper_lowering *lowering,
	uint32_t number, const void *whole, void *shard)
{
	struct block block = block_of(tensor, lowering, number);

	for (uint64_t row = 0; row < block.count; row++)
		memcpy((uint8_t *)shard + row * block.row_bytes,
			(const uint8_t *)whole + row_at(tensor, &block, row), block.row_bytes);
}

void mapper_unpack(const struct mapper_tensor *tensor, const struct mapper_lowering *lowering,
	uint32_t number, const void *shard, void *whole)
{
	struct block block = block_of(tensor, lowering, number);

	for (uint64_t row = 0; row < block.count; row++)
		memcpy((uint8_t *)whole + row_at(tensor, &block, row),
			(const uint8_t *)shard + row * block.row_bytes, block.row_bytes);
}
