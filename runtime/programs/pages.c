/* Descriptions of buffers, see pages.h. Reads placements, changes nothing. */
#include "programs/pages.h"

#include "command/kernel_program.h"

static uint32_t sharded(const struct placement *placement, uint32_t *words)
{
	const struct shard_parameters *shard = &placement->config.shard;
	uint32_t pages = shard->shard_pages_high * shard->pages_wide;
	uint32_t shards = (placement->page_count + pages - 1) / pages;

	if (shard->shard_pages_wide != shard->pages_wide || shard->round_robin ||
		shards > PAGES_WORDS_MAX - KERNEL_PAGES_SHARDED_WORDS)
		return 0;
	words[0] = KERNEL_PAGES_SHARDED;
	words[4] = pages;
	words[5] = shards;
	for (uint32_t i = 0; i < shards; i++)
		words[KERNEL_PAGES_SHARDED_WORDS + i] = placement_page(placement, i * pages).tile;
	return KERNEL_PAGES_SHARDED_WORDS + shards;
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
		return sharded(placement, words);
	return placement->config.sub_device == 0 ? KERNEL_PAGES_WORDS : 0;
}
