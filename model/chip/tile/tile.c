/* Memory of a tile. Refuses tiles without memory, words that are not aligned, elided words. */
#include "chip/tile/tile.h"

#include <stdlib.h>
#include <string.h>

#include "chip/machine/network.h"
#include "chip/tile/layer.h"
#include "chip/tile/runner.h"

void sim_tile_init(struct tile *tile, struct device *device, uint16_t number)
{
	const struct chip_geometry *geometry = device->info->geometry;
	uint64_t bytes = 0;

	memset(tile, 0, sizeof *tile);
	tile->device = device;
	tile->number = number;
	switch (geometry->tiles[number].kind) {
	case TILE_TENSIX:
		bytes = geometry->l1_bytes;
		tile->word_bytes = geometry->word_bytes;
		break;
	case TILE_ETHERNET:
		bytes = geometry->ethernet_l1_bytes;
		tile->word_bytes = geometry->word_bytes;
		break;
	case TILE_DRAM:
		bytes = geometry->dram_bank_bytes;
		break;
	case TILE_PCIE:
	case TILE_OTHER:
		break;
	}
	ensure(tile->word_bytes <= bytes && tile->word_bytes <= WORD_BYTES_MAX,
		"%u B of words in %llu B of L1", tile->word_bytes, (unsigned long long)bytes);
	sparse_init(&tile->memory, bytes);
}

void sim_tile_fini(struct tile *tile)
{
	sparse_fini(&tile->memory);
	if (tile->atomic != NULL) {
		free(tile->atomic->arrivals);
		free(tile->atomic->coming);
	}
}

size_t sim_tile_overhead_bytes(const struct tile *tile)
{
	size_t bytes = sizeof *tile - sizeof tile->memory + sparse_overhead_bytes(&tile->memory);

	if (tile->atomic != NULL)
		bytes += (tile->atomic->capacity + tile->atomic->coming_capacity) *
			 sizeof *tile->atomic->arrivals;
	return bytes;
}

/* ---- words ---- */

static void check(const struct tile *tile, uint32_t address, uint32_t length)
{
	ensure((uint64_t)address + length <= tile->memory.size,
		"%u B at 0x%x of tile %u of chip %u, which has %llu B", length, address,
		tile->number, tile->device->number, (unsigned long long)tile->memory.size);
}

static void check_word(const struct tile *tile, uint32_t address)
{
	ensure(address % 4 == 0 && address < tile->word_bytes,
		"word at 0x%x of tile %u of chip %u, which has %u B of words", address,
		tile->number, tile->device->number, tile->word_bytes);
}

/* How much of the range lies in the words. */
static uint32_t words_part(const struct tile *tile, uint32_t address, uint32_t length)
{
	if (address >= tile->word_bytes)
		return 0;
	return length < tile->word_bytes - address ? length : tile->word_bytes - address;
}

static inline uint32_t get_word(const struct tile *tile, uint32_t address)
{
	uint32_t index = address / WORD_CHUNK_BYTES;
	const uint32_t *chunk = tile->hot;

	if (index != tile->hot_index || chunk == NULL)
		chunk = tile->words != NULL ? tile->words[index] : NULL;
	return chunk != NULL ? chunk[address / 4 % WORD_CHUNK_WORDS] : 0;
}

static void make_hot(struct tile *tile, uint32_t index)
{
	struct cluster *cluster = tile->device->cluster;

	if (tile->words == NULL) {
		tile->words = sim_pool_take(&cluster->word_tables);
		memset(tile->words, 0, cluster->word_tables.bytes);
	}
	if (tile->words[index] == NULL) {
		tile->words[index] = sim_pool_take(&cluster->word_chunks);
		memset(tile->words[index], 0, WORD_CHUNK_BYTES);
	}
	tile->hot = tile->words[index];
	tile->hot_index = (uint16_t)index;
}

static inline void put_word(struct tile *tile, uint32_t address, uint32_t value)
{
	uint32_t index = address / WORD_CHUNK_BYTES;

	if (index != tile->hot_index || tile->hot == NULL)
		make_hot(tile, index);
	tile->hot[address / 4 % WORD_CHUNK_WORDS] = value;
}

/* Bytes between words and a buffer, any alignment: words have the bytes of the machine. */
static void get_bytes(const struct tile *tile, uint32_t address, uint32_t length, uint8_t *out)
{
	while (length > 0) {
		uint32_t index = address / WORD_CHUNK_BYTES, at = address % WORD_CHUNK_BYTES;
		uint32_t count = WORD_CHUNK_BYTES - at < length ? WORD_CHUNK_BYTES - at : length;
		const uint32_t *chunk = tile->words != NULL ? tile->words[index] : NULL;

		if (chunk != NULL)
			memcpy(out, (const uint8_t *)chunk + at, count);
		else
			memset(out, 0, count);
		address += count;
		length -= count;
		out += count;
	}
}

static void put_bytes(struct tile *tile, uint32_t address, uint32_t length, const uint8_t *bytes)
{
	while (length > 0) {
		uint32_t index = address / WORD_CHUNK_BYTES, at = address % WORD_CHUNK_BYTES;
		uint32_t count = WORD_CHUNK_BYTES - at < length ? WORD_CHUNK_BYTES - at : length;

		if (index != tile->hot_index || tile->hot == NULL)
			make_hot(tile, index);
		memcpy((uint8_t *)tile->hot + at, bytes, count);
		address += count;
		length -= count;
		bytes += count;
	}
}

/* ---- atomic unit ---- */

static void turn(struct tile *tile, const struct arrival *arrival)
{
	uint32_t value = arrival->value;

	if (arrival->increment)
		value += get_word(tile, arrival->address);
	put_word(tile, arrival->address, value);
}

int64_t sim_tile_turn_ps(const struct tile *tile, int64_t *at_ps, int64_t free_ps)
{
	const struct cluster *cluster = tile->device->cluster;

	if (cluster->network->contention && free_ps > *at_ps)
		*at_ps = free_ps;
	return *at_ps + cluster->timing.noc_atomic_ps;
}

/* An increment arrives, now or before: gets its turn. */
static void take_turn(struct tile *tile, struct arrival *arrival)
{
	struct atomic_unit *unit = tile->atomic;
	int64_t came_ps = arrival->at_ps;

	unit->increments++;
	unit->busy_until_ps = sim_tile_turn_ps(tile, &arrival->at_ps, unit->busy_until_ps);
	unit->waited_ps += arrival->at_ps - came_ps;
}

static void ring_append(struct atomic_unit *unit, const struct arrival *arrival)
{
	if (unit->count == unit->capacity) {
		uint32_t before = unit->capacity, capacity = before ? 2 * before : 16;

		unit->arrivals = realloc(unit->arrivals, capacity * sizeof *unit->arrivals);
		ensure(unit->arrivals != NULL, "no memory for %u arrivals", capacity);
		/* The ring's part that had wrapped around continues behind its old end. */
		if (before > 0)
			memcpy(unit->arrivals + before, unit->arrivals,
				unit->first * sizeof *unit->arrivals);
		unit->capacity = capacity;
	}
	unit->arrivals[(unit->first + unit->count++) & (unit->capacity - 1)] = *arrival;
}

void sim_tile_turns(struct tile *tile)
{
	struct atomic_unit *unit = tile->atomic;
	int64_t now_ps = engine_now();

	while (unit->coming_count > 0 && unit->coming[unit->coming_count - 1].at_ps <= now_ps) {
		struct arrival arrival = unit->coming[--unit->coming_count];

		take_turn(tile, &arrival);
		ring_append(unit, &arrival);
	}
	while (unit->count > 0 && unit->arrivals[unit->first].at_ps <= now_ps) {
		turn(tile, &unit->arrivals[unit->first]);
		unit->first = (unit->first + 1) & (unit->capacity - 1);
		unit->count--;
	}
}

static void unit_append(struct tile *tile, struct arrival arrival)
{
	ring_append(tile->atomic, &arrival);
	sim_settles_at(tile->device->cluster, arrival.at_ps);
	sim_runners_expect(tile, &arrival);
}

static struct atomic_unit *unit_of(struct tile *tile)
{
	if (tile->atomic == NULL) {
		tile->atomic = sim_pool_take(&tile->device->cluster->atomic_units);
		memset(tile->atomic, 0, sizeof *tile->atomic);
	}
	return tile->atomic;
}

/* What comes settles when the last has had its turn, as far as is known. */
static void settle_coming(const struct tile *tile)
{
	const struct atomic_unit *unit = tile->atomic;
	int64_t free_ps = unit->busy_until_ps, at_ps = 0;

	for (uint32_t i = unit->coming_count; i-- > 0;) {
		at_ps = unit->coming[i].at_ps;
		free_ps = sim_tile_turn_ps(tile, &at_ps, free_ps);
	}
	sim_settles_at(tile->device->cluster, at_ps);
}

void sim_tile_increment(struct tile *tile, uint32_t address, uint32_t delta)
{
	struct atomic_unit *unit = unit_of(tile);
	int64_t now_ps = engine_now();
	struct arrival arrival = {now_ps, address, delta, true};

	check_word(tile, address);
	sim_tile_catch_up(tile);
	take_turn(tile, &arrival);
	if (unit->coming_count > 0)
		settle_coming(tile);
	if (arrival.at_ps > now_ps) {
		unit_append(tile, arrival);
		return;
	}
	turn(tile, &arrival);
	sim_runners_touched(tile, address, sizeof(uint32_t), true);
}

void sim_tile_increments_come(struct tile *tile, const struct arrival *arrivals, uint32_t count)
{
	struct atomic_unit *unit = unit_of(tile);
	uint32_t total = unit->coming_count + count;

	sim_tile_catch_up(tile);
	if (total > unit->coming_capacity) {
		unit->coming_capacity = 2 * total;
		unit->coming = realloc(unit->coming, unit->coming_capacity * sizeof *unit->coming);
		ensure(unit->coming != NULL, "no memory for %u arrivals", total);
	}
	for (uint32_t i = count; i-- > 0;) {
		uint32_t at = unit->coming_count++;

		check_word(tile, arrivals[i].address);
		for (; at > 0 && unit->coming[at - 1].at_ps < arrivals[i].at_ps; at--)
			unit->coming[at] = unit->coming[at - 1];
		unit->coming[at] = arrivals[i];
	}
	settle_coming(tile);
	sim_runners_foresee(tile);
}

/* ---- loads ---- */

uint32_t sim_tile_word(struct tile *tile, uint32_t address)
{
	check_word(tile, address);
	sim_tile_catch_up(tile);
	return get_word(tile, address);
}

enum status sim_tile_read(struct tile *tile, uint32_t address, uint32_t length, void *out)
{
	uint32_t part = words_part(tile, address, length);

	check(tile, address, length);
	if (part > 0) {
		sim_tile_catch_up(tile);
		get_bytes(tile, address, part, out);
	}
	if (part == length)
		return STATUS_OK;
	return sim_bulk_read(tile, address + part, length - part, (uint8_t *)out + part);
}

struct span sim_tile_view(struct tile *tile, uint32_t address, uint32_t length)
{
	struct extent *extent;

	check(tile, address, length);
	if (words_part(tile, address, length) == 0)
		return sim_bulk_view(tile, address, length);
	extent = extent_new(length);
	if (sim_tile_read(tile, address, length, extent->bytes) != STATUS_OK) {
		extent_release(extent);
		extent = extent_new_elided(length);
	}
	return span_of(extent);
}

/* ---- arrivals and stores ---- */

static void write_span(struct tile *tile, uint32_t address, struct span span)
{
	uint32_t part = words_part(tile, address, span.length);
	uint8_t bytes[64];

	check(tile, address, span.length);
	if (part > 0)
		sim_tile_catch_up(tile);
	for (uint32_t at = 0; at < part; at += sizeof bytes) {
		uint32_t length = part - at < sizeof bytes ? part - at : (uint32_t)sizeof bytes;

		ensure(span_read(span, at, length, bytes) == STATUS_OK,
			"elided write to the words of tile %u of chip %u", tile->number,
			tile->device->number);
		put_bytes(tile, address + at, length, bytes);
	}
	if (part < span.length)
		sim_bulk_write(tile, address + part, span_part(span, part, span.length - part));
}

/* A word must not pass an increment that came before it and still waits for its turn. */
static bool behind_increments(struct tile *tile)
{
	sim_tile_catch_up(tile);
	return tile->atomic != NULL && tile->atomic->count > 0;
}

void sim_tile_arrive_word(struct tile *tile, uint32_t address, uint32_t value)
{
	check_word(tile, address);
	if (behind_increments(tile)) {
		unit_append(
			tile, (struct arrival){tile->atomic->busy_until_ps, address, value, false});
		return;
	}
	put_word(tile, address, value);
	sim_runners_touched(tile, address, sizeof value, true);
}

bool sim_tile_put_word(struct tile *tile, uint32_t address, uint32_t value)
{
	check_word(tile, address);
	if (behind_increments(tile))
		return false;
	put_word(tile, address, value);
	return true;
}

static void arrive_words(struct tile *tile, uint32_t address, struct span span)
{
	uint32_t value;

	ensure(address % 4 == 0 && span.length % 4 == 0, "%u B to the words at 0x%x", span.length,
		address);
	for (uint32_t at = 0; at < span.length; at += sizeof value) {
		ensure(span_read(span, at, sizeof value, &value) == STATUS_OK,
			"elided write to the words of tile %u of chip %u", tile->number,
			tile->device->number);
		sim_tile_arrive_word(tile, address + at, value);
	}
}

void sim_tile_arrive(struct tile *tile, uint32_t address, struct span span)
{
	uint32_t part = words_part(tile, address, span.length);

	if (part > 0 && behind_increments(tile)) {
		arrive_words(tile, address, span_part(span, 0, part));
		address += part;
		span = span_part(span, part, span.length - part);
		part = 0;
	}
	write_span(tile, address, span);
	if (part > 0)
		sim_runners_touched(tile, address, part, true);
}

void sim_tile_set_word(struct tile *tile, uint32_t address, uint32_t value)
{
	check_word(tile, address);
	sim_tile_catch_up(tile);
	put_word(tile, address, value);
	sim_runners_touched(tile, address, sizeof value, false);
}

void sim_tile_store(struct tile *tile, uint32_t address, const void *bytes, uint32_t length)
{
	uint32_t part = words_part(tile, address, length);

	check(tile, address, length);
	if (part > 0) {
		sim_tile_catch_up(tile);
		put_bytes(tile, address, part, bytes);
		sim_runners_touched(tile, address, part, false);
	}
	if (part < length)
		sim_bulk_store(tile, address + part, (const uint8_t *)bytes + part, length - part);
}

void sim_tile_store_span(struct tile *tile, uint32_t address, struct span span)
{
	write_span(tile, address, span);
	if (address < tile->word_bytes)
		sim_runners_touched(tile, address, span.length, false);
}

/* ---- copies ---- */

void sim_tile_copy_memory(struct tile *to, uint32_t to_address, struct sparse *from,
	uint64_t address, uint32_t length)
{
	while (length > 0) {
		struct span span = sparse_view_piece(from, address, length);

		sim_tile_arrive(to, to_address, span);
		address += span.length;
		to_address += span.length;
		length -= span.length;
		span_release(span);
	}
}

void sim_tile_copy(
	struct tile *to, uint32_t to_address, struct tile *from, uint32_t address, uint32_t length)
{
	uint32_t part = words_part(from, address, length);

	check(from, address, length);
	while (length > 0) {
		struct span span = part > 0 ? sim_tile_view(from, address, part)
					    : sim_bulk_view_piece(from, address, length);

		sim_tile_arrive(to, to_address, span);
		address += span.length;
		to_address += span.length;
		length -= span.length;
		part = 0;
		span_release(span);
	}
}
