/* Packetizer and depacketizer (spec 3.8.1, 3.8.2). A packetizer multicasts commands to many
 * depacketizers, which are its receivers. It sends only as many bytes as fit into the buffers of
 * the receivers. It knows from the credits that the receivers return how much room these buffers
 * have.
 *
 * A packetizer has a socket for each command queue that it serves. A socket reads prefetch commands
 * from a ring. A ROUTE command begins a segment (command/prefetch.h), which consists of a header
 * and data. The header goes along tree 0, which reaches every chip of the grid. The data go along
 * the tree that the ROUTE names. A packet is sent when all its receivers have room. Sending it uses
 * up credits of each receiver. Credits are counted in units of 16 B.
 *
 * Each receiver has two accounts. Both are words at the packetizer:
 *
 *   credit   number of units returned since the start. The receiver increments it. The free room
 *            is the size of the spill buffer - (sent - returned). A unit is returned when it has
 *            reached the prefetcher's ring, not when it entered the spill buffer (spec 3.8.2).
 *            If there is no spill buffer, the size of the landing ring is used instead.
 *   drained  position up to which the landing ring is free. The receiver overwrites it.
 *
 * The landing ring models the receive buffer of the router. The depacketizer empties it at once,
 * into the spill buffer if necessary. So the packetizer normally waits only for `credit`. The
 * receiver updates both accounts with one packet: the payload overwrites `drained`, and the
 * increment that the same packet contains adds to `credit`.
 *
 * The bytes of a segment have the same offset in the landing ring of every chip of the grid. Chips
 * outside the segment's rectangle skip these bytes. Each tree has an arrival word, because packets
 * of different trees may overtake each other. No tree delivers to the initiator's own chip. If that
 * chip is a receiver, the packetizer writes to it over the NoC.
 *
 * If `credits` is false, neither account is checked. Packets may then overrun a landing ring; the
 * depacketizer reports this as a fault. */
#ifndef FIRMWARE_BROADCAST_BROADCAST_H
#define FIRMWARE_BROADCAST_BROADCAST_H

#include "command/prefetch.h"
#include "firmware/core/firmware.h"
#include "firmware/core/stage.h"
#include "firmware/link/link.h"
#include "firmware/prefetch/prefetch.h"

/* Layout of the buffers of one grid. The packetizer and the depacketizers of the grid share it. The
 * addresses are equal on all chips. */
struct broadcast_layout {
	uint16_t landing_tile;	/* tile of the ring of every depacketizer */
	uint32_t landing_ring;	/* address of the landing ring, of limits.landing_ring_bytes */
	uint32_t arrival_words; /* address of tree_count words at the depacketizer */
	uint16_t packetizer_tile;
	uint32_t account_words; /* address of 2 words per receiver at the packetizer: credit,
				 * drained */
	bool credits;
};

/* One tree of a packetizer, and its receivers. A multicast may have at most BOUND_MEMBERS members.
 * If there are more receivers, they are divided among several trees that have the same number. The
 * packetizer sends each packet along all trees of the number, one after the other. Each sending has
 * the full cost (spec 3.8). After the last tree, the packetizer releases the bytes of the packet.
 */
struct broadcast_tree {
	struct fabric_tree *tree; /* a tree to all receivers except a receiver on the
				   * initiator's own chip; the tree may reach no chip */
	uint16_t receiver_count;
	const uint16_t *receivers;   /* ascending indices of the receivers, including a receiver on
				      * the initiator's own chip; borrowed */
	struct broadcast_tree *next; /* further tree with the same number, or NULL */
};

enum { RECEIVER_NONE = 0xffff };

/* Addresses in L1 for one socket. */
struct packetizer_layout {
	uint32_t ring;	       /* address of a ring of limits.fetch_ring_bytes for a
				* mcast_prefetch_h, otherwise of limits.packetizer_ring_bytes */
	uint32_t arrival_word; /* arrival word of the link to the packetizer */
	uint32_t fetch_queue;  /* mcast_prefetch_h: address of limits.fetch_entries words */
	uint32_t account_words;
};

/* Allocate words and bytes in the tile plan `plan` for one socket with `receivers` receivers, and
 * write the addresses to *layout. packetizer_place() is for a packetizer, and
 * mcast_prefetch_place() for a prefetch_h that is also a packetizer. Both return OK or NO_SPACE. */
enum status packetizer_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint16_t receivers, struct packetizer_layout *layout);
enum status mcast_prefetch_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint16_t receivers, struct packetizer_layout *layout);

/* Configuration of a socket. A socket sends the broadcasts of one command queue to its own set of
 * receivers (spec 3.8.1). */
struct packetizer_socket {
	struct link_layout input;  /* for a packetizer: the link from prefetch_h */
	struct fetch_config fetch; /* for a mcast_prefetch_h: its issue queue */
	struct broadcast_layout broadcast;
	uint16_t receiver_count; /* number of receivers of tree 0, that is, of all receivers */
	uint16_t local_receiver; /* index of the packetizer's own chip, or RECEIVER_NONE */
	bool stops_at_traces;	 /* true with TRACE_HOLD_SENDER; requires broadcast.credits */
	uint16_t tree_count;	 /* number of trees, 1 to PREFETCH_TREES_MAX */
	const struct broadcast_tree *trees; /* [tree_count] the socket's trees; copied. Tree 0
					     * reaches the whole grid */
};

enum { PACKETIZER_SOCKETS_MAX = 2 };

struct packetizer_config {
	struct stage_place place;
	uint32_t socket_count; /* number of sockets, 1 to PACKETIZER_SOCKETS_MAX */
	struct packetizer_socket sockets[PACKETIZER_SOCKETS_MAX];
};

/* Creates a packetizer; prefetch.h says how to start and free a stage. The sockets take turns,
 * packet by packet. A socket that waits does not stop the other sockets, because it may wait for a
 * packet of another socket. The stage ends when each socket has received a TERMINATE. */
struct stage *packetizer_new(
	const struct firmware *firmware, const struct packetizer_config *config);

/* Creates a stage that is a packetizer and also the prefetch_h of each socket. The stage reads
 * issue queues over PCIe into rings, and sends the commands over the fabric. The data of a segment
 * (after a ROUTE) must not include RELAY_HOST. */
struct stage *mcast_prefetch_new(
	const struct firmware *firmware, const struct packetizer_config *config);

/* Adds a tree, which reaches a part of the grid, to a socket. Sets *number to the number of the
 * tree. Call this from a host thread, before any work for this part of the grid is enqueued. The
 * arrays are copied; the fabric tree is borrowed. Returns OK, or NO_SPACE if the socket has
 * PREFETCH_TREES_MAX trees. */
enum status packetizer_add_tree(struct stage *packetizer, uint32_t socket,
	const struct broadcast_tree *tree, uint16_t *number);

/* Totals of a packetizer. If a packet is sent along several trees, it counts once for each tree;
 * the number of receivers does not matter. `bytes` is the total size of all segments, including
 * their headers. */
struct packetizer_counters {
	uint64_t segments, packets, bytes;
	uint64_t credits; /* credits taken, over all receivers */
};

/* Any host thread may call this function, at any time. */
struct packetizer_counters packetizer_counters(const struct stage *packetizer);

struct depacketizer_layout {
	uint32_t landing_ring;	/* address of limits.landing_ring_bytes bytes */
	uint32_t arrival_words; /* address of PREFETCH_TREES_MAX words */
	uint32_t credit_word;	/* credit word of the link to the prefetcher */
	uint32_t scratch;	/* address of limits.spill_scratch_bytes bytes; only with a
				 * spill buffer */
	uint32_t over_word;	/* address of the over_word of struct trace_hold_layout, if commands
				 * are held back; the caller allocates it */
};

/* Allocates words and bytes for a depacketizer in `plan`. Returns OK or NO_SPACE. */
enum status depacketizer_place(struct tile_plan *plan, const struct firmware_limits *limits,
	struct depacketizer_layout *layout);

struct depacketizer_config {
	struct stage_place place;
	struct broadcast_layout broadcast;
	struct depacketizer_layout layout;
	struct link_layout output; /* link to prefetch_d, over the NoC */
	struct trace_hold_layout hold;
	struct fabric_tree *backward; /* tree to the packetizer's chip; NULL: the same chip */
	uint16_t receiver;	      /* index of this chip among the receivers */
	uint8_t row, column;	      /* position of this chip, in the form that ROUTE commands
				       * contain */
	uint16_t spill_tile;	      /* DRAM tile of the spill buffer */
	uint32_t spill;		      /* address of the spill buffer on this tile;
				       * limits.spill_bytes bytes */
};

struct stage *depacketizer_new(
	const struct firmware *firmware, const struct depacketizer_config *config);

/* Totals of a depacketizer. They are exact when the cluster is drained. */
struct depacketizer_counters {
	uint64_t segments, bytes, spilled_bytes;
	uint64_t returns; /* number of credit messages sent */
	uint64_t credits; /* number of credits that were returned, or are still to be returned */
	uint64_t spill_peak_bytes;
};

/* Any host thread may call this function at any time. The member `credits` is only valid when the
 * cluster has no work left. */
struct depacketizer_counters depacketizer_counters(const struct stage *depacketizer);

#endif
