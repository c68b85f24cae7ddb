/* The `sim` implementation of device.h: chips, their NoC, DRAM, PCIe and the Ethernet fabric
 * between them, on the event heap in integer picoseconds. Create it after engine_open() and
 * sim_world_start(). Only one thread or event runs at a time, so nothing here is locked.
 *
 * Networks (`model.network`): `packet`, first come first served at every NIU, DRAM bank, link and
 * router, with buffer slots that can run out; `ideal`, the same latencies and rates, but every flow
 * (tile to tile, fabric tree) has its path for itself and slots never run out; `fluid`, every
 * message is a SimGrid communication over links that share their bandwidth, without slots. `fluid`
 * needs the platform in zones (platform.h), and is slow. */
#ifndef CHIP_SIM_DEVICE_H
#define CHIP_SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "world/device.h"

/* Constants of the modelled chip, a plain struct that is filled from a platform file. That file
 * holds the machine's figures, with their sources; there are no defaults. */
struct chip_constants {
#define X(name, ...) double name;
#include "chip/constants.def"
#undef X
};

extern const struct device_ops sim_device;

/* The implementation that also models each link between NoC routers. A transfer holds all links of
 * its path (in dimension order; a multicast holds each link of its tree once), so two transfers
 * that share a link take turns. NoC 0 and NoC 1 have separate links (struct stage says which NoC it
 * uses). One NIU per tile serves both, and latencies are those of NoC 0, so a transfer alone takes
 * the same time as without links. */
extern const struct device_ops sim_device_links;

/* The device.h implementation for clusters with that network, which must exist: sim_device, except
 * for `fluid`. */
const struct device_ops *sim_network_device(const char *name);

/* True if messages of different flows contend in that network, which must exist. */
bool sim_network_contends(const char *name);

/* Topology of the fabric, which decides how packets are routed. One for the whole machine. */
enum sim_topology {
	SIM_TOPOLOGY_LINE, /* 1D, no wrap */
	SIM_TOPOLOGY_RING, /* 1D; entering a ring needs more than one free slot; acknowledgements */
	SIM_TOPOLOGY_MESH, /* 2D, no wrap */
	SIM_TOPOLOGY_TORUS, /* 2D, and every row and column is a ring */
	SIM_TOPOLOGY_COUNT
};

/* Names of the networks in order of the registry, terminated by NULL. */
const char *const *sim_network_names(void);

/* The word that a worker increments to acknowledge. */
struct sim_ack {
	uint16_t tile;
	uint32_t address;
};

/* Callbacks for `model.cores: chip`: when a go word is multicast to workers, the model handles all
 * of them together, in a few events per chip. The stages decide what a worker does, the model when
 * it runs and when its acknowledgement arrives. Times equal those of `cores: each` to the
 * picosecond, as long as the workers wait for nothing but the go. */
struct sim_cores {
	/* True if the word is a go that this stage, blocked now, can take in one step. */
	bool (*takes)(const struct stage *worker, uint32_t address, uint32_t value);
	/* The go has arrived: claims the launch, returns its cycles and sets *ack. < 0: this worker
	 * must be scheduled individually. `like`: the worker launched before by this go, if
	 * shared() (device.h) answers for both of them alike, for every range; else NULL. */
	int64_t (*launch)(struct stage *worker, uint32_t value, const struct stage *like,
		struct sim_ack *ack);
	/* Charges for the launch that is claimed (device.h). */
	void (*charge)(struct stage *worker);
	/* The launch is over: applies its effects, except for the acknowledgement, and fills the
	 * worker's wait with the go for which it waits next. */
	void (*finish)(struct stage *worker);
	/* Cores contend, so that this model would be wrong; `what` is static text. The simulation
	 * ends (engine_stop). */
	void (*refuse)(void *context, const char *what, uint16_t chip, uint16_t tile);
};

struct sim_options {
	const char *network; /* NULL: "packet" */
	enum sim_topology topology;
	bool noc_links;		       /* `model.noc`: its row of device.h is sim_device_links */
	const struct sim_cores *cores; /* NULL: every worker is scheduled individually */
	void *cores_context;	       /* passed to refuse() */
	uint16_t host; /* number in struct affinity: only its threads can reach the chips */
};

/* Creates a cluster with empty memories. `info` is borrowed and must outlive it; constants and
 * options are copied. Returns OK, and the caller owns *cluster; or INVALID for a constant out of
 * its range or an unknown network, which *what then names (static text).
 *
 * A simulation may have several clusters, one per host, without connections between them. Clusters
 * of hosts other than 0 cannot use `fluid` (INVALID), since SimGrid has the chips of one host only.
 */
enum status sim_cluster_new(const struct cluster_info *info, const struct chip_constants *constants,
	const struct sim_options *options, struct cluster **cluster, const char **what);

/* Frees everything but the stages. Call after engine_run_main(). NULL is allowed. */
void sim_cluster_free(struct cluster *cluster);

/* ---- statistics for results, valid at any time ---- */

/* One link in one direction. Times in ps, sums over the run. */
struct sim_link_statistics {
	uint16_t from, to; /* chips */
	uint16_t index;	   /* among the parallel links of this connection */
	uint64_t packets;
	uint64_t payload_bytes;	     /* of fabric packets */
	uint64_t wire_bytes;	     /* with fabric headers and Ethernet overhead */
	int64_t busy_ps;	     /* wire occupied */
	int64_t processor_ps;	     /* sending router's processor, both its directions */
	int64_t waited_ps;	     /* packets waited for processor and wire */
	int64_t blocked_ps;	     /* packets waited for a slot of the receiver, the wire idle */
	uint64_t blocked;	     /* number of such packets */
	uint32_t waiting_high_water; /* most packets that waited at once */
	uint32_t slots_high_water;   /* most slots of the receiver in use, of one channel */
};

/* Directed links: connection by connection, link by link, both directions of each in turn. */
uint32_t sim_link_count(const struct cluster *cluster);
void sim_link_statistics(
	const struct cluster *cluster, uint32_t index, struct sim_link_statistics *statistics);

/* One tile's NIU (a DRAM tile: its bank, in `in`; reads from it are counted there too). */
struct sim_tile_statistics {
	uint64_t out_bytes, out_messages, in_bytes, in_messages;
	int64_t out_busy_ps, out_waited_ps, in_busy_ps, in_waited_ps;
	uint64_t increments; /* at its atomic unit */
	int64_t increments_waited_ps;
};

void sim_tile_statistics(const struct cluster *cluster, uint16_t chip, uint16_t tile,
	struct sim_tile_statistics *statistics);

/* Statistics of one link between two routers of a chip. Links are numbered by row, column and NoC,
 * each router's link along the row before that along the column. All zeros if it was never used.
 * Returns false if the chip has no such link, or links are not modelled. */
struct sim_noc_link_statistics {
	uint8_t noc, x, y, to_x, to_y; /* its routers */
	uint64_t bytes, messages;      /* with headers */
	int64_t busy_ps;
	int64_t waited_ps; /* of transfers for which this link was the last to become free */
};

bool sim_noc_link_statistics(const struct cluster *cluster, uint16_t chip, uint32_t index,
	struct sim_noc_link_statistics *statistics);

/* PCIe of one chip; all zeros without. */
struct sim_pcie_statistics {
	uint64_t posts, posted_bytes;	/* by the host */
	uint64_t peeks, peeked_bytes;	/* read by the host */
	uint64_t reads, read_bytes;	/* by the device: requests */
	uint64_t writes, written_bytes; /* by the device */
	int64_t down_busy_ps, down_waited_ps, up_busy_ps, up_waited_ps;
	uint32_t outstanding_high_water; /* read requests; with those that wait for their turn */
};

void sim_pcie_statistics(
	const struct cluster *cluster, uint16_t chip, struct sim_pcie_statistics *statistics);

/* One stage, in order of start. Times up to engine_now(); the rest of the time it was idle. */
struct sim_stage_statistics {
	const struct stage *stage;
	uint16_t chip;
	bool blocked;	    /* now */
	int64_t busy_ps;    /* between begin and commit */
	int64_t blocked_ps; /* blocked, and not idle */
};

uint32_t sim_stage_count(const struct cluster *cluster);
void sim_stage_statistics(
	const struct cluster *cluster, uint32_t index, struct sim_stage_statistics *statistics);

/* Conservation of bytes: those sent equal those delivered whenever the cluster is drained; drain()
 * checks that. A multicast counts once per destination. */
struct sim_conservation {
	uint64_t noc_sent_bytes, noc_delivered_bytes;
	uint64_t fabric_sent_bytes, fabric_delivered_bytes;
	uint64_t pcie_sent_bytes, pcie_delivered_bytes;
};

void sim_conservation(const struct cluster *cluster, struct sim_conservation *conservation);

#endif
