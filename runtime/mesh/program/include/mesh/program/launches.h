/* The order of launches on a mesh: run numbers, launch slots and config ring are the workers',
 * whichever queue a launch comes from, so the host hands them from queue to queue (spec 3.8.5).
 * Every sub-device has its own order, and waits for no other's (spec 3.4.6). */
#ifndef MESH_PROGRAM_LAUNCHES_H
#define MESH_PROGRAM_LAUNCHES_H

#include "mesh/program/program.h"
#include "mesh/queue/job.h"

/* What a launch wants. */
struct launch_request {
	uint32_t sub_device;
	uint32_t config_bytes, image_bytes; /* in the config ring */
	bool all_workers;		    /* every worker of it, of every device, is sent go */
	bool all_devices;		    /* every device is */
	bool runs_everywhere;		    /* and has something to run */
	uint32_t oldest;		    /* least launches_last() of them */
};

/* What one launch may use. */
struct launch_ticket {
	struct launch_place place;
	uint32_t sub_device;
	uint32_t slot_address; /* of its launch slot */
	uint32_t run;
	/* launches of its devices that may still be under way when it is written */
	uint32_t behind;
};

/* Least run number of the last launches of a sub-device on the devices of a range. */
uint32_t launches_last(
	const struct mesh_device *mesh, uint32_t sub_device, struct device_range range);

/* Takes the next launch of its sub-device for `queue`; sends what is needed to take over from
 * another. Charges WORK_LAUNCH. */
void launches_take(struct command_queue *queue, const struct launch_request *request,
	struct launch_ticket *ticket);

/* All go signals of the launches of a sub-device taken so far have been sent. */
void launches_started(struct mesh_device *mesh, uint32_t sub_device);

/* What is known of the launches before one. */
struct launch_past {
	uint32_t behind; /* as in a ticket, as far as slots and devices go */
	uint32_t oldest; /* launches before this one are over then */
};

/* A launch of number `run`, behind `full` launches in a row on every device; `oldest`: the least of
 * the last launches of its devices. */
struct launch_past launch_past_of(uint32_t run, uint32_t full, uint32_t oldest);

/* The same, once launch `user`, which uses its place, has to be over. */
uint32_t launch_behind(uint32_t run, uint32_t full, uint32_t user);

/* Where the message of launch `run` lies in the launch ring: as many launches behind each other as
 * it has slots do not meet there. */
uint8_t launch_slot(uint32_t run);

/* Launches in a row on every device, one later. */
static inline uint32_t launch_full_after(uint32_t full, bool all_devices)
{
	return all_devices ? full + (full < DISPATCH_BEHIND_MAX) : 0;
}

/* Launches behind each other that one command starts. */
struct launch_series {
	uint32_t sub_device;
	uint32_t count;	      /* at most half the run numbers */
	const uint32_t *last; /* [device] -> its last one, from 1; 0: none */
	bool all_workers;     /* every worker of it, of every device, is sent go in each */
};

/* Takes the launches of a series for the job's queue, with the whole config ring and every launch
 * slot: its preamble waits until the sub-device's workers of all devices are done. */
void launches_replay(const struct launch_series *series, struct job *job);

/* Fills the preamble of the launch's job, and notes that the devices of its range run it. */
void launches_preamble(const struct launch_ticket *ticket, struct job *job);

#endif
