/* Shared by the files of this room: the words of a tile and its atomic unit as they are stored.
 * Nothing here wakes a stage; arrival.c does. */
#ifndef CHIP_TILE_WORDS_H
#define CHIP_TILE_WORDS_H

#include "chip/tile/tile.h"

/* Bugs of the caller: beyond the memory; not a word. */
static inline void sim_tile_check(const struct tile *tile, uint32_t address, uint32_t length)
{
	ensure((uint64_t)address + length <= tile->memory.size,
		"%u B at 0x%x of tile %u of chip %u, which has %llu B", length, address,
		tile->number, tile->device->number, (unsigned long long)tile->memory.size);
}

static inline void sim_word_check(const struct tile *tile, uint32_t address)
{
	ensure(address % 4 == 0 && address < tile->word_bytes,
		"word at 0x%x of tile %u of chip %u, which has %u B of words", address,
		tile->number, tile->device->number, tile->word_bytes);
}

/* ---- words.c ---- */

static inline uint32_t sim_word_get(const struct tile *tile, uint32_t address)
{
	uint32_t index = address / WORD_CHUNK_BYTES;
	const uint32_t *chunk = tile->hot;

	if (index != tile->hot_index || chunk == NULL)
		chunk = tile->words != NULL ? tile->words[index] : NULL;
	return chunk != NULL ? chunk[address / 4 % WORD_CHUNK_WORDS] : 0;
}

/* Makes the chunk of words `index` the one that was touched last. */
void sim_words_make_hot(struct tile *tile, uint32_t index);

static inline void sim_word_put(struct tile *tile, uint32_t address, uint32_t value)
{
	uint32_t index = address / WORD_CHUNK_BYTES;

	if (index != tile->hot_index || tile->hot == NULL)
		sim_words_make_hot(tile, index);
	tile->hot[address / 4 % WORD_CHUNK_WORDS] = value;
}

/* Bytes between words and a buffer, any alignment: words have the bytes of the machine. */
void sim_words_read(const struct tile *tile, uint32_t address, uint32_t length, uint8_t *out);
void sim_words_write(struct tile *tile, uint32_t address, uint32_t length, const uint8_t *bytes);

/* ---- atomic.c ---- */

/* The unit of the tile, made at first use. */
struct atomic_unit *sim_atomic_of(struct tile *tile);

/* An increment arrives, now or before: gets its turn. */
void sim_atomic_take_turn(struct tile *tile, struct arrival *arrival);

/* Its turn has come: the word changes. */
void sim_atomic_apply(struct tile *tile, const struct arrival *arrival);

/* It waits for its turn, behind all others. */
void sim_atomic_append(struct atomic_unit *unit, const struct arrival *arrival);

/* Increments that will arrive, in order of time. */
void sim_atomic_add_coming(struct tile *tile, const struct arrival *arrivals, uint32_t count);

/* The cluster is at rest no sooner than the last of them has had its turn, as far as is known. */
void sim_atomic_settle_coming(const struct tile *tile);

/* Increments wait for their turn: a word that comes now must not pass them. */
bool sim_atomic_is_busy(struct tile *tile);

/* ---- tile.c ---- */

/* The bytes of the span, words and bulk. */
void sim_tile_put(struct tile *tile, uint32_t address, struct span span);

#endif
