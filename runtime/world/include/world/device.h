/* The second seam: what the host and the firmware do to chips. Asynchronous:
 * operations are posted, and their completion moves counters of the stage that posted them. Two
 * rows: the chip model (model/chip) and the native emulator (functional, never timed).
 *
 * Addresses. A cluster has chips 0..n-1. A chip has tiles (Tensix, Ethernet, DRAM bank, PCIe, ARC)
 * numbered as in its geometry, the same on every chip of one kind: commands name tiles by this
 * number, which plays the part of the virtual NoC coordinate, so that one command stream serves
 * differently harvested chips. Every Tensix and Ethernet tile has an L1, every DRAM tile a bank.
 * On-chip addresses have 32 bits. Host memory that devices may access is one window per cluster
 * with 64-bit addresses.
 *
 * Words. The first `word_bytes` of every L1 are words: semaphores, ring pointers, doorbells, go
 * messages. Only writes and increments there wake stages, and each arrives at its own exact time.
 * Everything above is bulk: written by reference, visible not later than any word posted
 * afterwards by the same stage to the same tile.
 *
 * Elided payloads (base/extent.h) have a length but no bytes. They stay apart from real bytes,
 * byte for byte, wherever they are copied to; only a view() that touches one is elided as a
 * whole. Words are never elided.
 *
 * Ordering. Operations of one stage to one destination tile (over the NoC), or along one fabric
 * tree, arrive in the order in which they were posted. Nothing else is ordered. */
#ifndef WORLD_DEVICE_H
#define WORLD_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/extent.h"
#include "base/status.h"
#include "world/stage.h"
#include "world/world.h"

/* The host window is given out in pages of the host. */
enum { WINDOW_PAGE_BYTES = 4096 };

/* `bytes` up to whole pages. */
static inline uint64_t window_pages(uint64_t bytes)
{
	return (bytes + WINDOW_PAGE_BYTES - 1) / WINDOW_PAGE_BYTES * WINDOW_PAGE_BYTES;
}

enum tile_kind { TILE_TENSIX, TILE_ETHERNET, TILE_DRAM, TILE_PCIE, TILE_OTHER };

struct tile_info {
	enum tile_kind kind;
	uint8_t x, y; /* NoC coordinates */
};

/* The shape of a chip. Tiles have virtual numbers: chips whose harvested rows differ number their
 * workers alike, and tile_info says where they are. Open value, owned by whoever made the cluster;
 * lives as long as it. */
struct chip_geometry {
	uint16_t tile_count;
	const struct tile_info *tiles;
	uint16_t noc_columns, noc_rows;
	const uint16_t *tile_at; /* [y * noc_columns + x] -> tile there, or TILE_AT_NONE */
	uint16_t worker_columns, worker_rows; /* logical worker grid, after harvesting */
	const uint16_t *worker_tiles;	      /* [row * columns + column] -> tile, may include tiles
						 that dispatch takes; see dispatch_tiles */
	uint16_t dispatch_tile_count;
	const uint16_t *dispatch_tiles; /* tiles set aside for dispatch firmware, not in the grid:
					   Tensix or Ethernet */
	uint16_t ethernet_count;
	const uint16_t *ethernet_tiles; /* those of links first, in the order of channels */
	uint16_t idle_ethernet_count;
	const uint16_t *idle_ethernet_tiles; /* Ethernet tiles that no link uses, on any chip of
						this geometry; those set aside for dispatch too */
	uint16_t dram_bank_count;
	const uint16_t *dram_tiles; /* [bank] -> tile */
	uint16_t pcie_tile;
	uint32_t l1_bytes;	    /* of a Tensix tile */
	uint32_t ethernet_l1_bytes; /* of an Ethernet tile */
	uint64_t dram_bank_bytes;   /* at most 4 GiB: bank addresses have 32 bits */
	uint32_t word_bytes;	    /* words at the start of every L1, see above */
	uint32_t worker_l1_base; /* first byte of a worker's L1 that programs and buffers may use */
};

/* Bytes of a DRAM bank that commands reach: addresses in it, and ends, have 32 bits
 * (ExecuteTraceCmd of spec 3.12.2.2 and its like). */
static inline uint64_t dram_bank_reach(const struct chip_geometry *geometry)
{
	return geometry->dram_bank_bytes < UINT32_MAX ? geometry->dram_bank_bytes : UINT32_MAX;
}

/* Bytes of memory in a tile: of its L1 or DRAM bank; 0 if it has none. */
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

/* Bytes of words at the start of that memory: 0 if it is no L1. */
static inline uint32_t tile_word_bytes(const struct chip_geometry *geometry, uint16_t tile)
{
	enum tile_kind kind = geometry->tiles[tile].kind;

	return kind == TILE_TENSIX || kind == TILE_ETHERNET ? geometry->word_bytes : 0;
}

enum { CHIP_NONE = 0xffff, TILE_AT_NONE = 0xffff, FABRIC_PARTS_MAX = 4 };

/* One chip of a cluster: open description. */
struct chip_info {
	const struct chip_geometry *geometry;
	bool has_pcie;	  /* host can reach it directly */
	uint16_t gateway; /* chip with PCIe through which the host reaches it; itself if has_pcie */
	int16_t mesh_row, mesh_column; /* place in the physical mesh, -1 for gateway-only chips */
	uint16_t host;		       /* server that holds it */
};

/* One bidirectional fabric connection between two chips: `links` parallel Ethernet links. */
struct fabric_connection {
	uint16_t chip[2];
	uint16_t links;
};

/* What the runtime may know of the machine. Open value; lives as long as the cluster. */
struct cluster_info {
	const char *platform; /* "tgg" */
	uint16_t chip_count;
	const struct chip_info *chips;
	uint16_t mesh_rows, mesh_columns; /* of the physical mesh */
	uint32_t connection_count;
	const struct fabric_connection *connections;
	uint32_t fabric_channels;     /* virtual channels of every link */
	uint32_t fabric_packet_bytes; /* largest payload of one fabric packet */
};

/* A way over the fabric from a source chip to one or several chips: a tree of hops, made by
 * runtime/fabric, at most one node per chip. Node 0 is the source. Immutable once used; outlives
 * its packets. */
struct fabric_node {
	uint16_t chip;
	uint16_t parent;      /* index of a node before this one; 0 for node 0 */
	uint16_t first_child; /* children are consecutive nodes */
	uint16_t child_count;
	bool deliver; /* packets are delivered on this chip (never on node 0) */
};

/* What the trees of a traffic close between them: packets go on round a ring before others enter
 * it, and those leave it a free slot. */
enum fabric_cycle {
	FABRIC_CYCLE_NONE,  /* nothing more than the topology of the fabric */
	FABRIC_CYCLE_WAY,   /* a ring along the way of the tree */
	FABRIC_CYCLE_LINES, /* rings along rows and columns */
};

struct fabric_tree {
	uint16_t node_count;
	uint16_t deliver_count;
	uint8_t channel; /* virtual channel, 0 by default */
	uint8_t lane;	 /* of every hop's parallel links, the one to keep to, from 1; 0: any */
	enum fabric_cycle cycle;
	bool flush; /* an increment waits until its write is flushed: order to any tile */
	const struct fabric_node *nodes;
	struct fabric_tree *beside; /* of the same nodes: takes the same of parallel links; or NULL
				     */
	void *route; /* belongs to the device row: NULL at first, made on first use, freed by
		      fabric_tree_forget */
};

/* Rectangle of the logical worker grid, inclusive corners. */
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

	/* Handle of chip `chip` (must exist). Belongs to the cluster. */
	struct device *(*chip)(struct cluster *cluster, uint16_t chip);

	/* Number of this chip in its cluster, and its cluster. */
	uint16_t (*number)(const struct device *device);
	struct cluster *(*cluster_of)(const struct device *device);

	/* Attaches a stage: it is asked from now on. The stage belongs to the caller and must live
	 * until the cluster is freed. Called from a host thread. */
	void (*stage_start)(struct device *device, struct stage *stage);

	/* Detaches a stage that was started and has ended or idles, with nothing of it under way:
	 * it is not asked again, as if its processor were held in reset. The stage still lives
	 * until the cluster is freed. Called from a host thread: one that has drained the cluster,
	 * unless it knows that the stage has ended. Takes no time. */
	void (*stage_stop)(struct device *device, struct stage *stage);

	/* Zeroes [address, address + length) of a tile's memory, before stages that are started
	 * later by the same thread see it. For bring-up that is not timed: takes no time, and needs
	 * no PCIe. */
	void (*clear)(struct device *device, uint16_t tile, uint32_t address, uint32_t length);

	/* Blocks the calling host thread until every started stage has ended or is idle, and
	 * nothing is under way. OK, or TIMEOUT at the absolute deadline. */
	enum status (*drain)(struct cluster *cluster, int64_t deadline_ns);

	/* Drops what the row keeps for this tree (tree->route). Nothing may be under way along it.
	 */
	void (*fabric_tree_forget)(struct fabric_tree *tree);

	/* ---- host side: called from host threads ---- */

	/* Reserves `bytes` of pinned host memory in the window (whole pages, zeroed). `name`
	 * is for reports. NO_MEMORY when the platform's window is full. Lives until it is released,
	 * or as long as the cluster. */
	enum status (*window_reserve)(
		struct cluster *cluster, const char *name, uint64_t bytes, uint64_t *address);

	/* Gives back what was reserved at `address`, of that many bytes. Nobody may use it any
	 * more: no stage, no thread. */
	void (*window_release)(struct cluster *cluster, uint64_t address, uint64_t bytes);

	/* The host's own store into the window. Takes no reference from the caller. The caller
	 * charges the copy itself with work_copy. */
	void (*window_write)(struct cluster *cluster, uint64_t address, struct span span);

	/* Reserved bytes of the window where the host's stores reach them; NULL: window_write()
	 * alone does. */
	uint8_t *(*window_bytes)(struct cluster *cluster, uint64_t address, uint64_t bytes);

	/* The host's own load from the window. ELIDED if the bytes are not simulated. */
	enum status (*window_read)(
		struct cluster *cluster, uint64_t address, uint32_t length, void *out);

	/* One aligned word of the window. */
	uint32_t (*window_word)(struct cluster *cluster, uint64_t address);
	void (*window_set_word)(struct cluster *cluster, uint64_t address, uint32_t value);

	/* Blocks until (int32_t)(word - value) >= 0. Settles first. Charges WORK_POLL for looks. OK
	 * or TIMEOUT; once the deadline has passed it is one look. `what` is for stall reports.
	 * Several threads may wait on one word. */
	enum status (*window_wait)(struct cluster *cluster, uint64_t address, uint32_t value,
		int64_t deadline_ns, enum wait_mode mode, const char *what);

	/* Posted PCIe write of one word (doorbell). Settles first; returns when the write has left
	 * the core. The chip must have PCIe. */
	void (*post_word)(struct device *device, uint16_t tile, uint32_t address, uint32_t value);

	/* Posted PCIe write of bulk data through the mapped window of the chip. Settles first. */
	void (*post)(struct device *device, uint16_t tile, uint32_t address, struct span span);

	/* PCIe read by the host: blocks for the round trip; expensive. ELIDED as above. */
	enum status (*peek)(
		struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out);

	/* ---- inspection: takes no time, changes nothing; for tests and read-back checks. Only
	 * while the cluster is drained. ---- */
	enum status (*inspect)(
		struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out);

	/* ---- firmware side, own tile: called from begin() (loads) and commit() (all) ---- */

	/* Word of the stage's own L1; address below word_bytes, aligned. */
	uint32_t (*word)(const struct stage *stage, uint32_t address);
	void (*set_word)(struct stage *stage, uint32_t address, uint32_t value);

	/* Copies from own L1. ELIDED if some bytes are not simulated. */
	enum status (*load)(
		const struct stage *stage, uint32_t address, uint32_t length, void *out);

	/* Own L1 as a span with a reference that the caller releases; by reference where possible.
	 */
	struct span (*view)(const struct stage *stage, uint32_t address, uint32_t length);

	/* Local stores of a few bytes, or of a span, into own L1 bulk or words. */
	void (*store)(struct stage *stage, uint32_t address, const void *bytes, uint32_t length);
	void (*store_span)(struct stage *stage, uint32_t address, struct span span);

	/* ---- firmware side, accounts: called from begin() ---- */

	/* The answer of this begin() includes `price` thousandths of a cycle for `cost`, a number
	 * of the firmware's own, or CHARGE_OF_KERNEL for the program's. Says what time goes into,
	 * and takes none. */
	void (*charge)(uint32_t cost, uint64_t price);

	/* Takes what this begin() was charged for so far as a bill that can be charged again in
	 * one; 0: it cannot. */
	uint32_t (*bill)(void);
	void (*charge_bill)(uint32_t bill);

	/* ---- firmware side, NoC: called from commit(). Spans: the row takes its own reference.
	 * Posted writes count in writes_posted/writes_done (done = acknowledged), reads likewise.
	 */

	void (*noc_write)(struct stage *stage, uint16_t tile, uint32_t address, struct span span);

	/* `count` writes of `stride` bytes each: target i gets span[i * stride, stride) at
	 * `address`. Counts as `count` writes. The stage has made them ready one every
	 * `pace_cycles`, the last one just now, and each could leave since then. */
	void (*noc_write_packed)(struct stage *stage, const struct packed_target *targets,
		uint32_t count, uint32_t address, uint32_t stride, struct span span,
		uint64_t pace_cycles);

	/* Multicast to every worker tile of the rectangle. Counts as one write per tile. Reaches
	 * Tensix tiles only (ISA NoC). */
	void (*noc_multicast)(
		struct stage *stage, struct worker_rect rect, uint32_t address, struct span span);

	/* Write of one word, and atomic increment of one word of another tile (or the own). */
	void (*noc_write_word)(
		struct stage *stage, uint16_t tile, uint32_t address, uint32_t value);
	void (*noc_increment)(struct stage *stage, uint16_t tile, uint32_t address, uint32_t delta);

	/* Reads from another tile's L1 or DRAM bank into own L1. */
	void (*noc_read)(struct stage *stage, uint16_t tile, uint32_t address, uint32_t length,
		uint32_t local_address);

	/* ---- firmware side, PCIe: the chip must have it ---- */

	/* Reads the host window into own L1. Several may be outstanding (the platform's limit
	 * delays more); those of one stage complete in order. */
	void (*pcie_read)(struct stage *stage, uint64_t host_address, uint32_t length,
		uint32_t local_address);

	/* Writes to the host window; posted, ordered; wakes window_wait. Acknowledged early. */
	void (*pcie_write)(struct stage *stage, uint64_t host_address, struct span span);
	void (*pcie_write_word)(struct stage *stage, uint64_t host_address, uint32_t value);

	/* ---- firmware side, fabric ---- */

	/* True if the local router accepts one more packet along `tree` now. If false, begin()
	 * blocks with STAGE_WAIT_FABRIC. */
	bool (*fabric_ready)(const struct stage *stage, struct fabric_tree *tree);

	/* Sends one packet: `span` (0 to fabric_packet_bytes) goes to (tile, address) of every chip
	 * that the tree delivers to, then, fused, the word at `increment_address` of that tile is
	 * increased by `delta` (none if delta == 0). fabric_ready must have been true for this
	 * packet. Counts as one write; done when the local router has taken it over. */
	void (*fabric_write)(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
		uint32_t address, struct span span, uint32_t increment_address, uint32_t delta);

	/* The same in `count` (2 to FABRIC_PARTS_MAX) equal parts, part i to addresses[i]: one more
	 * write at every receiver for each part. span.length is a multiple of count. */
	void (*fabric_scatter)(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
		const uint32_t *addresses, uint32_t count, struct span span);
};

/* The device row of this process, set once by main before any other call. */
extern const struct device_ops *device_row;

#endif
