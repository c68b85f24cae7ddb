/* The order of launches on a mesh. Run numbers, launch slots and the config ring belong to the
 * workers, whichever queue launches, so the host hands them from queue to queue (spec 3.8.5). Every
 * sub-device has its own order and does not wait for the others (spec 3.4.6). */
#ifndef MESH_PROGRAM_LAUNCHES_H
#define MESH_PROGRAM_LAUNCHES_H

#include "mesh/program/program.h"
#include "mesh/queue/job.h"

/* Requirements of a launch. */
struct launch_request {
	uint32_t sub_device;
	uint32_t config_bytes, image_bytes; /* in the config ring */
	bool all_workers;		    /* go reaches every worker of the sub-device on every
					     * device */
	bool all_devices;		    /* go reaches every device */
	bool runs_everywhere;		    /* every device has something to run */
	uint32_t oldest;		    /* lowest launches_last() of its devices */
};

/* Resources assigned to one launch. */
struct launch_ticket {
	struct launch_place place;
	uint32_t sub_device;
	uint32_t slot_address; /* of its launch slot */
	uint32_t run;
	/* number of earlier launches on its devices that may still be under way when it is written
	 */
	uint32_t behind;
};

/* Lowest run number among the last launches of a sub-device on the devices of a range. */
uint32_t launches_last(
	const struct mesh_device *mesh, uint32_t sub_device, struct device_range range);

/* Assigns the next launch of its sub-device to `queue`; sends the commands to take over from
 * another queue if needed. Charges WORK_LAUNCH. */
void launches_take(struct command_queue *queue, const struct launch_request *request,
	struct launch_ticket *ticket);

/* Records that all go signals of the sub-device's launches so far have been sent. */
void launches_started(struct mesh_device *mesh, uint32_t sub_device);

/* State of the launches before one. */
struct launch_past {
	uint32_t behind; /* as in a ticket, considering only slots and devices */
	uint32_t oldest; /* launches before this one are then over */
};

/* The state before launch `run`, after `full` launches in a row on every device; `oldest`: the
 * lowest of the last launches of its devices. */
struct launch_past launch_past_of(uint32_t run, uint32_t full, uint32_t oldest);

/* The number of launches that may be under way if launch `user`, which uses the place, must be
 * over. */
uint32_t launch_behind(uint32_t run, uint32_t full, uint32_t user);

/* Position of the message of launch `run` in the launch ring. Consecutive launches, up to the
 * number of slots, have different ones. */
uint8_t launch_slot(uint32_t run);

/* The number of last launches in a row on every device, after one more. */
static inline uint32_t launch_full_after(uint32_t full, bool all_devices)
{
	return all_devices ? full + (full < DISPATCH_BEHIND_MAX) : 0;
}

/* Consecutive launches started by one command. */
struct launch_series {
	uint32_t sub_device;
	uint32_t count;	      /* at most half the run numbers */
	const uint32_t *last; /* [device] -> its last launch of the series, from 1; 0: none */
	bool all_workers;     /* every launch sends go to every worker of the sub-device on every
			       * device */
};

/* Assigns the launches of a series to the job's queue, with the whole config ring and every launch
 * slot. The job's preamble waits until the sub-device's workers of all devices are done. */
void launches_replay(const struct launch_series *series, struct job *job);

/* Fills the preamble of the launch's job, and records the launch for the devices of its range. */
void launches_preamble(const struct launch_ticket *ticket, struct job *job);

/* Offset indices of the dispatcher (command/dispatch.h) in the commands of a launch; the preamble
 * of every launch sets all three. */

enum {
	LAUNCH_OFFSET_CONFIG = 1, /* configuration in the config ring */
	LAUNCH_OFFSET_KERNEL = 2, /* binaries in the config ring */
	LAUNCH_OFFSET_SLOT = 3,	  /* slot of the launch ring */
};

#endif
