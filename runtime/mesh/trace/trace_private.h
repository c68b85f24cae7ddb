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
	uint32_t number; /* of its item */
};

/* A call as it was captured. */
struct trace_item {
	struct command_stream *streams; /* [1] if `same`, or [device]; NULL: the next launch, or the
					   trace is built */
	bool same;			/* for every device */
	bool reads;			/* `heard` is a read */
	uint32_t number;		/* of the call, from 1 */
	struct job *heard;		/* what it brings to the host at a replay, or NULL */
};

/* A trace, while it is captured and afterwards. */
struct mesh_trace {
	struct capture capture; /* first */
	struct mesh_device *mesh;
	struct mesh_trace *next;     /* of those of the mesh that have not been released */
	struct command_queue *queue; /* that captured it */
	bool queue_alone;	     /* only that one may replay it */
	bool to_host;		     /* it brings the host something */
	bool replayed;		     /* at all; the last time: */
	uint32_t replay_events;	     /* what its events counted from */
	struct trace_item *items;
	uint32_t item_count, item_capacity;
	uint32_t number; /* of the last item */
	uint32_t id;
	uint32_t sub_device;  /* of all its launches */
	uint32_t sub_devices; /* that what it captured waits for, or launches on; a bit each */
	struct trace_launch *launches;
	uint32_t launch_count, launch_capacity;
	struct trace_args *args;
	uint32_t args_count, args_capacity;
	struct workload **held; /* workloads whose binaries it reads */
	uint32_t held_count, held_capacity;
	struct trace_counts *counts; /* [device] */
	uint32_t *last;		     /* [device] -> launch (from 1) that is its last; 0: none */
	bool all_workers;	     /* every worker of every device takes part in every launch */
	uint32_t buffers_end;	     /* of the circular buffers, in worker L1 */
	struct mesh_buffer *buffer;
	uint64_t *bytes; /* of commands: [1] if replicated, or [device] */
	struct trace_size size;
};

/* Commands of every device, one stream for all as long as they are the same. */
struct trace_streams {
	struct mesh_device *mesh;
	struct command_stream *streams; /* [1], or [device] */
	uint32_t count;
	uint32_t run;		     /* the launch that is built, from 1 */
	uint32_t full_in_a_row;	     /* launches in a row on every device, so far */
	struct kernel_cache kernels; /* as the trace leaves it, empty at first */
};

/* Builds the commands of a captured trace; fills its last, all_workers and sizes. */
void trace_build(struct mesh_trace *trace, struct trace_streams *streams);

/* Lets the trace capture. */
void trace_capture_init(struct mesh_trace *trace);

/* What capture.c holds: the commands of items, which a trace that is built has in DRAM; all of it.
 */
void trace_drop_streams(struct mesh_trace *trace);
void trace_drop_captured(struct mesh_trace *trace);

void trace_streams_fini(struct trace_streams *streams);

#endif
