/* The order of launches on a mesh. All launches of a sub-device form one sequence, even if
 * different queues send them. The sequence determines run numbers, launch slots and places in the
 * config ring. Only one queue at a time launches; the host hands the sequence over from queue to
 * queue (spec 3.8.5). Each sub-device has a separate sequence and does not wait for other
 * sub-devices (spec 3.4.6). */
#ifndef MESH_PROGRAM_LAUNCHES_H
#define MESH_PROGRAM_LAUNCHES_H

#include "mesh/program/program.h"
#include "mesh/queue/job.h"

/* The resources that a launch needs. */
struct launch_request {
	uint32_t sub_device;
	/* bytes of the configuration and of the binaries, in the config ring */
	uint32_t config_bytes, image_bytes;
	bool all_workers;     /* the go signal reaches every worker of the
			       * sub-device on every device */
	bool all_devices;     /* the go signal reaches every device */
	bool runs_everywhere; /* every device runs a program of the launch */
	uint32_t oldest;      /* each device of the new launch has a last launch;
			       * this is the lowest number among them (launches_last()) */
};

/* Resources assigned to one launch. */
struct launch_ticket {
	struct launch_place place;
	uint32_t sub_device;
	uint32_t slot_address; /* address of the launch slot */
	uint32_t run;
	/* maximum number of earlier launches on the same devices that may still run when this
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

/* Sends all dispatchers the number of the last run of a sub-device that was just loaded, and starts
 * all of its workers without a launch, so that every worker counts from that run. */
void launches_reset(struct command_queue *queue, uint32_t sub_device);

/* Run numbers have 16 bits and are compared as signed differences. So no worker may miss as many as
 * half of the numbers; this limit is lower. */
enum { RUN_LAG_MAX = 1 << 14 };

/* Which earlier launches are done when a launch is sent. */
struct launch_past {
	uint32_t behind; /* maximum number of earlier launches that may still run, if the launch
			  * need not wait for a place in the config ring */
	uint32_t oldest; /* all launches before launch `oldest` are done */
};

/* Computes which launches before launch `run` are done. `full` is the number of consecutive
 * launches directly before `run` that went to every device. `oldest` is the lowest number among the
 * devices' last launches. */
struct launch_past launch_past_of(uint32_t run, uint32_t full, uint32_t oldest);

/* Returns the maximum number of earlier launches that may still run when launch `run` is written.
 * Launch `user` must be done by then, because launch `run` overwrites the place of launch `user` in
 * the config ring. */
uint32_t launch_behind(uint32_t run, uint32_t full, uint32_t user);

/* Returns the slot in the launch ring for the message of launch `run`. Consecutive launches, up to
 * the number of slots, have different slots. */
uint8_t launch_slot(uint32_t run);

/* Returns the number of consecutive launches, up to the latest one, that went to every device.
 * `full` is this number before the latest launch; `all_devices` says whether the latest launch went
 * to every device. The result is at most DISPATCH_BEHIND_MAX. */
static inline uint32_t launch_full_after(uint32_t full, bool all_devices)
{
	return all_devices ? full + (full < DISPATCH_BEHIND_MAX) : 0;
}

/* Consecutive launches that one command starts. */
struct launch_series {
	uint32_t sub_device;
	uint32_t count;	      /* number of launches, at most half of the run numbers */
	const uint32_t *last; /* [device] last launch of the series on the device, counted from
			       * 1; 0: none */
	bool all_workers;     /* the go signal of every launch reaches every worker of the
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
 * preamble of every launch sets the value of all three offsets. */

enum {
	LAUNCH_OFFSET_CONFIG = 1, /* offset of the configuration in the config ring */
	LAUNCH_OFFSET_KERNEL = 2, /* offset of the binaries in the config ring */
	LAUNCH_OFFSET_SLOT = 3,	  /* offset of the launch slot in the launch ring */
};

#endif
