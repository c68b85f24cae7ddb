/* Storage of a tile's words, and the tile's atomic unit. Only files of this folder use this header.
 * These functions do not wake stages; the functions of arrival.c do. */
#ifndef CHIP_TILE_WORDS_H
#define CHIP_TILE_WORDS_H

#include "chip/tile/tile.h"

/* sim_tile_check() aborts if the range lies outside the tile's memory. sim_word_check() aborts if
 * there is no word at the address. */
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

/* Returns a chunk, or NULL if nothing was written to it. */
static inline const uint32_t *sim_words_chunk(const struct tile *tile, uint32_t index)
{
	if (index == tile->hot_index)
		return tile->hot;
	return tile->words != NULL ? tile->words[index] : NULL;
}

static inline uint32_t sim_word_get(const struct tile *tile, uint32_t address)
{
	const uint32_t *chunk = sim_words_chunk(tile, address / WORD_CHUNK_BYTES);

	return chunk != NULL ? chunk[address / 4 % WORD_CHUNK_WORDS] : 0;
}

/* Makes chunk `index` the chunk `hot`. Allocates the chunk if needed. */
void sim_words_make_hot(struct tile *tile, uint32_t index);

static inline void sim_word_put(struct tile *tile, uint32_t address, uint32_t value)
{
	uint32_t index = address / WORD_CHUNK_BYTES;

	if (index != tile->hot_index || tile->hot == NULL)
		sim_words_make_hot(tile, index);
	tile->hot[address / 4 % WORD_CHUNK_WORDS] = value;
}

/* Copy bytes between words and a buffer, at any alignment, in the machine's byte order. */
void sim_words_read(const struct tile *tile, uint32_t address, uint32_t length, uint8_t *out);
void sim_words_write(struct tile *tile, uint32_t address, uint32_t length, const uint8_t *bytes);

/* ---- atomic.c ---- */

/* The atomic unit of the tile, created at first use. */
struct atomic_unit *sim_atomic_of(struct tile *tile);

/* Executes an increment, which arrives now or has arrived earlier. */
void sim_atomic_take_turn(struct tile *tile, struct arrival *arrival);

/* Returns the cause of an arrival at the tile. If the arrival has no cause, creates one from a note
 * (struct cause_note). The tasks of the source tile keep such notes; the latest one before the
 * arrival is used. Returns CAUSE_NONE if there is no such note, or if the source is TILE_ANY. The
 * caller owns the reference. */
cause_id sim_arrival_cause(const struct tile *tile, const struct arrival *arrival);

/* Changes the word. Call it when the arrival's turn at the atomic unit has come. */
void sim_atomic_apply(struct tile *tile, const struct arrival *arrival);

void sim_atomic_append(struct atomic_unit *unit, const struct arrival *arrival);

/* Adds announced increments to those of the tile, which stay sorted by time. */
void sim_atomic_add_coming(struct tile *tile, const struct arrival *arrivals, uint32_t count);

/* Like sim_atomic_add_coming(), but adds a single increment. Increments that arrive at the same
 * time take effect in the order in which they were added. */
void sim_atomic_add_single(struct atomic_unit *unit, const struct arrival *arrival);

/* The announced increment that arrives next. There must be one. */
static inline const struct arrival *sim_atomic_next(const struct atomic_unit *unit)
{
	return &unit->coming[unit->coming_first + unit->coming_count - 1];
}

/* Makes the cluster count as busy at least until the last announced increment has had its turn. */
void sim_atomic_settle_coming(const struct tile *tile);

/* Divides a group of increments that were announced together into single increments. No other
 * increment may have had a turn since the first increment of the group arrived. */
void sim_atomic_spread(struct tile *tile);

/* Returns increment `i` of a group of increments that were announced together. The time of the
 * increment is the start of its turn. The caller does not own the reference to its cause. */
struct arrival sim_atomic_together(const struct atomic_unit *unit, uint32_t i);

/* True if increments wait for their turns. A word that arrives now must not overtake them. */
bool sim_atomic_is_busy(struct tile *tile);

/* ---- scheduler.c ---- */

/* Schedules a wake of a blocked stage at `at_ps`, unless an equal or earlier wake is scheduled. */
void sim_task_wake(struct task *task, int64_t at_ps);

/* ---- tile.c ---- */

void sim_tile_put(struct tile *tile, uint32_t address, struct span span);

/* ---- what a blocked stage waits for ---- */

static inline bool reached(uint32_t value, uint32_t wanted)
{
	return (int32_t)(value - wanted) >= 0;
}

/* True if the stage waits for any change in [address, address + length) of the words. */
static inline bool any_change(const struct stage_wait *wait, uint32_t address, uint32_t length)
{
	if (wait->on != STAGE_WAIT_TILE)
		return false;
	if (wait->range_bytes == 0)
		return true;
	return address < wait->range ? wait->range - address < length
				     : address - wait->range < wait->range_bytes;
}

/* True if the stage waits for the word at wait->address to reach wait->value. */
static inline bool counts(const struct stage_wait *wait)
{
	return wait->on == STAGE_WAIT_WORD ||
	       (wait->on == STAGE_WAIT_TILE && wait->range_bytes > 0);
}

#endif
