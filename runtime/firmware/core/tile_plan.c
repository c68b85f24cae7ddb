/* Allocates the words, the L1 and the processors of one dispatch tile. */
#include "firmware/core/stage.h"

enum { PLAN_ALIGN = 64, FIRST_WORD = 4 };

void tile_plan_init(struct tile_plan *plan, const struct chip_geometry *geometry, uint16_t tile)
{
	bool ethernet = geometry->tiles[tile].kind == TILE_ETHERNET;

	*plan = (struct tile_plan){
		.tile = tile,
		.next_word = FIRST_WORD,
		.word_end = geometry->word_bytes,
		.next_byte = (geometry->word_bytes + PLAN_ALIGN - 1) / PLAN_ALIGN * PLAN_ALIGN,
		.byte_end = (uint32_t)tile_memory_bytes(geometry, tile),
		.processor_end = ethernet ? 1 : TILE_PROCESSORS,
	};
}

enum status tile_plan_words(struct tile_plan *plan, uint32_t count, uint32_t *address)
{
	uint64_t end = plan->next_word + 4ull * count;

	if (end > plan->word_end)
		return STATUS_NO_SPACE;
	*address = plan->next_word;
	plan->next_word = (uint32_t)end;
	return STATUS_OK;
}

enum status tile_plan_bytes(struct tile_plan *plan, uint32_t bytes, uint32_t *address)
{
	uint64_t end =
		plan->next_byte + ((uint64_t)bytes + PLAN_ALIGN - 1) / PLAN_ALIGN * PLAN_ALIGN;

	if (end > plan->byte_end)
		return STATUS_NO_SPACE;
	*address = plan->next_byte;
	plan->next_byte = (uint32_t)end;
	return STATUS_OK;
}

enum status tile_plan_processor(struct tile_plan *plan, uint8_t *processor)
{
	for (uint8_t i = 0; i < plan->processor_end; i++)
		if ((plan->processors >> i & 1) == 0) {
			plan->processors |= (uint8_t)(1 << i);
			*processor = i;
			return STATUS_OK;
		}
	return STATUS_NO_SPACE;
}
