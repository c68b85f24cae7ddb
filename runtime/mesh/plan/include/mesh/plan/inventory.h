/* An inventory records which parts of every chip of a cluster are in use: words, L1 and processors
 * of dispatch tiles. Each used part has an owner, which is a mesh device, and an owner releases all
 * its parts at once. The inventory also records the mesh device to which each chip belongs. */
#ifndef MESH_PLAN_INVENTORY_H
#define MESH_PLAN_INVENTORY_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "firmware/broadcast/broadcast.h"
#include "firmware/completion/aggregator.h"
#include "firmware/completion/upstream.h"
#include "firmware/core/stage.h"
#include "firmware/dispatch/dispatch.h"
#include "firmware/prefetch/prefetch.h"

enum { STAGES_PER_TILE = TILE_PROCESSORS };

/* The place of one firmware stage. */
struct stage_spot {
	uint16_t chip, tile; /* chip is CHIP_NONE if there is no stage */
	uint8_t processor;
};

enum stage_role {
	ROLE_PREFETCH_H,
	ROLE_PREFETCH_D,
	ROLE_PREFETCH_HD,
	ROLE_PREFETCH_M, /* prefetch_d that reads from a depacketizer */
	ROLE_DISPATCHER,
	ROLE_DISPATCH_H,
	ROLE_PACKETIZER,
	ROLE_MCAST_PREFETCH_H,
	ROLE_DEPACKETIZER,
	ROLE_AGGREGATOR,
	STAGE_ROLE_COUNT
};

enum { OWNER_NONE = 0 };

/* The parts of a tile that a stage uses: words, L1 and processors. The ends word_end and byte_end
 * are exclusive. */
struct tile_claim {
	uint32_t owner;
	enum stage_role role;
	uint32_t word, word_end, byte, byte_end;
	uint8_t processors; /* one bit for each processor */
};

struct dispatch_tile {
	uint16_t tile;
	uint8_t count, stages; /* number of claims, and number of processors that the claims use */
	uint32_t kept_by;      /* owner that keeps all stages off this tile */
	struct tile_claim claims[TILE_PROCESSORS];
};

struct chip_tiles {
	uint16_t tile_count;
	/* the tiles on which stages can be placed; on chips outside the mesh, these include the
	 * workers */
	struct dispatch_tile *tiles;
	uint32_t owner; /* the mesh device that the chip belongs to */
};

struct inventory {
	const struct cluster_info *info;
	struct chip_tiles *chips;
	uint32_t owner; /* owner of the following claims; never OWNER_NONE */
};

/* The resources that a stage needs. inventory_place() fills in the layouts that this structure
 * points to. */
struct stage_need {
	enum stage_role role;
	const struct firmware_limits *limits;
	uint16_t opens;	    /* aggregator of a row: number of its paths */
	uint16_t receivers; /* packetizer: number of receivers; aggregator: number of paths */
	uint32_t inputs;    /* dispatcher: number of inputs */
	struct prefetch_layout *prefetch;
	uint32_t *prefetch_ring; /* prefetch_d: receives the address of its input ring */
	struct dispatch_layout *dispatch;
	/* only for a dispatcher: receives the place of dispatch_s, its helper on another processor
	 * of the same tile; may be NULL */
	struct stage_spot *dispatch_s;
	struct dispatch_h_layout *dispatch_h;
	/* packetizer: the layouts of its sockets; NULL marks the end */
	struct packetizer_layout *sockets[PACKETIZER_SOCKETS_MAX];
	struct depacketizer_layout *depacketizer;
	/* only for a prefetcher or depacketizer of broadcasts: true if it holds back commands that
	 * follow a trace */
	bool held;
	struct aggregator_layout *aggregator;
};

/* Initializes an inventory in which nothing is in use. Never fails. */
void inventory_init(struct inventory *inventory, const struct cluster_info *info);
void inventory_fini(struct inventory *inventory);

/* Finds a tile of `chip` for a stage. Of the tiles with room for the stage, takes the one with the
 * fewest stages, and of several such tiles the first. Claims the parts of the tile that the stage
 * needs, and fills in *spot and the layouts of `need`. Returns OK, or NO_SPACE with a sentence in
 * `why` (may be NULL). */
enum status inventory_place(struct inventory *inventory, uint16_t chip,
	const struct stage_need *need, struct text *why, struct stage_spot *spot);

/* Reserves a tile: inventory_place() avoids it until the inventory's owner is released. Returns
 * false if a stage is already on the tile. */
bool inventory_claim(struct inventory *inventory, uint16_t chip, uint16_t tile);

/* Releases everything that belongs to `owner`. */
void inventory_release(struct inventory *inventory, uint32_t owner);

/* A part of a tile that one owner has claimed. */
struct inventory_part {
	uint16_t chip, tile;
	struct tile_claim claim;
};

/* Returns all claims of `owner`, in the order of chips and tiles, as an array in `arena`. Sets
 * *count to the number of claims. */
struct inventory_part *inventory_parts(
	const struct inventory *inventory, uint32_t owner, struct arena *arena, uint32_t *count);

/* The processors, tiles and L1 in use on a chip. */
struct inventory_use {
	uint32_t processors, tiles;
	uint64_t l1_bytes;
};

struct inventory_use inventory_use(const struct inventory *inventory, uint16_t chip);

#endif
