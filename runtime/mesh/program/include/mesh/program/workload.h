/* Workloads inside this room: programs on ranges, and their binaries in DRAM. */
#ifndef MESH_PROGRAM_WORKLOAD_H
#define MESH_PROGRAM_WORKLOAD_H

#include "mesh/device/buffer.h"
#include "mesh/program/launches.h"
#include "mesh/program/program.h"

/* Arguments of some devices of a part, which cover it if it has any. */
struct range_args {
	struct device_range range;
	struct program_args *own;   /* NULL: the program's */
	struct launch_body *bodies; /* the command cache */
};

/* A program on a range. The command cache holds one body, or one for every device if each has a
 * thread of its own that builds it. */
struct part {
	struct program *program;
	struct device_range range;
	struct launch_body *bodies;
	uint64_t cached_at[MESH_COMMAND_QUEUES_MAX]; /* in the kernel cache of each queue */
	struct binary_place launched; /* where its binaries are in the launch under way */
	uint64_t trace_cached_at; /* while a trace is laid out: the same, in its own */
	struct range_args *ranges; /* that arguments were set for, and behind them the others */
	uint32_t range_count;	   /* 0: the program's for all */
	struct launch_body *given; /* assembled elsewhere; NULL: nothing came */
	uint32_t given_as;	   /* its generation */
};

struct workload {
	struct program_site *site;
	struct mesh_device *mesh; /* of the site; NULL: it is a description alone */
	uint32_t id;		  /* among those of the site */
	uint32_t changes;	  /* programs, and ranges of arguments, that were added so far */
	bool sealed;		  /* nothing can be added */
	uint32_t part_count;
	struct part *parts;
	struct mesh_buffer *binaries; /* NULL until the first enqueue */
	uint32_t address;	      /* where they are to lie, if they are `placed` */
	bool placed;
	uint32_t epoch;		      /* in which they were written */
	uint32_t traces;	      /* that hold commands which read its binaries */
	uint32_t launch_as;	      /* generation of given commands to launch; 0: own ones */
	uint32_t next_use;	      /* while a trace is laid out: its next launch in it */
	uint32_t sub_devices; /* bit for each that a program of it is of; from the first enqueue on
			       */
	struct reach *reach;  /* [sub-device]; NULL: goes are for those who run something */
};

/* Where goes are for every worker of a sub-device of the mesh: which these are. */
struct reach {
	struct launch_goes goes;
	struct launch_target *targets; /* of these */
	struct device_range *rest;     /* devices without a program of the sub-device */
	uint32_t rest_count;
};

/* Where the binaries of a part are: in the kernel cache, at *cached_at, if that is large enough and
 * every device of the mesh takes part: those that do not would know nothing of the place. */
struct binary_place workload_binaries(const struct workload *workload, const struct part *part,
	struct kernel_cache *cache, uint64_t *cached_at);

/* Ranges with arguments of their own, which come first. */
static inline uint32_t part_own_ranges(const struct part *part)
{
	uint32_t count = 0;

	while (count < part->range_count && part->ranges[count].own != NULL)
		count++;
	return count;
}

/* Whether the binaries of a part go through the prefetchers' kernel cache: if that is large enough
 * and every device of the mesh takes part, since those that do not would know nothing of it. */
bool part_is_cached(const struct part *part, uint32_t devices, uint64_t stride, uint64_t cache);

/* INVALID, with a sentence, unless commands of the generation to launch were given for each part,
 * which read its binaries where they lie. After these are placed. */
enum status workload_check_given(const struct workload *workload, const struct kernel_cache *cache);
void part_forget_given(struct part *part);

/* The arguments of a range of a part. */
static inline struct program_args *range_args_of(
	const struct part *part, const struct range_args *range)
{
	return range->own != NULL ? range->own : part->program->args;
}

/* One body for all devices, which the thread that enqueues builds and patches; else one for each.
 */
bool bodies_are_shared(const struct mesh_device *mesh);

/* An empty command cache of a part, or of a range; none without a mesh. */
struct launch_body *bodies_new(const struct mesh_device *mesh);
void bodies_free(const struct mesh_device *mesh, struct launch_body *bodies);

/* Forgets the arguments of all ranges. */
void range_args_free(const struct mesh_device *mesh, struct part *part);

/* True if a program of it has a kernel on Ethernet cores, or on Tensix cores. */
bool workload_uses(const struct workload *workload, bool ethernet);

/* True if a program of it is of the sub-device. */
static inline bool workload_is_of(const struct workload *workload, uint32_t sub_device)
{
	return workload->sub_devices >> sub_device & 1;
}

/* Before the first launch: fills sub_devices, and reach if goes are for every worker. */
void workload_find_everywhere(struct workload *workload);
void workload_forget_everywhere(struct workload *workload);

/* True if the commands of one kind go to all devices of its parts before those of the next. */
bool workload_goes_by_kinds(const struct workload *workload);

/* True if go signals are in transactions of their own. */
bool workload_sends_goes_apart(const struct workload *workload);

/* Behind the parts of a launch: the go signals of a sub-device that are not in their commands. */
void workload_send_goes(struct command_queue *queue, const struct workload *workload,
	uint32_t sub_device, uint8_t slot, uint32_t operation);

/* Where go signals go on the devices of a part. */
struct launch_goes workload_goes(const struct workload *workload, const struct part *part);

/* What a launch of it wants of a sub-device; `oldest` is the mesh's. */
struct launch_request workload_request(const struct workload *workload, uint32_t sub_device);

#endif
