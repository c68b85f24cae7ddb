/* What a row of each registry of this room has to do: one file per row, all operations filled. */
#ifndef MESH_CHOICE_H
#define MESH_CHOICE_H

#include <stdbool.h>

#include "fabric/shape.h"
#include "mesh/config.h"
#include "mesh/mesh.h"

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

/* How devices tell the host of an event. */
enum event_path {
	EVENT_PATH_QUEUE, /* a record in their completion queue */
	EVENT_PATH_TABLE, /* a word of the notification table */
	EVENT_PATH_SLOT,  /* the same, one for all queues of a device */
	EVENT_PATH_AGGREGATOR,
	EVENT_PATH_COUNT, /* an aggregator that only counts */
};

struct completion_ops {
	struct registry_entry entry;
	enum event_path path;

	/* Host threads that it needs. */
	uint32_t (*thread_count)(uint32_t devices, uint32_t queues);

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Notes that the queue is about to record an event on a range. Called by the thread that
	 * enqueues. */
	void (*record)(struct command_queue *queue, struct device_range range, uint32_t event);

	/* Announces what a lane is about to be sent. Called by the thread that sends. */
	void (*expect_event)(struct lane *lane, uint32_t event);
	void (*expect_read)(struct lane *lane, struct read *read);

	/* Blocks until the queue has reached `event` on `range`, and with it all reads before. */
	enum status (*wait_event)(struct command_queue *queue, struct device_range range,
		uint32_t event, int64_t deadline_ns);

	/* True if wait_event() would not block. */
	bool (*reached)(struct command_queue *queue, struct device_range range, uint32_t event);

	/* Blocks until the read is complete on all its devices. */
	void (*wait_read)(struct read *read);

	/* Makes room for a read of `bytes` per device that nobody will wait for soon. True if there
	 * is none, so that the caller has to wait for it at once. */
	bool (*read_must_wait)(
		struct command_queue *queue, struct device_range range, uint64_t bytes);
};

struct threads_ops {
	struct registry_entry entry;
	bool per_device; /* every device's thread creates and builds its own commands */

	/* Host threads that it needs. */
	uint32_t (*thread_count)(const struct mesh_config *config, uint32_t devices);

	void (*start)(struct mesh_device *mesh);
	void (*stop)(struct mesh_device *mesh);

	/* Runs run(arg, device) for every device of the range; may return before they have run, and
	 * then in order per device. Calls done(arg) once, at the end. */
	void (*post)(struct mesh_device *mesh, struct device_range range,
		void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg);

	/* Blocks until everything posted has run. */
	void (*wait)(struct mesh_device *mesh);
};

#endif
