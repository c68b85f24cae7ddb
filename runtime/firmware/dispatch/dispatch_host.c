/* Executes dispatch commands that send data, records or events to the host. The caller has checked
 * the commands. */
#include "dispatcher_private.h"

#include "world/world.h"

/* Returns true if the data go directly to their address, without a record before them. */
static bool goes_direct(const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	return !dispatcher->config.remote && (command->flags & DISPATCH_DIRECT);
}

static void record_send(struct dispatcher *dispatcher)
{
	const struct dispatch_command *command = &dispatcher->command;
	bool direct = command->flags & DISPATCH_DIRECT;
	struct completion_record record = {
		.kind = direct ? COMPLETION_DIRECT : COMPLETION_DATA,
		.chip = dispatcher->base.chip,
		.operation = command->write_host.operation,
		.tag = command->write_host.tag,
		.length = command->write_host.length,
		.address = command->write_host.address,
	};

	upstream_record(&dispatcher->upstream, &dispatcher->base.stage, &record);
	dispatcher->progress.record_sent = true;
}

/* Marks the operation as NOTIFIED if its completion record was written to the host, or as ANSWERED
 * if dispatch_h on the gateway will write the record. */
static void answered(const struct dispatcher *dispatcher, uint32_t operation)
{
	if (operation != 0)
		world->mark(operation, dispatcher->config.remote ? MARK_ANSWERED : MARK_NOTIFIED,
			dispatcher->base.marked_chip);
}

static void host_leave(struct dispatcher *dispatcher)
{
	answered(dispatcher, dispatcher->command.write_host.operation);
	dispatcher_leave(dispatcher);
}

/* Returns true if all data and the record were sent. */
static bool host_done(const struct dispatcher *dispatcher)
{
	const struct progress *progress = &dispatcher->progress;

	return progress->data_left == 0 &&
	       (progress->record_sent || dispatcher->config.host.ring_bytes == 0);
}

static void dispatch_host_record_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);

	dispatcher_enter(dispatcher);
	record_send(dispatcher);
	if (host_done(dispatcher))
		host_leave(dispatcher);
}

static void dispatch_host_data_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);
	struct progress *progress = &dispatcher->progress;
	struct span span;

	dispatcher_enter(dispatcher);
	span = ring_view(&base->stage, &dispatcher_input(dispatcher)->ring, 0, dispatcher->chunk);
	if (goes_direct(dispatcher, &dispatcher->command))
		device_row->pcie_write(&base->stage,
			dispatcher->command.write_host.address + progress->done, span);
	else
		upstream_send(&dispatcher->upstream, &base->stage, span, dispatcher->padded);
	span_release(span);
	link_receiver_take(
		dispatcher_input(dispatcher), &base->stage, command_padded(dispatcher->chunk));
	progress->done += dispatcher->chunk;
	progress->data_left -= command_padded(dispatcher->chunk);
	if (host_done(dispatcher))
		host_leave(dispatcher);
}

static int64_t dispatch_host_record_begin(
	struct dispatcher *dispatcher, uint64_t price, struct stage_wait *wait)
{
	const struct firmware *firmware = dispatcher->base.firmware;

	if (upstream_room(&dispatcher->upstream, &dispatcher->base.stage) < COMPLETION_BYTES)
		return upstream_block(&dispatcher->upstream, &dispatcher->base.stage, wait);
	price += link_receiver_take_price(
		&dispatcher->input[dispatcher->chosen], firmware, dispatcher->header);
	return stage_plan(&dispatcher->base,
		price + CHARGED(&firmware->price, dispatch_host_write, 1) +
			upstream_price(&dispatcher->upstream, firmware),
		dispatch_host_record_commit);
}

/* Returns how many of the `available` bytes may form the next piece. The bytes of a piece should be
 * either all real or all elided (not simulated). So the piece ends where the first bytes of the
 * other kind begin, rounded down to a multiple of 32. Returns `available` if there are no such
 * bytes before the ring's end, or if they begin in the first 32 bytes. */
static uint32_t host_uniform(
	const struct dispatcher *dispatcher, const struct link_receiver *input, uint32_t available)
{
	uint32_t straight = least(available, ring_straight(&input->ring, dispatcher->header));
	uint32_t whole = uniform_prefix(
		&dispatcher->base.stage, ring_address(&input->ring, dispatcher->header), straight);

	if (whole == straight)
		return available;
	whole &= ~(uint32_t)(COMPLETION_BYTES - 1);
	return whole > 0 ? whole : available;
}

int64_t host_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait)
{
	const struct link_receiver *input = &dispatcher->input[dispatcher->chosen];
	const struct firmware *firmware = dispatcher->base.firmware;
	bool entered = dispatcher->header == 0, direct = goes_direct(dispatcher, command);
	uint32_t done = entered ? dispatcher->progress.done : 0;
	uint32_t left = command->write_host.length - done, room = firmware->limits.host_write_bytes;
	uint32_t available =
		link_receiver_available(input, &dispatcher->base.stage) - dispatcher->header;

	if (direct ? left == 0 : !(entered && dispatcher->progress.record_sent))
		return dispatch_host_record_begin(dispatcher, price, wait);
	if (available == 0)
		return block_on_tile(wait, false, "data of a dispatch command");
	if (!direct)
		room = upstream_room(&dispatcher->upstream, &dispatcher->base.stage);
	dispatcher->chunk = upstream_piece(left,
		host_uniform(dispatcher, input, least(available, command_padded(left))), room,
		&dispatcher->padded);
	if (dispatcher->chunk == 0)
		return room == 0 ? upstream_block(
					   &dispatcher->upstream, &dispatcher->base.stage, wait)
				 : block_on_tile(wait, false, "data of a dispatch command");
	price += link_receiver_take_price(
		input, firmware, dispatcher->header + command_padded(dispatcher->chunk));
	if (!direct)
		price += upstream_price(&dispatcher->upstream, firmware);
	return stage_plan(&dispatcher->base,
		price + CHARGED(&firmware->price, dispatch_host_write, 1),
		dispatch_host_data_commit);
}

/* ---- NOTIFY_HOST ---- */

static void dispatch_host_notify_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);
	const struct dispatch_command *command = &dispatcher->command;
	bool table, gather, remote = dispatcher->config.remote;
	uint64_t address;

	dispatcher_enter(dispatcher);
	table = command->flags & DISPATCH_TABLE;
	gather = command->flags & DISPATCH_GATHER;
	address = command->notify_host.address + (table ? dispatcher->config.event_base : 0);
	if (table && !remote) {
		device_row->pcie_write_word(&base->stage, address, command->notify_host.event);
	} else {
		struct completion_record record = {
			.kind = table	 ? COMPLETION_SLOT
				: gather ? COMPLETION_GATHERED
					 : COMPLETION_EVENT,
			.chip = base->chip,
			.operation = command->notify_host.operation,
			.tag = command->notify_host.event,
			.address = address,
		};

		if (gather && !remote)
			gate_announce(&dispatcher->gate, base, &record);
		else
			upstream_record(&dispatcher->upstream, &base->stage, &record);
	}
	if (!gather || remote)
		answered(dispatcher, command->notify_host.operation);
	dispatcher_leave(dispatcher);
}

int64_t host_notify_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait)
{
	const struct firmware *firmware = dispatcher->base.firmware;
	bool word = (command->flags & DISPATCH_TABLE) && !dispatcher->config.remote;

	if ((command->flags & DISPATCH_GATHER) && !dispatcher->config.remote) {
		int64_t blocked = gate_check(&dispatcher->gate, &dispatcher->base.stage, wait);

		if (blocked != 0)
			return blocked;
		return stage_plan(&dispatcher->base,
			price + gate_price(&dispatcher->gate, firmware),
			dispatch_host_notify_commit);
	}
	if (!word &&
		upstream_room(&dispatcher->upstream, &dispatcher->base.stage) < COMPLETION_BYTES)
		return upstream_block(&dispatcher->upstream, &dispatcher->base.stage, wait);
	if (!word)
		price += upstream_price(&dispatcher->upstream, firmware);
	return stage_plan(&dispatcher->base, price + CHARGED(&firmware->price, dispatch_notify, 1),
		dispatch_host_notify_commit);
}
