/* The dispatcher takes commands from its inputs in order and executes them. A command that is
 * malformed or cannot be executed is a fault and halts the stage. */
#include "command/dispatch.h"
#include "command/launch.h"
#include "dispatcher_private.h"

#include "base/ensure.h"

/* ---- a new command ---- */

static int64_t command_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait)
{
	switch (command->kind) {
	case DISPATCH_WRITE_LINEAR:
	case DISPATCH_WRITE_PAGED:
	case DISPATCH_WRITE_PACKED:
	case DISPATCH_WRITE_MULTICAST:
		return write_begin(dispatcher, command, price, wait);
	case DISPATCH_WRITE_HOST:
		return host_begin(dispatcher, command, price, wait);
	case DISPATCH_NOTIFY_HOST:
		return host_notify_begin(dispatcher, command, price, wait);
	case DISPATCH_WAIT:
		return wait_begin(dispatcher, command, price, wait);
	case DISPATCH_GO:
	case DISPATCH_TRACE_END:
		return start_begin(dispatcher, command, price, wait);
	default:
		return control_begin(dispatcher, command, price);
	}
}

/* Loads the targets of a packed write into dispatcher->targets. The list of targets follows the
 * header of the command. Returns OK. Returns ELIDED if the bytes of the list are not simulated.
 * Returns INVALID if physical coordinates in it do not name a tile. */
static enum status targets_load(
	struct dispatcher *dispatcher, const struct ring *ring, uint32_t ahead)
{
	uint8_t bytes[2 * DISPATCH_PACKED_MAX];
	uint32_t count = dispatcher->next.write_packed.count;

	if (ring_load(&dispatcher->base.stage, ring, ahead, 2 * count, bytes) != STATUS_OK)
		return STATUS_ELIDED;
	for (uint32_t i = 0; i < count; i++) {
		uint16_t *tile = &dispatcher->targets[i].tile;

		*tile = bytes_get16(bytes + 2 * i);
		if (dispatcher->base.firmware->physical &&
			tile_to_virtual(stage_geometry(&dispatcher->base), *tile, tile) !=
				STATUS_OK)
			return STATUS_INVALID;
	}
	return STATUS_OK;
}

/* Decodes the command at the head of the chosen input. Sets dispatcher->next to the command and
 * dispatcher->header to the size of its header. Returns OK. Returns EMPTY if the header has not
 * arrived completely, ELIDED if the bytes of the header are not simulated, and another error if the
 * header is malformed. */
static enum status head_decode(struct dispatcher *dispatcher)
{
	const struct stage *stage = &dispatcher->base.stage;
	const struct link_receiver *input = &dispatcher->input[dispatcher->chosen];
	uint32_t available = link_receiver_available(input, stage);
	uint8_t bytes[DISPATCH_HEADER_MAX] = {0};
	enum status status = ring_load(stage, &input->ring, 0, COMMAND_BYTES, bytes);
	uint32_t header = dispatch_header_bytes(dispatch_peek(bytes));

	if (status == STATUS_OK && header > available)
		return STATUS_EMPTY;
	if (status == STATUS_OK && header > COMMAND_BYTES)
		status = ring_load(stage, &input->ring, 0, header, bytes);
	if (status == STATUS_OK)
		status = dispatch_decode(bytes, header, &dispatcher->next);
	if (status == STATUS_OK && dispatcher->base.firmware->physical &&
		dispatch_to_virtual(stage_geometry(&dispatcher->base), &dispatcher->next) !=
			STATUS_OK)
		status = STATUS_INVALID;
	if (status != STATUS_OK)
		return status;
	if (dispatcher->next.kind == DISPATCH_WRITE_PACKED) {
		uint32_t list = command_padded(2u * dispatcher->next.write_packed.count);

		if (available < header + list)
			return STATUS_EMPTY;
		status = targets_load(dispatcher, &input->ring, header);
		if (status != STATUS_OK)
			return status;
		header += list;
	}
	dispatcher->header = header;
	return STATUS_OK;
}

static int64_t head_fault(struct dispatcher *dispatcher, enum fault_kind kind, const char *detail)
{
	return stage_fault(&dispatcher->base, kind,
		ring_address(&dispatcher->input[dispatcher->chosen].ring, 0), detail);
}

static int64_t new_begin(struct dispatcher *dispatcher, uint64_t price, struct stage_wait *wait)
{
	enum status status = head_decode(dispatcher);
	const char *refused;

	if (status == STATUS_EMPTY)
		return order_wait(dispatcher, wait, false, "the rest of a dispatch command");
	if (status == STATUS_ELIDED)
		return head_fault(dispatcher, FAULT_ELIDED, "halted: elided command");
	if (status != STATUS_OK)
		return head_fault(dispatcher, FAULT_COMMAND, "halted: malformed dispatch command");
	refused = dispatcher_refuses(dispatcher, &dispatcher->next);
	if (refused != NULL)
		return head_fault(dispatcher, FAULT_COMMAND, refused);
	if (!dispatcher_goes_on(dispatcher, &dispatcher->next))
		price += CHARGED(&dispatcher->base.firmware->price, dispatch_command, 1);
	if (dispatch_data_bytes(&dispatcher->next) == 0)
		price += link_receiver_take_price(&dispatcher->input[dispatcher->chosen],
			dispatcher->base.firmware, dispatcher->header);
	return command_begin(dispatcher, &dispatcher->next, price, wait);
}

/* ---- the stage ---- */

static int64_t dispatcher_begin(struct stage *stage, struct stage_wait *wait)
{
	struct dispatcher *dispatcher = (struct dispatcher *)stage;
	int64_t over = stage_over(&dispatcher->base, wait), price;
	bool faulted = false;

	if (over != 0)
		return over;
	if (dispatcher->starter == NULL) {
		over = starts_begin(dispatcher, &dispatcher->base);
		if (over != STAGE_BLOCKED)
			return over;
	}
	dispatcher->header = 0;
	if (dispatcher->active) {
		dispatcher->chosen = dispatcher->current;
		return command_begin(dispatcher, &dispatcher->command, 0, wait);
	}
	price = order_choose(dispatcher, wait, &faulted);
	if (faulted || price == STAGE_BLOCKED)
		return price;
	return new_begin(dispatcher, (uint64_t)price, wait);
}

static const struct stage_ops dispatcher_ops = STAGE_OPS("dispatcher", dispatcher_begin);

enum status dispatch_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint32_t inputs, struct dispatch_layout *layout)
{
	enum status status = tile_plan_words(plan, 2, &layout->arrival_word[0]);

	layout->arrival_word[1] = layout->arrival_word[0] + 4;
	if (status == STATUS_OK)
		status = tile_plan_words(plan, DISPATCH_GROUPS, &layout->done_words);
	if (status == STATUS_OK)
		status = tile_plan_words(plan, DISPATCH_EVENT_WORDS, &layout->event_words);
	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->read_word);
	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->credit_word);
	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->prepared_word);
	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->sent_word);
	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->open_word);
	for (uint32_t i = 0; i < inputs && status == STATUS_OK; i++)
		status = tile_plan_bytes(plan, limits->dispatch_ring_bytes, &layout->ring[i]);
	return status;
}

struct stage *dispatcher_new(const struct firmware *firmware, const struct dispatch_config *config)
{
	struct dispatcher *dispatcher =
		stage_new(sizeof *dispatcher, &dispatcher_ops, firmware, config->place);

	ensure(config->input_count == 1 || config->input_count == 2, "dispatcher with %u inputs",
		config->input_count);
	ensure(config->place.tile < GO_TILES_MAX, "dispatcher on tile %u", config->place.tile);
	ensure(config->input_count == 1 ||
			config->layout.arrival_word[1] == config->layout.arrival_word[0] + 4,
		"arrival words of the two inputs are not next to each other");
	dispatcher->config = *config;
	for (uint32_t i = 0; i < config->input_count; i++)
		link_receiver_init(&dispatcher->input[i], &config->input[i]);
	gate_init(&dispatcher->gate, &config->gate);
	upstream_init(&dispatcher->upstream, &dispatcher->base, config->remote, &config->host,
		&config->output);
	return &dispatcher->base.stage;
}
