/* What the files of this room share: the mesh device, its queues and lanes, and how an operation
 * travels: an enqueue makes a job; the forward path sends it; host threads carry it to lanes; a
 * lane is one device's part of one command queue. */
#ifndef MESH_STATE_H
#define MESH_STATE_H

#include "command/completion_queue.h"
#include "command/issue_queue.h"
#include "command/stream.h"
#include "config_ring.h"
#include "fabric/grids.h"
#include "kernel_cache.h"
#include "memory/allocator.h"
#include "mesh/event.h"
#include "mesh/mesh.h"
#include "plan.h"
#include "rows.h"
#include "world/world.h"

struct job;
struct read;

/* One device's part of one command queue. Touched by one host thread at a time: the one that works
 * for the device (world/pool.h and threads_*.c see to the hand-over). */
struct lane {
	struct command_queue *queue;
	uint32_t device; /* index in the mesh */
	uint16_t chip;
	struct issue_queue *issue;
	struct completion_queue *completion;
	uint64_t event_slot;	  /* host address of the word that events are written to */
	uint8_t transaction;	  /* number of the last transaction sent */
	uint32_t event_seen;	  /* last event known to be reached; under mesh->completed */
	uint64_t sent;		  /* transactions by unicast */
	uint32_t stalled;	  /* epoch in which its prefetcher has stalled last */
	struct reader *reader;	  /* completion: per-device */
	struct read_queue *reads; /* completion: table */
};

/* One initiator's part of one command queue. */
struct sender {
	struct issue_queue *issue;
	const struct broadcast_grid *grid;
	uint64_t sent;	  /* transactions */
	uint32_t stalled; /* epoch in which its chips' prefetchers have stalled last */
};

struct command_queue {
	struct mesh_device *mesh;
	uint32_t index;
	struct lane *lanes;	 /* [device] */
	struct sender *senders;	 /* [grid] */
	uint32_t event_recorded; /* id of the last event of this queue */
	uint32_t events_to_host; /* the same, of those that go to the host */
	struct kernel_cache kernels;
	struct mesh_trace *capture; /* what workloads go to in place of the devices, or NULL */
};

/* Launches of the whole mesh, whichever queue they come from. */
struct launches {
	struct command_queue *queue; /* that launched last; NULL at first */
	uint32_t run;		     /* go signals so far: the run number is its low 16 bits */
	uint32_t even_run;	     /* which every worker has seen */
	bool uneven;		     /* workers have missed runs since */
	uint32_t whole;		     /* of the last launches, how many in a row ran on every device;
					at most DISPATCH_BEHIND_MAX, also if there were no more */
	uint32_t *last;		     /* [device] -> run of its last launch */
	struct config_ring ring;
};

/* Who waits for a completion that readers report: one host thread at a time. */
struct waiter {
	bool active;
	const struct command_queue *queue;
	struct device_range range;
	uint32_t event;
	uint32_t remaining; /* lanes that have not reached it */
};

struct mesh_device {
	struct mesh_system *system;
	struct mesh_config config;
	struct cluster *cluster;
	const struct cluster_info *info;
	const struct chip_geometry *geometry; /* of every device */
	struct bringup plan;
	struct mesh_resources resources;
	struct mesh_counters counters;
	struct allocator *dram, *l1;
	uint32_t devices, queue_count;
	bool parted; /* devices need commands of their own: physical coordinates that differ */
	struct command_queue queues[MESH_COMMAND_QUEUES_MAX];
	struct launches launches;
	uint32_t next_event; /* ids of events start at 1 (spec 3.11.3) */
	struct monitor *completed;
	struct waiter waiter;	 /* under completed */
	enum status read_status; /* of reads that nobody waited for; under completed */
	uint64_t event_table;	 /* host address: slot [device * queue_count + queue] */
	struct completion_queue **notifications; /* [aggregator] */
	uint64_t counts;  /* host address: a word per aggregator, of those that only count */
	void *threads;	  /* of the threads row */
	void *completion; /* of the completion row */
	uint32_t next_program;
	/* Grows with every write of binaries. Prefetchers read ahead of dispatchers: each has to
	 * stall once behind such a write before it relays those binaries. */
	uint32_t epoch;
};

/* ---- jobs ---- */

enum { JOB_PREAMBLE_MAX = 4 };

/* What an operation has to do for each device of a range. The first member of every kind of job;
 * made by an enqueue, owned by whoever holds a reference. */
struct job {
	const struct job_ops *ops;
	struct command_queue *queue;
	struct device_range range;
	uint32_t operation;  /* 0: none */
	bool same;	     /* the same commands for every device */
	bool uniform;	     /* and may be broadcast; implies same */
	bool placed;	     /* they name tiles: not the same for every device if mesh->parted */
	uint32_t references; /* atomic */
	/* in front of the commands, made at every enqueue */
	struct dispatch_command preamble[JOB_PREAMBLE_MAX];
	uint32_t preamble_count;
	uint32_t epoch; /* of what its prefetch commands read from DRAM; 0: nothing of ours */
	/* of same commands; NULL while device threads build their own */
	struct command_stream *shared;
	struct command_stream *streams; /* of its own, see job_stream_slot() */
	uint32_t stream_count;
};

struct job_ops {
	/* The commands for `device` (for every device, if they are the same). Belongs to the job;
	 * valid until the next call for the same device, or for another one if they are the same
	 * or the threads are not per device. */
	struct command_stream *(*stream)(struct job *job, uint32_t device);

	/* Says what the host has to expect from this lane, before its commands are posted. False if
	 * the device takes no part. */
	bool (*expect)(struct job *job, struct lane *lane);

	/* Releases what the job holds; not the job itself. */
	void (*fini)(struct job *job);
};

/* A job of `bytes` (struct job first), zeroed, with one reference. */
void *job_new(size_t bytes, const struct job_ops *ops, struct command_queue *queue,
	struct device_range range, uint32_t operation);

void job_hold(struct job *job);
void job_release(struct job *job);

/* Sends the job to its range by the configured path and gives up the caller's reference. */
void job_send(struct job *job);

/* An empty stream of the job's own for this device, or for all if the commands are the same and
 * nobody builds them in parallel. Freed with the job. */
struct command_stream *job_stream_slot(struct job *job, uint32_t device);

/* Prepares job_stream_slot(); after `same` and `uniform` are set. */
void job_streams_prepare(struct job *job);

/* The job's commands for a device; marks BUILT. */
struct command_stream *job_stream(struct job *job, uint32_t device);

/* Sets the coordinates of commands for a device, of an empty stream. */
void stream_place(const struct mesh_device *mesh, struct command_stream *stream, uint32_t device);

/* The job's part for one device, by unicast: on whichever host thread. */
void job_run(struct job *job, uint32_t device);

/* Index of the i-th device of a range, in row-major order. */
uint32_t range_device(const struct mesh_device *mesh, struct device_range range, uint32_t i);

#endif
