/* Internal declarations of packetizers and depacketizers: the credit words of each receiver, the
 * counters, the sockets of packetizers, and the state of depacketizers. Only for files of this
 * folder. */
#ifndef FIRMWARE_BROADCAST_BROADCAST_PRIVATE_H
#define FIRMWARE_BROADCAST_BROADCAST_PRIVATE_H

#include "firmware/broadcast/broadcast.h"
#include "firmware/link/ring.h"
#include "firmware/prefetch/prefetch.h"

/* account_credit() and account_drained() return the addresses of a receiver's words `credit` and
 * `drained`, which are at the packetizer (broadcast.h). */
static inline uint32_t account_credit(const struct broadcast_layout *layout, uint32_t receiver)
{
	return layout->account_words + 8 * receiver;
}

static inline uint32_t account_drained(const struct broadcast_layout *layout, uint32_t receiver)
{
	return account_credit(layout, receiver) + 4;
}

/* Returns the number of units that fit into a receiver's spill buffer. If there is no spill buffer,
 * returns the number of units that fit into the landing ring. */
static inline uint32_t account_units(const struct firmware_limits *limits)
{
	uint32_t bytes = limits->spill_bytes > 0 ? limits->spill_bytes : limits->landing_ring_bytes;

	return bytes / COMMAND_ALIGN;
}

/* A counter has one writer; any thread may read it. */
static inline void count_add(uint64_t *counter, uint64_t amount)
{
	__atomic_store_n(counter, *counter + amount, __ATOMIC_RELAXED);
}

static inline uint64_t count_read(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

/* A ring of bytes in DRAM, and a buffer in L1 (scratch) into which its bytes are read. */
struct spill {
	uint32_t bytes; /* size of the DRAM ring */
	uint32_t head, tail, used;
	uint32_t read;	 /* bytes that are in scratch or are being read into scratch */
	uint32_t passed; /* bytes of `read` that were already forwarded */
	uint32_t reads;	 /* value that stage.reads_posted has after the last read */
	uint32_t chunk;	 /* number of bytes for the next commit */
};

enum { HOLD_MARKS_MAX = 64 };

/* The state in which a depacketizer holds commands back while the prefetcher executes a trace. A
 * position counts the commands for this chip since the start, in units of 16 B. */
struct hold {
	uint32_t marks[HOLD_MARKS_MAX]; /* positions after segments with traces, oldest first */
	uint32_t first, count;
	uint32_t position; /* position after the latest commands */
	uint32_t begun;	   /* number of times that the depacketizer began to hold */
	bool holding;
	bool flush; /* true: return all credits, even if they are fewer than a batch */
};

struct depacketizer {
	struct stage_base base;
	struct depacketizer_config config;
	struct ring landing;
	struct link_sender output;
	struct spill spill;
	struct hold hold;
	struct depacketizer_counters counters;
	uint32_t taken[PREFETCH_TREES_MAX]; /* [tree] units taken since the start */
	uint32_t trees_seen;
	uint32_t position; /* units of segments that have passed since the start */
	uint32_t owed;	   /* units whose credit was not returned yet */
	uint32_t told;	   /* position in the last message to the packetizer */
	/* state of the current segment: */
	bool active, member;
	struct segment segment;
	uint32_t left; /* bytes of the segment's data that are left */
	/* what the next commit() does: */
	struct segment next;
	uint32_t chunk;
};

static inline struct depacketizer *depacketizer_of(struct stage_base *base)
{
	return (struct depacketizer *)base;
}

/* ---- hold.c ---- */

/* hold_room() returns the number of bytes that can be passed to the prefetcher in one piece now.
 * hold_chunk() returns how many bytes from `address` on, at most `length`, can be in this piece.
 * The bytes of a piece are either all real or all elided (not simulated). */
uint32_t hold_room(const struct depacketizer *depacketizer);
uint32_t hold_chunk(const struct depacketizer *depacketizer, uint32_t address, uint32_t length);

/* Counts commands that are passed to the prefetcher or spilled. */
void hold_pass(struct depacketizer *depacketizer, uint32_t length);

/* Returns true if there is no room to mark the end of another trace. No segment may begin then. */
bool hold_full(const struct depacketizer *depacketizer);

/* Must be called at the end of a segment. If the segment executes a trace on this chip, remembers
 * that the depacketizer must hold back the commands that arrive from now on. With TRACE_HOLD_SWEPT,
 * the depacketizer instead waits until the prefetcher asks it to hold. With TRACE_HOLD_SENDER, a
 * chip that does not execute the trace returns all credits that it owes. */
void hold_segment_end(struct depacketizer *depacketizer);

/* Plans a step in which the depacketizer begins to hold commands back, or stops doing so. Returns
 * the cost of the step. Returns STAGE_BLOCKED if neither is due now. */
int64_t hold_begin(struct depacketizer *depacketizer);

/* ---- spill.c ---- */

void spill_init(struct depacketizer *depacketizer);

/* Returns true if the buffer and its scratch are empty. */
bool spill_empty(const struct depacketizer *depacketizer);

/* Returns true if the next read from the spill buffer waits only until the stage's writes are
 * acknowledged. The caller must then post no more writes, because the read would wait for these,
 * too, perhaps for ever. */
bool spill_settles(const struct depacketizer *depacketizer);

/* Returns the number of bytes that can be written in one piece now. */
uint32_t spill_room(const struct depacketizer *depacketizer);

/* Appends to the buffer. Call this in commit(). */
void spill_write(struct depacketizer *depacketizer, struct span span);

/* Plans a step that reads bytes of the spill buffer into scratch, or a step that forwards bytes in
 * scratch to the prefetcher. Returns the cost of the step. If neither is possible now, returns
 * STAGE_BLOCKED; the caller must then fill in the stage's wait. */
int64_t spill_begin(struct depacketizer *depacketizer);

/* A socket of a packetizer. It reads the broadcasts of one command queue, from an issue queue or
 * from a link, and sends them to the receivers of the queue's grid. */
struct socket {
	/* source of the commands: */
	bool fetches; /* true: the source is an issue queue; false: the source is `input` */
	struct fetch fetch;
	struct link_receiver input;
	/* destination of the commands: */
	struct broadcast_layout layout;
	struct packetizer_counters counters;
	uint16_t receiver_count, local_receiver, tree_count;
	struct broadcast_tree *trees[PREFETCH_TREES_MAX]; /* copies that belong to the socket */
	uint32_t packet_bytes;
	uint32_t *taken;      /* [receiver] units sent since the start */
	uint32_t position;    /* units of segments sent since the start */
	uint32_t checked;     /* number of receivers of the next packet that were already found to
			       * have room */
	uint32_t checked_for; /* packet size to which `checked` refers */
	bool ended;	      /* TERMINATE was received */
	bool stops;	      /* true with TRACE_HOLD_SENDER: the socket stops after a trace */
	bool stopped;	      /* the socket waits until all receivers have returned all credits */
	/* state of the current segment: */
	bool active;
	bool header_left; /* the segment's header was not sent yet */
	struct segment segment;
	uint32_t data_left;
	/* what the next commit() does: */
	struct prefetch_command next;
	uint32_t packet; /* size of the packet in bytes, including the header */
	uint8_t along;	 /* number of the packet's tree */
	/* next tree along which the packet must be sent, after trees[along]; NULL: there is none,
	 * or the packet was not sent yet */
	const struct broadcast_tree *rest;
};

/* socket_init() sets up a socket, and socket_fini() frees its allocations. */
void socket_init(struct socket *socket, const struct stage_base *base,
	const struct packetizer_socket *config, bool fetches);
void socket_fini(struct socket *socket);

/* Adds a tree. Returns OK and its number, or NO_SPACE if the table is full. */
enum status socket_add_tree(
	struct socket *socket, const struct broadcast_tree *tree, uint16_t *number);

/* Plans the next step, which sends a packet along one tree, begins the next segment, or ends the
 * socket at a TERMINATE. `plan` must call socket_commit(). Returns the cost of the step. If no step
 * is possible now, fills in *wait and returns STAGE_BLOCKED. If the next command is invalid, plans
 * a fault instead, without `plan`. */
int64_t socket_begin(struct socket *socket, struct stage_base *base, struct stage_wait *wait,
	void (*plan)(struct stage_base *base));
void socket_commit(struct socket *socket, struct stage_base *base);

#endif
