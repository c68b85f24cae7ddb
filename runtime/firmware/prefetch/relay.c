/* The part of prefetch_d and prefetch_hd that parses commands. It executes prefetch commands one at
 * a time, from the ring or from a trace, and sends dispatch commands and data to the dispatcher. A
 * malformed command is a fault. */
#include "command/dispatch.h"
#include "prefetch_private.h"

#include "world/world.h"

/* ---- the source of commands: the ring, or the buffer of a trace ---- */

static uint32_t relay_source_available(const struct prefetcher *prefetcher)
{
	if (prefetcher->relay.executing)
		return read_buffer_ready(&prefetcher->relay.execute);
	return commands_available(prefetcher);
}

/* Commands come from a source: the ring or the buffer of a trace. source_address() returns the
 * address of the byte that is `ahead` bytes after the next byte of the source. source_straight()
 * returns the number of contiguous bytes from this address on. */
static uint32_t source_address(const struct prefetcher *prefetcher, uint32_t ahead)
{
	if (prefetcher->relay.executing)
		return read_buffer_address(&prefetcher->relay.execute) + ahead;
	return ring_address(commands_ring(prefetcher), ahead);
}

static uint32_t source_straight(const struct prefetcher *prefetcher, uint32_t ahead)
{
	if (prefetcher->relay.executing)
		return read_buffer_ready(&prefetcher->relay.execute) - ahead;
	return ring_straight(commands_ring(prefetcher), ahead);
}

static uint64_t source_take_price(const struct prefetcher *prefetcher, uint32_t length)
{
	return prefetcher->relay.executing ? 0 : commands_take_price(prefetcher, length);
}

static void relay_source_take(struct prefetcher *prefetcher, uint32_t length)
{
	if (prefetcher->relay.executing)
		read_buffer_use(&prefetcher->relay.execute, length);
	else
		commands_take(prefetcher, length);
}

static uint64_t inline_price(const struct prefetcher *prefetcher)
{
	const struct firmware_prices *price = &prefetcher->base.firmware->price;

	return CHARGED(price, relay_command, 1) +
	       (prefetcher->relay.executing ? CHARGED(price, relay_execute, 1) : 0);
}

static int64_t source_block(const struct prefetcher *prefetcher, struct stage_wait *wait)
{
	if (prefetcher->relay.executing)
		return block_on_tile(wait, false, "commands of a trace from DRAM");
	return commands_block(prefetcher, wait);
}

/* ---- sending ---- */

static void send_chunk(struct prefetcher *prefetcher)
{
	struct stage *stage = &prefetcher->base.stage;
	struct relay *relay = &prefetcher->relay;
	struct span span = device_row->view(stage, relay->send_at, relay->send);

	link_sender_send(&prefetcher->output, stage, span);
	span_release(span);
}

static void send_emitted(struct prefetcher *prefetcher)
{
	struct span span = span_copy(prefetcher->relay.emit, COMMAND_BYTES);

	link_sender_send(&prefetcher->output, &prefetcher->base.stage, span);
	span_release(span);
}

static uint64_t send_price(const struct prefetcher *prefetcher)
{
	return link_sender_price(&prefetcher->output, prefetcher->base.firmware);
}

static int64_t send_block(const struct prefetcher *prefetcher, struct stage_wait *wait)
{
	return link_sender_block(
		&prefetcher->output, &prefetcher->base.stage, wait, "room in the dispatch buffer");
}

/* ---- RELAY_INLINE ---- */

/* Marks the last inline command of an operation. */
static void relay_end_mark(const struct prefetcher *prefetcher, enum mark_point point)
{
	const struct prefetch_command *command = &prefetcher->relay.command;

	if ((command->flags & PREFETCH_OPERATION_END) && command->relay_inline.operation != 0)
		world->mark(command->relay_inline.operation, point, prefetcher->base.marked_chip);
}

static void inline_end(struct prefetcher *prefetcher)
{
	struct relay *relay = &prefetcher->relay;

	relay->active = false;
	relay_end_mark(prefetcher, MARK_PREFETCHED);
}

static void inline_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct relay *relay = &prefetcher->relay;

	if (relay->send > 0)
		send_chunk(prefetcher);
	relay_source_take(prefetcher, relay->send);
	relay->inline_left -= relay->send;
	if (relay->inline_left == 0)
		inline_end(prefetcher);
}

static void inline_start_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct relay *relay = &prefetcher->relay;

	relay->command = relay->next;
	relay->active = true;
	relay->inline_left = relay->command.relay_inline.length;
	if (prefetcher->marks_received)
		relay_end_mark(prefetcher, MARK_RECEIVED);
	relay_source_take(prefetcher, COMMAND_BYTES);
	inline_commit(base);
}

/* Returns how many data bytes of a RELAY_INLINE command can be sent now in one piece, of the `left`
 * bytes that were not sent yet. Sets relay.send_at to the address of these bytes. `ahead` bytes of
 * the source come before them. */
static uint32_t inline_chunk(struct prefetcher *prefetcher, uint32_t ahead, uint32_t left)
{
	uint32_t there = relay_source_available(prefetcher) - ahead;
	uint32_t chunk = 0;

	if (there > 0)
		chunk = least(least(left, there), source_straight(prefetcher, ahead));
	prefetcher->relay.send_at = source_address(prefetcher, ahead);
	return link_sender_chunk(
		&prefetcher->output, &prefetcher->base.stage, prefetcher->relay.send_at, chunk);
}

/* Plans a step that decodes a RELAY_INLINE and also sends the first piece of its data, so that a
 * command with little data needs only one step. */
static int64_t inline_start_begin(struct prefetcher *prefetcher)
{
	struct relay *relay = &prefetcher->relay;
	uint64_t sum = inline_price(prefetcher);

	relay->send = inline_chunk(prefetcher, COMMAND_BYTES, relay->next.relay_inline.length);
	if (relay->send > 0)
		sum += send_price(prefetcher);
	sum += source_take_price(prefetcher, COMMAND_BYTES + relay->send);
	return stage_plan(&prefetcher->base, sum, inline_start_commit);
}

static int64_t inline_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	struct relay *relay = &prefetcher->relay;

	relay->send = inline_chunk(prefetcher, 0, relay->inline_left);
	if (relay->send > 0)
		return stage_plan(&prefetcher->base,
			send_price(prefetcher) + source_take_price(prefetcher, relay->send),
			inline_commit);
	if (relay_source_available(prefetcher) == 0)
		return source_block(prefetcher, wait);
	return send_block(prefetcher, wait);
}

/* ---- data through scratch or from the cache ---- */

static void scratch_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct relay *relay = &prefetcher->relay;

	send_chunk(prefetcher);
	read_buffer_use(&relay->scratch, relay->send);
	relay->active = read_buffer_rest(&relay->scratch) > 0;
}

/* Returns true if sending the next bytes also costs relay_turn. This is so if they are the first
 * bytes of a half, come from this chip, and the dispatcher may write them over PCIe. The tiles of
 * prefetcher and dispatcher then share a NoC, so the half leaves later. */
static bool turns_slowly(const struct prefetcher *prefetcher)
{
	const struct read_buffer *scratch = &prefetcher->relay.scratch;

	return prefetcher->fetches && !scratch->source.host && read_buffer_turned(scratch);
}

static int64_t scratch_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	struct relay *relay = &prefetcher->relay;
	uint32_t ready = read_buffer_ready(&relay->scratch);
	uint64_t price = send_price(prefetcher);

	if (ready == 0)
		return block_on_tile(wait, false,
			relay->scratch.source.host ? "reads of host memory"
						   : "reads of DRAM or L1");
	relay->send_at = read_buffer_address(&relay->scratch);
	relay->send = link_sender_chunk(
		&prefetcher->output, &prefetcher->base.stage, relay->send_at, ready);
	if (relay->send == 0)
		return send_block(prefetcher, wait);
	if (turns_slowly(prefetcher))
		price += CHARGED(&prefetcher->base.firmware->price, relay_turn, 1);
	return stage_plan(&prefetcher->base, price, scratch_commit);
}

/* Returns true if the reads of the last FILL_CACHE are complete, or if it read nothing. */
static bool is_filled(const struct relay *relay)
{
	return read_buffer_ready(&relay->fill) > 0 || read_buffer_rest(&relay->fill) == 0;
}

static void filled_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct relay *relay = &prefetcher->relay;

	read_buffer_use(&relay->fill, read_buffer_ready(&relay->fill));
	if (relay->command.kind != PREFETCH_FILL_CACHE)
		return;
	if (relay->command.fill_cache.pages.pages > 0)
		relay_read_start(prefetcher, &relay->command);
	relay->active = false;
}

/* Ends the last FILL_CACHE. If its reads are complete, plans the step that ends them, and returns
 * the cost of the step. Otherwise fills in *wait and returns STAGE_BLOCKED; then no other
 * FILL_CACHE may start its reads, and no RELAY_CACHE may send. */
static int64_t filled_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	if (!is_filled(&prefetcher->relay))
		return block_on_tile(wait, false, "reads of DRAM into the kernel cache");
	return stage_plan(&prefetcher->base,
		CHARGED(&prefetcher->base.firmware->price, relay_cache, 1), filled_commit);
}

static void cache_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct relay *relay = &prefetcher->relay;

	send_chunk(prefetcher);
	relay->cache_at += relay->send;
	relay->cache_left -= relay->send;
	relay->active = relay->cache_left > 0;
}

static int64_t cache_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	struct relay *relay = &prefetcher->relay;

	if (read_buffer_rest(&relay->fill) > 0)
		return filled_begin(prefetcher, wait);
	relay->send_at = relay->cache_at;
	relay->send = link_sender_chunk(
		&prefetcher->output, &prefetcher->base.stage, relay->send_at, relay->cache_left);
	if (relay->send == 0)
		return send_block(prefetcher, wait);
	return stage_plan(&prefetcher->base, send_price(prefetcher), cache_commit);
}

/* ---- waiting ---- */

static void released_commit(struct stage_base *base)
{
	struct relay *relay = &prefetcher_of(base)->relay;

	if (relay->command.kind == PREFETCH_STALL)
		relay->releases++;
	relay->active = false;
}

static int64_t relay_wait_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	const struct prefetch_layout *layout = &prefetcher->config.layout;
	const struct relay *relay = &prefetcher->relay;
	bool stall = relay->command.kind == PREFETCH_STALL;
	uint32_t address = stall ? layout->release_word : layout->counterpart_word;
	uint32_t value = stall ? relay->releases + 1 : relay->command.counterpart.value;

	if ((int32_t)(device_row->word(&prefetcher->base.stage, address) - value) >= 0)
		return stage_plan(&prefetcher->base,
			CHARGED(&prefetcher->base.firmware->price, relay_release, 1),
			released_commit);
	return block_on_tile(wait, false,
		stall ? "release by the dispatcher (STALL)"
		      : "notification by the other prefetcher of the dispatcher");
}

/* ---- a new command ---- */

static void relay_start_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct relay *relay = &prefetcher->relay;
	enum prefetch_kind kind = relay->next.kind;

	relay->command = relay->next;
	relay_source_take(prefetcher, COMMAND_BYTES);
	relay->active = kind != PREFETCH_EXECUTE && kind != PREFETCH_EXECUTE_END &&
			kind != PREFETCH_TERMINATE;
	if (kind == PREFETCH_EXECUTE && execute_holds(prefetcher)) {
		relay->active = true;
		execute_ask(prefetcher);
		return;
	}
	if (kind != PREFETCH_FILL_CACHE)
		relay_read_start(prefetcher, &relay->command);
	if (kind == PREFETCH_RELAY_CACHE) {
		relay->cache_at =
			prefetcher->config.layout.cache + relay->command.relay_cache.offset;
		relay->cache_left = relay->command.relay_cache.length;
	} else if (kind == PREFETCH_EXECUTE) {
		relay->executing = true;
	} else if (kind == PREFETCH_EXECUTE_END) {
		relay->executing = false;
		execute_over(prefetcher);
	}
	base->ended = kind == PREFETCH_TERMINATE;
}

static void emit_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);

	send_emitted(prefetcher);
	relay_source_take(prefetcher, COMMAND_BYTES + prefetch_data_bytes(&prefetcher->relay.next));
}

/* Replaces a prefetch command, TRANSACTION_GRID or NOTIFY_COUNTERPART, by a dispatch command, and
 * sends this to the dispatcher. */
static int64_t emit_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	const struct firmware_prices *price = &prefetcher->base.firmware->price;
	const struct prefetch_command *command = &prefetcher->relay.next;
	uint32_t data = prefetch_data_bytes(command);
	struct dispatch_command emit = {.kind = DISPATCH_WRITE_WORD};
	uint8_t id = 0;

	if (relay_source_available(prefetcher) < COMMAND_BYTES + data)
		return source_block(prefetcher, wait);
	if (link_sender_room(&prefetcher->output, &prefetcher->base.stage) == 0)
		return send_block(prefetcher, wait);
	if (command->kind == PREFETCH_TRANSACTION_GRID) {
		(void)ring_load(&prefetcher->base.stage, commands_ring(prefetcher),
			COMMAND_BYTES + prefetcher->config.grid_index, 1, &id);
		emit.kind = DISPATCH_TRANSACTION;
		emit.transaction.id = id;
		emit.transaction.operation = command->transaction_grid.operation;
	} else {
		/* this command ends a transaction, because the next transaction arrives on the
		 * dispatcher's other input, and the dispatcher switches inputs only at the end of a
		 * transaction */
		emit.flags = DISPATCH_LAST;
		emit.write_word.tile = prefetcher->config.counterpart_tile;
		emit.write_word.address = prefetcher->config.counterpart_word;
		emit.write_word.value = command->counterpart.value;
		if (prefetcher->base.firmware->physical)
			dispatch_to_physical(stage_geometry(&prefetcher->base), &emit);
	}
	dispatch_encode(&emit, prefetcher->relay.emit);
	return stage_plan(&prefetcher->base,
		CHARGED(price, relay_command, 1) + CHARGED(price, relay_transaction, 1) +
			send_price(prefetcher) +
			source_take_price(prefetcher, COMMAND_BYTES + data),
		emit_commit);
}

/* Returns the price of writing a word to the depacketizer when a trace starts or ends; 0 if no word
 * is written. */
static uint64_t execute_price(
	const struct prefetcher *prefetcher, const struct prefetch_command *command)
{
	const struct firmware_prices *price = &prefetcher->base.firmware->price;
	bool asks = command->kind == PREFETCH_EXECUTE &&
		    prefetcher->config.hold.kind == TRACE_HOLD_SWEPT;
	bool ends = command->kind == PREFETCH_EXECUTE_END && execute_holds(prefetcher);

	return asks || ends ? CHARGED(price, credit_return, 1) : 0;
}

static int64_t relay_start_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	struct stage_base *base = &prefetcher->base;
	struct prefetch_command *next = &prefetcher->relay.next;
	uint32_t address = source_address(prefetcher, 0);
	uint8_t bytes[COMMAND_BYTES];
	const char *refused;

	if (device_row->load(&base->stage, address, sizeof bytes, bytes) != STATUS_OK)
		return stage_fault(base, FAULT_ELIDED, address, "halted: elided command");
	if (prefetch_decode(bytes, next) != STATUS_OK ||
		(base->firmware->physical &&
			prefetch_to_virtual(stage_geometry(base), next) != STATUS_OK))
		return stage_fault(
			base, FAULT_COMMAND, address, "halted: malformed prefetch command");
	refused = relay_refuses(prefetcher, next);
	if (refused != NULL)
		return stage_fault(base, FAULT_COMMAND, address, refused);
	if (next->kind == PREFETCH_RELAY_INLINE)
		return inline_start_begin(prefetcher);
	if (next->kind == PREFETCH_TRANSACTION_GRID || next->kind == PREFETCH_NOTIFY_COUNTERPART)
		return emit_begin(prefetcher, wait);
	return stage_plan(base,
		CHARGED(&base->firmware->price, relay_command, 1) +
			execute_price(prefetcher, next) +
			source_take_price(prefetcher, COMMAND_BYTES),
		relay_start_commit);
}

static int64_t active_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	switch (prefetcher->relay.command.kind) {
	case PREFETCH_RELAY_INLINE:
		return inline_begin(prefetcher, wait);
	case PREFETCH_RELAY_CACHE:
		return cache_begin(prefetcher, wait);
	case PREFETCH_FILL_CACHE:
		return filled_begin(prefetcher, wait);
	case PREFETCH_EXECUTE:
		return execute_hold_begin(prefetcher, wait);
	case PREFETCH_STALL:
	case PREFETCH_WAIT_COUNTERPART:
		return relay_wait_begin(prefetcher, wait);
	default:
		return scratch_begin(prefetcher, wait);
	}
}

/* Returns true if the next read would overwrite a half of the scratch buffer while the stage has
 * unacknowledged writes. These writes may still be sending the old contents of the half. */
static bool refill_waits(const struct prefetcher *prefetcher)
{
	const struct stage *stage = &prefetcher->base.stage;

	return read_buffer_refills(&prefetcher->relay.scratch) &&
	       stage->writes_done != stage->writes_posted;
}

int64_t relay_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	struct relay *relay = &prefetcher->relay;
	int64_t cost = STAGE_BLOCKED;

	if (relay->executing)
		cost = reads_begin(prefetcher, &relay->execute);
	if (cost == STAGE_BLOCKED && read_buffer_rest(&relay->fill) > 0)
		cost = reads_begin(prefetcher, &relay->fill);
	if (cost == STAGE_BLOCKED && relay->active && refill_waits(prefetcher))
		return block_on_writes(wait, prefetcher->base.stage.writes_posted,
			"its own writes out of scratch");
	if (cost == STAGE_BLOCKED && relay->active)
		cost = reads_begin(prefetcher, &relay->scratch);
	if (cost != STAGE_BLOCKED)
		return cost;
	if (relay->active)
		return active_begin(prefetcher, wait);
	if (relay_source_available(prefetcher) >= COMMAND_BYTES)
		return relay_start_begin(prefetcher, wait);
	if (relay->executing && read_buffer_rest(&relay->execute) == 0)
		return stage_fault(&prefetcher->base, FAULT_COMMAND,
			prefetcher->config.layout.execute_ring, "halted: trace without an end");
	return source_block(prefetcher, wait);
}
