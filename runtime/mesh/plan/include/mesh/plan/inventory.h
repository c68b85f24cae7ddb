/* An inventory lists the parts of every chip of a cluster that are in use: dispatch tiles with
 * their words, L1 and processors, and the mesh device that each chip belongs to. Each part has an
 * owner. An owner releases all its parts at once. */
#ifndef MESH_PLAN_INVENTORY_H
#define MESH_PLAN_INVENTORY_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "firmware/broadcast/broadcast.h"
#include "firmware/completion/aggregator.h"
#include "firmware/completion/upstream.h"
#include "firmware/core/tile_plan.h"
#include "firmware/dispatch/dispatch.h"
#include "firmware/prefetch/prefetch.h"

enum { STAGES_PER_TILE = TILE_PROCESSORS };

/* The place of a stage of firmware. */
struct stage_spot {
	uint16_t chip, tile; /* chip CHIP_NONE: no stage */
	uint8_t processor;
};

enum stage_role {
	ROLE_PREFETCH_H,
	ROLE_PREFETCH_D,
	ROLE_PREFETCH_HD,
	ROLE_PREFETCH_M, /* prefetch_d behind a depacketizer */
	ROLE_DISPATCHER,
	ROLE_DISPATCH_H,
	ROLE_PACKETIZER,
	ROLE_MCAST_PREFETCH_H,
	ROLE_DEPACKETIZER,
	ROLE_AGGREGATOR,
	STAGE_ROLE_COUNT
};

enum { OWNER_NONE = 0 };

/* The parts of a tile that a stage uses: words, L1 and processors. word_end and byte_end are
 * exclusive. */
struct tile_claim {
	uint32_t owner;
	enum stage_role role;
	uint32_t word, word_end, byte, byte_end;
	uint8_t processors; /* bits */
};

struct dispatch_tile {
	uint16_t tile;
	uint8_t count, stages; /* number of claims, and number of processors that the claims use */
	uint32_t kept_by;      /* owner that keeps stages off this tile */
	struct tile_claim claims[TILE_PROCESSORS];
};

struct chip_tiles {
	uint16_t tile_count;
	struct dispatch_tile *tiles; /* on chips outside the mesh, the workers too */
	uint32_t owner;		     /* the mesh device that the chip belongs to */
};

struct inventory {
	const struct cluster_info *info;
	struct chip_tiles *chips;
	uint32_t owner; /* owner of the next claims; not OWNER_NONE */
};

/* What a stage needs. inventory_place() fills in the layouts that this structure points to. */
struct stage_need {
	enum stage_role role;
	const struct firmware_limits *limits;
	uint16_t opens;	    /* number of paths of the aggregator of a row */
	uint16_t receivers; /* number of receivers of a packetizer, or of paths of an aggregator */
	uint32_t inputs;    /* dispatcher */
	struct prefetch_layout *prefetch;
	uint32_t *prefetch_ring; /* prefetch_d: its input ring */
	struct dispatch_layout *dispatch;
	struct stage_spot *dispatch_s; /* only for a dispatcher: receives the place of the second
					* processor on the same tile; or NULL */
	struct dispatch_h_layout *dispatch_h;
	struct packetizer_layout *sockets[PACKETIZER_SOCKETS_MAX]; /* packetizer; NULL: no more */
	struct depacketizer_layout *depacketizer;
	bool held; /* prefetcher and depacketizer of broadcasts: commands behind a trace are held */
	struct aggregator_layout *aggregator;
};

/* Initializes an inventory in which nothing is in use. Never fails. */
void inventory_init(struct inventory *inventory, const struct cluster_info *info);
void inventory_fini(struct inventory *inventory);

/* Finds a tile of `chip` for a stage: the tile with the fewest stages, and among equal tiles the
 * first. Claims the parts of the tile that the stage needs, and fills in *spot and the layouts of
 * `need`. Returns OK, or NO_SPACE with a sentence in `why` (may be NULL). */
enum status inventory_place(struct inventory *inventory, uint16_t chip,
	const struct stage_need *need, struct text *why, struct stage_spot *spot);

/* Makes inventory_place() avoid a tile from now on. Returns true, or false if a stage is on the
 * tile already. */
bool inventory_claim(struct inventory *inventory, uint16_t chip, uint16_t tile);

/* Releases everything that belongs to `owner`. */
void inventory_release(struct inventory *inventory, uint32_t owner);

/* A claim of one owner. */
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
