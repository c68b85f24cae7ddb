/* Boot senders and boot receivers: stages that load the firmware when the machine starts (boot.h).
 * A step costs time for decoding a header, for handing a packet to the router, or for returning
 * credits. The stages do not check the contents of blocks, because the host has written them. */
#include "firmware/boot/boot.h"

#include "command/bytes.h"
#include "firmware/link/ring.h"
#include "world/world.h"

/* ---- sender ---- */

enum phase { PHASE_LOAD, PHASE_GREET, PHASE_WAIT };

struct boot_sender {
	struct stage_base base;
	struct boot_sender_config config;
	enum phase phase;
	uint32_t greeted; /* number of trees along which the greeting was sent */
	struct ring ring;
	uint32_t taken; /* units of 16 B that were taken from the ring */
	uint16_t tile;	/* the tile to which the current block is written; `address` is the
			 * address of the block's next byte, `left` the number of bytes still to
			 * write */
	uint32_t address, left, chunk;
};

void boot_header_encode(
	uint16_t tile, uint32_t address, uint32_t bytes, uint8_t out[BOOT_HEADER_BYTES])
{
	bytes_put32(out, tile);
	bytes_put32(out + 4, address);
	bytes_put32(out + 8, bytes);
	bytes_put32(out + 12, 0);
}

static struct boot_sender *sender_of(struct stage_base *base)
{
	return (struct boot_sender *)base;
}

static void boot_take(struct boot_sender *sender, uint32_t bytes)
{
	ring_advance(&sender->ring, bytes);
	sender->taken += bytes / COMMAND_ALIGN;
	device_row->pcie_write_word(
		&sender->base.stage, sender->config.read_address, sender->taken);
}

static void header_commit(struct stage_base *base)
{
	struct boot_sender *sender = sender_of(base);
	uint8_t header[BOOT_HEADER_BYTES];

	(void)ring_load(&base->stage, &sender->ring, 0, sizeof header, header);
	boot_take(sender, sizeof header);
	sender->tile = (uint16_t)bytes_get32(header);
	sender->address = bytes_get32(header + 4);
	sender->left = bytes_get32(header + 8);
	if (sender->tile == BOOT_GREET)
		sender->phase = PHASE_GREET;
}

static void send_commit(struct stage_base *base)
{
	struct boot_sender *sender = sender_of(base);
	struct span span = ring_view(&base->stage, &sender->ring, 0, sender->chunk);

	device_row->fabric_write(
		&base->stage, sender->config.tree, sender->tile, sender->address, span, 0, 0);
	span_release(span);
	boot_take(sender, sender->chunk);
	sender->address += sender->chunk;
	sender->left -= sender->chunk;
}

static int64_t load_begin(struct boot_sender *sender, struct stage_wait *wait)
{
	struct stage_base *base = &sender->base;
	const struct firmware_prices *price = &base->firmware->price;
	uint32_t written = device_row->word(&base->stage, sender->config.written_word);
	uint32_t available = (written - sender->taken) * COMMAND_ALIGN;

	if (available == 0)
		return block_on_tile(wait, true, "firmware from the host");
	if (sender->left == 0)
		return stage_plan(base, CHARGED(price, relay_command, 1), header_commit);
	if (!device_row->fabric_ready(&base->stage, sender->config.tree))
		return block_on_fabric(wait, sender->config.tree, "the router, to load a chip");
	sender->chunk = least(least(sender->left, available),
		least(stage_packet_bytes(base), ring_straight(&sender->ring, 0)));
	return stage_plan(base, CHARGED(price, fabric_send, 1), send_commit);
}

/* Returns the tree of the next greeting; NULL if the tree would reach no other chip. */
static struct fabric_tree *greet_tree(const struct boot_sender *sender)
{
	const struct boot_sender_config *config = &sender->config;
	struct fabric_tree *tree =
		sender->greeted == 0 ? config->tree : config->more[sender->greeted - 1];

	return tree != NULL && tree->deliver_count > 0 ? tree : NULL;
}

static void greet_commit(struct stage_base *base)
{
	struct boot_sender *sender = sender_of(base);
	const struct boot_sender_config *config = &sender->config;

	if (greet_tree(sender) != NULL)
		device_row->fabric_write(&base->stage, greet_tree(sender), config->tile, 0,
			(struct span){0}, config->word, 1);
	if (sender->greeted++ < config->more_count)
		return;
	if (config->greets_here)
		device_row->noc_increment(&base->stage, config->tile, config->word, 1);
	if (config->operation != 0)
		world->mark(config->operation, MARK_SENT, base->marked_chip);
	sender->phase = PHASE_WAIT;
}

static void done_commit(struct stage_base *base)
{
	const struct boot_sender_config *config = &sender_of(base)->config;

	device_row->set_word(&base->stage, config->answer_word, 0);
	if (config->ring_bytes > 0)
		device_row->set_word(&base->stage, config->written_word, 0);
	device_row->pcie_write_word(&base->stage, config->done_address, 1);
	if (config->operation != 0)
		world->mark(config->operation, MARK_NOTIFIED, base->marked_chip);
	base->ended = true;
}

static int64_t sender_begin(struct stage *stage, struct stage_wait *wait)
{
	struct boot_sender *sender = (struct boot_sender *)stage;
	const struct boot_sender_config *config = &sender->config;
	const struct firmware_prices *price = &sender->base.firmware->price;
	int64_t over = stage_over(&sender->base, wait);

	if (over != 0)
		return over;
	if (sender->phase == PHASE_LOAD)
		return load_begin(sender, wait);
	if (sender->phase == PHASE_GREET) {
		if (greet_tree(sender) != NULL &&
			!device_row->fabric_ready(stage, greet_tree(sender)))
			return block_on_fabric(wait, greet_tree(sender), "the router, to greet");
		return stage_plan(&sender->base, CHARGED(price, fabric_send, 1), greet_commit);
	}
	if ((int32_t)(device_row->word(stage, config->answer_word) - config->answers) < 0)
		return block_on_word(
			wait, config->answer_word, config->answers, "answers to a greeting");
	return stage_plan(&sender->base, CHARGED(price, credit_return, 1), done_commit);
}

/* ---- receiver ---- */

struct boot_receiver {
	struct stage_base base;
	struct boot_receiver_config config;
};

static void answer_commit(struct stage_base *base)
{
	const struct boot_receiver_config *config = &((struct boot_receiver *)base)->config;

	device_row->set_word(&base->stage, config->word, 0);
	if (config->tree != NULL)
		device_row->fabric_write(&base->stage, config->tree, config->tile, 0,
			(struct span){0}, config->answer_word, 1);
	else
		device_row->noc_increment(&base->stage, config->tile, config->answer_word, 1);
	if (config->operation != 0)
		world->mark(config->operation, MARK_RECEIVED, base->marked_chip);
	base->ended = true;
}

static int64_t receiver_begin(struct stage *stage, struct stage_wait *wait)
{
	struct boot_receiver *receiver = (struct boot_receiver *)stage;
	const struct boot_receiver_config *config = &receiver->config;
	const struct firmware_prices *price = &receiver->base.firmware->price;
	int64_t over = stage_over(&receiver->base, wait);

	if (over != 0)
		return over;
	if (device_row->word(stage, config->word) == 0)
		return block_on_tile(wait, true, "a greeting");
	if (config->tree != NULL && !device_row->fabric_ready(stage, config->tree))
		return block_on_fabric(wait, config->tree, "the router, to answer a greeting");
	return stage_plan(&receiver->base,
		CHARGED(price, credit_return, 1) +
			(config->tree != NULL ? CHARGED(price, fabric_send, 1) : 0),
		answer_commit);
}

/* ---- creation ---- */

static const struct stage_ops sender_ops = STAGE_OPS("boot_sender", sender_begin);
static const struct stage_ops receiver_ops = STAGE_OPS("boot_receiver", receiver_begin);

struct stage *boot_sender_new(
	const struct firmware *firmware, const struct boot_sender_config *config)
{
	struct boot_sender *sender =
		stage_new(sizeof *sender, &sender_ops, firmware, config->place);

	sender->config = *config;
	sender->phase = config->ring_bytes > 0 ? PHASE_LOAD : PHASE_GREET;
	sender->ring = (struct ring){config->ring, config->ring_bytes, 0};
	return &sender->base.stage;
}

struct stage *boot_receiver_new(
	const struct firmware *firmware, const struct boot_receiver_config *config)
{
	struct boot_receiver *receiver =
		stage_new(sizeof *receiver, &receiver_ops, firmware, config->place);

	receiver->config = *config;
	return &receiver->base.stage;
}
