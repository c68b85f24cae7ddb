/* Workloads inside this room: programs on ranges, and their binaries in DRAM. */
#ifndef MESH_PROGRAM_WORKLOAD_H
#define MESH_PROGRAM_WORKLOAD_H

#include "mesh/device/buffer.h"
#include "mesh/program/launches.h"
#include "mesh/program/program.h"

/* A program on a range. The command cache holds one body, or one for every device if each has a
 * thread of its own that builds it. */
struct part {
	struct program *program;
	struct device_range range;
	struct launch_body *bodies;
	uint64_t cached_at[MESH_COMMAND_QUEUES_MAX]; /* in the kernel cache of each queue */
	uint64_t trace_cached_at; /* while a trace is laid out: the same, in its own */
};

struct workload {
	struct mesh_device *mesh;
	uint32_t part_count;
	struct part *parts;
	struct mesh_buffer *binaries; /* NULL until the first enqueue */
	uint32_t epoch;		      /* in which they were written */
	uint32_t traces;	      /* that hold commands which read its binaries */
	uint32_t next_use;	      /* while a trace is laid out: its next launch in it */
};

/* Where the binaries of a part are: in the kernel cache, at *cached_at, if that is large enough and
 * every device of the mesh takes part: those that do not would know nothing of the place. */
struct binary_place workload_binaries(const struct workload *workload, const struct part *part,
	struct kernel_cache *cache, uint64_t *cached_at);

/* What a launch of it wants; `oldest` is the mesh's. */
struct launch_request workload_request(const struct workload *workload);

#endif
