/* The order of launches on a mesh. Run numbers, launch slots and places in the config ring form one
 * sequence for all launches, whichever queue sends them. So only one queue at a time launches, and
 * the host hands the sequence over from queue to queue (spec 3.8.5). Every sub-device has a
 * sequence of its own and does not wait for other sub-devices (spec 3.4.6). */
#ifndef MESH_PROGRAM_LAUNCHES_H
#define MESH_PROGRAM_LAUNCHES_H

#include "mesh/program/program.h"
#include "mesh/queue/job.h"

/* What a launch needs. */
struct launch_request {
	uint32_t sub_device;
	uint32_t config_bytes, image_bytes; /* in the config ring */
	bool all_workers;		    /* true if the go reaches every worker of the sub-device
					     * on every device */
	bool all_devices;		    /* the go reaches every device */
	bool runs_everywhere;		    /* every device has something to run */
	uint32_t oldest;		    /* number of the oldest launch that is the last launch
					     * on some device of the new launch (launches_last()) */
};

/* Resources assigned to one launch. */
struct launch_ticket {
	struct launch_place place;
	uint32_t sub_device;
	uint32_t slot_address; /* address of the launch slot */
	uint32_t run;
	/* number of earlier launches on the same devices that may still be under way when this
	 * launch is written */
	uint32_t behind;
};

/* Returns the run number of the last launch of a sub-device on the devices of the range. If the
 * devices have different last launches, returns the lowest number. */
uint32_t launches_last(
	const struct mesh_device *mesh, uint32_t sub_device, struct device_range range);

/* Assigns the next launch of the request's sub-device to `queue`, and fills in *ticket. If another
 * queue launched last, sends the commands with which `queue` takes over. Charges WORK_LAUNCH. */
void launches_take(struct command_queue *queue, const struct launch_request *request,
	struct launch_ticket *ticket);

/* Records that all go signals of the sub-device's launches so far have been sent. */
void launches_started(struct mesh_device *mesh, uint32_t sub_device);

/* Which earlier launches are over when a launch is sent. */
struct launch_past {
	uint32_t behind; /* as in a ticket, but without waiting for a place in the config ring */
	uint32_t oldest; /* launches before this run are then over */
};

/* Computes which launches before launch `run` are over. `full` is the number of launches directly
 * before `run` that all went to every device. `oldest` is the lowest number among the last launches
 * of the devices. */
struct launch_past launch_past_of(uint32_t run, uint32_t full, uint32_t oldest);

/* Returns the number of launches that may still be under way when launch `run` is written. Launch
 * `user` must be over by then, because launch `run` overwrites the place of `user` in the config
 * ring. */
uint32_t launch_behind(uint32_t run, uint32_t full, uint32_t user);

/* Returns the slot in the launch ring for the message of launch `run`. Consecutive launches, up to
 * the number of slots, have different slots. */
uint8_t launch_slot(uint32_t run);

/* Returns the number of last launches in a row that went to every device, after one more launch.
 * `full` is this number before that launch. The result is limited to DISPATCH_BEHIND_MAX. */
static inline uint32_t launch_full_after(uint32_t full, bool all_devices)
{
	return all_devices ? full + (full < DISPATCH_BEHIND_MAX) : 0;
}

/* Consecutive launches that one command starts. */
struct launch_series {
	uint32_t sub_device;
	uint32_t count;	      /* at most half the run numbers */
	const uint32_t *last; /* for each device: its last launch of the series, counted from 1; 0:
			       * none */
	bool all_workers;     /* true if the go of every launch reaches every worker of the
			       * sub-device on every device */
};

/* Assigns the launches of a series to the job's queue. The series gets the whole config ring and
 * every launch slot. Adds to the job's preamble a wait until the workers of the sub-device are done
 * on all devices. */
void launches_replay(const struct launch_series *series, struct job *job);

/* Fills in the preamble of the launch's job, and records the launch for the devices of its
 * range. */
void launches_preamble(const struct launch_ticket *ticket, struct job *job);

/* Indices of the dispatcher's offsets (command/dispatch.h) that the commands of a launch use. The
 * preamble of every launch sets all three offsets. */

enum {
	LAUNCH_OFFSET_CONFIG = 1, /* configuration in the config ring */
	LAUNCH_OFFSET_KERNEL = 2, /* binaries in the config ring */
	LAUNCH_OFFSET_SLOT = 3,	  /* slot of the launch ring */
};

#endif
