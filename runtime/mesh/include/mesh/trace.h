/* Traces (spec 3.6, 3.12). A trace is a command sequence in the DRAM of every device. The sequence
 * is captured once, and replayed by one short command from the host.
 *
 *     trace_begin(queue, &why);
 *     enqueue_workload(queue, ...);                  and others, any number of times
 *     trace_end(queue, &why, &trace);
 *     enqueue_trace(queue, trace, 0, false, operation);
 *     trace_free(trace);
 *
 * "Any Fast Dispatch commands on the specified cq_id between this call and end_trace_capture will
 * be captured and serialized to a MeshTrace buffer" (spec 3.6). So between begin and end, commands
 * enqueued on this queue are recorded and not run; other queues continue to run. A trace records:
 *
 * - workloads, with the arguments that they have at capture; later changes have no effect;
 * - writes and reads of buffers and shards. The data of a write are copied into the commands at
 *   capture, so the caller may reuse the memory at once. Every replay of a read fills the memory
 *   given at capture, until the trace is freed;
 * - recorded events. Each replay records a new event (trace_event()), so such a trace belongs to
 *   its queue;
 * - waits for events of other queues. Each replay waits for the same event, which was given at
 *   capture. So from the second replay on, the event has been reached already.
 *
 * Calls that block or wait on the host cannot be captured (INVALID). Commands whose data a trace
 * cannot hold cannot be captured either (UNSUPPORTED): transfers of pinned memory, which
 * prefetchers without PCIe cannot read, and writes whose bytes are not simulated.
 *
 * The commands are written at the same address of every device. If every command is the same on all
 * devices and mesh_config.sharded_traces is not set, all devices get one copy. Otherwise each
 * device gets a separate copy (spec 3.12.2.1). The commands contain no run numbers, no transaction
 * numbers and no routes, so a trace can be replayed through any queue and any forward path. If the
 * commands are the same everywhere, a replay is broadcast. The devices' broadcast prefetchers then
 * run the trace, while their depacketizers hold back later commands (spec 3.12.2.2).
 *
 * Inside a trace, kernel binaries that are still in the workers' config ring are not sent again. If
 * the ring has no room for all binaries, the binaries with the farthest next use are replaced
 * first. Binaries that the last launches have used are replaced only if no other room is left. A
 * replay waits until the workers are idle. It then begins with an empty ring, and sends every
 * binary at the binary's first use.
 *
 * All workloads of a trace must belong to one sub-device (mesh/sub_device.h). Enqueueing a workload
 * of another sub-device returns INVALID. Programs of other sub-devices may keep running while a
 * trace is captured, uploaded and replayed. */
#ifndef MESH_TRACE_H
#define MESH_TRACE_H

#include "base/status.h"
#include "base/text.h"
#include "mesh/buffer.h"
#include "mesh/event.h"
#include "mesh/mesh.h"

struct mesh_trace; /* opaque */

enum { TRACE_LAUNCHES_MAX = 1 << 14 }; /* maximum number of workloads in one trace */

/* Starts capturing on `queue`. Returns OK. Returns EXISTS, with a sentence in `why` (may be NULL),
 * if the queue is capturing already. */
enum status trace_begin(struct command_queue *queue, struct text *why);

/* Ends capturing, and writes the commands to the devices through this queue. Blocks until the queue
 * has completed these writes and everything before them. With captured workloads, waits only for
 * programs of their sub-device. Without workloads, the captured calls may wait for a single
 * sub-device (trace_sub_devices()); then waits only for programs of this sub-device. In all other
 * cases, waits for programs of all sub-devices.
 *
 * Returns OK, or ELIDED if data of an earlier read of the queue were elided. In both cases the
 * trace is usable, and the caller owns *trace. After any other status, `why` has a sentence.
 * Returns INVALID if no capture was begun, or if nothing was captured. Returns OUT_OF_RANGE if
 * there are more than TRACE_LAUNCHES_MAX workloads. Returns NO_SPACE if there is not enough DRAM,
 * or not enough room in the trace region. The queue stops capturing in every case. */
enum status trace_end(struct command_queue *queue, struct text *why, struct mesh_trace **trace);

/* Gives the number `number` to the next call that `queue` captures. The calls of a trace are
 * numbered from 1. A trace over several clusters needs this function if a cluster takes no part in
 * some calls. The function has no effect if the queue does not capture, or if it has already
 * captured a call with this number or a higher one. */
void trace_number(struct command_queue *queue, uint32_t number);

/* Replays the trace through a queue of its mesh. Each captured call is an operation of the trace.
 * The points of operation i, counted from 0, are marked (GO, WORKERS_DONE and so on) with the
 * number `first_operation` + i. If `first_operation` is 0, the captured calls are not marked.
 * `operation` is the number of the replay itself. A blocking call returns when all devices have
 * completed the replay. Returns OK. Returns INVALID if the queue is capturing, if the trace has
 * events and belongs to another queue, or if the division of the trace is not loaded
 * (mesh/sub_device.h). Returns NO_SPACE if, since the capture, a buffer in L1 was allocated where
 * the workloads have circular buffers. */
enum status enqueue_trace(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, bool blocking, uint32_t operation);

/* Replays like enqueue_trace(), without blocking. The data of the i-th captured read go to data[i]
 * instead of the destination given at capture. So callers can keep the data of one replay while the
 * next one runs. */
enum status enqueue_trace_into(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, void *const *data, uint32_t operation);

/* Frees the trace. No replay may be in progress, and the workloads of the trace must still exist.
 * NULL is allowed. */
void trace_free(struct mesh_trace *trace);

/* The contents of a trace. */
struct trace_size {
	uint32_t id;	     /* counts from 1; unique in its mesh device */
	uint32_t operations; /* number of captured calls of all kinds */
	uint32_t writes, reads, records, waits;
	uint32_t workloads; /* number of captured launches of workloads */
	/* number of captured launches whose workload has a kernel on Tensix cores, and on Ethernet
	 * cores */
	uint32_t workloads_on_tensix, workloads_on_ethernet;
	uint64_t bytes;	      /* bytes of commands, on the device with the most */
	uint32_t images_sent; /* number of workload launches that send their binaries */
	uint32_t images_kept; /* number of workload launches that send no binaries, because the
			       * config ring still holds them */
	uint32_t ring_waits; /* number of workload launches that wait for room in the config ring */
	bool replicated;     /* every device has the same commands */
};

struct trace_size trace_size(const struct mesh_trace *trace);

/* Returns the sub-devices that a replay needs, one bit each (mesh/sub_device.h): the sub-device of
 * the trace's workloads, and the sub-devices for which its writes, reads and events wait. If there
 * are none, returns SUB_DEVICES_ALL. A blocking replay waits for all of them. */
uint32_t trace_sub_devices(const struct mesh_trace *trace);

/* Counts of a replay on one device. The host knows them without asking the device. */
struct trace_counts {
	uint32_t launches; /* number of launches with a program for the device */
	uint32_t answers;  /* number of cores that receive a go signal; some of them may run no
			    * program */
};

struct trace_counts trace_counts(const struct mesh_trace *trace, uint16_t row, uint16_t column);

/* Fills in *event with the event that the last replay recorded for `captured`. Returns OK. Returns
 * NOT_FOUND if there was no replay yet, or if `captured` is not an event of this trace. */
enum status trace_event(const struct mesh_trace *trace, const struct mesh_event *captured,
	struct mesh_event *event);

/* Frees a buffer like mesh_buffer_free() (spec 3.3.5), and returns OK. If a trace that is not freed
 * yet writes or reads the buffer, keeps the buffer and returns EXISTS, because a later replay might
 * otherwise use the memory of another buffer. Does not notice that a captured program has the
 * address of the buffer as an argument. */
enum status mesh_buffer_release(struct mesh_buffer *buffer);

/* ---- traces by their ids (spec 3.6, 3.12.1) ---- */

/* Returns the trace with this id; NULL if there is none, or if it has been released. */
struct mesh_trace *trace_find(struct mesh_device *mesh, uint32_t id);

/* Calls enqueue_trace() for the trace with this id. If there is no such trace, does nothing and
 * returns NOT_FOUND. */
enum status enqueue_trace_id(struct command_queue *queue, uint32_t id, uint32_t first_operation,
	bool blocking, uint32_t operation);

/* Frees the trace with this id like trace_free(). Returns OK, or NOT_FOUND if there is none. */
enum status trace_release(struct mesh_device *mesh, uint32_t id);

#endif
