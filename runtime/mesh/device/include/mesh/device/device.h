/* The state of an open mesh device, its command queues and their lanes. A lane is one device's part
 * of one command queue. */
#ifndef MESH_DEVICE_DEVICE_H
#define MESH_DEVICE_DEVICE_H

#include "command/completion_queue.h"
#include "command/issue_queue.h"
#include "command/stream.h"
#include "fabric/grids.h"
#include "memory/allocator.h"
#include "mesh/choice.h"
#include "mesh/device/config_ring.h"
#include "mesh/device/kernel_cache.h"
#include "mesh/device/site.h"
#include "mesh/event.h"
#include "mesh/mesh.h"
#include "mesh/plan/plan.h"
#include "mesh/sub_device.h"
#include "world/world.h"

struct estate;
struct read;
struct worker_group;

/* How chips are sent their commands. */
enum grid_turn {
	TURN_NONE, /* nothing was sent yet, or all of it is settled */
	TURN_UNICASTS,
	TURN_BROADCASTS,
	TURN_KINDS
};

/* A dispatcher that takes over sub-devices from another of its queue: once its own workers of these
 * are done, it is told the numbers of their last runs. */
struct run_resume {
	uint32_t due; /* a bit for each sub-device */
	uint32_t run[SUB_DEVICES_MAX];
};

/* What the ordering row keeps of a lane. */
struct lane_order {
	uint32_t unicasts;   /* counter: since the last broadcast; of the thread that enqueues */
	uint32_t broadcasts; /* counter: since the last unicast, which sets it to 0 */
	bool settled;	     /* counter: nothing is pending, whatever `broadcasts` says */
	/* event: notification that the next unicast waits for, 0: none; sent by the lane's thread,
	 * set by the one that enqueues while there is none at work */
	uint32_t wait;
	struct run_resume resume; /* event: likewise */
	/* event: what its prefetchers of the other kind know nothing of; by the thread that
	 * enqueues */
	enum grid_turn last;
	/* event: sub-devices, a bit each: [kind] of which that dispatcher does not know the last
	 * runs; and of which the other one may not be done with them */
	uint32_t unknown[TURN_KINDS], running;
};

/* One device's part of one command queue. Touched by one host thread at a time: the one that works
 * for the device (world/pool.h and threads_*.c see to the hand-over). */
struct lane {
	struct command_queue *queue;
	uint32_t device; /* index in the mesh */
	uint16_t chip;
	uint32_t marked_chip; /* as marks call it */
	struct issue_queue *issue;
	struct completion_queue *completion;
	uint64_t event_slot; /* host address of the word that events are written to */
	uint8_t transaction; /* number of the last transaction sent */
	struct lane_order order;
	uint32_t event_seen;  /* last event known to be reached; under mesh->completed */
	struct issued issued; /* by unicast */
	uint32_t stalled;     /* epoch in which its prefetcher has stalled last */
	void *reads;	      /* of the operations for reads */
};

/* Devices of a feed that broadcasts go to. */
struct feed_part {
	struct device_range range;
	struct grid_rect rect;	    /* the same, from the first device of the feed on */
	uint16_t tree;		    /* its number at the feed's packetizers */
	uint32_t stalled;	    /* epoch in which the devices' prefetchers have stalled last */
	struct fabric_tree **trees; /* [grid of the feed]; NULL: those of the plan */
};

/* An issue queue of broadcasts of one command queue: an initiator's, or that of several. */
struct feed {
	struct issue_queue *issue;
	const struct feed_plan *plan;
	uint32_t wait; /* event: notification that the next broadcast waits for, 0: none */
	struct run_resume resume; /* event: before the next broadcast */
	struct issued issued;
	enum grid_turn turn;	 /* how the last transaction went */
	struct feed_part *parts; /* that broadcasts go to, by their trees; the first: all devices */
	uint32_t part_count;
};

struct job;
struct kernel_route;
struct mesh_trace;
struct workload;

/* What a trace takes beside workloads. */
enum captured { CAPTURED_NOTHING, CAPTURED_WRITE, CAPTURED_READ, CAPTURED_RECORD, CAPTURED_WAIT };

/* Takes what is enqueued on a queue in place of its devices: a trace (mesh/trace.h). */
struct capture {
	/* OK; INVALID if the trace cannot hold the workload. */
	enum status (*add)(struct capture *capture, struct workload *workload);
	/* With the caller's reference. */
	void (*take)(struct capture *capture, struct job *job, enum captured kind);
	void (*drop)(struct capture *capture); /* frees it, if it never ends */
	uint32_t number;		       /* among those of the mesh, from 1 */
	uint32_t events;		       /* recorded so far */
	uint64_t read_bytes; /* of records of reads, the most that a device can send */
};

struct command_queue {
	struct mesh_device *mesh;
	uint32_t index;
	struct lane *lanes; /* [device] */
	struct feed *feeds; /* [feed] */
	uint32_t notified;  /* the last notification between prefetchers */
	struct kernel_cache kernels;
	struct capture *capture; /* what calls go to in place of the devices, or NULL */
};

/* Launches of a sub-device, whichever queue they come from. */
struct launches {
	struct command_queue *queue; /* that launched last; NULL at first */
	uint32_t run;		     /* go signals so far: the run number is its low 16 bits */
	uint32_t started;	     /* the last of which all go signals have been sent */
	uint32_t run_seen_by_all;    /* the last that every worker has seen */
	bool runs_missed;	     /* by some workers, since */
	uint32_t full_in_a_row;	     /* of the last launches, how many in a row ran on every device;
				at most DISPATCH_BEHIND_MAX, also if there were no more */
	uint32_t *last;		     /* [device] -> run of its last launch */
	struct config_ring ring;
};

/* Workers of every device that are started together, and apart from all others: its number is that
 * of their group at the dispatchers. A mesh that is not divided has one of all cores. */
struct sub_device {
	struct launches launches;
	struct worker_rect *rects; /* its Tensix cores */
	uint32_t rect_count;
	uint32_t tensix, ethernet; /* cores of each kind; of Ethernet cores all or none */
	struct allocator *l1;	   /* of its own; NULL: none */
};

struct mesh_device {
	struct mesh_system *system;
	struct estate *estate;	      /* what it leaves behind */
	struct inventory_part *parts; /* of the inventory: what it has taken; in the estate */
	uint32_t part_count;
	struct mesh_config config;
	struct cluster *cluster;
	const struct cluster_info *info;
	const struct chip_geometry *geometry; /* of every device */
	struct plan plan;
	struct mesh_resources resources;
	struct mesh_counters counters;
	struct allocator *memory[BUFFER_TYPE_COUNT];
	struct allocator *binary_region;   /* of DRAM banks; NULL: binaries lie among the buffers */
	struct host_memory *system_memory; /* that buffers lie in; NULL: none */
	struct mesh_trace *traces;	   /* that have not been released */
	uint32_t next_trace;		   /* number of the last one that was begun */
	uint32_t number;		   /* among those of the system */
	uint32_t devices, queue_count;
	bool streams_differ; /* devices need commands of their own: physical coordinates that differ
			      */
	bool created_per_device; /* operations of workloads, each with its commands */
	struct command_queue queues[MESH_COMMAND_QUEUES_MAX];
	struct sub_device sub_devices[SUB_DEVICES_MAX];
	uint32_t sub_device_count;
	struct program_site site;
	/* Of each queue, since a finish: the sub-devices that it launched on, a bit each, and
	 * QUEUE_SENT. */
	uint32_t busy[MESH_COMMAND_QUEUES_MAX];
	uint32_t next_event; /* ids of events start at 1 (spec 3.11.3) */
	struct monitor *completed;
	enum status read_status; /* of reads that nobody waited for; under completed */
	uint64_t load_words;	 /* host address, if bring-up takes time */
	uint64_t event_table;	 /* host address: slot [device * queue_count + queue] */
	struct completion_queue **notifications; /* [aggregator] */
	/* whose counters are asked for */
	struct worker_group *
		*workers; /* [2 * device]; behind each those of its Ethernet cores, or NULL */
	struct stage **packetizers;   /* [queue * grids + grid]; NULL: shared with queue 0 */
	struct stage **depacketizers; /* [queue * devices + device] */
	uint64_t counts; /* host address: a word per aggregator, of those that only count */
	struct kernel_route *kernel_routes; /* of programs, in the estate */
	uint64_t standing_semaphores;	    /* bit i: that one is some program's */
	void *threads;			    /* of the threads row */
	void *completion;		    /* of the completion row */
	void *readers;			    /* of the readers row */
	struct pool *pollers;		    /* beside the caller, or NULL */
	/* Grows with every write of binaries. Prefetchers read ahead of dispatchers: each has to
	 * stall once behind such a write before it relays those binaries. */
	uint32_t epoch;
};

/* All sub-devices that the mesh has, a bit each; it has one at least. */
static inline uint32_t mesh_sub_devices(const struct mesh_device *mesh)
{
	return (1u << mesh->sub_device_count) - 1;
}

/* Index of the i-th device of a range, in row-major order. */
uint32_t range_device(const struct mesh_device *mesh, struct device_range range, uint32_t i);

#endif
