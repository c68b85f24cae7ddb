/* What the files of the simulated device row share: cluster, chip, tile, stage record. Not for
 * other rooms. Functions are prefixed sim_: the native row has the plain names. */
#ifndef CHIP_PRIVATE_H
#define CHIP_PRIVATE_H

#include "base/ensure.h"
#include "base/sparse.h"
#include "chip/machine/step_queue.h"
#include "chip/machine/grid.h"
#include "chip/machine/pool.h"
#include "chip/machine/timing.h"
#include "chip/machine/window.h"
#include "chip/sim_device.h"
#include "engine/engine.h"
#include "engine/server.h"
#include "host/thread.h"

enum {
	CACHE_LINE = 64,
	WORD_CHUNK_BYTES = 256,
	WORD_CHUNK_WORDS = WORD_CHUNK_BYTES / 4,
	WORD_BYTES_MAX = 1 << 18, /* the index of a word has 16 bits in an event */
	TILE_ANY = 0xffff,
	TILE_NONE = 0xfffe, /* source of what a router delivers */
};

/* A write of a stage that is under way: counted as done when its time has come and the stage looks.
 * In order of time; a later write never counts earlier. */
struct posted_writes {
	int64_t at_ps;
	uint32_t writes;
};

enum task_state { TASK_RUNNING, TASK_BLOCKED, TASK_ENDED };

/* The scheduler's record of one stage. What every step touches comes first, in one line of cache.
 */
struct task {
	struct stage *stage;
	struct tile *tile;
	struct task *next;     /* on the tile, in order of start */
	int64_t wake_ps;       /* earliest wake on the heap for this blocking; INT64_MAX: none */
	int64_t since_ps;      /* of the state */
	int64_t first_ps;      /* when the first writes under way are done, and how many */
	uint32_t first_writes; /* 0: none under way */
	uint32_t generation;   /* of blockings: older wakes are stale */
	uint32_t expected;     /* blocked on WORD: its value with every arrival known so far */
	bool awake;	       /* counted in cluster->awake */
	bool asked_again;      /* blocked on what was already true: once is allowed */
	bool on_fabric;	       /* in the list of next_blocked */
	/* ---- */
	struct posted_writes *more; /* ring of what is done behind first_ps */
	uint32_t more_first, more_count, more_capacity;
	uint16_t pcie_reads_posted, pcie_reads_done; /* wrap */
	struct task *next_blocked; /* of the chip's list of those blocked on the fabric */
	int64_t blocked_ps;
	int64_t lands_ps; /* when the last write that waited at the NIU gets its place */
	struct fluid_message *fluid_first, *fluid_last; /* writes under way, in order */
} __attribute__((aligned(CACHE_LINE)));

/* A word operation whose turn at the tile's atomic unit comes later than now. */
struct arrival {
	int64_t at_ps;
	uint32_t address;
	uint32_t value;
	bool increment;
};

/* The atomic unit of a tile; made when the first increment comes. */
struct atomic_unit {
	int64_t busy_until_ps;
	struct arrival *arrivals; /* ring, in order of time */
	uint32_t first, count, capacity;
	uint32_t coming_count, coming_capacity;
	struct arrival *coming; /* increments known before they arrive; the next one last */
	uint64_t increments;
	int64_t waited_ps;
};

/* A tile. Pipes have no rate: callers say how long each message takes. */
struct tile {
	/* what every word that arrives touches, in one line of cache */
	struct device *device;
	uint32_t *hot; /* chunk of words that was touched last, NULL: none */
	uint32_t *
		*words; /* chunks of WORD_CHUNK_BYTES, each made at its first write; NULL: zeros */
	struct task *tasks;
	struct atomic_unit *atomic;
	int64_t late_until_ps; /* a bulk write of tile `late_source` arrives late: nothing of that
				  source may pass it */
	uint32_t word_bytes;   /* 0: no L1 */
	uint16_t late_source;  /* TILE_ANY: of several */
	uint16_t landing;      /* bulk writes that got their place late and have not arrived */
	uint16_t hot_index;
	uint16_t number;
	/* ---- */
	struct pipe out __attribute__((aligned(CACHE_LINE))); /* NIU */
	struct sparse memory; /* above the words, by address: its own (layer.h) */
	struct layer *layer;  /* of L1 under that; NULL: none */
	struct pipe in;	      /* NIU, or DRAM bank */
} __attribute__((aligned(CACHE_LINE)));

struct layer; /* layer.h */
struct pcie;  /* pcie.h */

struct device {
	struct cluster *cluster;
	const struct chip_info *info;
	const struct sim_grid *grid;
	struct tile *tiles;
	struct pcie *pcie; /* NULL: the chip has none */
	struct step_queue steps;
	struct layer *layers;
	struct task *fabric_first, *fabric_last; /* blocked on the fabric */
	uint32_t trees;				 /* made from here, to spread them over links */
	uint16_t number;
};

/* One operation under way. */
struct flight {
	struct flight *next;
	struct device *device;
	struct task *task; /* whose; NULL: the host's or the fabric's */
	struct span span;  /* with a reference */
	const struct sim_multicast *multicast;
	struct packed_target *targets; /* kept while the flight is in the pool */
	int64_t head_ps, last_ps; /* first and last byte at the tile, if nothing is in the way */
	uint64_t host_address;
	uint32_t address, local_address, length, stride;
	uint32_t count, capacity;   /* of targets; multicast: tiles done so far in `count` */
	uint32_t issued, completed; /* bytes, of a PCIe read */
	uint16_t turn;		    /* of a PCIe read: among those of its stage */
	uint16_t source, tile;
};

struct fabric; /* fabric.h */
struct fluid;  /* fluid.h */
struct sim_network;

struct cluster {
	const struct cluster_info *info;
	struct sim_timing timing;
	struct sim_options options;
	const struct sim_network *network;
	struct device *chips;
	struct tile *tiles; /* of all chips */
	size_t tile_count;
	struct sim_grid *grids;
	struct sim_window window;
	struct fabric *fabric;
	struct fluid *fluid; /* of that network only */
	struct sim_pool flights, tasks, word_chunks, word_tables, atomic_units, cores_steps;
	struct task **stages; /* in order of start */
	uint32_t stage_count, stage_capacity;
	/* rest */
	uint32_t awake;	    /* stages that are neither ended nor idle */
	uint32_t under_way; /* operations */
	int64_t settled_ps; /* everything that happens without an event has happened then */
	struct host_waiter *drainers;
	struct sim_conservation conservation;
};

/* ---- quiescence.c ---- */

/* The cluster has come to rest, and somebody may wait for that. */
void sim_quiescent(struct cluster *cluster);

static inline void sim_operation_begin(struct cluster *cluster)
{
	cluster->under_way++;
}

static inline void sim_operation_end(struct cluster *cluster)
{
	if (--cluster->under_way == 0 && cluster->awake == 0 && cluster->drainers != NULL)
		sim_quiescent(cluster);
}

static inline void sim_settles_at(struct cluster *cluster, int64_t at_ps)
{
	if (at_ps > cluster->settled_ps)
		cluster->settled_ps = at_ps;
}

bool sim_is_quiescent(const struct cluster *cluster);

/* ---- report.c ---- */

/* Writes who is blocked on what (engine_on_stall). */
void sim_report(void *context, FILE *out);

/* ---- flight.c ---- */

struct flight *sim_flight_new(struct device *device);

/* Gives the flight back to the pool, with its reference. */
void sim_flight_free(struct flight *flight);

/* Frees what a flight holds, for sim_pool_each(): the run may end while some are under way. */
void sim_flight_fini(void *object);

/* The tile, which the chip must have. */
static inline struct tile *sim_tile(struct device *device, uint16_t tile)
{
	ensure(tile < device->grid->tile_count, "tile %u of %u on chip %u", tile,
		device->grid->tile_count, device->number);
	return &device->tiles[tile];
}

static inline struct tile *sim_own_tile(const struct stage *stage)
{
	return &stage->device->tiles[stage->tile];
}

#endif
