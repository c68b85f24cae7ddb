/* Makes the descriptions of buffers from their placements, see library.h. */
#include "programs/library.h"

#include "command/kernel_program.h"

static uint32_t pages_sharded(const struct placement *placement, uint32_t *words)
{
	const struct shard_parameters *shard = &placement->config.shard;
	uint64_t shards = (uint64_t)placement->shards_high * placement->shards_wide;
	uint32_t tiles = placement->slot_count < shards ? placement->slot_count : (uint32_t)shards;

	if (tiles > PAGES_WORDS_MAX - KERNEL_PAGES_SHARDED_WORDS)
		return 0;
	words[0] = KERNEL_PAGES_SHARDED;
	words[4] = shard->pages_wide;
	words[5] = shard->shard_pages_high;
	words[6] = shard->shard_pages_wide;
	words[7] = tiles;
	for (uint32_t i = 0; i < tiles; i++) {
		uint32_t row = i / placement->shards_wide * shard->shard_pages_high;
		uint32_t column = i % placement->shards_wide * shard->shard_pages_wide;

		words[KERNEL_PAGES_SHARDED_WORDS + i] =
			placement_page(placement, row * shard->pages_wide + column).tile;
	}
	return KERNEL_PAGES_SHARDED_WORDS + tiles;
}

uint32_t pages_describe(const struct library_buffer *buffer, uint32_t words[PAGES_WORDS_MAX])
{
	const struct placement *placement = buffer->placement;
	bool dram = buffer_type_in_dram(placement->config.type);

	words[0] = dram ? KERNEL_PAGES_DRAM : KERNEL_PAGES_L1;
	words[1] = buffer->address;
	words[2] = placement->page_stride;
	words[3] = placement->page_count;
	if (placement->config.layout != LAYOUT_INTERLEAVED)
		return pages_sharded(placement, words);
	return KERNEL_PAGES_WORDS;
}
