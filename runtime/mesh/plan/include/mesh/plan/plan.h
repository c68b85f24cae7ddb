/* The plan of a mesh device: its chips, the tile of every stage, routes over the fabric, addresses.
 * It is computed from the description of the cluster before anything is started. */
#ifndef MESH_PLAN_PLAN_H
#define MESH_PLAN_PLAN_H

#include "base/arena.h"
#include "fabric/grids.h"
#include "firmware/worker/worker.h"
#include "mesh/config.h"
#include "mesh/mesh.h"
#include "mesh/plan/inventory.h"
#include "mesh/program.h"
#include "world/bounds.h"
#include "memory/placement.h"
#include "world/world.h"

enum { CORES_MAX = BOUND_CORES }; /* workers and Ethernet cores of a device */

/* One device's part of one queue. */
struct device_plan {
	struct stage_spot prefetch_h; /* on the gateway; none if the device has PCIe */
	struct stage_spot prefetch_d; /* prefetch_hd if the device has PCIe */
	struct stage_spot dispatcher;
	struct stage_spot dispatch_s; /* on the same tile; none if the tile has only one processor
				       */
	struct stage_spot dispatch_h; /* on the gateway; none if the device has PCIe */
	struct prefetch_layout prefetch_h_layout, prefetch_d_layout;
	uint32_t prefetch_d_ring;
	struct dispatch_layout dispatch_layout;
	struct dispatch_h_layout dispatch_h_layout;

	/* broadcast */
	struct stage_spot depacketizer, prefetch_m;
	struct depacketizer_layout depacketizer_layout;
	struct prefetch_layout prefetch_m_layout;
	uint32_t prefetch_m_ring;
	struct stage_spot dispatcher_m; /* none if broadcasts share the dispatcher */
	struct stage_spot dispatch_s_m;
	struct dispatch_layout dispatch_m_layout;
};

/* One initiator's part of one queue. */
struct initiator_plan {
	struct stage_spot prefetch_h; /* none if the packetizer does its work */
	struct stage_spot packetizer; /* may be shared by several queues */
	struct prefetch_layout prefetch_h_layout;
	struct packetizer_layout packetizer_layout;
	struct fabric_tree *tree; /* the grid's tree, on the queue's channel */
};

/* The grids that receive broadcasts from one issue queue, and the devices of all of them. */
struct feed_plan {
	uint32_t first, count; /* grids */
	struct device_range range;
};

/* The aggregator that gathers events of a grid, or of the whole mesh, for all queues. */
struct aggregator_plan {
	struct stage_spot spot;
	struct aggregator_layout layout;
	struct device_range range;
	struct fabric_tree **forward, **backward; /* [chip]: from gates on the chip to the
						   * aggregator, and back; or NULL */
};

/* Per device, shared by all queues. */
struct device_routes {
	uint16_t chip, gateway;
	struct fabric_tree *outward, *homeward; /* gateway to chip and back; NULL with PCIe */
	uint32_t grid, receiver;		/* broadcast grid, and index there */
	uint32_t feed, number;			/* feed of that grid, and the device's index in the
						 * feed */
	struct fabric_tree *to_initiator;	/* NULL on the initiator itself */
};

struct plan {
	struct virtual_mesh mesh;
	struct fabric_graph graph;
	uint32_t devices, queues;
	struct device_routes *routes;	  /* [device] */
	struct device_plan *device;	  /* [queue * devices + device] */
	uint32_t grids;			  /* 0 without broadcast */
	struct broadcast_grid *grid;	  /* [grid] */
	struct initiator_plan *initiator; /* [queue * grids + grid] */
	uint32_t feeds;			  /* 0 without broadcast */
	struct feed_plan *feed;		  /* [feed] */
	uint32_t aggregators;		  /* 0 unless the event path uses them */
	struct aggregator_plan *aggregator;
	uint32_t ethernet_count; /* Ethernet tiles with workers: the same on every device */
	uint16_t *ethernet_tiles;
	struct worker_words words;					   /* of every worker */
	uint32_t launch_ring, config_ring, config_ring_bytes, worker_free; /* worker L1 */
	uint32_t spill_bytes; /* at the start of every DRAM bank */
};

/* Plans on `inventory`, which is changed even on failure. Everything is allocated in `arena`.
 * Errors as in mesh_open(), with a sentence in `why` (may be NULL). */
enum status plan_make(struct plan *plan, struct inventory *inventory,
	const struct mesh_config *config, struct arena *arena, struct text *why);

/* Plans the feeds of the broadcast grids; the grids must be planned. UNSUPPORTED if one issue queue
 * would have to feed too many. */
enum status feeds_plan(
	struct plan *plan, const struct mesh_config *config, struct arena *arena, struct text *why);

/* True if unicasts and broadcasts have a dispatcher each. */
static inline bool plan_splits_dispatchers(const struct plan *plan)
{
	return plan->device[0].dispatcher_m.chip != CHIP_NONE;
}

/* Plans the trees of the initiators; the grids must be planned. UNSUPPORTED if broadcasts are to
 * have a virtual channel of their own and links have only one. */
enum status trees_plan(
	struct plan *plan, const struct mesh_config *config, struct arena *arena, struct text *why);

/* Feed of a grid. */
static inline uint32_t feed_of_grid(const struct plan *plan, uint32_t grid)
{
	return plan->feeds == plan->grids ? grid : 0;
}

/* Plans aggregators, one per grid, after everything else. */
enum status aggregators_plan(struct plan *plan, struct inventory *inventory,
	const struct mesh_config *config, struct arena *arena, struct text *why);

/* UNSUPPORTED, with a sentence in `why` (may be NULL), if packets on the plan's routes could wait
 * for each other in a circle. */
enum status plan_check_circles(const struct plan *plan, struct arena *arena, struct text *why);

/* Aggregator and slot of a device's queue, and the chip of its gate. */
uint32_t aggregator_of_device(const struct plan *plan, uint32_t device);
uint32_t aggregator_slot(const struct plan *plan, uint32_t device, uint32_t queue);
uint16_t aggregator_gate_chip(const struct plan *plan, uint32_t device);

/* Fills *resources with the resources of a plan on `inventory`. */
void plan_resources(const struct plan *plan, const struct inventory *inventory,
	const struct mesh_config *config, struct mesh_resources *resources);

/* The limits of programs on the devices of a plan. */
struct program_limits plan_limits(
	const struct plan *plan, const struct cluster_info *info, const struct mesh_config *config);

/* Configured sizes, with defaults applied and rounded as queues and pages require. */

uint32_t sizes_issue_queue(const struct mesh_config *config);
uint32_t sizes_completion_queue(const struct mesh_config *config);
uint32_t sizes_page_alignment(const struct mesh_config *config, enum buffer_type type);
uint32_t sizes_direct_run(const struct mesh_config *config);
uint32_t sizes_pool_threads(const struct mesh_config *config);

/* Page size of binaries, rounded up to whole aligned pages so that an image runs through them
 * without gaps. */
uint32_t sizes_binary_page(const struct mesh_config *config);

/* The kind of memory that a user's data of `bytes` are assumed to lie in. */
enum memory_kind sizes_user_memory(const struct mesh_config *config, uint64_t bytes);

#endif
