/* A job: what an operation submits to the devices of its range. An enqueue makes it, the forward
 * path sends it, host threads carry it to lanes. */
#ifndef MESH_QUEUE_JOB_H
#define MESH_QUEUE_JOB_H

#include "mesh/device/device.h"

enum { JOB_PREAMBLE_MAX = 4 };

/* What an operation has to do for each device of a range. The first member of every kind of job;
 * made by an enqueue, owned by whoever holds a reference. */
struct job {
	const struct job_ops *ops;
	struct command_queue *queue;
	struct device_range range;
	uint32_t operation; /* 0: none */
	bool same;	    /* the same commands for every device */
	bool uniform;	    /* and may be broadcast; implies same */
	bool any_order;	    /* no order to keep between unicasts and broadcasts */
	bool for_order;	    /* it only keeps that order */
	bool names_tiles; /* they name tiles: not the same for every device if mesh->streams_differ
			   */
	bool creates;	  /* an operation: runtime.host.create acts */
	bool captured;	  /* its commands are a part of a trace */
	bool to_host;	  /* they bring the host something */
	/* sub-devices, a bit each: that they start programs on, and that they wait for */
	uint32_t launches, waits;
	uint32_t references; /* atomic */
	/* in front of the commands, made at every enqueue */
	struct dispatch_command preamble[JOB_PREAMBLE_MAX];
	uint32_t preamble_count;
	uint32_t epoch; /* of what its prefetch commands read from DRAM; 0: nothing of ours */
	/* of same commands; NULL while device threads build their own */
	struct command_stream *shared;
	struct command_stream *streams; /* of its own, see job_stream_slot() */
	uint32_t stream_count;
	/* [device], built by the caller before threads send them; NULL: threads build them */
	struct command_stream **built;
};

struct job_ops {
	/* The commands for `device` (for every device, if they are the same). Belongs to the job;
	 * valid until the next call for the same device, or for another one if they are the same
	 * or the threads are not per device. */
	struct command_stream *(*stream)(struct job *job, uint32_t device);

	/* Whether a device of the range takes part. NULL: each does. */
	bool (*holds)(const struct job *job, uint32_t device);

	/* Says what the host has to expect from this lane, whose device takes part, before its
	 * commands are posted. NULL: nothing. */
	void (*expect)(struct job *job, struct lane *lane);

	/* A trace that has this job's commands is replayed: a job that is never sent, whose
	 * expect() says what the replay brings to the host. Events count from `events` on. NULL, of
	 * the result, too: nothing. */
	struct job *(*again)(const struct job *job, struct command_queue *queue, uint32_t events,
		uint32_t operation);

	/* Blocks until what such a job expects is there. NULL: nothing to wait for. */
	void (*await)(struct job *job);

	/* Releases what the job holds; not the job itself. NULL: nothing. */
	void (*fini)(struct job *job);
};

/* A job of `bytes` (struct job first), zeroed, with one reference. */
void *job_new(size_t bytes, const struct job_ops *ops, struct command_queue *queue,
	struct device_range range, uint32_t operation);

void job_hold(struct job *job);
void job_release(struct job *job);

/* Sends the job to its range by the configured path and gives up the caller's reference. */
void job_send(struct job *job);

/* The same; or, if the queue captures, gives the job to the trace as what it is. */
void job_enqueue(struct job *job, enum captured kind);

/* An empty stream of the job's own for this device, or for all if the commands are the same and
 * nobody builds them in parallel. Freed with the job. */
struct command_stream *job_stream_slot(struct job *job, uint32_t device);

/* Prepares job_stream_slot(); after `same` and `uniform` are set. */
void job_streams_prepare(struct job *job);

/* The job's commands for a device; marks BUILT. */
struct command_stream *job_stream(struct job *job, uint32_t device);

/* Sets the coordinates of commands for a device, of an empty stream. */
void stream_place(const struct mesh_device *mesh, struct command_stream *stream, uint32_t device);

/* True if the device, which is of the range, takes part. */
bool job_holds(const struct job *job, uint32_t device);

/* The commands that wait for the workers of these sub-devices, a bit each; the last of them with
 * `flags`, too. */
void stream_wait_workers(struct command_stream *stream, const struct mesh_device *mesh,
	uint32_t sub_devices, uint8_t flags);

/* Says what the host has to expect from the lane; marks EXPECTED. False: nothing to send to this
 * device. */
bool job_expect(struct job *job, struct lane *lane);

/* Sends the job to each device of a range by the host threads. */
void job_send_unicast(struct job *job, struct device_range range);

#endif
