/* The part of prefetch_h that parses commands. It forwards prefetch commands unchanged, with as
 * many commands in a packet as fit. There is one exception. The chips downstream cannot reach host
 * memory, so a RELAY_HOST becomes a RELAY_INLINE with the bytes from host memory. A command that
 * cannot be decoded is a fault. */
#include "prefetch_private.h"

#include "world/world.h"

/* ---- RELAY_HOST ---- */

static void expand_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct relay *relay = &prefetcher->relay;
	struct span span = span_copy(relay->emit, COMMAND_BYTES);

	link_sender_send(&prefetcher->output, &base->stage, span);
	span_release(span);
	commands_take(prefetcher, COMMAND_BYTES);
	relay_read_start(prefetcher, &relay->next);
	prefetcher->forward = prefetcher->next_forward;
	prefetcher->forward.expanding = true;
}

static int64_t expand_begin(struct prefetcher *prefetcher)
{
	const struct firmware_prices *price = &prefetcher->base.firmware->price;
	struct prefetch_command header = {.kind = PREFETCH_RELAY_INLINE};

	header.relay_inline.length = prefetcher->relay.next.relay_host.length;
	prefetch_encode(&header, prefetcher->relay.emit);
	return stage_plan(&prefetcher->base,
		CHARGED(price, relay_command, 1) +
			link_sender_price(&prefetcher->output, prefetcher->base.firmware),
		expand_commit);
}

/* Sends the bytes that begin() chose. */
static void send_chosen(struct prefetcher *prefetcher)
{
	const struct relay *relay = &prefetcher->relay;
	struct stage *stage = &prefetcher->base.stage;
	struct span span = device_row->view(stage, relay->send_at, relay->send);

	link_sender_send(&prefetcher->output, stage, span);
	span_release(span);
}

static void expanding_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct relay *relay = &prefetcher->relay;

	send_chosen(prefetcher);
	read_buffer_use(&relay->scratch, relay->send);
	prefetcher->forward.expanding = read_buffer_rest(&relay->scratch) > 0;
}

static int64_t expanding_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	struct relay *relay = &prefetcher->relay;
	int64_t cost = reads_begin(prefetcher, &relay->scratch);
	uint32_t ready = read_buffer_ready(&relay->scratch);

	if (cost != STAGE_BLOCKED)
		return cost;
	if (ready == 0)
		return block_on_tile(wait, false, "reads of host memory");
	relay->send_at = read_buffer_address(&relay->scratch);
	relay->send = link_sender_chunk(
		&prefetcher->output, &prefetcher->base.stage, relay->send_at, ready);
	if (relay->send == 0)
		return link_sender_block(&prefetcher->output, &prefetcher->base.stage, wait,
			"room in the ring downstream");
	return stage_plan(&prefetcher->base,
		link_sender_price(&prefetcher->output, prefetcher->base.firmware),
		expanding_commit);
}

/* ---- the walk over commands ---- */

/* Updates *forward for `command`, the next command that walk() has decoded. Returns NULL, or the
 * reason why the command is rejected. */
static const char *walk_enter(struct forward *forward, const struct prefetch_command *command)
{
	uint32_t bytes = COMMAND_BYTES + prefetch_data_bytes(command);
	bool routed = forward->route_left > 0;

	forward->ends =
		command->kind == PREFETCH_RELAY_INLINE && (command->flags & PREFETCH_OPERATION_END);
	forward->operation = command->relay_inline.operation;
	forward->terminates = command->kind == PREFETCH_TERMINATE && !routed;
	if (command->kind == PREFETCH_RELAY_HOST)
		bytes += command->relay_host.length;
	if (routed && (bytes > forward->route_left || command->kind == PREFETCH_ROUTE))
		return "halted: command across the end of a route";
	if (routed)
		forward->route_left -= bytes;
	else if (command->kind == PREFETCH_ROUTE)
		forward->route_left = command->route.length;
	return NULL;
}

struct walk {
	uint32_t run;	   /* number of bytes that may be forwarded */
	uint32_t commands; /* number of headers that were read */
	bool expand;	   /* the first command is a RELAY_HOST */
	const char *refused;
	enum fault_kind fault;
};

/* Reads the headers of the commands that follow the first walk->run bytes in the ring, and adds the
 * size of each command to walk->run. Stops when walk->run reaches `limit`, after the last command
 * of an operation, after a TERMINATE, or at a RELAY_HOST. If a command is rejected, sets
 * walk->refused to the reason and walk->fault to the kind of fault. */
static void walk(struct prefetcher *prefetcher, uint32_t limit, struct walk *walk)
{
	struct forward *next = &prefetcher->next_forward;
	uint32_t available = commands_available(prefetcher);
	uint8_t bytes[COMMAND_BYTES];

	while (walk->run < limit && available - walk->run >= COMMAND_BYTES) {
		struct prefetch_command *command = &prefetcher->relay.next;

		if (walk->run > 0 && (next->ends || next->terminates))
			return;
		walk->fault = FAULT_ELIDED;
		walk->refused = "halted: elided command";
		if (ring_load(&prefetcher->base.stage, commands_ring(prefetcher), walk->run,
			    sizeof bytes, bytes) != STATUS_OK)
			return;
		walk->fault = FAULT_COMMAND;
		walk->refused = "halted: malformed prefetch command";
		if (prefetch_decode(bytes, command) != STATUS_OK)
			return;
		walk->refused = NULL;
		if (command->kind == PREFETCH_RELAY_HOST && walk->run > 0)
			return;
		walk->refused = walk_enter(next, command);
		if (walk->refused != NULL)
			return;
		walk->commands++;
		walk->expand = command->kind == PREFETCH_RELAY_HOST;
		if (walk->expand)
			return;
		walk->run += COMMAND_BYTES + prefetch_data_bytes(command);
	}
}

/* ---- forwarding ---- */

static void forward_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);

	send_chosen(prefetcher);
	commands_take(prefetcher, prefetcher->relay.send);
	prefetcher->forward = prefetcher->next_forward;
	if (prefetcher->forward.run_left > 0)
		return;
	if (prefetcher->forward.ends && prefetcher->forward.operation != 0)
		world->mark(prefetcher->forward.operation,
			prefetcher->marks_sent ? MARK_SENT : MARK_FORWARDED, base->marked_chip);
	base->ended = prefetcher->forward.terminates;
}

static int64_t forward_pass_begin(
	struct prefetcher *prefetcher, const struct walk *walk, uint32_t limit)
{
	const struct firmware *firmware = prefetcher->base.firmware;
	struct relay *relay = &prefetcher->relay;

	relay->send_at = ring_address(commands_ring(prefetcher), 0);
	relay->send =
		uniform_prefix(&prefetcher->base.stage, relay->send_at, least(walk->run, limit));
	prefetcher->next_forward.run_left = walk->run - relay->send;
	return stage_plan(&prefetcher->base,
		CHARGED(&firmware->price, relay_command, walk->commands) +
			link_sender_price(&prefetcher->output, firmware) +
			commands_take_price(prefetcher, relay->send),
		forward_commit);
}

int64_t forward_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	uint32_t available = commands_available(prefetcher), room, limit;
	struct walk seen = {.run = prefetcher->forward.run_left};

	if (prefetcher->forward.expanding)
		return expanding_begin(prefetcher, wait);
	if (available == 0 || (seen.run == 0 && available < COMMAND_BYTES))
		return commands_block(prefetcher, wait);
	room = link_sender_room(&prefetcher->output, &prefetcher->base.stage);
	if (room == 0)
		return link_sender_block(&prefetcher->output, &prefetcher->base.stage, wait,
			"room in the ring downstream");
	limit = least(least(room, available), ring_straight(commands_ring(prefetcher), 0));
	prefetcher->next_forward = prefetcher->forward;
	walk(prefetcher, limit, &seen);
	if (seen.refused != NULL)
		return stage_fault(&prefetcher->base, seen.fault,
			ring_address(commands_ring(prefetcher), seen.run), seen.refused);
	if (seen.expand)
		return expand_begin(prefetcher);
	return forward_pass_begin(prefetcher, &seen, limit);
}
