/* Changes of a tile's memory that wake stages. A change that comes from outside the tile wakes
 * stages at once. If a stage of the tile itself stores a word, the other stages are woken by an
 * event. */
#include "chip/tile/tile.h"
#include "chip/tile/scheduler.h"
#include "words.h"

/* ---- atomic unit ---- */

/* Queues an arrival at the atomic unit, and schedules the wakes of stages that wait for it. */
static void wait_for_turn(struct tile *tile, struct arrival arrival)
{
	if (tile->atomic->together.times != NULL && tile->atomic->together.arrived > 0)
		sim_atomic_spread(tile);
	arrival.cause = cause_now();
	sim_atomic_append(tile->atomic, &arrival);
	sim_settles_at(tile->device->cluster, arrival.at_ps);
	if (tile->atomic->single > 0)
		sim_tasks_foresee(tile); /* announced increments may come after this one */
	else
		sim_tasks_expect(tile, &arrival);
}

/* Returns true if an increment that arrives now is done at the atomic unit before the first
 * increment of the announced group `coming` arrives. */
static bool comes_before(const struct tile *tile, const struct turns_coming *coming)
{
	int64_t at_ps = engine_now();

	return coming->arrived == 0 &&
	       sim_tile_turn_ps(tile, &at_ps, tile->atomic->busy_until_ps) <=
		       coming->base_ps + coming->times->arrive_ps[0];
}

void sim_tile_increment(struct tile *tile, uint32_t address, uint32_t delta, uint16_t source)
{
	struct atomic_unit *unit = sim_atomic_of(tile);
	int64_t now_ps = engine_now();
	struct arrival arrival = {now_ps, address, delta, true, source, causes.current};
	cause_id before;

	sim_word_check(tile, address);
	/* Behind increments that wait, this one only joins the queue: no word changes now. */
	if (unit->count == 0 || unit->busy_until_ps <= now_ps || unit->coming_count > 0 ||
		unit->together.times != NULL)
		sim_tile_catch_up(tile);
	if (unit->together.times != NULL && !comes_before(tile, &unit->together))
		sim_atomic_spread(tile);
	sim_atomic_take_turn(tile, &arrival);
	if (unit->coming_count > 0)
		sim_atomic_settle_coming(tile);
	if (arrival.at_ps > now_ps) {
		wait_for_turn(tile, arrival);
		return;
	}
	sim_atomic_apply(tile, &arrival);
	before = cause_enter(sim_arrival_cause(tile, &arrival));
	sim_tasks_touched(tile, address, sizeof(uint32_t), true);
	cause_release(cause_enter(before));
}

bool sim_tile_increment_comes(struct tile *tile, const struct arrival *arrival)
{
	struct atomic_unit *unit = sim_atomic_of(tile);

	sim_word_check(tile, arrival->address);
	if (unit->together.times != NULL || !sim_tasks_await_more(tile, arrival))
		return false;
	sim_atomic_add_single(unit, arrival);
	return true;
}

void sim_tile_increments_come(struct tile *tile, const struct arrival *arrivals, uint32_t count)
{
	const struct atomic_unit *unit = sim_atomic_of(tile);

	sim_tile_catch_up(tile);
	if (unit->together.times != NULL)
		sim_atomic_spread(tile);
	sim_atomic_add_coming(tile, arrivals, count);
	sim_atomic_settle_coming(tile);
	sim_tasks_foresee(tile);
}

void sim_tile_increments_together(struct tile *tile, const struct turn_times *times,
	int64_t base_ps, uint32_t address, cause_id cause, cause_id cause_of_last)
{
	struct atomic_unit *unit = sim_atomic_of(tile);
	bool alone;

	sim_word_check(tile, address);
	sim_tile_catch_up(tile);
	if (unit->together.times != NULL)
		sim_atomic_spread(tile);
	alone = unit->count + unit->coming_count == 0 &&
		unit->busy_until_ps <= base_ps + times->arrive_ps[0];
	unit->together = (struct turns_coming){times, base_ps, address, 0, 0, cause, cause_of_last};
	if (!alone)
		sim_atomic_spread(tile);
	sim_atomic_settle_coming(tile);
	sim_tasks_foresee(tile);
}

/* ---- arrivals ---- */

void sim_tile_arrive_word(struct tile *tile, uint32_t address, uint32_t value)
{
	sim_word_check(tile, address);
	if (sim_atomic_is_busy(tile)) {
		wait_for_turn(tile, (struct arrival){tile->atomic->busy_until_ps, address, value,
					    false, TILE_ANY, CAUSE_NONE});
		return;
	}
	sim_word_put(tile, address, value);
	sim_tasks_touched(tile, address, sizeof value, true);
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
	uint32_t part = sim_words_part(tile, address, span.length);

	if (part > 0 && sim_atomic_is_busy(tile)) {
		arrive_words(tile, address, span_part(span, 0, part));
		address += part;
		span = span_part(span, part, span.length - part);
		part = 0;
	}
	sim_tile_put(tile, address, span);
	if (part > 0)
		sim_tasks_touched(tile, address, part, true);
}

/* ---- stores ---- */

void sim_tile_set_word(struct tile *tile, uint32_t address, uint32_t value)
{
	sim_word_check(tile, address);
	sim_tile_catch_up(tile);
	sim_word_put(tile, address, value);
	sim_tasks_touched(tile, address, sizeof value, false);
}

void sim_tile_store(struct tile *tile, uint32_t address, const void *bytes, uint32_t length)
{
	uint32_t part = sim_words_part(tile, address, length);

	sim_tile_check(tile, address, length);
	if (part > 0) {
		sim_tile_catch_up(tile);
		sim_words_write(tile, address, part, bytes);
		sim_tasks_touched(tile, address, part, false);
	}
	if (part < length)
		sim_bulk_store(tile, address + part, (const uint8_t *)bytes + part, length - part);
}

void sim_tile_store_span(struct tile *tile, uint32_t address, struct span span)
{
	sim_tile_put(tile, address, span);
	if (address < tile->word_bytes)
		sim_tasks_touched(tile, address, span.length, false);
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
	uint32_t part = sim_words_part(from, address, length);

	sim_tile_check(from, address, length);
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
