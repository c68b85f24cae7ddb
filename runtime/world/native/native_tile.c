/* The memory of an emulated tile: contiguous memory for the words at the start, and sparse memory
 * above them. Callers must inform the scheduler about writes. */
#include "native_chip.h"

#include "base/allocate.h"
#include "base/ensure.h"

#include <stdlib.h>
#include <string.h>

void native_tile_init(struct tile *tile, const struct chip_geometry *geometry, uint16_t number)
{
	uint64_t bytes = tile_memory_bytes(geometry, number);

	memset(tile, 0, sizeof *tile);
	tile->word_bytes = tile_word_bytes(geometry, number);
	ensure(tile->word_bytes <= bytes, "%u B of words in %llu B of L1", tile->word_bytes,
		(unsigned long long)bytes);
	sparse_init(&tile->memory, bytes);
}

void native_tile_fini(struct tile *tile)
{
	sparse_fini(&tile->memory);
	free(tile->words);
}

static void tile_check(const struct tile *tile, uint32_t address, uint32_t length)
{
	ensure((uint64_t)address + length <= tile->memory.size,
		"%u B at 0x%x of a tile with %llu B", length, address,
		(unsigned long long)tile->memory.size);
}

/* Returns the number of bytes of the range that lie in the words. */
static uint32_t tile_words_part(const struct tile *tile, uint32_t address, uint32_t length)
{
	if (address >= tile->word_bytes)
		return 0;
	return length < tile->word_bytes - address ? length : tile->word_bytes - address;
}

static uint8_t *tile_words(struct tile *tile)
{
	if (tile->words == NULL) {
		tile->words = allocate(1, tile->word_bytes);
	}
	return tile->words;
}

void native_tile_write(struct tile *tile, uint32_t address, struct span span)
{
	uint32_t part = tile_words_part(tile, address, span.length);

	tile_check(tile, address, span.length);
	if (part > 0) {
		enum status status = span_read(span, 0, part, tile_words(tile) + address);

		ensure(status == STATUS_OK, "write to words: %s", status_message(status));
	}
	if (part < span.length)
		sparse_write(&tile->memory, (uint64_t)address + part,
			span_part(span, part, span.length - part));
}

void native_tile_store(struct tile *tile, uint32_t address, const void *bytes, uint32_t length)
{
	uint32_t part = tile_words_part(tile, address, length);

	tile_check(tile, address, length);
	if (part > 0)
		memcpy(tile_words(tile) + address, bytes, part);
	if (part < length)
		sparse_store(&tile->memory, (uint64_t)address + part, (const uint8_t *)bytes + part,
			length - part);
}

enum status native_tile_read(struct tile *tile, uint32_t address, uint32_t length, void *out)
{
	uint32_t part = tile_words_part(tile, address, length);

	tile_check(tile, address, length);
	if (out != NULL && part > 0 && tile->words != NULL)
		memcpy(out, tile->words + address, part);
	else if (out != NULL && part > 0)
		memset(out, 0, part);
	if (part == length)
		return STATUS_OK;
	return sparse_read(&tile->memory, (uint64_t)address + part, length - part,
		out != NULL ? (uint8_t *)out + part : NULL);
}

struct span native_tile_view(struct tile *tile, uint32_t address, uint32_t length)
{
	struct extent *extent;

	tile_check(tile, address, length);
	if (tile_words_part(tile, address, length) == 0)
		return sparse_view(&tile->memory, address, length);
	extent = extent_new(length);
	if (native_tile_read(tile, address, length, extent->bytes) != STATUS_OK) {
		extent_release(extent);
		extent = extent_new_elided(length);
	}
	return span_of(extent);
}

struct span native_tile_view_piece(struct tile *tile, uint32_t address, uint32_t length)
{
	uint32_t part = tile_words_part(tile, address, length);

	tile_check(tile, address, length);
	if (part > 0)
		return native_tile_view(tile, address, part);
	return sparse_view_piece(&tile->memory, address, length);
}

static void tile_check_word(const struct tile *tile, uint32_t address)
{
	ensure(address % 4 == 0 && address < tile->word_bytes, "word at 0x%x of %u B of words",
		address, tile->word_bytes);
}

uint32_t native_tile_word(const struct tile *tile, uint32_t address)
{
	uint32_t value = 0;

	tile_check_word(tile, address);
	if (tile->words != NULL)
		memcpy(&value, tile->words + address, sizeof value);
	return value;
}

void native_tile_set_word(struct tile *tile, uint32_t address, uint32_t value)
{
	tile_check_word(tile, address);
	memcpy(tile_words(tile) + address, &value, sizeof value);
}
