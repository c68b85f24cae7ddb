/* The two ends of a link, which is a ring of bytes over the NoC or the fabric. The functions move
 * bytes, and update the arrival word and the credits. All lengths are multiples of 16 B. */
#include "base/ensure.h"
#include "command/bytes.h"
#include "firmware/link/ring.h"

static void layout_check(const struct link_layout *layout)
{
	ensure(layout->ring_bytes > 0 && layout->ring_bytes % COMMAND_ALIGN == 0 &&
			layout->ring % COMMAND_ALIGN == 0,
		"link with a ring of %u B at 0x%x", layout->ring_bytes, layout->ring);
	ensure(layout->batch_bytes >= COMMAND_ALIGN && layout->batch_bytes % COMMAND_ALIGN == 0 &&
			layout->batch_bytes <= layout->ring_bytes / 2,
		"link with a ring of %u B returns credits by %u B", layout->ring_bytes,
		layout->batch_bytes);
	ensure((layout->forward == NULL) == (layout->backward == NULL),
		"a link needs the fabric both ways or not at all");
}

/* ---- consumer ---- */

void link_receiver_init(struct link_receiver *receiver, const struct link_layout *layout)
{
	layout_check(layout);
	*receiver = (struct link_receiver){
		.ring = {layout->ring, layout->ring_bytes, 0},
		.arrival_word = layout->arrival_word,
		.credit_word = layout->credit_word,
		.producer_tile = layout->producer_tile,
		.backward = layout->backward,
		.batch = layout->batch_bytes / COMMAND_ALIGN,
	};
}

uint32_t link_receiver_available(const struct link_receiver *receiver, const struct stage *stage)
{
	uint32_t arrived = device_row->word(stage, receiver->arrival_word);

	return (arrived - receiver->taken) * COMMAND_ALIGN;
}

static bool batch_full(const struct link_receiver *receiver, uint32_t taken)
{
	return taken - receiver->returned >= receiver->batch;
}

uint64_t link_receiver_take_price(
	const struct link_receiver *receiver, const struct firmware *firmware, uint32_t length)
{
	if (receiver->backward != NULL ||
		!batch_full(receiver, receiver->taken + length / COMMAND_ALIGN))
		return 0;
	return CHARGED(&firmware->price, credit_return, 1);
}

void link_receiver_take(struct link_receiver *receiver, struct stage *stage, uint32_t length)
{
	ring_advance(&receiver->ring, length);
	receiver->taken += length / COMMAND_ALIGN;
	if (receiver->backward == NULL && batch_full(receiver, receiver->taken))
		link_receiver_return(receiver, stage);
}

bool link_receiver_owes(const struct link_receiver *receiver)
{
	return receiver->backward != NULL && batch_full(receiver, receiver->taken);
}

void link_receiver_return(struct link_receiver *receiver, struct stage *stage)
{
	uint32_t units = receiver->taken - receiver->returned;

	if (receiver->backward == NULL)
		device_row->noc_increment(
			stage, receiver->producer_tile, receiver->credit_word, units);
	else
		device_row->fabric_write(stage, receiver->backward, receiver->producer_tile, 0,
			(struct span){0}, receiver->credit_word, units);
	receiver->returned = receiver->taken;
}

int64_t link_receiver_return_begin(const struct link_receiver *receiver, struct stage_base *base,
	void (*commit)(struct stage_base *base))
{
	const struct firmware_prices *price = &base->firmware->price;

	if (!link_receiver_owes(receiver) ||
		!device_row->fabric_ready(&base->stage, receiver->backward))
		return STAGE_BLOCKED;
	return stage_plan(
		base, CHARGED(price, credit_return, 1) + CHARGED(price, fabric_send, 1), commit);
}

int64_t link_receiver_block(const struct link_receiver *receiver, struct stage_wait *wait)
{
	if (!link_receiver_owes(receiver))
		return STAGE_BLOCKED;
	return block_on_fabric(wait, receiver->backward, "the router, to return credits");
}

/* ---- producer ---- */

void link_sender_init(
	struct link_sender *sender, const struct stage_base *base, const struct link_layout *layout)
{
	layout_check(layout);
	*sender = (struct link_sender){
		.consumer_tile = layout->consumer_tile,
		.ring = layout->ring,
		.ring_bytes = layout->ring_bytes,
		.arrival_word = layout->arrival_word,
		.credit_word = layout->credit_word,
		.forward = layout->forward,
		.packet_max = layout->forward != NULL ? stage_packet_bytes(base)
						      : base->firmware->limits.relay_write_bytes,
	};
}

uint32_t link_sender_free(const struct link_sender *sender, const struct stage *stage)
{
	uint32_t back = device_row->word(stage, sender->credit_word);

	return sender->ring_bytes - (sender->sent - back) * COMMAND_ALIGN;
}

uint32_t link_sender_room(const struct link_sender *sender, const struct stage *stage)
{
	uint32_t room = link_sender_free(sender, stage);

	if (room == 0 ||
		(sender->forward != NULL && !device_row->fabric_ready(stage, sender->forward)))
		return 0;
	return least(least(room, sender->ring_bytes - sender->offset), sender->packet_max);
}

uint32_t link_sender_chunk(const struct link_sender *sender, const struct stage *stage,
	uint32_t address, uint32_t length)
{
	uint32_t chunk = least(length, link_sender_room(sender, stage));

	return chunk > 0 ? uniform_prefix(stage, address, chunk) : 0;
}

uint64_t link_sender_price(const struct link_sender *sender, const struct firmware *firmware)
{
	return sender->forward != NULL ? CHARGED(&firmware->price, fabric_send, 1)
				       : CHARGED(&firmware->price, relay_write, 1);
}

void link_sender_send(struct link_sender *sender, struct stage *stage, struct span span)
{
	link_sender_send_padded(sender, stage, span, span.length);
}

void link_sender_send_padded(
	struct link_sender *sender, struct stage *stage, struct span span, uint32_t padded)
{
	uint32_t address = sender->ring + sender->offset, units = padded / COMMAND_ALIGN;

	if (sender->forward == NULL) {
		device_row->noc_write_counted(
			stage, sender->consumer_tile, address, span, sender->arrival_word, units);
	} else {
		device_row->fabric_write(stage, sender->forward, sender->consumer_tile, address,
			span, sender->arrival_word, units);
	}
	sender->sent += units;
	sender->offset += padded;
	if (sender->offset == sender->ring_bytes)
		sender->offset = 0;
}

int64_t link_sender_block(const struct link_sender *sender, const struct stage *stage,
	struct stage_wait *wait, const char *what)
{
	if (sender->forward != NULL && link_sender_free(sender, stage) > 0)
		return block_on_fabric(wait, sender->forward, what);
	return block_on_tile(wait, false, what);
}
