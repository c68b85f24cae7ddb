/* A simulated cluster and its chips. Functions are prefixed sim_; those of the native emulator have
 * the plain names. */
#ifndef CHIP_MACHINE_CLUSTER_H
#define CHIP_MACHINE_CLUSTER_H

#include "base/ensure.h"
#include "cause/cause.h"
#include "chip/machine/grid.h"
#include "chip/machine/pool.h"
#include "chip/machine/step_queue.h"
#include "chip/machine/timing.h"
#include "chip/machine/window.h"
#include "chip/sim_device.h"
#include "engine/engine.h"
#include "engine/server.h"
#include "host/thread.h"

struct tile;  /* chip/tile/tile.h */
struct task;  /* chip/tile/scheduler.h */
struct layer; /* chip/tile/layer.h */
struct pcie;  /* chip/pcie/pcie.h */

struct device {
	struct cluster *cluster;
	const struct chip_info *info;
	struct sim_grid *grid;
	struct tile *tiles;
	struct pcie *pcie; /* NULL: the chip has none */
	struct step_queue steps;
	struct layer *layers;
	struct task *fabric_first, *fabric_last; /* blocked on the fabric */
	uint32_t trees;				 /* rooted here, to spread them over links */
	uint16_t number;
};

struct fabric; /* chip/fabric/fabric.h */
struct sim_network;
struct sim_links; /* chip/noc/links.h */

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
	void *network_state;	 /* private to the network */
	struct sim_links *links; /* NULL: `model.noc: interfaces` */
	struct sim_pool flights, tasks, word_chunks, word_tables, atomic_units, cores_steps;
	uint64_t layer_versions; /* multicasts to layers so far (chip/tile/layer.h) */
	struct task **stages;	 /* in order of start */
	uint32_t stage_count, stage_capacity;
	/* quiescence.c */
	uint32_t awake;	    /* stages that are neither ended nor idle */
	uint32_t under_way; /* operations */
	int64_t settled_ps; /* by then, all changes that have no event have happened */
	struct host_waiter *drainers;
	struct sim_conservation conservation;
};

/* ---- quiescence.c ---- */

/* Wakes the threads that wait for the cluster to come to rest. */
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
