/* The order of launches on a mesh. All launches of a sub-device form one sequence, even if
 * different queues send them. The sequence determines run numbers, launch slots and places in the
 * config ring. At any time, only one queue launches on a sub-device. When another queue launches
 * next, the host hands the sequence over to this queue (spec 3.8.5). Each sub-device has a separate
 * sequence and does not wait for other sub-devices (spec 3.4.6). */
#ifndef MESH_PROGRAM_LAUNCHES_H
#define MESH_PROGRAM_LAUNCHES_H

#include "mesh/program/program.h"
#include "mesh/queue/job.h"

/* The resources that a launch needs. */
struct launch_request {
	uint32_t sub_device;
	/* bytes of the configuration and of the binaries, in the config ring */
	uint32_t config_bytes, image_bytes;
	/* the go signal reaches every worker of the sub-device on every device */
	bool all_workers;
	bool all_devices;     /* the go signal reaches every device */
	bool runs_everywhere; /* every device runs a program of the launch */
	/* launches_last() of the devices of the new launch */
	uint32_t oldest;
};

/* Resources assigned to one launch. */
struct launch_ticket {
	struct launch_place place;
	uint32_t sub_device;
	uint32_t slot_address; /* address of the launch slot */
	uint32_t run;
	/* maximum number of earlier launches on the same devices that may still run when this
	 * launch is written to the devices */
	uint32_t behind;
};

/* Returns the run number of the last launch of a sub-device on the devices of the range. If the
 * devices have different last launches, returns the lowest of their numbers. */
uint32_t launches_last(
	const struct mesh_device *mesh, uint32_t sub_device, struct device_range range);

/* Assigns the next launch of the request's sub-device to `queue`, and fills in *ticket. First sends
 * the commands with which `queue` takes over the sequence of launches, if another queue launched
 * last. Also sends the current run number to workers that have missed too many runs. Charges
 * WORK_LAUNCH. */
void launches_take(struct command_queue *queue, const struct launch_request *request,
	struct launch_ticket *ticket);

/* Records that all go signals of the sub-device's launches so far have been sent. */
void launches_started(struct mesh_device *mesh, uint32_t sub_device);

/* Call it when a sub-device was just loaded. Each launch on a sub-device has a run number. This
 * function sends the last run number to the dispatchers of `queue`, and, with a go signal without a
 * launch, to all workers of the sub-device. After this, `queue` counts as the queue that launched
 * last. */
void launches_reset(struct command_queue *queue, uint32_t sub_device);

/* Limit for the number of runs that a worker may miss. Run numbers have 16 bits and are compared as
 * signed differences, so the limit must be below half of the numbers. */
enum { RUN_LAG_MAX = 1 << 14 };

/* Which earlier launches are done when a launch is sent. */
struct launch_past {
	/* maximum number of earlier launches that may still run when this launch is sent. Fewer may
	 * run if this launch must wait for a place in the config ring */
	uint32_t behind;
	uint32_t oldest; /* all launches before launch `oldest` are done */
};

/* Computes which launches before launch `run` are done. `full` is the number of consecutive
 * launches directly before `run` that went to every device. `oldest` is launches_last() of the
 * devices of launch `run`. */
struct launch_past launch_past_of(uint32_t run, uint32_t full, uint32_t oldest);

/* Returns how many of the earlier launches may still run when launch `run` is written to the config
 * ring. Launch `user` and all before it must be done, because launch `run` overwrites the place of
 * launch `user`. `full` is as in launch_past_of(). */
uint32_t launch_behind(uint32_t run, uint32_t full, uint32_t user);

/* Returns the slot in the launch ring of a worker's L1 for the message of launch `run`. Any
 * LAUNCH_SLOTS consecutive launches have different slots. */
uint8_t launch_slot(uint32_t run);

/* Returns how many launches in a row, up to the latest one, went to every device. `full` is this
 * number before the latest launch. `all_devices` is true if the latest launch went to every device.
 * The result is at most DISPATCH_BEHIND_MAX. */
static inline uint32_t launch_full_after(uint32_t full, bool all_devices)
{
	return all_devices ? full + (full < DISPATCH_BEHIND_MAX) : 0;
}

/* Consecutive launches that one command starts. */
struct launch_series {
	uint32_t sub_device;
	uint32_t count; /* number of launches, at most half of the run numbers */
	/* [device] the last launch of the series that runs on the device, counted from 1; 0: none
	 * does */
	const uint32_t *last;
	/* the go signal of every launch reaches every worker of the sub-device on every device */
	bool all_workers;
};

/* Assigns the launches of a series (the launches of a trace) to the job's queue. The series gets
 * the whole config ring and every launch slot. Adds two commands to the job's preamble: the first
 * waits until the workers of the sub-device are done on all devices, and the second sets the number
 * of the last run. */
void launches_replay(const struct launch_series *series, struct job *job);

/* Adds the commands that prepare the launch to those that the job sends first (job->preamble), and
 * records the launch as the last launch on the devices of the job's range. */
void launches_preamble(const struct launch_ticket *ticket, struct job *job);

/* Commands can contain addresses relative to one of the dispatcher's offsets (command/dispatch.h).
 * These are the indices of the three offsets that the commands of a launch use. The preamble of
 * every launch sets all three offsets. */

enum {
	LAUNCH_OFFSET_CONFIG = 1, /* offset of the configuration in the config ring */
	LAUNCH_OFFSET_KERNEL = 2, /* offset of the binaries in the config ring */
	LAUNCH_OFFSET_SLOT = 3,	  /* offset of the launch slot in the launch ring */
};

#endif
