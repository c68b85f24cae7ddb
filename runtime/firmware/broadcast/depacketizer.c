/* The depacketizer takes segments out of the landing ring and forwards their commands to the
 * prefetcher's L1 ring. While the L1 ring is full or the spill buffer is not empty, it writes the
 * commands to the spill buffer in DRAM instead. It returns credits when commands have reached the
 * L1 ring (spec 3.8.2). An overrun of the landing ring is a fault. */
#include "broadcast_private.h"

#include "base/ensure.h"
#include "world/world.h"

/* ---- contents of the landing ring ---- */

/* Returns the number of units that have arrived along a tree and were not taken yet. */
static uint32_t arrived_units(const struct depacketizer *depacketizer, uint32_t tree)
{
	uint32_t word = depacketizer->config.broadcast.arrival_words + 4 * tree;

	return device_row->word(&depacketizer->base.stage, word) - depacketizer->taken[tree];
}

static bool overrun(const struct depacketizer *depacketizer)
{
	uint32_t units = 0;

	for (uint32_t i = 0; i < depacketizer->trees_seen; i++)
		units += arrived_units(depacketizer, i);
	return units > depacketizer->landing.bytes / COMMAND_ALIGN;
}

/* Skips `length` bytes of the landing ring. */
static void landing_leave(struct depacketizer *depacketizer, uint32_t length)
{
	depacketizer->position += length / COMMAND_ALIGN;
	depacketizer->landing.head =
		(depacketizer->landing.head + length) % depacketizer->landing.bytes;
}

static void landing_take(struct depacketizer *depacketizer, uint32_t tree, uint32_t length)
{
	depacketizer->taken[tree] += length / COMMAND_ALIGN;
	landing_leave(depacketizer, length);
}

/* ---- credits ---- */

static bool returns_due(const struct depacketizer *depacketizer)
{
	const struct firmware_limits *limits = &depacketizer->base.firmware->limits;
	uint32_t half = account_units(limits) / 2;
	uint32_t batch = least(limits->fabric_credit_batch_bytes / COMMAND_ALIGN, half);

	if (!depacketizer->config.broadcast.credits)
		return false;
	if (depacketizer->config.hold.kind == TRACE_HOLD_SENDER && depacketizer->hold.count > 0)
		return false;
	if (depacketizer->hold.flush)
		return true;
	return depacketizer->owed >= batch ||
	       depacketizer->position - depacketizer->told >=
		       depacketizer->landing.bytes / COMMAND_ALIGN / 4;
}

static void returns_commit(struct stage_base *base)
{
	struct depacketizer *depacketizer = depacketizer_of(base);
	const struct broadcast_layout *layout = &depacketizer->config.broadcast;
	uint16_t receiver = depacketizer->config.receiver;
	uint32_t credit = account_credit(layout, receiver);
	uint32_t drained = account_drained(layout, receiver);
	uint8_t bytes[4];
	struct span span;

	bytes_put32(bytes, depacketizer->position);
	span = span_copy(bytes, sizeof bytes);
	if (depacketizer->config.backward != NULL) {
		device_row->fabric_write(&base->stage, depacketizer->config.backward,
			layout->packetizer_tile, drained, span, credit, depacketizer->owed);
	} else {
		device_row->noc_write_word(
			&base->stage, layout->packetizer_tile, drained, depacketizer->position);
		device_row->noc_increment(
			&base->stage, layout->packetizer_tile, credit, depacketizer->owed);
	}
	span_release(span);
	depacketizer->told = depacketizer->position;
	count_add(&depacketizer->counters.credits, depacketizer->owed);
	depacketizer->owed = 0;
	depacketizer->hold.flush = false;
	count_add(&depacketizer->counters.returns, 1);
}

static int64_t returns_begin(struct depacketizer *depacketizer)
{
	const struct firmware_prices *price = &depacketizer->base.firmware->price;
	struct fabric_tree *backward = depacketizer->config.backward;
	uint64_t sum;

	if (!returns_due(depacketizer))
		return STAGE_BLOCKED;
	if (backward != NULL && !device_row->fabric_ready(&depacketizer->base.stage, backward))
		return STAGE_BLOCKED;
	sum = CHARGED(price, credit_return, 1);
	if (backward != NULL)
		sum += CHARGED(price, fabric_send, 1);
	return stage_plan(&depacketizer->base, sum, returns_commit);
}

/* ---- segments ---- */

static bool addressed(const struct depacketizer *depacketizer, const struct segment *segment)
{
	const struct depacketizer_config *config = &depacketizer->config;
	struct grid_rect rect = segment->rect;

	return config->row >= rect.row0 && config->row <= rect.row1 &&
	       config->column >= rect.column0 && config->column <= rect.column1;
}

static void segment_end(struct depacketizer *depacketizer)
{
	depacketizer->active = false;
	hold_segment_end(depacketizer);
	if (depacketizer->member && depacketizer->segment.operation != 0)
		world->mark(depacketizer->segment.operation, MARK_RECEIVED,
			depacketizer->base.marked_chip);
}

static void segment_commit(struct stage_base *base)
{
	struct depacketizer *depacketizer = depacketizer_of(base);
	uint32_t tree = depacketizer->next.tree;

	depacketizer->segment = depacketizer->next;
	count_add(&depacketizer->counters.segments, 1);
	depacketizer->member = addressed(depacketizer, &depacketizer->segment);
	depacketizer->left = depacketizer->segment.length;
	depacketizer->active = true;
	if (tree >= depacketizer->trees_seen)
		depacketizer->trees_seen = tree + 1;
	landing_take(depacketizer, 0, COMMAND_BYTES);
	depacketizer->owed++;
	if (depacketizer->member || tree == 0)
		return;
	landing_leave(depacketizer, depacketizer->left);
	segment_end(depacketizer);
}

static int64_t segment_begin(struct depacketizer *depacketizer)
{
	struct stage_base *base = &depacketizer->base;
	uint32_t address = ring_address(&depacketizer->landing, 0);
	uint8_t bytes[COMMAND_BYTES];

	if (ring_load(&base->stage, &depacketizer->landing, 0, sizeof bytes, bytes) != STATUS_OK ||
		segment_decode(bytes, &depacketizer->next) != STATUS_OK ||
		depacketizer->next.position != depacketizer->position)
		return stage_fault(base, FAULT_OVERRUN, address,
			"halted: the landing ring was overrun (broadcast without credits?)");
	return stage_plan(
		base, CHARGED(&base->firmware->price, depacketizer_segment, 1), segment_commit);
}

/* ---- data ---- */

static void data_done(struct depacketizer *depacketizer, uint32_t length)
{
	landing_take(depacketizer, depacketizer->segment.tree, length);
	depacketizer->left -= length;
	if (depacketizer->left == 0)
		segment_end(depacketizer);
}

static void depacketizer_forward_commit(struct stage_base *base)
{
	struct depacketizer *depacketizer = depacketizer_of(base);
	struct span span = ring_view(&base->stage, &depacketizer->landing, 0, depacketizer->chunk);

	link_sender_send(&depacketizer->output, &base->stage, span);
	span_release(span);
	hold_pass(depacketizer, depacketizer->chunk);
	depacketizer->owed += depacketizer->chunk / COMMAND_ALIGN;
	count_add(&depacketizer->counters.bytes, depacketizer->chunk);
	data_done(depacketizer, depacketizer->chunk);
}

static void discard_commit(struct stage_base *base)
{
	struct depacketizer *depacketizer = depacketizer_of(base);

	depacketizer->owed += depacketizer->chunk / COMMAND_ALIGN;
	data_done(depacketizer, depacketizer->chunk);
}

static void spill_commit(struct stage_base *base)
{
	struct depacketizer *depacketizer = depacketizer_of(base);
	struct span span = ring_view(&base->stage, &depacketizer->landing, 0, depacketizer->chunk);

	spill_write(depacketizer, span);
	span_release(span);
	hold_pass(depacketizer, depacketizer->chunk);
	count_add(&depacketizer->counters.bytes, depacketizer->chunk);
	data_done(depacketizer, depacketizer->chunk);
}

/* Returns true if the depacketizer has nothing to do until something arrives: the spill buffer is
 * empty, and the depacketizer never holds commands back. */
static bool is_woken_by_arrivals(const struct depacketizer *depacketizer)
{
	return spill_empty(depacketizer) && depacketizer->config.hold.kind == TRACE_HOLD_NONE;
}

/* Forwards data of the segment to the L1 ring. Writes them to the spill buffer instead if the spill
 * buffer is not empty, or if the ring has no room. Discards them if the segment is not for this
 * chip. */
static int64_t depacketizer_data_begin(struct depacketizer *depacketizer, struct stage_wait *wait)
{
	struct stage_base *base = &depacketizer->base;
	const struct firmware_prices *price = &base->firmware->price;
	uint32_t chunk = arrived_units(depacketizer, depacketizer->segment.tree) * COMMAND_ALIGN;
	uint32_t room;

	if (chunk == 0 && is_woken_by_arrivals(depacketizer))
		return block_on_arrival(wait, false, depacketizer->config.broadcast.arrival_words,
			PREFETCH_TREES_MAX * sizeof(uint32_t), "the rest of a segment");
	if (chunk == 0)
		return block_on_tile(wait, false, "the rest of a segment");
	chunk = least(least(chunk, depacketizer->left), ring_straight(&depacketizer->landing, 0));
	chunk = uniform_prefix(&base->stage, ring_address(&depacketizer->landing, 0), chunk);
	if (!depacketizer->member) {
		depacketizer->chunk = chunk;
		return stage_plan(base, CHARGED(price, depacketizer_forward, 1), discard_commit);
	}
	room = hold_room(depacketizer);
	if (spill_empty(depacketizer) && room > 0) {
		depacketizer->chunk = least(chunk, room);
		return stage_plan(base,
			CHARGED(price, depacketizer_forward, 1) + CHARGED(price, relay_write, 1),
			depacketizer_forward_commit);
	}
	if (spill_settles(depacketizer))
		return block_on_writes(
			wait, base->stage.writes_posted, "spilled data to be written");
	depacketizer->chunk = least(chunk, spill_room(depacketizer));
	if (depacketizer->chunk == 0)
		return link_sender_block(&depacketizer->output, &base->stage, wait,
			"room in the ring of the broadcast prefetcher or its spill buffer");
	return stage_plan(base, CHARGED(price, depacketizer_spill, 1), spill_commit);
}

/* ---- the stage ---- */

static int64_t landing_begin(struct depacketizer *depacketizer, struct stage_wait *wait)
{
	if (depacketizer->active)
		return depacketizer_data_begin(depacketizer, wait);
	if (arrived_units(depacketizer, 0) > 0 && !hold_full(depacketizer))
		return segment_begin(depacketizer);
	if (spill_settles(depacketizer))
		return block_on_writes(
			wait, depacketizer->base.stage.writes_posted, "spilled data to be written");
	if (!spill_empty(depacketizer))
		return link_sender_block(&depacketizer->output, &depacketizer->base.stage, wait,
			"room in the ring of the broadcast prefetcher");
	if (depacketizer->config.hold.kind != TRACE_HOLD_NONE)
		return block_on_tile(wait, true, "segments over the fabric");
	return block_on_arrival(wait, true, depacketizer->config.broadcast.arrival_words,
		PREFETCH_TREES_MAX * sizeof(uint32_t), "segments over the fabric");
}

static int64_t depacketizer_begin(struct stage *stage, struct stage_wait *wait)
{
	struct depacketizer *depacketizer = (struct depacketizer *)stage;
	int64_t cost = stage_over(&depacketizer->base, wait);

	if (cost != 0)
		return cost;
	if (overrun(depacketizer))
		return stage_fault(&depacketizer->base, FAULT_OVERRUN,
			depacketizer->landing.address,
			"halted: the landing ring was overrun (broadcast without credits?)");
	cost = hold_begin(depacketizer);
	if (cost == STAGE_BLOCKED)
		cost = returns_begin(depacketizer);
	if (cost == STAGE_BLOCKED)
		cost = spill_begin(depacketizer);
	if (cost == STAGE_BLOCKED)
		cost = landing_begin(depacketizer, wait);
	if (cost == STAGE_BLOCKED && returns_due(depacketizer))
		return block_on_fabric(
			wait, depacketizer->config.backward, "the router, to return credits");
	return cost;
}

static const struct stage_ops depacketizer_ops = STAGE_OPS("depacketizer", depacketizer_begin);

enum status depacketizer_place(struct tile_plan *plan, const struct firmware_limits *limits,
	struct depacketizer_layout *layout)
{
	enum status status = tile_plan_words(plan, PREFETCH_TREES_MAX, &layout->arrival_words);

	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->credit_word);
	if (status == STATUS_OK)
		status = tile_plan_bytes(plan, limits->landing_ring_bytes, &layout->landing_ring);
	if (status == STATUS_OK && limits->spill_bytes > 0)
		status = tile_plan_bytes(plan, limits->spill_scratch_bytes, &layout->scratch);
	return status;
}

struct stage *depacketizer_new(
	const struct firmware *firmware, const struct depacketizer_config *config)
{
	struct depacketizer *depacketizer =
		stage_new(sizeof *depacketizer, &depacketizer_ops, firmware, config->place);

	depacketizer->config = *config;
	depacketizer->landing = (struct ring){
		config->broadcast.landing_ring, firmware->limits.landing_ring_bytes, 0};
	depacketizer->trees_seen = 1;
	link_sender_init(&depacketizer->output, &depacketizer->base, &config->output);
	spill_init(depacketizer);
	return &depacketizer->base.stage;
}

struct depacketizer_counters depacketizer_counters(const struct stage *stage)
{
	const struct depacketizer *depacketizer = (const struct depacketizer *)stage;
	const struct depacketizer_counters *counters = &depacketizer->counters;

	return (struct depacketizer_counters){.segments = count_read(&counters->segments),
		.bytes = count_read(&counters->bytes),
		.spilled_bytes = count_read(&counters->spilled_bytes),
		.returns = count_read(&counters->returns),
		.credits = count_read(&counters->credits) + depacketizer->owed,
		.spill_peak_bytes = count_read(&counters->spill_peak_bytes)};
}
