/* The two ends of a link: bytes, arrival word, credits; over the NoC or over the fabric. Carries
 * whole units of 16 B and looks into none. */
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

void receiver_init(struct receiver *receiver, const struct link_layout *layout)
{
	layout_check(layout);
	*receiver = (struct receiver){
		.ring = {layout->ring, layout->ring_bytes, 0},
		.arrival_word = layout->arrival_word,
		.credit_word = layout->credit_word,
		.producer_tile = layout->producer_tile,
		.backward = layout->backward,
		.batch = layout->batch_bytes / COMMAND_ALIGN,
	};
}

uint32_t receiver_available(const struct receiver *receiver, const struct stage *stage)
{
	uint32_t arrived = device_row->word(stage, receiver->arrival_word);

	return (arrived - receiver->taken) * COMMAND_ALIGN;
}

static bool batch_full(const struct receiver *receiver, uint32_t taken)
{
	return taken - receiver->returned >= receiver->batch;
}

uint64_t receiver_take_price(
	const struct receiver *receiver, const struct firmware *firmware, uint32_t length)
{
	if (receiver->backward != NULL ||
		!batch_full(receiver, receiver->taken + length / COMMAND_ALIGN))
		return 0;
	return firmware->price.credit_return;
}

void receiver_take(struct receiver *receiver, struct stage *stage, uint32_t length)
{
	ring_advance(&receiver->ring, length);
	receiver->taken += length / COMMAND_ALIGN;
	if (receiver->backward == NULL && batch_full(receiver, receiver->taken))
		receiver_return(receiver, stage);
}

bool receiver_owes(const struct receiver *receiver)
{
	return receiver->backward != NULL && batch_full(receiver, receiver->taken);
}

void receiver_return(struct receiver *receiver, struct stage *stage)
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

/* ---- producer ---- */

void sender_init(struct sender *sender, const struct unit *unit, const struct link_layout *layout)
{
	layout_check(layout);
	*sender = (struct sender){
		.consumer_tile = layout->consumer_tile,
		.ring = layout->ring,
		.ring_bytes = layout->ring_bytes,
		.arrival_word = layout->arrival_word,
		.credit_word = layout->credit_word,
		.forward = layout->forward,
		.packet_max = layout->forward != NULL ? unit_packet_bytes(unit)
						      : unit->firmware->limits.relay_write_bytes,
	};
}

static uint32_t sender_free(const struct sender *sender, const struct stage *stage)
{
	uint32_t back = device_row->word(stage, sender->credit_word);

	return sender->ring_bytes - (sender->sent - back) * COMMAND_ALIGN;
}

uint32_t sender_room(const struct sender *sender, const struct stage *stage)
{
	uint32_t room = sender_free(sender, stage);

	if (room == 0 ||
		(sender->forward != NULL && !device_row->fabric_ready(stage, sender->forward)))
		return 0;
	return least(least(room, sender->ring_bytes - sender->offset), sender->packet_max);
}

uint32_t sender_chunk(
	const struct sender *sender, const struct stage *stage, uint32_t address, uint32_t length)
{
	uint32_t chunk = least(length, sender_room(sender, stage));

	return chunk > 0 ? whole_prefix(stage, address, chunk) : 0;
}

uint64_t sender_price(const struct sender *sender, const struct firmware *firmware)
{
	return sender->forward != NULL ? firmware->price.fabric_send : firmware->price.relay_write;
}

void sender_send(struct sender *sender, struct stage *stage, struct span span)
{
	sender_send_padded(sender, stage, span, span.length);
}

void sender_send_padded(
	struct sender *sender, struct stage *stage, struct span span, uint32_t padded)
{
	uint32_t address = sender->ring + sender->offset, units = padded / COMMAND_ALIGN;

	if (sender->forward == NULL) {
		device_row->noc_write(stage, sender->consumer_tile, address, span);
		device_row->noc_increment(
			stage, sender->consumer_tile, sender->arrival_word, units);
	} else {
		device_row->fabric_write(stage, sender->forward, sender->consumer_tile, address,
			span, sender->arrival_word, units);
	}
	sender->sent += units;
	sender->offset += padded;
	if (sender->offset == sender->ring_bytes)
		sender->offset = 0;
}

int64_t sender_block(const struct sender *sender, const struct stage *stage,
	struct stage_wait *wait, const char *what)
{
	if (sender->forward != NULL && sender_free(sender, stage) > 0)
		return block_on_fabric(wait, sender->forward, what);
	return block_on_tile(wait, false, what);
}
