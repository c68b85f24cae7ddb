/* Byte rings in a stage's own L1, and the two ends of a link (link.h). All lengths are in bytes and
 * multiples of 16. For stages only. */
#ifndef FIRMWARE_LINK_RING_H
#define FIRMWARE_LINK_RING_H

#include "firmware/core/stage.h"
#include "firmware/link/link.h"

/* The reading side of a ring. */
struct ring {
	uint32_t address, bytes;
	uint32_t head; /* offset of the next byte */
};

/* Address of the byte `ahead` of the head. */
static inline uint32_t ring_address(const struct ring *ring, uint32_t ahead)
{
	uint32_t at = ring->head + ahead;

	return ring->address + (at >= ring->bytes ? at - ring->bytes : at);
}

/* Number of bytes from the byte `ahead` of the head to the end of the ring. */
static inline uint32_t ring_straight(const struct ring *ring, uint32_t ahead)
{
	return ring->address + ring->bytes - ring_address(ring, ahead);
}

static inline void ring_advance(struct ring *ring, uint32_t length)
{
	ring->head += length;
	if (ring->head >= ring->bytes)
		ring->head -= ring->bytes;
}

/* Copies `length` bytes to `out`. They start `ahead` bytes after the head, and may wrap around the
 * ring's end. Returns OK or ELIDED. */
enum status ring_load(const struct stage *stage, const struct ring *ring, uint32_t ahead,
	uint32_t length, void *out);

/* Returns the same bytes as ring_load(), but as a span, which the caller releases. The span refers
 * to the ring if the bytes are contiguous; otherwise it is a copy. */
struct span ring_view(
	const struct stage *stage, const struct ring *ring, uint32_t ahead, uint32_t length);

/* Returns how many bytes of the stage's own L1, from `address` on, one view can cover: at most
 * `length`, in whole units. These bytes are either all real or all elided. */
uint32_t uniform_prefix(const struct stage *stage, uint32_t address, uint32_t length);

/* ---- the consumer's end ---- */

struct link_receiver {
	struct ring ring;
	uint32_t arrival_word, credit_word;
	uint16_t producer_tile;
	struct fabric_tree *backward;
	uint32_t taken, returned; /* units since the start */
	uint32_t batch;		  /* units */
};

void link_receiver_init(struct link_receiver *receiver, const struct link_layout *layout);

/* Bytes in the ring. */
uint32_t link_receiver_available(const struct link_receiver *receiver, const struct stage *stage);

/* Returns the price of the credits that link_receiver_take() would return for `length` bytes. Over
 * the NoC, link_receiver_take() itself returns the credits if these bytes complete a batch.
 * Otherwise, and always over the fabric, the price is 0. */
uint64_t link_receiver_take_price(
	const struct link_receiver *receiver, const struct firmware *firmware, uint32_t length);

/* Takes bytes from the head. Call it in commit. */
void link_receiver_take(struct link_receiver *receiver, struct stage *stage, uint32_t length);

/* Only for links over the fabric. link_receiver_owes() is true if a batch of credits is complete.
 * link_receiver_return() returns this batch; call it in commit, when the fabric is ready. */
bool link_receiver_owes(const struct link_receiver *receiver);
void link_receiver_return(struct link_receiver *receiver, struct stage *stage);

/* Over the fabric, credits travel in a packet of their own. This function plans that packet, which
 * `commit` sends. Returns its cost, or STAGE_BLOCKED if no credits are due or the router is busy.
 * Over the NoC, link_receiver_take() returns the credits. */
int64_t link_receiver_return_begin(const struct link_receiver *receiver, struct stage_base *base,
	void (*commit)(struct stage_base *base));

/* For a stage that found nothing to do. If credits are due, sets *wait so that the stage waits for
 * the router. The stage must return the credits before it waits for anything else, because that
 * other event may depend on the credits. Always returns STAGE_BLOCKED. */
int64_t link_receiver_block(const struct link_receiver *receiver, struct stage_wait *wait);

/* ---- the producer's end ---- */

struct link_sender {
	uint16_t consumer_tile;
	uint32_t ring, ring_bytes, offset;
	uint32_t arrival_word, credit_word;
	struct fabric_tree *forward;
	uint32_t sent;	     /* units since the start */
	uint32_t packet_max; /* bytes of one write or packet */
};

void link_sender_init(struct link_sender *sender, const struct stage_base *base,
	const struct link_layout *layout);

/* Returns how many bytes can be sent in one piece now. The free space, the end of the ring and the
 * packet size limit this number. It is also 0 if the fabric cannot accept a packet. */
uint32_t link_sender_room(const struct link_sender *sender, const struct stage *stage);

/* How many of `length` bytes of own L1 at `address` can be sent in one piece now. */
uint32_t link_sender_chunk(const struct link_sender *sender, const struct stage *stage,
	uint32_t address, uint32_t length);

/* Price of one piece. */
uint64_t link_sender_price(const struct link_sender *sender, const struct firmware *firmware);

/* Sends a piece of at most link_sender_room() bytes. Call it in commit. The device keeps a
 * reference of its own to the bytes. */
void link_sender_send(struct link_sender *sender, struct stage *stage, struct span span);

/* Sends a piece that occupies `padded` bytes of the ring. Only the bytes of the span are
 * written. */
void link_sender_send_padded(
	struct link_sender *sender, struct stage *stage, struct span span, uint32_t padded);

/* Blocks the stage until there may be room again. Returns STAGE_BLOCKED. */
int64_t link_sender_block(const struct link_sender *sender, const struct stage *stage,
	struct stage_wait *wait, const char *what);

#endif
