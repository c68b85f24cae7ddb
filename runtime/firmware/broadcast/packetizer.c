/* The packetizer: turns routes of prefetch commands into segments and multicasts them, a packet at
 * a time, when every receiver of the packet has room (spec 3.8.2). Looks into no command behind a
 * route; refuses unknown trees. */
#include "broadcast_private.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

struct packetizer {
	struct stage_base base;
	struct link_receiver input;
	struct broadcast_layout layout;
	struct packetizer_counters counters;
	uint16_t receiver_count, local_receiver, tree_count;
	struct broadcast_tree trees[PREFETCH_TREES_MAX];
	uint16_t *receivers[PREFETCH_TREES_MAX]; /* own copies */
	uint32_t packet_bytes;
	uint32_t *taken;   /* [receiver] units sent since the start */
	uint32_t position; /* units of segments since the start */
	uint32_t checked;  /* receivers of the next packet known to have room */
	/* the segment under way */
	bool active;
	bool header_left; /* its header is still to be sent */
	struct segment segment;
	uint32_t data_left;
	/* of the next commit */
	struct prefetch_command next;
	uint32_t packet; /* bytes of the packet, with the header */
	uint8_t along;	 /* its tree */
};

static struct packetizer *packetizer_of(struct stage_base *base)
{
	return (struct packetizer *)base;
}

/* ---- the next packet ---- */

static uint32_t landing_bytes(const struct packetizer *packetizer)
{
	return packetizer->base.firmware->limits.landing_ring_bytes;
}

static uint32_t landing_offset(const struct packetizer *packetizer)
{
	return (uint32_t)((uint64_t)packetizer->position * COMMAND_ALIGN %
			  landing_bytes(packetizer));
}

/* Bytes of the next packet of the segment: the header goes along tree 0, with data behind it if
 * they take the same way. */
static uint32_t packet_size(const struct packetizer *packetizer, uint8_t *along)
{
	uint32_t most = least(
		packetizer->packet_bytes, landing_bytes(packetizer) - landing_offset(packetizer));

	*along = packetizer->segment.tree;
	if (!packetizer->header_left)
		return least(packetizer->data_left, most);
	if (packetizer->segment.tree == 0)
		return least(COMMAND_BYTES + packetizer->data_left, most);
	*along = 0;
	return COMMAND_BYTES;
}

/* Bytes of the input that the packet needs: all but the header, which is in place of the ROUTE. */
static uint32_t packet_data(const struct packetizer *packetizer)
{
	return packetizer->packet - (packetizer->header_left ? COMMAND_BYTES : 0);
}

/* Shortens the packet where real bytes meet elided ones: the header is real. */
static void packet_whole(struct packetizer *packetizer)
{
	const struct stage *stage = &packetizer->base.stage;
	const struct ring *ring = &packetizer->input.ring;
	uint32_t data = packet_data(packetizer);
	uint32_t straight = least(data, ring_straight(ring, 0)), whole;
	uint8_t probe[COMMAND_BYTES];

	if (data == 0)
		return;
	if (packetizer->header_left &&
		ring_load(stage, ring, 0, sizeof probe, probe) != STATUS_OK) {
		packetizer->packet = COMMAND_BYTES;
		return;
	}
	whole = uniform_prefix(stage, ring_address(ring, 0), straight);
	packetizer->packet -= data - (whole < straight ? whole : data);
}

/* ---- accounts ---- */

/* The word that has to reach `value` before this receiver has room for the packet; 0 if it has. */
static uint32_t account_missing(
	const struct packetizer *packetizer, uint16_t receiver, uint32_t *value)
{
	const struct stage *stage = &packetizer->base.stage;
	uint32_t units = packetizer->packet / COMMAND_ALIGN;
	uint32_t credit = account_credit(&packetizer->layout, receiver);
	uint32_t drained = account_drained(&packetizer->layout, receiver);

	*value = packetizer->taken[receiver] + units -
		 account_units(&packetizer->base.firmware->limits);
	if ((int32_t)(device_row->word(stage, credit) - *value) < 0)
		return credit;
	*value = packetizer->position + units - landing_bytes(packetizer) / COMMAND_ALIGN;
	if ((int32_t)(device_row->word(stage, drained) - *value) < 0)
		return drained;
	return 0;
}

/* Compares the accounts of the packet's receivers; goes on where it stopped, since an account only
 * grows while nothing is sent. 0, or STAGE_BLOCKED. */
static int64_t accounts_check(struct packetizer *packetizer, struct stage_wait *wait)
{
	const struct broadcast_tree *tree = &packetizer->trees[packetizer->along];

	if (!packetizer->layout.credits)
		return 0;
	for (; packetizer->checked < tree->receiver_count; packetizer->checked++) {
		uint32_t value, word = account_missing(
					packetizer, tree->receivers[packetizer->checked], &value);

		if (word != 0)
			return block_on_word(wait, word, value,
				"credits of a broadcast receiver (spill buffer or landing ring)");
	}
	return 0;
}

static void accounts_take(struct packetizer *packetizer)
{
	const struct broadcast_tree *tree = &packetizer->trees[packetizer->along];

	for (uint32_t i = 0; i < tree->receiver_count; i++)
		packetizer->taken[tree->receivers[i]] += packetizer->packet / COMMAND_ALIGN;
	packetizer->checked = 0;
}

/* ---- sending ---- */

static bool reaches_local(const struct packetizer *packetizer, const struct broadcast_tree *tree)
{
	for (uint32_t i = 0; i < tree->receiver_count; i++)
		if (tree->receivers[i] == packetizer->local_receiver)
			return true;
	return false;
}

/* Header, if it is still to be sent, and data of the packet; the caller releases it. */
static struct span packet_span(struct packetizer *packetizer)
{
	const struct stage *stage = &packetizer->base.stage;
	uint32_t data = packet_data(packetizer);
	struct extent *extent;
	uint8_t header[COMMAND_BYTES];

	if (!packetizer->header_left)
		return ring_view(stage, &packetizer->input.ring, 0, data);
	segment_encode(&packetizer->segment, header);
	extent = extent_new(packetizer->packet);
	memcpy(extent->bytes, header, sizeof header);
	if (data > 0 && ring_load(stage, &packetizer->input.ring, 0, data,
				extent->bytes + COMMAND_BYTES) != STATUS_OK) {
		extent_release(extent);
		return (struct span){0};
	}
	return span_of(extent);
}

static void packet_send(struct packetizer *packetizer, struct span span)
{
	const struct broadcast_tree *tree = &packetizer->trees[packetizer->along];
	const struct broadcast_layout *layout = &packetizer->layout;
	struct stage *stage = &packetizer->base.stage;
	uint32_t to = layout->landing_ring + landing_offset(packetizer);
	uint32_t arrival = layout->arrival_words + 4u * packetizer->along;
	uint32_t units = packetizer->packet / COMMAND_ALIGN;

	if (reaches_local(packetizer, tree)) {
		device_row->noc_write(stage, layout->landing_tile, to, span);
		device_row->noc_increment(stage, layout->landing_tile, arrival, units);
	}
	if (tree->tree->deliver_count > 0)
		device_row->fabric_write(
			stage, tree->tree, layout->landing_tile, to, span, arrival, units);
}

static void packet_commit(struct stage_base *base)
{
	struct packetizer *packetizer = packetizer_of(base);
	struct span span = packet_span(packetizer);
	uint32_t data = packet_data(packetizer);

	packet_send(packetizer, span);
	span_release(span);
	accounts_take(packetizer);
	count_add(&packetizer->counters.packets, 1);
	count_add(&packetizer->counters.bytes, packetizer->packet);
	count_add(&packetizer->counters.segments, packetizer->header_left);
	packetizer->position += packetizer->packet / COMMAND_ALIGN;
	packetizer->header_left = false;
	packetizer->data_left -= data;
	link_receiver_take(&packetizer->input, &base->stage, data);
	if (packetizer->data_left > 0)
		return;
	packetizer->active = false;
	if (packetizer->segment.operation != 0)
		world->mark(packetizer->segment.operation, MARK_SENT, base->chip);
}

static int64_t packet_begin(struct packetizer *packetizer, struct stage_wait *wait)
{
	const struct firmware *firmware = packetizer->base.firmware;
	const struct stage *stage = &packetizer->base.stage;
	const struct broadcast_tree *tree;
	uint32_t data;
	uint64_t price = CHARGED(&firmware->price, fabric_send, 1);

	packetizer->packet = packet_size(packetizer, &packetizer->along);
	data = packet_data(packetizer);
	tree = &packetizer->trees[packetizer->along];
	if (link_receiver_available(&packetizer->input, stage) < data)
		return block_on_tile(wait, false, "the rest of a packet");
	packet_whole(packetizer);
	data = packet_data(packetizer);
	if (accounts_check(packetizer, wait) == STAGE_BLOCKED)
		return STAGE_BLOCKED;
	if (tree->tree->deliver_count > 0 && !device_row->fabric_ready(stage, tree->tree))
		return block_on_fabric(wait, tree->tree, "the router");
	if (packetizer->layout.credits)
		price += CHARGED(&firmware->price, packetizer_credit_check, tree->receiver_count) +
			 CHARGED(&firmware->price, packetizer_credit_take, tree->receiver_count);
	price += link_receiver_take_price(&packetizer->input, firmware, data);
	return stage_plan(&packetizer->base, price, packet_commit);
}

/* ---- a new segment ---- */

static void route_commit(struct stage_base *base)
{
	struct packetizer *packetizer = packetizer_of(base);
	const struct prefetch_command *route = &packetizer->next;

	link_receiver_take(&packetizer->input, &base->stage, COMMAND_BYTES);
	if (route->kind == PREFETCH_TERMINATE) {
		base->ended = true;
		return;
	}
	packetizer->segment = (struct segment){
		.tree = (uint8_t)route->route.tree,
		.length = route->route.length,
		.position = packetizer->position,
		.operation = route->route.operation,
		.rect = route->route.rect,
	};
	packetizer->active = true;
	packetizer->header_left = true;
	packetizer->data_left = route->route.length;
}

static int64_t route_begin(struct packetizer *packetizer, struct stage_wait *wait)
{
	struct stage_base *base = &packetizer->base;
	uint32_t address = ring_address(&packetizer->input.ring, 0);
	uint8_t bytes[COMMAND_BYTES];

	if (link_receiver_available(&packetizer->input, &base->stage) < COMMAND_BYTES)
		return block_on_tile(wait, true, "routes from prefetch_h");
	if (device_row->load(&base->stage, address, sizeof bytes, bytes) != STATUS_OK)
		return stage_fault(base, FAULT_ELIDED, address, "halted: elided command");
	if (prefetch_decode(bytes, &packetizer->next) != STATUS_OK ||
		(packetizer->next.kind != PREFETCH_ROUTE &&
			packetizer->next.kind != PREFETCH_TERMINATE))
		return stage_fault(
			base, FAULT_COMMAND, address, "halted: no route where one has to be");
	if (packetizer->next.kind == PREFETCH_ROUTE &&
		packetizer->next.route.tree >=
			__atomic_load_n(&packetizer->tree_count, __ATOMIC_ACQUIRE))
		return stage_fault(base, FAULT_ROUTE, address, "halted: route along unknown tree");
	return stage_plan(base,
		CHARGED(&base->firmware->price, packetizer_segment, 1) +
			link_receiver_take_price(&packetizer->input, base->firmware, COMMAND_BYTES),
		route_commit);
}

/* ---- the stage ---- */

static int64_t packetizer_begin(struct stage *stage, struct stage_wait *wait)
{
	struct packetizer *packetizer = (struct packetizer *)stage;
	int64_t over = stage_over(&packetizer->base, wait);

	if (over != 0)
		return over;
	return packetizer->active ? packet_begin(packetizer, wait) : route_begin(packetizer, wait);
}

static void packetizer_fini(struct stage_base *base)
{
	struct packetizer *packetizer = packetizer_of(base);

	for (uint32_t i = 0; i < packetizer->tree_count; i++)
		free(packetizer->receivers[i]);
	free(packetizer->taken);
}

static const struct stage_ops packetizer_ops = STAGE_OPS("packetizer", packetizer_begin);

enum status packetizer_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint16_t receivers, struct packetizer_layout *layout)
{
	enum status status = tile_plan_words(plan, 1, &layout->arrival_word);

	if (status == STATUS_OK)
		status = tile_plan_words(plan, 2u * receivers, &layout->account_words);
	if (status == STATUS_OK)
		status = tile_plan_bytes(plan, limits->packetizer_ring_bytes, &layout->ring);
	return status;
}

enum status packetizer_add_tree(
	struct stage *stage, const struct broadcast_tree *tree, uint16_t *number)
{
	struct packetizer *packetizer = (struct packetizer *)stage;
	uint16_t index = packetizer->tree_count;
	size_t bytes = tree->receiver_count * sizeof *tree->receivers;

	if (index == PREFETCH_TREES_MAX)
		return STATUS_NO_SPACE;
	packetizer->receivers[index] = malloc(bytes);
	ensure(packetizer->receivers[index] != NULL, "no memory for a tree");
	for (uint32_t i = 0; i < tree->receiver_count; i++)
		ensure(tree->receivers[i] < packetizer->receiver_count, "receiver %u of %u",
			tree->receivers[i], packetizer->receiver_count);
	memcpy(packetizer->receivers[index], tree->receivers, bytes);
	packetizer->trees[index] = *tree;
	packetizer->trees[index].receivers = packetizer->receivers[index];
	__atomic_store_n(&packetizer->tree_count, (uint16_t)(index + 1), __ATOMIC_RELEASE);
	*number = index;
	return STATUS_OK;
}

/* Half of everything that a packet has to fit into, so that credits come back in time for the next.
 */
static uint32_t packet_most(const struct stage_base *base)
{
	const struct firmware_limits *limits = &base->firmware->limits;
	uint32_t bytes = least(limits->packetizer_ring_bytes, limits->landing_ring_bytes);

	bytes = least(bytes, account_units(limits) * COMMAND_ALIGN);
	return least(stage_packet_bytes(base), bytes / 2 / COMMAND_ALIGN * COMMAND_ALIGN);
}

struct stage *packetizer_new(
	const struct firmware *firmware, const struct packetizer_config *config)
{
	struct packetizer *packetizer =
		stage_new(sizeof *packetizer, &packetizer_ops, firmware, config->place);
	uint16_t number;

	link_receiver_init(&packetizer->input, &config->input);
	packetizer->base.fini = packetizer_fini;
	packetizer->layout = config->broadcast;
	packetizer->receiver_count = config->receiver_count;
	packetizer->local_receiver = config->local_receiver;
	packetizer->packet_bytes = packet_most(&packetizer->base);
	packetizer->taken = allocate(config->receiver_count, sizeof *packetizer->taken);
	ensure(config->tree_count >= 1 && config->trees[0].receiver_count == config->receiver_count,
		"tree 0 does not reach all %u receivers", config->receiver_count);
	for (uint32_t i = 0; i < config->tree_count; i++)
		ensure(packetizer_add_tree(&packetizer->base.stage, &config->trees[i], &number) ==
				STATUS_OK,
			"%u trees", config->tree_count);
	return &packetizer->base.stage;
}

struct packetizer_counters packetizer_counters(const struct stage *stage)
{
	const struct packetizer_counters *counters = &((const struct packetizer *)stage)->counters;

	return (struct packetizer_counters){.segments = count_read(&counters->segments),
		.packets = count_read(&counters->packets),
		.bytes = count_read(&counters->bytes)};
}
