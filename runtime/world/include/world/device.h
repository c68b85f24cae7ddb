/* The second seam: operations of the host and the firmware on chips. Operations are asynchronous: a
 * stage posts them, and their completion advances counters of that stage. There are two rows
 * (implementations): the chip model (model/chip) and the native emulator (functional, never timed).
 *
 * Addresses. A cluster has chips 0..n-1. A chip has tiles (Tensix, Ethernet, DRAM bank, PCIe, ARC),
 * numbered as in its geometry. The numbers are the same on every chip of one kind, and commands
 * name tiles by them. They play the part of virtual NoC coordinates, so one command stream serves
 * chips with different harvesting. Every Tensix and Ethernet tile has an L1, every DRAM tile a
 * bank. On-chip addresses have 32 bits. Each cluster has one window of host memory that devices may
 * access; its addresses have 64 bits.
 *
 * Words. The first `word_bytes` of every L1 are words: semaphores, ring pointers, doorbells, go
 * messages. Only writes and increments of words wake stages, and each arrives at its own exact
 * time. The memory above the words is bulk: it is written by reference. If a stage writes to bulk
 * and then posts a word to the same tile, the bulk data are visible no later than the word.
 *
 * Elided payloads (base/extent.h) have a length but no bytes. In a copy, elided bytes stay elided
 * and real bytes stay real. But if a view() touches an elided byte, the whole view is elided. Words
 * are never elided.
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

/* The host window is allocated in pages of the host. */
enum { WINDOW_PAGE_BYTES = 4096 };

/* `bytes`, rounded up to whole pages. */
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
 * their workers in the same way; tile_info gives the coordinates of each tile. The maker of the
 * cluster owns the geometry, which lives as long as the cluster. */
struct chip_geometry {
	uint16_t tile_count;
	const struct tile_info *tiles;
	uint16_t noc_columns, noc_rows;
	const uint16_t *tile_at; /* [y * noc_columns + x] -> tile there, or TILE_AT_NONE */
	uint16_t worker_columns, worker_rows; /* logical worker grid, after harvesting */
	const uint16_t *worker_tiles;	      /* [row * columns + column] -> tile, may include tiles
					       * used for dispatch; see dispatch_tiles */
	uint16_t dispatch_tile_count;
	const uint16_t *dispatch_tiles; /* tiles reserved for dispatch firmware, outside of the
					 * grid: Tensix or Ethernet */
	uint16_t ethernet_count;
	const uint16_t *ethernet_tiles; /* tiles with links first, in order of channels */
	uint16_t idle_ethernet_count;
	const uint16_t *idle_ethernet_tiles; /* Ethernet tiles without a link on any chip of this
					      * geometry, including those reserved for dispatch */
	uint16_t dram_bank_count;
	const uint16_t *dram_tiles; /* [bank] -> tile */
	uint16_t pcie_tile;
	uint32_t l1_bytes;	    /* bytes of the L1 of a Tensix tile */
	uint32_t ethernet_l1_bytes; /* bytes of the L1 of an Ethernet tile */
	uint64_t dram_bank_bytes;   /* at most 4 GiB: bank addresses have 32 bits */
	uint32_t word_bytes;	    /* bytes of words at the start of every L1, see above */
	uint32_t worker_l1_base; /* first byte of a worker's L1 that programs and buffers may use */
};

/* Returns the number of bytes of a DRAM bank that commands can reach. Addresses and end addresses
 * in commands have 32 bits (ExecuteTraceCmd of spec 3.12.2.2 and similar commands). */
static inline uint64_t dram_bank_reach(const struct chip_geometry *geometry)
{
	return geometry->dram_bank_bytes < UINT32_MAX ? geometry->dram_bank_bytes : UINT32_MAX;
}

/* Bytes of a tile's memory, which is its L1 or its DRAM bank; 0 if it has none. */
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

/* Bytes of words at the start of a tile's memory; 0 if that memory is not an L1. */
static inline uint32_t tile_word_bytes(const struct chip_geometry *geometry, uint16_t tile)
{
	enum tile_kind kind = geometry->tiles[tile].kind;

	return kind == TILE_TENSIX || kind == TILE_ETHERNET ? geometry->word_bytes : 0;
}

enum { CHIP_NONE = 0xffff, TILE_AT_NONE = 0xffff, FABRIC_PARTS_MAX = 4 };

/* One chip of a cluster. */
struct chip_info {
	const struct chip_geometry *geometry;
	bool has_pcie;	  /* the host can reach it directly */
	uint16_t gateway; /* chip with PCIe through which the host reaches it; itself if has_pcie */
	int16_t mesh_row, mesh_column; /* position in the physical mesh, -1 for gateway-only
					* chips */
	uint16_t host;		       /* server that holds it */
};

/* One bidirectional fabric connection between two chips: `links` parallel Ethernet links. */
struct fabric_connection {
	uint16_t chip[2];
	uint16_t links;
};

/* The machine as the runtime sees it. It lives as long as the cluster. */
struct cluster_info {
	const char *platform; /* "tgg" */
	uint16_t chip_count;
	const struct chip_info *chips;
	uint16_t mesh_rows, mesh_columns; /* size of the physical mesh */
	uint32_t connection_count;
	const struct fabric_connection *connections;
	uint32_t fabric_channels;     /* virtual channels of every link */
	uint32_t fabric_packet_bytes; /* largest payload of one fabric packet */
};

/* A route over the fabric from a source chip to one or more chips. It is a tree of hops, made by
 * runtime/fabric, with at most one node per chip. Node 0 is the source. A tree is immutable once it
 * is used, and outlives the packets that use it. */
struct fabric_node {
	uint16_t chip;
	uint16_t parent;      /* index of a node before this one; 0 for node 0 */
	uint16_t first_child; /* children are consecutive nodes */
	uint16_t child_count;
	bool deliver; /* packets are delivered on this chip (never on node 0) */
};

/* How the trees of one traffic pattern form a cycle. On a ring, packets that are already on it go
 * before packets that enter, and a packet that enters leaves a slot free. This prevents
 * deadlock. */
enum fabric_cycle {
	FABRIC_CYCLE_NONE,  /* no cycle beyond the topology of the fabric */
	FABRIC_CYCLE_WAY,   /* a ring along the tree's own route */
	FABRIC_CYCLE_LINES, /* rings along rows and columns */
};

struct fabric_tree {
	uint16_t node_count;
	uint16_t deliver_count;
	uint8_t channel; /* virtual channel, 0 by default */
	uint8_t lane;	 /* which of the parallel links every hop uses, from 1; 0: any */
	enum fabric_cycle cycle;
	bool flush; /* an increment waits until its write is flushed, which orders it to any tile */
	const struct fabric_node *nodes;
	struct fabric_tree *beside; /* a tree with the same nodes that uses the same parallel links;
				     * or NULL */
	void *route; /* private to the device row. NULL until the tree is first used; freed by
		      * fabric_tree_forget */
};

/* Rectangle of the logical worker grid, corners included. */
struct worker_rect {
	uint8_t column0, row0, column1, row1;
};

/* One destination of a packed write. */
struct packed_target {
	uint16_t tile;
};

struct device;	/* opaque: one chip */
struct cluster; /* opaque: all chips, and the window of host memory */

enum { CHARGE_OF_KERNEL = 255 };

struct device_ops {
	const char *name; /* "sim" or "native" */

	/* ---- the machine ---- */

	/* Description of the machine; valid until the cluster is freed. */
	const struct cluster_info *(*info)(const struct cluster *cluster);

	/* Handle of chip `chip`, which must exist. Belongs to the cluster. */
	struct device *(*chip)(struct cluster *cluster, uint16_t chip);

	/* The number of this chip in its cluster, and the cluster. */
	uint16_t (*number)(const struct device *device);
	struct cluster *(*cluster_of)(const struct device *device);

	/* Attaches a stage. From now on the scheduler calls its begin(). The stage belongs to the
	 * caller and must live until the cluster is freed. Called from a host thread. */
	void (*stage_start)(struct device *device, struct stage *stage);

	/* Detaches a stage that has ended, or a stage that idles and has no operation under way.
	 * The scheduler no longer calls its begin(), as if its processor were held in reset. The
	 * stage must still live until the cluster is freed. Called from a host thread that has
	 * drained the cluster or knows that the stage has ended. Takes no time. */
	void (*stage_stop)(struct device *device, struct stage *stage);

	/* Zeroes [address, address + length) of a tile's memory. Stages that the same thread starts
	 * later see the zeros. Takes no time and needs no PCIe; it is for an untimed bring-up. */
	void (*clear)(struct device *device, uint16_t tile, uint32_t address, uint32_t length);

	/* Blocks the calling host thread until every started stage has ended or is idle and no
	 * operation is under way. Returns OK, or TIMEOUT at the absolute deadline. */
	enum status (*drain)(struct cluster *cluster, int64_t deadline_ns);

	/* Frees the data that the row keeps for this tree (tree->route). No packet may be under way
	 * along the tree. */
	void (*fabric_tree_forget)(struct fabric_tree *tree);

	/* ---- host side: called from host threads ---- */

	/* Reserves `bytes` of pinned host memory in the window (whole pages, zeroed), until they
	 * are released or the cluster is freed. `name` is for reports. Returns NO_MEMORY if the
	 * platform's window is full. */
	enum status (*window_reserve)(
		struct cluster *cluster, const char *name, uint64_t bytes, uint64_t *address);

	/* Releases the `bytes` bytes reserved at `address`. From now on, no stage or thread may use
	 * them. */
	void (*window_release)(struct cluster *cluster, uint64_t address, uint64_t bytes);

	/* Stores `span` into the window, for the host. Does not take over the caller's reference.
	 * The caller charges the copy with work_copy. */
	void (*window_write)(struct cluster *cluster, uint64_t address, struct span span);

	/* Returns the address, in this process, of reserved bytes of the window, so that the caller
	 * can store into them directly. Returns NULL if only window_write() can store into them. */
	uint8_t *(*window_bytes)(struct cluster *cluster, uint64_t address, uint64_t bytes);

	/* Loads bytes from the window, for the host. ELIDED if the bytes are not simulated. */
	enum status (*window_read)(
		struct cluster *cluster, uint64_t address, uint32_t length, void *out);

	/* Reads or stores one aligned word of the window. */
	uint32_t (*window_word)(struct cluster *cluster, uint64_t address);
	void (*window_set_word)(struct cluster *cluster, uint64_t address, uint32_t value);

	/* Blocks until (int32_t)(word - value) >= 0. Settles first, and charges WORK_POLL for each
	 * look at the word. Returns OK or TIMEOUT; if the deadline has passed, it looks once.
	 * `what` is for stall reports. Several threads may wait for one word. */
	enum status (*window_wait)(struct cluster *cluster, uint64_t address, uint32_t value,
		int64_t deadline_ns, enum wait_mode mode, const char *what);

	/* Posts a PCIe write of one word (a doorbell). Settles first, and returns when the write
	 * has left the core. The chip must have PCIe. */
	void (*post_word)(struct device *device, uint16_t tile, uint32_t address, uint32_t value);

	/* Posts a PCIe write of bulk data through the chip's mapped window. Settles first. */
	void (*post)(struct device *device, uint16_t tile, uint32_t address, struct span span);

	/* Reads by PCIe. Blocks the host thread for the round trip, so it is expensive. Returns
	 * ELIDED if the bytes are not simulated. */
	enum status (*peek)(
		struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out);

	/* ---- inspection, for tests and read-back checks: takes no time and changes nothing. Call
	 * it only while the cluster is drained. ---- */
	enum status (*inspect)(
		struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out);

	/* ---- firmware side, own tile: called from begin() (loads) and commit() (all) ---- */

	/* Word of the stage's own L1; address below word_bytes, aligned. */
	uint32_t (*word)(const struct stage *stage, uint32_t address);
	void (*set_word)(struct stage *stage, uint32_t address, uint32_t value);

	/* Copies from the stage's own L1. ELIDED if some bytes are not simulated. */
	enum status (*load)(
		const struct stage *stage, uint32_t address, uint32_t length, void *out);

	/* Returns a span of the stage's own L1, by reference where possible. The caller releases
	 * it. */
	struct span (*view)(const struct stage *stage, uint32_t address, uint32_t length);

	/* Returns a number that stands for the bytes of the stage's own L1 at [address, address +
	 * length). If two stages of one chip get the same number for the same range, at any two
	 * times, they load the same bytes. Returns 0 unless a multicast wrote the bytes. Also
	 * returns 0 if any tile that the multicast reached has bytes of its own in the range. */
	uint64_t (*shared)(const struct stage *stage, uint32_t address, uint32_t length);

	/* Stores a few bytes, or a span, into the stage's own L1, bulk or words. */
	void (*store)(struct stage *stage, uint32_t address, const void *bytes, uint32_t length);
	void (*store_span)(struct stage *stage, uint32_t address, struct span span);

	/* ---- firmware side, accounts: called from begin() ---- */

	/* Attributes `price` thousandths of a cycle to `cost`, out of the cycles that this begin()
	 * returns. `cost` is a number that the firmware defines, or CHARGE_OF_KERNEL for the cost
	 * of the program. This call only explains time; it does not add any. */
	void (*charge)(uint32_t cost, uint64_t price);

	/* bill() stores the charges of this begin() so far, and returns a number for them, or 0 if
	 * they cannot be stored. charge_bill() makes the same charges again in one call. */
	uint32_t (*bill)(void);
	void (*charge_bill)(uint32_t bill);

	/* ---- firmware side, NoC: called from commit(). The row takes its own reference to spans.
	 * writes_posted counts writes that were posted, writes_done writes that were acknowledged.
	 * Reads are counted in the same way. ---- */

	void (*noc_write)(struct stage *stage, uint16_t tile, uint32_t address, struct span span);

	/* Makes `count` writes of `stride` bytes each, and counts as `count` writes. Target i gets
	 * span[i * stride, stride) at `address`. The stage has prepared one write every
	 * `pace_cycles`, the last one just now. Each write could leave as soon as it was ready. */
	void (*noc_write_packed)(struct stage *stage, const struct packed_target *targets,
		uint32_t count, uint32_t address, uint32_t stride, struct span span,
		uint64_t pace_cycles);

	/* Multicasts to every worker tile of the rectangle. Counts as one write per tile. Only
	 * Tensix tiles can be reached (ISA NoC). */
	void (*noc_multicast)(
		struct stage *stage, struct worker_rect rect, uint32_t address, struct span span);

	/* Write one word, or atomically increment one word, of another tile or of the stage's own
	 * tile. */
	void (*noc_write_word)(
		struct stage *stage, uint16_t tile, uint32_t address, uint32_t value);
	void (*noc_increment)(struct stage *stage, uint16_t tile, uint32_t address, uint32_t delta);

	/* Reads from another tile's L1 or DRAM bank into the stage's own L1. */
	void (*noc_read)(struct stage *stage, uint16_t tile, uint32_t address, uint32_t length,
		uint32_t local_address);

	/* ---- firmware side, PCIe: the chip must have it ---- */

	/* Reads the host window into the stage's own L1. Several reads may be outstanding; reads
	 * beyond the platform's limit are delayed. The reads of one stage complete in order. */
	void (*pcie_read)(struct stage *stage, uint64_t host_address, uint32_t length,
		uint32_t local_address);

	/* Writes to the host window. Writes are posted, arrive in order, wake window_wait, and are
	 * acknowledged early. */
	void (*pcie_write)(struct stage *stage, uint64_t host_address, struct span span);
	void (*pcie_write_word)(struct stage *stage, uint64_t host_address, uint32_t value);

	/* ---- firmware side, fabric ---- */

	/* Returns true if the local router accepts one more packet along `tree` now. If it returns
	 * false, begin() must return STAGE_BLOCKED with STAGE_WAIT_FABRIC. */
	bool (*fabric_ready)(const struct stage *stage, struct fabric_tree *tree);

	/* Sends one packet: `span` (0 to fabric_packet_bytes) goes to (tile, address) of every chip
	 * to which the tree delivers. After its bytes have arrived, the same packet increases the
	 * word at `increment_address` of that tile by `delta` (0: no increment). fabric_ready must
	 * have returned true for this packet. The packet counts as one write, which is done when
	 * the local router has accepted it. */
	void (*fabric_write)(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
		uint32_t address, struct span span, uint32_t increment_address, uint32_t delta);

	/* Sends one packet in `count` (2 to FABRIC_PARTS_MAX) equal parts: part i goes to
	 * addresses[i]. Each part is one more write at every receiver. span.length is a multiple of
	 * count. */
	void (*fabric_scatter)(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
		const uint32_t *addresses, uint32_t count, struct span span);
};

/* The device row of this process, set once by main before any other call. */
extern const struct device_ops *device_row;

#endif
