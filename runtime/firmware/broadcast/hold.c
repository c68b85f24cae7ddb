/* Holding at a depacketizer (spec 3.12.2.2). While the prefetcher executes a trace from its ring,
 * the depacketizer passes no commands to it, and writes them to the spill buffer instead. The
 * depacketizer begins to hold after the segment of a trace, or when the prefetcher asks for it. */
#include "broadcast_private.h"

#include "base/ensure.h"

/* With TRACE_HOLD_SWEPT, 1 / SWEPT_PART of the prefetcher's ring always stays free, so that the
 * prefetcher has room for a trace at any time. */
enum { SWEPT_PART = 4 };

uint32_t hold_room(const struct depacketizer *depacketizer)
{
	const struct stage *stage = &depacketizer->base.stage;
	const struct hold *hold = &depacketizer->hold;
	uint32_t room = link_sender_room(&depacketizer->output, stage);
	uint32_t reserve = depacketizer->output.ring_bytes / SWEPT_PART, free;

	if (hold->holding)
		return 0;
	if (hold->count > 0)
		room = least(room,
			(hold->marks[hold->first] - depacketizer->output.sent) * COMMAND_ALIGN);
	if (depacketizer->config.hold.kind != TRACE_HOLD_SWEPT)
		return room;
	free = link_sender_free(&depacketizer->output, stage);
	return free > reserve ? least(room, (free - reserve) / COMMAND_ALIGN * COMMAND_ALIGN) : 0;
}

uint32_t hold_chunk(const struct depacketizer *depacketizer, uint32_t address, uint32_t length)
{
	uint32_t chunk = least(length, hold_room(depacketizer));

	return chunk > 0 ? uniform_prefix(&depacketizer->base.stage, address, chunk) : 0;
}

void hold_pass(struct depacketizer *depacketizer, uint32_t length)
{
	depacketizer->hold.position += length / COMMAND_ALIGN;
}

bool hold_full(const struct depacketizer *depacketizer)
{
	return depacketizer->hold.count == HOLD_MARKS_MAX;
}

void hold_segment_end(struct depacketizer *depacketizer)
{
	struct hold *hold = &depacketizer->hold;
	enum trace_hold kind = depacketizer->config.hold.kind;

	if (!depacketizer->segment.trace || kind == TRACE_HOLD_NONE || kind == TRACE_HOLD_SWEPT)
		return;
	if (depacketizer->member) {
		ensure(!hold_full(depacketizer), "more than %d traces are held", HOLD_MARKS_MAX);
		hold->marks[(hold->first + hold->count++) % HOLD_MARKS_MAX] = hold->position;
	} else if (kind == TRACE_HOLD_SENDER) {
		hold->flush = depacketizer->owed > 0;
	}
}

/* ---- steps ---- */

static void holding_commit(struct stage_base *base)
{
	struct depacketizer *depacketizer = depacketizer_of(base);
	const struct trace_hold_layout *layout = &depacketizer->config.hold;

	depacketizer->hold.holding = true;
	depacketizer->hold.begun++;
	device_row->noc_write_word(
		&base->stage, layout->prefetch_tile, layout->held_word, depacketizer->hold.begun);
}

static void release_commit(struct stage_base *base)
{
	struct depacketizer *depacketizer = depacketizer_of(base);
	struct hold *hold = &depacketizer->hold;

	hold->holding = false;
	if (depacketizer->config.hold.kind == TRACE_HOLD_SWEPT)
		return;
	hold->first = (hold->first + 1) % HOLD_MARKS_MAX;
	hold->count--;
	if (depacketizer->config.hold.kind == TRACE_HOLD_SENDER)
		hold->flush = depacketizer->owed > 0;
}

/* Returns true if the depacketizer must begin to hold now. `told` is the value of `over_word`. */
static bool hold_due(const struct depacketizer *depacketizer, uint32_t told)
{
	const struct hold *hold = &depacketizer->hold;

	if (depacketizer->config.hold.kind == TRACE_HOLD_SWEPT)
		return (int32_t)(told - (2 * hold->begun + 1)) >= 0;
	return hold->count > 0 && hold->marks[hold->first] == depacketizer->output.sent;
}

int64_t hold_begin(struct depacketizer *depacketizer)
{
	struct stage_base *base = &depacketizer->base;
	const struct hold *hold = &depacketizer->hold;
	const struct firmware_prices *price = &base->firmware->price;
	bool due;
	uint32_t told;

	if (depacketizer->config.hold.kind == TRACE_HOLD_NONE)
		return STAGE_BLOCKED;
	told = device_row->word(&base->stage, depacketizer->config.hold.over_word);
	due = hold->holding ? (int32_t)(told - 2 * hold->begun) >= 0 : hold_due(depacketizer, told);
	if (!due)
		return STAGE_BLOCKED;
	return stage_plan(base, CHARGED(price, credit_return, 1),
		hold->holding ? release_commit : holding_commit);
}
