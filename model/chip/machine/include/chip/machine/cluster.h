/* A simulated cluster and its chips. The native emulator has functions with the same names, but
 * without the prefix sim_. */
#ifndef CHIP_MACHINE_CLUSTER_H
#define CHIP_MACHINE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ensure.h"
#include "cause/cause.h"
#include "chip/machine/window.h"
#include "chip/sim_device.h"
#include "engine/engine.h"
#include "engine/server.h"
#include "host/thread.h"
#include "world/device.h"

/* Data that all chips with the same geometry share: the distances on the NoC, and the order in
 * which a multicast reaches the tiles of a rectangle. NoC 0 is a torus that routes right, then
 * down. */

/* The tiles of a rectangle, ordered by their distance from the source of the multicast. Tiles at
 * the same distance are ordered by row and column of the grid. */
struct sim_multicast {
	struct sim_multicast *next; /* next multicast in the list of the grid */
	struct worker_rect rect;
	uint16_t source;
	uint16_t count;
	uint8_t round_trip; /* largest number of hops to a tile and back */
	uint8_t *hops;	    /* [i]: number of hops to tiles[i] */
	uint16_t *tiles;
};

enum { GRID_LISTS = 64 };

struct sim_grid {
	struct sim_grid *next;
	const struct chip_geometry *geometry;
	uint16_t tile_count;
	uint16_t columns, rows; /* number of columns and rows of routers */
	uint8_t *hops;		/* number of hops between two tiles, at [from * tile_count + to] */
	struct sim_multicast *multicasts[GRID_LISTS];
};

/* Returns the grid for `geometry` from the list *grids. If there is none, adds it to the front. */
struct sim_grid *sim_grid_of(struct sim_grid **grids, const struct chip_geometry *geometry);

void sim_grids_free(struct sim_grid *grids);

static inline uint32_t sim_grid_hops(const struct sim_grid *grid, uint16_t from, uint16_t to)
{
	return grid->hops[(uint32_t)from * grid->tile_count + to];
}

/* Returns the multicast from `source` to `rect`, which must lie in the worker grid. Creates it at
 * first use. */
const struct sim_multicast *sim_grid_multicast(
	struct sim_grid *grid, uint16_t source, struct worker_rect rect);

/* Constants of a chip for one topology, as integers in the units of the model. Times are in ps. */
struct sim_timing {
	int64_t aiclk_khz;

	/* NoC */
	int64_t noc_latency_ps, noc_hop_ps;
	int64_t noc_issue_ps, noc_issue_flit_ps, noc_multicast_ps, noc_acknowledge_ps;
	int64_t noc_atomic_ps, noc_read_ps;
	uint64_t noc_flit_bytes, noc_packet_bytes, noc_header_bytes;
	uint64_t noc_injection_bytes_per_s, noc_ejection_bytes_per_s, noc_multicast_bytes_per_s;
	uint64_t noc_link_bytes_per_s;
	int64_t noc_buffer_ps; /* time in which a router's buffer fills */

	/* DRAM */
	uint64_t dram_read_bytes_per_s, dram_write_bytes_per_s;
	int64_t dram_latency_ps, dram_request_ps;

	/* PCIe */
	uint64_t window_bytes;
	int64_t post_latency_ps;
	uint64_t down_bytes_per_s;
	int64_t peek_latency_ps;
	uint64_t peek_bytes_per_s;
	int64_t read_latency_ps;
	uint64_t read_bytes_per_s, read_request_bytes;
	uint32_t reads_outstanding;
	uint64_t write_bytes_per_s;
	int64_t write_visible_ps, write_ack_ps;

	/* Ethernet and routers, including what the topology adds */
	uint64_t ethernet_bytes_per_s, ethernet_packet_bytes, ethernet_overhead_bytes;
	uint64_t fabric_header_bytes;
	int64_t ethernet_latency_ps; /* latency of a link, plus what 2D routing and rings add */
	uint32_t processors, channels, sender_slots, receiver_slots;
	int64_t sender_latency_ps;
	uint32_t entry_slots; /* slots that must be free before a packet enters a ring */
	int64_t handover_ps, handover_overlap_ps, handover_latency_ps;
	int64_t send_latency_ps, receive_latency_ps, forward_latency_ps, delivery_latency_ps;
	int64_t send_ps, receive_ps; /* including what 2D routing and rings add */
	uint64_t update_bytes;
	bool flushes;	   /* routers flush writes at every hop */
	int64_t hidden_ps; /* the part of send_ps and receive_ps that the wait for a flush hides */
	int64_t deliver_ps, part_ps, flush_ps, forward_ps, increment_ps;
	int64_t credit_latency_ps;
};

/* Computes the fields of *timing from the constants. Returns OK, or INVALID if a constant is out of
 * range; *what is then the name of this constant (static text). */
enum status sim_timing_init(struct sim_timing *timing, const struct chip_constants *constants,
	enum sim_topology topology, const char **what);

/* The time in ps that `cycles` take at AICLK, rounded down. */
static inline int64_t sim_cycles_ps(const struct sim_timing *timing, int64_t cycles)
{
	if (timing->aiclk_khz == 1000000)
		return cycles * 1000;
	return cycles * INT64_C(1000000000) / timing->aiclk_khz;
}

/* The time of `price` thousandths of a cycle. */
static inline int64_t sim_price_ps(const struct sim_timing *timing, uint64_t price)
{
	return (int64_t)price * 1000000 / timing->aiclk_khz;
}

/* Returns the number of whole cycles at AICLK in `ps`, or in one second if `ps` is longer. */
static inline int64_t sim_ps_cycles(const struct sim_timing *timing, int64_t ps)
{
	const int64_t second_ps = INT64_C(1000000000000);

	return (ps < second_ps ? ps : second_ps) * timing->aiclk_khz / INT64_C(1000000000);
}

/* Pools: lists of free objects of one size, for operations in flight. A pool allocates memory only
 * if more of its objects are needed than ever before, and never shrinks. */

enum { CACHE_LINE = 64 };

struct sim_pool {
	size_t bytes; /* size of one object; at least the size of a pointer */
	void *free;   /* list of free objects, linked by their first words */
	void *chunks; /* list of allocated chunks */
	size_t held_bytes;
};

/* Returns zeroed memory that is aligned to cache lines; aborts if memory is short. Large blocks use
 * huge pages: without them, a simulation of 80,000 cores would spend more time on TLB misses than
 * on everything else. */
void *sim_memory_new(size_t bytes);
void sim_memory_free(void *memory);

void sim_pool_init(struct sim_pool *pool, size_t bytes);
void sim_pool_fini(struct sim_pool *pool);

/* Enlarges a full ring buffer to twice its capacity, or to `least` entries if its capacity is 0.
 * The ring has *capacity entries (a power of two, or 0) of `size` bytes; the oldest entry is at
 * index `first`. Sets *capacity to the new capacity, and returns the new ring. The oldest entry
 * stays at index `first`. */
void *sim_ring_grow(void *ring, size_t size, uint32_t first, uint32_t *capacity, uint32_t least);

/* Calls visit() for every object that was ever created, whether it is free or in use. */
void sim_pool_each(struct sim_pool *pool, void (*visit)(void *object));

void sim_pool_grow(struct sim_pool *pool);

/* Removes an object from the pool and returns it. A new object is all zeros. A reused object has
 * its old contents, except for its first word, which is overwritten. */
static inline void *sim_pool_take(struct sim_pool *pool)
{
	void *object;

	if (pool->free == NULL)
		sim_pool_grow(pool);
	object = pool->free;
	pool->free = *(void **)object;
	return object;
}

static inline void sim_pool_give(struct sim_pool *pool, void *object)
{
	*(void **)object = pool->free;
	pool->free = object;
}

/* The queue of a chip's steps. A step is a piece of work that a stage has begun. Steps are sorted
 * by the time at which they end. Only the first step of each queue is in the engine's heap, so the
 * heap stays small even if tens of thousands of cores compute. The sorted queue also shows which
 * data to prefetch. A step ends after all other events of the same time. Steps that end at the same
 * time keep the order in which they were queued. */

struct task;

/* Called when a step of `cycles` cycles of a stage is over. */
typedef void sim_step_over(struct task *task, uint64_t cycles);

struct step {
	int64_t at_ps;
	struct task *task;
	uint64_t cycles;
};

struct step_queue {
	struct step *entries; /* sorted: [first, end) */
	uint32_t first, end, capacity;
	int64_t *armed_ps; /* times of the queue's events on the engine's heap, the next one last */
	uint32_t armed_count, armed_capacity;
	bool running;
	sim_step_over *over;
};

/* `over` runs at the end of each step. */
void sim_step_queue_init(struct step_queue *queue, sim_step_over *over);
void sim_step_queue_fini(struct step_queue *queue);

/* Schedules over(task, cycles) at `at_ps` >= engine_now(). */
void sim_step_queue_put(
	struct step_queue *queue, int64_t at_ps, struct task *task, uint64_t cycles);

struct tile;	   /* chip/tile/tile.h */
struct task;	   /* chip/tile/scheduler.h */
struct layer;	   /* chip/tile/tile.h */
struct cores_crew; /* chip/noc/crew.c */
struct pcie;	   /* chip/pcie/pcie.h */
struct device {
	struct cluster *cluster;
	const struct chip_info *info;
	struct sim_grid *grid;
	struct tile *tiles;
	struct pcie *pcie; /* NULL: the chip has no PCIe */
	struct step_queue steps;
	struct layer *layers;
	struct cores_crew *crews;
	struct task *fabric_first, *fabric_last; /* stages that are blocked on the fabric */
	/* number of trees whose root is this chip; used to spread trees over parallel links */
	uint32_t trees;
	uint16_t number;
};

struct fabric; /* chip/fabric/fabric.h; clusters that links join share one */
struct sim_network;
struct sim_links; /* chip/noc/links.h */
struct cluster {
	const struct cluster_info *info;
	struct sim_timing timing;
	struct sim_options options;
	const struct sim_network *network;
	struct device *chips;
	uint16_t first;	    /* number of chip 0 in the fabric; 0 unless the fabric is shared */
	struct tile *tiles; /* tiles of all chips */
	size_t tile_count;
	struct sim_grid *grids;
	struct sim_window window;
	struct fabric *fabric;
	void *network_state;	 /* data of the network model */
	struct sim_links *links; /* NULL: `model.noc: interfaces` */
	struct sim_pool flights, tasks, word_chunks, word_tables, atomic_units, cores_steps;
	struct sparse_joins joins; /* copies of ranges of L1s that lay in two pieces */
	uint64_t layer_versions;   /* multicasts to layers so far (chip/tile/tile.h) */
	struct task **stages;	   /* in the order in which they were started */
	uint32_t stage_count, stage_capacity;
	/* quiescence.c */
	uint32_t awake;	    /* number of stages that have neither ended nor idle */
	uint32_t under_way; /* number of operations in flight */
	int64_t settled_ps; /* time by which all changes that have no event have happened */
	struct host_waiter *drainers;
	struct sim_conservation conservation;
};

/* ---- quiescence.c ---- */

/* Wakes the threads that wait until nothing in the cluster changes any more. */
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

/* Writes the chips' part of a stall report (engine_on_stall). */
void sim_report(void *context, FILE *out);
#endif
