/* Internal structures of workloads: programs on ranges of devices, and their binaries in DRAM. */
#ifndef MESH_PROGRAM_WORKLOAD_H
#define MESH_PROGRAM_WORKLOAD_H

#include "mesh/device/buffer.h"
#include "mesh/program/launches.h"
#include "mesh/program/program.h"

/* Arguments of some devices of a part. If a part has any range_args, they cover all its devices. */
struct range_args {
	struct device_range range;
	/* arguments of the range; NULL: the range uses the program's arguments */
	struct program_args *own;
	struct launch_body *bodies; /* the command cache */
};

/* A program on a range of devices. `bodies` is the command cache; a body has the commands of a
 * launch. There is one body for each device if each device's thread builds its own commands, or if
 * command streams differ between devices. Otherwise there is one body for all devices. */
struct part {
	struct program *program;
	struct device_range range;
	struct launch_body *bodies;
	/* [queue] the place of the binaries in the queue's kernel cache */
	uint64_t cached_at[MESH_COMMAND_QUEUES_MAX];
	struct binary_place launched; /* where the current launch reads the binaries */
	/* only while the commands of a trace are built: the place of the binaries in the trace's
	 * kernel cache */
	uint64_t trace_cached_at;
	/* first the ranges with arguments of their own, then ranges of all other devices */
	struct range_args *ranges;
	/* number of ranges; 0: all devices use the program's arguments */
	uint32_t range_count;
	struct launch_body *given; /* a body that another host assembled; NULL: none received */
	uint32_t given_as;	   /* generation number of `given` */
};

struct workload {
	struct program_site *site;
	/* mesh device of the site; NULL: the workload is only a description */
	struct mesh_device *mesh;
	uint32_t id;	  /* number among the workloads of the site */
	uint32_t changes; /* number of programs and argument ranges added so far */
	bool sealed;	  /* true if nothing can be added */
	uint32_t part_count;
	struct part *parts;
	struct mesh_buffer *binaries; /* buffer for the binaries; NULL until the first enqueue */
	/* address that the caller has chosen for the binaries; valid if `placed` is set */
	uint32_t address;
	bool placed;
	uint32_t epoch;	 /* value of the mesh's `epoch` when the binaries were written */
	uint32_t traces; /* number of traces whose commands read the workload's binaries */
	/* launches use the commands that another host has sent with this generation number; 0: this
	 * host builds the commands */
	uint32_t launch_as;
	/* only while the commands of a trace are built: number of the workload's next launch in the
	 * trace */
	uint32_t next_use;
	/* sub-devices of the workload's programs, one bit each; set at the first enqueue */
	uint32_t sub_devices;
	uint32_t reach_count; /* number of elements of `reach` */
	/* [sub-device] the workers that get go signals; NULL if only cores that run a program get
	 * them */
	struct reach *reach;
};

/* The targets of go signals on a sub-device, if these signals reach every worker. */
struct reach {
	struct launch_goes goes;
	struct launch_target *targets; /* storage of the targets in `goes` */
	struct device_range *rest;     /* devices without a program of the sub-device */
	uint32_t rest_count;
};

/* Prepares the binaries at the first enqueue of a workload. Compiles the kernels in the way that
 * runtime.host.compile chooses, and writes the binaries of every part to its devices through the
 * queue. Returns OK, or NO_SPACE. If the caller has chosen the address of the binaries, also
 * returns the other errors of mesh_buffer_new_at(). */
enum status workload_put_binaries(struct workload *workload, struct command_queue *queue);

/* Returns the place from which the prefetchers read a part's binaries: the kernel cache if
 * part_is_cached() returns true, otherwise DRAM. For the kernel cache, the call also updates
 * *cached_at, the place of the binaries in the cache. */
struct binary_place workload_binaries(const struct workload *workload, const struct part *part,
	struct kernel_cache *cache, uint64_t *cached_at);

/* Returns the number of ranges with separate arguments. These ranges come first in `ranges`. */
static inline uint32_t part_own_ranges(const struct part *part)
{
	uint32_t count = 0;

	while (count < part->range_count && part->ranges[count].own != NULL)
		count++;
	return count;
}

/* Returns true if the prefetchers read the binaries of a part through their kernel caches. This is
 * so if the cache is large enough, and if every device of the mesh runs the part. All devices must
 * run it because the host assumes that all kernel caches have the same contents. */
bool part_is_cached(const struct part *part, uint32_t devices, uint64_t stride, uint64_t cache);

/* Checks the commands that another host has assembled for the next launch. Returns OK if each part
 * has received commands of the generation workload.launch_as, and if these commands read the
 * binaries from the same place as commands of this host would. Otherwise returns INVALID. The
 * binaries must have been placed before. */
enum status workload_check_given(const struct workload *workload, const struct kernel_cache *cache);
void part_forget_given(struct part *part);

/* Returns the arguments that the devices of a range of a part use. */
static inline struct program_args *range_args_of(
	const struct part *part, const struct range_args *range)
{
	return range->own != NULL ? range->own : part->program->args;
}

/* Returns true if all devices share one body of commands, which the enqueuing thread builds and
 * patches. Otherwise each device has a body of its own. */
bool bodies_are_shared(const struct mesh_device *mesh);

/* Returns an empty command cache for a part or a range; NULL if there is no mesh. */
struct launch_body *bodies_new(const struct mesh_device *mesh);
void bodies_free(const struct mesh_device *mesh, struct launch_body *bodies);

/* Frees the arguments of all ranges. */
void range_args_free(const struct mesh_device *mesh, struct part *part);

/* Returns true if a program of the workload has a kernel on Ethernet cores, or, if `ethernet` is
 * false, on Tensix cores. */
bool workload_uses(const struct workload *workload, bool ethernet);

/* Returns true if a program of the workload belongs to the sub-device. */
static inline bool workload_is_of(const struct workload *workload, uint32_t sub_device)
{
	return workload->sub_devices >> sub_device & 1;
}

/* Sets the workload's `sub_devices`. If go signals reach every worker, also allocates and fills in
 * the workload's `reach`. Called before the first launch. */
void workload_find_everywhere(struct workload *workload);
void workload_forget_everywhere(struct workload *workload);

/* Returns true if each kind of command goes to all devices of all parts before the next kind. */
bool workload_goes_by_kinds(const struct workload *workload);

/* Returns true if host threads may build and send the commands of several parts at the same time.
 * This is so if there are several parts, all on one sub-device, if all commands go by unicast, and
 * if workload_goes_by_kinds() returns false. */
bool workload_goes_together(const struct workload *workload);

/* Returns true if go signals are sent in separate transactions. */
bool workload_sends_goes_apart(const struct workload *workload);

/* Sends those go signals of a sub-device that are not among the commands of the parts. Called after
 * the commands of all parts of a launch are sent. */
void workload_send_goes(struct command_queue *queue, const struct workload *workload,
	uint32_t sub_device, uint8_t slot, uint32_t operation);

/* Returns the targets of go signals on the devices of a part. */
struct launch_goes workload_goes(const struct workload *workload, const struct part *part);

/* Returns the resources that a launch of the workload on a sub-device needs. */
struct launch_request workload_request(const struct workload *workload, uint32_t sub_device);

#endif
