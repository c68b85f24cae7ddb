/* Rings of bytes in a stage's own L1, and the two ends of a link (link.h). All lengths are in bytes
 * and are multiples of 16. Only for stages. */
#ifndef FIRMWARE_LINK_RING_H
#define FIRMWARE_LINK_RING_H

#include "firmware/core/stage.h"
#include "firmware/link/link.h"

/* The reading side of a ring. */
struct ring {
	uint32_t address, bytes;
	uint32_t head; /* offset of the next byte to read */
};

/* Returns the address of the byte that is `ahead` bytes after the head. */
static inline uint32_t ring_address(const struct ring *ring, uint32_t ahead)
{
	uint32_t at = ring->head + ahead;

	return ring->address + (at >= ring->bytes ? at - ring->bytes : at);
}

/* Returns the number of bytes from ring_address(ring, ahead) to the end of the ring. */
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

/* Copies `length` bytes of the ring to `out`, starting `ahead` bytes after the head. The bytes may
 * wrap around the end of the ring. Returns OK, or ELIDED if some of the bytes are elided (not
 * simulated). */
enum status ring_load(const struct stage *stage, const struct ring *ring, uint32_t ahead,
	uint32_t length, void *out);

/* Returns `length` bytes of the ring, starting `ahead` bytes after the head, as a span that the
 * caller releases. The span refers to the ring if the bytes are contiguous. If they wrap around the
 * end of the ring, the span is a copy. */
struct span ring_view(
	const struct stage *stage, const struct ring *ring, uint32_t ahead, uint32_t length);

/* Returns the length of the longest piece that begins at `address` in the stage's own L1 and whose
 * bytes are either all real or all elided (not simulated). The result is a multiple of 16, and at
 * most `length`. */
uint32_t uniform_prefix(const struct stage *stage, uint32_t address, uint32_t length);

/* ---- the consumer's end ---- */

struct link_receiver {
	struct ring ring;
	uint32_t arrival_word, credit_word;
	uint16_t producer_tile;
	struct fabric_tree *backward;
	uint32_t taken, returned; /* number of units taken since the start, and number of units
				   * whose credits were returned */
	uint32_t batch;		  /* units in a batch of credits */
};

void link_receiver_init(struct link_receiver *receiver, const struct link_layout *layout);

/* Returns the number of bytes in the ring that were not taken yet. */
uint32_t link_receiver_available(const struct link_receiver *receiver, const struct stage *stage);

/* Returns the time that returning credits adds to link_receiver_take() for `length` bytes. Over the
 * NoC, this is the price of one batch of credits if the bytes complete a batch, otherwise 0. Over
 * the fabric it is 0, because there only link_receiver_return() returns credits. */
uint64_t link_receiver_take_price(
	const struct link_receiver *receiver, const struct firmware *firmware, uint32_t length);

/* Takes bytes from the head of the ring. Over the NoC, also returns the credits of a full batch.
 * Call this in commit. */
void link_receiver_take(struct link_receiver *receiver, struct stage *stage, uint32_t length);

/* Only for links over the fabric. link_receiver_owes() returns true if the receiver has a complete
 * batch of credits that it has not yet returned to the sender. link_receiver_return() sends this
 * batch; call it in commit(), when the fabric is ready. */
bool link_receiver_owes(const struct link_receiver *receiver);
void link_receiver_return(struct link_receiver *receiver, struct stage *stage);

/* Plans a step that returns credits over the fabric; `commit` must call link_receiver_return().
 * Returns the cost of the step. Returns STAGE_BLOCKED if no batch is complete or the router is
 * busy. Also returns STAGE_BLOCKED if the link uses the NoC, because link_receiver_take() has
 * already returned the credits. */
int64_t link_receiver_return_begin(const struct link_receiver *receiver, struct stage_base *base,
	void (*commit)(struct stage_base *base));

/* Call this in begin() if the stage finds nothing to do and has filled in *wait. If a batch of
 * credits must be returned, changes *wait so that the stage waits for the router instead. Otherwise
 * the stage could wait for ever, because what it waits for may depend on these credits. Always
 * returns STAGE_BLOCKED. */
int64_t link_receiver_block(const struct link_receiver *receiver, struct stage_wait *wait);

/* ---- the producer's end ---- */

struct link_sender {
	uint16_t consumer_tile;
	uint32_t ring, ring_bytes, offset;
	uint32_t arrival_word, credit_word;
	struct fabric_tree *forward;
	uint32_t sent;	     /* units sent since the start */
	uint32_t packet_max; /* maximum number of bytes in one write or packet */
};

void link_sender_init(struct link_sender *sender, const struct stage_base *base,
	const struct link_layout *layout);

/* Returns the number of free bytes of the ring. */
uint32_t link_sender_free(const struct link_sender *sender, const struct stage *stage);

/* Returns how many bytes can be sent in one piece now. The limits are the free space, the end of
 * the ring and the packet size. Returns 0 if the ring is full or the fabric is not ready. */
uint32_t link_sender_room(const struct link_sender *sender, const struct stage *stage);

/* Returns how many of the `length` bytes at `address` of the stage's own L1 can be sent in one
 * piece now. */
uint32_t link_sender_chunk(const struct link_sender *sender, const struct stage *stage,
	uint32_t address, uint32_t length);

/* Returns the price of one piece. */
uint64_t link_sender_price(const struct link_sender *sender, const struct firmware *firmware);

/* Sends a piece of at most link_sender_room() bytes. Call this in commit(). The device keeps its
 * own reference to the bytes; the caller must still release `span`. */
void link_sender_send(struct link_sender *sender, struct stage *stage, struct span span);

/* Sends a piece that occupies `padded` bytes of the ring. Only the bytes of `span` are written; the
 * rest is padding. */
void link_sender_send_padded(
	struct link_sender *sender, struct stage *stage, struct span span, uint32_t padded);

/* Blocks the stage until there may be room again. Returns STAGE_BLOCKED. */
int64_t link_sender_block(const struct link_sender *sender, const struct stage *stage,
	struct stage_wait *wait, const char *what);

#endif
