/* A socket of a packetizer, which broadcasts the commands of one command queue. It turns each ROUTE
 * command and the data after it into a segment, and multicasts the segment packet by packet. It
 * sends a packet when every receiver of the packet has room (spec 3.8.2). A ROUTE that names an
 * unknown tree is a fault. */
#include "broadcast_private.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

/* ---- the source ---- */

static uint32_t source_available(const struct socket *socket, const struct stage *stage)
{
	return socket->fetches ? socket->fetch.landed
			       : link_receiver_available(&socket->input, stage);
}

static const struct ring *source_ring(const struct socket *socket)
{
	return socket->fetches ? &socket->fetch.ring : &socket->input.ring;
}

static uint64_t source_take_price(
	const struct socket *socket, const struct firmware *firmware, uint32_t length)
{
	return socket->fetches ? 0 : link_receiver_take_price(&socket->input, firmware, length);
}

static void socket_source_take(struct socket *socket, struct stage *stage, uint32_t length)
{
	if (socket->fetches)
		fetch_take(&socket->fetch, length);
	else
		link_receiver_take(&socket->input, stage, length);
}

/* ---- the next packet ---- */

static uint32_t landing_bytes(const struct stage_base *base)
{
	return base->firmware->limits.landing_ring_bytes;
}

static uint32_t landing_offset(const struct socket *socket, const struct stage_base *base)
{
	return (uint32_t)((uint64_t)socket->position * COMMAND_ALIGN % landing_bytes(base));
}

/* Returns the size in bytes of the segment's next packet. Sets *along to the number of the tree
 * along which the packet goes. The header of the segment goes along tree 0. If the data go along
 * tree 0, too, the first packet has the header and data. */
static uint32_t packet_size(
	const struct socket *socket, const struct stage_base *base, uint8_t *along)
{
	uint32_t most =
		least(socket->packet_bytes, landing_bytes(base) - landing_offset(socket, base));

	*along = socket->segment.tree;
	if (!socket->header_left)
		return least(socket->data_left, most);
	if (socket->segment.tree == 0)
		return least(COMMAND_BYTES + socket->data_left, most);
	*along = 0;
	return COMMAND_BYTES;
}

/* Returns the number of bytes that the packet takes from the source. This is the packet without its
 * header, which the socket makes itself in place of the ROUTE command. */
static uint32_t packet_data(const struct socket *socket)
{
	return socket->packet - (socket->header_left ? COMMAND_BYTES : 0);
}

/* Shortens the packet so that all its data are real or all are elided (not simulated). The header
 * is always real. */
static void packet_whole(struct socket *socket, const struct stage *stage)
{
	const struct ring *ring = source_ring(socket);
	uint32_t data = packet_data(socket);
	uint32_t straight = least(data, ring_straight(ring, 0)), whole;
	uint8_t probe[COMMAND_BYTES];

	if (data == 0)
		return;
	if (socket->header_left && ring_load(stage, ring, 0, sizeof probe, probe) != STATUS_OK) {
		socket->packet = COMMAND_BYTES;
		return;
	}
	whole = uniform_prefix(stage, ring_address(ring, 0), straight);
	socket->packet -= data - (whole < straight ? whole : data);
}

/* Returns true if all bytes of the packet have arrived. If a packet from an issue queue is
 * incomplete and no read is outstanding, shortens it to the bytes that have arrived. Otherwise the
 * broadcast could stop for ever: there may be room for the missing bytes only after the bytes that
 * have arrived have left the ring. */
static bool packet_there(struct socket *socket, const struct stage *stage)
{
	uint32_t available = source_available(socket, stage), data = packet_data(socket);

	if (available < data && available > 0 && socket->fetches && socket->fetch.count == 0) {
		socket->packet -= data - available;
		return true;
	}
	return available >= data;
}

/* Returns the tree along which the packet goes next. */
static const struct broadcast_tree *packet_tree(const struct socket *socket)
{
	return socket->rest != NULL ? socket->rest : socket->trees[socket->along];
}

/* ---- accounts ---- */

/* Returns 0 if the receiver has room for the packet. Otherwise returns the address of the word for
 * which the packet must wait, and sets *value to the value that this word must reach. */
static uint32_t account_missing(const struct socket *socket, const struct stage_base *base,
	uint16_t receiver, uint32_t *value)
{
	uint32_t units = socket->packet / COMMAND_ALIGN;
	uint32_t credit = account_credit(&socket->layout, receiver);
	uint32_t drained = account_drained(&socket->layout, receiver);

	*value = socket->taken[receiver] + units - account_units(&base->firmware->limits);
	if ((int32_t)(device_row->word(&base->stage, credit) - *value) < 0)
		return credit;
	*value = socket->position + units - landing_bytes(base) / COMMAND_ALIGN;
	if ((int32_t)(device_row->word(&base->stage, drained) - *value) < 0)
		return drained;
	return 0;
}

/* Checks whether all receivers of the packet have room. Returns 0 if they have. Otherwise fills in
 * *wait and returns STAGE_BLOCKED. Receivers that the last call for this packet found ready are not
 * checked again, because their room only grows while no packet is sent. */
static int64_t accounts_check(
	struct socket *socket, const struct stage_base *base, struct stage_wait *wait)
{
	const struct broadcast_tree *tree = packet_tree(socket);

	if (!socket->layout.credits)
		return 0;
	if (socket->packet != socket->checked_for)
		socket->checked = 0;
	socket->checked_for = socket->packet;
	for (; socket->checked < tree->receiver_count; socket->checked++) {
		uint32_t value, word = account_missing(
					socket, base, tree->receivers[socket->checked], &value);

		if (word != 0)
			return block_on_word(wait, word, value,
				"credits of a broadcast receiver (spill buffer or landing ring)");
	}
	return 0;
}

static void accounts_take(struct socket *socket)
{
	const struct broadcast_tree *tree = packet_tree(socket);

	for (uint32_t i = 0; i < tree->receiver_count; i++)
		socket->taken[tree->receivers[i]] += socket->packet / COMMAND_ALIGN;
	count_add(&socket->counters.credits,
		(uint64_t)tree->receiver_count * (socket->packet / COMMAND_ALIGN));
	socket->checked = 0;
}

/* ---- sending ---- */

static bool reaches_local(const struct socket *socket, const struct broadcast_tree *tree)
{
	for (uint32_t i = 0; i < tree->receiver_count; i++)
		if (tree->receivers[i] == socket->local_receiver)
			return true;
	return false;
}

/* Returns the next bytes of the packet as a span: the header if it was not sent yet, then data. The
 * caller must release the span. */
static struct span packet_span(struct socket *socket, const struct stage *stage)
{
	uint32_t data = packet_data(socket);
	struct extent *extent;
	uint8_t header[COMMAND_BYTES];

	if (!socket->header_left)
		return ring_view(stage, source_ring(socket), 0, data);
	segment_encode(&socket->segment, header);
	extent = extent_new(socket->packet);
	memcpy(extent->bytes, header, sizeof header);
	if (data > 0 && ring_load(stage, source_ring(socket), 0, data,
				extent->bytes + COMMAND_BYTES) != STATUS_OK) {
		extent_release(extent);
		return (struct span){0};
	}
	return span_of(extent);
}

static void packet_send(struct socket *socket, struct stage_base *base, struct span span)
{
	const struct broadcast_tree *tree = packet_tree(socket);
	const struct broadcast_layout *layout = &socket->layout;
	uint32_t to = layout->landing_ring + landing_offset(socket, base);
	uint32_t arrival = layout->arrival_words + 4u * socket->along;
	uint32_t units = socket->packet / COMMAND_ALIGN;

	if (reaches_local(socket, tree))
		device_row->noc_write_counted(
			&base->stage, layout->landing_tile, to, span, arrival, units);
	if (tree->tree->deliver_count > 0)
		device_row->fabric_write(
			&base->stage, tree->tree, layout->landing_tile, to, span, arrival, units);
}

static void packet_commit(struct socket *socket, struct stage_base *base)
{
	struct span span = packet_span(socket, &base->stage);
	uint32_t data = packet_data(socket);

	packet_send(socket, base, span);
	span_release(span);
	accounts_take(socket);
	count_add(&socket->counters.packets, 1);
	socket->rest = packet_tree(socket)->next;
	if (socket->rest != NULL)
		return;
	count_add(&socket->counters.bytes, socket->packet);
	count_add(&socket->counters.segments, socket->header_left);
	socket->position += socket->packet / COMMAND_ALIGN;
	socket->header_left = false;
	socket->data_left -= data;
	socket_source_take(socket, &base->stage, data);
	if (socket->data_left > 0)
		return;
	socket->active = false;
	socket->stopped = socket->stops && socket->segment.trace;
	if (socket->segment.operation != 0)
		world->mark(socket->segment.operation, MARK_SENT, base->marked_chip);
}

static int64_t packet_begin(struct socket *socket, struct stage_base *base, struct stage_wait *wait,
	void (*plan)(struct stage_base *base))
{
	const struct firmware *firmware = base->firmware;
	const struct broadcast_tree *tree;
	uint64_t price;

	if (socket->rest == NULL) {
		socket->packet = packet_size(socket, base, &socket->along);
		if (!packet_there(socket, &base->stage))
			return block_on_tile(wait, false, "the rest of a packet");
		packet_whole(socket, &base->stage);
	}
	tree = packet_tree(socket);
	if (accounts_check(socket, base, wait) == STAGE_BLOCKED)
		return STAGE_BLOCKED;
	if (tree->tree->deliver_count > 0 && !device_row->fabric_ready(&base->stage, tree->tree))
		return block_on_fabric(wait, tree->tree, "the router");
	price = CHARGED(&firmware->price, fabric_send, 1);
	if (socket->layout.credits)
		price += CHARGED(&firmware->price, packetizer_credit_check, tree->receiver_count) +
			 CHARGED(&firmware->price, packetizer_credit_take, tree->receiver_count);
	if (tree->next == NULL)
		price += source_take_price(socket, firmware, packet_data(socket));
	return stage_plan(base, price, plan);
}

/* ---- a new segment ---- */

static void route_commit(struct socket *socket, struct stage_base *base)
{
	const struct prefetch_command *route = &socket->next;

	socket_source_take(socket, &base->stage, COMMAND_BYTES);
	if (route->kind == PREFETCH_TERMINATE) {
		socket->ended = true;
		return;
	}
	socket->segment = (struct segment){
		.tree = (uint8_t)route->route.tree,
		.trace = route->flags & PREFETCH_TRACE,
		.length = route->route.length,
		.position = socket->position,
		.operation = route->route.operation,
		.rect = route->route.rect,
	};
	socket->active = true;
	socket->stopped = false;
	socket->header_left = true;
	socket->data_left = route->route.length;
}

/* Returns 0 if all receivers have returned all credits, which means that no receiver executes a
 * trace any more. Otherwise fills in *wait and returns STAGE_BLOCKED. */
static int64_t credits_complete(
	const struct socket *socket, const struct stage_base *base, struct stage_wait *wait)
{
	for (uint16_t i = 0; i < socket->receiver_count; i++) {
		uint32_t credit = account_credit(&socket->layout, i);

		if ((int32_t)(device_row->word(&base->stage, credit) - socket->taken[i]) < 0)
			return block_on_word(
				wait, credit, socket->taken[i], "the end of a trace at a receiver");
	}
	return 0;
}

/* Blocks until the next ROUTE command has arrived. Returns STAGE_BLOCKED. */
static int64_t route_block(
	const struct socket *socket, const struct stage_base *base, struct stage_wait *wait)
{
	if (!socket->fetches)
		return block_on_tile(wait, true, "routes from prefetch_h");
	if (!fetch_idle(&socket->fetch, &base->stage))
		return block_on_tile(wait, false, "commands over PCIe");
	return block_on_tile(wait, true, "commands in the issue queue");
}

static int64_t route_begin(struct socket *socket, struct stage_base *base, struct stage_wait *wait,
	void (*plan)(struct stage_base *base))
{
	uint32_t address = ring_address(source_ring(socket), 0);
	struct prefetch_command *next = &socket->next;
	uint32_t checked = socket->stopped ? socket->receiver_count : 0;
	uint8_t bytes[COMMAND_BYTES];

	if (socket->stopped && credits_complete(socket, base, wait) == STAGE_BLOCKED)
		return STAGE_BLOCKED;
	if (source_available(socket, &base->stage) < COMMAND_BYTES)
		return route_block(socket, base, wait);
	if (device_row->load(&base->stage, address, sizeof bytes, bytes) != STATUS_OK)
		return stage_fault(base, FAULT_ELIDED, address, "halted: elided command");
	if (prefetch_decode(bytes, next) != STATUS_OK ||
		(next->kind != PREFETCH_ROUTE && next->kind != PREFETCH_TERMINATE))
		return stage_fault(
			base, FAULT_COMMAND, address, "halted: no route where one has to be");
	if (next->kind == PREFETCH_ROUTE &&
		next->route.tree >= __atomic_load_n(&socket->tree_count, __ATOMIC_ACQUIRE))
		return stage_fault(base, FAULT_ROUTE, address, "halted: route along unknown tree");
	return stage_plan(base,
		CHARGED(&base->firmware->price, packetizer_segment, 1) +
			CHARGED(&base->firmware->price, packetizer_credit_check, checked) +
			source_take_price(socket, base->firmware, COMMAND_BYTES),
		plan);
}

int64_t socket_begin(struct socket *socket, struct stage_base *base, struct stage_wait *wait,
	void (*plan)(struct stage_base *base))
{
	return socket->active ? packet_begin(socket, base, wait, plan)
			      : route_begin(socket, base, wait, plan);
}

void socket_commit(struct socket *socket, struct stage_base *base)
{
	if (socket->active)
		packet_commit(socket, base);
	else
		route_commit(socket, base);
}

/* ---- creation ---- */

/* Returns a copy of all trees that have the same number as `tree`. In memory, each tree is followed
 * by its receivers. */
static struct broadcast_tree *trees_copy(
	const struct socket *socket, const struct broadcast_tree *tree)
{
	struct broadcast_tree *first = NULL, **next = &first;

	for (; tree != NULL; tree = tree->next, next = &(*next)->next) {
		size_t bytes = tree->receiver_count * sizeof *tree->receivers;
		uint16_t *receivers;

		for (uint32_t i = 0; i < tree->receiver_count; i++)
			ensure(tree->receivers[i] < socket->receiver_count, "receiver %u of %u",
				tree->receivers[i], socket->receiver_count);
		*next = allocate(1, sizeof **next + bytes);
		receivers = (uint16_t *)(*next + 1);
		if (bytes > 0)
			memcpy(receivers, tree->receivers, bytes);
		**next = (struct broadcast_tree){tree->tree, tree->receiver_count, receivers, NULL};
	}
	return first;
}

static void trees_free(struct broadcast_tree *tree)
{
	while (tree != NULL) {
		struct broadcast_tree *next = tree->next;

		free(tree);
		tree = next;
	}
}

enum status socket_add_tree(
	struct socket *socket, const struct broadcast_tree *tree, uint16_t *number)
{
	uint16_t index = socket->tree_count;

	if (index == PREFETCH_TREES_MAX)
		return STATUS_NO_SPACE;
	socket->trees[index] = trees_copy(socket, tree);
	__atomic_store_n(&socket->tree_count, (uint16_t)(index + 1), __ATOMIC_RELEASE);
	*number = index;
	return STATUS_OK;
}

/* Returns the size of the largest packet. It is at most half of each buffer that the packet passes,
 * so that the credits of one packet return while the next packet is sent. */
static uint32_t packet_most(const struct socket *socket, const struct stage_base *base)
{
	const struct firmware_limits *limits = &base->firmware->limits;
	uint32_t bytes = least(source_ring(socket)->bytes, limits->landing_ring_bytes);

	bytes = least(bytes, account_units(limits) * COMMAND_ALIGN);
	return least(stage_packet_bytes(base), bytes / 2 / COMMAND_ALIGN * COMMAND_ALIGN);
}

void socket_init(struct socket *socket, const struct stage_base *base,
	const struct packetizer_socket *config, bool fetches)
{
	uint32_t reached = 0;
	uint16_t number;

	socket->fetches = fetches;
	if (fetches)
		fetch_init(&socket->fetch, base, &config->fetch);
	else
		link_receiver_init(&socket->input, &config->input);
	socket->layout = config->broadcast;
	socket->stops = config->stops_at_traces;
	socket->receiver_count = config->receiver_count;
	socket->local_receiver = config->local_receiver;
	socket->packet_bytes = packet_most(socket, base);
	socket->taken = allocate(config->receiver_count, sizeof *socket->taken);
	for (const struct broadcast_tree *tree = config->trees; tree != NULL; tree = tree->next)
		reached += tree->receiver_count;
	ensure(config->tree_count >= 1 && reached == config->receiver_count,
		"tree 0 reaches %u of %u receivers", reached, config->receiver_count);
	for (uint32_t i = 0; i < config->tree_count; i++)
		ensure(socket_add_tree(socket, &config->trees[i], &number) == STATUS_OK, "%u trees",
			config->tree_count);
}

void socket_fini(struct socket *socket)
{
	for (uint32_t i = 0; i < socket->tree_count; i++)
		trees_free(socket->trees[i]);
	free(socket->taken);
	fetch_fini(&socket->fetch);
}
