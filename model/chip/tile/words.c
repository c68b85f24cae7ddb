/* The words of a tile, in chunks. A chunk is allocated when it is first written. Only a tile with
 * several chunks has a table of chunks: most workers have a single chunk, and a table would be
 * larger than this chunk. Callers check that the range is inside the words. */
#include "words.h"

#include <string.h>

void sim_words_make_hot(struct tile *tile, uint32_t index)
{
	struct cluster *cluster = tile->device->cluster;
	uint32_t *chunk = tile->words != NULL ? tile->words[index] : NULL;

	if (chunk == NULL) {
		chunk = sim_pool_take(&cluster->word_chunks);
		memset(chunk, 0, WORD_CHUNK_BYTES);
	}
	if (tile->words == NULL && tile->hot != NULL) {
		tile->words = sim_pool_take(&cluster->word_tables);
		memset(tile->words, 0, cluster->word_tables.bytes);
		tile->words[tile->hot_index] = tile->hot;
	}
	if (tile->words != NULL)
		tile->words[index] = chunk;
	tile->hot = chunk;
	tile->hot_index = (uint16_t)index;
}

void sim_words_read(const struct tile *tile, uint32_t address, uint32_t length, uint8_t *out)
{
	while (length > 0) {
		uint32_t index = address / WORD_CHUNK_BYTES, at = address % WORD_CHUNK_BYTES;
		uint32_t count = WORD_CHUNK_BYTES - at < length ? WORD_CHUNK_BYTES - at : length;
		const uint32_t *chunk = sim_words_chunk(tile, index);

		if (chunk != NULL)
			memcpy(out, (const uint8_t *)chunk + at, count);
		else
			memset(out, 0, count);
		address += count;
		length -= count;
		out += count;
	}
}

void sim_words_write(struct tile *tile, uint32_t address, uint32_t length, const uint8_t *bytes)
{
	while (length > 0) {
		uint32_t index = address / WORD_CHUNK_BYTES, at = address % WORD_CHUNK_BYTES;
		uint32_t count = WORD_CHUNK_BYTES - at < length ? WORD_CHUNK_BYTES - at : length;

		if (index != tile->hot_index || tile->hot == NULL)
			sim_words_make_hot(tile, index);
		memcpy((uint8_t *)tile->hot + at, bytes, count);
		address += count;
		length -= count;
		bytes += count;
	}
}
