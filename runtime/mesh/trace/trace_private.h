/* Traces inside this room: what is captured, and its commands. */
#ifndef MESH_TRACE_PRIVATE_H
#define MESH_TRACE_PRIVATE_H

#include "mesh/program/workload.h"
#include "mesh/queue/job.h"
#include "mesh/trace.h"

/* The arguments of some devices of a part. */
struct trace_args {
	struct part *part;
	struct device_range range;
	struct program_args *args; /* held; given up when the commands are built */
};

/* A workload as it was enqueued: its arguments are so many from args[first_args] on, part by part.
 */
struct trace_launch {
	struct workload *workload;
	uint32_t first_args, args_count;
};

/* A trace, while it is captured and afterwards. */
struct mesh_trace {
	struct capture capture; /* first */
	struct mesh_device *mesh;
	struct mesh_trace *next; /* of those of the mesh that have not been released */
	uint32_t id;
	struct trace_launch *launches;
	uint32_t launch_count, launch_capacity;
	struct trace_args *args;
	uint32_t args_count, args_capacity;
	struct workload **held; /* workloads whose binaries it reads */
	uint32_t held_count, held_capacity;
	struct trace_counts *counts; /* [device] */
	uint32_t *last;	      /* [device] -> launch (from 1) that is its last; 0: none */
	bool all_workers;     /* every worker of every device takes part in every launch */
	uint32_t buffers_end; /* of the circular buffers, in worker L1 */
	struct mesh_buffer *buffer;
	uint32_t *bytes; /* of commands: [1] if replicated, or [device] */
	struct trace_size size;
};

/* Commands of every device, one stream for all as long as they are the same. */
struct trace_streams {
	struct mesh_device *mesh;
	struct command_stream *streams; /* [1], or [device] */
	uint32_t count;
	uint32_t full_in_a_row;	     /* launches in a row on every device, so far */
	struct kernel_cache kernels; /* as the trace leaves it, empty at first */
};

/* Builds the commands of a captured trace; fills its last, all_workers and sizes. */
void trace_build(struct mesh_trace *trace, struct trace_streams *streams);

void trace_streams_fini(struct trace_streams *streams);

#endif
