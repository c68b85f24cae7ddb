/* The state of an open mesh device, of its command queues and of their lanes. A lane is one
 * device's part of one command queue. */
#ifndef MESH_DEVICE_DEVICE_H
#define MESH_DEVICE_DEVICE_H

#include "command/completion.h"
#include "command/issue_queue.h"
#include "command/stream.h"
#include "fabric/grids.h"
#include "memory/allocator.h"
#include "mesh/choice.h"
#include "mesh/device/config_ring.h"
#include "mesh/event.h"
#include "mesh/mesh.h"
#include "mesh/plan/plan.h"
#include "mesh/device/standing.h"
#include "mesh/sub_device.h"
#include "world/world.h"
#include "mesh/program.h"
#include "base/arena.h"
#include "firmware/worker/worker.h"
#include "mesh/plan/inventory.h"

/* A division of devices into sub-devices (mesh/sub_device.h). */
struct division {
	uint32_t sub_devices;	 /* number of sub-devices */
	uint32_t local_l1_bytes; /* part of each worker's L1 for its sub-device alone */
	/* the sub-device of each core; SUB_DEVICE_NONE: the core belongs to no sub-device */
	uint8_t sub_device_of[CORES_MAX];
};

/* The internal structure of program sites (mesh/program.h): limits of programs, the division into
 * sub-devices, and counts of programs and workloads. A site without a mesh device cannot launch
 * anything. */
struct program_site {
	struct mesh_device *mesh; /* mesh device of the site; NULL: none */
	struct mesh_shape shape;
	struct program_limits limits;
	const uint16_t *ethernet_tiles; /* tiles of the mesh's Ethernet cores */
	/* geometry of the site's devices; NULL if programs cannot be assembled */
	const struct chip_geometry *geometry;
	bool divided;	 /* a division is loaded */
	uint32_t loaded; /* number of the loaded division; DIVISION_WHOLE: none */
	struct division
		*divisions[DIVISIONS_MAX + 1]; /* [number]; NULL: there is no such division */
	uint32_t sub_devices;		       /* number of sub-devices that are loaded */
	/* numbers of programs and workloads that are not yet freed */
	uint32_t programs, workloads;
	uint32_t next_program, next_workload;
	/* routes of a site that has devices of several hosts, if links join these hosts
	 * (mesh/assembled.h); otherwise NULL */
	struct site_routes *routes;
};

static inline uint32_t site_workers(const struct program_site *site)
{
	return (uint32_t)site->limits.worker_columns * site->limits.worker_rows;
}

/* Returns the number of workers and Ethernet cores. */
static inline uint32_t site_cores(const struct program_site *site)
{
	return site_workers(site) + site->limits.ethernet_cores;
}

struct estate;
struct read;
struct worker_group;

/* Whether the last commands to chips were unicasts or broadcasts. */
enum grid_turn {
	TURN_NONE, /* nothing was sent yet, or everything sent is settled */
	TURN_UNICASTS,
	TURN_BROADCASTS,
	TURN_KINDS
};

/* Sub-devices that one of a device's two dispatchers takes over, because the other dispatcher has
 * started the last programs there. First, the dispatcher that takes over waits until its own
 * earlier programs on these sub-devices are done. Then it receives the numbers of the sub-devices'
 * last runs. */
struct run_resume {
	uint32_t due; /* sub-devices to hand over, one bit each */
	uint32_t run[SUB_DEVICES_MAX];
};

/* The state that the configured ordering of broadcasts and unicasts keeps for a lane. Each comment
 * says which ordering uses the member. */
struct lane_order {
	/* used by the ordering `counter`: number of unicasts since the last broadcast; only the
	 * enqueuing thread uses it */
	uint32_t unicasts;
	/* used by the ordering `counter`: number of broadcasts since the last unicast */
	uint32_t broadcasts;
	/* used by the ordering `counter`: true if the host knows that everything is complete; the
	 * next broadcast then first resets `broadcasts` to 0 */
	bool settled;
	/* used by the ordering `event`: number of the notification for which the next unicast must
	 * wait; 0: it need not wait. The enqueuing thread sets the number while no host thread is
	 * working. The lane's thread sends the command that waits. */
	uint32_t wait;
	struct run_resume resume; /* used by the ordering `event`: set and sent like `wait` */
	/* used by the ordering `event`: kind of the last transaction, until the prefetchers of the
	 * other kind are notified that this transaction is done. Only the enqueuing thread uses
	 * this member. */
	enum grid_turn last;
	/* used by the ordering `event`: sets of sub-devices, one bit each. Each kind of
	 * transactions has its own dispatcher; unknown[kind] has the sub-devices whose last run
	 * this dispatcher does not know. `running` has the sub-devices on which programs may still
	 * run. */
	uint32_t unknown[TURN_KINDS], running;
};

/* A lane: one device's part of one command queue. Only one thread at a time uses the lanes of a
 * device. If this is not always the same thread, the thread pool (world/pool.h) or threads_*.c
 * ensure that one thread has finished before the next one begins. */
struct lane {
	struct command_queue *queue;
	uint32_t device; /* index of the device in the mesh */
	uint16_t chip;
	uint32_t marked_chip; /* number of the chip in marks */
	/* If the device belongs to another host, `issue` and `completion` are NULL, and this host
	 * only keeps the counts below */
	struct issue_queue *issue;
	struct completion_queue *completion;
	uint64_t event_slot; /* host address of the word to which events are written */
	uint8_t transaction; /* number of the transaction that was sent last */
	struct lane_order order;
	/* id of the last event that is known to be reached; guarded by the monitor
	 * mesh->completed */
	uint32_t event_seen;
	struct issued issued; /* amounts of the unicasts that were issued */
	uint32_t stalled;     /* last epoch in which the lane's prefetcher stalled */
	void *reads;	      /* state of the event path's read operations */
};

/* A part of a feed: a rectangle of the feed's devices that can receive broadcasts. */
struct feed_part {
	struct device_range range;
	struct grid_rect rect;	       /* the range, relative to the first device of the feed */
	uint16_t tree;		       /* number by which the feed's packetizers know the part's
					* trees */
	uint32_t stalled;	       /* last epoch in which the devices' prefetchers stalled */
	struct broadcast_tree **trees; /* [grid of the feed]; NULL: the plan's multicasts */
};

/* An issue queue for broadcasts of one command queue. One or several initiators read it. */
struct feed {
	struct issue_queue *issue; /* NULL if the initiators belong to another host */
	const struct feed_plan *plan;
	/* used by the ordering `event`: number of the notification for which the next broadcast
	 * must wait; 0: it need not wait */
	uint32_t wait;
	/* used by the ordering `event`: sub-devices that the dispatchers of broadcasts must take
	 * over before the next broadcast */
	struct run_resume resume;
	struct issued issued;
	enum grid_turn turn;	 /* kind of the last transaction */
	struct feed_part *parts; /* indexed by tree number; the first part contains all devices */
	uint32_t part_count;
};

struct job;
struct kernel_route;
struct mesh_buffer;
struct mesh_trace;
struct workload;

/* Kinds of captured operations, except workloads. */
enum captured { CAPTURED_NOTHING, CAPTURED_WRITE, CAPTURED_READ, CAPTURED_RECORD, CAPTURED_WAIT };

/* Receives the calls that are enqueued on a capturing queue. The only implementation is a trace
 * (mesh/trace.h). */
struct capture {
	/* Adds a launch. Returns OK, or INVALID if the trace cannot hold the workload. */
	enum status (*add)(struct capture *capture, struct workload *workload);
	/* Adds a job, and takes over the caller's reference to the job. */
	void (*take)(struct capture *capture, struct job *job, enum captured kind);
	/* Notes that the trace will write or read the buffer. */
	void (*hold)(struct capture *capture, const struct mesh_buffer *buffer);
	void (*drop)(struct capture *capture); /* frees the capture if it never ends */
	/* number of the trace among all traces of the mesh, counted from 1 */
	uint32_t number;
	uint32_t events; /* number of events recorded so far */
	/* size in bytes of the records of all captured reads, on the device that sends the most */
	uint64_t read_bytes;
};

struct command_queue {
	struct mesh_device *mesh;
	uint32_t index;
	struct lane *lanes; /* [device] lane of the device */
	struct feed *feeds; /* [feed] the feeds of the queue */
	uint32_t notified;  /* number of the last notification between prefetchers */
	struct kernel_cache kernels;
	struct capture *capture; /* if not NULL, receives all calls; devices then receive nothing */
};

/* The launches of a sub-device, from all queues. */
struct launches {
	struct command_queue *queue; /* the queue that launched last; NULL at first */
	/* number of runs so far: launches, and go signals without a launch; go signals contain its
	 * low 16 bits as the run number */
	uint32_t run;
	uint32_t started;	  /* the last run whose go signals have all been sent */
	uint32_t run_seen_by_all; /* the last run that every worker has seen */
	bool runs_missed;	  /* some workers have missed runs since run_seen_by_all */
	/* how many of the latest launches, counted back from the last one, have sent go signals to
	 * every device; starts at DISPATCH_BEHIND_MAX, which is also the highest value */
	uint32_t full_in_a_row;
	uint32_t *last; /* [device] -> run of the last launch on the device */
	struct config_ring ring;
};

/* A set of cores on every device whose programs run independently of the programs of other
 * sub-devices. Dispatchers use the number of the sub-device for its group of workers. A mesh that
 * is not divided has one sub-device of all cores. */
struct sub_device {
	struct launches launches;
	/* the sub-device's Tensix cores, as rectangles */
	struct worker_rect *rects;
	uint32_t rect_count;
	/* number of cores of each kind; a sub-device has either all Ethernet cores or none */
	uint32_t tensix, ethernet;
	struct allocator *l1; /* local allocator; NULL: none */
};

struct mesh_device {
	struct mesh_system *system;
	struct estate *estate; /* objects that outlive the mesh device */
	/* the parts of chips that the mesh device has claimed in the inventory; allocated in
	 * `estate` */
	struct inventory_part *parts;
	uint32_t part_count;
	struct mesh_config config;
	struct cluster *cluster;
	const struct cluster_info *info; /* description of the chips that the plan numbers */
	/* the number that the plan gives to the cluster's chip 0, and the number of chips of the
	 * cluster */
	uint16_t first_chip, own_chips;
	const struct chip_geometry *geometry; /* geometry of every device */
	struct plan plan;
	struct mesh_resources resources;
	struct mesh_counters counters;
	struct allocator *memory[BUFFER_TYPE_COUNT];
	/* region for binaries in DRAM banks; NULL: binaries use the memory of buffers */
	struct allocator *binary_region;
	struct host_memory *system_memory; /* holds buffers in system memory; NULL: none */
	struct mesh_trace *traces;	   /* traces that are not yet released */
	uint32_t next_trace;		   /* number of the trace that was begun last */
	uint32_t number;		   /* number among the mesh devices of the system */
	uint32_t devices, queue_count;
	/* true: devices need different commands, because their tiles have different physical
	 * coordinates */
	bool streams_differ;
	bool created_per_device; /* each device gets a separate operation and separate commands */
	struct command_queue queues[MESH_COMMAND_QUEUES_MAX];
	struct sub_device sub_devices[SUB_DEVICES_MAX];
	uint32_t sub_device_count;
	uint32_t rest_seen; /* last run that the cores outside of all sub-devices have seen */
	/* some cores are outside of all sub-devices */
	bool has_rest;
	struct program_site site;
	/* [queue] the sub-devices on which the queue has launched since its last finish, one bit
	 * each, and the flag QUEUE_SENT */
	uint32_t busy[MESH_COMMAND_QUEUES_MAX];
	uint32_t next_event; /* id of the next event, counted from 1 (spec 3.11.3) */
	struct monitor *completed;
	/* status of earlier non-blocking reads, until a call returns it; guarded by the monitor
	 * `completed` */
	enum status read_status;
	/* address, in the host window, of the words for timed bring-up; 0 if bring-up is not
	 * timed */
	uint64_t load_words;
	/* address, in the host window, of the event table, which has the slots [device *
	 * queue_count + queue] */
	uint64_t event_table;
	/* [aggregator] the queue of the aggregator's notifications */
	struct completion_queue **notifications;
	/* stages that have counters */
	struct worker_group *
		*workers; /* [2 * device] workers, [2 * device + 1] Ethernet cores, or NULL */
	struct stage **packetizers;   /* [queue * grids + grid]; NULL: shared with queue 0 */
	struct stage **depacketizers; /* [queue * devices + device] */
	/* address, in the host window, of one word per aggregator; used if aggregators only
	 * count */
	uint64_t counts;
	struct kernel_route *kernel_routes; /* routes of programs; allocated in `estate` */
	/* the chips and links that routes over several hosts may use; allocated in `estate`; NULL:
	 * not made yet */
	struct route_ground *ground;
	struct standing_semaphores standing;
	void *threads;		      /* state of the chosen host threads */
	struct range_posts *gathered; /* posts that are sent together, or NULL */
	struct compiled *compiled;    /* [device] its program cache; NULL: there is none yet */
	struct pool *compilers;	      /* threads that only compile; NULL: there are none yet */
	void *completion;	      /* state of the chosen event path */
	void *readers;		      /* state of the chosen readers */
	struct pool *pollers;	      /* the polling threads without the caller; NULL: none */
	/* Number of writes of binaries so far. A prefetcher reads ahead of the dispatcher that
	 * writes the binaries into DRAM. So each prefetcher must stall once after every such write,
	 * before it relays the new binaries. */
	uint32_t epoch;
};

/* Returns all sub-devices of the mesh, one bit each. There is at least one. */
static inline uint32_t mesh_sub_devices(const struct mesh_device *mesh)
{
	return (1u << mesh->sub_device_count) - 1;
}

/* Returns true if the chip belongs to this host. Only a mesh device that spans several hosts
 * (struct whole_config) has other chips. */
static inline bool mesh_owns(const struct mesh_device *mesh, uint16_t chip)
{
	return (uint16_t)(chip - mesh->first_chip) < mesh->own_chips;
}

/* Returns the chip, which must belong to this host. */
static inline struct device *mesh_chip(const struct mesh_device *mesh, uint16_t chip)
{
	return device_row->chip(mesh->cluster, (uint16_t)(chip - mesh->first_chip));
}

/* Returns true if the device belongs to this host. */
static inline bool mesh_is_near(const struct mesh_device *mesh, uint32_t device)
{
	return mesh_owns(mesh, mesh->plan.mesh.chips[device]);
}

/* Returns the number that marks give to a chip of the plan. */
static inline uint32_t mesh_marked(const struct mesh_device *mesh, uint16_t chip)
{
	return mesh->config.marks.first_chip + chip - mesh->first_chip;
}

/* Returns the index of the i-th device of a range, in row-major order. */
uint32_t range_device(const struct mesh_device *mesh, struct device_range range, uint32_t i);

/* Returns the index of the first device of a range that belongs to this host. If none belongs to
 * this host, returns the index of the first device of the range. */
uint32_t range_near(const struct mesh_device *mesh, struct device_range range);

/* State that the mesh devices of a cluster share, and objects that outlive a mesh device: stages,
 * trees and plans exist until the cluster is freed (world/device.h). */

/* An object to free after the cluster is freed. */
struct owned {
	struct owned *next;
	struct stage *stage;
	/* true for a boot stage, which is removed from its processor before mesh_open() returns */
	bool boots;
	struct worker_group *workers;
	struct firmware *firmware; /* firmware is freed last */
};

/* Objects of a mesh device that live as long as the cluster. All of them lie in the arena. */
struct estate {
	struct estate *next;
	struct arena arena; /* holds plans and trees */
	/* newest first, so that stages are freed before the firmware to which they refer */
	struct owned *owned;
};

struct mesh_system {
	struct cluster *cluster; /* NULL: mesh devices are only planned, not started */
	const struct cluster_info *info;
	struct monitor *entry; /* protects the four members below */
	struct inventory inventory;
	uint32_t opened;	  /* number of mesh devices opened so far */
	uint32_t threads_started; /* number of host threads of all mesh devices; atomic */
	struct estate *estates;
};

/* Creates a new estate of the system. */
struct estate *system_estate(struct mesh_system *system);

/* Keeps a stage, workers or firmware until mesh_system_free(). */
void estate_own(struct estate *estate, struct owned owned);

#endif
