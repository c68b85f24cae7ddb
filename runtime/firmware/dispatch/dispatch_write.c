/* Executes dispatch commands that have data. Data are processed in pieces as they arrive; a piece
 * is at most a buffer page. The caller has checked the commands. */
#include "dispatcher_private.h"

static void data_take(struct dispatcher *dispatcher, uint32_t length)
{
	struct progress *progress = &dispatcher->progress;

	link_receiver_take(dispatcher_input(dispatcher), &dispatcher->base.stage, length);
	progress->data_left -= length;
	progress->done += length;
	if (progress->data_left == 0) {
		marks_data(dispatcher);
		dispatcher_leave(dispatcher);
	}
}

/* Returns the next `length` bytes of data; the caller releases them. */
static struct span data_view(struct dispatcher *dispatcher, uint32_t length)
{
	return ring_view(&dispatcher->base.stage, &dispatcher_input(dispatcher)->ring, 0, length);
}

/* ---- effects, per kind ---- */

static void linear_post(struct dispatcher *dispatcher, struct span span)
{
	const struct dispatch_command *command = &dispatcher->command;
	uint32_t done = dispatcher->progress.done;

	if (command->kind == DISPATCH_WRITE_LINEAR)
		device_row->noc_write(&dispatcher->base.stage, command->write_linear.tile,
			command->write_linear.address +
				dispatcher->offsets[command->write_linear.offset] + done,
			span);
	else
		device_row->noc_multicast(&dispatcher->base.stage, command->write_multicast.rect,
			command->write_multicast.address +
				dispatcher->offsets[command->write_multicast.offset] + done,
			span);
}

static void linear_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);
	struct span span;

	dispatcher_enter(dispatcher);
	span = data_view(dispatcher,
		least(dispatcher->chunk, dispatcher->progress.length - dispatcher->progress.done));
	linear_post(dispatcher, span);
	span_release(span);
	data_take(dispatcher, dispatcher->chunk);
}

static void paged_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);
	uint32_t page_bytes, done, at = 0;
	struct banks banks;
	struct span span;

	dispatcher_enter(dispatcher);
	page_bytes = dispatcher->command.write_paged.page_bytes;
	done = dispatcher->progress.done;
	banks = stage_banks(base, dispatcher->command.flags & DISPATCH_L1);
	span = data_view(dispatcher, dispatcher->chunk);
	while (at < dispatcher->chunk) {
		uint32_t page =
			(done + at) / page_bytes + dispatcher->command.write_paged.start_page;
		uint32_t in_page = (done + at) % page_bytes;
		uint32_t part = least(page_bytes - in_page, dispatcher->chunk - at);

		device_row->noc_write(&base->stage, banks.tiles[page % banks.count],
			dispatcher->command.write_paged.base + page / banks.count * page_bytes +
				in_page,
			span_part(span, at, part));
		at += part;
	}
	span_release(span);
	data_take(dispatcher, dispatcher->chunk);
}

static void packed_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);
	uint32_t stride, count;
	struct span span;

	dispatcher_enter(dispatcher);
	stride = dispatcher->command.write_packed.stride;
	count = dispatcher->chunk / stride;
	span = data_view(dispatcher, dispatcher->chunk);
	device_row->noc_write_packed(&base->stage,
		&dispatcher->targets[dispatcher->progress.done / stride], count,
		dispatcher->command.write_packed.address +
			dispatcher->offsets[dispatcher->command.write_packed.offset],
		stride, span, dispatcher->pace);
	span_release(span);
	dispatcher->progress.piece = dispatcher->chunk;
	data_take(dispatcher, dispatcher->chunk);
}

static void enter_commit(struct stage_base *base)
{
	dispatcher_enter(dispatcher_of(base));
}

/* ---- sizes and prices ---- */

/* Returns the number of bytes in the next piece; 0 if no piece can be processed yet. */
static uint32_t dispatch_write_piece_bytes(const struct dispatcher *dispatcher,
	const struct dispatch_command *command, uint32_t available, uint32_t straight,
	uint32_t left)
{
	uint32_t most = least(dispatcher->base.firmware->limits.dispatch_page_bytes, straight);
	uint32_t stride, strides;

	if (command->kind != DISPATCH_WRITE_PACKED)
		return least(least(available, left), most);
	/* A piece consists of whole strides. If not even one stride fits before the ring's end, the
	 * piece is one stride, which wraps around the end. */
	stride = command->write_packed.stride;
	strides = most < stride ? 1 : most / stride;
	return least(strides, least(available, left) / stride) * stride;
}

static uint32_t steps(uint32_t bytes, uint32_t step)
{
	return (bytes + step - 1) / step;
}

/* Returns the price of waiting until the data of a packed write have left the tile. Only after this
 * wait may the dispatcher release the room that the data occupy in its ring. */
static uint64_t page_release_price(const struct dispatcher *dispatcher)
{
	return CHARGED(&dispatcher->base.firmware->price, dispatch_flush,
		dispatcher->progress.piece / COMMAND_ALIGN);
}

/* ---- command buffers of the NoC ---- */

/* The NoC's command buffers. With two buffers, the dispatcher prepares a write while the previous
 * write leaves the tile. With one buffer, it must first wait until the previous write has left.
 * buffer_price() and packed_price() return prices that include this wait. A stage's price is later
 * multiplied by the slowdown of its processor. But the wait depends on the network interface (NIU),
 * which is equally fast on every tile. So unslowed() divides the price of the wait by the slowdown
 * beforehand. In the native world all prices are 0, and the slowdown of some tiles is 0. */

static uint64_t unslowed(const struct dispatcher *dispatcher, uint64_t price)
{
	return price ? price * 1000 / dispatcher->base.slowdown : 0;
}

/* Returns the price of the wait for the command buffer before the first write of a step. Before
 * this write, the dispatcher does other work of the step, whose price is `meanwhile`. So the wait
 * is shorter by the time of this work. */
static uint64_t buffer_price(const struct dispatcher *dispatcher, uint64_t meanwhile)
{
	const struct stage *stage = &dispatcher->base.stage;

	return dispatcher->base.firmware->one_command_buffer
		       ? unslowed(dispatcher, device_row->noc_busy(stage, meanwhile))
		       : 0;
}

/* Returns the price of `count` packed writes and of the waits between them. Sets dispatcher->pace,
 * the time from one of these writes to the next. */
static uint64_t packed_price(struct dispatcher *dispatcher, uint32_t bytes, uint32_t count)
{
	const struct firmware *firmware = dispatcher->base.firmware;
	uint64_t wait = 0;

	if (firmware->one_command_buffer && count > 1)
		wait = unslowed(dispatcher,
			device_row->noc_issue(&dispatcher->base.stage, bytes, count - 1));
	dispatcher->pace = firmware->price.dispatch_packed_target;
	if (count > 1)
		dispatcher->pace += wait / (count - 1);
	dispatcher->pace = dispatcher->pace * dispatcher->base.slowdown / 1000;
	return CHARGED(&firmware->price, dispatch_packed_target, count) + wait;
}

/* Each binary of a group is a separate write. The dispatcher prepares a write while the data of the
 * previous write leave the tile. So each binary after the first takes the longer of two times: the
 * time to prepare its write, and the time in which the previous data leave the tile. Returns by how
 * much all these writes take longer than one multicast of the same bytes. */
static uint64_t binaries_price(const struct dispatcher *dispatcher, uint32_t bytes, uint32_t count)
{
	const struct stage *stage = &dispatcher->base.stage;
	uint64_t prepared = dispatcher->base.firmware->price.dispatch_binary;
	uint64_t one = unslowed(dispatcher, device_row->noc_multicast_issue(stage, bytes / count));
	uint64_t all = unslowed(dispatcher, device_row->noc_multicast_issue(stage, bytes));
	uint64_t linked = (prepared > one ? prepared : one) * (count - 1) + one;

	return linked > all ? firmware_charge(COST_dispatch_binary, linked - all) : 0;
}

static uint64_t multicast_price(
	const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	const struct firmware_prices *price = &dispatcher->base.firmware->price;
	uint32_t parts = command->write_multicast.parts;
	uint64_t sum;

	if (!dispatcher_goes_on(dispatcher, command))
		sum = CHARGED(price, dispatch_multicast, 1);
	else if (parts == 0)
		sum = CHARGED(price, dispatch_multicast_more, 1);
	else
		sum = CHARGED(price, dispatch_binaries_more, 1);
	if (parts > 1)
		sum += binaries_price(dispatcher, command->write_multicast.length, parts);
	return sum;
}

static uint64_t piece_price(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint32_t done, uint32_t piece)
{
	const struct firmware_prices *price = &dispatcher->base.firmware->price;
	uint32_t page_bytes = command->write_paged.page_bytes;
	uint32_t buffer_page = dispatcher->base.firmware->limits.dispatch_page_bytes;

	switch (command->kind) {
	case DISPATCH_WRITE_PAGED:
		return CHARGED(price, dispatch_page,
			       steps(done + piece, page_bytes) - steps(done, page_bytes)) +
		       CHARGED(price, dispatch_buffer_page,
			       (done + piece) / buffer_page - done / buffer_page);
	case DISPATCH_WRITE_PACKED:
		return packed_price(dispatcher, command->write_packed.stride,
			       piece / command->write_packed.stride) +
		       (done > 0 ? page_release_price(dispatcher) : 0);
	case DISPATCH_WRITE_MULTICAST:
		return done > 0 ? CHARGED(price, dispatch_write, 1)
				: multicast_price(dispatcher, command);
	default:
		return CHARGED(price, dispatch_write, 1);
	}
}

static void (*piece_commit(enum dispatch_kind kind))(struct stage_base *base)
{
	if (kind == DISPATCH_WRITE_PAGED)
		return paged_commit;
	return kind == DISPATCH_WRITE_PACKED ? packed_commit : linear_commit;
}

/* Returns true if a multicast must wait until all earlier writes are acknowledged. A multicast
 * reserves its path through the NoC, so two multicasts at once could block each other. Only the
 * first piece of a multicast waits, because the later pieces follow it on the same path. There is
 * no wait if the last writes were go signals: even if the dispatcher sends them itself, they stand
 * for writes of the stage dispatch_s. */
static bool must_settle(
	const struct dispatcher *dispatcher, const struct dispatch_command *command, uint32_t done)
{
	const struct stage *stage = &dispatcher->base.stage;

	return command->kind == DISPATCH_WRITE_MULTICAST && done == 0 &&
	       stage->writes_done != stage->writes_posted &&
	       stage->writes_posted != dispatcher->go_writes;
}

int64_t write_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait)
{
	const struct link_receiver *input = &dispatcher->input[dispatcher->chosen];
	const struct firmware *firmware = dispatcher->base.firmware;
	bool entered = dispatcher->header == 0;
	uint32_t left = entered ? dispatcher->progress.data_left : dispatcher_data_bytes(command);
	uint32_t done = entered ? dispatcher->progress.done : 0;
	uint32_t available =
		link_receiver_available(input, &dispatcher->base.stage) - dispatcher->header;

	if (must_settle(dispatcher, command, done) && entered)
		return starts_block_on_writes(dispatcher, dispatcher->base.stage.writes_posted,
			wait, "acknowledgement of its own writes before a multicast");
	if (must_settle(dispatcher, command, done))
		return stage_plan(&dispatcher->base,
			price + link_receiver_take_price(input, firmware, dispatcher->header),
			enter_commit);
	dispatcher->chunk = dispatch_write_piece_bytes(dispatcher, command, available,
		ring_straight(&input->ring, dispatcher->header), left);
	if (dispatcher->chunk > 0 && command->kind != DISPATCH_WRITE_PACKED)
		dispatcher->chunk = uniform_prefix(&dispatcher->base.stage,
			ring_address(&input->ring, dispatcher->header), dispatcher->chunk);
	if (dispatcher->chunk == 0 && entered)
		return order_wait(dispatcher, wait, false, "data of a dispatch command");
	price += link_receiver_take_price(input, firmware, dispatcher->header + dispatcher->chunk);
	if (dispatcher->chunk == 0)
		return stage_plan(&dispatcher->base, price, enter_commit);
	price += buffer_price(dispatcher, price);
	price += piece_price(dispatcher, command, done, dispatcher->chunk);
	return stage_plan(&dispatcher->base, price, piece_commit(command->kind));
}
