/* What a row of each registry of this hall has to say of itself and to do. A new variant is one
 * file in choice/ and one row in the list there: nobody asks a row for its name. */
#ifndef MESH_CHOICE_H
#define MESH_CHOICE_H

#include <stdbool.h>

#include "fabric/grids.h"
#include "fabric/shape.h"
#include "mesh/config.h"
#include "mesh/mesh.h"
#include "world/pool.h"

struct event_words;
struct job;
struct lane;
struct read;

struct forward_ops {
	struct registry_entry entry;
	bool broadcasts; /* needs initiators, packetizers and depacketizers */

	/* Sends a job to every device of its range; keeps no reference to it on return, but hands
	 * references to threads. */
	void (*send)(struct job *job);
};

/* How the initiators of a queue get its broadcasts (spec 3.8.8.2). Only asked with broadcast grids.
 */
struct feed_ops {
	struct registry_entry entry;
	bool shared; /* all of them read one issue queue; else each has its own */
};

/* What hands an initiator's broadcasts to the fabric, and which stages that are (spec 3.8.1). Only
 * asked with broadcast grids. */
struct packetizer_ops {
	struct registry_entry entry;
	bool fused;  /* into prefetch_h: one stage reads the issue queue and multicasts */
	bool shared; /* by the command queues, each with a socket; else a stage for each */
};

/* Along which links broadcasts of an initiator reach its chips (spec 3.8.8.2). Only asked with
 * broadcast grids. */
struct route_ops {
	struct registry_entry entry;

	/* Grows the tree of a grid: fabric/tree.h. */
	enum status (*tree)(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
		struct device_range range, uint16_t initiator, struct arena *arena,
		struct text *why, struct fabric_tree **tree);
};

/* Who executes what broadcasts bring to a device (spec 3.8.3). Only asked with broadcast grids. */
struct dispatcher_ops {
	struct registry_entry entry;
	bool dedicated; /* a dispatcher of their own; else that of the unicasts of the queue */
};

/* How the dispatcher of a device executes broadcasts and unicasts of a queue in the order in which
 * they were enqueued (spec 3.8.4). Only asked with broadcast grids. Operations that are NULL have
 * nothing to do. */
struct ordering_ops {
	struct registry_entry entry;
	bool numbers; /* each transaction has one, and dispatchers take them in turn */
	bool holds;   /* prefetchers are held back, so that there may be a dispatcher for each */

	/* Before a job goes to the devices of a range by unicast, and is given to host threads.
	 * Called by the thread that enqueues. */
	void (*unicast)(const struct job *job, struct device_range range);

	/* Before it goes to devices of a feed by broadcast, while no host thread is at work. */
	void (*broadcast)(const struct job *job, uint32_t feed, struct device_range range);

	/* All that the queue has sent to the devices of a range has been executed, but for programs
	 * of other sub-devices than these, a bit each. */
	void (*settled)(
		struct command_queue *queue, struct device_range range, uint32_t sub_devices);
};

/* Which workers get the go signals of a launch (spec 3.8.5). */
struct go_ops {
	struct registry_entry entry;
	bool everywhere; /* every one of the mesh; else those of the program's cores on its devices
			  */
};

/* The order in which the commands of a workload go to its devices (spec 3.10.2). */
struct lowering_ops {
	struct registry_entry entry;
	bool breadth_first; /* every kind of command to all devices before the next */
};

/* Which virtual channel of the fabric broadcasts take (spec 3.8.2). Only asked with broadcast
 * grids.
 */
struct channels_ops {
	struct registry_entry entry;
	bool own; /* not the first, which all else takes */
};

/* Flow control of broadcasts. Only asked with broadcast grids. */
struct credits_ops {
	struct registry_entry entry;
	bool counted; /* packetizers keep an account of each receiver's room, and wait for it */
};

/* How a device tells the host of an event. */
enum event_notice {
	NOTICE_RECORD, /* by a record in its completion queue */
	NOTICE_SLOT,   /* by a word of the notification table */
	NOTICE_GATHER, /* through an aggregator, which tells for all devices of its grid */
};

/* How data of reads reach the user. Operations that are NULL have nothing to do. */
struct read_ops {
	bool threads; /* threads of their own wait at completion queues, not whoever synchronizes */

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Announces a read that a lane is about to be sent. Called by the thread that sends. */
	void (*expect)(struct lane *lane, struct read *read);

	/* Blocks until the read is complete on all its devices. */
	void (*wait)(struct read *read);

	/* Makes room for a read of `bytes` per device that nobody will wait for soon. True if there
	 * is none, so that the caller has to wait for it at once. */
	bool (*must_wait)(struct command_queue *queue, struct device_range range, uint64_t bytes);
};

/* Operations that are NULL have nothing to do; wait_event, reached and reads never are. */
struct completion_ops {
	struct registry_entry entry;
	enum event_notice notice;
	bool shared_slot; /* NOTICE_SLOT: one for all queues of a device */
	bool counts;	  /* NOTICE_GATHER: aggregators only count */
	const struct read_ops *reads;
	const struct event_words *words; /* of a row that waits by words_wait() */

	/* Host threads that it needs. */
	uint32_t (*thread_count)(const struct mesh_config *config, uint32_t devices);

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Notes that the queue is about to record an event on a range. Called by the thread that
	 * enqueues. */
	void (*record)(struct command_queue *queue, struct device_range range, uint32_t event);

	/* Announces an event that a lane is about to be sent. Called by the thread that sends. */
	void (*expect)(struct lane *lane, uint32_t event);

	/* Blocks until the queue has reached `event` on `range`, and with it all reads before. */
	enum status (*wait_event)(struct command_queue *queue, struct device_range range,
		uint32_t event, int64_t deadline_ns);

	/* True if wait_event() would not block. */
	bool (*reached)(struct command_queue *queue, struct device_range range, uint32_t event);
};

/* Operations that are NULL have nothing to do; post never is, nor wait of an asynchronous row. */
struct threads_ops {
	struct registry_entry entry;
	bool asynchronous; /* post() may return before everything has run */
	bool own_streams;  /* every device's thread creates and builds its own commands */

	/* Host threads that it needs. */
	uint32_t (*thread_count)(const struct mesh_config *config, uint32_t devices);

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Runs run(arg, device) for every device of the range, and done(arg) once at the end:
	 * before it returns, or, if the row is asynchronous, later and in order per device. Called
	 * through host_threads_post() (mesh/queue/host_threads.h), which holds rows to that. */
	void (*post)(struct mesh_device *mesh, struct device_range range,
		void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg);

	/* Blocks until everything posted has run. */
	void (*wait)(struct mesh_device *mesh);
};

/* Where tasks of a pool wait for its threads. Only asked with a pool. */
struct queues_ops {
	struct registry_entry entry;
	enum pool_queues kind; /* world/pool.h */
};

/* Threads that take records out of completion queues. Only asked by event paths that have them. */
struct readers_ops {
	struct registry_entry entry;

	uint32_t (*thread_count)(uint32_t devices, uint32_t queues);

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Has a thread take the lane's next records, in order: those of `read`, or, if that is
	 * NULL, that of `event`. Called before the device is told to write them, by the thread that
	 * tells it. */
	void (*expect)(struct lane *lane, struct read *read, uint32_t event);
};

/* Initiators by what they stand for. Only asked with broadcasts. */
struct initiators_ops {
	struct registry_entry entry;
	enum grid_split split; /* fabric/grids.h */
};

enum create_scope {
	CREATE_AS_THREADS, /* as the host threads build other commands (own_streams) */
	CREATE_PER_MESH,   /* once, by the caller, where devices take the same commands */
	CREATE_PER_DEVICE  /* for every device */
};

/* Who creates the operation of a workload and builds its commands. Broadcasts are created once. */
struct create_ops {
	struct registry_entry entry;
	enum create_scope scope;
	bool by_caller; /* CREATE_PER_DEVICE: not by the thread that sends to the device */
};

/* Which processor a host thread is bound to. */
struct pin_ops {
	struct registry_entry entry;

	/* The core (world.h) of the host's thread of that number: 0 is the caller, the others are
	 * those of the mesh device in the order in which they start. NULL: threads are not bound.
	 */
	uint16_t (*core)(uint16_t host, uint32_t thread);
};

#endif
