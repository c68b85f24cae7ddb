/* Internal structures of packetizers and depacketizers: their accounts and counters, the sockets of
 * a packetizer, and the state of a depacketizer. Only for files of this folder. */
#ifndef FIRMWARE_BROADCAST_BROADCAST_PRIVATE_H
#define FIRMWARE_BROADCAST_BROADCAST_PRIVATE_H

#include "firmware/broadcast/broadcast.h"
#include "firmware/link/ring.h"
#include "firmware/prefetch/fetch.h"

/* Addresses of the two words that a receiver has at the packetizer. */
static inline uint32_t account_credit(const struct broadcast_layout *layout, uint32_t receiver)
{
	return layout->account_words + 8 * receiver;
}

static inline uint32_t account_drained(const struct broadcast_layout *layout, uint32_t receiver)
{
	return account_credit(layout, receiver) + 4;
}

/* Returns the number of units that fit into the spill buffer of a receiver, or into its landing
 * ring if it has no spill buffer. */
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

/* A byte ring in DRAM, and the scratch in L1 through which its bytes are read back. */
struct spill {
	uint32_t bytes; /* of the buffer */
	uint32_t head, tail, used;
	uint32_t read;	 /* bytes in scratch, or being read into it */
	uint32_t passed; /* bytes of `read` that have been forwarded */
	uint32_t reads;	 /* value of stage.reads_posted after the read */
	uint32_t chunk;	 /* for the next commit */
};

enum { HOLD_MARKS_MAX = 64 };

/* Where a depacketizer holds. Positions count units of commands for this chip since the start. */
struct hold {
	uint32_t marks[HOLD_MARKS_MAX]; /* positions behind segments of traces, oldest first */
	uint32_t first, count;
	uint32_t position; /* of the commands that came last */
	uint32_t begun;	   /* number of times that the depacketizer began to hold */
	bool holding;
	bool flush; /* all credits are to be returned */
};

struct depacketizer {
	struct stage_base base;
	struct depacketizer_config config;
	struct ring landing;
	struct link_sender output;
	struct spill spill;
	struct hold hold;
	struct depacketizer_counters counters;
	uint32_t taken[PREFETCH_TREES_MAX]; /* units along each tree since the start */
	uint32_t trees_seen;
	uint32_t position; /* units of segments passed since the start */
	uint32_t owed;	   /* units to return as credit */
	uint32_t told;	   /* position that was returned last */
	/* the current segment */
	bool active, member;
	struct segment segment;
	uint32_t left; /* bytes of its data */
	/* for the next commit */
	struct segment next;
	uint32_t chunk;
};

static inline struct depacketizer *depacketizer_of(struct stage_base *base)
{
	return (struct depacketizer *)base;
}

/* ---- hold.c ---- */

/* Bytes that can be passed to the prefetcher in one piece now; and of these at most `length` that
 * lie at `address`, and are all real or all elided. */
uint32_t hold_room(const struct depacketizer *depacketizer);
uint32_t hold_chunk(const struct depacketizer *depacketizer, uint32_t address, uint32_t length);

/* Counts commands that are passed on or spilled. */
void hold_pass(struct depacketizer *depacketizer, uint32_t length);

/* True if there is no room for the mark of another trace: no segment may begin. */
bool hold_full(const struct depacketizer *depacketizer);

/* Called at the end of a segment. If it executes a trace, marks where to hold. */
void hold_segment_end(struct depacketizer *depacketizer);

/* Plans a step that begins to hold or ends that. Returns its cost, or STAGE_BLOCKED if there is
 * none now. */
int64_t hold_begin(struct depacketizer *depacketizer);

/* ---- spill.c ---- */

void spill_init(struct depacketizer *depacketizer);

/* True if the buffer and its scratch are empty. */
bool spill_empty(const struct depacketizer *depacketizer);

/* Returns true if the next read from the spill buffer waits only for the acknowledgement of earlier
 * writes. As long as this is true, the caller must write nothing more: the read waits for all
 * writes, so further writes could delay it for ever. */
bool spill_settles(const struct depacketizer *depacketizer);

/* Bytes that can be written in one piece now. */
uint32_t spill_room(const struct depacketizer *depacketizer);

/* Appends to the buffer. Call it in commit. */
void spill_write(struct depacketizer *depacketizer, struct span span);

/* Plans a step that reads bytes of the spill buffer into scratch, or that forwards bytes in scratch
 * to the prefetcher. Returns the cost of the step. If neither is possible now, returns
 * STAGE_BLOCKED; the caller must then fill the stage's wait. */
int64_t spill_begin(struct depacketizer *depacketizer);

/* A socket of a packetizer. It reads the broadcasts of one command queue, from an issue queue or
 * from a link, and sends them to the receivers of the queue's grid. */
struct socket {
	/* source of commands */
	bool fetches; /* from an issue queue; else from `input` */
	struct fetch fetch;
	struct link_receiver input;
	/* destination */
	struct broadcast_layout layout;
	struct packetizer_counters counters;
	uint16_t receiver_count, local_receiver, tree_count;
	struct broadcast_tree *trees[PREFETCH_TREES_MAX]; /* own copies */
	uint32_t packet_bytes;
	uint32_t *taken;      /* [receiver] units sent since the start */
	uint32_t position;    /* units of segments since the start */
	uint32_t checked;     /* receivers of the next packet known to have room */
	uint32_t checked_for; /* the packet size for which `checked` holds */
	bool ended;	      /* by TERMINATE */
	bool stops;	      /* behind a trace: TRACE_HOLD_SENDER */
	bool stopped;	      /* until all receivers have returned all credits */
	/* the current segment */
	bool active;
	bool header_left; /* its header was not sent yet */
	struct segment segment;
	uint32_t data_left;
	/* for the next commit */
	struct prefetch_command next;
	uint32_t packet;		   /* bytes of the packet, with the header */
	uint8_t along;			   /* its tree */
	const struct broadcast_tree *rest; /* of its trees, the next one if it was sent along some,
					    * but not along all; else NULL */
};

/* socket_fini() frees the allocations. */
void socket_init(struct socket *socket, const struct stage_base *base,
	const struct packetizer_socket *config, bool fetches);
void socket_fini(struct socket *socket);

/* Adds a tree. Returns OK and its number, or NO_SPACE if the table is full. */
enum status socket_add_tree(
	struct socket *socket, const struct broadcast_tree *tree, uint16_t *number);

/* Plans a step that sends the next packet or begins the next segment; `plan` must call
 * socket_commit(). Returns the cost of the step. If neither action is possible now, fills *wait and
 * returns STAGE_BLOCKED. */
int64_t socket_begin(struct socket *socket, struct stage_base *base, struct stage_wait *wait,
	void (*plan)(struct stage_base *base));
void socket_commit(struct socket *socket, struct stage_base *base);

#endif
