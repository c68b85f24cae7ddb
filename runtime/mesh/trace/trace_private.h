/* Internal structures of traces: captured calls, and the commands built from them. */
#ifndef MESH_TRACE_PRIVATE_H
#define MESH_TRACE_PRIVATE_H

#include "mesh/program/workload.h"
#include "mesh/queue/job.h"
#include "mesh/trace.h"

/* The arguments of a program part for some of its devices. */
struct trace_args {
	struct part *part;
	struct device_range range;
	/* the arguments of the launch; the reference to them is released when the commands are
	 * built */
	struct program_args *args;
};

/* A workload as it was enqueued. Its arguments are the entries args[first_args] to args[first_args
 * + args_count - 1] of the trace, ordered by part. */
struct trace_launch {
	struct workload *workload;
	uint32_t first_args, args_count;
	uint32_t number; /* number of the call that enqueued the workload */
};

/* A captured call. */
struct trace_item {
	/* the commands of a call that is not a launch: one stream if `same` is set, otherwise a
	 * stream for each device. NULL for a launch, and once the trace is built */
	struct command_stream *streams;
	bool same;	 /* all devices execute the same commands */
	bool reads;	 /* true if `heard` belongs to a read */
	uint32_t number; /* number of the call, counted from 1 */
	/* the captured job; NULL if a replay returns no data and no event of this call to the host.
	 * For each replay, again() makes a new job from this job. The new job registers the records
	 * that the replay returns */
	struct job *heard;
};

/* A trace, during capture and afterwards. */
struct mesh_trace {
	struct capture capture; /* must be the first member */
	struct mesh_device *mesh;
	struct mesh_trace *next;     /* next trace of the mesh that was not released */
	struct command_queue *queue; /* the queue that captured the trace */
	bool queue_alone;	     /* only `queue` may replay the trace */
	bool to_host;		     /* a replay returns something to the host */
	bool replayed;		     /* the trace was replayed at least once */
	uint32_t replay_events;	     /* base of the event ids of the last replay */
	struct trace_item *items;
	uint32_t item_count, item_capacity;
	uint32_t number; /* number of the last item */
	uint32_t id;
	uint32_t division;    /* the division that was loaded when the capture began */
	uint32_t sub_device;  /* the sub-device of all launches */
	uint32_t sub_devices; /* sub-devices that operations wait for or launch on, as bits */
	struct trace_launch *launches;
	uint32_t launch_count, launch_capacity;
	struct trace_args *args;
	uint32_t args_count, args_capacity;
	struct workload **held; /* workloads whose binaries the trace reads */
	uint32_t held_count, held_capacity;
	const struct mesh_buffer **used; /* buffers that the trace writes or reads */
	uint32_t used_count, used_capacity;
	struct trace_counts *counts; /* [device] counts of the device */
	/* [device] number of the last launch of the trace on the device, counted from 1; 0: none */
	uint32_t *last;
	/* the go signal of every launch reaches every worker of the sub-device on every device */
	bool all_workers;
	uint32_t buffers_end; /* end of the circular buffers in worker L1 */
	struct mesh_buffer *buffer;
	/* length of the commands in bytes; [device], or only one element if all devices have the
	 * same commands */
	uint64_t *bytes;
	struct trace_size size;
};

/* The commands of every device. All devices share one stream if their commands are the same. */
struct trace_streams {
	struct mesh_device *mesh;
	struct command_stream *streams; /* one stream if replicated, otherwise [device] */
	uint32_t count;
	uint32_t run; /* number of the launch that is being built, counted from 1 */
	/* number of latest launches in a row whose go signals reach every device */
	uint32_t full_in_a_row;
	/* contents of the kernel cache after the commands built so far; empty at first */
	struct kernel_cache kernels;
};

/* Fills in `streams` with the commands of a captured trace. Also sets the members `last`,
 * `all_workers` and the sizes of the trace. */
void trace_build(struct mesh_trace *trace, struct trace_streams *streams);

/* Sets the functions of trace->capture. */
void trace_capture_init(struct mesh_trace *trace);

/* trace_drop_streams() frees the command streams of the captured calls, which a trace no longer
 * needs once it is built. trace_drop_captured() frees everything that capture.c allocated. */
void trace_drop_streams(struct mesh_trace *trace);
void trace_drop_captured(struct mesh_trace *trace);

void trace_streams_fini(struct trace_streams *streams);

#endif
