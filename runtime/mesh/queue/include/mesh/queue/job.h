/* A job: the commands of an operation for the devices of its range. An enqueue makes the job, the
 * forward path sends it, and host threads write its commands into issue queues. A lane is the part
 * of one command queue that serves one device; a feed is an issue queue of broadcasts. */
#ifndef MESH_QUEUE_JOB_H
#define MESH_QUEUE_JOB_H

#include "mesh/device/device.h"

enum { JOB_PREAMBLE_MAX = 4 };

/* The base of all kinds of jobs. Each kind has a struct whose first member is struct job. Jobs are
 * reference-counted. */
struct job {
	const struct job_ops *ops;
	struct command_queue *queue;
	struct device_range range;
	uint32_t operation; /* operation number; 0: none */
	bool same;	    /* every device gets the same commands */
	bool uniform;	    /* the job may also be broadcast; implies `same` */
	bool any_order;	    /* unicasts and broadcasts need no order */
	bool for_order;	    /* the job only keeps unicasts and broadcasts in order */
	/* the commands contain tile numbers; so if mesh->streams_differ is set, they differ
	 * between devices */
	bool names_tiles;
	bool creates;  /* the job creates an operation, so runtime.host.create applies to it */
	bool captured; /* the commands are a part of a trace */
	bool executes; /* the commands execute a trace */
	bool to_host;  /* the commands return something to the host */
	/* sets of sub-devices, one bit each. `launches`: the commands start programs on them;
	 * `waits`: the commands wait for their programs */
	uint32_t launches, waits;
	uint32_t references; /* number of references; atomic */
	/* sent before the other commands; computed at every enqueue */
	struct dispatch_command preamble[JOB_PREAMBLE_MAX];
	uint32_t preamble_count;
	/* if the prefetch commands read binaries from DRAM: the value of mesh->epoch when these
	 * binaries were written; otherwise 0 */
	uint32_t epoch;
	/* the commands of all devices, if they are the same; NULL: each device's thread builds the
	 * commands of its device */
	struct command_stream *shared;
	struct command_stream *streams; /* storage of the job's commands, see job_stream_slot() */
	uint32_t stream_count;
	/* [device] the device's commands, if the caller builds the commands before threads send
	 * them; NULL if the threads build the commands */
	struct command_stream **built;
};

struct job_ops {
	/* Returns the commands for `device`, which belong to the job. They are valid until the next
	 * call for any device. There is one exception: if each device has its own thread and its
	 * own commands, they are valid until the next call for the same device. */
	struct command_stream *(*stream)(struct job *job, uint32_t device);

	/* Returns true if `device`, a device of the range, takes part in the job. NULL: every
	 * device of the range takes part. */
	bool (*holds)(const struct job *job, uint32_t device);

	/* Registers the completion records that the device of this lane will return to the host.
	 * Called before the device's commands are sent, and only if the device takes part in the
	 * job. NULL: there are no records. */
	void (*expect)(struct job *job, struct lane *lane);

	/* Returns a new job that stands for this captured job in one replay of a trace. The new job
	 * is never sent. Its expect() registers the records that the replay returns to the host.
	 * Its event ids count from `events` on. If the operation is NULL, or returns NULL, the
	 * replay returns no records for this job. */
	struct job *(*again)(const struct job *job, struct command_queue *queue, uint32_t events,
		uint32_t operation);

	/* Called only for jobs that again() has returned: blocks until all records of the job have
	 * arrived. NULL: there is nothing to wait for. */
	void (*await)(struct job *job);

	/* Frees the members of the job, not the job itself. NULL: there is nothing to free. */
	void (*fini)(struct job *job);
};

/* Makes a job in a zeroed struct of `bytes` bytes, whose first member must be a struct job. The job
 * has one reference, which belongs to the caller. */
void *job_new(size_t bytes, const struct job_ops *ops, struct command_queue *queue,
	struct device_range range, uint32_t operation);

void job_hold(struct job *job);
void job_release(struct job *job);

/* Sends the job to the devices of its range by the configured forward path, and releases the
 * caller's reference. */
void job_send(struct job *job);

/* If the job's queue is capturing a trace, adds the job to the trace, as a call of kind `kind`.
 * Otherwise sends the job. */
void job_enqueue(struct job *job, enum captured kind);

/* Returns an empty stream in which the commands for this device are built. All devices share one
 * stream if their commands are the same and threads do not build commands in parallel. The stream
 * is freed with the job. */
struct command_stream *job_stream_slot(struct job *job, uint32_t device);

/* Allocates the streams for job_stream_slot(). Call this after `same` and `uniform` are set. */
void job_streams_prepare(struct job *job);

/* Returns the job's commands for a device, and marks BUILT. */
struct command_stream *job_stream(struct job *job, uint32_t device);

/* Sets the coordinates that commands in this stream use for a device. The stream must be empty. */
void stream_place(const struct mesh_device *mesh, struct command_stream *stream, uint32_t device);

/* Returns true if the device takes part. The device must be in the range. */
bool job_holds(const struct job *job, uint32_t device);

/* Appends WAIT commands that wait for the workers of `sub_devices` (one bit each). If `flags` has
 * DISPATCH_DATA, every WAIT gets this flag. Only the last WAIT gets the other flags. */
void stream_wait_workers(struct command_stream *stream, const struct mesh_device *mesh,
	uint32_t sub_devices, uint8_t flags);

/* Registers the records that the lane's device will return, and marks EXPECTED. Returns true if the
 * device takes part in the job, so that commands must be sent to it. */
bool job_expect(struct job *job, struct lane *lane);

/* Makes the host threads send the job to each device of a range. */
void job_send_unicast(struct job *job, struct device_range range);

/* The functions below are the common start and end of every call that enqueues. They charge the
 * cost of the call, mark the call, and block if necessary. */

/* Marks CALLED, RETURNED or SEEN, unless the multi-cluster caller marks them itself. */
void queue_mark(uint32_t operation, enum mark_point point, const struct command_queue *queue);

/* Starts a call: charges it and marks CALLED. */
void queue_called(uint32_t operation, const struct command_queue *queue);

/* Ends a call, and marks RETURNED. If `blocking` is set, first waits until the devices of `range`
 * have completed everything that the queue has sent so far, and then marks SEEN. The wait ignores
 * programs of sub-devices that are not in `sub_devices` (one bit each). Returns the status of the
 * wait, or OK if there was no wait. */
enum status queue_returned(struct command_queue *queue, struct device_range range,
	uint32_t sub_devices, bool blocking, uint32_t operation);

/* The functions below are the last step on the host. They write commands into an issue queue and
 * ring the doorbells. */

/* Sends the commands in job->preamble, and then `body`, to one device. Marks COPIED and
 * DOORBELL. */
void submit_unicast(struct job *job, struct lane *lane, const struct command_stream *body);

/* Sends the commands in job->preamble, and then `body`, to every chip of `part`, which is a
 * rectangle of the feed's devices. The commands carry the transaction numbers of these chips. */
void submit_broadcast(struct job *job, struct feed *feed, struct feed_part *part,
	const struct command_stream *body);

/* Used if a mesh device spans several hosts, for commands that another host sends. Both functions
 * update transaction numbers and the state of the ordering like submit_unicast() and
 * submit_broadcast(), but send nothing. */
void submit_unicast_elsewhere(const struct job *job, struct lane *lane);
void submit_broadcast_elsewhere(struct job *job, struct feed *feed, struct feed_part *part);

/* Ends the prefetch_h and the packetizer that read an initiator's issue queue. */
void submit_terminate(struct issue_queue *issue);

/* The functions below run work on the host threads that the configuration chooses. */

/* Returns the processor to which the next host thread of the mesh device is bound. */
struct affinity host_threads_place(struct mesh_device *mesh);

/* host_threads_bind_caller() binds the calling thread to a processor, if the configuration binds
 * host threads. It returns OK, or UNSUPPORTED if the world cannot bind threads.
 * host_threads_release_caller() unbinds the thread. */
enum status host_threads_bind_caller(const struct mesh_config *config);
void host_threads_release_caller(const struct mesh_config *config);

/* Calls run(arg, device) for every device of the range. After the last of these calls, calls
 * done(arg) once, unless `done` is NULL. Synchronous threads make all calls before this function
 * returns. Asynchronous threads may make the calls later; for each device, they make the calls in
 * the order of posting. */
void host_threads_post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg);

/* host_threads_gather() delays all posts until host_threads_gathered() is called.
 * host_threads_gathered() first runs the posts of host_threads_create() in parallel, and then all
 * other posts in parallel. Posts that run in parallel must not have a device in common.
 * host_threads_gather() does nothing if `together` is false, if the threads are asynchronous, or if
 * they cannot work for several ranges at the same time. */
void host_threads_gather(struct mesh_device *mesh, bool together);
void host_threads_gathered(struct mesh_device *mesh);

/* Returns true if the threads of a pool create operations before they send them (spec 3.9.2). */
bool host_threads_phased(const struct mesh_device *mesh);

/* Calls run(arg, device), which builds commands, for every device of the range. The calls need not
 * have ended when this function returns, but they end before commands of later posts are sent.
 * Allowed only if host_threads_phased() returns true. */
void host_threads_create(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void *arg);

/* Blocks until everything that was posted has run. */
void host_threads_wait(struct mesh_device *mesh);

#endif
