/* The plan of a mesh device: its chips, the tile of every stage, routes over the fabric, and
 * addresses. The plan is computed from the description of the cluster, before any stage is
 * started. */
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
	struct stage_spot prefetch_d; /* is a prefetch_hd if the device has PCIe */
	struct stage_spot dispatcher;
	/* place of the dispatch_s on the dispatcher's tile; none if the tile has only one
	 * processor */
	struct stage_spot dispatch_s;
	struct stage_spot dispatch_h; /* on the gateway; none if the device has PCIe */
	struct prefetch_layout prefetch_h_layout, prefetch_d_layout;
	uint32_t prefetch_d_ring;
	struct dispatch_layout dispatch_layout;
	struct dispatch_h_layout dispatch_h_layout;

	/* stages for broadcasts */
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
	struct stage_spot prefetch_h; /* none if the packetizer does the work of prefetch_h */
	struct stage_spot packetizer; /* may be shared by several queues */
	struct prefetch_layout prefetch_h_layout;
	struct packetizer_layout packetizer_layout;
	struct fabric_tree *tree; /* tree of the grid, on the virtual channel of the queue */
	/* the multicasts of a broadcast to all devices of the grid, see plan_multicasts() */
	struct broadcast_tree *multicasts;
};

/* The grids that receive broadcasts from one issue queue, and the devices of all these grids. */
struct feed_plan {
	uint32_t first, count; /* number of the first grid, and the number of grids */
	struct device_range range;
};

/* The aggregator that gathers events of a grid, or of the whole mesh, for all queues. */
struct aggregator_plan {
	struct stage_spot spot;
	struct aggregator_layout layout;
	struct device_range range;
	/* [chip] the trees from the chip's gates to the aggregator and back; NULL if no tree is
	 * needed */
	struct fabric_tree **forward, **backward;
};

/* An aggregator that gathers the events of one queue on the devices of one row of a grid. It
 * announces these events to the grid's aggregator. */
struct row_aggregator_plan {
	struct stage_spot spot;
	struct aggregator_layout layout;
	/* number of the grid's aggregator, and the slot of this row's path at that aggregator */
	uint32_t aggregator, slot;
	/* number of the queue, and index of the first device of the row */
	uint32_t queue, device;
	/* number of devices whose events are gathered; they are neighbours in the row */
	uint16_t columns;
	struct fabric_tree **forward, **backward; /* the same as in struct aggregator_plan */
	/* trees to the grid's aggregator and back; NULL if both are on one chip */
	struct fabric_tree *up, *down;
};

/* The routes of one device, which all queues share. */
struct device_routes {
	uint16_t chip, gateway;
	/* trees from the gateway to the chip, and from the chip to the gateway; NULL if the chip
	 * has PCIe */
	struct fabric_tree *outward, *homeward;
	/* number of the device's broadcast grid, and number of the device within this grid */
	uint32_t grid, receiver;
	/* number of the feed (issue queue of broadcasts) that serves the device's broadcast grid,
	 * and number of the device within this feed */
	uint32_t feed, number;
	/* tree from the device to the initiator; NULL on the initiator itself */
	struct fabric_tree *to_initiator;
};

struct plan {
	struct virtual_mesh mesh;
	struct fabric_graph graph;
	uint32_t devices, queues;
	struct device_routes *routes; /* [device] routes of the device */
	/* [queue * devices + device] the queue's stages for the device */
	struct device_plan *device;
	uint32_t grids;		     /* number of grids; 0 without broadcasts */
	struct broadcast_grid *grid; /* [grid] its initiator, range and tree */
	/* [queue * grids + grid] the queue's stages at the grid's initiator */
	struct initiator_plan *initiator;
	const struct pieces_ops *pieces; /* how broadcasts are cut into multicasts */
	uint32_t multicast_members;	 /* maximum number of members in one multicast */
	uint32_t feeds;			 /* number of feeds; 0 without broadcasts */
	struct feed_plan *feed;		 /* [feed] the feeds */
	/* number of aggregators; 0 if the event path uses none */
	uint32_t aggregators;
	struct aggregator_plan *aggregator;
	/* number of aggregators of rows; 0 if the event path uses none */
	uint32_t row_aggregators;
	struct row_aggregator_plan *row_aggregator;
	uint32_t *row_aggregator_of; /* [queue * devices + device] */
	uint32_t ethernet_count;     /* number of Ethernet tiles with workers, the same on every
				      * device */
	uint16_t *ethernet_tiles;
	/* addresses of the words of every worker */
	struct worker_words words;
	/* addresses in worker L1, and the size of the config ring */
	uint32_t launch_ring, config_ring, config_ring_bytes, worker_free;
	uint32_t spill_bytes; /* size of the spill buffers at the start of every DRAM bank */
};

/* Fills in *plan, and claims in `inventory` the parts of chips that the plan uses. On an error,
 * some claims may remain. Everything is allocated in `arena`. Returns OK, or the errors of
 * mesh_open() with a sentence in `why` (may be NULL). */
enum status plan_make(struct plan *plan, struct inventory *inventory,
	const struct mesh_config *config, struct arena *arena, struct text *why);

/* Plans the broadcast grids and the routes to and from their initiators, if the configuration has
 * broadcasts. The other routes must have been planned before. Returns OK, or an error with a
 * sentence in `why` (may be NULL). Returns UNSUPPORTED if the variant of forward.trace_hold needs a
 * larger prefetcher ring, or needs credits that the variant of forward.credits does not count.
 * Returns INVALID if the user must name initiators, but has not named exactly one for each grid.
 * Returns NOT_FOUND if no links connect a named chip to the mesh. Also returns the errors of
 * fabric_initiators_check() and fabric_grids_split(). */
enum status grids_plan(struct plan *plan, const struct inventory *inventory,
	const struct mesh_config *config, struct arena *arena, struct text *why);

/* Plans the feeds (issue queues of broadcasts) of the broadcast grids, which must have been planned
 * before. Returns OK. Returns UNSUPPORTED in three cases: commands cannot address all devices of a
 * feed; the transaction numbers of a feed do not fit into a prefetcher's ring; the dispatchers
 * cannot keep the configured order. */
enum status feeds_plan(
	struct plan *plan, const struct mesh_config *config, struct arena *arena, struct text *why);

/* If the mesh device spans several hosts, marks all planned routes and trees. The mark shows that
 * their chip numbers count the chips of all hosts, and not only those of one host. The feeds must
 * have been planned before. Returns OK. Returns UNSUPPORTED, with a sentence in `why` (may be
 * NULL), if the configuration has a part that works on one host only. */
enum status span_plan(struct plan *plan, const struct mesh_config *config, struct text *why);

/* Returns true if broadcasts and unicasts have different dispatchers. */
static inline bool plan_splits_dispatchers(const struct plan *plan)
{
	return plan->device[0].dispatcher_m.chip != CHIP_NONE;
}

/* Plans the trees and the multicasts of the initiators. The grids must have been planned. Returns
 * OK. Returns UNSUPPORTED if the configuration gives broadcasts a separate virtual channel, but
 * links have only one channel. */
enum status trees_plan(
	struct plan *plan, const struct mesh_config *config, struct arena *arena, struct text *why);

/* Returns the multicasts that a grid's initiator sends, one after the other, for a broadcast of a
 * queue to `range`. Together the multicasts reach the devices of `range` that are in the grid.
 * fabric/pattern.h cuts the rectangle of these devices into multicasts (spec 3.8). If no device of
 * `range` is in the grid, returns one multicast without receivers. Everything is allocated in
 * `arena`. */
struct broadcast_tree *plan_multicasts(const struct plan *plan, uint32_t queue, uint32_t grid,
	struct device_range range, struct arena *arena);

/* Returns the feed of a grid. */
static inline uint32_t feed_of_grid(const struct plan *plan, uint32_t grid)
{
	return plan->feeds == plan->grids ? grid : 0;
}

/* If the event path uses aggregators, plans one for each grid, or one for the whole mesh if there
 * are no grids. Also plans the aggregators of rows, if the event path uses them. All other stages
 * must have been planned before. */
enum status aggregators_plan(struct plan *plan, struct inventory *inventory,
	const struct mesh_config *config, struct arena *arena, struct text *why);

/* Checks the routes of a plan. Returns OK. Returns UNSUPPORTED, with a sentence in `why` (may be
 * NULL), if packets on the routes could wait for each other in a cycle, or if a route uses links
 * outside the topology. */
enum status plan_check_circles(const struct plan *plan, struct arena *arena, struct text *why);

/* aggregator_of_device() returns the index of the aggregator that gathers the events of a device.
 * aggregator_slot() returns the slot of one of the device's queues at this aggregator.
 * aggregator_gate_chip() returns the chip that has the device's gate: the stage that announces the
 * device's events to the aggregator. */
uint32_t aggregator_of_device(const struct plan *plan, uint32_t device);
uint32_t aggregator_slot(const struct plan *plan, uint32_t device, uint32_t queue);
uint16_t aggregator_gate_chip(const struct plan *plan, uint32_t device);

/* Fills in *resources with the resources of a plan. `inventory` contains the plan's claims. */
void plan_resources(const struct plan *plan, const struct inventory *inventory,
	const struct mesh_config *config, struct mesh_resources *resources);

/* Returns the limits of programs on the devices of a plan. */
struct program_limits plan_limits(
	const struct plan *plan, const struct cluster_info *info, const struct mesh_config *config);

/* The functions below return the configured size, or the default if none is configured. The sizes
 * of queues and pages are rounded up to sizes that queues and pages can have. */

uint32_t sizes_issue_queue(const struct mesh_config *config);
uint32_t sizes_completion_queue(const struct mesh_config *config);

/* Returns the size of a prefetcher's kernel cache; 0 if kernels are not cached. */
uint32_t sizes_kernel_cache(const struct mesh_config *config);

uint32_t sizes_page_alignment(const struct mesh_config *config, enum buffer_type type);
uint32_t sizes_direct_run(const struct mesh_config *config);
uint32_t sizes_pool_threads(const struct mesh_config *config);

/* Returns the page size of binaries, rounded up to a multiple of the page alignment, so that the
 * pages of an image follow each other without gaps. */
uint32_t sizes_binary_page(const struct mesh_config *config);

/* Returns the kind of memory that is assumed to hold `bytes` bytes of a user's data. */
enum memory_kind sizes_user_memory(const struct mesh_config *config, uint64_t bytes);

#endif
