/* The interfaces of the design choices in mesh/choice. Each variant of a choice has a registry
 * entry, which describes the variant, and operations. A new variant needs one file in choice/ and
 * one line in mesh/rows.def. No code compares names of variants.
 *
 * If the mesh device broadcasts commands, its devices are divided into broadcast grids. Each grid
 * is a rectangle of devices, which receives broadcasts from one initiator (fabric/grids.h). */
#ifndef MESH_CHOICE_H
#define MESH_CHOICE_H

#include <stdbool.h>

#include "fabric/grids.h"
#include "fabric/shape.h"
#include "firmware/link/link.h"
#include "mesh/config.h"
#include "mesh/mesh.h"
#include "world/pool.h"

struct event_words;
struct job;
struct lane;
struct pool;
struct read;

struct forward_ops {
	struct registry_entry entry;
	bool broadcasts; /* the path needs initiators, packetizers and depacketizers */

	/* Sends a job to every device of its range. Keeps no reference to the job after the call,
	 * but host threads may still have references. */
	void (*send)(struct job *job);
};

/* How the initiators of a queue receive its broadcasts (spec 3.8.8.2). Used only if there are
 * broadcast grids. */
struct feed_ops {
	struct registry_entry entry;
	bool shared; /* true: all initiators read one issue queue; false: each initiator has its own
		      * issue queue */
};

/* Which stages send an initiator's broadcasts into the fabric (spec 3.8.1). Used only if there are
 * broadcast grids. */
struct packetizer_ops {
	struct registry_entry entry;
	/* true: prefetch_h is also the packetizer, so one stage reads the issue queue and
	 * multicasts */
	bool fused;
	/* true: one stage sends for all command queues, with one socket for each queue; false: each
	 * queue has a stage of its own */
	bool shared;
};

/* Which links carry the broadcasts of an initiator to its devices (spec 3.8.8.2). Used only if
 * there are broadcast grids. */
struct route_ops {
	struct registry_entry entry;

	/* Makes the tree of a grid; see fabric/tree.h. */
	enum status (*tree)(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
		struct device_range range, uint16_t initiator, struct arena *arena,
		struct text *why, struct fabric_tree **tree);
};

/* How a broadcast's rectangle of chips is cut into several multicasts, if the rectangle has more
 * chips than one multicast may have (spec 3.8). Used only if there are broadcast grids. */
struct pieces_ops {
	struct registry_entry entry;

	/* Cuts a rectangle into pieces of at most `most` devices; see fabric/pattern.h. */
	uint32_t (*cut)(struct device_range range, uint32_t most, struct device_range *pieces);
};

/* Which dispatcher executes broadcasts on a device (spec 3.8.3). Used only with broadcast grids. */
struct dispatcher_ops {
	struct registry_entry entry;
	/* true: broadcasts have a separate dispatcher; false: the dispatcher of the queue's
	 * unicasts also executes broadcasts */
	bool dedicated;
};

/* How the dispatchers of a device keep the broadcasts and unicasts of a queue in the order in which
 * they were enqueued (spec 3.8.4). Used only if there are broadcast grids. An operation that is
 * NULL does nothing. */
struct ordering_ops {
	struct registry_entry entry;
	bool numbers; /* transactions are numbered, and dispatchers execute them in turn */
	/* true: the prefetchers of broadcasts and of unicasts wait for each other, so broadcasts
	 * may have a dispatcher of their own */
	bool holds;

	/* Called by the enqueuing thread before a job is sent by unicast to the devices of a range.
	 * Host threads receive the job only after this call. */
	void (*unicast)(const struct job *job, struct device_range range);

	/* Called before a job is sent to the devices of `range` by broadcast, through the issue
	 * queue number `feed`. No host thread is working during the call. */
	void (*broadcast)(const struct job *job, uint32_t feed, struct device_range range);

	/* Called when the devices of a range have executed everything that the queue sent to them,
	 * except perhaps programs of sub-devices that are not in `sub_devices` (one bit each). */
	void (*settled)(
		struct command_queue *queue, struct device_range range, uint32_t sub_devices);
};

/* Which workers receive the go signals of a launch (spec 3.8.5). */
struct go_ops {
	struct registry_entry entry;
	bool everywhere; /* true: the signals go to every worker; false: only to cores that run
			  * the program */
};

/* The order in which the commands of a workload are sent to its devices (spec 3.10.2). */
struct lowering_ops {
	struct registry_entry entry;
	bool breadth_first; /* each kind of command goes to all devices before the next kind */
};

/* The choice of the virtual channel on which broadcasts cross the fabric (spec 3.8.2). Used only if
 * there are broadcast grids. */
struct channels_ops {
	struct registry_entry entry;
	/* true: broadcasts have a separate channel; false: broadcasts use the first channel, like
	 * all other traffic */
	bool own;
};

/* Flow control of broadcasts. Used only if there are broadcast grids. */
struct credits_ops {
	struct registry_entry entry;
	bool counted; /* packetizers count each receiver's free space, and wait for it */
};

/* Which stage holds back later commands while a broadcast trace is executed (spec 3.12.2.2). Used
 * only if there are broadcast grids. */
struct trace_hold_ops {
	struct registry_entry entry;
	enum trace_hold kind; /* see firmware/link/link.h */
};

/* How a device notifies the host of an event. */
enum event_notice {
	/* by a record in the device's completion queue */
	NOTICE_RECORD,
	NOTICE_SLOT,   /* by a word of the notification table */
	NOTICE_GATHER, /* through an aggregator, which notifies for all devices of its grid */
};

/* How the data of reads reach the user. An operation that is NULL does nothing. */
struct read_ops {
	/* true: reader threads wait at completion queues; false: the synchronizing thread waits
	 * there */
	bool threads;

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Registers a read before it is sent to a lane. Called by the sending thread. */
	void (*expect)(struct lane *lane, struct read *read);

	/* Blocks until the read is complete on all its devices. */
	void (*wait)(struct read *read);

	/* Called before a non-blocking read of `bytes` bytes per device. Returns true if the data
	 * are too large for a completion queue; the caller must then wait for the read at once.
	 * Otherwise first takes the data of earlier reads out of the completion queues if the new
	 * read needs their room, and returns false. */
	bool (*must_wait)(struct command_queue *queue, struct device_range range, uint64_t bytes);
};

/* How the host learns of events. An operation that is NULL does nothing. `wait_event`, `reached`
 * and `reads` are never NULL. */
struct completion_ops {
	struct registry_entry entry;
	enum event_notice notice;
	bool shared_slot; /* NOTICE_SLOT: all queues of a device share one slot */
	bool counts;  /* NOTICE_GATHER: aggregators count announcements and send no notifications */
	bool by_rows; /* NOTICE_GATHER: each row of a grid has an additional aggregator */
	/* with NOTICE_GATHER: number of slots that a device's gate has at the aggregator, see
	 * firmware/completion/aggregator.h */
	uint8_t generations;
	bool asked_apart; /* reached() may be called while another thread calls the mesh */
	const struct read_ops *reads;
	const struct event_words *words; /* the words that words_wait() polls; NULL if the variant
					  * does not use words_wait() */

	/* Returns the number of host threads that this variant starts. */
	uint32_t (*thread_count)(const struct mesh_config *config, uint32_t devices);

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Called by the enqueuing thread before the queue records an event on a range. */
	void (*record)(struct command_queue *queue, struct device_range range, uint32_t event);

	/* Registers an event before it is sent to a lane. Called by the sending thread. */
	void (*expect)(struct lane *lane, uint32_t event);

	/* Blocks until the devices of `range` have reached `event` of the queue and all reads
	 * before the event are complete. Returns OK or TIMEOUT. */
	enum status (*wait_event)(struct command_queue *queue, struct device_range range,
		uint32_t event, int64_t deadline_ns);

	/* Returns true if wait_event() would not block. */
	bool (*reached)(struct command_queue *queue, struct device_range range, uint32_t event);
};

/* A function to call for each device of a range. */
struct range_post {
	struct device_range range;
	void (*run)(void *arg, uint32_t device);
	void (*done)(void *arg);
	void *arg;
};

/* Host threads of the mesh. An operation that is NULL does nothing. `post` is never NULL. If
 * `asynchronous` is set, `wait` is not NULL either. */
struct threads_ops {
	struct registry_entry entry;
	bool asynchronous; /* post() may return before all its calls have run */
	bool own_streams;  /* each device's thread creates and builds its own commands */

	/* Returns the number of host threads that this variant starts. */
	uint32_t (*thread_count)(const struct mesh_config *config, uint32_t devices);

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Calls run(arg, device) for every device of the range, and then done(arg) once. In a
	 * synchronous variant, all these calls have ended when post() returns. In an asynchronous
	 * variant, they may come later; each device's calls come in the order of posting. Callers
	 * use host_threads_post() (mesh/queue/job.h), which checks synchronous variants. */
	void (*post)(struct mesh_device *mesh, struct device_range range,
		void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg);

	/* Calls run() of several posts in parallel, and returns when all these calls have ended.
	 * The ranges of the posts must not overlap. Does not call done(); the caller must do this
	 * for each post. Only synchronous variants may have this operation; NULL: the variant does
	 * not have it. */
	void (*post_all)(struct mesh_device *mesh, const struct range_post *posts, uint32_t count);

	/* Blocks until everything that was posted has run. */
	void (*wait)(struct mesh_device *mesh);

	/* Returns the pool whose threads run the work. NULL if the variant has none. */
	struct pool *(*pool)(struct mesh_device *mesh);
};

/* The queues in which tasks of a pool wait for its threads. Used only with a pool. */
struct queues_ops {
	struct registry_entry entry;
	enum pool_queues kind; /* see world/pool.h */
};

/* How the work for devices is divided into tasks of a pool (spec 3.9.2). Used only with a pool. */
struct tasks_ops {
	struct registry_entry entry;
	bool asynchronous; /* run() may return before all its calls have ended */
	bool phased;	   /* the commands of all devices are built before the first is sent */

	/* Makes the pool call run() of each post for the devices of the post. A synchronous variant
	 * returns when all these calls have ended; the caller then calls done(). An asynchronous
	 * variant accepts only one post, and calls done() itself after the last call of run(). */
	void (*run)(struct mesh_device *mesh, const struct range_post *posts, uint32_t count);
};

/* How many threads take records from completion queues, in event paths with reader threads. */
struct readers_ops {
	struct registry_entry entry;
	bool offloads; /* the threads hand records to the pool of host threads, which must exist */

	uint32_t (*thread_count)(uint32_t devices, uint32_t queues);

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Makes a thread take the next records out of the lane's completion queue. If `read` is not
	 * NULL, the thread takes the records of this read; otherwise it takes the record of
	 * `event`. The sending thread calls this before it sends the commands that write the
	 * records. */
	void (*expect)(struct lane *lane, struct read *read, uint32_t event);
};

/* Which parts of the mesh have a multicast initiator of their own: the rows, the columns, or the
 * devices behind each gateway. Used only with the forward path `broadcast`. */
struct initiators_ops {
	struct registry_entry entry;
	enum grid_split split; /* see fabric/grids.h */
};

/* Which chip with PCIe initiates the broadcasts of a grid (spec 3.8.8.2). Used only if there are
 * broadcast grids. Not used if each gateway is an initiator. */
struct initiator_place_ops {
	struct registry_entry entry;
	bool named; /* the user names the chips in config.forward.initiator_chips */

	/* see `rank` in struct grid_plan (fabric/grids.h) */
	uint64_t (*rank)(const struct grid_candidate *candidate);
};

enum create_scope {
	/* if threads_ops.own_streams is set, as CREATE_PER_DEVICE; otherwise as CREATE_PER_MESH */
	CREATE_AS_THREADS,
	/* the caller creates one operation for all devices that get the same commands */
	CREATE_PER_MESH,
	CREATE_PER_DEVICE /* the operation is created for every device */
};

/* Which thread creates the operation of a workload and builds its commands. If a workload is
 * broadcast, all devices share one operation and one set of commands. */
struct create_ops {
	struct registry_entry entry;
	enum create_scope scope;
	/* with CREATE_PER_DEVICE, true: the caller creates the operations; false: the thread that
	 * sends a device's operation also creates it */
	bool by_caller;
};

struct compile_job; /* see mesh/compile/compile.h */

/* Which threads compile the kernels of a new workload, and for which devices (spec 5.1.1). */
struct compilation_ops {
	struct registry_entry entry;

	/* Compiles those kernels of the jobs that are not in the program cache. May return before
	 * the kernels are compiled; later posts to the host threads then wait for them. NULL:
	 * kernels need no compilation. */
	void (*compile)(struct mesh_device *mesh, const struct compile_job *jobs, uint32_t count);
};

/* How host threads are bound to processors. */
struct pin_ops {
	struct registry_entry entry;

	/* Returns the core (world.h) to which a host thread is bound. Thread 0 is the caller of the
	 * API. Other threads of the mesh device have the numbers 1, 2, ... in the order in which
	 * they start. NULL: threads are not bound. */
	uint16_t (*core)(uint16_t host, uint32_t thread);
};

#endif
