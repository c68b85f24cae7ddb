/* The second interface to the world: operations of the host and of firmware on chips. Operations
 * are asynchronous: a stage (world/stage.h) posts them, and when they complete, counters of the
 * stage advance. There are two implementations: the chip model (model/chip), and the native
 * emulator, which computes results but no times.
 *
 * Addresses. A cluster has chips 0..n-1. A chip has tiles (Tensix, Ethernet, DRAM bank, PCIe, ARC),
 * numbered as in its geometry. Commands name tiles by these numbers. The numbers are the same on
 * every chip of one kind, even if the chips are harvested differently. So one command stream works
 * on all of them (like virtual NoC coordinates). Every Tensix and Ethernet tile has an L1, and
 * every DRAM tile has a bank. On-chip addresses have 32 bits. Each cluster has one window of host
 * memory that devices may access; its addresses have 64 bits.
 *
 * Words. The first `word_bytes` of every L1 are called words: semaphores, ring pointers, doorbells,
 * go messages. Only writes and increments of words wake stages, and each of them arrives at its own
 * exact time. The memory above the words is called bulk; writing to bulk stores a reference to the
 * data. If a stage writes to bulk and then posts a word to the same tile, the bulk data are visible
 * no later than the word.
 *
 * Elided payloads (base/extent.h) have a length but no bytes. In a copy, elided bytes stay elided
 * and real bytes stay real. However, if a view() includes an elided byte, the whole view is elided.
 * Words are never elided.
 *
 * Ordering. Operations of one stage to one destination tile (over the NoC), or along one fabric
 * tree, arrive in the order in which they were posted. No other order is guaranteed. */
#ifndef WORLD_DEVICE_H
#define WORLD_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/extent.h"
#include "base/status.h"
#include "world/stage.h"
#include "world/world.h"

/* Bytes of a page of the host. The host window is allocated in whole pages. */
enum { WINDOW_PAGE_BYTES = 4096 };

/* Returns `bytes` rounded up to whole pages. */
static inline uint64_t window_pages(uint64_t bytes)
{
	return (bytes + WINDOW_PAGE_BYTES - 1) / WINDOW_PAGE_BYTES * WINDOW_PAGE_BYTES;
}

enum tile_kind { TILE_TENSIX, TILE_ETHERNET, TILE_DRAM, TILE_PCIE, TILE_OTHER };

struct tile_info {
	enum tile_kind kind;
	uint8_t x, y; /* NoC coordinates */
};

/* The shape of a chip. Tiles have virtual numbers, so chips with different harvested rows number
 * their workers in the same way. `tiles` has the coordinates of each tile. The geometry belongs to
 * the code that created the cluster, and lives as long as the cluster. */
struct chip_geometry {
	uint16_t tile_count;
	const struct tile_info *tiles;
	uint16_t noc_columns, noc_rows;
	const uint16_t *tile_at; /* [y * noc_columns + x] tile at this place, or TILE_AT_NONE */
	/* size of the logical worker grid, after harvesting */
	uint16_t worker_columns, worker_rows;
	/* [row * columns + column] tile of the worker; on a chip that is only a gateway, these
	 * tiles may also be used for dispatch */
	const uint16_t *worker_tiles;
	uint16_t dispatch_tile_count;
	const uint16_t *dispatch_tiles; /* tiles that are reserved for dispatch firmware, outside
					 * the grid of workers: Tensix or Ethernet */
	uint16_t ethernet_count;
	const uint16_t *ethernet_tiles; /* first the tiles with links, in the order of channels */
	uint16_t idle_ethernet_count;
	const uint16_t *idle_ethernet_tiles; /* Ethernet tiles that have no link on any chip with
					      * this geometry, including tiles that are reserved for
					      * dispatch */
	uint16_t dram_bank_count;
	const uint16_t *dram_tiles; /* [bank] tile of the DRAM bank */
	uint16_t pcie_tile;
	uint32_t l1_bytes;	    /* bytes of the L1 of a Tensix tile */
	uint32_t ethernet_l1_bytes; /* bytes of the L1 of an Ethernet tile */
	uint64_t dram_bank_bytes;   /* at most 4 GiB, because addresses in a bank have 32 bits */
	uint32_t word_bytes;	    /* bytes of words at the start of every L1, see above */
	uint32_t worker_l1_base; /* first byte of a worker's L1 that programs and buffers may use */
};

/* Returns the number of bytes of a DRAM bank that commands can use. Some commands contain the end
 * address of a range in 32 bits (for example ExecuteTraceCmd of spec 3.12.2.2). So commands cannot
 * use the last byte of a bank of 4 GiB. */
static inline uint64_t dram_bank_reach(const struct chip_geometry *geometry)
{
	return geometry->dram_bank_bytes < UINT32_MAX ? geometry->dram_bank_bytes : UINT32_MAX;
}

/* Returns the size in bytes of a tile's memory, which is its L1 or its DRAM bank; 0 if the tile has
 * no memory. */
static inline uint64_t tile_memory_bytes(const struct chip_geometry *geometry, uint16_t tile)
{
	switch (geometry->tiles[tile].kind) {
	case TILE_TENSIX:
		return geometry->l1_bytes;
	case TILE_ETHERNET:
		return geometry->ethernet_l1_bytes;
	case TILE_DRAM:
		return geometry->dram_bank_bytes;
	default:
		return 0;
	}
}

/* Returns the bytes of words at the start of a tile's memory; 0 if the memory is not an L1. */
static inline uint32_t tile_word_bytes(const struct chip_geometry *geometry, uint16_t tile)
{
	enum tile_kind kind = geometry->tiles[tile].kind;

	return kind == TILE_TENSIX || kind == TILE_ETHERNET ? geometry->word_bytes : 0;
}

enum { CHIP_NONE = 0xffff, TILE_AT_NONE = 0xffff, FABRIC_PARTS_MAX = 4 };

/* One chip of a cluster. */
struct chip_info {
	const struct chip_geometry *geometry;
	bool has_pcie;	  /* the host can reach the chip directly */
	uint16_t gateway; /* the chip with PCIe through which the host reaches this chip; the
			   * chip itself if has_pcie is set */
	int16_t mesh_row, mesh_column; /* position in the physical mesh; -1 for chips that are
					* only gateways */
	uint16_t host;		       /* number of the server that the chip is in */
};

/* One bidirectional fabric connection between two chips: `links` parallel Ethernet links. */
struct fabric_connection {
	uint16_t chip[2];
	uint16_t links;
};

/* The machine as the runtime sees it. The struct lives as long as the cluster. */
struct cluster_info {
	const char *platform; /* name of the platform, for example "tgg" */
	uint16_t chip_count;
	const struct chip_info *chips;
	uint16_t mesh_rows, mesh_columns; /* size of the physical mesh */
	uint32_t connection_count;
	const struct fabric_connection *connections;
	uint32_t fabric_channels;     /* number of virtual channels of every link */
	uint32_t fabric_packet_bytes; /* maximum bytes of payload in one fabric packet */
	/* NULL if the fabric ends at this cluster. If links join this cluster to clusters of other
	 * hosts, this struct describes the chips of all these clusters, and its own member
	 * `machine` is NULL. Chip 0 of this cluster has the number `machine_first` there. */
	const struct cluster_info *machine;
	uint16_t machine_first;
	uint32_t clock_mhz; /* highest clock frequency of the chips (Fmax); 0: unknown. It is
			     * unknown in a struct that was received from another host
			     * (wire/system_file.h) */
};

/* A route over the fabric from a source chip to one or more chips, as a tree of hops.
 * runtime/fabric makes the trees. A tree has at most one node per chip, and node 0 is the source.
 * After its first use, a tree must not change, and it must outlive the packets that use it. */
struct fabric_node {
	uint16_t chip;
	uint16_t parent;      /* index of the parent, which is lower than the node's own index;
			       * 0 for node 0 */
	uint16_t first_child; /* index of the first child; the children are consecutive nodes */
	uint16_t child_count;
	bool deliver; /* packets are delivered on this chip (never on node 0) */
};

/* The cycles (rings) of links that the trees of a traffic pattern form together. Two rules prevent
 * a deadlock on a ring. Packets on the ring have priority over packets that want to enter. A packet
 * may enter only if a free slot remains. */
enum fabric_cycle {
	FABRIC_CYCLE_NONE,  /* no cycle, except for cycles of the fabric's topology */
	FABRIC_CYCLE_WAY,   /* a ring along the route of the tree */
	FABRIC_CYCLE_LINES, /* rings along rows and columns */
};

struct fabric_tree {
	uint16_t node_count;
	uint16_t deliver_count;
	uint8_t channel; /* number of the virtual channel, 0 by default */
	uint8_t lane;	 /* number of the parallel link that every hop uses, from 1; 0: any link */
	enum fabric_cycle cycle;
	bool flush;	 /* true: a packet that writes and increments does the increment only
			  * after its write is complete */
	bool of_machine; /* true: the nodes contain chip numbers of cluster_info.machine, so the
			  * tree may lead to chips of other hosts; the source is a chip of this
			  * cluster */
	const struct fabric_node *nodes;
	/* if this tree is a copy of another tree on another virtual channel: the other tree;
	 * otherwise NULL. The copy uses the same parallel links */
	struct fabric_tree *beside;
	void *route; /* data of the device implementation; NULL until the tree is first used;
		      * fabric_tree_forget() frees them */
};

/* A rectangle of the logical worker grid. The corners belong to it. */
struct worker_rect {
	uint8_t column0, row0, column1, row1;
};

/* One target of a packed write. */
struct packed_target {
	uint16_t tile;
};

struct device;	/* opaque: one chip */
struct cluster; /* opaque: all chips, and the window of host memory */

enum { CHARGE_OF_KERNEL = 255 };

struct device_ops {
	const char *name; /* name of the implementation, "sim" or "native" */

	/* ---- the machine ---- */

	/* Returns the description of the machine, which is valid until the cluster is freed. */
	const struct cluster_info *(*info)(const struct cluster *cluster);

	/* Returns the handle of chip `chip`, which must exist. The handle belongs to the
	 * cluster. */
	struct device *(*chip)(struct cluster *cluster, uint16_t chip);

	/* Return the number of the chip in its cluster, and the cluster. */
	uint16_t (*number)(const struct device *device);
	struct cluster *(*cluster_of)(const struct device *device);

	/* Attaches a stage. From now on, the scheduler calls its begin(). The stage belongs to the
	 * caller and must live until the cluster is freed. Called from a host thread. */
	void (*stage_start)(struct device *device, struct stage *stage);

	/* Detaches a stage that has ended, or that is idle and has no pending operation. The
	 * scheduler no longer calls the stage's begin(); this is like a processor that is held in
	 * reset. The stage must still live until the cluster is freed. Called from a host thread
	 * that has drained the cluster, or that knows that the stage has ended. Takes no simulated
	 * time. */
	void (*stage_stop)(struct device *device, struct stage *stage);

	/* Zeroes [address, address + length) of a tile's memory. Stages that the same thread starts
	 * later see the zeros. Takes no simulated time and uses no PCIe, because it is part of the
	 * start-up, which is not timed. */
	void (*clear)(struct device *device, uint16_t tile, uint32_t address, uint32_t length);

	/* Blocks the calling host thread until no operation is pending, and every started stage has
	 * ended or is idle. Returns OK, or TIMEOUT at the absolute deadline. */
	enum status (*drain)(struct cluster *cluster, int64_t deadline_ns);

	/* Frees the data that the device implementation has stored for this tree (tree->route). No
	 * packet may be travelling along the tree. */
	void (*fabric_tree_forget)(struct fabric_tree *tree);

	/* ---- host side: called from host threads ---- */

	/* Reserves `bytes` bytes of pinned host memory in the window, in whole pages, which are
	 * zeroed. Sets *address to the start of the memory. It stays reserved until
	 * window_release(), or until the cluster is freed. Reports show `name`. Returns OK, or
	 * NO_MEMORY if the platform's window is full. */
	enum status (*window_reserve)(
		struct cluster *cluster, const char *name, uint64_t bytes, uint64_t *address);

	/* Releases the `bytes` bytes that were reserved at `address`. After this call, no stage or
	 * thread may use them. */
	void (*window_release)(struct cluster *cluster, uint64_t address, uint64_t bytes);

	/* Stores `span` in the window, for the host. The caller keeps its reference, and must
	 * charge the copy with work_copy(). */
	void (*window_write)(struct cluster *cluster, uint64_t address, struct span span);

	/* Returns a pointer to reserved bytes of the window. The caller can store directly to these
	 * bytes. Returns NULL if the caller must use window_write() instead. */
	uint8_t *(*window_bytes)(struct cluster *cluster, uint64_t address, uint64_t bytes);

	/* Loads bytes from the window, for the host. Returns OK, or ELIDED if the bytes are not
	 * simulated. */
	enum status (*window_read)(
		struct cluster *cluster, uint64_t address, uint32_t length, void *out);

	/* Reads or stores one aligned word of the window. */
	uint32_t (*window_word)(struct cluster *cluster, uint64_t address);
	void (*window_set_word)(struct cluster *cluster, uint64_t address, uint32_t value);

	/* Blocks until (int32_t)(word - value) >= 0 for the word at `address`. First settles the
	 * account, and charges WORK_POLL each time it reads the word. Returns OK, or TIMEOUT if the
	 * deadline has passed. If the deadline has passed before the call, still reads the word
	 * once. Stall reports show `what`. Several threads may wait for the same word. */
	enum status (*window_wait)(struct cluster *cluster, uint64_t address, uint32_t value,
		int64_t deadline_ns, enum wait_mode mode, const char *what);

	/* Posts a PCIe write of one word (a doorbell). First lets the time pass that was charged
	 * to the calling thread. Returns when the write has left the core. The chip must have
	 * PCIe. */
	void (*post_word)(struct device *device, uint16_t tile, uint32_t address, uint32_t value);

	/* Posts a PCIe write of bulk data through the chip's mapped window. First lets the time
	 * pass that was charged to the calling thread. */
	void (*post)(struct device *device, uint16_t tile, uint32_t address, struct span span);

	/* Reads `length` bytes over PCIe into `out`. This is expensive, because it blocks the host
	 * thread for the whole round trip. Returns OK, or ELIDED if the bytes are not simulated. */
	enum status (*peek)(
		struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out);

	/* ---- inspection, for tests and checks of results: takes no time and changes nothing.
	 * Allowed only while the cluster is drained. ---- */
	enum status (*inspect)(
		struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out);

	/* ---- firmware side, own tile: called from begin() (loads) and commit() (all) ---- */

	/* Returns a word of the stage's own L1. `address` must be aligned and below word_bytes. */
	uint32_t (*word)(const struct stage *stage, uint32_t address);
	void (*set_word)(struct stage *stage, uint32_t address, uint32_t value);

	/* Copies bytes from the stage's own L1. Returns OK, or ELIDED if some of the bytes are not
	 * simulated. If `out` is NULL, copies nothing and only returns the status. */
	enum status (*load)(
		const struct stage *stage, uint32_t address, uint32_t length, void *out);

	/* Returns a span with bytes of the stage's own L1, if possible without a copy. The caller
	 * releases the span. */
	struct span (*view)(const struct stage *stage, uint32_t address, uint32_t length);

	/* Returns a number that identifies the bytes at [address, address + length) of the stage's
	 * own L1. If two stages of one chip get the same number for the same range, even at
	 * different times, their bytes in the range are equal. Returns 0 if no multicast wrote the
	 * bytes, or if other bytes were written into the range since then on any tile that the
	 * multicast reached. */
	uint64_t (*shared)(const struct stage *stage, uint32_t address, uint32_t length);

	/* Stores a few bytes, or a span, into the stage's own L1. The destination may be bulk or
	 * words. */
	void (*store)(struct stage *stage, uint32_t address, const void *bytes, uint32_t length);
	void (*store_span)(struct stage *stage, uint32_t address, struct span span);

	/* Converts `ps` picoseconds (>= 0) to whole cycles of the stage's processor. If the time of
	 * stages is not simulated, always returns 0. */
	int64_t (*cycles)(const struct stage *stage, int64_t ps);

	/* ---- firmware side, accounts: called from begin() ---- */

	/* Records that `price` thousandths of a cycle are spent for cost number `cost`. They are a
	 * part of the cycles that the current begin() returns; the call adds no cycles to these.
	 * The firmware defines the cost numbers, except CHARGE_OF_KERNEL, which is the cost of the
	 * program. */
	void (*charge)(uint32_t cost, uint64_t price);

	/* bill() records the charges that the current begin() has made so far, and returns a number
	 * for the record; 0 if the record cannot be stored. charge_bill() makes all charges of a
	 * record again in one call. */
	uint32_t (*bill)(void);
	void (*charge_bill)(uint32_t bill);

	/* Records that the step began before the current begin(): the charges that follow may be
	 * longer than the cycles that begin() returns. What happened since the step began then
	 * counts as hidden behind it. Call it before these charges. */
	void (*early)(void);

	/* noc_busy() returns how much longer the tile will need, when a further time `after` has
	 * passed, to send the data that were posted. It returns 0 if all data have left by then.
	 * noc_issue() returns the time that `count` writes of `bytes` bytes each need to leave the
	 * tile. All times are in thousandths of a cycle. Both functions record their results as
	 * charges of the NoC, and return 0 if the NoC is not timed. */
	uint64_t (*noc_busy)(const struct stage *stage, uint64_t after);
	uint64_t (*noc_issue)(const struct stage *stage, uint32_t bytes, uint32_t count);

	/* Returns the time that a multicast of `bytes` bytes needs to leave the tile, in
	 * thousandths of a cycle. This time is not recorded as a charge. */
	uint64_t (*noc_multicast_issue)(const struct stage *stage, uint32_t bytes);

	/* ---- firmware side, NoC: called from commit(). A function that gets a span keeps its own
	 * reference to it. writes_posted counts the writes that were posted, writes_done the writes
	 * that were acknowledged. reads_posted and reads_done count reads in the same way. ---- */

	void (*noc_write)(struct stage *stage, uint16_t tile, uint32_t address, struct span span);

	/* Makes `count` writes of `stride` bytes each; each of them counts as a write. Target i
	 * gets the `stride` bytes at i * stride of `span`, at `address`. A write can leave as soon
	 * as the stage has prepared it. The stage prepares a write every `pace` thousandths of a
	 * cycle, and has prepared the last one just now. */
	void (*noc_write_packed)(struct stage *stage, const struct packed_target *targets,
		uint32_t count, uint32_t address, uint32_t stride, struct span span, uint64_t pace);

	/* Multicasts to every worker tile of the rectangle. Counts as one write per tile. Only
	 * Tensix tiles can be reached (ISA NoC). */
	void (*noc_multicast)(
		struct stage *stage, struct worker_rect rect, uint32_t address, struct span span);

	/* noc_write_word() writes one word, and noc_increment() increments one word atomically. The
	 * word is on another tile or on the stage's own tile. */
	void (*noc_write_word)(
		struct stage *stage, uint16_t tile, uint32_t address, uint32_t value);
	void (*noc_increment)(struct stage *stage, uint16_t tile, uint32_t address, uint32_t delta);

	/* Works like noc_write() followed by noc_increment() of the word at `word` on the same
	 * tile. Counts as two writes. The data are visible no later than the increment, but perhaps
	 * not earlier. So a receiver may read them only after it has waited for the increment. */
	void (*noc_write_counted)(struct stage *stage, uint16_t tile, uint32_t address,
		struct span span, uint32_t word, uint32_t delta);

	/* Reads from another tile's L1 or DRAM bank into the stage's own L1. */
	void (*noc_read)(struct stage *stage, uint16_t tile, uint32_t address, uint32_t length,
		uint32_t local_address);

	/* ---- firmware side, PCIe: the chip must have it ---- */

	/* Reads from the host window into the stage's own L1. Several reads may be outstanding.
	 * Reads beyond the platform's limit are delayed. All reads of a stage over PCIe complete in
	 * order. */
	void (*pcie_read)(struct stage *stage, uint64_t host_address, uint32_t length,
		uint32_t local_address);

	/* Write to the host window. The writes are posted and arrive in order. They wake threads in
	 * window_wait(). A write may be acknowledged before the host sees it. */
	void (*pcie_write)(struct stage *stage, uint64_t host_address, struct span span);
	void (*pcie_write_word)(struct stage *stage, uint64_t host_address, uint32_t value);

	/* ---- firmware side, fabric ---- */

	/* Returns true if the local router can accept one more packet along `tree` now. Otherwise,
	 * begin() must return STAGE_BLOCKED with STAGE_WAIT_FABRIC. */
	bool (*fabric_ready)(const struct stage *stage, struct fabric_tree *tree);

	/* Sends one packet with the data `span`, of 0 to fabric_packet_bytes bytes. The data are
	 * written to (tile, address) on every chip to which the tree delivers. When they have
	 * arrived at a chip, the packet adds `delta` to the word at `increment_address` of the same
	 * tile (0: no increment). fabric_ready() must have returned true for this packet. The
	 * packet counts as one write, which is done when the local router has accepted the
	 * packet. */
	void (*fabric_write)(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
		uint32_t address, struct span span, uint32_t increment_address, uint32_t delta);

	/* Sends one packet in `count` equal parts, where `count` is 2 to FABRIC_PARTS_MAX. Part i
	 * is written to addresses[i]. Each part counts as a separate write at every receiver.
	 * span.length must be a multiple of `count`. */
	void (*fabric_scatter)(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
		const uint32_t *addresses, uint32_t count, struct span span);

	/* Reads `length` bytes, from 1 to fabric_packet_bytes, at (tile, address) of the chip at
	 * the end of `tree`, into the stage's own L1. The tree must deliver to this chip only. The
	 * request is a packet, for which fabric_ready() must have returned true. The bytes come
	 * back over the same links. The read counts as one read, and its request also as one write.
	 * The read returns what all earlier writes along the tree have written. Reads of different
	 * tiles may be done in any order. */
	void (*fabric_read)(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
		uint32_t address, uint32_t length, uint32_t local_address);
};

/* The device implementation of this process. Main sets it once, before any other call. */
extern const struct device_ops *device_row;

#endif
