/* Packetizer and depacketizer (spec 3.8.1, 3.8.2): one sender, many receivers, end-to-end credits.
 *
 * A packetizer has a socket for each queue that it serves. It reads prefetch commands from a ring.
 * A ROUTE begins a segment (command/prefetch.h): its header goes along tree 0, which reaches every
 * chip of the grid, its data along the tree that the ROUTE names. A packet is sent when every chip
 * that it goes to has room; then the packetizer takes from all.
 *
 * Two accounts per receiver, both words at the packetizer:
 *
 *   credit    units returned since the start, by increments. Free are spill buffer - (sent -
 *             returned). A unit is returned when it has reached the prefetcher's ring, never when
 * it entered the spill buffer (spec 3.8.2). Without a spill buffer the landing ring counts. drained
 * position up to which the landing ring is free: written, absolute.
 *
 * The landing ring stands for the receive buffer of the router. The depacketizer empties it at
 * once, into the spill buffer if need be, so `drained` is coarse and never the narrow account. One
 * packet returns both: its payload is the drained word, its fused increment the credit.
 *
 * All landing rings of a grid run in lock-step: a segment's bytes lie at the same place everywhere,
 * and chips that it does not address skip them. Per tree there is an arrival word, since packets of
 * different trees may overtake each other. The initiator's own chip, which no tree delivers to, may
 * be a receiver too: over its NoC.
 *
 * With `credits` false neither account is looked at: rings can be overrun, which the depacketizer
 * reports as a fault. */
#ifndef FIRMWARE_BROADCAST_BROADCAST_H
#define FIRMWARE_BROADCAST_BROADCAST_H

#include "command/prefetch.h"
#include "firmware/core/firmware.h"
#include "firmware/core/tile_plan.h"
#include "firmware/link/link.h"
#include "firmware/prefetch/fetch.h"

/* What packetizer and depacketizers of one grid agree on: the same on all chips. */
struct broadcast_layout {
	uint16_t landing_tile;	/* of every depacketizer */
	uint32_t landing_ring;	/* limits.landing_ring_bytes */
	uint32_t arrival_words; /* tree_count words at the depacketizer */
	uint16_t packetizer_tile;
	uint32_t account_words; /* 2 words per receiver at the packetizer: credit, drained */
	bool credits;
};

/* One tree of a packetizer, and whom it reaches. */
struct broadcast_tree {
	struct fabric_tree *tree; /* delivers to the receivers but the local one; may deliver
				     nowhere */
	uint16_t receiver_count;
	const uint16_t *receivers; /* indexes, ascending; with the local one; borrowed */
};

enum { RECEIVER_NONE = 0xffff };

/* L1 of one socket. */
struct packetizer_layout {
	uint32_t ring;	       /* limits.packetizer_ring_bytes; with fetch: fetch_ring_bytes */
	uint32_t arrival_word; /* of the link to the packetizer */
	uint32_t fetch_queue;  /* of a mcast_prefetch_h: words, limits.fetch_entries */
	uint32_t account_words;
};

/* Takes words and bytes for a socket to `receivers` from `plan`: of a packetizer, or of a
 * prefetch_h that is one. OK or NO_SPACE. */
enum status packetizer_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint16_t receivers, struct packetizer_layout *layout);
enum status mcast_prefetch_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint16_t receivers, struct packetizer_layout *layout);

/* What a socket sends, where it comes from and who receives it: the broadcasts of one command queue
 * (spec 3.8.1: the receivers of each are others). */
struct packetizer_socket {
	struct link_layout input;  /* of a packetizer: from prefetch_h */
	struct fetch_config fetch; /* of a mcast_prefetch_h: its issue queue */
	struct broadcast_layout broadcast;
	uint16_t receiver_count; /* of tree 0: all */
	uint16_t local_receiver; /* index of the packetizer's own chip, or RECEIVER_NONE */
	uint16_t tree_count;	 /* 1..PREFETCH_TREES_MAX */
	const struct broadcast_tree *trees; /* copied; tree 0 is the whole grid */
};

enum { PACKETIZER_SOCKETS_MAX = 2 };

struct packetizer_config {
	struct stage_place place;
	uint32_t socket_count; /* 1..PACKETIZER_SOCKETS_MAX */
	struct packetizer_socket sockets[PACKETIZER_SOCKETS_MAX];
};

/* New stage, as those of prefetch.h. Several sockets take turns, packet by packet, and none waits
 * for another: what holds one queue up may be what another is about to send. It ends when each
 * socket has had a TERMINATE. */
struct stage *packetizer_new(
	const struct firmware *firmware, const struct packetizer_config *config);

/* The same as one stage with the prefetch_h of each socket: from issue queues over PCIe into rings,
 * and from there over the fabric. Commands behind a ROUTE hold no RELAY_HOST. */
struct stage *mcast_prefetch_new(
	const struct firmware *firmware, const struct packetizer_config *config);

/* Makes another sub-grid known to a socket, from a host thread, before any work for it is enqueued.
 * The arrays are copied, the tree is borrowed. OK and its number, or NO_SPACE. */
enum status packetizer_add_tree(struct stage *packetizer, uint32_t socket,
	const struct broadcast_tree *tree, uint16_t *number);

/* What a packetizer has sent so far. Packets count once, wherever they go; bytes are those of
 * segments, with their headers. */
struct packetizer_counters {
	uint64_t segments, packets, bytes;
	uint64_t credits; /* taken, of all receivers together */
};

/* For any host thread, at any time. */
struct packetizer_counters packetizer_counters(const struct stage *packetizer);

struct depacketizer_layout {
	uint32_t landing_ring;	/* limits.landing_ring_bytes */
	uint32_t arrival_words; /* PREFETCH_TREES_MAX */
	uint32_t credit_word;	/* of the link to the prefetcher */
	uint32_t scratch;	/* limits.spill_scratch_bytes; only with a spill buffer */
};

/* Takes words and bytes for a depacketizer from `plan`. OK or NO_SPACE. */
enum status depacketizer_place(struct tile_plan *plan, const struct firmware_limits *limits,
	struct depacketizer_layout *layout);

struct depacketizer_config {
	struct stage_place place;
	struct broadcast_layout broadcast;
	struct depacketizer_layout layout;
	struct link_layout output;    /* to prefetch_d, over the NoC */
	struct fabric_tree *backward; /* to the packetizer's chip; NULL: it is this one */
	uint16_t receiver;	      /* index of this chip */
	uint8_t row, column;	      /* of this chip, as routes name it */
	uint16_t spill_tile;	      /* DRAM */
	uint32_t spill;		      /* address there, limits.spill_bytes */
};

struct stage *depacketizer_new(
	const struct firmware *firmware, const struct depacketizer_config *config);

/* What a depacketizer has done so far; exact when the cluster is drained. */
struct depacketizer_counters {
	uint64_t segments, bytes, spilled_bytes;
	uint64_t returns; /* credit messages sent */
	uint64_t credits; /* given back by these, or still to be */
	uint64_t spill_peak_bytes;
};

/* For any host thread, at any time; credits only when the cluster is drained. */
struct depacketizer_counters depacketizer_counters(const struct stage *depacketizer);

#endif
