/* Reads and writes of a tile's memory, which consists of words and bulk memory above them. */
#include "chip/tile/tile.h"

#include <stdlib.h>
#include <string.h>

#include "words.h"

void sim_tile_init(struct tile *tile, struct device *device, uint16_t number)
{
	const struct chip_geometry *geometry = device->info->geometry;
	uint64_t bytes = tile_memory_bytes(geometry, number);

	memset(tile, 0, sizeof *tile);
	tile->device = device;
	tile->number = number;
	tile->word_bytes = tile_word_bytes(geometry, number);
	ensure(tile->word_bytes <= bytes && tile->word_bytes <= WORD_BYTES_MAX,
		"%u B of words in %llu B of L1", tile->word_bytes, (unsigned long long)bytes);
	sparse_init(&tile->memory, bytes);
}

void sim_tile_fini(struct tile *tile)
{
	sparse_fini(&tile->memory);
	free(tile->second);
	if (tile->atomic != NULL) {
		free(tile->atomic->arrivals);
		free(tile->atomic->coming);
	}
}

/* ---- loads ---- */

static __attribute__((noinline)) uint32_t word_of_busy_tile(struct tile *tile, uint32_t address)
{
	sim_word_check(tile, address);
	sim_tile_catch_up(tile);
	return sim_word_get(tile, address);
}

/* Stages read words more often than anything else, so the usual case calls no function. */
uint32_t sim_tile_word(struct tile *tile, uint32_t address)
{
	if (address % 4 != 0 || address >= tile->word_bytes || tile->crew != NULL ||
		sim_tile_has_turns(tile))
		return word_of_busy_tile(tile, address);
	return sim_word_get(tile, address);
}

enum status sim_tile_read(struct tile *tile, uint32_t address, uint32_t length, void *out)
{
	uint32_t part = sim_words_part(tile, address, length);

	sim_tile_check(tile, address, length);
	if (part > 0) {
		sim_tile_catch_up(tile);
		if (out != NULL)
			sim_words_read(tile, address, part, out);
	}
	if (part == length)
		return STATUS_OK;
	return sim_bulk_read(
		tile, address + part, length - part, out != NULL ? (uint8_t *)out + part : NULL);
}

struct span sim_tile_view(struct tile *tile, uint32_t address, uint32_t length)
{
	struct extent *extent;

	sim_tile_check(tile, address, length);
	if (sim_words_part(tile, address, length) == 0)
		return sim_bulk_view(tile, address, length);
	extent = extent_new(length);
	if (sim_tile_read(tile, address, length, extent->bytes) != STATUS_OK) {
		extent_release(extent);
		extent = extent_new_elided(length);
	}
	return span_of(extent);
}

/* ---- stores ---- */

void sim_tile_put(struct tile *tile, uint32_t address, struct span span)
{
	uint32_t part = sim_words_part(tile, address, span.length);
	uint8_t bytes[64];

	sim_tile_check(tile, address, span.length);
	if (part > 0)
		sim_tile_catch_up(tile);
	for (uint32_t at = 0; at < part; at += sizeof bytes) {
		uint32_t length = part - at < sizeof bytes ? part - at : (uint32_t)sizeof bytes;

		ensure(span_read(span, at, length, bytes) == STATUS_OK,
			"elided write to the words of tile %u of chip %u", tile->number,
			tile->device->number);
		sim_words_write(tile, address + at, length, bytes);
	}
	if (part < span.length)
		sim_bulk_write(tile, address + part, span_part(span, part, span.length - part));
}

bool sim_tile_put_word(struct tile *tile, uint32_t address, uint32_t value)
{
	sim_word_check(tile, address);
	if (sim_atomic_is_busy(tile))
		return false;
	sim_word_put(tile, address, value);
	return true;
}
