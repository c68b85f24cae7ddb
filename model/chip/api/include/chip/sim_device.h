/* The `sim` implementation of device.h: chips with NoC, DRAM and PCIe, and the Ethernet fabric
 * between them. It runs on the engine's event heap, with times in integer picoseconds. Create a
 * cluster after engine_open() and sim_world_start(). Only one thread or event runs at a time, so no
 * locks are needed.
 *
 * There are three network models (`model.network`):
 *
 *   packet  Every NIU, DRAM bank, link and router serves its messages first come, first served.
 *           If all slots of a buffer are in use, messages wait.
 *   ideal   Has the latencies and rates of `packet`, but flows do not compete: every flow (from one
 *           tile to another, or along a tree of the fabric) has links and routers of its own, and
 *           always finds a free slot.
 *   fluid   Every message is a SimGrid communication over links that share their bandwidth. There
 *           are no slots. `fluid` needs the platform in zones (platform.h), and is slow. */
#ifndef CHIP_SIM_DEVICE_H
#define CHIP_SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/table/registry.h"
#include "world/device.h"

/* Constants of the modelled chip. They are filled from a platform file, which has the values of the
 * machine and their sources. There are no defaults. */
struct chip_constants {
#define X(name, ...) double name;
#include "chip/constants.def"
#undef X
};

extern const struct device_ops sim_device;

/* The device.h implementation for `model.noc: links`, which also models each link between NoC
 * routers. A transfer occupies all links of its path: first the links along one dimension, then the
 * links along the other. A multicast occupies each link of its tree once. Transfers that need the
 * same link use it one after another. NoC 0 and NoC 1 have separate links; struct stage says which
 * NoC a stage uses. Both NoCs have the same latencies, so a transfer that waits for no link takes
 * the same time as without this model. */
extern const struct device_ops sim_device_links;

/* Returns the device.h implementation for the network `name`, which must exist. The network `fluid`
 * has its own implementation; all other networks have &sim_device. */
const struct device_ops *sim_network_device(const char *name);

/* True if messages of different flows contend in the network `name`, which must exist. */
bool sim_network_contends(const char *name);

/* Returns about how many times as long as a run with network `packet` a run with this network
 * takes. It is 1 for an unknown network. */
double sim_network_slowness(const char *name);

/* The topology of the fabric, which decides how packets are routed. There is one topology for the
 * whole machine. */
enum sim_topology {
	SIM_TOPOLOGY_LINE, /* one dimension; the ends are not joined */
	/* one dimension, a ring. A packet enters the ring only if several slots are free, and every
	 * packet is acknowledged */
	SIM_TOPOLOGY_RING,
	SIM_TOPOLOGY_MESH,  /* two dimensions; no row or column is a ring */
	SIM_TOPOLOGY_TORUS, /* two dimensions; every row and column is a ring */
	SIM_TOPOLOGY_COUNT
};

/* The network models, in the order of networks.def. */
REGISTRY_DECLARE_OF(sim_network, sim_network)

/* The address of the word that a worker increments to acknowledge a launch. */
struct sim_ack {
	uint16_t tile;
	uint32_t address;
};

/* Data of a packed write: target i gets the bytes of `span` from i * stride + offset on. */
struct sim_packed {
	const struct packed_target *targets;
	uint32_t count, stride, offset;
	struct span span;
};

/* A range of L1. */
struct sim_range {
	uint32_t address, bytes;
};

enum { SIM_PACKED_MAX = 8 };

/* Callbacks of the firmware for `model.cores: chip`. A go word tells a worker to start a program.
 * If a go word is multicast to workers, the model handles all of these workers together, in a few
 * events per chip. The callbacks decide what a worker does; the model decides when the worker runs
 * and when its acknowledgement arrives. The other setting, `model.cores: each`, simulates every
 * worker by itself. Both settings give the same times, to the picosecond, as long as the workers
 * wait only for go words. */
struct sim_cores {
	/* Returns true if writing `value` to `address` starts a program (a go), and if `worker`,
	 * which is blocked, can handle this go in one step. */
	bool (*takes)(const struct stage *worker, uint32_t address, uint32_t value);
	/* Called when the go word has reached the worker. Claims the launch, sets *ack to the word
	 * that acknowledges it, and returns the number of cycles that the launch takes. Returns a
	 * negative number if this worker must be simulated by itself. `like` is NULL, or a worker
	 * that the same go has launched before and whose L1 holds the same data as the L1 of
	 * `worker`. A range of L1 holds the same data if shared() (device.h) returns the same value
	 * for both workers. */
	int64_t (*launch)(struct stage *worker, uint32_t value, const struct stage *like,
		struct sim_ack *ack);
	/* Charges the time of the claimed launch to its causes (device.h). */
	void (*charge)(struct stage *worker);
	/* Called at the end of the launch. Does what the program of the launch does, except for the
	 * acknowledgement, and sets the worker's wait to the next go. */
	void (*finish)(struct stage *worker);

	/* A crew is a group of workers whose states were equal when the crew was formed, and have
	 * been equal since then. The simulator needs the same time to launch a crew of any size. If
	 * crew_form is NULL, there are no crews. */

	/* Forms a crew of workers, all of which must be waiting for their next go. `crew` is NULL,
	 * or an earlier crew of the same workers, whose memory is then reused. Returns NULL if the
	 * states of the workers differ. */
	void *(*crew_form)(void *crew, struct stage *const *workers, uint32_t count);
	/* Like launch(), for all workers of the crew at once. Sets *own to the range of L1 in which
	 * the data of the workers may differ; its length is 0 if there is no such range. The model
	 * calls takes() and charge() for the first worker only. */
	int64_t (*crew_launch)(
		void *crew, uint32_t value, struct sim_ack *ack, struct sim_range *own);
	/* Undoes crew_launch(), even if the crew has been split since then. */
	void (*crew_cancel)(void *crew);
	/* Like finish(), for all workers of the crew at once. `parts` are the `count` pieces of
	 * data in the range that crew_launch() has set in *own. If the crew must be split first,
	 * changes nothing and returns false. */
	bool (*crew_finish)(void *crew, const struct sim_packed *parts, uint32_t count);
	/* Writes the state of the crew to each worker and its L1. If a launch is running, each
	 * worker continues the launch by itself. */
	void (*crew_split)(void *crew);
	void (*crew_free)(void *crew);
	/* Called when several cores contend for a resource in a way for which `model.cores: chip`
	 * would compute wrong times. `what` is static text that names the resource. After this
	 * callback returns, the simulation ends (engine_stop). */
	void (*refuse)(void *context, const char *what, uint16_t chip, uint16_t tile);
};

struct sim_options {
	const char *network; /* name of the network model; NULL: "packet" */
	enum sim_topology topology;
	bool noc_links;		       /* true for `model.noc: links`; needs sim_device_links */
	const struct sim_cores *cores; /* NULL: every worker is scheduled individually */
	void *cores_context;	       /* passed to cores->refuse() as its first argument */
	/* number of the host in struct affinity; only threads of this host can reach the chips */
	uint16_t host;
	struct cluster *joined; /* another cluster of the same machine (cluster_info.machine), with
				 * which the new cluster shares the fabric; NULL: the new cluster is
				 * the first of its machine */
};

/* Creates a cluster with empty memories. `info` must stay valid as long as the cluster; the
 * constants and options are copied. Returns OK on success; the caller owns *cluster. Returns
 * INVALID if a constant is out of range or if an option is not possible. *what is then the name of
 * this constant or option (static text).
 *
 * A simulation may have several clusters, one for each host. If links join the hosts, all clusters
 * share one fabric; otherwise the clusters are not connected. Only the cluster of host 0 can use
 * the network `fluid`, because SimGrid's platform contains the chips of one host only. For other
 * clusters, `fluid` is an option that is not possible. */
enum status sim_cluster_new(const struct cluster_info *info, const struct chip_constants *constants,
	const struct sim_options *options, struct cluster **cluster, const char **what);

/* Frees everything but the stages. Call after engine_run_main(). NULL is allowed. */
void sim_cluster_free(struct cluster *cluster);

/* ---- statistics for results, valid at any time ---- */

/* Statistics of one link in one direction. Times are in ps, and are sums over the run. */
struct sim_link_statistics {
	uint16_t from, to; /* numbers of chips */
	uint16_t index;	   /* number among the parallel links of this connection */
	uint64_t packets;
	uint64_t payload_bytes; /* payload of fabric packets */
	uint64_t wire_bytes;	/* payload, fabric headers and Ethernet overhead */
	int64_t busy_ps;	/* time in which the wire was occupied */
	int64_t processor_ps; /* busy time of the sending router's processor, in both directions */
	int64_t waited_ps;    /* sum of the packets' waits for processor and wire */
	/* time that packets waited for a slot of the receiver while the wire was idle */
	int64_t blocked_ps;
	uint64_t blocked;	     /* number of packets that waited for a slot */
	uint32_t waiting_high_water; /* largest number of packets that waited at one time */
	uint32_t slots_high_water;   /* largest number of the receiver's slots on one channel that
				      * were in use at the same time */
};

/* Returns the number of links, where each direction counts as a link. Links are ordered by
 * connection, then by the number of the parallel link, then by direction. If several clusters share
 * a fabric, the first cluster has all links, with the chip numbers of the whole machine, and the
 * other clusters have none. */
uint32_t sim_link_count(const struct cluster *cluster);
void sim_link_statistics(
	const struct cluster *cluster, uint32_t index, struct sim_link_statistics *statistics);

/* Statistics of one tile's NIU. In a DRAM tile, the fields with the prefix `in_` are not those of
 * the NIU: they describe the DRAM bank, and include reads from the bank. */
struct sim_tile_statistics {
	uint64_t out_bytes, out_messages, in_bytes, in_messages;
	int64_t out_busy_ps, out_waited_ps, in_busy_ps, in_waited_ps;
	uint64_t increments; /* increments that the atomic unit of this tile executed */
	int64_t increments_waited_ps;
};

void sim_tile_statistics(const struct cluster *cluster, uint16_t chip, uint16_t tile,
	struct sim_tile_statistics *statistics);

/* Statistics of one link between two NoC routers of a chip. Links are numbered in the order of the
 * rows, columns and NoCs of the routers at which they start. Two links start at each router; the
 * one along the row comes first. All counts are zero if the link was never used. The function
 * returns false if the chip has no link with this number, or if links are not modelled. */
struct sim_noc_link_statistics {
	uint8_t noc, x, y, to_x, to_y; /* routers at the start and at the end of the link */
	uint64_t bytes, messages;      /* payload and headers */
	int64_t busy_ps;
	/* sum of the waits of transfers for which this link was the last busy link */
	int64_t waited_ps;
};

bool sim_noc_link_statistics(const struct cluster *cluster, uint16_t chip, uint32_t index,
	struct sim_noc_link_statistics *statistics);

/* PCIe of one chip; all zeros if the chip has no PCIe. */
struct sim_pcie_statistics {
	uint64_t posts, posted_bytes;	/* posted writes of the host */
	uint64_t peeks, peeked_bytes;	/* reads of the host */
	uint64_t reads, read_bytes;	/* requests to read host memory, by the device */
	uint64_t writes, written_bytes; /* writes to host memory, by the device */
	int64_t down_busy_ps, down_waited_ps, up_busy_ps, up_waited_ps;
	/* largest sum of requests in flight and reads that wait to issue requests */
	uint32_t outstanding_high_water;
};

void sim_pcie_statistics(
	const struct cluster *cluster, uint16_t chip, struct sim_pcie_statistics *statistics);

/* Statistics of one stage; stages are in the order in which they were started. Times count up to
 * engine_now(). The remaining time, in which the stage was neither busy nor blocked, is idle time.
 */
struct sim_stage_statistics {
	const struct stage *stage;
	uint16_t chip;
	bool blocked;	    /* the stage is blocked at present */
	int64_t busy_ps;    /* sum of the times between begin and commit */
	int64_t blocked_ps; /* time for which the stage was blocked without being idle */
};

uint32_t sim_stage_count(const struct cluster *cluster);
void sim_stage_statistics(
	const struct cluster *cluster, uint32_t index, struct sim_stage_statistics *statistics);

/* Counts of bytes, to check that no bytes were lost. When the cluster is at rest, the numbers of
 * sent and of delivered bytes must be equal; drain() checks this. A multicast counts once per
 * destination. */
struct sim_conservation {
	uint64_t noc_sent_bytes, noc_delivered_bytes;
	uint64_t fabric_sent_bytes, fabric_delivered_bytes;
	uint64_t pcie_sent_bytes, pcie_delivered_bytes;
};

void sim_conservation(const struct cluster *cluster, struct sim_conservation *conservation);

#endif
