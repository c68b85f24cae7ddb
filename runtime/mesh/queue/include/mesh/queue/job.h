/* A job: the commands of an operation for the devices of its range. An enqueue makes it, the
 * forward path sends it, and host threads put it into lanes. */
#ifndef MESH_QUEUE_JOB_H
#define MESH_QUEUE_JOB_H

#include "mesh/device/device.h"

enum { JOB_PREAMBLE_MAX = 4 };

/* The base of every kind of job, and its first member. Reference-counted. */
struct job {
	const struct job_ops *ops;
	struct command_queue *queue;
	struct device_range range;
	uint32_t operation; /* 0: none */
	bool same;	    /* the same commands for every device */
	bool uniform;	    /* and may be broadcast; implies same */
	bool any_order;	    /* unicasts and broadcasts need no order */
	bool for_order;	    /* it only keeps that order */
	bool names_tiles;   /* commands name tiles: they differ between devices if
			     * mesh->streams_differ */
	bool creates;	    /* creates an operation: runtime.host.create applies */
	bool captured;	    /* its commands are a part of a trace */
	bool to_host;	    /* its commands return something to the host */
	/* sub-devices, a bit each: that its commands start programs on, and that they wait for */
	uint32_t launches, waits;
	uint32_t references; /* atomic */
	/* in front of the commands, made at every enqueue */
	struct dispatch_command preamble[JOB_PREAMBLE_MAX];
	uint32_t preamble_count;
	uint32_t epoch; /* of the binaries that its prefetch commands read from DRAM; 0: none of
			 * this mesh */
	/* commands of all devices, if they are the same; NULL while device threads build their own
	 */
	struct command_stream *shared;
	struct command_stream *streams; /* of its own, see job_stream_slot() */
	uint32_t stream_count;
	/* [device], built by the caller before threads send them; NULL: threads build them */
	struct command_stream **built;
};

struct job_ops {
	/* Returns the commands for `device` (for every device, if they are the same). They belong
	 * to the job and are valid until the next call for the same device; until the next call for
	 * any device if the commands are the same or threads are not per device. */
	struct command_stream *(*stream)(struct job *job, uint32_t device);

	/* True if a device of the range takes part. NULL: every device does. */
	bool (*holds)(const struct job *job, uint32_t device);

	/* Announces the records that this lane will return, before its commands are posted. Its
	 * device takes part. NULL: none. */
	void (*expect)(struct job *job, struct lane *lane);

	/* Makes a job for a replay of the trace that contains this job's commands. The new job is
	 * never sent; its expect() announces the records that the replay returns to the host.
	 * Events count from `events` on. The function or its result may be NULL: the replay returns
	 * nothing. */
	struct job *(*again)(const struct job *job, struct command_queue *queue, uint32_t events,
		uint32_t operation);

	/* Blocks until everything that a job of again() expects has arrived. NULL: nothing to wait
	 * for. */
	void (*await)(struct job *job);

	/* Frees the members of the job, not the job itself. NULL: nothing. */
	void (*fini)(struct job *job);
};

/* A job of `bytes` (struct job first), zeroed, with one reference. */
void *job_new(size_t bytes, const struct job_ops *ops, struct command_queue *queue,
	struct device_range range, uint32_t operation);

void job_hold(struct job *job);
void job_release(struct job *job);

/* Sends the job to its range by the configured path and releases the caller's reference. */
void job_send(struct job *job);

/* The same; or, if the queue captures, gives the job to the trace as this kind. */
void job_enqueue(struct job *job, enum captured kind);

/* Returns an empty stream for this device, or one for all devices if the commands are the same and
 * threads do not build them in parallel. Freed with the job. */
struct command_stream *job_stream_slot(struct job *job, uint32_t device);

/* Allocates the streams for job_stream_slot(). Call it after `same` and `uniform` are set. */
void job_streams_prepare(struct job *job);

/* Returns the job's commands for a device; marks BUILT. */
struct command_stream *job_stream(struct job *job, uint32_t device);

/* Sets the coordinates of a device's commands. The stream must be empty. */
void stream_place(const struct mesh_device *mesh, struct command_stream *stream, uint32_t device);

/* True if the device, which is in the range, takes part. */
bool job_holds(const struct job *job, uint32_t device);

/* Adds the commands that wait for the workers of these sub-devices, a bit each; the last of them
 * also has `flags`. */
void stream_wait_workers(struct command_stream *stream, const struct mesh_device *mesh,
	uint32_t sub_devices, uint8_t flags);

/* Announces the records that the lane will return; marks EXPECTED. False: there is nothing to send
 * to this device. */
bool job_expect(struct job *job, struct lane *lane);

/* Sends the job to each device of a range by the host threads. */
void job_send_unicast(struct job *job, struct device_range range);

/* The frame of every enqueuing call: charges, marks and blocking. */

/* Marks CALLED, RETURNED or SEEN, unless the multi-cluster caller marks them itself. */
void queue_mark(uint32_t operation, enum mark_point point, const struct command_queue *queue);

/* Starts a call: charges it and marks CALLED. */
void queue_called(uint32_t operation, const struct command_queue *queue);

/* Ends a call: if `blocking`, waits until the queue has completed everything so far on the devices
 * of `range`, but of programs only those on these sub-devices (a bit each), and marks SEEN. Marks
 * RETURNED. Returns the status of the wait. */
enum status queue_returned(struct command_queue *queue, struct device_range range,
	uint32_t sub_devices, bool blocking, uint32_t operation);

/* The last step on the host: writes commands into an issue queue and rings the doorbells. */

/* Sends the job's preamble and `body` to one device. Marks COPIED and DOORBELL. */
void submit_unicast(struct job *job, struct lane *lane, const struct command_stream *body);

/* Sends the job's preamble and `body` to every chip of a part of a feed, with their transaction
 * numbers. */
void submit_broadcast(struct job *job, struct feed *feed, struct feed_part *part,
	const struct command_stream *body);

/* Ends the prefetch_h and the packetizer behind an issue queue of an initiator. */
void submit_terminate(struct issue_queue *issue);

/* Runs work for the devices of a range on the host threads that the configuration chooses. */

/* The place of the next host thread of the mesh device. */
struct affinity host_threads_place(struct mesh_device *mesh);

/* Binds the caller if the configuration says so, and unbinds it. UNSUPPORTED if the world cannot
 * bind threads. */
enum status host_threads_bind_caller(const struct mesh_config *config);
void host_threads_release_caller(const struct mesh_config *config);

/* Runs run(arg, device) for every device of the range, and done(arg) once after the last: before it
 * returns, or, with asynchronous threads, later and in order per device. */
void host_threads_post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg);

/* Blocks until everything posted has run. */
void host_threads_wait(struct mesh_device *mesh);

#endif
